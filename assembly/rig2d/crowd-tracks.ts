/**
 * Questions about deform tracks and targets of a crowd that several kernels ask.
 *
 * Layout   layout/crowd.ts, DeformTrackField and ShapeTargetField, which agree where both have a field; slot tracks.
 * Requires valid tracks; a drawable below the number of drawables.
 * Ensures  memory is only read.
 */
import {
  ClipField, CrowdField, DEFORM_TRACK_BYTES, DeformTrackField, DRAWABLE_BYTES, DrawableField, SlotTrackField, VariantField,
} from "../layout/crowd";
import { findKey } from "./crowd-slots";

/** Record of a drawable's attachment, 0 for nothing. */
@inline
export function recordOf(crowd: usize, drawable: usize): usize {
  return drawable == 0 ? 0 : <usize>load<u32>(<usize>load<u32>(crowd, CrowdField.DRAWABLES) + drawable * DRAWABLE_BYTES, DrawableField.RECORD);
}

/** Whether a track or target is about an attachment. */
export function moves(track: usize, record: usize): bool {
  const list = <usize>load<u32>(track, DeformTrackField.MATCHES);
  const count = <usize>load<u32>(track, DeformTrackField.MATCH_COUNT);
  for (let i: usize = 0; i < count; i++) if (<usize>load<u32>(list + (i << 2)) == record) return true;
  return false;
}

/** Whether a clip shows, by its own keys, what its track moves. */
export function showsOwn(crowd: usize, track: usize, variant: usize, slot: usize, t: f64): bool {
  const owner = <usize>load<u32>(track, DeformTrackField.OWNER);
  if (owner == 0) return true;
  const times = <usize>load<u32>(owner, SlotTrackField.TIMES);
  let drawable: usize;
  if (t < <f64>load<f32>(times)) {
    drawable = load<u16>(<usize>load<u32>(variant, VariantField.SETUP_DRAWABLES) + (slot << 1));
  } else {
    const key = <usize>findKey(times, load<i32>(owner, SlotTrackField.COUNT), t);
    const placeholder = <usize>load<u16>(<usize>load<u32>(owner, SlotTrackField.VALUES) + (key << 1));
    drawable = load<u16>(<usize>load<u32>(variant, VariantField.PLACEHOLDERS) + (placeholder << 1));
  }
  return drawable != 0 && moves(track, recordOf(crowd, drawable));
}

/** Whether a clip deforms a target by one of its tracks `first` .. `last` - 1. */
export function movesTarget(clip: usize, first: i32, last: i32, target: i32): bool {
  let track = <usize>load<u32>(clip, ClipField.DEFORMS) + <usize>first * DEFORM_TRACK_BYTES;
  for (let i = first; i < last; i++, track += DEFORM_TRACK_BYTES) {
    if (load<i32>(track, DeformTrackField.TARGET) == target) return true;
  }
  return false;
}
