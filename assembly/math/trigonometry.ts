/**
 * Sine, cosine, arc tangent and arc cosine in single precision, for one value or four.
 *
 * No tables, no branches on data: the two widths give the same bits on every machine.
 *
 * Requires |angle| <= 10 000 quarter turns for the stated error; NaN and infinities give NaN.
 * Ensures  sin, cos within 9.5e-8, atan2 within 3.2e-7, acos within 2.0e-7 (absolute).
 *          Multiples of 90 degrees give exactly 0 and +-1.
 * Source   own minimax coefficients (Remez) on [-pi/4, pi/4] and on [0, 1]; acos k = atan2(sqrt((1-k)(1+k)), k).
 *
 * Usage: a function has one result, so sine and cosine of one angle are taken in steps that share their work:
 *   const q = quarterTurns<T>(degrees), r = quarterRemainder<T>(degrees, q), r2 = mul<T>(r, r);
 *   const s = sinCore<T>(r, r2), c = cosCore<T>(r2);
 *   const sine = sinOf<T>(s, c, q), cosine = cosOf<T>(s, c, q);
 */
import { abs, add, div, eq, lt, max, min, mul, mulAdd, select, splat, sqrt, sub } from "./lane";

const DEGREES_TO_RADIANS: f32 = 0.017453292519943295;
const RADIANS_TO_DEGREES: f32 = 57.29577951308232;
/** pi/2 in three parts of 11, 11 and 24 bits, so that q * part is exact. */
const HALF_PI_1: f32 = 1.5703125;
const HALF_PI_2: f32 = 0.000483751297;
const HALF_PI_3: f32 = 7.54979013e-8;

/** Adding this rounds to a whole number and leaves it in the low bits. */
const ROUND: f32 = 12582912.0;

/** Nearest whole number of quarter turns in an angle of degrees, plus ROUND: its low bits are the number. */
@inline
export function quarterTurns<T>(degrees: T): T {
  return mulAdd<T>(degrees, splat<T>(1.0 / 90.0), splat<T>(ROUND));
}

/** What is left of the angle after `q` quarter turns, in radians. The subtraction is exact. */
@inline
export function quarterRemainder<T>(degrees: T, q: T): T {
  return mul<T>(sub<T>(degrees, mul<T>(sub<T>(q, splat<T>(ROUND)), splat<T>(90))), splat<T>(DEGREES_TO_RADIANS));
}

/**
 * A remainder kept within an eighth of a turn. Changes nothing for angles of the stated range; angles so large that nothing is
 * left of their direction, and NaN, give some direction instead of a number without bounds.
 */
@inline
export function boundedRemainder<T>(r: T): T {
  return max<T>(min<T>(r, splat<T>(0.7853983)), splat<T>(-0.7853983));
}

/** As quarterTurns, of radians. */
@inline
export function quarterTurnsOfRadians<T>(radians: T): T {
  return mulAdd<T>(radians, splat<T>(0.6366197723675814), splat<T>(ROUND));
}

@inline
export function quarterRemainderOfRadians<T>(radians: T, turns: T): T {
  const q = sub<T>(turns, splat<T>(ROUND));
  const r1 = sub<T>(radians, mul<T>(q, splat<T>(HALF_PI_1)));
  const r2 = sub<T>(r1, mul<T>(q, splat<T>(HALF_PI_2)));
  return sub<T>(r2, mul<T>(q, splat<T>(HALF_PI_3)));
}

@inline
export function sinCore<T>(r: T, r2: T): T {
  const p = mulAdd<T>(
    mulAdd<T>(splat<T>(-0.000194956359), r2, splat<T>(0.00833197869)), r2, splat<T>(-0.166666508));
  return mulAdd<T>(mul<T>(p, r2), r, r);
}

@inline
export function cosCore<T>(r2: T): T {
  const p = mulAdd<T>(
    mulAdd<T>(splat<T>(0.0000244384519), r2, splat<T>(-0.00138873677)), r2, splat<T>(0.0416666456));
  return mulAdd<T>(mul<T>(p, r2), r2, sub<T>(splat<T>(1), mul<T>(r2, splat<T>(0.5))));
}

