import type { EventQueue } from "./event-queue.js";
import type { TrackEntry } from "./track-entry.js";

/** What advancing needs of an AnimationState. */
export interface Advancing {
  readonly tracks: (TrackEntry | null)[];
  readonly queue: EventQueue;
  /** Seconds, the state's time scale included. */
  readonly _delta: number;
  setTrack(index: number, entry: TrackEntry, interrupt: boolean): void;
  clearNext(entry: TrackEntry): void;
}

/** Moves the time of a track on and makes the next entry current when its time has come. */
export function advanceTrack(state: Advancing, index: number, current: TrackEntry): void {
  const delta = state._delta;
  current._animationLast = current.nextAnimationLast;
  current.trackLast = current.nextTrackLast;
  let step = delta * current.timeScale;
  if (current.delay > 0) {
    current.delay -= step;
    if (current.delay > 0) return;
    step = -current.delay;
    current.delay = 0;
  }
  const next = current.next;
  if (next !== null) {
    const over = current.trackLast - next.delay;
    if (over >= 0) {
      next.delay = 0;
      next.trackTime += current.timeScale === 0 ? 0 : (over / current.timeScale + delta) * next.timeScale;
      current.trackTime += step;
      state.setTrack(index, next, true);
      for (let e: TrackEntry = next; e.mixingFrom !== null; e = e.mixingFrom) e.mixTime += delta;
      return;
    }
  } else if (current.trackLast >= current.trackEnd && current.mixingFrom === null) {
    state.tracks[index] = null;
    state.queue.end(current);
    state.clearNext(current);
    return;
  }
  if (current.mixingFrom !== null && ageMixes(state, current)) {
    let from: TrackEntry | null = current.mixingFrom;
    current.mixingFrom = null;
    if (from !== null) from.mixingTo = null;
    for (; from !== null; from = from.mixingFrom) state.queue.end(from);
  }
  current.trackTime += step;
}

/**
 * Advances the entries mixed out below the current one, oldest first; a loop, because a chain has no limit.
 * @returns whether all of their mixes are done
 */
export function ageMixes(state: Advancing, current: TrackEntry): boolean {
  const delta = state._delta;
  let from = current;
  while (from.mixingFrom !== null) from = from.mixingFrom;
  let isDone = true;
  while (from !== current) {
    const to: TrackEntry = from.mixingTo!;
    from._animationLast = from.nextAnimationLast;
    from.trackLast = from.nextTrackLast;
    if (to.nextTrackLast !== -1 && to.mixTime >= to.mixDuration) {
      if (from.totalAlpha === 0 || to.mixDuration === 0) {
        to.mixingFrom = from.mixingFrom;
        if (from.mixingFrom !== null) from.mixingFrom.mixingTo = to;
        // What is left of the chain must not change between held and not held in the middle of its mix.
        if (from.totalAlpha === 0) for (let e = to; e.mixingTo !== null; e = e.mixingTo) e.keepHold = true;
        state.queue.end(from);
      }
    } else {
      from.trackTime += delta * from.timeScale;
      to.mixTime += delta;
      isDone = false;
    }
    from = to;
  }
  return isDone;
}
