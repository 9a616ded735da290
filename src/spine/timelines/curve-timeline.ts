import { ArgumentError, RangeMismatchError } from "../../errors.js";
import { type PropertyId, Timeline } from "./timeline.js";

const LINEAR = 0;
const STEPPED = 1;
const BEZIER = 2;
const BEZIER_SIZE = 18;
/** One sixth as the format's tools round it; tables match the reference only with these digits. */
const SIXTH = 0.16666667;

/**
 * Bezier curves as they were read from a file.
 * @internal
 */
export interface CurveSource {
  /** Per frame: 0 linear, 1 stepped, 2 Bezier, with one curve per value. */
  readonly types: ArrayLike<number>;
  /** Per curve the handles: cx1, cy1, cx2, cy2. */
  readonly handles: Float32Array | Float64Array;
  /** Times and values of all frames in the precision of the file; single with handles in single precision. */
  readonly keys: Float32Array | Float64Array;
}

/**
 * The base class for timelines that interpolate between frame values using stepped, linear, or a Bezier curve.
 *
 * `curves` holds one type per frame (0 linear, 1 stepped, otherwise 2 + index of the frame's first table) and then
 * tables of nine points x, y: a Bezier curve is evaluated as ten straight pieces. A frame with several values has
 * one table per value, one after the other.
 */
export abstract class CurveTimeline extends Timeline {
  static readonly LINEAR = LINEAR;
  static readonly STEPPED = STEPPED;
  static readonly BEZIER = BEZIER;
  /** Number of values stored for each Bezier curve. */
  static readonly BEZIER_SIZE = BEZIER_SIZE;

  /** @internal Curves that a loader read; the tables are made of them when somebody asks. */
  _source: CurveSource | null;
  /** @internal See `curves`; null until they are asked for. */
  _tables: Float32Array | null;
  /** @internal */
  readonly _bezierCount: number;

  /**
   * @param bezierCount - the maximum number of Bezier curves, one per value; see `shrink`
   * @throws ArgumentError if a count is not a whole number >= 0
   */
  constructor(frameCount: number, bezierCount: number, ...propertyIds: PropertyId[]) {
    super(frameCount, ...propertyIds);
    if (!(Number.isInteger(bezierCount) && bezierCount >= 0)) {
      throw new ArgumentError(`bezierCount is ${String(bezierCount)}, expected a whole number >= 0.`, { found: bezierCount });
    }
    this._source = null;
    this._tables = null;
    this._bezierCount = bezierCount;
  }

  /** @internal */
  get curves(): Float32Array {
    return this._tables ?? (this._tables = this._tabulate());
  }

  /** Whether `_source` tells the curves: nothing was edited since. @internal */
  get _isAsRead(): boolean {
    return this._source !== null && this._revision === 0;
  }

  /** Whether all frames but the last are linear, without making the tables. @internal */
  get _isLinear(): boolean {
    return this._tables === null && this._source === null;
  }

  /** @internal */
  _tabulate(): Float32Array {
    const frameCount = this.getFrameCount();
    const curves = new Float32Array(frameCount + this._bezierCount * BEZIER_SIZE);
    // Nothing is sampled beyond the last frame.
    if (frameCount > 0) curves[frameCount - 1] = STEPPED;
    const source = this._source;
    if (source === null) return curves;
    const { types, handles, keys } = source;
    let { length } = types;
    if (length >= frameCount) length = frameCount - 1;
    const components = this._components, entries = this.getFrameEntries();
    const curve = [0, 0, 0, 0, 0, 0, 0, 0];
    let bezier = 0;
    for (let frame = 0; frame < length; frame++) {
      if (types[frame] === STEPPED) curves[frame] = STEPPED;
      else if (types[frame] === BEZIER) {
        curves[frame] = BEZIER + frameCount + bezier * BEZIER_SIZE;
        for (let i = 1; i <= components; i++, bezier++) {
          const start = frame * entries, end = start + entries, at = bezier * 4;
          curve[0] = keys[start]!;
          curve[1] = keys[start + i]!;
          for (let k = 0; k < 4; k++) curve[2 + k] = handles[at + k]!;
          curve[6] = keys[end]!;
          curve[7] = keys[end + i]!;
          this._fillTable(curves, frameCount + bezier * BEZIER_SIZE, curve);
        }
      }
    }
    return curves;
  }

  /** Number of values of a frame that interpolate, each with a curve of its own. @internal */
  get _components(): number {
    return this.getFrameEntries() - 1;
  }

  /** Makes a table of a curve. @param curve - time and value of one end, of the handles, of the other end @internal */
  _fillTable(out: Float32Array, start: number, curve: ArrayLike<number>): void {
    subdivide(out, start, curve[0]!, curve[2]!, curve[4]!, curve[6]!);
    subdivide(out, start + 1, curve[1]!, curve[3]!, curve[5]!, curve[7]!);
  }

  /** Curves keep the ends that they were read with. @internal */
  override _detach(): void {
    const source = this._source;
    if (source !== null && source.keys === this._frames) this._source = { types: source.types, handles: source.handles, keys: this._frames.slice() };
  }

  /** Makes the tables before the first edit, from then on they count. @internal */
  override _edit(frame: number): void {
    if (this._isAsRead) this._tables ??= this._tabulate();
    super._edit(frame);
  }

  /** Sets the specified frame to linear interpolation. The last frame stays stepped: there is nothing to go to. */
  setLinear(frame: number): void {
    this._edit(frame);
    if (frame < this.getFrameCount() - 1) this.curves[frame] = LINEAR;
  }

