/**
 * Critically damped springs by half-life, solved exactly: what a character will do that accelerates towards a desired
 * velocity or turns towards a desired heading. @internal
 *
 * With y = 2 ln 2 / H, j0 = v - vd, j1 = a + j0 y, e = exp(-y t):
 *   velocity      e (j0 + j1 t) + vd
 *   displacement  e (-j1 / y² + (-j0 - j1 t) / y) + j1 / y² + j0 / y + vd t
 *   acceleration  e (a - j1 y t)
 */
import { exp } from "../motion/math.js";

const TWO_LN_2 = 2 * 0.6931471805599453;
/** Half-lives up to this are instant. */
export const INSTANT = 1e-4;

export function dampingOf(halfLife: number): number {
  return TWO_LN_2 / halfLife;
}

/** Velocity after `t` seconds. */
export function springVelocity(v: number, a: number, desired: number, halfLife: number, t: number): number {
  if (halfLife <= INSTANT) return desired;
  const y = dampingOf(halfLife), j0 = v - desired, j1 = a + j0 * y;
  return exp(-y * t) * (j0 + j1 * t) + desired;
}

/** Acceleration after `t` seconds. */
export function springAcceleration(v: number, a: number, desired: number, halfLife: number, t: number): number {
  if (halfLife <= INSTANT) return 0;
  const y = dampingOf(halfLife), j1 = a + (v - desired) * y;
  return exp(-y * t) * (a - j1 * y * t);
}

/** Way covered after `t` seconds. */
export function springDisplacement(v: number, a: number, desired: number, halfLife: number, t: number): number {
  if (halfLife <= INSTANT) return desired * t;
  const y = dampingOf(halfLife), j0 = v - desired, j1 = a + j0 * y;
  return exp(-y * t) * (-j1 / (y * y) + (-j0 - j1 * t) / y) + j1 / (y * y) + j0 / y + desired * t;
}

/** Value after `t` seconds of a spring towards `goal`: for headings. */
export function springValue(value: number, rate: number, goal: number, halfLife: number, t: number): number {
  if (halfLife <= INSTANT) return goal;
  const y = dampingOf(halfLife), d = value - goal;
  return goal + exp(-y * t) * (d + (rate + d * y) * t);
}

/** Rate of change after `t` seconds of a spring towards `goal`. */
export function springRate(value: number, rate: number, goal: number, halfLife: number, t: number): number {
  if (halfLife <= INSTANT) return 0;
  const y = dampingOf(halfLife), j1 = rate + (value - goal) * y;
  return exp(-y * t) * (rate - j1 * y * t);
}

/** The angle that differs from `angle` by whole turns and lies in (-pi, pi]. */
export function wrapToPi(angle: number): number {
  const turns = Math.round(angle / (2 * Math.PI));
  return angle - turns * 2 * Math.PI;
}
