/**
 * Sliders: an animation applied during the update, at a time that is keyed or read from a bone.
 *
 * Layout   record: SliderField; channels: layout/animation.ts and layout/rig2d.ts. Lanes are taken one after the other for
 *          everything that depends on time.
 * Requires the driving bone is valid in the space it is read in; the setup block is up to date.
 * Ensures  the slider's time row; applied poses of what the animation keys, in lanes where mix is not 0 and the driving bone
 *          is active. With no channels in the record the animation is left to TypeScript; times and tags are done.
 *          Finite: a loop over no duration and times that are no numbers count as 0.
 * Source   constraints section 7; timelines section 8 with mode CURRENT, mixing in.
 */
import { add, anyTrue, eq, maskNot, mul, splat, sub } from "../math/lane";
import { AnimationField } from "../layout/animation";
import { ChannelField, ChannelFlag, CHANNEL_BYTES, ProgramField, SliderRow } from "../layout/rig2d";
import { SliderField } from "../layout/update";
import { appliedRow, hasInactive, isTargetActive, sampleChannel } from "./sample";
import { appliedBone, bounded, get, laneOf, rowAt, table } from "./update-rows";
import { modifyLocal, validateLocal } from "./tags";
import { readPropertyAt } from "./transform";

/** A slider. `operands` points at: record, constraint row, bone or -1, then `count` bones that the animation keys. */
export function solveSlider<T, M>(program: usize, pose: usize, operands: usize, count: i32): void {
  const record = <usize>load<u32>(operands);
  const constraint = rowAt<T>(pose, load<i32>(operands, 4));
  const mix = get<T>(constraint, SliderRow.MIX);
  const mask = maskNot<M>(eq<T, M>(mix, splat<T>(0)));
  if (!anyTrue<M>(mask)) return;
  const index = load<i32>(operands, 8);
  if (index >= 0) {
    const active = table(program, ProgramField.ACTIVE_BONES);
    if (active != 0 && load<u8>(active + <usize>index) == 0) return;
    const bone = appliedBone<T>(program, pose, index);
    const local = load<i32>(record, SliderField.LOCAL) != 0;
    if (local) validateLocal<T, M>(program, pose, bone, index, mask);
    const value = readPropertyAt<T, M>(pose, bone, load<i32>(record, SliderField.PROPERTY), local, 0, 0, 0);
    const distance = sub<T>(value, splat<T>(load<f32>(record, SliderField.PROPERTY_OFFSET)));
    const time = add<T>(splat<T>(load<f32>(record, SliderField.OFFSET)), mul<T>(distance, splat<T>(load<f32>(record, SliderField.SCALE))));
    for (let lane = 0; lane < <i32>(sizeof<T>() >> 2); lane++) {
      if (at<T>(constraint, SliderRow.MIX, lane) == 0) continue;
      setTime<T>(constraint, lane, drivenTime(<f64>laneOf<T>(time, lane), record));
    }
  }
  for (let i = 0; i < count; i++) {
    const keyed = load<i32>(operands + (<usize>i << 2), 12);
    modifyLocal<T, M>(program, pose, appliedBone<T>(program, pose, keyed), keyed, mask);
  }
  const animation = <usize>(isVector<T>() ? load<u32>(record, SliderField.CROWD_CHANNELS) : load<u32>(record, SliderField.CHANNELS));
  if (animation == 0) return;
  for (let lane = 0; lane < <i32>(sizeof<T>() >> 2); lane++) {
    const weight = at<T>(constraint, SliderRow.MIX, lane);
    if (weight == 0) continue;
    let time = <f64>at<T>(constraint, SliderRow.TIME, lane);
    if (load<i32>(record, SliderField.LOOP) != 0) time = remainder(time, load<f64>(record, SliderField.DURATION));
    if (!(Math.abs(time) < 1e300)) time = 0;
    applyLane<T>(program, pose + (<usize>lane << 2), animation, time, weight, load<i32>(record, SliderField.ADDITIVE) != 0);
  }
}

/** Time that a bone's property gives. */
@inline
function drivenTime(time: f64, record: usize): f64 {
  if (!(Math.abs(time) < 1e300)) time = 0;
  if (load<i32>(record, SliderField.LOOP) == 0) return time > 0 ? time : 0;
  const duration = load<f64>(record, SliderField.DURATION);
  return duration == 0 ? 0 : duration + remainder(time, duration);
}

/** What is left of `time` after whole durations, with the sign of `time`; `time` itself without a duration. */
@inline
function remainder(time: f64, duration: f64): f64 {
  return duration == 0 ? time : time - Math.trunc(time / duration) * duration;
}

@inline
function at<T>(block: usize, row: i32, lane: i32): f32 {
  return load<f32>(block + <usize>row * sizeof<T>() + (<usize>lane << 2));
}

@inline
function setTime<T>(constraint: usize, lane: i32, time: f64): void {
  store<f32>(constraint + SliderRow.TIME * sizeof<T>() + (<usize>lane << 2), <f32>time);
}

/** Applies the channels of an animation to the applied poses of one lane; `pose` is the address of the lane's first row. */
function applyLane<T>(program: usize, pose: usize, animation: usize, time: f64, alpha: f32, additive: bool): void {
  const setup = table(program, ProgramField.SETUP);
  const asks = hasInactive(program);
  const relativeEnd = <usize>load<u32>(animation, AnimationField.RELATIVE_END);
  const scaleEnd = <usize>load<u32>(animation, AnimationField.SCALE_END);
  const absoluteEnd = <usize>load<u32>(animation, AnimationField.ABSOLUTE_END);
  const colorEnd = <usize>load<u32>(animation, AnimationField.COLOR_END);
  const massEnd = <usize>load<u32>(animation, AnimationField.MASS_END);
  const end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES) {
    if (time < <f64>load<f32>(channel, ChannelField.FIRST_TIME) || (asks && !isTargetActive(channel, program))) continue;
    const out = pose + appliedRow(channel, program) * sizeof<T>();
    const value = sampleChannel(channel, time);
    if (channel >= massEnd) {
      store<i32>(out, <i32>value);
      continue;
    }
    const current = load<f32>(out);
    const base = load<f32>(setup + (<usize>load<u32>(channel, ChannelField.ROW) << 2));
    const adds = additive && (load<u32>(channel, ChannelField.RULE) & ChannelFlag.IGNORES_ADD) == 0;
    let result: f32;
    if (channel < relativeEnd) {
      result = adds ? current + value * alpha : current + (value + base - current) * alpha;
    } else if (channel < scaleEnd) {
      result = scaled(value * base, base, current, alpha, adds);
    } else if (channel < absoluteEnd) {
      result = adds ? current + value * alpha : current + (value - current) * alpha;
    } else if (channel < colorEnd) {
      result = alpha == 1 ? value : current + (value - current) * alpha;
      result = result < 0 ? 0 : result > 1 ? 1 : result;
    } else {
      const mass: f32 = inverse(current);
      result = inverse(adds ? mass + value * alpha : mass + (value - mass) * alpha);
    }
    store<f32>(out, bounded<f32>(result));
  }
}

/** Scale towards `target`: mixing in takes over the sign of the target at once. */
@inline
function scaled(target: f32, setup: f32, current: f32, alpha: f32, adds: bool): f32 {
  if (adds) return current + (target - setup) * alpha;
  if (alpha == 1) return target;
  const size: f32 = target == 0 ? 0 : Mathf.abs(current);
  const signed: f32 = target < 0 ? -size : size;
  return signed + (target - signed) * alpha;
}

@inline
function inverse(value: f32): f32 {
  return value == 0 ? 0 : <f32>1 / value;
}
