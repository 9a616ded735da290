/**
 * Keeps the sampled values of one lane, and lets them fade out again.
 *
 * Layout   layout/crowd.ts, frozen pose; `pose` and `setup` point at one lane of four-lane pose blocks.
 * Requires a frozen pose of the same rig; 0 <= mix < 1.
 * Ensures  freezePose: the frozen pose. thawPose: the rows of local values, colours and constraint values.
 * Source   value = frozen + (setup - frozen) mix, rotations the shorter way: at mix 0 the very bits that were frozen. Inherit modes
 *          and IK flags, which have nothing in between, stay up to the half.
 */
import { AnimationField } from "../layout/animation";
import { CrowdField, FROZEN_ROWS } from "../layout/crowd";
import { BONE_ROWS, BoneRow, ChannelField, CHANNEL_BYTES, CONSTRAINT_ROWS, HEADER_ROWS, SLOT_ROWS, SlotRow } from "../layout/rig2d";

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

export function freezePose(crowd: usize, pose: usize, frozen: usize): void {
  const count = partCount(crowd);
  for (let i: u32 = 0; i < count; i++) {
    const from = pose + (<usize>rowOfPart(crowd, i) << 4);
    for (let row: usize = 0; row < <usize>FROZEN_ROWS; row++, frozen += 4) store<u32>(frozen, load<u32>(from + (row << 4)));
  }
}

/** Values fade to setup, but what `animation` writes stays at full weight, for its channels to mix from. */
export function thawPose(crowd: usize, frozen: usize, animation: usize, mix: f32, pose: usize, setup: usize): void {
  const count = partCount(crowd);
  const bones = load<u32>(crowd, CrowdField.BONE_COUNT), slots = load<u32>(crowd, CrowdField.SLOT_COUNT);
  let value = frozen;
  for (let i: u32 = 0; i < count; i++, value += FROZEN_ROWS << 2) {
    const row = <usize>rowOfPart(crowd, i) << 4;
    const rows: usize = i >= bones && i < bones + slots ? SlotRow.SEQUENCE : FROZEN_ROWS;
    for (let k: usize = 0; k < rows; k++) {
      const at = row + (k << 4);
      const s = load<f32>(setup + at), f = load<f32>(value + (k << 2));
      if (isInteger(s) || isInteger(f)) {
        if (keepsInstants(mix)) store<f32>(pose + at, f);
        continue;
      }
      let way = s - f;
      if (i < bones && k == BoneRow.ROTATION) way -= <f32>360 * f32.ceil(way * <f32>(1.0 / 360.0) - <f32>0.5);
      store<f32>(pose + at, f + way * mix);
    }
  }
  const end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES) {
    const row = load<u32>(channel, ChannelField.ROW);
    store<u32>(pose + (<usize>row << 4), load<u32>(frozen + (<usize>frozenIndex(crowd, row) << 2)));
  }
}

/** Whether a frozen pose that has faded so far still decides what has nothing in between. */
@inline
export function keepsInstants(mix: f32): bool {
  return mix < 0.5;
}

/** Whether the bits of a value are those of a small whole number other than 0: modes and flags, which read as floats are denormal. */
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
