/** Removes keys whose loss stays within a tolerance of the original curve. @internal */
import { type KeyTrack, TrackMode } from "./key-track.js";
import { SLERP_WEIGHT, slerpByWeight } from "./track-sample.js";

/** What `AnimClip.compress` did. Errors are the largest deviations from the original curves. */
export interface CompressReport {
  removedPosition: number;
  removedRotation: number;
  removedScale: number;
  maxPositionError: number;
  maxRotationErrorDegrees: number;
  maxScaleError: number;
}

/** Interior times of an original segment at which the error is looked at, besides its ends. */
const INTERIOR = 7;
const DEGREES = 180 / Math.PI;

/**
 * Reduces a track in place. Greedy: from the last kept key the chord is extended as far as every checked point stays
 * inside; its end is found by doubling and bisection. First and last key stay.
 * @param tolerance - distance, or for rotations the angle in degrees
 * @returns removed keys and the largest error (distance or degrees)
 */
export function reduceTrack(track: KeyTrack, tolerance: number): { removed: number; maxError: number } {
  if (track.mode === TrackMode.CUBIC || track.count < 3) return { removed: 0, maxError: 0 };
  const kept = track.mode === TrackMode.STEP ? distinctSteps(track) : chords(track, tolerance);
  const maxError = track.mode === TrackMode.STEP ? 0 : errorOf(track, kept);
  const removed = track.count - kept.length, s = track.stride;
  const times = Float32Array.from(kept, (key) => track.times[key]!), values = new Float32Array(kept.length * s);
  kept.forEach((key, i) => values.set(track.values.subarray(key * s, key * s + s), i * s));
  track.times = times;
  track.values = values;
  track.count = kept.length;
  return { removed, maxError };
}

function distinctSteps({ values, count, stride }: KeyTrack): number[] {
  const kept = [0];
  for (let key = 1; key < count; key++) {
    let same = true;
    for (let k = 0; k < stride; k++) same &&= values[key * stride + k] === values[(key - 1) * stride + k];
    if (!same || key === count - 1) kept.push(key);
  }
  return kept;
}

function chords(track: KeyTrack, tolerance: number): number[] {
  const limit = limitOf(track, tolerance), last = track.count - 1, kept = [0];
  let from = 0;
  while (from < last) {
    let good = from + 1, step = 1;
    while (good < last && chordError(track, from, Math.min(last, good + step)) <= limit) {
      good = Math.min(last, good + step);
      step *= 2;
    }
    let bad = Math.min(last + 1, good + step);
    while (bad - good > 1) {
      const middle = (good + bad) >>> 1;
      if (chordError(track, from, middle) <= limit) good = middle;
      else bad = middle;
    }
    kept.push(good);
    from = good;
  }
  return kept;
}

/** The tolerance as `chordError` measures: squared distance, or the squared sine of half the angle. */
function limitOf(track: KeyTrack, tolerance: number): number {
  const { values, stride, count } = track;
  if (stride === 4) {
    const half = Math.max(tolerance, tolerance === 0 ? 1e-4 : 0) / DEGREES / 2;
    const sine = half < 1 ? half - half ** 3 / 6 + half ** 5 / 120 : 1;
    return sine * sine;
  }
  if (tolerance > 0) return tolerance * tolerance;
  // What rounding to float32 alone explains.
  let size = 0;
  for (let k = 0; k < stride; k++) {
    let low = Infinity, high = -Infinity;
    for (let i = k; i < count * stride; i += stride) {
      low = Math.min(low, values[i]!);
      high = Math.max(high, values[i]!);
    }
    size = Math.max(size, high - low, Math.abs(low), Math.abs(high));
  }
  return (1e-6 * size) ** 2;
}

const original = new Float64Array(4), chord = new Float64Array(4);

/** Largest error of the chord from one key to another, as `limitOf` measures it. */
function chordError(track: KeyTrack, from: number, to: number): number {
  const { times } = track;
  const start = times[from]!, length = times[to]! - start;
  let worst = 0;
  for (let key = from; key < to; key++) {
    const a = times[key]!, seconds = times[key + 1]! - a;
    for (let i = key === from ? 1 : 0; i <= INTERIOR; i++) {
      const u = i / (INTERIOR + 1);
      evaluate(track, key, key + 1, u, original);
      evaluate(track, from, to, length > 0 ? (a + seconds * u - start) / length : 1, chord);
      worst = Math.max(worst, deviation(track.stride));
    }
  }
  return worst;
}

function evaluate({ values, stride }: KeyTrack, a: number, b: number, u: number, out: Float64Array): void {
  if (stride === 4) {
    SLERP_WEIGHT[0] = u;
    slerpByWeight(values, a * 4, values, b * 4, out, 0);
  } else {
    for (let k = 0; k < stride; k++) out[k] = values[a * stride + k]! + (values[b * stride + k]! - values[a * stride + k]!) * u;
  }
}

function deviation(stride: number): number {
  const a = original, b = chord;
  if (stride !== 4) return (a[0]! - b[0]!) ** 2 + (a[1]! - b[1]!) ** 2 + (a[2]! - b[2]!) ** 2;
  // Vector part of conj(a) b: the sine of half the angle, exact where an arc cosine is not.
  const x = a[3]! * b[0]! - a[0]! * b[3]! - a[1]! * b[2]! + a[2]! * b[1]!;
  const y = a[3]! * b[1]! - a[1]! * b[3]! - a[2]! * b[0]! + a[0]! * b[2]!;
  const z = a[3]! * b[2]! - a[2]! * b[3]! - a[0]! * b[1]! + a[1]! * b[0]!;
  return x * x + y * y + z * z;
}

/** Largest error over all kept chords, as a distance or in degrees. */
function errorOf(track: KeyTrack, kept: readonly number[]): number {
  let worst = 0;
  for (let i = 1; i < kept.length; i++) worst = Math.max(worst, chordError(track, kept[i - 1]!, kept[i]!));
  return track.stride === 4 ? 2 * Math.asin(Math.min(1, Math.sqrt(worst))) * DEGREES : Math.sqrt(worst);
}
