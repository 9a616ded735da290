/**
 * Mixing a rotation the way it went before: the short way when the mix starts, and the same way from then on.
 *
 * Layout   memory of one rotation: f32 total, f32 difference (layout/animation.ts).
 * Requires t finite.
 * Ensures  the rotation at `at`; the memory, except at weight 1, which mixes nothing.
 * Source   animation-state section 10.
 */
import { ChannelField, MixMode } from "../layout/rig2d";
import { sampleChannel } from "./sample";

@inline
function signOf(value: f32): i32 {
  return i32(value > 0) - i32(value < 0);
}

export function mixRotation(
  channel: usize, t: f64, mode: u32, weight: f32, at: usize, base: f32, memory: usize, isFirst: bool,
): void {
  const isKeyed = t >= <f64>load<f32>(channel, ChannelField.FIRST_TIME);
  if (!isKeyed && mode != MixMode.FIRST) {
    if (mode == MixMode.SETUP) store<f32>(at, base);
    return;
  }
  const target = isKeyed ? base + sampleChannel(channel, t) : base;
  if (weight == 1) {
    store<f32>(at, target);
    return;
  }
  const from = mode == MixMode.SETUP ? base : load<f32>(at);
  let difference = target - from;
  difference -= <f32>360 * ceil<f32>(difference / 360 - <f32>0.5);
  let total: f32 = isFirst ? 0 : load<f32>(memory);
  {
    const previous = isFirst ? difference : load<f32>(memory, 4);
    const turns = total - total % 360;
    const turn: f32 = <f32>360 * <f32>signOf(total);
    const now = difference >= 0;
    let was = total >= 0;
    let next = difference + turns;
    if (abs<f32>(previous) <= 90 && signOf(previous) != signOf(difference)) {
      if (abs<f32>(total - turns) > 180) {
        next += turn;
        was = now;
      } else if (turns != 0) {
        next -= turn;
      } else {
        was = now;
      }
    }
    if (was != now) next += turn;
    total = next;
  }
  store<f32>(memory, total);
  store<f32>(memory, difference, 4);
  store<f32>(at, from + total * weight);
}
