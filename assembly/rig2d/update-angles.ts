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
