/** Euler angles of file formats, in degrees, as quaternions x y z w. The same bits on every engine: no Math.sin. */
export type Quaternion = [number, number, number, number];

/** Taylor coefficients; on a quarter of a quarter turn the first dropped term is below 1e-19. */
const SIN = [-1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800, 1 / 6227020800, -1 / 1307674368000, 1 / 355687428096000];
const COS = [-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800, 1 / 479001600, -1 / 87178291200, 1 / 20922789888000];

function series(coefficients: readonly number[], r2: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = (sum + coefficients[i]!) * r2;
  return sum;
}

/** Sine and cosine of an angle in degrees; exact at multiples of 90°. */
export function sinCosDegrees(degrees: number): [number, number] {
  const quarters = Math.round(degrees / 90);
  const r = (degrees - quarters * 90) * (Math.PI / 180);
  const r2 = r * r;
  const s = r + r * series(SIN, r2);
  const c = 1 + series(COS, r2);
  const quadrant = ((quarters % 4) + 4) % 4;
  if (quadrant === 0) return [s, c];
  if (quadrant === 1) return [c, -s];
  if (quadrant === 2) return [-s, -c];
  return [-c, s];
}

/** Rotation about a coordinate axis (0 x, 1 y, 2 z). */
export function axisRotation(axis: number, degrees: number): Quaternion {
  const [s, c] = sinCosDegrees(degrees / 2);
  const q: Quaternion = [0, 0, 0, c];
  q[axis] = s;
  return q;
}

/** a · b: b is applied first. */
export function multiplyQuaternions(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** q · v · q⁻¹ */
export function rotateVector(q: Quaternion, v: readonly [number, number, number]): [number, number, number] {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}
