import type { TransformProperty } from "../../../assembly/layout/update.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import { addressOfBone } from "./bone-address.js";

/** Mixes a value into a property of a bone pose, or adds it. */
export function writeProperty(
  skeleton: Skeleton,
  bone: BonePose,
  property: TransformProperty,
  value: number,
  mix: number,
  local: boolean,
  additive: boolean,
): void {
  skeleton._writeScale();
  rig2d.kernels.writeBoneProperty(
    skeleton._block, addressOfBone(skeleton, bone), property, value, mix, local ? 1 : 0, additive ? 1 : 0,
  );
}
