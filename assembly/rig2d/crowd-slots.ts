/**
 * Decides what an instance shows: attachments, sequence frames, draw order, colours.
 *
 * Layout   layout/crowd.ts, "Slots". `pose` points at the instance's lane of a four-lane pose block (colours are read).
 *          Lists: three u16 arrays of `slotCount` each: drawables, frames (-1: setup frame), order.
 * Requires tracks sorted attachments, sequences, draw order, folders; keys sorted by time.
 * Ensures  beginSlots, applyTracks: the lists. writeSlots: SLOT_STATE_BYTES per slot at `to`.
 * Source   instant timelines: the clip that plays decides, a leaving clip shows setup, an overlay decides where it is keyed.
 *          Sequence modes as in sequence timelines.
 */
import { BONE_ROWS, HEADER_ROWS, SLOT_ROWS, SlotRow } from "../layout/rig2d";
import {
  ClipField, CrowdField, DRAWABLE_BYTES, DrawableField, InstanceField, InstanceFlag, SLOT_STATE_BYTES, SLOT_TRACK_BYTES,
  SlotStateField, SlotTrackField, SlotTrackKind, VariantField,
} from "../layout/crowd";
import { animationTime } from "./crowd-advance";
import { clipAt } from "./crowd-instance";

/** Bytes of one lane's lists: drawables u16, frames i16 and order u16 per slot. */
@inline
function listBytes(crowd: usize): usize {
  return <usize>load<i32>(crowd, CrowdField.SLOT_COUNT) << 1;
}

/** Starts an instance's lists with the setup pose and what its clips key. */
export function beginSlots(crowd: usize, instance: usize, variant: usize, lists: usize): void {
  const bytes = listBytes(crowd), order = lists + (bytes << 1);
  memory.copy(lists, <usize>load<u32>(variant, VariantField.SETUP_DRAWABLES), bytes);
  memory.fill(lists + bytes, 0xff, bytes);
  for (let i: usize = 0; i < bytes; i += 2) store<u16>(order + i, <u16>(i >> 1));

  const flags = load<u32>(instance, InstanceField.FLAGS);
  const clip = load<i32>(instance, InstanceField.CLIP);
  if (clip >= 0) {
    const t = animationTime(load<f64>(instance, InstanceField.TIME), durationOf(crowd, clip), (flags & InstanceFlag.LOOP) != 0);
    applyTracks(crowd, variant, clip, t, lists);
  }
  const overlay = load<i32>(instance, InstanceField.OVERLAY_CLIP);
  if (overlay >= 0 && (flags & InstanceFlag.OVERLAY_OUT) == 0) {
    const t = animationTime(load<f64>(instance, InstanceField.OVERLAY_TIME), durationOf(crowd, overlay), (flags & InstanceFlag.OVERLAY_LOOP) != 0);
    applyTracks(crowd, variant, overlay, t, lists);
  }
}

@inline
function durationOf(crowd: usize, clip: i32): f64 {
  return load<f64>(clipAt(crowd, clip), ClipField.DURATION);
}

/** Applies what a clip keys at animation time t. */
export function applyTracks(crowd: usize, variant: usize, clipIndex: i32, t: f64, lists: usize): void {
  const clip = clipAt(crowd, clipIndex);
  const slotCount = load<i32>(crowd, CrowdField.SLOT_COUNT), bytes = listBytes(crowd);
  const drawables = lists, frames = lists + bytes, order = frames + bytes;
  let track = <usize>load<u32>(clip, ClipField.SLOT_TRACKS);
  for (let i = load<i32>(clip, ClipField.SLOT_TRACK_COUNT); i > 0; i--, track += SLOT_TRACK_BYTES) {
    const times = <usize>load<u32>(track, SlotTrackField.TIMES);
    if (t < <f64>load<f32>(times)) continue;
    const key = <usize>findKey(times, load<i32>(track, SlotTrackField.COUNT), t);
    const values = <usize>load<u32>(track, SlotTrackField.VALUES);
    const slot = <usize>load<u32>(track, SlotTrackField.SLOT) << 1;
    switch (load<u32>(track, SlotTrackField.KIND)) {
      case SlotTrackKind.ATTACHMENT: {
        const placeholder = <usize>load<u16>(values + (key << 1));
        store<u16>(drawables + slot, load<u16>(<usize>load<u32>(variant, VariantField.PLACEHOLDERS) + (placeholder << 1)));
        store<i16>(frames + slot, -1);
        break;
      }
      case SlotTrackKind.SEQUENCE: {
        const drawable = <usize>load<u32>(crowd, CrowdField.DRAWABLES) + <usize>load<u16>(drawables + slot) * DRAWABLE_BYTES;
        if (load<u16>(drawable, DrawableField.TIMELINE) != load<u32>(track, SlotTrackField.SUBJECT)) break;
        const frame = sequenceFrame(
          load<i32>(values + (key << 3)), load<f32>(values + (key << 3), 4), t - <f64>load<f32>(times + (key << 2)),
          <i32>load<u16>(drawable, DrawableField.FRAMES));
        store<i16>(frames + slot, <i16>frame);
        break;
      }
      case SlotTrackKind.ORDER: {
        memory.copy(order, values + key * (<usize>slotCount << 1), <usize>slotCount << 1);
        break;
      }
      default: {
        const size = <usize>load<u32>(track, SlotTrackField.SIZE);
        const members = <usize>load<u32>(track, SlotTrackField.SUBJECT);
        let next = values + key * (size << 1);
        for (let place: usize = 0; place < <usize>slotCount; place++) {
          if (load<u8>(members + <usize>load<u16>(order + (place << 1))) == 0) continue;
          store<u16>(order + (place << 1), load<u16>(next));
          next += 2;
        }
      }
    }
  }
}

