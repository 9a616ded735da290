/**
 * Sine and cosine of one double.
 *
 * Requires |x| <= 3e6 for the stated error; `turn` 0, or 1/2 for the cosine.
 * Ensures  absolute error below 1e-15.
 * Source   math/f64/trigonometry.ts.
 */
import { sinTurned } from "../math/f64/trigonometry";

/** Sine of `x` radians plus `turn` half turns. */
export function sin(x: f64, turn: f64): f64 {
  return sinTurned<f64>(x, turn);
}
