/**
 * 2^y * sin x of two values: what elastic eases, punches and shakes are made of.
 *
 * One function for powers and sines, called from many places, because the size of the module matters more than a call.
 *
 * Requires -1021 <= y < 1024; |x| as in trigonometry.ts.
 * Ensures  2^y alone where `withSine` is false.
 * Source   exponential.ts, trigonometry.ts.
 */
import { exp2InRange } from "./exponential";
import { sinTurned } from "./trigonometry";

export function dampedSine(y: v128, x: v128, withSine: bool): v128 {
  const power = exp2InRange<v128>(y);
  if (!withSine) return power;
  return f64x2.mul(power, sinTurned<v128>(x, 0));
}
