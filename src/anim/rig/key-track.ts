/** Keys of one channel of one bone. @internal */
import { TrackMode } from "../../../assembly/layout/rig3d.js";

export { TrackMode };

/**
 * Times and values sorted by time, equal times in the order of insertion.
 * Times are float32, as every sampler compares them. Cubic tracks also have tangents.
 */
export class KeyTrack {
  count = 0;
  times: Float32Array<ArrayBuffer> = new Float32Array(0);
  values: Float32Array<ArrayBuffer> = new Float32Array(0);
  inTangents: Float32Array<ArrayBuffer> | undefined;
  outTangents: Float32Array<ArrayBuffer> | undefined;
  mode: TrackMode = TrackMode.LINEAR;

  /** @param stride - 3 for positions and scales, 4 for rotations */
  constructor(readonly stride: number) {}

  /** Inserts a key and returns its index; the value is written by the caller. */
  insert(time: number): number {
    const t = Math.fround(time);
    const at = this.upperBound(t);
    this.#reserve(this.count + 1);
    const s = this.stride;
    this.times.copyWithin(at + 1, at, this.count);
    this.values.copyWithin((at + 1) * s, at * s, this.count * s);
    this.inTangents?.copyWithin((at + 1) * s, at * s, this.count * s).fill(0, at * s, (at + 1) * s);
    this.outTangents?.copyWithin((at + 1) * s, at * s, this.count * s).fill(0, at * s, (at + 1) * s);
    this.times[at] = t;
    this.count++;
    return at;
  }

  /** Gives a key another time, keeping value and tangents, and returns its new index. */
  move(key: number, time: number): number {
    const s = this.stride;
    const value = this.values.slice(key * s, (key + 1) * s);
    const inTangent = this.inTangents?.slice(key * s, (key + 1) * s);
    const outTangent = this.outTangents?.slice(key * s, (key + 1) * s);
    this.remove(key);
    const at = this.insert(time);
    this.values.set(value, at * s);
    if (inTangent !== undefined) this.inTangents!.set(inTangent, at * s);
    if (outTangent !== undefined) this.outTangents!.set(outTangent, at * s);
    return at;
  }

  remove(key: number): void {
    const s = this.stride;
    this.times.copyWithin(key, key + 1, this.count);
    this.values.copyWithin(key * s, (key + 1) * s, this.count * s);
    this.inTangents?.copyWithin(key * s, (key + 1) * s, this.count * s);
    this.outTangents?.copyWithin(key * s, (key + 1) * s, this.count * s);
    this.count--;
  }

  clear(): void {
    this.count = 0;
    this.times = new Float32Array(0);
    this.values = new Float32Array(0);
    this.inTangents = undefined;
    this.outTangents = undefined;
  }

  /** Replaces all keys. The arrays are copied; times must be sorted. */
  assign(times: ArrayLike<number>, values: ArrayLike<number>): void {
    this.clear();
    this.times = Float32Array.from(times);
    this.values = Float32Array.from(values);
    this.count = this.times.length;
    if (this.mode === TrackMode.CUBIC) this.makeTangents();
  }

  /** Tangent arrays, zero where none were set. */
  makeTangents(): void {
    this.inTangents ??= new Float32Array(this.values.length);
    this.outTangents ??= new Float32Array(this.values.length);
  }

  /** Number of keys with a time <= t. */
  upperBound(t: number): number {
    let low = 0, high = this.count;
    if (high > 0 && this.times[high - 1]! <= t) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.times[middle]! <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  copyFrom(other: KeyTrack): void {
    this.count = other.count;
    this.times = other.times.slice(0, other.count);
    this.values = other.values.slice(0, other.count * other.stride);
    this.inTangents = other.inTangents?.slice(0, other.count * other.stride);
    this.outTangents = other.outTangents?.slice(0, other.count * other.stride);
    this.mode = other.mode;
  }

  #reserve(keys: number): void {
    if (keys <= this.times.length) return;
    const capacity = Math.max(4, keys, this.times.length * 2);
    this.times = grown(this.times, capacity);
    this.values = grown(this.values, capacity * this.stride);
    if (this.inTangents !== undefined) this.inTangents = grown(this.inTangents, capacity * this.stride);
    if (this.outTangents !== undefined) this.outTangents = grown(this.outTangents, capacity * this.stride);
  }
}

function grown(old: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const next = new Float32Array(length);
  next.set(old);
  return next;
}

/** The three channels of a bone; undefined while a channel has never had keys. */
export interface BoneTracks {
  position: KeyTrack | undefined;
  rotation: KeyTrack | undefined;
  scale: KeyTrack | undefined;
}
