/** The bind pose of a skeleton in model space, and the size of the rig; kept while bind values stay as they are. @internal */
import { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";

interface Rest {
  readonly pose: AnimPose;
  version: number;
  /** Height and size of the rig. */
  readonly measures: Float64Array;
}

const rests = new WeakMap<AnimSkeleton, Rest>();

function restOf(skeleton: AnimSkeleton): Rest {
  let rest = rests.get(skeleton);
  if (rest === undefined) {
    rest = { pose: new AnimPose(), version: -1, measures: Float64Array.of(1, 1) };
    rests.set(skeleton, rest);
  }
  if (rest.version !== skeleton.bindVersion) {
    const { pose } = rest, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    skeleton.applyBindPose(pose);
    pose.computeWorld(skeleton);
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
      const p = [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)];
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, p[k]!);
        high[k] = Math.max(high[k]!, p[k]!);
      }
    }
    const extent = high.map((h, k) => h - low[k]!), size = Math.hypot(...extent);
    rest.measures[0] = extent[1]! > 1e-6 ? extent[1]! : 1;
    rest.measures[1] = size > 1e-6 ? size : 1;
    rest.version = skeleton.bindVersion;
  }
  return rest;
}

/** The bind pose with a valid world. Not to be changed. */
export function restPose(skeleton: AnimSkeleton): AnimPose {
  return restOf(skeleton).pose;
}

/** Extent of the bones' bind positions along +Y; 1 when there is none. */
export function rigHeight(skeleton: AnimSkeleton): number {
  return restOf(skeleton).measures[0]!;
}

/** Diagonal of the box around the bones' bind positions; 1 when there is none. */
export function rigSize(skeleton: AnimSkeleton): number {
  return restOf(skeleton).measures[1]!;
}

/** `rigHeight` and `rigSize` in an array, which hands them out unboxed. */
export function rigMeasures(skeleton: AnimSkeleton): Float64Array {
  return restOf(skeleton).measures;
}
