/**
 * Lets deforms that were frozen with a pose fade out again.
 *
 * Layout   layout/crowd.ts, frozen deforms and ShapeTargetField; `pose` points at one lane of a four-lane pose block, `shapes` at
 *          slot poses of one lane (layout/crowd-vertices.ts). Row R of those says by which target, plus one, a slot is deformed.
 * Requires frozen deforms of the same crowd; 0 <= mix < 1; attachments in place.
 * Ensures  deform values and counts of slots that show what was frozen. Up to three values of padding are written.
 * Source   value = frozen + (setup - frozen) mix; what the clip that comes deforms, too, stays at full weight underneath.
 */
import { AttachmentField, AttachmentFlag } from "../layout/attachment";
import {
  ClipField, CrowdField, InstanceField, SHAPE_TARGET_BYTES, ShapeTargetField, SLOT_STATE_BYTES, SlotStateField,
} from "../layout/crowd";
import { SHAPE_SLOT_BYTES } from "../layout/crowd-vertices";
import { SlotRow } from "../layout/rig2d";
import { moves, movesTarget, recordOf } from "./crowd-tracks";

@inline
export function targetAt(crowd: usize, i: i32): usize {
  return <usize>load<u32>(crowd, CrowdField.SHAPE_TARGETS) + <usize>i * SHAPE_TARGET_BYTES;
}

/** Number of values that were frozen of a target. */
@inline
function countOf(frozen: usize, i: i32): i32 {
  return load<i32>(frozen + (<usize>i << 2));
}

function thaw(from: usize, count: i32, record: usize, mix: f32, to: usize): void {
  const end = to + (<usize>count << 2);
  if (mix == 0) {
    for (; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
    return;
  }
  const w = f32x4.splat(mix);
  if ((load<u32>(record, AttachmentField.FLAGS) & AttachmentFlag.WEIGHTED) != 0) {
    for (; to < end; to += 16, from += 16) {
      const value = v128.load(from);
      v128.store(to, f32x4.sub(value, f32x4.mul(value, w)));
    }
    return;
  }
  let setup = <usize>load<u32>(record, AttachmentField.VERTICES);
  for (; to < end; to += 16, from += 16, setup += 16) {
    const value = v128.load(from);
    v128.store(to, f32x4.add(value, f32x4.mul(f32x4.sub(v128.load(setup), value), w)));
  }
}

/** Deforms of paths, for the palette. */
export function thawPaths(crowd: usize, instance: usize, clip: usize, mix: f32, pose: usize, values: usize): void {
  const frozen = <usize>load<u32>(instance, InstanceField.FROZEN_SHAPES);
  if (frozen == 0) return;
  const count = load<i32>(crowd, CrowdField.PATH_TARGET_COUNT);
  for (let i = 0; i < count; i++) {
    const length = countOf(frozen, i);
    if (length == 0) continue;
    const target = targetAt(crowd, i);
    const slot = pose + (<usize>load<u32>(target, ShapeTargetField.SLOT_ROW) << 4);
    const record = <usize>load<u32>(slot, SlotRow.ATTACHMENT << 4);
    if (record == 0 || !moves(target, record)) continue;
    const isHeld = movesTarget(clip, 0, load<i32>(clip, ClipField.DEFORM_COUNT), i);
    const to = values + <usize>load<u32>(target, ShapeTargetField.BUFFER);
    thaw(frozen + <usize>load<u32>(target, ShapeTargetField.FROZEN), length, record, isHeld ? 0 : mix, to);
    store<u32>(slot, <u32>to, SlotRow.DEFORM << 4);
    store<i32>(slot, length, SlotRow.DEFORM_COUNT << 4);
  }
}

/** Deforms of what is drawn. */
export function thawMeshes(crowd: usize, instance: usize, states: usize, clip: usize, mix: f32, shapes: usize, values: usize): void {
  const frozen = <usize>load<u32>(instance, InstanceField.FROZEN_SHAPES);
  if (frozen == 0) return;
  const count = load<i32>(crowd, CrowdField.SHAPE_TARGET_COUNT);
  for (let i = load<i32>(crowd, CrowdField.PATH_TARGET_COUNT); i < count; i++) {
    const length = countOf(frozen, i);
    if (length == 0) continue;
    const target = targetAt(crowd, i);
    const slot = <usize>load<u32>(target, ShapeTargetField.SLOT);
    const record = recordOf(crowd, load<u16>(states + slot * SLOT_STATE_BYTES, SlotStateField.DRAWABLE));
    if (record == 0 || !moves(target, record)) continue;
    const isHeld = movesTarget(clip, load<i32>(clip, ClipField.DEFORM_COUNT), load<i32>(clip, ClipField.SHAPE_COUNT), i);
    const at = shapes + slot * SHAPE_SLOT_BYTES, to = values + <usize>load<u32>(target, ShapeTargetField.BUFFER);
    thaw(frozen + <usize>load<u32>(target, ShapeTargetField.FROZEN), length, record, isHeld ? 0 : mix, to);
    store<u32>(at, i + 1, SlotRow.R * 4);
    store<u32>(at, <u32>record, SlotRow.ATTACHMENT * 4);
    store<u32>(at, <u32>to, SlotRow.DEFORM * 4);
    store<i32>(at, length, SlotRow.DEFORM_COUNT * 4);
  }
}
