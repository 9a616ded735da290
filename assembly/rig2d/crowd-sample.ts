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
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";
import { AnimationField } from "../layout/animation";
import { ChannelField, ChannelRule, CHANNEL_BYTES, KNOT_BYTES } from "../layout/rig2d";
import { clamp01, inverse } from "./apply-pose";
import { roundedDown, sampleAt } from "./sample";

/** Address of the knot that a bucket names, or of the next one if that has begun; most tables need no further step. */
@inline
function knotAt(knots: usize, buckets: usize, bucket: u32, floor: f32): usize {
  const knot = knots + <usize>load<u16>(buckets + (<usize>bucket << 1)) * KNOT_BYTES;
  return knot + <usize>(load<f32>(knot, KNOT_BYTES) <= floor) * KNOT_BYTES;
}

/** Values of one channel at four times; `floors` are their f32 floors, `t01` and `t23` the times themselves. */
@inline
function channelValues(channel: usize, floors: v128, t01: v128, t23: v128, f0: f32, f1: f32, f2: f32, f3: f32): v128 {
  const knots = <usize>load<u32>(channel, ChannelField.KNOTS);
  // One knot is a constant.
  if (load<u32>(channel, ChannelField.KNOT_COUNT) == 1) return v128.load32_splat(knots, 4);
  const buckets = <usize>load<u32>(channel, ChannelField.BUCKETS);
  const passed = f32x4.mul(
    f32x4.sub(floors, v128.load32_splat(channel, ChannelField.FIRST_TIME)), v128.load32_splat(channel, ChannelField.BUCKETS_PER_SECOND));
  const bucket = i32x4.min_u(i32x4.trunc_sat_f32x4_s(passed), v128.load32_splat(channel, ChannelField.LAST_BUCKET));
  let a0 = knotAt(knots, buckets, i32x4.extract_lane(bucket, 0), f0);
  let a1 = knotAt(knots, buckets, i32x4.extract_lane(bucket, 1), f1);
  let a2 = knotAt(knots, buckets, i32x4.extract_lane(bucket, 2), f2);
  let a3 = knotAt(knots, buckets, i32x4.extract_lane(bucket, 3), f3);
  while (true) {
    // [time value slope, time of the next knot]
    const k0 = v128.load(a0), k1 = v128.load(a1), k2 = v128.load(a2), k3 = v128.load(a3);
    const slopeNext01 = highPairs(k0, k1), slopeNext23 = highPairs(k2, k3);
    const passes = f32x4.le(highHalves(slopeNext01, slopeNext23), floors);
    if (v128.any_true(passes)) {
      a0 += i32x4.extract_lane(passes, 0) & KNOT_BYTES;
      a1 += i32x4.extract_lane(passes, 1) & KNOT_BYTES;
      a2 += i32x4.extract_lane(passes, 2) & KNOT_BYTES;
      a3 += i32x4.extract_lane(passes, 3) & KNOT_BYTES;
      continue;
    }
    const timeValue01 = lowPairs(k0, k1), timeValue23 = lowPairs(k2, k3);
    const since = lowHalves(
      f32x4.demote_f64x2_zero(f64x2.sub(t01, f64x2.promote_low_f32x4(timeValue01))),
      f32x4.demote_f64x2_zero(f64x2.sub(t23, f64x2.promote_low_f32x4(timeValue23))));
    const slope = lowHalves(slopeNext01, slopeNext23);
    return f32x4.add(highHalves(timeValue01, timeValue23), f32x4.mul(slope, since));
  }
}

@inline
function rowOf(channel: usize): usize {
  return <usize>load<u32>(channel, ChannelField.ROW) << 4;
}

/** One animation at four times. */
export function sampleLanes(animation: usize, t0: f64, t1: f64, t2: f64, t3: f64, pose: usize, setup: usize): void {
  const f0 = roundedDown(t0), f1 = roundedDown(t1), f2 = roundedDown(t2), f3 = roundedDown(t3);
  const floors = f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(f0), 1, f1), 2, f2), 3, f3);
  const t01 = f64x2.replace_lane(f64x2.splat(t0), 1, t1), t23 = f64x2.replace_lane(f64x2.splat(t2), 1, t3);
  let channel = <usize>load<u32>(animation, AnimationField.CHANNELS);
  let end = <usize>load<u32>(animation, AnimationField.RELATIVE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    v128.store(pose + row, f32x4.add(v128.load(setup + row), channelValues(channel, floors, t01, t23, f0, f1, f2, f3)));
  }
  end = <usize>load<u32>(animation, AnimationField.SCALE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    v128.store(pose + row, f32x4.mul(v128.load(setup + row), channelValues(channel, floors, t01, t23, f0, f1, f2, f3)));
  }
  end = <usize>load<u32>(animation, AnimationField.ABSOLUTE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    v128.store(pose + rowOf(channel), channelValues(channel, floors, t01, t23, f0, f1, f2, f3));
  }
  end = <usize>load<u32>(animation, AnimationField.COLOR_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const value = channelValues(channel, floors, t01, t23, f0, f1, f2, f3);
    v128.store(pose + rowOf(channel), f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), value)));
  }
  end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    const value = channelValues(channel, floors, t01, t23, f0, f1, f2, f3);
    const inverse = f32x4.div(f32x4.splat(1), value);
    v128.store(pose + rowOf(channel), v128.andnot(inverse, f32x4.eq(value, f32x4.splat(0))));
  }
  end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    v128.store(pose + rowOf(channel), i32x4.trunc_sat_f32x4_s(channelValues(channel, floors, t01, t23, f0, f1, f2, f3)));
  }
}

/** One animation at four times, of which some are before the first keys of some channels. */
export function sampleEarlyLanes(animation: usize, t0: f64, t1: f64, t2: f64, t3: f64, pose: usize, setup: usize): void {
  const f0 = roundedDown(t0), f1 = roundedDown(t1), f2 = roundedDown(t2), f3 = roundedDown(t3);
  const floors = f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(f0), 1, f1), 2, f2), 3, f3);
  const t01 = f64x2.replace_lane(f64x2.splat(t0), 1, t1), t23 = f64x2.replace_lane(f64x2.splat(t2), 1, t3);
  const end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES) {
    const row = rowOf(channel);
    const base = v128.load(setup + row);
    const waits = f32x4.lt(floors, v128.load32_splat(channel, ChannelField.FIRST_TIME));
    if (i32x4.all_true(waits)) {
      v128.store(pose + row, base);
      continue;
    }
    // A lane that waits gets something from the first knots, which nobody reads.
    const value = channelValues(channel, f32x4.pmax(floors, v128.load32_splat(channel, ChannelField.FIRST_TIME)), t01, t23, f0, f1, f2, f3);
    v128.store(pose + row, v128.bitselect(base, combined(load<u32>(channel, ChannelField.RULE) & 0xff, base, value), waits));
  }
}

/** What a channel's rule makes of its values. */
@inline
function combined(rule: u32, base: v128, value: v128): v128 {
  if (rule == ChannelRule.RELATIVE) return f32x4.add(base, value);
  if (rule == ChannelRule.SCALE) return f32x4.mul(base, value);
  if (rule == ChannelRule.ABSOLUTE) return value;
  if (rule == ChannelRule.COLOR) return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), value));
  if (rule == ChannelRule.MASS) return v128.andnot(f32x4.div(f32x4.splat(1), value), f32x4.eq(value, f32x4.splat(0)));
  return i32x4.trunc_sat_f32x4_s(value);
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
