/**
 * Samples what plays on one instance into one lane: its clip, what fades out under it, its overlay.
 *
 * Layout   layout/crowd.ts; `pose` and `setup` point at one lane of four-lane pose blocks.
 * Requires the pose holds setup values; times advanced.
 * Ensures  the lane's local values, colours and constraint values; rotation memory.
 * Source   an animation state with one running fade; under a frozen pose: see crowd-frozen-pose.ts.
 */
import { ClipField, FadePlanField, FROZEN_CLIP, InstanceField, InstanceFlag, ROTATION_MEMORY_BYTES, ROTATION_MEMORY_HEADER_BYTES } from "../layout/crowd";
import { MixMode } from "../layout/rig2d";
import { thawPose } from "./crowd-frozen-pose";
import { clipAt, fadePlan, fadeTimeOf, mixOf, overlayAlpha, overlayTimeOf, timeOf } from "./crowd-instance";
import { mixLane } from "./crowd-mix";
import { sampleLane } from "./crowd-sample";

/** Clip, running fade and overlay of one lane. */
export function sampleInstance(crowd: usize, instance: usize, pose: usize, setup: usize): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP);
  if (clipIndex < 0) return;
  sampleClips(crowd, instance, pose, setup);
  const overlayIndex = load<i32>(instance, InstanceField.OVERLAY_CLIP);
  if (overlayIndex < 0) return;
  const fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  // A frozen pose has written everything: the overlay mixes from what is there.
  const plan: usize = fadeIndex == FROZEN_CLIP ? 0 : <usize>load<u32>(fadePlan(crowd, clipIndex, overlayIndex), FadePlanField.OVER);
  const beneath: usize = fadeIndex < 0 ? 0 : <usize>load<u32>(fadePlan(crowd, fadeIndex, overlayIndex), FadePlanField.OVER);
  const overlay = clipAt(crowd, overlayIndex);
  const alpha = overlayAlpha(instance);
  mixLane(
    <usize>load<u32>(overlay, ClipField.ANIMATION), plan, beneath, MixMode.CURRENT, overlayTimeOf(instance, overlay), alpha, alpha,
    (load<u32>(instance, InstanceField.FLAGS) & InstanceFlag.OVERLAY_OUT) != 0, <usize>load<u32>(instance, InstanceField.OVERLAY_ROTATIONS), pose, setup);
}

/** Clip and running fade of one lane. */
export function sampleClips(crowd: usize, instance: usize, pose: usize, setup: usize): void {
  const clipIndex = load<i32>(instance, InstanceField.CLIP);
  const clip = clipAt(crowd, clipIndex);
  const animation = <usize>load<u32>(clip, ClipField.ANIMATION);
  const time = timeOf(instance, clip);
  const fadeIndex = load<i32>(instance, InstanceField.FADE_CLIP);
  const memory = <usize>load<u32>(instance, InstanceField.ROTATIONS);
  const mix = mixOf(instance);
  if (fadeIndex >= 0) {
    const from = clipAt(crowd, fadeIndex);
    const plan = fadePlan(crowd, fadeIndex, clipIndex);
    mixLane(
      <usize>load<u32>(from, ClipField.ANIMATION), <usize>load<u32>(plan, FadePlanField.FROM), 0, 0, fadeTimeOf(instance, from), 1 - mix, 1, true,
      memory, pose, setup);
    if (mix != 1) {
      const own: usize = memory == 0 ? 0 : memory + ROTATION_MEMORY_HEADER_BYTES + <usize>load<u32>(from, ClipField.ROTATE_COUNT) * ROTATION_MEMORY_BYTES;
      mixLane(animation, <usize>load<u32>(plan, FadePlanField.TO), 0, 0, time, mix, mix, false, own, pose, setup);
    }
  }
  if (fadeIndex == FROZEN_CLIP && mix != 1) {
    thawPose(crowd, <usize>load<u32>(instance, InstanceField.FROZEN), animation, mix, pose, setup);
    mixLane(animation, 0, 0, MixMode.FIRST, time, mix, mix, false, memory, pose, setup);
  }
  if (mix == 1) sampleLane(animation, time, pose, setup);
}
