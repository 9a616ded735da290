/**
 * Which sync markers of two clips correspond, and which time in one belongs to a time in the other. @internal
 *
 * Markers between 0 and the duration count. Two looping clips fit if one list of names is a rotation of the other, or a
 * whole number of repetitions of one; otherwise the lists must be equal.
 */
import type { TimedEntry } from "./timed-list.js";

/** What the mapping needs to know of a clip. */
export interface MarkedClip {
  readonly duration: number;
  readonly loop: boolean;
  readonly markers: readonly TimedEntry[];
}

/** Below this a clip has no length. */
const NO_LENGTH = 1e-8;

function usable(clip: MarkedClip): TimedEntry[] {
  return clip.markers.filter((m) => m.time <= clip.duration);
}

/**
 * Smallest r such that marker i of `a` has the name of marker (i + r) mod n of `b` (indices of `a` modulo its length if `b` is
 * the longer list), or -1.
 */
function rotationOf(a: readonly TimedEntry[], b: readonly TimedEntry[], bothLoop: boolean): number {
  if (a.length < 2 || b.length < 2) return -1;
  if (!bothLoop) return a.length === b.length && a.every((m, i) => m.name === b[i]!.name) ? 0 : -1;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (longer.length % shorter.length !== 0) return -1;
  for (let r = 0; r < b.length; r++) {
    let fits = true;
    for (let i = 0; i < longer.length && fits; i++) fits = a[i % a.length]!.name === b[(i + r) % b.length]!.name;
    if (fits) return r;
  }
  return -1;
}

/** Whether times can be mapped by markers. */
export function haveCompatibleMarkers(a: MarkedClip, b: MarkedClip): boolean {
  return rotationOf(usable(a), usable(b), a.loop && b.loop) >= 0;
}

/**
 * The time in `b` that corresponds to the wrapped time `t` in `a`.
 * @param near - where `b` is at present: chooses among repetitions if `b` has several; undefined takes the first
 */
export function mapSyncTime(a: MarkedClip, b: MarkedClip, t: number, near?: number): number {
  if (b.duration <= NO_LENGTH) return 0;
  const from = usable(a), to = usable(b);
  const loops = a.loop && b.loop;
  const rotation = rotationOf(from, to, loops);
  if (rotation < 0) return a.duration <= NO_LENGTH ? 0 : (t / a.duration) * b.duration;

  let interval = from.length - 1;
  while (interval >= 0 && from[interval]!.time > t) interval--;
  if (!loops && (interval < 0 || interval === from.length - 1)) {
    // Outside the markers of clips that do not both loop: against the clip's start or end.
    const first = interval < 0;
    const start = first ? 0 : from[interval]!.time, end = first ? from[0]!.time : a.duration;
    const startB = first ? 0 : to[to.length - 1]!.time, endB = first ? to[0]!.time : b.duration;
    return startB + (endB - startB) * fractionOf(t - start, end - start);
  }
  if (interval < 0) interval = from.length - 1;
  const start = from[interval]!.time;
  const fraction = fractionOf(positive(t - start, a.duration), lengthOf(from, interval, a.duration));

  let best = 0, bestDistance = Infinity;
  for (let i = (interval + rotation) % to.length, n = 0; n < to.length; n += from.length, i = (i + from.length) % to.length) {
    let time = to[i]!.time + fraction * lengthOf(to, i, b.duration);
    if (time >= b.duration && b.loop) time -= b.duration;
    const apart = near === undefined ? n : Math.abs(time - near);
    const distance = near === undefined ? n : Math.min(apart, b.duration - apart);
    if (distance < bestDistance) {
      best = time;
      bestDistance = distance;
    }
  }
  return best;
}

/** Length of the interval from marker i to the next, around the end after the last. */
function lengthOf(markers: readonly TimedEntry[], i: number, duration: number): number {
  const next = i + 1 < markers.length ? markers[i + 1]!.time : markers[0]!.time + duration;
  return next - markers[i]!.time;
}

function fractionOf(part: number, length: number): number {
  return length > 0 ? Math.min(1, Math.max(0, part / length)) : 0;
}

function positive(offset: number, duration: number): number {
  return offset < 0 ? offset + duration : offset;
}
