/**
 * Reads of one instance of a crowd that several kernels need.
 *
 * Layout   layout/crowd.ts.
 * Requires valid instances and clips.
 * Ensures  memory is only read.
 */
import { CLIP_BYTES, ClipField, CrowdField, InstanceField, InstanceFlag, NO_CLIP } from "../layout/crowd";
import { animationTime } from "./crowd-advance";

/** Animation time of the clip that plays. */
@inline
export function timeOf(instance: usize, clip: usize): f64 {
  return animationTime(
    load<f64>(instance, InstanceField.TIME), load<f64>(clip, ClipField.DURATION),
    (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.LOOP) != 0);
}

/** Address of a clip. */
@inline
export function clipAt(crowd: usize, index: i32): usize {
  return <usize>load<u32>(crowd, CrowdField.CLIPS) + <usize>index * CLIP_BYTES;
}

/** Animation time of the clip that fades out. */
@inline
export function fadeTimeOf(instance: usize, clip: usize): f64 {
  return animationTime(
    load<f64>(instance, InstanceField.FADE_TIME), load<f64>(clip, ClipField.DURATION),
    (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.FADE_LOOP) != 0);
}

/** Animation time of the overlay. */
@inline
export function overlayTimeOf(instance: usize, clip: usize): f64 {
  return animationTime(
    load<f64>(instance, InstanceField.OVERLAY_TIME), load<f64>(clip, ClipField.DURATION),
    (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.OVERLAY_LOOP) != 0);
}

/** How far a running fade has come, 1 without one. */
@inline
export function mixOf(instance: usize): f32 {
  if (load<i32>(instance, InstanceField.FADE_CLIP) == NO_CLIP) return 1;
  const duration = load<f64>(instance, InstanceField.MIX_DURATION), time = load<f64>(instance, InstanceField.MIX_TIME);
  return duration == 0 || time >= duration ? 1 : <f32>(time / duration);
}

/** Weight of the overlay, which may itself be fading in or out. */
@inline
export function overlayAlpha(instance: usize): f32 {
  const alpha = load<f32>(instance, InstanceField.OVERLAY_ALPHA);
  const duration = load<f64>(instance, InstanceField.OVERLAY_MIX_DURATION);
  if (duration <= 0) return alpha;
  const from = load<f32>(instance, InstanceField.OVERLAY_ALPHA_FROM);
  const part = load<f64>(instance, InstanceField.OVERLAY_MIX_TIME) / duration;
  return part >= 1 ? alpha : from + (alpha - from) * <f32>part;
}

/** Plan of a fade or an overlay from one clip to another. */
@inline
export function fadePlan(crowd: usize, from: i32, to: i32): usize {
  const plans = <usize>load<u32>(crowd, CrowdField.FADE_PLANS);
  return <usize>load<u32>(plans + ((<usize>from * <usize>load<u32>(crowd, CrowdField.CLIP_COUNT) + <usize>to) << 2));
}
