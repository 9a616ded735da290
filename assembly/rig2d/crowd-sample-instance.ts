/**
 * Samples what plays on one instance into one lane: its clip, what fades out under it, its overlay.
 *
 * Layout   layout/crowd.ts; `pose` and `setup` point at one lane of four-lane pose blocks.
 * Requires the pose holds setup values; times advanced.
 * Ensures  the lane's local values, colours and constraint values; rotation memory.
 * Source   an animation state with one running fade; frozen poses: see `thaw`.
 */
import { AnimationField } from "../layout/animation";
import {
  ClipField, CrowdField, FadePlanField, FROZEN_CLIP, FROZEN_ROWS, InstanceField, InstanceFlag, ROTATION_MEMORY_BYTES, ROTATION_MEMORY_HEADER_BYTES,
} from "../layout/crowd";
import { BONE_ROWS, BoneRow, ChannelField, CHANNEL_BYTES, CONSTRAINT_ROWS, HEADER_ROWS, SLOT_ROWS } from "../layout/rig2d";
import { clipAt, fadePlan, fadeTimeOf, mixOf, overlayAlpha, overlayTimeOf, timeOf } from "./crowd-instance";
import { mixLane } from "./crowd-mix";
import { sampleLane } from "./crowd-sample";

/** Clip, running fade and overlay of one lane. */
export function sampleInstance(crowd: usize, instance: usize, pose: usize, setup: usize): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP);
  if (clipIndex < 0) return;
  const clip = clipAt(crowd, clipIndex);
  const animation = <usize>load<u32>(clip, ClipField.ANIMATION);
  const time = timeOf(instance, clip);
  const fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  const mix = mixOf(instance);
  if (fadeIndex >= 0) {
    const from = clipAt(crowd, fadeIndex);
    const plan = fadePlan(crowd, fadeIndex, clipIndex);
    const memory = <usize>load<u32>(instance, InstanceField.ROTATIONS);
    mixLane(
      <usize>load<u32>(from, ClipField.ANIMATION), <usize>load<u32>(plan, FadePlanField.FROM), 0, fadeTimeOf(instance, from), 1 - mix, 1, true,
      memory, pose, setup);
    if (mix != 1) {
      const own: usize = memory == 0 ? 0 : memory + ROTATION_MEMORY_HEADER_BYTES + <usize>load<u32>(from, ClipField.ROTATE_COUNT) * ROTATION_MEMORY_BYTES;
      mixLane(animation, <usize>load<u32>(plan, FadePlanField.TO), 0, time, mix, mix, false, own, pose, setup);
    }
  }
  if (fadeIndex == FROZEN_CLIP && mix != 1) {
    thaw(crowd, <usize>load<u32>(instance, InstanceField.FROZEN), animation, mix, pose, setup);
    mixLane(animation, 0, 0, time, mix, mix, false, <usize>load<u32>(instance, InstanceField.ROTATIONS), pose, setup);
  }
  if (mix == 1) sampleLane(animation, time, pose, setup);

  const overlayIndex = load<i32>(instance, InstanceField.OVERLAY_CLIP);
  if (overlayIndex < 0) return;
  const overlay = clipAt(crowd, overlayIndex);
  const alpha = overlayAlpha(instance);
  mixLane(
    <usize>load<u32>(overlay, ClipField.ANIMATION), <usize>load<u32>(fadePlan(crowd, clipIndex, overlayIndex), FadePlanField.OVER),
    fadeIndex < 0 ? 0 : <usize>load<u32>(fadePlan(crowd, fadeIndex, overlayIndex), FadePlanField.OVER), overlayTimeOf(instance, overlay), alpha, alpha,
    (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.OVERLAY_OUT) != 0, <usize>load<u32>(instance, InstanceField.OVERLAY_ROTATIONS), pose, setup);
}

/** Bones, slots and constraints of a rig, whose first rows a frozen pose holds. */
@inline
function partCount(crowd: usize): u32 {
  return load<u32>(crowd, CrowdField.BONE_COUNT) + load<u32>(crowd, CrowdField.SLOT_COUNT) + load<u32>(crowd, CrowdField.CONSTRAINT_COUNT);
}

