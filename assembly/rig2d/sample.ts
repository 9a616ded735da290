/**
 * Sampling one channel, and what every kernel over channels needs to know about its target.
 *
 * Layout   channel, knot, bucket: layout/rig2d.ts.
 * Requires t >= first time for `findKnot`, `sampleAt` and `sampleChannel`; t finite.
 * Ensures  memory is only read.
 * Source   piecewise linear function: value + slope * (t - time) of the last knot whose time is <= t.
 */
import {
  BONE_ROWS, CHANNEL_BYTES, ChannelField, CONSTRAINT_ROWS, HEADER_ROWS, KNOT_BYTES, ProgramField, SLOT_ROWS, TargetKind,
} from "../layout/rig2d";

/**
 * The largest 32-bit float that is not above t. Knot times are 32-bit floats, so comparing them with this is comparing them
 * with t: for the search narrow arithmetic is enough.
 */
export function roundedDown(t: f64): f32 {
  const near = <f32>t;
  if (<f64>near <= t) return near;
  const bits = reinterpret<i32>(near);
  // Above t, hence one step down: towards 0 for positive numbers, away from it for negative ones, and from 0 below it.
  return near > 0 ? reinterpret<f32>(bits - 1) : near < 0 ? reinterpret<f32>(bits + 1) : -f32.MIN_VALUE;
}

/**
 * A time as it is sampled. Those beyond 1e30 are held: no key lies there, and an infinite distance times a slope of 0 would be
 * no number.
 */
@inline
export function heldTime(t: f64): f64 {
  return t > 1e30 ? 1e30 : t >= -1e30 ? t : -1e30;
}

/** Address of the last knot whose time is <= `floor`, a time rounded down. */
@inline
export function findKnot(channel: usize, floor: f32): usize {
  const passed = (floor - load<f32>(channel, ChannelField.FIRST_TIME)) * load<f32>(channel, ChannelField.BUCKETS_PER_SECOND);
  const bucket = min<u32>(<u32><i32>passed, load<u32>(channel, ChannelField.LAST_BUCKET));
  const first = <usize>load<u16>(<usize>load<u32>(channel, ChannelField.BUCKETS) + (<usize>bucket << 1));
  let knot = <usize>load<u32>(channel, ChannelField.KNOTS) + first * KNOT_BYTES;
  // Most tables need one step at most: take it without a branch.
  knot += <usize>(load<f32>(knot, KNOT_BYTES) <= floor) * KNOT_BYTES;
  while (load<f32>(knot, KNOT_BYTES) <= floor) knot += KNOT_BYTES;
  return knot;
}

@inline
export function knotValue(knot: usize, t: f64): f32 {
  return load<f32>(knot, 4) + load<f32>(knot, 8) * <f32>(t - <f64>load<f32>(knot));
}

/** Value of a channel at t; `floor` is t rounded down. */
@inline
export function sampleAt(channel: usize, t: f64, floor: f32): f32 {
  return knotValue(findKnot(channel, floor), t);
}

/** Value of a channel at t, for kernels that sample few. */
export function sampleChannel(channel: usize, t: f64): f32 {
  return sampleAt(channel, t, roundedDown(t));
}

/** Whether anything is inactive in this program, so that channels have to be asked. */
@inline
export function hasInactive(program: usize): bool {
  return (load<u32>(program, ProgramField.ACTIVE_BONES) | load<u32>(program, ProgramField.ACTIVE_CONSTRAINTS)) != 0;
}

/** Whether the bone, the slot's bone or the constraint of a channel is active. */
export function isTargetActive(channel: usize, program: usize): bool {
  const kind = load<u32>(channel, ChannelField.TARGET_KIND);
  let target = <usize>load<u32>(channel, ChannelField.TARGET);
  let flags: usize;
  if (kind == TargetKind.CONSTRAINT) {
    flags = <usize>load<u32>(program, ProgramField.ACTIVE_CONSTRAINTS);
  } else {
    flags = <usize>load<u32>(program, ProgramField.ACTIVE_BONES);
    if (kind == TargetKind.SLOT) target = <usize>load<u32>(<usize>load<u32>(program, ProgramField.SLOT_BONES) + (target << 2));
  }
  return flags == 0 || load<u8>(flags + target) != 0;
}

/** Row of the applied pose that corresponds to a channel's row. */
export function appliedRow(channel: usize, program: usize): usize {
  const kind = load<u32>(channel, ChannelField.TARGET_KIND);
  const target = <usize>load<u32>(channel, ChannelField.TARGET);
  const row = <usize>load<u32>(channel, ChannelField.ROW);
  let table: usize, first: usize;
  if (kind == TargetKind.BONE) {
    table = <usize>load<u32>(program, ProgramField.BONE_APPLIED);
    first = <usize>HEADER_ROWS + target * BONE_ROWS;
  } else {
    first = <usize>HEADER_ROWS + <usize>load<u32>(program, ProgramField.BONE_COUNT) * BONE_ROWS;
    if (kind == TargetKind.SLOT) {
      table = <usize>load<u32>(program, ProgramField.SLOT_APPLIED);
      first += target * SLOT_ROWS;
    } else {
      table = <usize>load<u32>(program, ProgramField.CONSTRAINT_APPLIED);
      first += <usize>load<u32>(program, ProgramField.SLOT_COUNT) * SLOT_ROWS + target * CONSTRAINT_ROWS;
    }
  }
  return <usize>load<i32>(table + (target << 2)) + row - first;
}

export { CHANNEL_BYTES };
