/**
 * Sine and cosine in double precision, for one value or two. No tables, no branches on data.
 *
 * Requires |x| <= 3e6 (2^20 half turns) for the stated error; NaN and infinities give NaN.
 * Ensures  absolute error below 1e-15; wrap angles that grow without bound.
 * Source   own minimax coefficients (Remez) on [-pi/2, pi/2] (error 1.1e-16);
 *          pi in parts of 33 and 53 bits (Cody and Waite).
 */
import { add, mul, mulAdd, splat, sub } from "./lane";

/** Adding this rounds to a whole number and leaves it in the low bits. */
export const ROUND: f64 = 6755399441055744.0;
const PI_1: f64 = 3.1415926534682512;
const PI_2: f64 = 1.2154201013012384e-10;

/** sin r for |r| <= pi/2. */
@inline
function halfTurnSin<T>(r: T): T {
  const z = mul<T>(r, r);
  // Even and odd powers of z apart: two short chains take less time than a long one.
  const z2 = mul<T>(z, z);
  let even = mulAdd<T>(splat<T>(-7.364647086616216e-13), z2, splat<T>(-2.5051851498640587e-08));
  let odd = mulAdd<T>(splat<T>(1.6047301248239831e-10), z2, splat<T>(2.7557316077038993e-06));
  even = mulAdd<T>(even, z2, splat<T>(-0.00019841269820094527));
  odd = mulAdd<T>(odd, z2, splat<T>(0.008333333333262881));
  even = mulAdd<T>(even, z2, splat<T>(-0.1666666666666581));
  return mulAdd<T>(mul<T>(mulAdd<T>(odd, z, even), z), r, r);
}

/** `value`, negated where the whole number behind `biased` is odd. */
@inline
function flipOdd<T>(value: T, biased: T): T {
  if (isVector<T>()) {
    return v128.xor(value, i64x2.shl(biased, 63));
  } else {
    return <T>reinterpret<f64>(reinterpret<i64>(<f64>value) ^ (reinterpret<i64>(<f64>biased) << 63));
  }
}

/** Sine of `x` radians plus `turn` half turns, which is 0, or 1/2 for the cosine; vectors do not turn. */
@inline
export function sinTurned<T>(x: T, turn: f64): T {
  let halfTurns = mul<T>(x, splat<T>(0.3183098861837907));
  if (!isVector<T>()) halfTurns = add<T>(halfTurns, splat<T>(turn));
  const biased = add<T>(halfTurns, splat<T>(ROUND));
  let q = sub<T>(biased, splat<T>(ROUND));
  if (!isVector<T>()) q = sub<T>(q, splat<T>(turn));
  const r = sub<T>(sub<T>(x, mul<T>(q, splat<T>(PI_1))), mul<T>(q, splat<T>(PI_2)));
  return flipOdd<T>(halfTurnSin<T>(r), biased);
}
