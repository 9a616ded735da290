/**
 * Deterministic double-precision mathematics for TypeScript.
 *
 * Ensures  sin: absolute error below 1e-15 up to 2^20 half turns. exp2, exp, log: relative error below 5e-16; results below
 *          the normal range are 0. pow: 5e-16 (1 + |y log2 x|).
 * Source   math/f64; log m = 2 artanh((m - 1)/(m + 1)) with an own odd minimax polynomial on m in [sqrt 1/2, sqrt 2].
 */
import { dampedSine } from "../math/f64/damped-sine";

export { atan2, asin } from "../math/f64/inverse";

/** Sine of `x` radians plus `turn` half turns; `turn` 1/2 makes it the cosine. */
export function sin(x: f64, turn: f64): f64 {
  return f64x2.extract_lane(dampedSine(f64x2.splat(0), f64x2.splat(x), turn, true), 0);
}

/** 2^a * 2^b, both in range. */
@inline
function powers(a: f64, b: f64): f64 {
  const both = dampedSine(f64x2.replace_lane(f64x2.splat(a), 1, b), f64x2.splat(0), 0, false);
  return f64x2.extract_lane(both, 0) * f64x2.extract_lane(both, 1);
}

/** 2^y for any y. */
export function exp2(y: f64): f64 {
  if (y != y) return y;
  return y >= 1024 ? Infinity : y < -1021 ? 0 : powers(y, 0);
}

/** e^x for any x. */
export function exp(x: f64): f64 {
  if (x != x) return x;
  if (x >= 709.782712893384) return Infinity;
  if (x < -707.7) return 0;
  const n = nearest(x * 1.4426950408889634);
  // ln 2 in two parts, so that n * part is exact. n reaches 1024, whose power is not a number by itself.
  const rest = (x - n * 0.6931471804855391) - n * 7.440617110012397e-11;
  return powers(n - 1, rest * 1.4426950408889634) * 2;
}

/** m in [sqrt 1/2, sqrt 2] of a positive normal number, as (m - 1)/(m + 1). */
@inline
function artanhArgument(mantissa: f64): f64 {
  return (mantissa - 1) / (mantissa + 1);
}

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

/** Natural logarithm; -infinity at 0, NaN below. Numbers below the normal range are scaled first. */
export function log(x: f64): f64 {
  if (!(x > 0)) return x == 0 ? -Infinity : NaN;
  if (x == Infinity) return x;
  let shift: f64 = 0;
  if (x < 2.2250738585072014e-308) { x *= 18014398509481984.0; shift = -54; }
  const bits = reinterpret<i64>(x);
  // The exponent that brings the mantissa into [sqrt 1/2, sqrt 2).
  const n = (bits - 0x3FE6A09E667F3BCD) >> 52;
  const mantissa = reinterpret<f64>(bits - (n << 52));
  const e = <f64>n + shift;
  return logOfMantissa(artanhArgument(mantissa)) + e * 7.440617110012397e-11 + e * 0.6931471804855391;
}

/** x^y for x >= 0, and for x < 0 with whole y. */
export function pow(x: f64, y: f64): f64 {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return NaN;
  if (x == 0) return y > 0 ? 0 : Infinity;
  if (x < 0) {
    const whole = nearest(y);
    if (whole != y) return NaN;
    const magnitude = pow(-x, y);
    return nearest(y * 0.5) * 2 == y ? magnitude : -magnitude;
  }
  return exp2(y * (log(x) * 1.4426950408889634));
}
