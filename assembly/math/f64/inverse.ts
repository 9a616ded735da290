/**
 * Arc tangent and arc sine in double precision, for one value.
 *
 * Ensures  absolute error below 4e-16; atan2(0, 0) = 0 with the sign of y; asin is clamped to its domain.
 * Source   own minimax polynomial (Remez) on [0, tan pi/8]; atan a = pi/4 + atan((a - 1)/(a + 1)) above;
 *          asin k = atan2(k, sqrt((1 - k)(1 + k))).
 */

const HALF_PI: f64 = 1.5707963267948966;
const PI: f64 = 3.141592653589793;

/** Angle of (x, y) in [-pi, pi]. */
export function atan2(y: f64, x: f64): f64 {
  if (x != x || y != y) return NaN;
  const ax = abs(x), ay = abs(y);
  const large = max(ax, ay), small = min(ax, ay);
  // Two infinities, and the zero vector, would divide to NaN.
  let a = large == 0 ? 0 : small == large ? 1 : small / large;
  const steep = a > 0.41421356237309503;
  if (steep) a = (a - 1) / (a + 1);
  const z = a * a;
  let p = -0.024776731252772133 * z + 0.04981698387355897;
  p = p * z + -0.06491599395231139;
  p = p * z + 0.07670930216655335;
  p = p * z + -0.09089253179817619;
  p = p * z + 0.11111031466935489;
  p = p * z + -0.14285712045921906;
  p = p * z + 0.1999999996762747;
  p = p * z + -0.3333333333315885;
  let r = a + a * z * p;
  if (steep) r += 0.7853981633974483;
  if (ay > ax) r = HALF_PI - r;
  if (reinterpret<i64>(x) < 0) r = PI - r;
  return copysign(r, y);
}

/** Arc sine in [-pi/2, pi/2]; k outside [-1, 1] counts as the nearer end. */
export function asin(k: f64): f64 {
  const c = min(max(k, -1), 1);
  return atan2(c, sqrt((1 - c) * (1 + c)));
}
