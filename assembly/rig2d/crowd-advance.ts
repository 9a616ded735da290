/**
 * Moves the clocks of a crowd: track times, fades, events.
 *
 * Layout   see layout/crowd.ts.
 * Requires dt finite and >= 0; rows first..last-1 below COUNT; fade and overlay clips valid or NO_CLIP.
 * Ensures  TIME, FADE_TIME, MIX_TIME, OVERLAY_TIME, SKELETON_TIME, PENDING, AGE and FLAGS of those rows; events of the clip that
 *          plays, in key order, appended to the ring while it has room (EVENT_COUNT counts all of them).
 *          Single caller: the ring has one writer.
 * Source   the order of an animation state's update: fade first, then the track.
 */
import {
  BetweenField, CLIP_BYTES, ClipField, CrowdField, EVENT_BYTES, EVENT_COMPLETE, EventField, INSTANCE_BYTES, InstanceField, InstanceFlag, NO_CLIP, RESET_BYTES,
  ResetField,
} from "../layout/crowd";
import { PHYSICS_STATE_ROWS, PhysicsStateRow } from "../layout/update";

/** Animation time of a track time: clamped or wrapped into the clip. */
@inline
export function animationTime(trackTime: f64, duration: f64, loops: bool): f64 {
  if (!loops) return trackTime < duration ? trackTime : duration;
  return duration == 0 ? 0 : remainder(trackTime, duration);
}

/** Floating-point remainder with the sign of the dividend, exact for the quotients that clocks produce. */
@inline
export function remainder(a: f64, b: f64): f64 {
  if (a >= 0 && a < b) return a;
  return exactRemainder(a, b);
}

/**
 * a - b * trunc(a / b) without rounding error: subtracts multiples of b scaled by powers of two, largest first, each of
 * which is exact (the schoolbook division of fmod).
 */
function exactRemainder(a: f64, b: f64): f64 {
  let rest = abs<f64>(a);
  if (!(rest < Infinity) || !(b > 0)) return 0;
  let step = b;
  while (step <= rest * 0.5) step *= 2;
  while (step >= b) {
    if (rest >= step) rest -= step;
    step *= 0.5;
  }
  return a < 0 ? -rest : rest;
}

/** Advances rows first..last-1 by dt seconds. */
export function advanceCrowd(crowd: usize, first: i32, last: i32, dt: f64): void {
  const instances = <usize>load<u32>(crowd, CrowdField.INSTANCES);
  const clips = <usize>load<u32>(crowd, CrowdField.CLIPS);
  for (let row = first; row < last; row++) {
    const instance = instances + <usize>row * INSTANCE_BYTES;
    let flags = load<u32>(instance, InstanceField.FLAGS);
    // Animations are applied, and reset physics, before the skeleton's own time moves on.
    const now = load<f64>(instance, InstanceField.SKELETON_TIME);
    store<f64>(instance, now + dt, InstanceField.SKELETON_TIME);

    // Fade: its clip leaves one update after the pose in which the fade was complete.
    if (load<i32>(instance, InstanceField.FADE_CLIP) != NO_CLIP) {
      const mixTime = load<f64>(instance, InstanceField.MIX_TIME);
      if ((flags & InstanceFlag.POSED) != 0 && mixTime >= load<f64>(instance, InstanceField.MIX_DURATION)) {
        store<i32>(instance, NO_CLIP, InstanceField.FADE_CLIP);
      } else {
        store<f64>(instance, mixTime + dt, InstanceField.MIX_TIME);
        const fadeTime = load<f64>(instance, InstanceField.FADE_TIME);
        const next = fadeTime + dt * <f64>load<f32>(instance, InstanceField.FADE_SPEED);
        store<f64>(instance, next, InstanceField.FADE_TIME);
        const from = load<i32>(instance, InstanceField.FADE_CLIP);
        if (from >= 0) {
          resetBeside(crowd, instance, clips + <usize>from * CLIP_BYTES, fadeTime, next, (flags & InstanceFlag.FADE_LOOP) != 0, false, now);
        }
      }
    }

    const clipIndex = load<i32>(instance, InstanceField.CLIP);
    if (clipIndex >= 0) {
      const time = load<f64>(instance, InstanceField.TIME) + dt * <f64>load<f32>(instance, InstanceField.SPEED);
      store<f64>(instance, time, InstanceField.TIME);
    }
    if (load<i32>(instance, InstanceField.OVERLAY_CLIP) >= 0) advanceOverlay(crowd, instance, clips, flags, dt, now);

    // An instance with a slower update rate is posed when its interval has passed; a clip that was never seen at once, unless
    // something between two poses is shown, which would not be reached then.
    const interval = load<f64>(instance, InstanceField.INTERVAL);
    if (interval > 0) {
      const pending = load<f64>(instance, InstanceField.PENDING) + dt;
      if (pending >= interval || ((flags & InstanceFlag.POSED) == 0 && !isBetween(instance))) {
        flags |= InstanceFlag.DUE;
        store<f64>(instance, pending >= interval ? remainder(pending, interval) : 0, InstanceField.PENDING);
        store<f64>(instance, 0, InstanceField.AGE);
      } else {
        flags &= ~(<u32>InstanceFlag.DUE);
        store<f64>(instance, pending, InstanceField.PENDING);
        store<f64>(instance, load<f64>(instance, InstanceField.AGE) + dt, InstanceField.AGE);
      }
    } else {
      flags |= InstanceFlag.DUE;
      store<f64>(instance, 0, InstanceField.AGE);
    }
    store<u32>(instance, flags, InstanceField.FLAGS);
    if (clipIndex >= 0) fireEvents(crowd, instance, clips + <usize>clipIndex * CLIP_BYTES, clipIndex, flags, now);
  }
}

