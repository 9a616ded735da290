/** Where the character is wanted to go: the simulated object, its prediction, and its past. @internal */
import { cos, sin } from "../motion/math.js";
import { springAcceleration, springDisplacement, springRate, springValue, springVelocity, wrapToPi } from "./springs.js";

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

/** A point that follows desired velocity and heading by springs. World space. */
export class SimulatedRoot {
  x = 0;
  z = 0;
  yaw = 0;
  vx = 0;
  vz = 0;
  ax = 0;
  az = 0;
  yawRate = 0;
  desiredX = 0;
  desiredZ = 0;
  desiredYaw = 0;
  velocityHalfLife = 0.27;
  yawHalfLife = 0.27;
  /** Whether somebody else moves it. */
  owned = false;
  #points: TrajectoryPoint[] = [];
  #pointCount = 0;
  readonly #history = new Float64Array(HISTORY * 3);
  #historyCount = 0;
  #historyAge = 0;

  /** Whether a trajectory replaces the prediction. */
  get hasPoints(): boolean {
    return this.#pointCount > 0;
  }

  advance(dt: number): void {
    this.#remember(dt);
    for (let i = 0; i < this.#pointCount; i++) this.#points[i]!.time -= dt;
    if (this.owned) return;
    const { vx, vz, ax, az, velocityHalfLife: h } = this;
    this.x += springDisplacement(vx, ax, this.desiredX, h, dt);
    this.z += springDisplacement(vz, az, this.desiredZ, h, dt);
    this.vx = springVelocity(vx, ax, this.desiredX, h, dt);
    this.vz = springVelocity(vz, az, this.desiredZ, h, dt);
    this.ax = springAcceleration(vx, ax, this.desiredX, h, dt);
    this.az = springAcceleration(vz, az, this.desiredZ, h, dt);
    const goal = this.yaw - wrapToPi(this.yaw - this.desiredYaw);
    const yaw = springValue(this.yaw, this.yawRate, goal, this.yawHalfLife, dt);
    this.yawRate = springRate(this.yaw, this.yawRate, goal, this.yawHalfLife, dt);
    this.yaw = wrapToPi(yaw);
  }

  /** Keeps copies of the points; an empty list goes back to the prediction. */
  setPoints(points: readonly TrajectoryPoint[]): void {
    while (this.#points.length < points.length) this.#points.push({ time: 0, x: 0, z: 0, yaw: 0 });
    points.forEach((point, i) => {
      const own = this.#points[i]!;
      own.time = point.time;
      own.x = point.x;
      own.z = point.z;
      own.yaw = point.yaw;
      own.vx = point.vx;
      own.vz = point.vz;
    });
    this.#pointCount = points.length;
  }

  /**
   * The state `t` seconds from now (before now: from the past) into out[o…]: x, z, sine and cosine of the yaw, vx, vz.
   */
  at(t: number, out: Float64Array, o: number): void {
    if (t < 0) {
      this.#past(-t, out, o);
      return;
    }
    let yaw: number;
    if (this.#pointCount > 0) {
      yaw = this.#fromPoints(t, out, o);
    } else {
      const { vx, vz, ax, az, velocityHalfLife: h } = this;
      out[o] = this.x + springDisplacement(vx, ax, this.desiredX, h, t);
      out[o + 1] = this.z + springDisplacement(vz, az, this.desiredZ, h, t);
      out[o + 4] = springVelocity(vx, ax, this.desiredX, h, t);
      out[o + 5] = springVelocity(vz, az, this.desiredZ, h, t);
      yaw = springValue(this.yaw, this.yawRate, this.yaw - wrapToPi(this.yaw - this.desiredYaw), this.yawHalfLife, t);
    }
    out[o + 2] = sin(yaw);
    out[o + 3] = cos(yaw);
  }

  /** Linear between the points, held at their ends. @returns the yaw */
  #fromPoints(t: number, out: Float64Array, o: number): number {
    const points = this.#points, last = this.#pointCount - 1;
    let i = 0;
    while (i < last && points[i + 1]!.time <= t) i++;
    const a = points[i]!, b = points[Math.min(last, i + 1)]!;
    const span = b.time - a.time;
    const u = span > 1e-9 ? Math.min(1, Math.max(0, (t - a.time) / span)) : 0;
    out[o] = a.x + (b.x - a.x) * u;
    out[o + 1] = a.z + (b.z - a.z) * u;
    const vx = span > 1e-9 ? (b.x - a.x) / span : 0, vz = span > 1e-9 ? (b.z - a.z) / span : 0;
    out[o + 4] = (a.vx ?? vx) + ((b.vx ?? vx) - (a.vx ?? vx)) * u;
    out[o + 5] = (a.vz ?? vz) + ((b.vz ?? vz) - (a.vz ?? vz)) * u;
    return a.yaw + wrapToPi(b.yaw - a.yaw) * u;
  }

  #remember(dt: number): void {
    this.#historyAge += dt;
    if (this.#historyAge < HISTORY_STEP && this.#historyCount > 0) return;
    this.#historyAge = 0;
    this.#history.copyWithin(3, 0, (HISTORY - 1) * 3);
    this.#history[0] = this.x;
    this.#history[1] = this.z;
    this.#history[2] = this.yaw;
    this.#historyCount = Math.min(HISTORY, this.#historyCount + 1);
  }

  #past(age: number, out: Float64Array, o: number): void {
    const h = this.#history;
    const index = Math.min(this.#historyCount - 1, Math.max(0, Math.round((age - this.#historyAge) / HISTORY_STEP)));
    const known = this.#historyCount > 0;
    out[o] = known ? h[index * 3]! : this.x;
    out[o + 1] = known ? h[index * 3 + 1]! : this.z;
    const yaw = known ? h[index * 3 + 2]! : this.yaw;
    out[o + 2] = sin(yaw);
    out[o + 3] = cos(yaw);
    const before = Math.min(this.#historyCount - 1, index + 1);
    out[o + 4] = known && before > index ? (h[index * 3]! - h[before * 3]!) / HISTORY_STEP : this.vx;
    out[o + 5] = known && before > index ? (h[index * 3 + 1]! - h[before * 3 + 1]!) / HISTORY_STEP : this.vz;
  }
}
