/** Makes the keyframed form of a clip: as few keys as the tolerance needs, in the shortest codes that it allows. @internal */
import { dropBlock } from "./blocks.js";
import type { ClipData } from "./clip-data.js";
import { type CompileGoal, type CompileOptions, type CompileReport, type CompileSource, goalOf, nextScale, ratioOf, reportOf, tooFarOff } from "./compile.js";
import { DEGREES, type Errors, leversOf, measure } from "./compile-error.js";
import { reduceTrack } from "./compress.js";
import { type BoneTracks, KeyTrack, TrackMode } from "./key-track.js";
import { KeyframedClip, type NarrowCodes } from "./keyframed-clip.js";
import { sampleTrack } from "./track-sample.js";

const CHANNELS = ["position", "rotation", "scale"] as const;
/** Worst angle of a smallest-three code of 15 bits, degrees. */
const ROTATION_CODE = 0.0069;
/** Share of a tolerance that codes of keys may use up. */
const CODE_SHARE = 0.25;
/** Parts of a segment of a cubic track at which errors are looked at, and into which it is cut at most. */
const CUBIC_PARTS = 16;
const MOST_PARTS = 1024;
/** Share of a tolerance that straight pieces of cubic segments may use up. */
const CUBIC_SHARE = 0.25;

/** @throws AnimArgumentError, AnimCapacityError for too many key times, AnimStateError if the tolerance cannot be met; then nothing is kept */
export function compileKeyframed(source: CompileSource, options: CompileOptions, owned: number[]): { data: ClipData; report: CompileReport } {
  const goal = goalOf(source, options), times = checkTimes(source), attempts = options.allowFallback === false ? 1 : 6;
  let scale = 1, errors: Errors | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const limits = limitsOf(source, goal, scale), narrow = options.allowFallback === false ? { position: true, rotation: true, scale: true } : narrowCodes(source, limits);
    const data = new KeyframedClip(reduced(source, limits, narrow), narrow, source.duration, owned);
    errors = measure(source.raw, data, source.bones.length, times, goal.skeleton, goal.shell);
    const ratio = ratioOf(errors, goal.tolerance);
    if (ratio <= 1 && (ratio > 0.7 || attempt >= 4 || goal.skeleton === undefined)) return { data, report: reportOf("keyframed", data, source.sampleRate, errors) };
    dropBlock(owned, data.ptr);
    scale *= nextScale(ratio);
  }
  throw tooFarOff(errors!, goal);
}

/** What every bone may be off: distances, radians as degrees. */
interface Limits {
  position: number;
  rotation: number;
  scale: number;
}

function limitsOf({ bones }: CompileSource, { tolerance, skeleton, shell }: CompileGoal, share: number): Limits[] {
  const levers = skeleton === undefined ? undefined : leversOf(skeleton, shell);
  return bones.map((_, bone) => {
    let { position, rotation, scale } = tolerance;
    if (levers !== undefined) {
      // Errors add up along a chain: every bone gets a share.
      const lever = levers[Math.min(bone, levers.length - 1)]!;
      position = Math.min(position, tolerance.model / 3);
      rotation = Math.min(rotation, (tolerance.model / 2 / lever) * DEGREES);
      scale = Math.min(scale, tolerance.model / 3 / lever);
    }
    return { position: position * share, rotation: rotation * share, scale: scale * share };
  });
}

/** Largest distance that coding a track of vectors in 16 bits moves a key. */
function codeError({ values, count }: KeyTrack): number {
  let squares = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity, high = -Infinity;
    for (let i = k; i < count * 3; i += 3) {
      low = Math.min(low, values[i]!);
      high = Math.max(high, values[i]!);
    }
    squares += ((high - low) / 65535 / 2) ** 2;
  }
  return Math.sqrt(squares);
}

function codingOf(track: KeyTrack): number {
  return track.stride === 4 ? ROTATION_CODE : codeError(track);
}

/** Which channels are good enough in short codes, for all bones. */
function narrowCodes({ bones }: CompileSource, limits: readonly Limits[]): NarrowCodes {
  const narrow: NarrowCodes = { position: true, rotation: true, scale: true };
  bones.forEach((tracks, bone) => {
    for (const channel of CHANNELS) {
      const track = tracks?.[channel];
      if (track !== undefined && track.count > 1 && codingOf(track) > CODE_SHARE * limits[bone]![channel]) narrow[channel] = false;
    }
  });
  return narrow;
}

