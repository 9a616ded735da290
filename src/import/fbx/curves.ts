import { type FbxObject } from "./document.js";
import { arrayOf, contentError } from "./tree.js";

/** FBX time units per second. */
export const TICKS_PER_SECOND = 46186158000;

const CONSTANT = 0x2;
const LINEAR = 0x4;
const CONSTANT_NEXT = 0x100;
const WEIGHTED_RIGHT = 0x01000000;
const WEIGHTED_NEXT_LEFT = 0x02000000;
const DEFAULT_WEIGHT = 1 / 3;

/** One animated number over time. */
export class FbxCurve {
  constructor(
    /** Seconds, strictly increasing. */
    readonly times: Float64Array,
    readonly values: Float64Array,
    /** Per key, for the segment that follows it: flags, slope at its start, slope at its end, two weights. */
    readonly flags: Int32Array,
    readonly startSlopes: Float64Array,
    readonly endSlopes: Float64Array,
    readonly startWeights: Float64Array,
    readonly endWeights: Float64Array,
  ) {}

  /** Whether every segment jumps at its end. */
  get isStepped(): boolean {
    return this.flags.every((flags) => (flags & CONSTANT) !== 0);
  }

  /** Whether no segment bends. */
  get isPiecewiseLinear(): boolean {
    return this.flags.every((flags) => (flags & (CONSTANT | LINEAR)) !== 0);
  }

  /** The value at a time; held before the first and after the last key. */
  at(time: number): number {
    const { times, values } = this;
    const last = times.length - 1;
    if (time <= times[0]!) return values[0]!;
    if (time >= times[last]!) return values[last]!;
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle;
    }
    const flags = this.flags[low]!;
    const from = values[low]!, to = values[high]!;
    if ((flags & CONSTANT) !== 0) return (flags & CONSTANT_NEXT) !== 0 && time > times[low]! ? to : from;
    const span = times[high]! - times[low]!;
    const u = (time - times[low]!) / span;
    if ((flags & LINEAR) !== 0) return from + (to - from) * u;
    const startWeight = this.startWeights[low]!, endWeight = this.endWeights[low]!;
    const weighted = Math.abs(startWeight - DEFAULT_WEIGHT) > 1e-4 || Math.abs(endWeight - DEFAULT_WEIGHT) > 1e-4;
    const s = weighted ? parameterAt(u, startWeight, 1 - endWeight) : u;
    const c1 = from + this.startSlopes[low]! * span * startWeight;
    const c2 = to - this.endSlopes[low]! * span * endWeight;
    const r = 1 - s;
    return r * r * r * from + 3 * r * r * s * c1 + 3 * r * s * s * c2 + s * s * s * to;
  }
}

/** The Bézier parameter at which the abscissa 0, a, b, 1 equals u: bisection, monotone for a and b in [0, 1]. */
function parameterAt(u: number, a: number, b: number): number {
  let low = 0, high = 1;
  for (let i = 0; i < 48; i++) {
    const s = (low + high) / 2, r = 1 - s;
    if (3 * r * r * s * a + 3 * r * s * s * b + s * s * s < u) low = s;
    else high = s;
  }
  return (low + high) / 2;
}

/** Reads an AnimationCurve; undefined when it has no keys. */
export function readCurve(object: FbxObject, file: string | undefined): FbxCurve | undefined {
  const ticks = arrayOf(object.node, "KeyTime");
  const numbers = arrayOf(object.node, "KeyValueFloat");
  if (ticks === undefined || numbers === undefined || ticks.length === 0) return undefined;
  const fail = (problem: string): never => {
    throw contentError(file, `animation curve ${object.id} ${problem}`);
  };
  if (ticks.length !== numbers.length) fail(`has ${ticks.length} times and ${numbers.length} values`);
  const count = ticks.length;
  const flags = new Int32Array(count).fill(LINEAR);
  const start = new Float64Array(count), end = new Float64Array(count);
  const startWeights = new Float64Array(count).fill(DEFAULT_WEIGHT), endWeights = new Float64Array(count).fill(DEFAULT_WEIGHT);
  const runFlags = arrayOf(object.node, "KeyAttrFlags");
  const runCounts = arrayOf(object.node, "KeyAttrRefCount");
  const data = arrayOf(object.node, "KeyAttrDataFloat");
  if (runFlags !== undefined && runCounts !== undefined) {
    let key = 0;
    for (let run = 0; run < runFlags.length && key < count; run++) {
      const many = Math.min(runCounts[run] ?? 0, count - key);
      for (let n = 0; n < many; n++, key++) {
        flags[key] = runFlags[run]!;
        start[key] = finite(data?.[run * 4]);
        end[key] = finite(data?.[run * 4 + 1]);
        const weights = packedWeights(data?.[run * 4 + 2]);
        if ((flags[key]! & WEIGHTED_RIGHT) !== 0) startWeights[key] = weights[0];
        if ((flags[key]! & WEIGHTED_NEXT_LEFT) !== 0) endWeights[key] = weights[1];
      }
    }
  }
  const keep: number[] = [];
  for (let k = 0; k < count; k++) {
    if (!Number.isFinite(numbers[k]!) || !Number.isFinite(ticks[k]!)) fail(`has the value ${numbers[k]} at key ${k}`);
    // Of keys at one time, the later one counts.
    if (keep.length > 0 && ticks[k]! <= ticks[keep[keep.length - 1]!]!) keep.pop();
    if (keep.length > 0 && ticks[k]! <= ticks[keep[keep.length - 1]!]!) fail(`has keys that go back in time at key ${k}`);
    keep.push(k);
  }
  const pick = (list: ArrayLike<number>): Float64Array => Float64Array.from(keep, (k) => list[k]!);
  return new FbxCurve(
    Float64Array.from(keep, (k) => ticks[k]! / TICKS_PER_SECOND), pick(numbers), Int32Array.from(keep, (k) => flags[k]!), pick(start), pick(end), pick(startWeights), pick(endWeights),
  );
}

/** Two weights in units of 1/9999, packed as 16-bit halves into the bits of a float. */
function packedWeights(value: number | undefined): [number, number] {
  if (value === undefined) return [DEFAULT_WEIGHT, DEFAULT_WEIGHT];
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value, true);
  return [Math.min(1, view.getUint16(0, true) / 9999), Math.min(1, view.getUint16(2, true) / 9999)];
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}
