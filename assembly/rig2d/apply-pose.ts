/**
 * An animation at full weight over the setup pose: the commonest case, without any mixing.
 *
 * Layout   animation: layout/animation.ts; channels: layout/rig2d.ts.
 * Requires as rig2d/apply.
 * Ensures  the rows of all channels with an active target; the setup value before a channel's first key.
 * Source   timelines section 8 with mode SETUP and alpha 1: s + v, v s, v.
 */
import { AnimationField } from "../layout/animation";
import { CHANNEL_BYTES, ChannelField } from "../layout/rig2d";
import { hasInactive, isTargetActive, roundedDown, sampleAt } from "./sample";

export function poseAnimation(animation: usize, t: f64, pose: usize, setup: usize, program: usize): void {
  const asks = hasInactive(program);
  const floor = roundedDown(t);
  let channel = <usize>load<u32>(animation, AnimationField.CHANNELS);

  let end = <usize>load<u32>(animation, AnimationField.RELATIVE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const base = load<f32>(setup + row);
    store<f32>(pose + row, floor >= load<f32>(channel, ChannelField.FIRST_TIME) ? base + sampleAt(channel, t, floor) : base);
  }

  end = <usize>load<u32>(animation, AnimationField.SCALE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    const base = load<f32>(setup + row);
    store<f32>(pose + row, floor >= load<f32>(channel, ChannelField.FIRST_TIME) ? base * sampleAt(channel, t, floor) : base);
  }

  end = <usize>load<u32>(animation, AnimationField.ABSOLUTE_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    store<f32>(pose + row,
      floor >= load<f32>(channel, ChannelField.FIRST_TIME) ? sampleAt(channel, t, floor) : load<f32>(setup + row));
  }

  end = <usize>load<u32>(animation, AnimationField.COLOR_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    store<f32>(pose + row,
      floor >= load<f32>(channel, ChannelField.FIRST_TIME) ? clamp01(sampleAt(channel, t, floor)) : load<f32>(setup + row));
  }

  end = <usize>load<u32>(animation, AnimationField.MASS_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    store<f32>(pose + row,
      floor >= load<f32>(channel, ChannelField.FIRST_TIME) ? inverse(sampleAt(channel, t, floor)) : load<f32>(setup + row));
  }

  end = <usize>load<u32>(animation, AnimationField.IK_FLAG_END);
  for (; channel < end; channel += CHANNEL_BYTES) {
    if (asks && !isTargetActive(channel, program)) continue;
    const row = <usize>load<u32>(channel, ChannelField.ROW) << 2;
    store<i32>(pose + row, floor >= load<f32>(channel, ChannelField.FIRST_TIME)
      ? <i32>sampleAt(channel, t, floor) : load<i32>(setup + row));
  }
}

@inline
export function clamp01(value: f32): f32 {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** 1 / value, 0 for 0: a constraint without mass stays finite. */
@inline
export function inverse(value: f32): f32 {
  return value == 0 ? 0 : <f32>1 / value;
}
