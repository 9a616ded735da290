/**
 * Samples one clip for one lane with a weight: fades and overlays of crowd instances.
 *
 * Layout   animation: layout/animation.ts; channel: layout/rig2d.ts. Plan: one byte per channel (PlanBit). Memory: u32 "fresh" flag, padding to 8 bytes,
 *          then total and difference (f32) per rotate channel in order. `pose` and `setup` point at one lane of a
 *          four-lane pose block.
 * Requires finite time and weight.
 * Ensures  destination rows of that lane; the memory of rotate channel that were mixed; the fresh flag cleared.
 * Source   the mixing rules of timelines and the remembered rotation direction of an animation state.
 */
import { AnimationField } from "../layout/animation";
import { ChannelField, ChannelFlag, ChannelRule, CHANNEL_BYTES, MixMode } from "../layout/rig2d";
import { PlanBit } from "../layout/crowd";
import { beforeFirst, mixAbsolute, mixRelative, mixScale } from "./apply-mix";
import { clamp01, inverse } from "./apply-pose";
import { turned } from "./apply-rotation";
import { keepsInstants } from "./crowd-frozen-pose";
import { findKnot, knotValue, roundedDown, sampleAt, sampleChannel } from "./sample";

/**
 * Weight `held` goes to channels whose plan says HOLD, `alpha` to all others. `out` says that the clip is leaving.
 * `beneath` is 0 or a second plan; a channel that mixes from the current value in either does so. Without a plan (0) every channel
 * mixes in the mode `all`: CURRENT, or FIRST over a frozen pose. There scales go straight from value to value, as the sign of the
 * new one at once would be a jump.
 */
export function mixLane(
  animation: usize, plan: usize, beneath: usize, all: u32, t: f64, alpha: f32, held: f32, out: bool, memory: usize, pose: usize, setup: usize,
): void {
  const isStraight = plan == 0 && all == MixMode.FIRST;
  const fresh = memory != 0 && load<u32>(memory) != 0;
  if (memory != 0) store<u32>(memory, 0);
  let remembered = memory + 8;
  const floor = roundedDown(t);
  const end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  let i: usize = 0;
  for (let channel = <usize>load<u32>(animation, AnimationField.CHANNELS); channel < end; channel += CHANNEL_BYTES, i++) {
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 4;
    let bits: u32 = plan == 0 ? all : load<u8>(plan + i);
    // CURRENT is 0 and SETUP is 1: both must say SETUP.
    if (beneath != 0) bits &= load<u8>(beneath + i);
    const mode = bits & PlanBit.MODE;
    const weight = (bits & PlanBit.HOLD) != 0 ? held : alpha;
    const rule = load<u32>(channel, ChannelField.RULE) & 0xff;
    const isKeyed = t >= <f64>load<f32>(channel, ChannelField.FIRST_TIME);
    const turns = memory != 0 && (load<u32>(channel, ChannelField.RULE) & ChannelFlag.ROTATES) != 0;
    const place = remembered;
    if (turns) remembered += 8;

    const at = pose + row;
    if (rule >= <u32>ChannelRule.INHERIT) {
      if (isStraight && keepsInstants(weight)) continue;
      mixInstant(at, load<i32>(setup + row), channel, t, mode, rule, isKeyed, out);
      continue;
    }
    let s = load<f32>(setup + row), c = load<f32>(at);
    if (rule == ChannelRule.MASS) {
      s = inverse(s);
      c = inverse(c);
    }
    if (turns && weight != 1) {
      if (isKeyed) {
        const knot = findKnot(channel, floor);
        const value = knotValue(knot, t);
        const isFromSetup = mode == MixMode.SETUP;
        const isOnTheWay = load<f32>(knot, 8) != 0 && t > <f64>load<f32>(knot);
        store<f32>(at, turned(isFromSetup ? s : c, isFromSetup ? value : s + value - c, weight, place, fresh, isOnTheWay));
      } else if (mode == MixMode.SETUP) store<f32>(at, s);
      else if (mode == MixMode.FIRST) store<f32>(at, turned(c, s - c, weight, place, fresh, false));
      continue;
    }
    let result: f32;
    if (!isKeyed) {
      if (mode == MixMode.CURRENT) continue;
      result = beforeFirst(mode, s, c, weight);
      if (mode == MixMode.FIRST && (load<u32>(channel, ChannelField.RULE) & ChannelFlag.CLAMPS_BEFORE) != 0) result = clamp01(result);
    } else {
      const value = sampleAt(channel, t, floor);
      const base = mode == MixMode.SETUP ? s : c;
      if (rule == ChannelRule.RELATIVE) result = mixRelative(mode, false, s, c, value, weight);
      else if (rule != ChannelRule.SCALE) result = mixAbsolute(false, base, value, weight);
      else result = isStraight ? mixAbsolute(false, base, s * value, weight) : mixScale(false, out, s, base, s * value, weight);
      if (rule == ChannelRule.COLOR) result = clamp01(result);
    }
    store<f32>(at, rule == ChannelRule.MASS ? inverse(result) : result);
  }
}

/** Inherit and IK flags: they jump; a leaving clip gives them back to setup. */
@inline
function mixInstant(at: usize, setup: i32, channel: usize, t: f64, mode: u32, rule: u32, isKeyed: bool, out: bool): void {
  if (isKeyed && !out) {
    store<i32>(at, <i32>sampleChannel(channel, t));
  } else if (mode != MixMode.CURRENT) {
    // A leaving IK clip that continues an older one leaves the flags alone once it is keyed.
    if (rule == ChannelRule.IK_FLAG && isKeyed && mode == MixMode.FIRST) return;
    store<i32>(at, setup);
  }
}
