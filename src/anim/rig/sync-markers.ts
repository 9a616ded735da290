/**
 * Which sync markers of two clips correspond, and which time in one belongs to a time in the other. @internal
 *
 * Markers between 0 and the duration count. Two looping clips fit if one list of names is a rotation of the other, or a
 * whole number of repetitions of one; otherwise the lists must be equal. Nothing here allocates.
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

/** How many markers count: they are sorted by time, so those behind the end come last. */
export function usableMarkers(clip: MarkedClip): number {
  let count = clip.markers.length;
  while (count > 0 && clip.markers[count - 1]!.time > clip.duration) count--;
  return count;
}

/**
 * Smallest r such that marker i of `a` has the name of marker (i + r) mod n of `b` (indices of `a` modulo its length if `b` is
 * the longer list), or -1.
 */
function rotationOf(a: MarkedClip, b: MarkedClip): number {
  const countA = usableMarkers(a), countB = usableMarkers(b);
  if (countA < 2 || countB < 2) return -1;
  if (!(a.loop && b.loop)) return countA === countB && fits(a, b, countA, countB, countA, 0) ? 0 : -1;
  const longer = Math.max(countA, countB);
  if (longer % Math.min(countA, countB) !== 0) return -1;
  for (let r = 0; r < countB; r++) if (fits(a, b, countA, countB, longer, r)) return r;
  return -1;
}

function fits(a: MarkedClip, b: MarkedClip, countA: number, countB: number, length: number, rotation: number): boolean {
  for (let i = 0; i < length; i++) if (a.markers[i % countA]!.name !== b.markers[(i + rotation) % countB]!.name) return false;
  return true;
}

/** Whether times can be mapped by markers. */
export function haveCompatibleMarkers(a: MarkedClip, b: MarkedClip): boolean {
  return rotationOf(a, b) >= 0;
}

/** In and out of `mapSyncTime`: numbers in a typed array cross calls without being boxed. */
const IO = /* @__PURE__ */ new Float64Array(2);

/**
 * The time in `b` that corresponds to the wrapped time `t` in `a`.
 * @param near - where `b` is at present: chooses among repetitions if `b` has several; undefined takes the first
 */
export function mapSyncTime(a: MarkedClip, b: MarkedClip, t: number, near?: number): number {
  IO[0] = t;
  IO[1] = near ?? NaN;
  mapSyncInPlace(a, b, IO);
  return IO[0]!;
}

/** `mapSyncTime` with the time and where `b` is (NaN: nowhere) in io[0] and io[1]; the result replaces io[0]. */
export function mapSyncInPlace(a: MarkedClip, b: MarkedClip, io: Float64Array): void {
  const t = io[0]!, near = io[1]!;
  if (b.duration <= NO_LENGTH) {
    io[0] = 0;
    return;
  }
  const rotation = rotationOf(a, b);
  if (rotation < 0) {
    io[0] = a.duration <= NO_LENGTH ? 0 : (t / a.duration) * b.duration;
    return;
  }
  const from = a.markers, to = b.markers, countA = usableMarkers(a), countB = usableMarkers(b), loops = a.loop && b.loop;
  let interval = countA - 1;
  while (interval >= 0 && from[interval]!.time > t) interval--;
  if (!loops && (interval < 0 || interval === countA - 1)) {
    // Outside the markers of clips that do not both loop: against the clip's start or end.
    const first = interval < 0;
    const start = first ? 0 : from[interval]!.time, end = first ? from[0]!.time : a.duration;
    const startB = first ? 0 : to[countB - 1]!.time, endB = first ? to[0]!.time : b.duration;
    io[0] = startB + (endB - startB) * (end > start ? Math.min(1, Math.max(0, (t - start) / (end - start))) : 0);
    return;
  }
  if (interval < 0) interval = countA - 1;
  const start = from[interval]!.time, length = (interval + 1 < countA ? from[interval + 1]!.time : from[0]!.time + a.duration) - start;
  const part = t < start ? t - start + a.duration : t - start, fraction = length > 0 ? Math.min(1, Math.max(0, part / length)) : 0;

  let best = 0, bestDistance = Infinity;
  for (let i = (interval + rotation) % countB, n = 0; n < countB; n += countA, i = (i + countA) % countB) {
    const begin = to[i]!.time, end = i + 1 < countB ? to[i + 1]!.time : to[0]!.time + b.duration;
    let time = begin + fraction * (end - begin);
    if (time >= b.duration && b.loop) time -= b.duration;
    const apart = Math.abs(time - near), distance = near === near ? Math.min(apart, b.duration - apart) : n;
    if (distance < bestDistance) {
      best = time;
      bestDistance = distance;
    }
  }
  io[0] = best;
}
