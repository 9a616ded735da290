import { AnimArgumentError } from "../errors.js";
import { checkNumber } from "../module/check.js";

/** How a speed curve runs between its keys. */
export type CurveInterpolation = "linear" | "smooth" | "cubic";

/**
 * Factor of the playback speed over a clock of its own. Constant before the first key and after the last.
 *
 * Playback moves by the integral, in closed form per segment, so it does not depend on the frame rate. Cubic tangents are
 * the monotone ones of Steffen (1990): a segment never leaves the range of its two keys.
 */
export class SpeedCurve {
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  #slopes: number[] = [];
  #kind: CurveInterpolation = "linear";
  #loop = false;
  clock = 0;

  get isEmpty(): boolean {
    return this.#times.length === 0;
  }

  setKey(time: number, value: number): void {
    checkNumber(time, "time", 0);
    checkNumber(value, "value");
    let i = 0;
    while (i < this.#times.length && this.#times[i]! < time) i++;
    const replaced = this.#times[i] === time ? 1 : 0;
    this.#times.splice(i, replaced, time);
    this.#values.splice(i, replaced, value);
    this.#slopes = tangents(this.#times, this.#values);
  }

  clear(): void {
    this.#times.length = this.#values.length = 0;
    this.clock = 0;
  }

  setLoop(on: boolean): void {
    this.#loop = on;
  }

  setInterpolation(kind: CurveInterpolation): void {
    if (kind !== "linear" && kind !== "smooth" && kind !== "cubic") {
      throw new AnimArgumentError(`The interpolation is "${kind as string}", expected "linear", "smooth" or "cubic".`, { found: kind });
    }
    this.#kind = kind;
  }

  /** Value at the clock. */
  get value(): number {
    const last = this.#times.length - 1;
    if (last < 0) return 1;
    const time = this.#inside(this.clock);
    if (time <= this.#times[0]!) return this.#values[0]!;
    if (time >= this.#times[last]!) return this.#values[last]!;
    const i = this.#segment(time);
    const h = this.#times[i + 1]! - this.#times[i]!;
    const u = (time - this.#times[i]!) / h;
    const a = this.#values[i]!;
    const b = this.#values[i + 1]!;
    if (this.#kind === "linear") return a + (b - a) * u;
    if (this.#kind === "smooth") return a + (b - a) * u * u * (3 - 2 * u);
    const m0 = this.#slopes[i]! * h;
    const m1 = this.#slopes[i + 1]! * h;
    return a + u * (m0 + u * (3 * (b - a) - 2 * m0 - m1 + u * (2 * (a - b) + m0 + m1)));
  }

  /** Advances the clock and returns the integral over the step. */
  advance(dt: number): number {
    const from = this.clock;
    this.clock += dt;
    if (this.#times.length === 0) return dt;
    const period = this.#times[this.#times.length - 1]!;
    if (!this.#loop || period <= 0) return this.#integral(this.clock) - this.#integral(from);
    const rounds = Math.floor(this.clock / period) - Math.floor(from / period);
    const moved = rounds * this.#integral(period) + this.#integral(this.#inside(this.clock)) - this.#integral(this.#inside(from));
    // A clock that never grows keeps its precision.
    this.clock = this.#inside(this.clock);
    return moved;
  }

  /** Integral from 0 to `time`, without looping. */
  #integral(time: number): number {
    const times = this.#times;
    const values = this.#values;
    let sum = values[0]! * Math.min(time, times[0]!);
    for (let i = 0; i + 1 < times.length && times[i]! < time; i++) {
      const h = times[i + 1]! - times[i]!;
      const u = Math.min(1, (time - times[i]!) / h);
      const a = values[i]!;
      const b = values[i + 1]!;
      const u2 = u * u;
      if (this.#kind === "linear") sum += h * (a * u + (b - a) * 0.5 * u2);
      else if (this.#kind === "smooth") sum += h * (a * u + (b - a) * u2 * u * (1 - 0.5 * u));
      else {
        const m0 = this.#slopes[i]! * h;
        const m1 = this.#slopes[i + 1]! * h;
        sum += h * (a * u + u2 * (m0 / 2 + u * ((3 * (b - a) - 2 * m0 - m1) / 3 + (u * (2 * (a - b) + m0 + m1)) / 4)));
      }
    }
    const last = times.length - 1;
    return sum + values[last]! * Math.max(0, time - times[last]!);
  }

  #inside(time: number): number {
    const period = this.#times[this.#times.length - 1]!;
    return this.#loop && period > 0 ? time - Math.floor(time / period) * period : time;
  }

  #segment(time: number): number {
    let i = 0;
    while (i + 2 < this.#times.length && this.#times[i + 1]! <= time) i++;
    return i;
  }
}

/** Monotone tangents. */
function tangents(times: readonly number[], values: readonly number[]): number[] {
  const n = times.length;
  const slope = (i: number): number => (values[i + 1]! - values[i]!) / (times[i + 1]! - times[i]!);
  const out = times.map(() => 0);
  if (n < 2) return out;
  if (n === 2) return out.fill(slope(0));
  for (let i = 1; i + 1 < n; i++) {
    const left = slope(i - 1);
    const right = slope(i);
    const hl = times[i]! - times[i - 1]!;
    const hr = times[i + 1]! - times[i]!;
    const p = (left * hr + right * hl) / (hl + hr);
    out[i] = (Math.sign(left) + Math.sign(right)) * Math.min(Math.abs(left), Math.abs(right), Math.abs(p) / 2);
  }
  out[0] = (3 * slope(0) - out[1]!) / 2;
  out[n - 1] = (3 * slope(n - 2) - out[n - 2]!) / 2;
  return out;
}
