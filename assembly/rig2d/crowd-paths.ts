/**
 * Gives the slots that path constraints follow their attachments and deforms, for one lane.
 *
 * Layout   layout/crowd.ts, deform tracks and slot tracks; deform record: layout/animation.ts. `pose` and `setup`
 *          point at one lane of a four-lane pose block. `call` has DEFORM_CALL_BYTES, `values` the lane's deform values.
 * Requires times advanced; channels sampled before or after, they are other rows.
 * Ensures  attachment and deform rows of those slots.
 * Source   timelines section 8.3; a leaving clip keeps its deform underneath as its plan says.
 */
import {
  ClipField, DEFORM_TRACK_BYTES, DeformTrackField, FadePlanField, FROZEN_CLIP, InstanceField, InstanceFlag, PlanBit, SLOT_TRACK_BYTES,
  SlotTrackField, VariantField,
} from "../layout/crowd";
import { MixMode, SlotRow } from "../layout/rig2d";
import { clipAt, fadePlan, fadeTimeOf, mixOf, overlayAlpha, overlayTimeOf, timeOf } from "./crowd-instance";
import { thawPaths } from "./crowd-frozen-shapes";
import { findKey } from "./crowd-slots";
import { moves } from "./crowd-tracks";
import { deformSlot } from "./deform";
import { heldTime, roundedDown } from "./sample";

export function posePaths(crowd: usize, instance: usize, variant: usize, pose: usize, setup: usize, call: usize, values: usize): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP);
  if (clipIndex < 0) return;
  const overlayIndex = load<i32>(instance, InstanceField.OVERLAY_CLIP);
  if (overlayIndex >= 0) clearDeforms(clipAt(crowd, overlayIndex), pose);
  posePathsOfClips(crowd, instance, variant, pose, setup, call, values);
  if (overlayIndex < 0) return;
  const overlay = clipAt(crowd, overlayIndex);
  const fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  // Over a frozen pose it mixes from what is there.
  const plan: usize = fadeIndex == FROZEN_CLIP ? 0 : <usize>load<u32>(fadePlan(crowd, clipIndex, overlayIndex), FadePlanField.OVER_DEFORMS);
  const beneath: usize = fadeIndex < 0 ? 0 : <usize>load<u32>(fadePlan(crowd, fadeIndex, overlayIndex), FadePlanField.OVER_DEFORMS);
  const alpha = overlayAlpha(instance), overlayTime = overlayTimeOf(instance, overlay);
  const isLeaving = (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.OVERLAY_OUT) != 0;
  if (!isLeaving && load<u32>(overlay, ClipField.PATH_TRACKS) != 0) setAttachments(overlay, variant, overlayTime, pose, setup);
  deform(overlay, plan, beneath, MixMode.CURRENT, overlayTime, alpha, alpha, false, pose, call, values);
}

/** The same without the overlay, for an instance that plays something. */
export function posePathsOfClips(crowd: usize, instance: usize, variant: usize, pose: usize, setup: usize, call: usize, values: usize): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP), fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  const clip = clipAt(crowd, clipIndex);
  const mix = mixOf(instance);
  const time = timeOf(instance, clip);
  // Deforms first: a clip that leaves moves the attachments that are there before it is gone.
  clearDeforms(clip, pose);
  if (fadeIndex >= 0) clearDeforms(clipAt(crowd, fadeIndex), pose);
  if (load<u32>(clip, ClipField.PATH_TRACKS) != 0) setAttachments(clip, variant, time, pose, setup);
  if (fadeIndex >= 0) {
    const from = clipAt(crowd, fadeIndex), plan = fadePlan(crowd, fadeIndex, clipIndex);
    deform(from, <usize>load<u32>(plan, FadePlanField.FROM_DEFORMS), 0, 0, fadeTimeOf(instance, from), 1 - mix, 1, false, pose, call, values);
    deform(clip, <usize>load<u32>(plan, FadePlanField.TO_DEFORMS), 0, 0, time, mix, mix, false, pose, call, values);
  } else if (fadeIndex == FROZEN_CLIP && mix != 1) {
    thawPaths(crowd, instance, clip, mix, pose, values);
    deform(clip, 0, 0, MixMode.FIRST, time, mix, mix, false, pose, call, values);
  } else {
    deform(clip, 0, 0, MixMode.SETUP, time, mix, mix, false, pose, call, values);
  }
}

