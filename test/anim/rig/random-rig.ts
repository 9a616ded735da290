import { type AnimPose, AnimSkeleton } from "../../../src/anim/index.js";
import { randomQuaternion } from "./golden.js";

/** A chain of bones with random bind poses, of which every third stays at all levels of detail. */
export function skeletonOf(count: number, random: () => number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < count; i++) {
    skeleton.addBone(`b${i}`, i - 1);
    skeleton.setBindPosition(i, 0, 0.1 + 0.1 * random(), 0);
    skeleton.setBindRotation(i, ...randomQuaternion(random));
    skeleton.setBoneLodLimit(i, i % 3 === 0 ? 255 : 0);
  }
  return skeleton;
}

/** Local values of a pose, ten a bone. */
export const row = (pose: AnimPose): number[] => {
  const out = Array.from({ length: pose.getBoneCount() * 10 }, () => 0);
  pose.writeLocalTo(out);
  return out;
};
