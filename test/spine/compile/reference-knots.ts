/** Knots of channels the obvious way; the kernel must give the same bits. */
import type { CurveTimeline } from "../../../src/spine/timelines/curve-timeline.js";
import type { Timeline } from "../../../src/spine/timelines/timeline.js";

const STEPPED = 1;
const LINEAR = 0;
const POINTS = 9;

/**
 * Knots of a channel: from `times[k]` to the next knot it is the line through `values[k]` with slope `slopes[k]`.
 * Times are exact 32-bit floats, strictly ascending.
 */
export class Knots {
  readonly times: number[] = [];
  readonly values: number[] = [];
  readonly slopes: number[] = [];
  /** Frame that each knot belongs to. */
  readonly frames: number[] = [];

  get count(): number {
    return this.times.length;
  }

  /** Appends a knot. Of several at one time the last stays, as nothing could ever see the others. */
  push(time: number, value: number, slope: number, frame: number): void {
    const at = Math.fround(time);
    const last = this.times.length - 1;
    // Times that are no numbers or run backwards cannot be reached by a search; leave them out.
    if (!(at > -Infinity && at < Infinity) || (last >= 0 && at < this.times[last]!)) return;
    const index = last >= 0 && at === this.times[last] ? last : last + 1;
    this.times[index] = at;
    this.values[index] = value;
    // A slope that a 32-bit float cannot hold belongs to a piece too short to be seen.
    this.slopes[index] = Number.isFinite(Math.fround(slope)) ? slope : 0;
    this.frames[index] = frame;
  }

  /** A piece of the line through two points, from `start` on. */
  piece(start: number, x1: number, y1: number, x2: number, y2: number, frame: number): void {
    const slope = x2 !== x1 ? (y2 - y1) / (x2 - x1) : 0;
    this.push(start, start === x1 ? y1 : y1 + (start - x1) * slope, slope, frame);
  }
}

/** Knots of one value of a curve timeline. */
export function curveKnots(timeline: CurveTimeline, value: number): Knots {
  const { frames, curves } = timeline;
  const entries = timeline.getFrameEntries();
  const frameCount = timeline.getFrameCount();
  const knots = new Knots();
  for (let frame = 0, at = 0; frame < frameCount; frame++, at += entries) {
    const time = frames[at]!;
    const from = frames[at + value + 1]!;
    const type = curves[frame]!;
    if (type === STEPPED || frame === frameCount - 1) {
      knots.push(time, from, 0, frame);
      continue;
    }
    const nextTime = frames[at + entries]!;
    const to = frames[at + entries + value + 1]!;
    if (type === LINEAR) knots.piece(time, time, from, nextTime, to, frame);
    else bezierKnots(knots, curves, type - 2 + value * POINTS * 2, time, from, nextTime, to, frame);
  }
  return knots;
}

/** Knots of how far a deform timeline has gone from the knot's frame to the next one. */
export function percentKnots(timeline: CurveTimeline): Knots {
  const { frames, curves } = timeline;
  const frameCount = timeline.getFrameCount();
  const knots = new Knots();
  for (let frame = 0; frame < frameCount; frame++) {
    const time = frames[frame]!;
    const type = curves[frame]!;
    if (type === STEPPED || frame === frameCount - 1) knots.push(time, 0, 0, frame);
    else if (type === LINEAR) knots.piece(time, time, 0, frames[frame + 1]!, 1, frame);
    else bezierKnots(knots, curves, type - 2, time, 0, frames[frame + 1]!, 1, frame);
  }
  return knots;
}

/** Knots of a value that jumps. */
export function steppedKnots(timeline: Timeline, entry: number): Knots {
  const { frames } = timeline;
  const entries = timeline.getFrameEntries();
  const knots = new Knots();
  for (let frame = 0, at = 0; at < frames.length; frame++, at += entries) knots.push(frames[at]!, frames[at + entry]!, 0, frame);
  return knots;
}

function bezierKnots(
  knots: Knots,
  table: Float32Array,
  at: number,
  time: number,
  value: number,
  nextTime: number,
  nextValue: number,
  frame: number,
): void {
  const x = (j: number): number => (j === 0 ? time : j > POINTS ? nextTime : table[at + (j - 1) * 2]!);
  const y = (j: number): number => (j === 0 ? value : j > POINTS ? nextValue : table[at + (j - 1) * 2 + 1]!);
  let ascending = true;
  for (let j = 0; j <= POINTS; j++) ascending = ascending && x(j) <= x(j + 1);
  if (ascending) {
    for (let j = 0; j <= POINTS; j++) {
      if (x(j) < nextTime || j === 0) knots.piece(x(j), x(j), y(j), x(j + 1), y(j + 1), frame);
    }
    return;
  }
  // Handles outside the segment let x run backwards. A time belongs to the first point j with x(j) >= time, to the first piece
  // before x(1), and to the last piece behind them all.
  let reached = time;
  if (x(1) > time) {
    knots.piece(time, time, value, x(1), y(1), frame);
    reached = x(1);
  }
  let isJoint = true;
  for (let j = 2; j <= POINTS + 1 && reached < nextTime; j++) {
    if (j <= POINTS && !(x(j) > reached)) continue;
    // The end of a piece belongs to it; where the next one does not continue there, it begins just behind.
    const start = isJoint || reached === x(j - 1) ? reached : nextFloat(reached);
    knots.piece(start, x(j - 1), y(j - 1), x(j), y(j), frame);
    reached = x(j);
    isJoint = false;
  }
}

const bits = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(4));

/** The next larger 32-bit float. */
function nextFloat(value: number): number {
  if (value === 0) return 2 ** -149;
  bits.setFloat32(0, value);
  bits.setInt32(0, bits.getInt32(0) + (value > 0 ? 1 : -1));
  return bits.getFloat32(0);
}
