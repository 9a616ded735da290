import type { Skeleton } from "./skeleton.js";

/** Prints poses, for debugging. */
export class DebugUtils {
  /** Prints world matrix and world position of every bone. */
  static logBones(skeleton: Skeleton): void {
    for (const { data, appliedPose: p } of skeleton.bones) {
      console.log(`${data.name}, ${p.a}, ${p.b}, ${p.c}, ${p.d}, ${p.worldX}, ${p.worldY}`);
    }
  }
}
