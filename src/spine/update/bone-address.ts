import { StateError } from "../../errors.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";

/**
 * Byte address of a bone pose in the skeleton's block.
 * @throws StateError if the pose belongs to no skeleton or to another one
 */
export function addressOfBone(skeleton: Skeleton, pose: BonePose): number {
  if (pose._own !== null || pose._store !== skeleton || pose.bone === undefined) {
    throw new StateError("The bone pose does not belong to this skeleton. Use a pose of one of skeleton.bones.");
  }
  return (skeleton._base + pose._row) * 4;
}