/** Index of the last key whose time is <= t; t is not before the first. */
export function findKey(times: usize, count: i32, t: f64): i32 {
  let low = 0, high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (<f64>load<f32>(times + (<usize>middle << 2)) <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Frame of a sequence of n frames, `passed` seconds after its key. */
function sequenceFrame(modeAndIndex: i32, delay: f32, passed: f64, n: i32): i32 {
  const mode = modeAndIndex & 15;
  let index = modeAndIndex >> 4;
  if (mode == 0) return index;
  if (delay != 0) index += <i32>(passed / <f64>delay + 0.00001);
  const turn = (n << 1) - 2;
  switch (mode) {
    case 1: return min<i32>(n - 1, index);
    case 2: return index % n;
    case 3: {
      const at = turn == 0 ? 0 : index % turn;
      return at >= n ? turn - at : at;
    }
    case 4: return max<i32>(n - 1 - index, 0);
    case 5: return n - 1 - index % n;
    default: {
      const at = turn == 0 ? 0 : (index + n - 1) % turn;
      return at >= n ? turn - at : at;
    }
  }
}

/** Writes an instance's slot states from its finished lists and the colours of its pose. */
export function writeSlots(crowd: usize, instance: usize, pose: usize, lists: usize, to: usize): void {
  const slotCount = load<i32>(crowd, CrowdField.SLOT_COUNT), bytes = listBytes(crowd);
  const drawables = lists, frames = lists + bytes, order = frames + bytes;
  const records = <usize>load<u32>(crowd, CrowdField.DRAWABLES);
  const tint = v128.load(instance, InstanceField.R);
  let row = pose + (<usize>(HEADER_ROWS + load<i32>(crowd, CrowdField.BONE_COUNT) * BONE_ROWS) << 4);
  for (let i: usize = 0; i < <usize>slotCount; i++, row += SLOT_ROWS << 4, to += SLOT_STATE_BYTES) {
    let light = f32x4.splat(load<f32>(row, SlotRow.R << 4));
    light = f32x4.replace_lane(light, 1, load<f32>(row, SlotRow.G << 4));
    light = f32x4.replace_lane(light, 2, load<f32>(row, SlotRow.B << 4));
    light = f32x4.replace_lane(light, 3, load<f32>(row, SlotRow.A << 4));
    let dark = f32x4.splat(load<f32>(row, SlotRow.DARK_R << 4));
    dark = f32x4.replace_lane(dark, 1, load<f32>(row, SlotRow.DARK_G << 4));
    dark = f32x4.replace_lane(dark, 2, load<f32>(row, SlotRow.DARK_B << 4));
    dark = f32x4.replace_lane(dark, 3, 0);
    store<u32>(to, pack(f32x4.mul(light, tint)), SlotStateField.LIGHT);
    store<u32>(to, pack(dark), SlotStateField.DARK);
    let drawable = <u32>load<u16>(drawables + (i << 1));
    if (drawable != 0) {
      const record = records + <usize>drawable * DRAWABLE_BYTES;
      const last = <i32>load<u16>(record, DrawableField.FRAMES) - 1;
      let frame = <i32>load<i16>(frames + (i << 1));
      if (frame < 0) frame = <i32>load<u16>(record, DrawableField.SETUP_FRAME);
      drawable += min<i32>(frame, last);
    }
    store<u16>(to, <u16>drawable, SlotStateField.DRAWABLE);
    store<u16>(to, load<u16>(order + (i << 1)), SlotStateField.ORDER);
  }
}

/** Four components 0..1 as bytes, the first in the lowest. */
@inline
function pack(color: v128): u32 {
  const scaled = f32x4.mul(f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), color)), f32x4.splat(255));
  const words = i32x4.trunc_sat_f32x4_s(f32x4.add(scaled, f32x4.splat(0.5)));
  const halves = i16x8.narrow_i32x4_s(words, words);
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(halves, halves), 0);
}