/** Sine from the two polynomials: bit 0 of q swaps them, bit 1 flips the sign. */
@inline
export function sinOf<T>(s: T, c: T, q: T): T {
  if (isVector<T>()) {
    return v128.xor(v128.bitselect(c, s, isOdd(q)), secondBit(q));
  } else {
    const k = reinterpret<i32>(<f32>q);
    const odd = -(k & 1);
    const bits = (reinterpret<i32>(<f32>c) & odd) | (reinterpret<i32>(<f32>s) & ~odd);
    return <T>reinterpret<f32>(bits ^ ((k & 2) << 30));
  }
}

/** Cosine from the two polynomials: bit 0 of q swaps them, bit 1 of q + 1 flips the sign. */
@inline
export function cosOf<T>(s: T, c: T, q: T): T {
  if (isVector<T>()) {
    return v128.xor(v128.bitselect(s, c, isOdd(q)), v128.xor(secondBit(q), i32x4.shl(q, 31)));
  } else {
    const k = reinterpret<i32>(<f32>q);
    const odd = -(k & 1);
    const bits = (reinterpret<i32>(<f32>s) & odd) | (reinterpret<i32>(<f32>c) & ~odd);
    return <T>reinterpret<f32>(bits ^ (((k + 1) & 2) << 30));
  }
}

/** Mask of the lanes with an odd number of quarter turns. */
@inline
function isOdd(q: v128): v128 {
  return i32x4.shr_s(i32x4.shl(q, 31), 31);
}

/** Bit 1 of the number of quarter turns, in the place of a sign. */
@inline
function secondBit(q: v128): v128 {
  return v128.and(i32x4.shl(q, 30), i32x4.splat(0x80000000));
}

/** `magnitude` with the sign bit of `sign`. */
@inline
export function copySign<T>(magnitude: T, sign: T): T {
  if (isVector<T>()) {
    return v128.bitselect(sign, magnitude, i32x4.splat(0x80000000));
  } else {
    return <T>reinterpret<f32>(
      (reinterpret<i32>(<f32>magnitude) & 0x7fffffff) | (reinterpret<i32>(<f32>sign) & 0x80000000));
  }
}

/** Angle of (x, y) in radians, in [-pi, pi]; atan2(0, 0) = 0. `M` is the mask type of `T`. */
@inline
export function atan2<T, M>(y: T, x: T): T {
  const ax = abs<T>(x), ay = abs<T>(y);
  // Dividing by at least the smallest normal number makes the angle of a zero vector 0.
  const a = div<T>(min<T>(ax, ay), max<T>(max<T>(ax, ay), splat<T>(1.1754944e-38)));
  const z = mul<T>(a, a);
  let p = splat<T>(-0.004355399403721094);
  p = mulAdd<T>(p, z, splat<T>(0.02304011397063732));
  p = mulAdd<T>(p, z, splat<T>(-0.05777356028556824));
  p = mulAdd<T>(p, z, splat<T>(0.09794232994318008));
  p = mulAdd<T>(p, z, splat<T>(-0.13976581394672394));
  p = mulAdd<T>(p, z, splat<T>(0.19962704181671143));
  p = mulAdd<T>(p, z, splat<T>(-0.3333165943622589));
  let r = mulAdd<T>(mul<T>(a, z), p, a);
  r = select<T, M>(sub<T>(splat<T>(1.5707963267948966), r), r, lt<T, M>(ax, ay));
  r = select<T, M>(sub<T>(splat<T>(3.141592653589793), r), r, lt<T, M>(x, splat<T>(0)));
  return copySign<T>(r, y);
}

/** atan2 in degrees. */
@inline
export function atan2Degrees<T, M>(y: T, x: T): T {
  return mul<T>(atan2<T, M>(y, x), splat<T>(RADIANS_TO_DEGREES));
}

/** Arc cosine of k in [-1, 1], in radians. Clamp k first: outside the domain the root is of a negative number. */
@inline
export function acos<T, M>(k: T): T {
  const one = splat<T>(1);
  return atan2<T, M>(sqrt<T>(max<T>(mul<T>(sub<T>(one, k), add<T>(one, k)), splat<T>(0))), k);
}

/** Length of (x, y). Overflows beyond 1e18 units. */
@inline
export function hypot<T>(x: T, y: T): T {
  return sqrt<T>(mulAdd<T>(x, x, mul<T>(y, y)));
}

/** True where the value equals 0. */
@inline
export function isZero<T, M>(a: T): M {
  return eq<T, M>(a, splat<T>(0));
}
