/**
 * Samples a deform timeline for one slot: blends the vertices of two frames and mixes them with the slot's deform values.
 *
 * Layout   DEFORM command and deform record: layout/animation.ts; slot rows: layout/rig2d.ts.
 * Requires the slot's deform block and, unless 0, the setup vertices hold the record's values, rounded up to four; all
 *          arrays are 4-byte aligned.
 * Ensures  deform values and count of the slot. Up to three values of padding behind them may be written.
 * Source   timelines section 8.3, deform.
 */
import { CommandField, CommandFlag, DeformField } from "../layout/animation";
import { ChannelField, KNOT_BYTES, MixMode, SlotRow } from "../layout/rig2d";
import { findKnot, heldTime, knotValue, roundedDown } from "./sample";

export function applyDeform(command: usize, pose: usize): void {
  const record = <usize>load<u32>(command, CommandField.SUBJECT);
  const flags = load<u32>(command, CommandField.FLAGS);
  const t = heldTime(load<f64>(command, CommandField.TIME));
  const slot = pose + (<usize>load<u32>(command, CommandField.WORDS) << 2);
  const setup = <usize>load<u32>(command, CommandField.MEMORY);
  const weight = load<f32>(command, CommandField.WEIGHTS);
  const adds = (flags & CommandFlag.ADD) != 0;
  const deform = <usize>load<u32>(slot, SlotRow.DEFORM * 4);
  const held = load<i32>(slot, SlotRow.DEFORM_COUNT * 4);
  const count = load<i32>(record, DeformField.VALUE_COUNT);
  const mode: u32 = held == 0 ? MixMode.SETUP : flags & CommandFlag.MODE;
  const end = deform + (<usize>((count + 3) & ~3) << 2);

  const floor = roundedDown(t);
  if (!(floor >= load<f32>(record, ChannelField.FIRST_TIME))) {
    if (mode == MixMode.CURRENT) return;
    if (mode == MixMode.SETUP || weight == 1) {
      store<i32>(slot, 0, SlotRow.DEFORM_COUNT * 4);
      return;
    }
    fillMissing(deform, setup, held, count);
    toSetup(deform, end, setup, weight);
    store<i32>(slot, count, SlotRow.DEFORM_COUNT * 4);
    return;
  }

  const knot = findKnot(record, floor);
  const percent = knotValue(knot, t);
  const index = (knot - <usize>load<u32>(record, ChannelField.KNOTS)) / KNOT_BYTES;
  const frame = <usize>load<u16>(<usize>load<u32>(record, DeformField.KNOT_FRAMES) + (index << 1));
  const frameBytes = <usize>load<u32>(record, DeformField.FRAME_BYTES);
  const a = <usize>load<u32>(record, DeformField.FRAMES) + frame * frameBytes;
  const b = percent == 0 ? a : a + frameBytes;
  const fraction = f32x4.splat(percent);

  if (mode != MixMode.SETUP) fillMissing(deform, setup, held, count);
  if (mode == MixMode.SETUP || !adds) {
    if (weight == 1) replace(deform, end, a, b, fraction);
    else if (mode == MixMode.SETUP) mixFromSetup(deform, end, a, b, fraction, setup, weight);
    else mixFromCurrent(deform, end, a, b, fraction, weight);
  } else {
    addOffsets(deform, end, a, b, fraction, setup, weight);
  }
  store<i32>(slot, count, SlotRow.DEFORM_COUNT * 4);
}

@inline
function between(a: usize, b: usize, fraction: v128): v128 {
  const from = v128.load(a);
  return f32x4.add(from, f32x4.mul(f32x4.sub(v128.load(b), from), fraction));
}

function replace(deform: usize, end: usize, a: usize, b: usize, fraction: v128): void {
  for (; deform < end; deform += 16, a += 16, b += 16) v128.store(deform, between(a, b, fraction));
}

function mixFromSetup(deform: usize, end: usize, a: usize, b: usize, fraction: v128, setup: usize, weight: f32): void {
  const w = f32x4.splat(weight);
  if (setup == 0) {
    for (; deform < end; deform += 16, a += 16, b += 16) v128.store(deform, f32x4.mul(between(a, b, fraction), w));
  } else {
    for (; deform < end; deform += 16, a += 16, b += 16, setup += 16) {
      const base = v128.load(setup);
      v128.store(deform, f32x4.add(base, f32x4.mul(f32x4.sub(between(a, b, fraction), base), w)));
    }
  }
}

function mixFromCurrent(deform: usize, end: usize, a: usize, b: usize, fraction: v128, weight: f32): void {
  const w = f32x4.splat(weight);
  for (; deform < end; deform += 16, a += 16, b += 16) {
    const current = v128.load(deform);
    v128.store(deform, f32x4.add(current, f32x4.mul(f32x4.sub(between(a, b, fraction), current), w)));
  }
}

function addOffsets(deform: usize, end: usize, a: usize, b: usize, fraction: v128, setup: usize, weight: f32): void {
  const w = f32x4.splat(weight);
  if (setup == 0) {
    for (; deform < end; deform += 16, a += 16, b += 16) {
      v128.store(deform, f32x4.add(v128.load(deform), f32x4.mul(between(a, b, fraction), w)));
    }
  } else {
    for (; deform < end; deform += 16, a += 16, b += 16, setup += 16) {
      const offset = f32x4.sub(between(a, b, fraction), v128.load(setup));
      v128.store(deform, f32x4.add(v128.load(deform), f32x4.mul(offset, w)));
    }
  }
}

/** Moves values towards the setup vertices, or towards 0 where they are offsets. */
function toSetup(deform: usize, end: usize, setup: usize, weight: f32): void {
  if (setup == 0) {
    const rest = f32x4.splat(1 - weight);
    for (; deform < end; deform += 16) v128.store(deform, f32x4.mul(v128.load(deform), rest));
  } else {
    const w = f32x4.splat(weight);
    for (; deform < end; deform += 16, setup += 16) {
      const current = v128.load(deform);
      v128.store(deform, f32x4.add(current, f32x4.mul(f32x4.sub(v128.load(setup), current), w)));
    }
  }
}

/** Values that the slot does not hold yet (deform was assigned by hand, too short) start at setup. */
function fillMissing(deform: usize, setup: usize, held: i32, count: i32): void {
  for (let i = held; i < count; i++) {
    const at = <usize>i << 2;
    store<f32>(deform + at, setup == 0 ? 0 : load<f32>(setup + at));
  }
}