/** Copies of the tracks with fewer keys: steps, or straight from key to key. */
function reduced({ bones }: CompileSource, limits: readonly Limits[], narrow: NarrowCodes): (BoneTracks | undefined)[] {
  return bones.map((tracks, bone) => {
    if (tracks === undefined) return undefined;
    const copies: BoneTracks = { position: undefined, rotation: undefined, scale: undefined };
    for (const channel of CHANNELS) {
      const track = tracks[channel];
      if (track === undefined || track.count === 0) continue;
      const limit = limits[bone]![channel], cubic = track.mode === TrackMode.CUBIC, copy = cubic ? straightened(track, CUBIC_SHARE * limit) : new KeyTrack(track.stride);
      if (!cubic) copy.copyFrom(track);
      reduceTrack(copy, Math.max(0, limit * (cubic ? 1 - CUBIC_SHARE : 1) - (narrow[channel] ? codingOf(track) : 0)));
      copies[channel] = copy;
    }
    return copies;
  });
}

/** A cubic track as straight pieces, so many in every segment that their middles are off by `limit` (distance, degrees) at most. */
function straightened(track: KeyTrack, limit: number): KeyTrack {
  const times: number[] = [], values: number[] = [], s = track.stride, copy = new KeyTrack(s);
  for (let key = 0; key < track.count; key++) {
    const start = track.times[key]!, length = key + 1 < track.count ? track.times[key + 1]! - start : 0;
    times.push(start);
    for (let k = 0; k < s; k++) values.push(track.values[key * s + k]!);
    if (length < 1e-8) continue;
    let parts = 2;
    while (parts < MOST_PARTS && bendOf(track, start, length, parts) > limit) parts *= 2;
    for (let part = 1; part < parts; part++) {
      const time = Math.fround(start + (length * part) / parts);
      sampleTrack(track, time, PIECE, 0);
      times.push(time);
      for (let k = 0; k < s; k++) values.push(PIECE[k]!);
    }
  }
  copy.assign(times, values);
  return copy;
}

/** Start, middle and end of a piece. */
const PIECE = /* @__PURE__ */ new Float64Array(12);

/** How far a segment is from its pieces, in their middles: distance, or (about) degrees. */
function bendOf(track: KeyTrack, start: number, length: number, parts: number): number {
  let worst = 0;
  for (let part = 0; part < parts; part++) {
    let squares = 0, opposite = 0;
    // Just before the next key, not on it: there may be a jump.
    for (let i = 0; i < 3; i++) sampleTrack(track, start + Math.min(length * (1 - 1e-6), (length * (part + i / 2)) / parts), PIECE, i * 4);
    for (let k = 0; k < track.stride; k++) {
      const middle = (PIECE[k]! + PIECE[8 + k]!) / 2;
      squares += (PIECE[4 + k]! - middle) ** 2;
      opposite += PIECE[k]! * PIECE[8 + k]!;
    }
    // Beyond a right angle of half angles the straight piece takes the other way round.
    worst = Math.max(worst, track.stride === 4 && opposite < 0.9 ? Infinity : Math.sqrt(squares) * (track.stride === 4 ? 2 * DEGREES : 1));
  }
  return worst;
}

/** All key times within the duration and the middles between them; of cubic segments also the parts. */
function checkTimes({ bones, duration }: CompileSource): Float64Array {
  const keys = new Set<number>([0, duration]), inside = new Set<number>();
  for (const tracks of bones) {
    for (const channel of CHANNELS) {
      const track = tracks?.[channel];
      for (let i = 0; track !== undefined && i < track.count && track.times[i]! <= duration; i++) {
        keys.add(track.times[i]!);
        if (track.mode !== TrackMode.CUBIC || i === 0) continue;
        for (let part = 1; part < 2 * CUBIC_PARTS; part++) inside.add(track.times[i - 1]! + ((track.times[i]! - track.times[i - 1]!) * part) / (2 * CUBIC_PARTS));
      }
    }
  }
  const sorted = Float64Array.from(keys).toSorted();
  for (let i = 1; i < sorted.length; i++) inside.add((sorted[i - 1]! + sorted[i]!) / 2);
  for (const time of sorted) inside.add(time);
  return Float64Array.from(inside).toSorted();
}
