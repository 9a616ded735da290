import { rig2d } from "../../wasm/rig2d.js";
import { addressOfBone } from "../update/bone-address.js";
import type { BonePose } from "./bone-pose.js";
import type { Skeleton } from "./skeleton.js";

/** World transform of one bone from its local values. @internal */
export function setWorldOfBone(skeleton: Skeleton, pose: BonePose): void {
  const address = addressOfBone(skeleton, pose);
  skeleton._writeScale();
  rig2d.kernels.updateBoneWorld(skeleton._program, skeleton._block, address, pose.bone.data.index);
}

/** Local values of one bone from its world transform. @internal */
export function setLocalOfBone(skeleton: Skeleton, pose: BonePose): void {
  const address = addressOfBone(skeleton, pose);
  skeleton._writeScale();
  rig2d.kernels.updateBoneLocal(skeleton._program, skeleton._block, address, pose.bone.data.index);
}

/** Local values are about to change. @internal */
export function touchLocal(skeleton: Skeleton, pose: BonePose): void {
  rig2d.kernels.modifyBoneLocal(skeleton._program, skeleton._block, addressOfBone(skeleton, pose), pose.bone.data.index);
}

/** World values are about to change. @internal */
export function touchWorld(pose: BonePose, _update: number): void {
  const skeleton = pose._store as Skeleton;
  rig2d.kernels.modifyBoneWorld(skeleton._program, skeleton._block, addressOfBone(skeleton, pose), pose.bone.data.index);
}
