/** Where the character is wanted to go: the simulated object, its prediction, and its past. @internal */
import { heap } from "../../wasm/heap.js";
import { Controller, type ControllerBlock, matching, Prediction } from "./controller-block.js";

/** A point of a trajectory that replaces the prediction: world place, heading and velocity at a time from now. */
export interface TrajectoryPoint {
  /** Seconds from now. */
  time: number;
  x: number;
  z: number;
  /** Radians about +Y. */
  yaw: number;
  /** World velocity; estimated from the neighbours when left out. */
  vx?: number | undefined;
  vz?: number | undefined;
}

/** Samples of the past that are kept, and how far apart. */
const HISTORY = 128;
const HISTORY_STEP = 1 / 60;
/** Numbers of a kept point: time, x, z, yaw, vx, vz. */
const POINT = 6;

/** The angle that differs from `angle` by whole turns and lies in [-pi, pi]. */
export function wrapToPi(angle: number): number {
  return angle - Math.round(angle / (2 * Math.PI)) * 2 * Math.PI;
}

/** A point that follows desired velocity and heading by springs, or points that were given. World space. */
export class SimulatedRoot {
  /** Whether somebody else moves it. */
  owned = false;
  readonly #block: ControllerBlock;
  #points = new Float64Array(0);
  #pointCount = 0;
  /** What the points' times have to be moved by. */
  readonly #clock = new Float64Array(1);
  readonly #history = new Float64Array(HISTORY * 3);
  #historyCount = 0;
  /** Place of the latest sample in the ring. */
  #latest = 0;
  readonly #historyAge = new Float64Array(1);

  constructor(block: ControllerBlock) {
    this.#block = block;
  }

  /** Whether a trajectory replaces the prediction. */
  get hasPoints(): boolean {
    return this.#pointCount > 0;
  }

  /** Moves on by the block's STEP. */
  advance(): void {
    this.#remember();
    this.#clock[0] = this.#clock[0]! + heap.f64[this.#block.at(Controller.STEP)]!;
    if (!this.owned) matching.kernels.advanceSimulated(this.#block.ptr);
  }

  /** Keeps copies of the points; an empty list goes back to the prediction. */
  setPoints(points: readonly TrajectoryPoint[]): void {
    if (points.length * POINT > this.#points.length) this.#points = new Float64Array(points.length * POINT);
    const own = this.#points;
    for (let i = 0; i < points.length; i++) {
      const point = points[i]!, before = points[Math.max(0, i - 1)]!, after = points[Math.min(points.length - 1, i + 1)]!;
      const span = after.time - before.time, k = span > 1e-9 ? 1 / span : 0;
      own[i * POINT] = point.time;
      own[i * POINT + 1] = point.x;
      own[i * POINT + 2] = point.z;
      own[i * POINT + 3] = point.yaw;
      own[i * POINT + 4] = point.vx ?? (after.x - before.x) * k;
      own[i * POINT + 5] = point.vz ?? (after.z - before.z) * k;
    }
    this.#pointCount = points.length;
    this.#clock[0] = 0;
  }

  /** Fills the block's first `count` prediction rows for the times in them. */
  predict(count: number): void {
    const block = this.#block;
    if (this.#pointCount === 0) matching.kernels.predictSimulated(block.ptr, block.rows, count);
    for (let row = 0; row < count; row++) {
      if (heap.f64[block.rowAt(row, Prediction.TIME)]! < 0) this.#past(row);
      else if (this.#pointCount > 0) this.#fromPoints(row);
    }
    matching.kernels.resolveHeadings(block.rows, count);
  }

  /** Linear between the points, held at their ends. */
  #fromPoints(row: number): void {
    const f64 = heap.f64, block = this.#block, points = this.#points, last = this.#pointCount - 1;
    const t = f64[block.rowAt(row, Prediction.TIME)]! + this.#clock[0]!;
    let i = 0;
    while (i < last && points[(i + 1) * POINT]! <= t) i++;
    const a = i * POINT, b = Math.min(last, i + 1) * POINT;
    const span = points[b]! - points[a]!;
    const u = span > 1e-9 ? Math.min(1, Math.max(0, (t - points[a]!) / span)) : 0;
    f64[block.rowAt(row, Prediction.X)] = points[a + 1]! + (points[b + 1]! - points[a + 1]!) * u;
    f64[block.rowAt(row, Prediction.Z)] = points[a + 2]! + (points[b + 2]! - points[a + 2]!) * u;
    const turn = points[b + 3]! - points[a + 3]!;
    f64[block.rowAt(row, Prediction.YAW)] = points[a + 3]! + (turn - Math.round(turn / (2 * Math.PI)) * 2 * Math.PI) * u;
    f64[block.rowAt(row, Prediction.VX)] = points[a + 4]! + (points[b + 4]! - points[a + 4]!) * u;
    f64[block.rowAt(row, Prediction.VZ)] = points[a + 5]! + (points[b + 5]! - points[a + 5]!) * u;
  }

  #remember(): void {
    const f64 = heap.f64, block = this.#block, age = this.#historyAge, history = this.#history;
    age[0] = age[0]! + f64[block.at(Controller.STEP)]!;
    if (age[0]! < HISTORY_STEP && this.#historyCount > 0) return;
    age[0] = 0;
    this.#latest = (this.#latest + HISTORY - 1) % HISTORY;
    const at = this.#latest * 3;
    history[at] = f64[block.at(Controller.SIM_X)]!;
    history[at + 1] = f64[block.at(Controller.SIM_Z)]!;
    history[at + 2] = f64[block.at(Controller.SIM_YAW)]!;
    this.#historyCount = Math.min(HISTORY, this.#historyCount + 1);
  }

  #past(row: number): void {
    const f64 = heap.f64, block = this.#block, h = this.#history, count = this.#historyCount;
    if (count === 0) {
      f64[block.rowAt(row, Prediction.X)] = f64[block.at(Controller.SIM_X)]!;
      f64[block.rowAt(row, Prediction.Z)] = f64[block.at(Controller.SIM_Z)]!;
      f64[block.rowAt(row, Prediction.YAW)] = f64[block.at(Controller.SIM_YAW)]!;
      f64[block.rowAt(row, Prediction.VX)] = f64[block.at(Controller.SIM_VX)]!;
      f64[block.rowAt(row, Prediction.VZ)] = f64[block.at(Controller.SIM_VZ)]!;
      return;
    }
    const age = -f64[block.rowAt(row, Prediction.TIME)]! - this.#historyAge[0]!;
    const index = Math.min(count - 1, Math.max(0, Math.round(age / HISTORY_STEP))), before = Math.min(count - 1, index + 1);
    const now = ((this.#latest + index) % HISTORY) * 3, earlier = ((this.#latest + before) % HISTORY) * 3;
    f64[block.rowAt(row, Prediction.X)] = h[now]!;
    f64[block.rowAt(row, Prediction.Z)] = h[now + 1]!;
    f64[block.rowAt(row, Prediction.YAW)] = h[now + 2]!;
    f64[block.rowAt(row, Prediction.VX)] = before > index ? (h[now]! - h[earlier]!) / HISTORY_STEP : f64[block.at(Controller.SIM_VX)]!;
    f64[block.rowAt(row, Prediction.VZ)] = before > index ? (h[now + 1]! - h[earlier + 1]!) / HISTORY_STEP : f64[block.at(Controller.SIM_VZ)]!;
  }
}