  /** Sets the specified frame to stepped interpolation. */
  setStepped(frame: number): void {
    this._edit(frame);
    this.curves[frame] = STEPPED;
  }

  /** LINEAR, STEPPED, or BEZIER + the index in `curves` of the frame's first table. */
  getCurveType(frame: number): number {
    return this.curves[frame]!;
  }

  /** Shrinks the storage for Bezier curves to the number that is really used. */
  shrink(bezierCount: number): void {
    const length = this.getFrameCount() + bezierCount * BEZIER_SIZE;
    if (this.curves.length > length) this._tables = this.curves.slice(0, length);
  }

  /**
   * Stores the pieces of one Bezier curve: of frame `frame`, for its value number `value`.
   * @param bezier - 0 .. bezierCount-1; a frame's curves follow each other in the order of its values
   * @param cx1 - time and value of the handles, absolute
   */
  setBezier(
    bezier: number,
    frame: number,
    value: number,
    time1: number,
    value1: number,
    cx1: number,
    cy1: number,
    cx2: number,
    cy2: number,
    time2: number,
    value2: number,
  ): void {
    const start = this._table(bezier, frame, value);
    subdivide(this.curves, start, time1, cx1, cx2, time2);
    subdivide(this.curves, start + 1, value1, cy1, cy2, value2);
  }

  /** Checks the arguments of setBezier, writes the frame's type and returns where the table starts. @internal */
  _table(bezier: number, frame: number, value: number): number {
    this._edit(frame);
    const frameCount = this.getFrameCount();
    const start = frameCount + bezier * BEZIER_SIZE;
    if (!(bezier >= 0 && start + BEZIER_SIZE <= this.curves.length)) {
      throw new RangeMismatchError("bezier", bezier, 0, Math.floor((this.curves.length - frameCount) / BEZIER_SIZE) - 1);
    }
    if (value === 0 && frame < frameCount - 1) this.curves[frame] = BEZIER + start;
    return start;
  }

  /**
   * The Bezier interpolated value at `time`, which lies between two frames.
   * @param frameIndex - index into `frames` of the frame before `time`
   * @param valueOffset - offset of the value in the frame
   * @param i - index in `curves` of the value's table
   */
  getBezierValue(time: number, frameIndex: number, valueOffset: number, i: number): number {
    const { curves, _frames: frames } = this;
    if (curves[i]! > time) {
      const x = frames[frameIndex]!;
      const y = frames[frameIndex + valueOffset]!;
      return y + ((time - x) / (curves[i]! - x)) * (curves[i + 1]! - y);
    }
    const end = i + BEZIER_SIZE;
    for (let j = i + 2; j < end; j += 2) {
      if (curves[j]! >= time) return between(time, curves[j - 2]!, curves[j - 1]!, curves[j]!, curves[j + 1]!);
    }
    const next = frameIndex + this.getFrameEntries();
    return between(time, curves[end - 2]!, curves[end - 1]!, frames[next]!, frames[next + valueOffset]!);
  }

  /** Value number `valueOffset` (1 is the first after the time) at time >= the first frame's. @internal */
  _valueAt(time: number, valueOffset: number): number {
    const { _frames: frames } = this;
    const entries = this.getFrameEntries();
    const i = Timeline.search(frames, time, entries);
    const type = this.curves[i / entries]!;
    const value = frames[i + valueOffset]!;
    if (type === STEPPED) return value;
    if (type !== LINEAR) return this.getBezierValue(time, i, valueOffset, type - BEZIER + (valueOffset - 1) * BEZIER_SIZE);
    return between(time, frames[i]!, value, frames[i + entries]!, frames[i + entries + valueOffset]!);
  }
}

/** On the line through two points; the second point where they lie at one time. */
function between(time: number, x1: number, y1: number, x2: number, y2: number): number {
  return x2 === x1 ? y2 : y1 + ((time - x1) / (x2 - x1)) * (y2 - y1);
}

/**
 * Points of one axis of a cubic Bezier at u = 0.1 .. 0.9 by forward differences in 64 bits, stored at `at`, `at` + 2, ...
 * Source: third differences of a cubic with step h = 0.1; 0.03 = 3h², 0.006 = 6h³, 0.3 = 3h.
 */
export function subdivide(out: Float32Array, at: number, p0: number, p1: number, p2: number, p3: number): void {
  const q = (p0 - p1 * 2 + p2) * 0.03;
  const d3 = ((p1 - p2) * 3 - p0 + p3) * 0.006;
  accumulate(out, at, p0, (p1 - p0) * 0.3 + q + d3 * SIXTH, q * 2 + d3, d3);
}

/** The same with p0 = 0 and p3 = 1, folded as the deform percentages of the format are. */
export function subdividePercent(out: Float32Array, at: number, p1: number, p2: number): void {
  const q = p2 * 0.03 - p1 * 0.06;
  const d3 = (p1 - p2 + 0.33333333) * 0.018;
  accumulate(out, at, 0, p1 * 0.3 + q + d3 * SIXTH, q * 2 + d3, d3);
}

function accumulate(out: Float32Array, at: number, p0: number, d1: number, d2: number, d3: number): void {
  let p = p0 + d1;
  for (let i = at, end = at + BEZIER_SIZE; i < end; i += 2) {
    out[i] = p;
    d1 += d2;
    d2 += d3;
    p += d1;
  }
}
