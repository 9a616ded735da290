/**
 * Mixing a rotation the way it went before: the short way when the mix starts, and the same way from then on.
 *
 * Layout   memory of one rotation: f32 total, f32 difference (layout/animation.ts).
 * Requires t finite, `floor` t rounded down.
 * Ensures  the rotation at `at`; the memory, except at weight 1, which mixes nothing.
 * Source   animation-state section 10.
 */
import { ChannelField, MixMode } from "../layout/rig2d";
import { findKnot, knotValue } from "./sample";

/** A difference of no degrees with a sign. */
const NEARLY_NONE: f32 = 1e-18;

/** Whole turns in a remembered total, as an angle with its sign. */
@inline
function turnsIn(total: f32): f32 {
  // In double precision the quotient of an angle just below a whole turn does not round up to it.
  return abs<f32>(total) < 360 ? 0 : <f32>(360 * trunc<f64>(<f64>total / 360));
}

@inline
function signOf(value: f32): i32 {
  return i32(value > 0) - i32(value < 0);
}

/**
 * The remembered total after the difference has gone from `previous` to `difference`.
 * Source: animation-state section 10, step 5.
 */
function followedTotal(total: f32, difference: f32, previous: f32): f32 {
  const turns = turnsIn(total);
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
  return was != now ? next + turn : next;
}

@inline
export function mixRotation(
  channel: usize, t: f64, floor: f32, mode: u32, weight: f32, at: usize, base: f32, memory: usize, isFirst: bool,
): void {
  const isKeyed = floor >= load<f32>(channel, ChannelField.FIRST_TIME);
  if (!isKeyed && mode != MixMode.FIRST) {
    if (mode == MixMode.SETUP) store<f32>(at, base);
    return;
  }
  const knot = isKeyed ? findKnot(channel, floor) : 0;
  const value: f32 = isKeyed ? knotValue(knot, t) : 0;
  if (weight == 1) {
    store<f32>(at, base + value);
    return;
  }
  const isFromSetup = mode == MixMode.SETUP;
  const from = isFromSetup ? base : load<f32>(at);
  const isOnTheWay = isKeyed && load<f32>(knot, 8) != 0 && t > <f64>load<f32>(knot);
  store<f32>(at, turned(from, isFromSetup ? value : base + value - from, weight, memory, isFirst, isOnTheWay));
}

/**
 * The angle `from` with a difference added by a weight, the way that the memory tells.
 * @param isOnTheWay - whether the difference belongs to a time between two keys
 */
@inline
export function turned(from: f32, difference: f32, weight: f32, memory: usize, isFirst: bool, isOnTheWay: bool): f32 {
  if (difference > 180 || difference <= -180) difference -= <f32>360 * ceil<f32>(difference / 360 - <f32>0.5);
  let total: f32 = isFirst ? 0 : load<f32>(memory);
  const previous = isFirst ? difference : load<f32>(memory, 4);
  // On the way between two keys it is only single precision that finds no difference: a small one goes on as before.
  if (difference == 0 && isOnTheWay) difference = copysign<f32>(NEARLY_NONE, previous);
  // Nearly always the same side as before, by less than a turn.
  if (total * difference > 0 && previous * difference > 0 && abs<f32>(total) < 360) {
    total = difference;
  } else if (difference != 0) {
    total = followedTotal(total, difference, previous);
  }
  store<f32>(memory, total);
  store<f32>(memory, difference, 4);
  return from + total * weight;
}