/** Clock and fade of an overlay. One that was seen to the end of its way out is gone; one that leaves at once still has this update. */
function advanceOverlay(crowd: usize, instance: usize, clips: usize, flags: u32, dt: f64, now: f64): void {
  const mixTime = load<f64>(instance, InstanceField.OVERLAY_MIX_TIME), mixDuration = load<f64>(instance, InstanceField.OVERLAY_MIX_DURATION);
  const isOver = (flags & InstanceFlag.OVERLAY_OUT) != 0 && mixTime >= mixDuration;
  if (!isOver || mixDuration == 0) {
    const before = load<f64>(instance, InstanceField.OVERLAY_TIME);
    const time = before + dt * <f64>load<f32>(instance, InstanceField.OVERLAY_SPEED);
    store<f64>(instance, time, InstanceField.OVERLAY_TIME);
    const overlay = clips + <usize>load<i32>(instance, InstanceField.OVERLAY_CLIP) * CLIP_BYTES;
    // The memory of a clip that was not posed yet is fresh, as it is of one that begins to leave.
    const isNew = (flags & InstanceFlag.OVERLAY_OUT) == 0 && load<u32>(<usize>load<u32>(instance, InstanceField.OVERLAY_ROTATIONS)) != 0;
    resetBeside(crowd, instance, overlay, before, time, (flags & InstanceFlag.OVERLAY_LOOP) != 0, isNew, now);
  }
  if (isOver) store<i32>(instance, NO_CLIP, InstanceField.OVERLAY_CLIP);
  else store<f64>(instance, mixTime + dt, InstanceField.OVERLAY_MIX_TIME);
}

/** Whether an instance is shown between two poses. */
@inline
function isBetween(instance: usize): bool {
  const between = <usize>load<u32>(instance, InstanceField.BETWEEN);
  return between != 0 && load<u32>(between, BetweenField.POSES) > 1;
}

/** Events and completion of the clip that plays, then its last times. */
function fireEvents(crowd: usize, instance: usize, clip: usize, clipIndex: i32, flags: u32, now: f64): void {
  const duration = load<f64>(clip, ClipField.DURATION);
  const loops = (flags & InstanceFlag.LOOP) != 0;
  const trackTime = load<f64>(instance, InstanceField.TIME);
  const time = animationTime(trackTime, duration, loops);
  const lastTime = load<f64>(instance, InstanceField.LAST_TIME);
  const lastTrack = load<f64>(instance, InstanceField.LAST_TRACK);

  // Completed: once per update at most, and between the events before and behind the loop point.
  let completed = false;
  if (loops) {
    if (duration == 0) completed = true;
    else {
      const turns = Math.floor(trackTime / duration);
      completed = turns > 0 && turns > Math.floor(lastTrack / duration);
    }
  } else {
    completed = time >= duration && lastTime < duration;
  }

  if (load<i32>(clip, ClipField.RESET_COUNT) > 0) resetPhysics(crowd, instance, clip, lastTime, time, now);
  // A wrapped clip fires what was left of the old round, completes, then fires the new round.
  if (lastTime <= time) {
    fireBetween(crowd, instance, clip, clipIndex, lastTime, time);
    if (completed) push(crowd, instance, clipIndex, EVENT_COMPLETE);
  } else {
    fireBetween(crowd, instance, clip, clipIndex, lastTime, Infinity);
    if (completed) push(crowd, instance, clipIndex, EVENT_COMPLETE);
    fireBetween(crowd, instance, clip, clipIndex, -Infinity, time);
  }
  store<f64>(instance, time, InstanceField.LAST_TIME);
  store<f64>(instance, trackTime, InstanceField.LAST_TRACK);
}

