/**
 * Sine and cosine in double precision, for one value or two. No tables, no branches on data.
 *
 * Requires |x| <= 3e6 (2^20 half turns) for the stated error; NaN and infinities give NaN.
 * Ensures  absolute error below 1e-15; wrap angles that grow without bound.
 * Source   own minimax coefficients (Remez) on [-pi/2, pi/2] (error 1.1e-16);
 *          pi in parts of 33, 33 and 53 bits (Cody and Waite).
 */
import { add, mul, mulAdd, splat, sub } from "./lane";

/** Adding this rounds to a whole number and leaves it in the low bits. */
export const ROUND: f64 = 6755399441055744.0;
const PI_1: f64 = 3.1415926534682512;
const PI_2: f64 = 1.2154201012607932e-10;
const PI_3: f64 = 4.044532497591901e-21;

/** sin r for |r| <= pi/2. */
@inline
function halfTurnSin<T>(r: T): T {
  const z = mul<T>(r, r);
  let p = mulAdd<T>(splat<T>(-7.364647016624275e-13), z, splat<T>(1.6047301245608265e-10));
  p = mulAdd<T>(p, z, splat<T>(-2.5051851498716155e-08));
  p = mulAdd<T>(p, z, splat<T>(2.7557316077038765e-06));
  p = mulAdd<T>(p, z, splat<T>(-0.00019841269820094527));
  p = mulAdd<T>(p, z, splat<T>(0.008333333333262881));
  p = mulAdd<T>(p, z, splat<T>(-0.1666666666666581));
  return mulAdd<T>(mul<T>(p, z), r, r);
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

/** Sine of `x` radians plus `turn` half turns; `turn` is 0, or 1/2 for the cosine. */
@inline
export function sinTurned<T>(x: T, turn: T): T {
  const biased = add<T>(mulAdd<T>(x, splat<T>(0.3183098861837907), turn), splat<T>(ROUND));
  const q = sub<T>(sub<T>(biased, splat<T>(ROUND)), turn);
  const r = sub<T>(sub<T>(sub<T>(x, mul<T>(q, splat<T>(PI_1))), mul<T>(q, splat<T>(PI_2))), mul<T>(q, splat<T>(PI_3)));
  return flipOdd<T>(halfTurnSin<T>(r), biased);
}
