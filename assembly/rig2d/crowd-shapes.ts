/**
 * Deforms of the attachments that an instance shows, as its latest pose has them.
 *
 * Layout   layout/crowd.ts, deform tracks; layout/crowd-vertices.ts, `slots` is SHAPES, `values` VALUES; slider states. Row R
 *          of a slot pose says by which target, plus one, the slot is deformed.
 * Requires slot states and slider states of the latest pose.
 * Ensures  DEFORM and DEFORM_COUNT of every slot in SHAPES, unless false is returned: nothing can be deformed.
 * Source   timelines section 8.3; a leaving clip deforms what it shows by its own keys and keeps that underneath as its plan
 *          says. Deforms of a frozen pose: crowd-frozen-shapes.ts.
 */
import {
  BetweenField, ClipField, CrowdField, DEFORM_TRACK_BYTES, DeformTrackField, FadePlanField, FROZEN_CLIP, InstanceField, InstanceFlag, PlanBit,
  SLIDER_STATE_BYTES, SliderUseField, SLOT_STATE_BYTES, SlotStateField, VARIANT_BYTES,
} from "../layout/crowd";
import { SHAPE_SLOT_BYTES } from "../layout/crowd-vertices";
import { MixMode, SlotRow } from "../layout/rig2d";
import { animationTime } from "./crowd-advance";
import { thawMeshes } from "./crowd-frozen-shapes";
import { clipAt, fadePlan } from "./crowd-instance";
import { moves, recordOf, showsOwn } from "./crowd-tracks";
import { deformSlot } from "./deform";
import { heldTime, roundedDown } from "./sample";

export function shapeSlots(crowd: usize, instance: usize, states: usize, row: usize, slots: usize, values: usize): bool {
  const clipIndex = load<i32>(instance, InstanceField.CLIP);
  const fadeIndex = clipIndex < 0 ? -1 : load<i32>(instance, InstanceField.FADE_CLIP);
  const overlayIndex = clipIndex < 0 ? -1 : load<i32>(instance, InstanceField.OVERLAY_CLIP);
  const hasShapes = shapes(crowd, clipIndex) | shapes(crowd, fadeIndex) | shapes(crowd, overlayIndex)
    | (fadeIndex == FROZEN_CLIP && load<u32>(instance, InstanceField.FROZEN_SHAPES) != 0);
  const sliders = <usize>load<u32>(crowd, CrowdField.SLIDER_STATES);
  if (!hasShapes && sliders == 0) return false;
  clearShapes(crowd, slots);
  if (hasShapes) shapeClips(crowd, instance, states, slots, values, true);
  if (sliders != 0) shapeSliders(crowd, states, sliders + row * <usize>load<u32>(crowd, CrowdField.SLIDER_STRIDE), slots, values);
  return true;
}

/** No slot is deformed. */
export function clearShapes(crowd: usize, slots: usize): void {
  for (let i = load<i32>(crowd, CrowdField.SLOT_COUNT); i > 0; i--, slots += SHAPE_SLOT_BYTES) store<i32>(slots, 0, SlotRow.DEFORM_COUNT * 4);
}

/** Whether a clip deforms what is drawn. */
@inline
function shapes(crowd: usize, index: i32): bool {
  if (index < 0) return false;
  const clip = clipAt(crowd, index);
  return load<i32>(clip, ClipField.SHAPE_COUNT) > load<i32>(clip, ClipField.DEFORM_COUNT);
}

/** How far the clocks are ahead of what is shown. */
function lagOf(instance: usize): f64 {
  const age = load<f64>(instance, InstanceField.AGE);
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  if (between == 0 || load<u32>(between, BetweenField.POSES) < 2) return age;
  return max<f64>(age, load<f64>(instance, InstanceField.INTERVAL));
}

/** Animation time that is shown of a clip whose track is at `time`. */
@inline
function shownTime(clip: usize, time: f64, lag: f64, speed: f32, loops: bool): f64 {
  return animationTime(max<f64>(0, time - lag * <f64>speed), load<f64>(clip, ClipField.DURATION), loops);
}

/** Part of a fade that is over, 0 .. 1. */
@inline
function part(time: f64, duration: f64, lag: f64): f32 {
  const passed = max<f64>(0, time - lag);
  return duration == 0 || passed >= duration ? 1 : <f32>(passed / duration);
}