/** What a slider keys of paths, mixed with what is there. */
export function mixPaths(clip: usize, variant: usize, t: f64, mix: f32, adds: bool, pose: usize, call: usize, values: usize): void {
  if (load<u32>(clip, ClipField.PATH_TRACKS) != 0) setAttachments(clip, variant, t, pose, 0);
  deform(clip, 0, 0, MixMode.CURRENT, t, mix, mix, adds, pose, call, values);
}

/** A shared scratch pose still has the deforms of the group before. */
function clearDeforms(clip: usize, pose: usize): void {
  let track = <usize>load<u32>(clip, ClipField.DEFORMS);
  for (let i = load<i32>(clip, ClipField.DEFORM_COUNT); i > 0; i--, track += DEFORM_TRACK_BYTES) {
    store<i32>(pose + (<usize>load<u32>(track, DeformTrackField.SLOT_ROW) << 4), 0, SlotRow.DEFORM_COUNT << 4);
  }
}

/** Before a first key a slot shows what it has in `setup`; 0: nothing changes. */
function setAttachments(clip: usize, variant: usize, t: f64, pose: usize, setup: usize): void {
  let track = <usize>load<u32>(clip, ClipField.SLOT_TRACKS);
  for (let i = load<i32>(clip, ClipField.SLOT_TRACK_COUNT); i > 0; i--, track += SLOT_TRACK_BYTES) {
    const row = <usize>load<u32>(track, SlotTrackField.PATH_ROW) << 4;
    if (row == 0) continue;
    const times = <usize>load<u32>(track, SlotTrackField.TIMES);
    if (t < <f64>load<f32>(times)) {
      if (setup != 0) store<u32>(pose + row, load<u32>(setup + row, SlotRow.ATTACHMENT << 4), SlotRow.ATTACHMENT << 4);
      continue;
    }
    const key = <usize>findKey(times, load<i32>(track, SlotTrackField.COUNT), t);
    const placeholder = <usize>load<u16>(<usize>load<u32>(track, SlotTrackField.VALUES) + (key << 1));
    store<u32>(pose + row, load<u32>(<usize>load<u32>(variant, VariantField.RECORDS) + (placeholder << 2)), SlotRow.ATTACHMENT << 4);
  }
}

/** Applies the path tracks of a clip; without a plan (0) all mix from `mode`. `beneath` is 0 or a second plan: both must say SETUP. */
function deform(
  clip: usize, plan: usize, beneath: usize, mode: u32, time: f64, weight: f32, held: f32, adds: bool, pose: usize, call: usize, values: usize,
): void {
  const t = heldTime(time);
  const floor = roundedDown(t);
  let track = <usize>load<u32>(clip, ClipField.DEFORMS);
  const count = load<i32>(clip, ClipField.DEFORM_COUNT);
  for (let i = 0; i < count; i++, track += DEFORM_TRACK_BYTES) {
    const slot = pose + (<usize>load<u32>(track, DeformTrackField.SLOT_ROW) << 4);
    const attachment = load<u32>(slot, SlotRow.ATTACHMENT << 4);
    if (attachment == 0 || !moves(track, attachment)) continue;
    let bits: u32 = plan == 0 ? mode : load<u8>(plan + <usize>i);
    // CURRENT is 0 and SETUP is 1.
    if (beneath != 0) bits &= load<u8>(beneath + <usize>i);
    const buffer = values + <usize>load<u32>(track, DeformTrackField.BUFFER);
    // The deform kernel works on slot poses of one lane: lend it one.
    store<u32>(call, attachment, SlotRow.ATTACHMENT << 2);
    store<u32>(call, <u32>buffer, SlotRow.DEFORM << 2);
    store<i32>(call, load<i32>(slot, SlotRow.DEFORM_COUNT << 4), SlotRow.DEFORM_COUNT << 2);
    const record = <usize>load<u32>(track, DeformTrackField.RECORD);
    deformSlot(call, record, t, floor, bits & PlanBit.MODE, (bits & PlanBit.HOLD) != 0 ? held : weight, adds);
    store<u32>(slot, <u32>buffer, SlotRow.DEFORM << 4);
    store<i32>(slot, load<i32>(call, SlotRow.DEFORM_COUNT << 2), SlotRow.DEFORM_COUNT << 4);
  }
}
