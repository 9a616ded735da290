/**
 * Angles and lengths as functions of their own, for kernels that take many: one copy of the code for each width.
 *
 * Source   math/trigonometry.ts. Angles too large to have a direction give some direction (boundedRemainder).
 */
import { lengthOf as scaledLength, mul } from "../math/lane";
import {
  atan2, atan2Degrees, boundedRemainder, cosCore, cosOf, quarterRemainder, quarterRemainderOfRadians, quarterTurns,
  quarterTurnsOfRadians, sinCore, sinOf,
} from "../math/trigonometry";

/** Angle of (x, y) in radians. */
export function angleOf<T, M>(y: T, x: T): T {
  return atan2<T, M>(y, x);
}

/** Angle of (x, y) in degrees. */
export function degreesOf<T, M>(y: T, x: T): T {
  return atan2Degrees<T, M>(y, x);
}

/** Length of (x, y). */
export function lengthOf<T, M>(x: T, y: T): T {
  return scaledLength<T, M>(x, y);
}

export function sinOfRadians<T>(radians: T): T {
  const q = quarterTurnsOfRadians<T>(radians), r = boundedRemainder<T>(quarterRemainderOfRadians<T>(radians, q)), r2 = mul<T>(r, r);
  return sinOf<T>(sinCore<T>(r, r2), cosCore<T>(r2), q);
}

export function cosOfRadians<T>(radians: T): T {
  const q = quarterTurnsOfRadians<T>(radians), r = boundedRemainder<T>(quarterRemainderOfRadians<T>(radians, q)), r2 = mul<T>(r, r);
  return cosOf<T>(sinCore<T>(r, r2), cosCore<T>(r2), q);
}

export function sinOfDegrees<T>(degrees: T): T {
  const q = quarterTurns<T>(degrees), r = boundedRemainder<T>(quarterRemainder<T>(degrees, q)), r2 = mul<T>(r, r);
  return sinOf<T>(sinCore<T>(r, r2), cosCore<T>(r2), q);
}

export function cosOfDegrees<T>(degrees: T): T {
  const q = quarterTurns<T>(degrees), r = boundedRemainder<T>(quarterRemainder<T>(degrees, q)), r2 = mul<T>(r, r);
  return cosOf<T>(sinCore<T>(r, r2), cosCore<T>(r2), q);
}

/** The axes that two angles in degrees make: [cos rx, cos (90 + ry), sin rx, sin (90 + ry)]. */
export function axesOfDegrees(rx: f32, ry: f32): v128 {
  const angle = f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(rx), 1, ry), 3, ry);
  const q = quarterTurns<v128>(angle);
  const r = boundedRemainder<v128>(quarterRemainder<v128>(angle, q)), r2 = f32x4.mul(r, r);
  return axes(sinCore<v128>(r, r2), cosCore<v128>(r2), q);
}

/** [cos rx, -sin ry, sin rx, cos ry] of [rx ry rx ry]: -sin q = sin (q + 2), cos q = sin (q + 1). */
@inline
export function axes(s: v128, c: v128, q: v128): v128 {
  return sinOf<v128>(s, c, i32x4.add(q, i32x4(1, 2, 0, 1)));
}

/** [cos, cos, sin, sin] of an angle in radians. */
export function turnOfRadians(radians: f32): v128 {
  const angle = f32x4.splat(radians);
  const q = quarterTurnsOfRadians<v128>(angle);
  const r = boundedRemainder<v128>(quarterRemainderOfRadians<v128>(angle, q)), r2 = f32x4.mul(r, r);
  return sinOf<v128>(sinCore<v128>(r, r2), cosCore<v128>(r2), i32x4.add(q, i32x4(1, 1, 0, 0)));
}

/** Angles in radians of up to four vectors that belong to one lane. */
export function anglesOfOne(y: v128, x: v128): v128 {
  return atan2<v128, v128>(y, x);
}

/** Lengths of up to four vectors that belong to one lane. */
export function lengthsOfOne(x: v128, y: v128): v128 {
  return scaledLength<v128, v128>(x, y);
}

/** Four values side by side. */
@inline
export function four(a: f32, b: f32, c: f32, d: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(a), 1, b), 2, c), 3, d);
}
