import { StateError } from "../../errors.js";
import type { BonePose } from "./bone-pose.js";
import type { Skeleton } from "./skeleton.js";

/** World transform of one bone from its local values. @internal */
export function setWorldOfBone(_skeleton: Skeleton, _pose: BonePose): void {
  throw new StateError("World transforms are not available yet.");
}

/** Local values of one bone from its world transform. @internal */
export function setLocalOfBone(_skeleton: Skeleton, _pose: BonePose): void {
  throw new StateError("World transforms are not available yet.");
}

/** Local values are about to change. @internal */
export function touchLocal(_skeleton: Skeleton, _pose: BonePose): void {
  throw new StateError("World transforms are not available yet.");
}

/** World values are about to change. @internal */
export function touchWorld(_pose: BonePose, _update: number): void {
  throw new StateError("World transforms are not available yet.");
}
