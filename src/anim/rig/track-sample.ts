/** One channel at one time, in double precision and without linear memory: for root motion and bakers. @internal */
import { type KeyTrack, TrackMode } from "./key-track.js";

/**
 * Writes the value of a track with keys at a time within the clip (not wrapped): 3 numbers, or 4 of a unit quaternion.
 * Same rules as the kernels; rotations by the series of `slerp` below.
 */
export function sampleTrack(track: KeyTrack, time: number, out: Float64Array, offset: number): void {
  const s = track.stride, values = track.values;
  const key = track.upperBound(Math.fround(time)) - 1;
  const from = Math.max(0, key) * s;
  if (key < 0 || key === track.count - 1 || track.mode === TrackMode.STEP) {
    for (let i = 0; i < s; i++) out[offset + i] = values[from + i]!;
    return;
  }
  const start = track.times[key]!, length = track.times[key + 1]! - start;
  const u = length < 1e-8 ? 1 : Math.min(1, Math.max(0, (time - start) / length));
  const to = from + s;
  if (track.mode === TrackMode.CUBIC) {
    hermite(track, from, to, u, length, out, offset);
  } else if (s === 4) {
    slerp(values, from, values, to, u, out, offset);
  } else {
    for (let i = 0; i < s; i++) out[offset + i] = values[from + i]! + (values[to + i]! - values[from + i]!) * u;
  }
}

function hermite(track: KeyTrack, from: number, to: number, u: number, length: number, out: Float64Array, offset: number): void {
  const { values, inTangents, outTangents } = track;
  const end = u * u * (3 - 2 * u);
  const outWeight = u * (1 - u) * (1 - u) * length, inWeight = u * u * (u - 1) * length;
  let squares = 0;
  for (let i = 0; i < track.stride; i++) {
    const v = values[from + i]! * (1 - end) + values[to + i]! * end + outTangents![from + i]! * outWeight + inTangents![to + i]! * inWeight;
    out[offset + i] = v;
    squares += v * v;
  }
  if (track.stride !== 4) return;
  if (squares < 1e-16) {
    for (let i = 0; i < 4; i++) out[offset + i] = values[from + i]!;
    return;
  }
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < 4; i++) out[offset + i]! *= scale;
}

/** Terms of the series in x - 1; see assembly/math/quaternion.ts for the source. Fourteen reach 1e-9 rad below 150 degrees. */
const TERMS = 14;

function slerpWeight(t: number, xm1: number): number {
  let w = 1;
  for (let i = TERMS; i > 0; i--) w = 1 + ((t * t) / (i * (2 * i + 1)) - i / (2 * i + 1)) * xm1 * w;
  return t * w;
}

/** Unit quaternion between two, on the shortest arc. Only products, sums and a root: the same bits everywhere. */
export function slerp(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number, t: number, out: Float64Array, offset: number): void {
  let dot = a[ai]! * b[bi]! + a[ai + 1]! * b[bi + 1]! + a[ai + 2]! * b[bi + 2]! + a[ai + 3]! * b[bi + 3]!;
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  const wa = slerpWeight(1 - t, dot - 1), wb = sign * slerpWeight(t, dot - 1);
  const x = wa * a[ai]! + wb * b[bi]!, y = wa * a[ai + 1]! + wb * b[bi + 1]!;
  const z = wa * a[ai + 2]! + wb * b[bi + 2]!, w = wa * a[ai + 3]! + wb * b[bi + 3]!;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[offset] = x * scale;
  out[offset + 1] = y * scale;
  out[offset + 2] = z * scale;
  out[offset + 3] = w * scale;
}