/** Clips of an instance that plays something, with or without its overlay. */
export function shapeClips(crowd: usize, instance: usize, states: usize, slots: usize, values: usize, withOverlay: bool): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP), fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  const overlayIndex = load<i32>(instance, InstanceField.OVERLAY_CLIP);
  const flags = load<u32>(instance, InstanceField.FLAGS);
  const lag = lagOf(instance);
  const variant = <usize>load<u32>(crowd, CrowdField.VARIANTS) + <usize>load<u32>(instance, InstanceField.VARIANT) * VARIANT_BYTES;
  // Where an overlay or a slider may have replaced what a clip shows, the clip deforms what it showed itself.
  const own: usize = overlayIndex >= 0 || load<u32>(crowd, CrowdField.SLIDER_STATES) != 0 ? variant : 0;
  const clip = clipAt(crowd, clipIndex);
  const time = shownTime(clip, load<f64>(instance, InstanceField.TIME), lag, load<f32>(instance, InstanceField.SPEED), (flags & InstanceFlag.LOOP) != 0);
  // -1 is no fade, -2 a frozen pose.
  const mix: f32 = fadeIndex == -1 ? 1 : part(load<f64>(instance, InstanceField.MIX_TIME), load<f64>(instance, InstanceField.MIX_DURATION), lag);
  if (fadeIndex >= 0 && mix != 1) {
    const from = clipAt(crowd, fadeIndex), plan = fadePlan(crowd, fadeIndex, clipIndex);
    const fadeTime = shownTime(from, load<f64>(instance, InstanceField.FADE_TIME), lag, load<f32>(instance, InstanceField.FADE_SPEED), (flags & InstanceFlag.FADE_LOOP) != 0);
    shape(crowd, states, slots, values, from, <usize>load<u32>(plan, FadePlanField.FROM_DEFORMS), 0, 0, fadeTime, 1 - mix, 1, false, variant);
    shape(crowd, states, slots, values, clip, <usize>load<u32>(plan, FadePlanField.TO_DEFORMS), 0, 0, time, mix, mix, false, own);
  } else if (fadeIndex == FROZEN_CLIP && mix != 1) {
    thawMeshes(crowd, instance, states, clip, mix, slots, values);
    shape(crowd, states, slots, values, clip, 0, 0, MixMode.FIRST, time, mix, mix, false, own);
  } else {
    shape(crowd, states, slots, values, clip, 0, 0, MixMode.SETUP, time, mix, mix, false, own);
  }
  if (overlayIndex < 0 || !withOverlay) return;
  const overlay = clipAt(crowd, overlayIndex);
  const overlayTime = shownTime(
    overlay, load<f64>(instance, InstanceField.OVERLAY_TIME), lag, load<f32>(instance, InstanceField.OVERLAY_SPEED), (flags & InstanceFlag.OVERLAY_LOOP) != 0);
  const alpha = load<f32>(instance, InstanceField.OVERLAY_ALPHA), from = load<f32>(instance, InstanceField.OVERLAY_ALPHA_FROM);
  const duration = load<f64>(instance, InstanceField.OVERLAY_MIX_DURATION);
  const weight: f32 = duration <= 0 ? alpha : from + (alpha - from) * part(load<f64>(instance, InstanceField.OVERLAY_MIX_TIME), duration, lag);
  // Over a frozen pose it mixes from what is there.
  const plan: usize = fadeIndex == FROZEN_CLIP ? 0 : <usize>load<u32>(fadePlan(crowd, clipIndex, overlayIndex), FadePlanField.OVER_DEFORMS);
  const beneath: usize = fadeIndex < 0 ? 0 : load<u32>(fadePlan(crowd, fadeIndex, overlayIndex), FadePlanField.OVER_DEFORMS);
  const isLeaving = (flags & InstanceFlag.OVERLAY_OUT) != 0;
  shape(crowd, states, slots, values, overlay, plan, beneath, MixMode.CURRENT, overlayTime, weight, weight, false, isLeaving ? variant : 0);
}

function shapeSliders(crowd: usize, states: usize, sliderStates: usize, slots: usize, values: usize): void {
  const uses = <usize>load<u32>(crowd, CrowdField.SLIDERS);
  const count = load<i32>(crowd, CrowdField.CONSTRAINT_COUNT);
  for (let i = 0; i < count; i++) {
    const use = <usize>load<u32>(uses + (<usize>i << 2));
    if (use == 0) continue;
    const state = sliderStates + <usize>load<u32>(use, SliderUseField.STATE) * SLIDER_STATE_BYTES;
    const mix = load<f32>(state, 4);
    if (mix == 0) continue;
    const adds = load<i32>(use, SliderUseField.ADDITIVE) != 0;
    shape(crowd, states, slots, values, clipAt(crowd, load<i32>(use, SliderUseField.CLIP)), 0, 0, MixMode.CURRENT, <f64>load<f32>(state), mix, mix, adds, 0);
  }
}

/**
 * Applies the shape tracks of a clip. Without a plan (0) all mix from `mode`; `beneath` is 0 or a second plan: both must say
 * SETUP. With a `variant`, tracks whose own clip shows something else at that time are left out.
 */
function shape(
  crowd: usize, states: usize, slots: usize, values: usize, clip: usize, plan: usize, beneath: usize, mode: u32, time: f64, weight: f32, held: f32,
  adds: bool, variant: usize,
): void {
  const t = heldTime(time);
  const floor = roundedDown(t);
  const count = load<i32>(clip, ClipField.SHAPE_COUNT);
  let i = load<i32>(clip, ClipField.DEFORM_COUNT);
  let track = <usize>load<u32>(clip, ClipField.DEFORMS) + <usize>i * DEFORM_TRACK_BYTES;
  for (; i < count; i++, track += DEFORM_TRACK_BYTES) {
    const slot = <usize>load<u32>(track, DeformTrackField.SLOT);
    const record = recordOf(crowd, load<u16>(states + slot * SLOT_STATE_BYTES, SlotStateField.DRAWABLE));
    if (record == 0 || !moves(track, record)) continue;
    if (variant != 0 && !showsOwn(crowd, track, variant, slot, t)) continue;
    let bits: u32 = plan == 0 ? mode : load<u8>(plan + <usize>i);
    // CURRENT is 0 and SETUP is 1.
    if (beneath != 0) bits &= load<u8>(beneath + <usize>i);
    const at = slots + slot * SHAPE_SLOT_BYTES;
    store<u32>(at, load<u32>(track, DeformTrackField.TARGET) + 1, SlotRow.R * 4);
    store<u32>(at, <u32>record, SlotRow.ATTACHMENT * 4);
    store<u32>(at, <u32>values + load<u32>(track, DeformTrackField.BUFFER), SlotRow.DEFORM * 4);
    deformSlot(
      at, <usize>load<u32>(track, DeformTrackField.RECORD), t, floor, bits & PlanBit.MODE, (bits & PlanBit.HOLD) != 0 ? held : weight, adds);
  }
}
