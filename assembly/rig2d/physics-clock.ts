/**
 * Clocks of physics constraints: how many fixed steps an update takes.
 *
 * Layout   state: PhysicsStateRow; record: PhysicsField; clock: ClockRow in the scratch block, rows of 4 or 16 bytes.
 * Requires times are finite.
 * Ensures  STEPS, AHEAD_BEFORE, AHEAD and DELTA of the clock, REMAINING and LAST_TIME of the state. At most MAXIMUM_PHYSICS_STEPS
 *          steps; what exceeds them is dropped. In a group of four, constraints that have kept the same time are worked out once.
 * Source   times are f64 and are subtracted step by step, so lanes step in the same frames as a single skeleton does.
 */
import { HeaderRow } from "../layout/rig2d";
import { MAXIMUM_PHYSICS_STEPS, PhysicsField, PhysicsStateRow } from "../layout/update";
import { get, put } from "./update-rows";

export const enum ClockRow {
  /** i32: steps of this update. */
  STEPS = 0,
  /** f32: how far the last step lies ahead, in steps, before and after this update. */
  AHEAD_BEFORE = 1,
  AHEAD = 2,
  /** f32: seconds since the last update. */
  DELTA = 3,
  /** f64, one for all lanes: length of the steps that the following rows tell of; 0 where they tell of nothing. */
  STEP = 4,
  /** Masks of the lanes that take part and that wait. */
  MASK = 5,
  WAITS = 6,
  /** f64: REMAINING and LAST_TIME of the state before and after this update, four rows each. */
  BEFORE = 7,
  AFTER = 11,
}

/** Time passes: how many steps each lane takes and how far ahead of the time the last of them lies. */
@inline
export function advanceClocks<T, M>(
  pose: usize, state: usize, clock: usize, record: usize, mask: M, simulates: bool, resets: bool, hasChannel: bool,
): void {
  const step = load<f64>(record, PhysicsField.STEP), perStep = load<f64>(record, PhysicsField.STEPS_PER_SECOND);
  if (isVector<T>()) {
    const waits = v128.or(
      v128.not(mask), i32x4.ne(get<v128>(state, PhysicsStateRow.PENDING), i32x4.splat(0)));
    const times = pose + HeaderRow.TIME * 16;
    // Mostly all constraints of a rig have kept the same time.
    const isShared = simulates && !resets && hasChannel;
    if (isShared) {
      if (load<f64>(clock, ClockRow.STEP * 16) == step && isRemembered(clock, state, mask, waits)) {
        copyTimes(clock + ClockRow.AFTER * 16, state + PhysicsStateRow.REMAINING * 16);
        return;
      }
      copyTimes(state + PhysicsStateRow.REMAINING * 16, clock + ClockRow.BEFORE * 16);
      put<v128>(clock, ClockRow.MASK, mask);
      put<v128>(clock, ClockRow.WAITS, waits);
    }
    store<f64>(clock, isShared ? step : 0, ClockRow.STEP * 16);
    for (let pair: usize = 0; pair < 2; pair++) {
      advancePair(
        times + (pair << 4), state + PhysicsStateRow.REMAINING * 16 + (pair << 4), clock + (pair << 3), step, perStep,
        pair == 0 ? v128.shuffle<i32>(mask, mask, 0, 0, 1, 1) : v128.shuffle<i32>(mask, mask, 2, 2, 3, 3),
        pair == 0 ? v128.shuffle<i32>(waits, waits, 0, 0, 1, 1) : v128.shuffle<i32>(waits, waits, 2, 2, 3, 3),
        simulates, resets, hasChannel);
    }
    if (isShared) copyTimes(state + PhysicsStateRow.REMAINING * 16, clock + ClockRow.AFTER * 16);
  } else {
    let remaining = resets ? 0.0 : load<f64>(state, PhysicsStateRow.REMAINING * 4);
    store<f32>(clock, aheadOf(remaining, perStep), ClockRow.AHEAD_BEFORE * 4);
    let steps = 0;
    let delta = 0.0;
    if (simulates) {
      const time = load<f64>(pose, HeaderRow.TIME * 4);
      delta = time - load<f64>(state, PhysicsStateRow.LAST_TIME * 4);
      // Written so that NaN and infinities count as no time at all.
      if (resets || !(delta > 0 && delta < 1e300)) delta = 0;
      remaining += delta;
      store<f64>(state, time, PhysicsStateRow.LAST_TIME * 4);
      if (hasChannel && load<i32>(state, PhysicsStateRow.PENDING * 4) == 0) {
        while (remaining >= step && steps < MAXIMUM_PHYSICS_STEPS) {
          remaining -= step;
          steps++;
        }
        if (remaining >= step) remaining = withoutSteps(remaining, step);
      }
      store<f64>(state, remaining, PhysicsStateRow.REMAINING * 4);
    }
    store<i32>(clock, steps, ClockRow.STEPS * 4);
    store<f32>(clock, aheadOf(remaining, perStep), ClockRow.AHEAD * 4);
    store<f32>(clock, <f32>delta, ClockRow.DELTA * 4);
  }
}

