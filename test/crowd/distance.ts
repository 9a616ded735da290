import type { Crowd } from "../../src/crowd/index.js";
import type { Skeleton } from "../../src/spine/index.js";

/** Largest difference of a palette row from a skeleton, in units of max(1, largest value). */
export function distance(crowd: Crowd, id: number, skeleton: Skeleton): number {
  const out = new Float32Array(6);
  let worst = 0;
  let largest = 1;
  for (const bone of skeleton.bones) {
    const { a, b, c, d, worldX, worldY } = bone.appliedPose;
    const expected = bone.active ? [a, b, c, d, worldX, worldY] : [0, 0, 0, 0, 0, 0];
    crowd.bone(id, bone.data.index, out);
    expected.forEach((value, i) => {
      largest = Math.max(largest, Math.abs(value));
      worst = Math.max(worst, Math.abs(value - out[i]!));
    });
  }
  return worst / largest;
}
