/**
 * Exponential, logarithm and powers of one double.
 *
 * Requires nothing: any argument has a result.
 * Ensures  relative error below 3e-16 for exp2 and exp, 2e-16 for log, 1e-15 * (1 + |y log2 x|) for pow; results below the
 *          normal range are 0.
 * Source   own minimax coefficients (Remez): log m = 2 artanh((m - 1)/(m + 1)) with an odd polynomial on m in
 *          [sqrt 1/2, sqrt 2]; ln 2 in two parts, so that whole multiples are exact.
 */
import { exp2InRange } from "./exponential";

/** 2^y for any y. */
export function exp2(y: f64): f64 {
  if (y >= 1024) return Infinity;
  if (y < -1021) return 0;
  return y == y ? exp2InRange<f64>(y) : y;
}

/** e^x for any x. */
export function exp(x: f64): f64 {
  if (x >= 709.782712893384) return Infinity;
  if (x < -707.7) return 0;
  if (x != x) return x;
  const n = nearest(x * 1.4426950408889634);
  const rest = (x - n * 0.6931471804855391) - n * 7.440617110012397e-11;
  // n reaches 1024, whose power is not a number by itself.
  return exp2InRange<f64>(n - 1) * exp2InRange<f64>(rest * 1.4426950408889634) * 2;
}

/** log m for s = (m - 1) / (m + 1). */
@inline
function logOfMantissa(s: f64): f64 {
  const z = s * s;
  let p = 0.14869636699567923 * z + 0.15306176038702726;
  p = p * z + 0.18183897307543193;
  p = p * z + 0.2222219152861684;
  p = p * z + 0.28571428819666256;
  p = p * z + 0.399999999990087;
  p = p * z + 0.6666666666666811;
  return p * z * s + 2 * s;
}

/** Natural logarithm; -infinity at 0, NaN below. */
export function log(x: f64): f64 {
  if (!(x > 0)) return x == 0 ? -Infinity : NaN;
  if (x == Infinity) return x;
  let shift: f64 = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984.0;
    shift = -54;
  }
  const bits = reinterpret<i64>(x);
  // The exponent that brings the mantissa into [sqrt 1/2, sqrt 2).
  const n = (bits - 0x3fe6a09e667f3bcd) >> 52;
  const mantissa = reinterpret<f64>(bits - (n << 52));
  const e = <f64>n + shift;
  return logOfMantissa((mantissa - 1) / (mantissa + 1)) + e * 7.440617110012397e-11 + e * 0.6931471804855391;
}

/** x^y for x >= 0, and y whole for x < 0. */
export function pow(x: f64, y: f64): f64 {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return NaN;
  if (x == 0) return y > 0 ? 0 : Infinity;
  if (x < 0) {
    if (nearest(y) != y) return NaN;
    const magnitude = pow(-x, y);
    return nearest(y * 0.5) * 2 == y ? magnitude : -magnitude;
  }
  return exp2(y * (log(x) * 1.4426950408889634));
}
