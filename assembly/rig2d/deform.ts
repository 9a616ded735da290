/**
 * Samples deform timelines: blends the vertices of two frames and mixes them with the deform values of the slots that show
 * the attachment.
 *
 * Layout   DEFORM command and deform record: layout/animation.ts; slot rows: layout/rig2d.ts.
 * Requires the vertices of attachments hold the values of records that fit them, rounded up to four; all arrays are 4-byte
 *          aligned.
 * Ensures  deform values and counts of slots with an active bone that show an attachment which follows the timeline and has
 *          as many values. Up to three values of padding behind them may be written. Where a slot has no room for the
 *          values, the command is left beginning with that record, of which nothing was done, and false returned.
 * Source   timelines section 8.3, deform.
 */
import { CommandField, CommandFlag, DEFORM_RECORD_BYTES, DeformField, WORD_MODE_MASK, WORD_WEIGHT_SHIFT } from "../layout/animation";
import { AttachmentField, AttachmentFlag } from "../layout/attachment";
import { BONE_ROWS, ChannelField, HEADER_ROWS, KNOT_BYTES, MixMode, ProgramField, SLOT_ROWS, SlotRow } from "../layout/rig2d";
import { findKnot, heldTime, knotValue, roundedDown } from "./sample";

export function applyDeforms(command: usize, pose: usize, program: usize): bool {
  const flags = load<u32>(command, CommandField.FLAGS);
  const t = heldTime(load<f64>(command, CommandField.TIME));
  const floor = roundedDown(t);
  const end = <usize>load<u32>(command, CommandField.END);
  const applied = (flags & CommandFlag.APPLIED) != 0;
  const adds = (flags & CommandFlag.ADD) != 0;
  let words = <usize>load<u32>(command, CommandField.WORDS);
  for (let record = <usize>load<u32>(command, CommandField.SUBJECT); record < end; record += DEFORM_RECORD_BYTES) {
    const target = <usize>load<u32>(record, DeformField.ATTACHMENT);
    const slot = load<u32>(record, DeformField.SLOT);
    const others = <usize>load<u32>(target, AttachmentField.TIMELINE_SLOTS);
    const othersEnd = others + (<usize>load<u32>(target, AttachmentField.TIMELINE_SLOT_COUNT) << 2);

    let hasRoom = hasRoomIn(shownBy(slot, target, record, pose, program, applied), record);
    for (let other = others; other < othersEnd; other += 4) {
      hasRoom = hasRoom && hasRoomIn(shownBy(load<u32>(other), target, record, pose, program, applied), record);
    }
    if (!hasRoom) {
      store<u32>(command, <u32>record, CommandField.SUBJECT);
      store<u32>(command, <u32>words, CommandField.WORDS);
      return false;
    }

    let mode = flags & CommandFlag.MODE;
    let weight = load<f32>(command, CommandField.WEIGHTS);
    if (words != 0) {
      const word = <u32>load<u16>(words);
      words += 2;
      mode = word & WORD_MODE_MASK;
      weight = load<f32>(command + (<usize>(word >> WORD_WEIGHT_SHIFT) << 2), CommandField.WEIGHTS);
    }
    const shown = shownBy(slot, target, record, pose, program, applied);
    if (shown != 0) deformSlot(shown, record, t, floor, mode, weight, adds);
    for (let other = others; other < othersEnd; other += 4) {
      if (load<u32>(other) == slot) continue;
      const also = shownBy(load<u32>(other), target, record, pose, program, applied);
      if (also != 0) deformSlot(also, record, t, floor, mode, weight, adds);
    }
  }
  return true;
}

/** Address of the pose of a slot if the record deforms it, else 0. */
function shownBy(slot: u32, target: usize, record: usize, pose: usize, program: usize, applied: bool): usize {
  if (slot >= load<u32>(program, ProgramField.SLOT_COUNT)) return 0;
  const place = <usize>slot << 2;
  const row = applied
    ? load<u32>(<usize>load<u32>(program, ProgramField.SLOT_APPLIED) + place)
    : HEADER_ROWS + load<u32>(program, ProgramField.BONE_COUNT) * BONE_ROWS + slot * SLOT_ROWS;
  const at = pose + (<usize>row << 2);
  const shown = <usize>load<u32>(at, SlotRow.ATTACHMENT * 4);
  if (shown == 0 || load<u32>(shown, AttachmentField.TIMELINE) != load<u32>(target, AttachmentField.KEY)) return 0;
  // Vertices that do not fit the attachment (it was edited since) would read past its end.
  if (load<u32>(shown, AttachmentField.DEFORM_LENGTH) < load<u32>(record, DeformField.VALUE_COUNT)) return 0;
  const active = <usize>load<u32>(program, ProgramField.ACTIVE_BONES);
  return active == 0 || load<u8>(active + <usize>load<u32>(<usize>load<u32>(program, ProgramField.SLOT_BONES) + place)) != 0 ? at : 0;
}

@inline
function hasRoomIn(slotPose: usize, record: usize): bool {
  return slotPose == 0 || load<u32>(slotPose, SlotRow.DEFORM_CAPACITY * 4) >= load<u32>(record, DeformField.VALUE_COUNT);
}

/**
 * Deform values of one slot pose of one lane.
 * @param floor - t rounded down
 */
export function deformSlot(slot: usize, record: usize, t: f64, floor: f32, baseMode: u32, weight: f32, adds: bool): void {
  const shown = <usize>load<u32>(slot, SlotRow.ATTACHMENT * 4);
  const isWeighted = (load<u32>(shown, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) != 0;
  // Address of the setup vertices; values of a weighted attachment are offsets.
  const setup: usize = isWeighted ? 0 : load<u32>(shown, AttachmentField.VERTICES);
  const deform = <usize>load<u32>(slot, SlotRow.DEFORM * 4);
  const held = load<i32>(slot, SlotRow.DEFORM_COUNT * 4);
  const count = load<i32>(record, DeformField.VALUE_COUNT);
  const mode: u32 = held == 0 ? MixMode.SETUP : baseMode;
  const end = deform + (<usize>((count + 3) & ~3) << 2);

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
