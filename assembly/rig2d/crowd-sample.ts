/**
 * Samples one animation for four instances of a rig: a fresh pose, so everything mixes from the setup pose at full weight.
 *
 * Layout   animation header, groups of channels by rule: layout/animation.ts; channels, knots, buckets: layout/rig2d.ts.
 *          `pose` and `setup` are pose blocks of four lanes (16 bytes a row).
 * Requires 16-byte aligned blocks; times finite; for `sampleLanes` no time before a channel's first key.
 * Ensures  the destination row of every channel, in all four lanes (sampleLane: in one); nothing else.
 * Source   value = knot value + slope * (t - knot time), combined with the setup value by the channel's rule.
 *          Knot times are f32, so comparing them with t rounded down to f32 is exact; the difference t - time is taken in f64.
 */
import { AnimationField } from "../layout/animation";
import { ChannelField, ChannelRule, CHANNEL_BYTES, KNOT_BYTES } from "../layout/rig2d";
import { clamp01, inverse } from "./apply-pose";
import { roundedDown, sampleAt } from "./sample";

/** Value at a time whose f32 floor is `floor`, as `sampleAt`, with a channel's fields loaded once for four times. */
@inline
function valueAt(knots: usize, buckets: usize, first: f32, perSecond: f32, lastBucket: u32, floor: f32, t: f64): f32 {
  const bucket = min<u32>(<u32><i32>((floor - first) * perSecond), lastBucket);
  let knot = knots + <usize>load<u16>(buckets + (<usize>bucket << 1)) * KNOT_BYTES;
  // Most tables need one step at most: take it without a branch.
  knot += <usize>(load<f32>(knot, KNOT_BYTES) <= floor) * KNOT_BYTES;
  while (load<f32>(knot, KNOT_BYTES) <= floor) knot += KNOT_BYTES;
  return load<f32>(knot, 4) + load<f32>(knot, 8) * <f32>(t - <f64>load<f32>(knot));
}

/** Values of one channel at four times. */
@inline
function channelValues(
  channel: usize, f0: f32, f1: f32, f2: f32, f3: f32, t0: f64, t1: f64, t2: f64, t3: f64,
): v128 {
  const knots = <usize>load<u32>(channel, ChannelField.KNOTS);
  // One knot is a constant.
  if (load<u32>(channel, ChannelField.KNOT_COUNT) == 1) return v128.load32_splat(knots, 4);
  const buckets = <usize>load<u32>(channel, ChannelField.BUCKETS);
  const first = load<f32>(channel, ChannelField.FIRST_TIME);
  const perSecond = load<f32>(channel, ChannelField.BUCKETS_PER_SECOND);
  const lastBucket = load<u32>(channel, ChannelField.LAST_BUCKET);
  let value = f32x4.splat(valueAt(knots, buckets, first, perSecond, lastBucket, f0, t0));
  value = f32x4.replace_lane(value, 1, valueAt(knots, buckets, first, perSecond, lastBucket, f1, t1));
  value = f32x4.replace_lane(value, 2, valueAt(knots, buckets, first, perSecond, lastBucket, f2, t2));
  return f32x4.replace_lane(value, 3, valueAt(knots, buckets, first, perSecond, lastBucket, f3, t3));
}

@inline
function rowOf(channel: usize): usize {
  return <usize>load<u32>(channel, ChannelField.ROW) << 4;
}

/** One animation at four times. */
export function sampleLanes(animation: usize, t0: f64, t1: f64, t2: f64, t3: f64, pose: usize, setup: usize): void {
  const f0 = roundedDown(t0), f1 = roundedDown(t1), f2 = roundedDown(t2), f3 = roundedDown(t3);
  let channel = <usize>load<u32>(animation, AnimationField.CHANNELS);
  let end = <usize>load<u32>(animation, AnimationField.RELATIVE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    v128.store(pose + row, f32x4.add(v128.load(setup + row), channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3)));
  }
  end = <usize>load<u32>(animation, AnimationField.SCALE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    v128.store(pose + row, f32x4.mul(v128.load(setup + row), channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3)));
  }
  end = <usize>load<u32>(animation, AnimationField.ABSOLUTE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    v128.store(pose + rowOf(channel), channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3));
  }
  end = <usize>load<u32>(animation, AnimationField.COLOR_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const value = channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3);
    v128.store(pose + rowOf(channel), f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), value)));
  }
  end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const value = channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3);
    const inverse = f32x4.div(f32x4.splat(1), value);
    v128.store(pose + rowOf(channel), v128.andnot(inverse, f32x4.eq(value, f32x4.splat(0))));
  }
  end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    v128.store(pose + rowOf(channel), i32x4.trunc_sat_f32x4_s(channelValues(channel, f0, f1, f2, f3, t0, t1, t2, t3)));
  }
}

/** One animation, one lane, also before first keys: `pose` and `setup` point at that lane. */
export function sampleLane(animation: usize, t: f64, pose: usize, setup: usize): void {
  const floor = roundedDown(t);
  const end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    const first = load<f32>(channel, ChannelField.FIRST_TIME);
    if (!(floor >= first)) {
      store<u32>(pose + row, load<u32>(setup + row));
      continue;
    }
    const value = sampleAt(channel, t, floor);
    const base = load<f32>(setup + row);
    const rule = load<u32>(channel, ChannelField.RULE) & 0xff;
    if (rule == ChannelRule.RELATIVE) store<f32>(pose + row, base + value);
    else if (rule == ChannelRule.SCALE) store<f32>(pose + row, base * value);
    else if (rule == ChannelRule.ABSOLUTE) store<f32>(pose + row, value);
    else if (rule == ChannelRule.COLOR) store<f32>(pose + row, clamp01(value));
    else if (rule == ChannelRule.MASS) store<f32>(pose + row, inverse(value));
    else store<i32>(pose + row, <i32>(value));
  }
}
