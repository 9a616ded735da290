/**
 * Samples the channels of one clip for four instances of a rig: a fresh pose, so everything mixes from the setup pose.
 *
 * Layout   channels, knots, buckets: layout/rig2d.ts. `pose` and `setup` are pose blocks of four lanes (16 bytes a row).
 * Requires 16-byte aligned blocks; times finite.
 * Ensures  the destination row of every channel, in all four lanes; nothing else.
 * Source   value = knot value + slope * (t - knot time), combined with the setup value by the channel's rule.
 */
import { ChannelField, ChannelRule, CHANNEL_BYTES, KNOT_BYTES } from "../layout/rig2d";

/** Value of one channel at time t >= its first key. */
@inline
export function channelValue(channel: usize, t: f64): f32 {
  const bucket = min<u32>(
    <u32>i32.trunc_sat_f64_s((t - <f64>load<f32>(channel, ChannelField.FIRST_TIME)) * <f64>load<f32>(channel, ChannelField.BUCKETS_PER_SECOND)),
    load<u32>(channel, ChannelField.LAST_BUCKET));
  let knot = <usize>load<u32>(channel, ChannelField.KNOTS)
    + <usize>load<u16>(<usize>load<u32>(channel, ChannelField.BUCKETS) + (<usize>bucket << 1)) * KNOT_BYTES;
  while (t >= <f64>load<f32>(knot, KNOT_BYTES)) knot += KNOT_BYTES;
  return load<f32>(knot, 4) + load<f32>(knot, 8) * <f32>(t - <f64>load<f32>(knot));
}

/** Setup value and sampled value by rule, four lanes; lanes with a clear bit in `keyed` keep the setup value. */
@inline
function combine(rule: u32, setup: v128, value: v128): v128 {
  if (rule == ChannelRule.RELATIVE) return f32x4.add(setup, value);
  if (rule == ChannelRule.SCALE) return f32x4.mul(setup, value);
  if (rule == ChannelRule.ABSOLUTE) return value;
  if (rule == ChannelRule.COLOR) return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), value));
  if (rule == ChannelRule.MASS) {
    return v128.andnot(f32x4.div(f32x4.splat(1), value), f32x4.eq(value, f32x4.splat(0)));
  }
  return i32x4.trunc_sat_f32x4_s(value);
}

/**
 * One clip, four times. `allKeyed` says that no time is before any channel's first key, which saves the test.
 */
export function sampleLanes(
  channels: usize, count: i32, t0: f64, t1: f64, t2: f64, t3: f64, allKeyed: bool, pose: usize, setup: usize,
): void {
  for (let i = 0; i < count; i++, channels += CHANNEL_BYTES) {
    const row = <usize>load<u32>(channels, ChannelField.ROW) << 4;
    const rule = load<u32>(channels, ChannelField.RULE) & 0xff;
    const base = v128.load(setup + row);
    if (allKeyed) {
      let value = f32x4.splat(channelValue(channels, t0));
      value = f32x4.replace_lane(value, 1, channelValue(channels, t1));
      value = f32x4.replace_lane(value, 2, channelValue(channels, t2));
      value = f32x4.replace_lane(value, 3, channelValue(channels, t3));
      v128.store(pose + row, combine(rule, base, value));
    } else {
      const first = <f64>load<f32>(channels, ChannelField.FIRST_TIME);
      let value = f32x4.splat(0);
      let keyed = i32x4.splat(0);
      if (t0 >= first) { value = f32x4.replace_lane(value, 0, channelValue(channels, t0)); keyed = i32x4.replace_lane(keyed, 0, -1); }
      if (t1 >= first) { value = f32x4.replace_lane(value, 1, channelValue(channels, t1)); keyed = i32x4.replace_lane(keyed, 1, -1); }
      if (t2 >= first) { value = f32x4.replace_lane(value, 2, channelValue(channels, t2)); keyed = i32x4.replace_lane(keyed, 2, -1); }
      if (t3 >= first) { value = f32x4.replace_lane(value, 3, channelValue(channels, t3)); keyed = i32x4.replace_lane(keyed, 3, -1); }
      v128.store(pose + row, v128.bitselect(combine(rule, base, value), base, keyed));
    }
  }
}

/** One clip, one lane: `pose` and `setup` point at that lane. */
export function sampleLane(channels: usize, count: i32, t: f64, pose: usize, setup: usize): void {
  for (let i = 0; i < count; i++, channels += CHANNEL_BYTES) {
    const row = <usize>load<u32>(channels, ChannelField.ROW) << 4;
    if (t < <f64>load<f32>(channels, ChannelField.FIRST_TIME)) {
      store<u32>(pose + row, load<u32>(setup + row));
      continue;
    }
    const value = channelValue(channels, t);
    const base = load<f32>(setup + row);
    const rule = load<u32>(channels, ChannelField.RULE) & 0xff;
    if (rule == ChannelRule.RELATIVE) store<f32>(pose + row, base + value);
    else if (rule == ChannelRule.SCALE) store<f32>(pose + row, base * value);
    else if (rule == ChannelRule.ABSOLUTE) store<f32>(pose + row, value);
    else if (rule == ChannelRule.COLOR) store<f32>(pose + row, value < 0 ? 0 : value > 1 ? 1 : value);
    else if (rule == ChannelRule.MASS) store<f32>(pose + row, value == 0 ? 0 : 1 / value);
    else store<i32>(pose + row, i32.trunc_sat_f32_s(value));
  }
}