/** Resets by a clip that plays beside the main one, from one track time to another. */
function resetBeside(crowd: usize, instance: usize, clip: usize, before: f64, time: f64, loops: bool, isNew: bool, now: f64): void {
  if (load<i32>(clip, ClipField.RESET_COUNT) == 0) return;
  const duration = load<f64>(clip, ClipField.DURATION);
  const from = isNew ? -1 : animationTime(before, duration, loops);
  resetPhysics(crowd, instance, clip, from, animationTime(time, duration, loops), now);
}

/** Puts physics back to rest where a key says so; `now` is the skeleton's time. */
function resetPhysics(crowd: usize, instance: usize, clip: usize, from: f64, to: f64, now: f64): void {
  const states = <usize>load<u32>(instance, InstanceField.PHYSICS);
  if (states == 0) return;
  let reset = <usize>load<u32>(clip, ClipField.RESETS);
  for (let i = load<i32>(clip, ClipField.RESET_COUNT); i > 0; i--, reset += RESET_BYTES) {
    if (!hasKey(<usize>load<u32>(reset, ResetField.TIMES), load<i32>(reset, ResetField.COUNT), from, to)) continue;
    const index = load<i32>(reset, ResetField.CONSTRAINT);
    if (index >= 0) resetState(states + <usize>index * (PHYSICS_STATE_ROWS << 2), now);
    else for (let k = load<i32>(crowd, CrowdField.PHYSICS_COUNT) - 1; k >= 0; k--) resetState(states + <usize>k * (PHYSICS_STATE_ROWS << 2), now);
  }
}

/** Whether a key lies in (from, to], or on the way round if to < from. */
function hasKey(times: usize, count: i32, from: f64, to: f64): bool {
  for (let i = 0; i < count; i++) {
    const at = <f64>load<f32>(times + (<usize>i << 2));
    if (from <= to ? at > from && at <= to : at > from || at <= to) return true;
  }
  return false;
}

/** What was remembered of positions is kept: the next update only records them. */
function resetState(state: usize, now: f64): void {
  store<i32>(state + (PhysicsStateRow.PENDING << 2), 1);
  memory.fill(state + (PhysicsStateRow.X_OFFSET << 2), 0, (PhysicsStateRow.SCALE_VELOCITY - PhysicsStateRow.X_OFFSET + 1) << 2);
  store<f64>(state + (PhysicsStateRow.REMAINING << 2), 0);
  store<f64>(state + (PhysicsStateRow.LAST_TIME << 2), now);
}

/** Pushes the keys with from < time <= to. */
function fireBetween(crowd: usize, instance: usize, clip: usize, clipIndex: i32, from: f64, to: f64): void {
  const count = load<i32>(clip, ClipField.EVENT_COUNT);
  const times = <usize>load<u32>(clip, ClipField.EVENT_TIMES);
  for (let key = 0; key < count; key++) {
    const at = load<f64>(times + (<usize>key << 3));
    if (at > from && at <= to) push(crowd, instance, clipIndex, key);
  }
}

@inline
function push(crowd: usize, instance: usize, clipIndex: i32, key: i32): void {
  const count = load<i32>(crowd, CrowdField.EVENT_COUNT);
  store<i32>(crowd, count + 1, CrowdField.EVENT_COUNT);
  if (count >= load<i32>(crowd, CrowdField.EVENT_CAPACITY)) return;
  const event = <usize>load<u32>(crowd, CrowdField.EVENTS) + <usize>count * EVENT_BYTES;
  store<f64>(event, load<f64>(instance, InstanceField.ID), EventField.ID);
  store<i32>(event, clipIndex, EventField.CLIP);
  store<i32>(event, key, EventField.KEY);
}
