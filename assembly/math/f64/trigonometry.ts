/**
 * Sine and cosine in double precision, for one value or two. No tables, no branches on data.
 *
 * Requires |x| <= 1.6e6 (2^20 quarter turns) for the stated error; NaN and infinities give NaN.
 * Ensures  absolute error below 1e-15; wrap angles that grow without bound.
 * Source   own minimax coefficients (Remez) on [-pi/4, pi/4]; pi/2 in parts of 33, 33 and 53 bits (Cody and Waite).
 */
import { add, mul, mulAdd, splat, sub } from "./lane";

/** Adding this rounds to a whole number and leaves it in the low bits. */
export const ROUND: f64 = 6755399441055744.0;
const HALF_PI_1: f64 = 1.5707963267341256;
const HALF_PI_2: f64 = 6.077100506303966e-11;
const HALF_PI_3: f64 = 2.0222662487959506e-21;

/** Whole quarter turns of `x`, biased by ROUND. */
@inline
export function biasedQuarters<T>(x: T): T {
  return mulAdd<T>(x, splat<T>(0.6366197723675814), splat<T>(ROUND));
}

/** What is left of `x` after the quarter turns. */
@inline
export function quarterRest<T>(x: T, biased: T): T {
  const q = sub<T>(biased, splat<T>(ROUND));
  return sub<T>(sub<T>(sub<T>(x, mul<T>(q, splat<T>(HALF_PI_1))), mul<T>(q, splat<T>(HALF_PI_2))), mul<T>(q, splat<T>(HALF_PI_3)));
}

/** sin r for |r| <= pi/4. */
@inline
export function sinCore<T>(r: T, z: T): T {
  let p = mulAdd<T>(splat<T>(1.5888587175989315e-10), z, splat<T>(-2.505060026185603e-08));
  p = mulAdd<T>(p, z, splat<T>(2.755731254494485e-06));
  p = mulAdd<T>(p, z, splat<T>(-0.00019841269825934742));
  p = mulAdd<T>(p, z, splat<T>(0.008333333333316482));
  p = mulAdd<T>(p, z, splat<T>(-0.166666666666666));
  return mulAdd<T>(mul<T>(p, z), r, r);
}

/** cos r for |r| <= pi/4. */
@inline
export function cosCore<T>(z: T): T {
  let p = mulAdd<T>(splat<T>(-1.135966941317691e-11), z, splat<T>(2.0875723676508717e-09));
  p = mulAdd<T>(p, z, splat<T>(-2.755731435519224e-07));
  p = mulAdd<T>(p, z, splat<T>(2.4801587289491698e-05));
  p = mulAdd<T>(p, z, splat<T>(-0.0013888888888874138));
  p = mulAdd<T>(p, z, splat<T>(0.0416666666666666));
  return mulAdd<T>(mul<T>(p, z), z, sub<T>(splat<T>(1), mul<T>(z, splat<T>(0.5))));
}

/** Picks by quarter turn: bit 0 swaps sine and cosine, bit 1 flips the sign. */
@inline
function pick<T>(even: T, odd: T, biased: T): T {
  if (isVector<T>()) {
    const swap = i64x2.neg(v128.and(biased, i64x2.splat(1)));
    return v128.xor(v128.bitselect(odd, even, swap), i64x2.shl(v128.and(biased, i64x2.splat(2)), 62));
  } else {
    const k = reinterpret<i64>(<f64>biased);
    const value = (k & 1) != 0 ? odd : even;
    return <T>reinterpret<f64>(reinterpret<i64>(<f64>value) ^ ((k & 2) << 62));
  }
}

/** Sine of `x` radians plus `turns` quarter turns; `turns` is a whole number. */
@inline
export function sinTurned<T>(x: T, turns: T): T {
  const biased = biasedQuarters<T>(x);
  const r = quarterRest<T>(x, biased);
  const z = mul<T>(r, r);
  return pick<T>(sinCore<T>(r, z), cosCore<T>(z), add<T>(biased, turns));
}

/** Sines of two values. A function of its own, because it is used in many places and its size matters more than a call. */
export function sinPair(x: v128, turns: v128): v128 {
  return sinTurned<v128>(x, turns);
}
