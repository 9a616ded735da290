/**
 * Freezes what plays on an instance when a fade interrupts a fade: the mixture of its clips, without the overlay and sliders, which
 * go on.
 *
 * Layout   layout/crowd.ts: frozen pose, frozen deforms. `scratch`: a pose block of four lanes, of which one is used, and
 *          DEFORM_CALL_BYTES behind it.
 * Requires INSTANCES, SLOTS and VARIANTS up to date; `shapes` is 0 or a zeroed block for frozen deforms.
 * Ensures  the frozen pose; returns how many targets are deformed, whose values are in `shapes`. Rotation memory is used up.
 * Source   numbers and paths as the next pose would have them; deforms of what is drawn as they are seen at this moment, which is
 *          earlier where poses are rarer than updates.
 */
import { CrowdField, INSTANCE_BYTES, InstanceField, ShapeTargetField, VARIANT_BYTES, VariantField } from "../layout/crowd";
import { SHAPE_SLOT_BYTES } from "../layout/crowd-vertices";
import { SlotRow } from "../layout/rig2d";
import { freezePose } from "./crowd-frozen-pose";
import { targetAt } from "./crowd-frozen-shapes";
import { posePathsOfClips } from "./crowd-paths";
import { sampleClips } from "./crowd-sample-instance";
import { clearShapes, shapeClips } from "./crowd-shapes";
import { moves } from "./crowd-tracks";

export function freezeInstance(crowd: usize, instance: usize, scratch: usize, frozen: usize, shapes: usize): i32 {
  const variant = <usize>load<u32>(crowd, CrowdField.VARIANTS) + <usize>load<u32>(instance, InstanceField.VARIANT) * VARIANT_BYTES;
  const setup = <usize>load<u32>(variant, VariantField.SETUP_LANES);
  const poseBytes = <usize>load<u32>(crowd, CrowdField.ROWS) << 4;
  memory.copy(scratch, setup, poseBytes);
  sampleClips(crowd, instance, scratch, setup);
  freezePose(crowd, scratch, frozen);
  if (shapes == 0) return 0;
  return freezePaths(crowd, instance, variant, scratch, setup, scratch + poseBytes, shapes) + freezeMeshes(crowd, instance, scratch, shapes);
}

function freezePaths(crowd: usize, instance: usize, variant: usize, pose: usize, setup: usize, call: usize, shapes: usize): i32 {
  const count = load<i32>(crowd, CrowdField.PATH_TARGET_COUNT);
  if (count == 0) return 0;
  // The values are made where they stay: targets lie as in a lane's deform values.
  const first = targetAt(crowd, 0);
  const values = shapes + <usize>load<u32>(first, ShapeTargetField.FROZEN) - <usize>load<u32>(first, ShapeTargetField.BUFFER);
  posePathsOfClips(crowd, instance, variant, pose, setup, call, values);
  let found = 0;
  for (let i = 0; i < count; i++) {
    const target = targetAt(crowd, i);
    const slot = pose + (<usize>load<u32>(target, ShapeTargetField.SLOT_ROW) << 4);
    const record = <usize>load<u32>(slot, SlotRow.ATTACHMENT << 4), length = load<i32>(slot, SlotRow.DEFORM_COUNT << 4);
    if (length == 0 || record == 0 || !moves(target, record)) continue;
    store<i32>(shapes + (<usize>i << 2), length);
    found++;
  }
  return found;
}

/** `slots`: scratch for one slot pose of one lane per slot. */
function freezeMeshes(crowd: usize, instance: usize, slots: usize, shapes: usize): i32 {
  const states = <usize>load<u32>(crowd, CrowdField.SLOTS);
  const first = load<i32>(crowd, CrowdField.PATH_TARGET_COUNT), count = load<i32>(crowd, CrowdField.SHAPE_TARGET_COUNT);
  if (states == 0 || first == count) return 0;
  const row = (instance - <usize>load<u32>(crowd, CrowdField.INSTANCES)) / INSTANCE_BYTES;
  const target = targetAt(crowd, first);
  const values = shapes + <usize>load<u32>(target, ShapeTargetField.FROZEN) - <usize>load<u32>(target, ShapeTargetField.BUFFER);
  clearShapes(crowd, slots);
  shapeClips(crowd, instance, states + row * <usize>load<u32>(crowd, CrowdField.SLOTS_STRIDE), slots, values, false);
  let found = 0;
  for (let i = first; i < count; i++) {
    const at = slots + <usize>load<u32>(targetAt(crowd, i), ShapeTargetField.SLOT) * SHAPE_SLOT_BYTES;
    const length = load<i32>(at, SlotRow.DEFORM_COUNT * 4);
    if (length == 0 || load<i32>(at, SlotRow.R * 4) != i + 1) continue;
    store<i32>(shapes + (<usize>i << 2), length);
    found++;
  }
  return found;
}
