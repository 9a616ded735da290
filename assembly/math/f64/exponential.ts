/**
 * Powers of two in double precision, for one value or two; exponentials, logarithm and powers for one.
 *
 * Ensures  relative error below 3e-16 for exp2 and exp, 2e-16 for log, 1e-15 * (1 + |y log2 x|) for pow.
 * Source   own minimax coefficients (Remez): 2^f = 1 + f P(f) on [-1/2, 1/2]; log m = 2 artanh((m - 1)/(m + 1)) with an
 *          odd polynomial on m in [sqrt 1/2, sqrt 2].
 */
import { mul, mulAdd, scaleByBits, splat, sub } from "./lane";
import { ROUND } from "./trigonometry";

/** 2^f for |f| <= 1/2. */
@inline
export function exp2Core<T>(f: T): T {
  let p = mulAdd<T>(splat<T>(4.4573874349748845e-10), f, splat<T>(7.073860386953972e-09));
  p = mulAdd<T>(p, f, splat<T>(1.0178046458453442e-07));
  p = mulAdd<T>(p, f, splat<T>(1.321543481572705e-06));
  p = mulAdd<T>(p, f, splat<T>(1.525273386755137e-05));
  p = mulAdd<T>(p, f, splat<T>(0.00015403530458081831));
  p = mulAdd<T>(p, f, splat<T>(0.0013333558146379023));
  p = mulAdd<T>(p, f, splat<T>(0.00961812910759333));
  p = mulAdd<T>(p, f, splat<T>(0.05550410866482174));
  p = mulAdd<T>(p, f, splat<T>(0.24022650695910133));
  p = mulAdd<T>(p, f, splat<T>(0.6931471805599453));
  return mulAdd<T>(p, f, splat<T>(1));
}

/** 2^y. Requires -1021 <= y < 1024. */
@inline
export function exp2InRange<T>(y: T): T {
  const biased = mulAdd<T>(y, splat<T>(1), splat<T>(ROUND));
  return scaleByBits<T>(exp2Core<T>(sub<T>(y, sub<T>(biased, splat<T>(ROUND)))), biased);
}

/** 2^y of two values; a function of its own for the sake of size. Requires -1021 <= y < 1024. */
export function exp2Pair(y: v128): v128 {
  return exp2InRange<v128>(y);
}

@inline
function exp2One(y: f64): f64 {
  return f64x2.extract_lane(exp2Pair(f64x2.splat(y)), 0);
}

/** 2^y for any y; results below the normal range are 0. */
export function exp2(y: f64): f64 {
  if (y >= 1024) return Infinity;
  if (y < -1021) return 0;
  return y == y ? exp2One(y) : y;
}

/** e^x for any x; results below the normal range are 0. */
export function exp(x: f64): f64 {
  if (x >= 709.782712893384) return Infinity;
  if (x < -707.7) return 0;
  if (x != x) return x;
  const n = nearest(x * 1.4426950408889634);
  // ln 2 in two parts, so that n * part is exact.
  const rest = (x - n * 0.6931471804855391) - n * 7.440617110012397e-11;
  // n reaches 1024, whose power is not a number by itself.
  return exp2One(n - 1) * exp2One(rest * 1.4426950408889634) * 2;
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

/** x^y for x >= 0 (and y whole for x < 0, as Math.pow has it). */
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
  return exp2(mul<f64>(y, log(x) * 1.4426950408889634));
}
