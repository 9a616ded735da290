import { AnimArgumentError } from "../errors.js";
import { checkNumber, checkPositive } from "../module/check.js";
import { cos, exp, sin } from "../motion/math.js";

/** How a follower answers: see `FollowerLaw`. */
export type Integrator = "secondOrder" | "spring" | "pd";
/** How a step of time is taken. */
export type Discretization = "exact" | "semiImplicit" | "poleMatch";

const PI = Math.PI;
const TAU = 2 * PI;
const MOST_SUBSTEPS = 256;
/** Parameters beyond these count as these: their squares stay inside of double precision. */
const LEAST = 1e-60;
const MOST = 1e60;
/** Steps, likewise. */
const SHORTEST_STEP = 1e-100;
const LONGEST_STEP = 1e100;
/** Angle per step below which the transition matrix is summed as a series. */
const SMALL = 0.01;
const TERMS = 8;

/** The step as the laws take it: within what squares of it allow. */
export function usableStep(dt: number): number {
  return Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, dt));
}

/** An angle whose sine the polynomials know; that of many turns is reduced exactly. */
export function fewTurns(angle: number): number {
  return Math.abs(angle) < 1e6 ? angle : angle % TAU;
}

const enum Scheme {
  /** Transition matrix; also what every other scheme falls back to. */
  Exact,
  /** Position first, with k1 and k2 of the step. */
  PositionFirst,
  /** Velocity first, in sub-steps. */
  VelocityFirst,
  /** One backward Euler step. */
  Backward,
}

/**
 * The law that a follower y obeys while it chases a target x, and its solution over one step of time.
 *
 * All three are y'' = w^2 (x - y) - 2 z w y' + (r z w) x' with w = 2 pi f: secondOrder as it stands, pd with r = 2, spring
 * without the target's velocity. The exact step takes the target as moving linearly and solves in closed form, so it is
 * stable for any step and does not depend on how a time is cut. Source: t3ssel8r's parametrisation; damped springs after
 * Juckett; transition matrix of the damped oscillator.
 */
export class FollowerLaw {
  #frequency = 3;
  #damping = 1;
  #response = 1;
  #integrator: Integrator = "secondOrder";
  #discretization: Discretization = "exact";

  // Coefficients of the step for which they were computed.
  #step = -1;
  #scheme = Scheme.Exact;
  #pp = 1;
  #pv = 0;
  #vp = 0;
  #vv = 1;
  /** What a target that moves with velocity 1 adds to position and velocity: relative to where it was, and to where it is. */
  #py = 0;
  #vy = 0;
  #px = 0;
  #vx = 0;
  /** Share of the target's velocity that the follower lags by, in seconds. */
  #c = 0;
  #k1 = 0;
  #k2 = 1;
  #k3 = 0;
  #substeps = 1;
  /** The follower after `solve`. */
  y = 0;
  v = 0;

  constructor(frequency: number, damping: number, response: number) {
    this.setFrequency(frequency);
    this.setDamping(damping);
    this.setResponse(response);
  }

  setFrequency(hz: number): void {
    this.#frequency = checkPositive(hz, "frequency");
    this.#step = -1;
  }

  getFrequency(): number {
    return this.#frequency;
  }

  setDamping(zeta: number): void {
    this.#damping = checkNumber(zeta, "damping", 0);
    this.#step = -1;
  }

  getDamping(): number {
    return this.#damping;
  }

  setResponse(r: number): void {
    this.#response = checkNumber(r, "response");
    this.#step = -1;
  }

  getResponse(): number {
    return this.#response;
  }