/** First row of part i: bones, then slots, then constraints. */
@inline
function rowOfPart(crowd: usize, i: u32): u32 {
  const bones = load<u32>(crowd, CrowdField.BONE_COUNT), slots = load<u32>(crowd, CrowdField.SLOT_COUNT);
  if (i < bones) return HEADER_ROWS + i * BONE_ROWS;
  if (i < bones + slots) return HEADER_ROWS + bones * BONE_ROWS + (i - bones) * SLOT_ROWS;
  return HEADER_ROWS + bones * BONE_ROWS + slots * SLOT_ROWS + (i - bones - slots) * CONSTRAINT_ROWS;
}

/** Keeps the sampled values of one lane. */
export function freeze(crowd: usize, pose: usize, frozen: usize): void {
  const count = partCount(crowd);
  for (let i: u32 = 0; i < count; i++) {
    const from = pose + (<usize>rowOfPart(crowd, i) << 4);
    for (let row: usize = 0; row < <usize>FROZEN_ROWS; row++, frozen += 4) store<u32>(frozen, load<u32>(from + (row << 4)));
  }
}

/**
 * A frozen pose that leaves: values fade to setup, but what the new animation writes stays at full weight, for its channels to
 * mix from. Words that are no numbers (inherit modes, IK flags, frames) are not frozen.
 */
function thaw(crowd: usize, frozen: usize, animation: usize, mix: f32, pose: usize, setup: usize): void {
  const count = partCount(crowd);
  const bones = load<u32>(crowd, CrowdField.BONE_COUNT), slots = load<u32>(crowd, CrowdField.SLOT_COUNT);
  let value = frozen;
  for (let i: u32 = 0; i < count; i++) {
    const row = <usize>rowOfPart(crowd, i) << 4;
    // Bones: up to the inherit mode. Slots: up to the sequence index. Constraints: numbers are told apart by their setup below.
    const rows: usize = i < bones + slots ? BoneRow.INHERIT : FROZEN_ROWS;
    for (let k: usize = 0; k < <usize>FROZEN_ROWS; k++, value += 4) {
      if (k >= rows) continue;
      const at = row + (k << 4);
      const s = load<f32>(setup + at), f = load<f32>(value);
      // Small integers read as floats are denormal: leave them as they are.
      if (isInteger(s) || isInteger(f)) continue;
      store<f32>(pose + at, s + (f - s) * (1 - mix));
    }
  }
  const end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES) {
    const row = load<u32>(channel, ChannelField.ROW);
    store<u32>(pose + (<usize>row << 4), load<u32>(frozen + (<usize>frozenIndex(crowd, row) << 2)));
  }
}

/** Whether the bits of a value are those of a small whole number other than 0. */
@inline
function isInteger(value: f32): bool {
  const bits = reinterpret<i32>(value);
  return bits == -1 || (bits > 0 && bits < 0x10000);
}

/** Index in a frozen pose of a row of the pose block. */
@inline
function frozenIndex(crowd: usize, row: u32): u32 {
  const bones = load<u32>(crowd, CrowdField.BONE_COUNT), slots = load<u32>(crowd, CrowdField.SLOT_COUNT);
  let rest = row - HEADER_ROWS;
  if (rest < bones * BONE_ROWS) return (rest / BONE_ROWS) * FROZEN_ROWS + (rest & (BONE_ROWS - 1));
  rest -= bones * BONE_ROWS;
  if (rest < slots * SLOT_ROWS) return (bones + rest / SLOT_ROWS) * FROZEN_ROWS + (rest & (SLOT_ROWS - 1));
  return (bones + slots) * FROZEN_ROWS + rest - slots * SLOT_ROWS;
}

/**
 * Freezes what plays on an instance at this moment into `frozen`. `scratch` has a pose block of four lanes.
 */
export function freezeInstance(crowd: usize, instance: usize, setup: usize, scratch: usize, frozen: usize): void {
  memory.copy(scratch, setup, <usize>load<u32>(crowd, CrowdField.ROWS) << 4);
  sampleInstance(crowd, instance, scratch, setup);
  freeze(crowd, scratch, frozen);
}