/** The next constraint works out its times itself. */
@inline
export function forgetClock(clock: usize): void {
  store<f64>(clock, 0, ClockRow.STEP * 16);
}

/** Whether a state has the times that the last constraint had before it advanced, in the same lanes. */
@inline
function isRemembered(clock: usize, state: usize, mask: v128, waits: v128): bool {
  const times = state + PhysicsStateRow.REMAINING * 16;
  let other = v128.or(v128.xor(mask, get<v128>(clock, ClockRow.MASK)), v128.xor(waits, get<v128>(clock, ClockRow.WAITS)));
  other = v128.or(other, v128.xor(v128.load(times), get<v128>(clock, ClockRow.BEFORE)));
  other = v128.or(other, v128.xor(v128.load(times, 16), get<v128>(clock, ClockRow.BEFORE + 1)));
  other = v128.or(other, v128.xor(v128.load(times, 32), get<v128>(clock, ClockRow.BEFORE + 2)));
  other = v128.or(other, v128.xor(v128.load(times, 48), get<v128>(clock, ClockRow.BEFORE + 3)));
  return !v128.any_true(other);
}

/** What remains and the last times of four lanes. */
@inline
function copyTimes(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

/** advanceClocks of two lanes: the same operations on f64x2. `mask` and `waits` are masks of 64 bits. */
function advancePair(
  time: usize, remainingAt: usize, clock: usize, step: f64, perStep: f64, mask: v128, waits: v128, simulates: bool, resets: bool,
  hasChannel: bool,
): void {
  const zero = f64x2.splat(0), one = f64x2.splat(1);
  let remaining = v128.load(remainingAt);
  if (resets) remaining = v128.andnot(remaining, mask);
  const before = f64x2.pmax(zero, f64x2.sub(one, f64x2.mul(remaining, f64x2.splat(perStep))));
  v128.store64_lane(clock, f32x4.demote_f64x2_zero(before), 0, ClockRow.AHEAD_BEFORE * 16);
  let steps = i64x2.splat(0), delta = zero;
  if (simulates) {
    const now = v128.load(time);
    const lastAt = remainingAt + (PhysicsStateRow.LAST_TIME - PhysicsStateRow.REMAINING) * 16;
    const last = v128.load(lastAt);
    delta = f64x2.sub(now, last);
    const passes = v128.and(f64x2.gt(delta, zero), f64x2.lt(delta, f64x2.splat(1e300)));
    delta = resets ? zero : v128.and(delta, v128.and(passes, mask));
    remaining = f64x2.add(remaining, delta);
    v128.store(lastAt, v128.bitselect(now, last, mask));
    if (hasChannel) {
      const size = f64x2.splat(step);
      let live = v128.andnot(f64x2.ge(remaining, size), waits);
      for (let i = 0; i < MAXIMUM_PHYSICS_STEPS && v128.any_true(live); i++) {
        remaining = f64x2.sub(remaining, v128.and(size, live));
        // A set mask is -1.
        steps = i64x2.sub(steps, live);
        live = v128.and(live, f64x2.ge(remaining, size));
      }
      if (v128.any_true(live)) {
        const first = f64x2.extract_lane(remaining, 0), second = f64x2.extract_lane(remaining, 1);
        const dropped = f64x2.replace_lane(f64x2.splat(withoutSteps(first, step)), 1, withoutSteps(second, step));
        remaining = v128.bitselect(dropped, remaining, live);
      }
    }
    v128.store(remainingAt, remaining);
  }
  const ahead = f64x2.pmax(zero, f64x2.sub(one, f64x2.mul(remaining, f64x2.splat(perStep))));
  // The low halves of two 64-bit counts.
  v128.store64_lane(clock, v128.shuffle<i32>(steps, steps, 0, 2, 0, 2), 0, ClockRow.STEPS * 16);
  v128.store64_lane(clock, f32x4.demote_f64x2_zero(ahead), 0, ClockRow.AHEAD * 16);
  v128.store64_lane(clock, f32x4.demote_f64x2_zero(delta), 0, ClockRow.DELTA * 16);
}

/** What is left of a time after whole steps. */
function withoutSteps(remaining: f64, step: f64): f64 {
  const rest = remaining - Math.floor(remaining / step) * step;
  return rest >= 0 && rest < step ? rest : 0;
}

@inline
function aheadOf(remaining: f64, perStep: f64): f32 {
  const ahead = 1.0 - remaining * perStep;
  return ahead > 0 ? <f32>ahead : 0;
}