  setIntegrator(kind: Integrator): void {
    if (kind !== "secondOrder" && kind !== "spring" && kind !== "pd") {
      throw new AnimArgumentError(`The integrator is "${kind as string}", expected "secondOrder", "spring" or "pd".`, { found: kind });
    }
    if (kind !== this.#integrator) this.#step = -1;
    this.#integrator = kind;
  }

  getIntegrator(): Integrator {
    return this.#integrator;
  }

  setDiscretization(kind: Discretization): void {
    if (kind !== "exact" && kind !== "semiImplicit" && kind !== "poleMatch") {
      throw new AnimArgumentError(`The discretization is "${kind as string}", expected "exact", "semiImplicit" or "poleMatch".`, { found: kind });
    }
    if (kind !== this.#discretization) this.#step = -1;
    this.#discretization = kind;
  }

  getDiscretization(): Discretization {
    return this.#discretization;
  }

  /** Whether the law does not look at the target's velocity. */
  get ignoresVelocity(): boolean {
    return this.#integrator === "spring";
  }

  /** Whether a step is taken by the transition matrix. */
  get isExact(): boolean {
    return this.#scheme === Scheme.Exact;
  }

  /** Computes the coefficients of a usable step; free if the step is the last one's. */
  prepare(T: number): void {
    if (T === this.#step) return;
    this.#step = T;
    const w = Math.min(MOST, Math.max(LEAST, TAU * this.#frequency));
    const z = Math.min(MOST, this.#damping);
    const k1 = (2 * z) / w;
    const k2 = 1 / (w * w);
    this.#k3 = (this.#response * z) / w;
    this.#scheme = Scheme.Exact;
    if (this.#integrator === "pd" && this.#discretization === "semiImplicit") this.#preparePd(T, w, z);
    else if (this.#integrator === "secondOrder" && this.#discretization !== "exact") {
      this.#scheme = Scheme.PositionFirst;
      this.#k1 = k1;
      this.#k2 = Math.max(k2, (T * T) / 2 + (T * k1) / 2, T * k1);
      if (this.#discretization === "poleMatch" && w * T >= z) this.#preparePoles(T, w, z);
    }
    if (this.#scheme !== Scheme.Exact) return;
    this.#c = this.#integrator === "secondOrder" ? ((this.#response - 2) * z) / w : 0;
    this.#prepareMatrix(T, w, z);
  }

  /** One step of a scalar from (y, v) to a target x that moves with velocity u; the result is in `y` and `v`. */
  solve(y: number, v: number, x: number, u: number): void {
    const T = this.#step;
    const du = this.#integrator === "spring" ? 0 : u;
    if (this.#scheme === Scheme.Exact) {
      // Spring: the target stands at x for the whole step. Nothing here is large where the step is short and u is.
      const e = y - x;
      this.y = x + (this.#pp * e + this.#pv * v) + du * this.#px;
      this.v = this.#vp * e + this.#vv * v + du * this.#vx;
    } else if (this.#scheme === Scheme.PositionFirst) {
      this.y = y + T * v;
      this.v = v + (T * (x + this.#k3 * du - this.y - this.#k1 * v)) / this.#k2;
    } else if (this.#scheme === Scheme.Backward) {
      // pp and pv hold Kp and Kd here.
      this.v = (v + T * (this.#pp * (x - y) + this.#pv * du)) / (1 + T * this.#pv + T * T * this.#pp);
      this.y = y + T * this.v;
    } else {
      const h = T / this.#substeps;
      for (let s = 1; s <= this.#substeps; s++) {
        const target = x - du * (T - s * h);
        v += h * (this.#pp * (target - y) + this.#pv * (du - v));
        y += h * v;
      }
      this.y = y;
      this.v = v;
    }
  }

  /**
   * One exact step relative to where the target was: its position e and velocity v, the target moving with velocity u. The
   * new position is relative to where the target then is.
   */
  relativePosition(e: number, v: number, u: number): number {
    return this.#pp * e + this.#pv * v + u * this.#py;
  }

  relativeVelocity(e: number, v: number, u: number): number {
    return this.#vp * e + this.#vv * v + u * this.#vy;
  }

  #prepareMatrix(T: number, w: number, z: number): void {
    const angle = w * T;
    if (angle * (1 + 2 * z) < SMALL) {
      this.#sumSeries(angle, w, z);
      return;
    }
    // EC = E cos(aT), ES = E sin(aT)/a, and their limits and hyperbolic forms.
    let EC: number;
    let ES: number;
    const q = z === 1 ? 0 : (1 - z * z) * angle * angle;
    if (Math.abs(q) < 1e-8) {
      const E = exp(-z * angle);
      EC = E * (1 - q / 2 + (q * q) / 24);
      ES = E * T * (1 - q / 6 + (q * q) / 120);
    } else if (z < 1) {
      const E = exp(-z * angle);
      const a = w * Math.sqrt((1 - z) * (1 + z));
      const turn = fewTurns(a * T);
      EC = E * cos(turn);
      ES = (E * sin(turn)) / a;
    } else {
      // Never E times cosh, which is 0 times infinity for long steps; z - s is 1/(z + s).
      const s = Math.sqrt((z - 1) * (z + 1));
      const fast = exp(-angle * (z + s));
      const slow = exp(-angle / (z + s));
      EC = (fast + slow) / 2;
      ES = (slow - fast) / (2 * w * s);
    }
    const pp = EC + z * w * ES;
    const vv = EC - z * w * ES;
    this.#setMatrix(pp, ES, -w * w * ES, vv, pp - 1, vv - 1);
  }

  /**
   * The matrix of a short step less the unit matrix, as a power series: what a target that jumps within a very short step
   * adds is a small difference times a large velocity.
   */
  #sumSeries(angle: number, w: number, z: number): void {
    // Rows of the power of ((0, 1), (-1, -2z)) times angle, of which the sum is taken; velocities in units of w.
    let a = 1, b = 0, c = 0, d = 1;
    let aa = 0, bb = 0, cc = 0, dd = 0;
    for (let n = 1; n <= TERMS; n++) {
      const h = angle / n;
      const a0 = a, c0 = c;
      a = -h * b;
      b = h * (a0 - 2 * z * b);
      c = -h * d;
      d = h * (c0 - 2 * z * d);
      aa += a;
      bb += b;
      cc += c;
      dd += d;
    }
    this.#setMatrix(1 + aa, bb / w, cc * w, 1 + dd, aa, dd);
  }

  /** Takes the transition matrix, and its diagonal less 1. */
  #setMatrix(pp: number, pv: number, vp: number, vv: number, ppLess: number, vvLess: number): void {
    this.#pp = pp;
    this.#pv = pv;
    this.#vp = vp;
    this.#vv = vv;
    this.#py = -this.#c * ppLess - pv;
    this.#vy = -this.#c * vp - vvLess;
    this.#px = pp * this.#step + this.#py;
    this.#vx = vp * this.#step + this.#vy;
  }

  #preparePd(T: number, w: number, z: number): void {
    this.#pp = w * w;
    this.#pv = 2 * z * w;
    const longest = (2 * (Math.sqrt(1 + z * z) - z)) / w;
    this.#substeps = Math.max(1, Math.ceil(T / (0.5 * longest)));
    this.#scheme = this.#substeps > MOST_SUBSTEPS ? Scheme.Backward : Scheme.VelocityFirst;
  }

  /** k1 and k2 that put the discrete poles where the exact ones are. */
  #preparePoles(T: number, w: number, z: number): void {
    const beta = exp(-2 * z * w * T);
    const s = Math.sqrt(Math.abs(z * z - 1));
    const alpha = z <= 1 ? 2 * exp(-z * w * T) * cos(fewTurns(T * w * s)) : exp((-w * T) / (z + s)) + exp(-w * T * (z + s));
    const D = 1 + beta - alpha;
    // Undamped and sampled on its resonance: the clamp is all there is.
    if (D < 1e-6) return;
    const t = T / D;
    this.#k1 = (1 - beta) * t;
    this.#k2 = T * t;
  }
}
