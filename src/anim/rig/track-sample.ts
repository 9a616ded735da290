/** One channel at one time, in double precision and without linear memory: for root motion and bakers. @internal */
import { type KeyTrack, TrackMode } from "./key-track.js";

/** The time of `sampleTrackAtTime` and the weight of `slerpByWeight`: in a typed array, because doubles in arguments are boxed. */
export const TRACK_TIME = /* @__PURE__ */ new Float64Array(1);
export const SLERP_WEIGHT = /* @__PURE__ */ new Float64Array(2);

const MIDDLE = /* @__PURE__ */ new Float64Array(8);

/**
 * Writes the value of a track with keys at a time within the clip (not wrapped): 3 numbers, or 4 of a unit quaternion.
 * Same rules as the kernels; rotations by the series of `slerp` below.
 */
export function sampleTrack(track: KeyTrack, time: number, out: Float64Array, offset: number): void {
  TRACK_TIME[0] = time;
  sampleTrackAtTime(track, out, offset);
}

/** `sampleTrack` at TRACK_TIME. */
export function sampleTrackAtTime(track: KeyTrack, out: Float64Array, offset: number): void {
  const s = track.stride, values = track.values, times = track.times, time = TRACK_TIME[0]!, rounded = Math.fround(time);
  let low = 0, high = track.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= rounded) low = middle + 1;
    else high = middle;
  }
  const key = low - 1, from = Math.max(0, key) * s;
  if (key < 0 || key === track.count - 1 || track.mode === TrackMode.STEP) {
    for (let i = 0; i < s; i++) out[offset + i] = values[from + i]!;
    return;
  }
  const start = times[key]!, length = times[key + 1]! - start;
  const u = length < 1e-8 ? 1 : Math.min(1, Math.max(0, (time - start) / length));
  const to = from + s;
  SLERP_WEIGHT[0] = u;
  if (track.mode === TrackMode.CUBIC) {
    SLERP_WEIGHT[1] = length;
    hermite(track, from, to, out, offset);
  } else if (s === 4) {
    slerpByWeight(values, from, values, to, out, offset);
  } else {
    for (let i = 0; i < s; i++) out[offset + i] = values[from + i]! + (values[to + i]! - values[from + i]!) * u;
  }
}

function hermite(track: KeyTrack, from: number, to: number, out: Float64Array, offset: number): void {
  const u = SLERP_WEIGHT[0]!, length = SLERP_WEIGHT[1]!;
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

/** Terms of the series in x - 1; see assembly/math/quaternion.ts for the source. Wide arcs are halved first, so that fourteen reach 1e-9 rad. */
const TERMS = 14;

/** Unit quaternion between two, on the shortest arc. Only products, sums and a root: the same bits everywhere. */
export function slerp(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number, t: number, out: Float64Array, offset: number): void {
  SLERP_WEIGHT[0] = t;
  slerpByWeight(a, ai, b, bi, out, offset);
}

/** `slerp` by SLERP_WEIGHT[0]. */
export function slerpByWeight(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number, out: Float64Array, offset: number): void {
  let dot = a[ai]! * b[bi]! + a[ai + 1]! * b[bi + 1]! + a[ai + 2]! * b[bi + 2]! + a[ai + 3]! * b[bi + 3]!;
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  if (dot < 0.5) {
    slerpByHalves(a, ai, b, bi, sign, out, offset);
    return;
  }
  const t = SLERP_WEIGHT[0]!, s = 1 - t, tt = t * t, ss = s * s, y = dot - 1;
  let wa = 1, wb = 1;
  for (let i = TERMS; i > 0; i--) {
    const odd = 2 * i + 1, u = 1 / (i * odd), v = i / odd;
    wa = 1 + (ss * u - v) * y * wa;
    wb = 1 + (tt * u - v) * y * wb;
  }
  wa *= s;
  wb *= sign * t;
  const x = wa * a[ai]! + wb * b[bi]!, yy = wa * a[ai + 1]! + wb * b[bi + 1]!;
  const z = wa * a[ai + 2]! + wb * b[bi + 2]!, w = wa * a[ai + 3]! + wb * b[bi + 3]!;
  const scale = 1 / Math.sqrt(x * x + yy * yy + z * z + w * w);
  out[offset] = x * scale;
  out[offset + 1] = yy * scale;
  out[offset + 2] = z * scale;
  out[offset + 3] = w * scale;
}

/** Arcs of more than 120 degrees: from the middle on, half as wide. */
function slerpByHalves(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number, sign: number, out: Float64Array, offset: number): void {
  let squares = 0;
  for (let k = 0; k < 4; k++) {
    const v = a[ai + k]! + sign * b[bi + k]!;
    MIDDLE[k] = v;
    MIDDLE[4 + k] = sign * b[bi + k]!;
    squares += v * v;
  }
  const scale = 1 / Math.sqrt(squares), t = SLERP_WEIGHT[0]!;
  for (let k = 0; k < 4; k++) MIDDLE[k] = MIDDLE[k]! * scale;
  if (t <= 0.5) {
    SLERP_WEIGHT[0] = 2 * t;
    slerpByWeight(a, ai, MIDDLE, 0, out, offset);
  } else {
    SLERP_WEIGHT[0] = 2 * t - 1;
    slerpByWeight(MIDDLE, 0, MIDDLE, 4, out, offset);
  }
  SLERP_WEIGHT[0] = t;
}
