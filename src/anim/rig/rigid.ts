/**
 * Rigid transforms in seven numbers, x y z qx qy qz qw, inside Float64Arrays: the arithmetic of root motion. @internal
 *
 * Offsets are given instead of views, so that nothing is allocated. `out` may be an operand.
 */
export const RIGID = 7;

export function setIdentity(out: Float64Array, o: number): void {
  out.fill(0, o, o + RIGID);
  out[o + 6] = 1;
}

export function copyRigid(a: Float64Array, ai: number, out: Float64Array, o: number): void {
  for (let i = 0; i < RIGID; i++) out[o + i] = a[ai + i]!;
}

/** out = a b (first b, then a). */
export function composeRigid(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const ax = a[ai + 3]!, ay = a[ai + 4]!, az = a[ai + 5]!, aw = a[ai + 6]!;
  const bx = b[bi + 3]!, by = b[bi + 4]!, bz = b[bi + 5]!, bw = b[bi + 6]!;
  const vx = b[bi]!, vy = b[bi + 1]!, vz = b[bi + 2]!;
  // v + 2 q x (q x v + w v)
  const cx = ay * vz - az * vy + aw * vx, cy = az * vx - ax * vz + aw * vy, cz = ax * vy - ay * vx + aw * vz;
  out[o] = a[ai]! + vx + 2 * (ay * cz - az * cy);
  out[o + 1] = a[ai + 1]! + vy + 2 * (az * cx - ax * cz);
  out[o + 2] = a[ai + 2]! + vz + 2 * (ax * cy - ay * cx);
  const x = aw * bx + ax * bw + ay * bz - az * by, y = aw * by + ay * bw + az * bx - ax * bz;
  const z = aw * bz + az * bw + ax * by - ay * bx, w = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 3] = x;
  out[o + 4] = y;
  out[o + 5] = z;
  out[o + 6] = w;
  makeUnit(out, o + 3);
}

/** out = a^-1 */
export function invertRigid(a: Float64Array, ai: number, out: Float64Array, o: number): void {
  const x = -a[ai + 3]!, y = -a[ai + 4]!, z = -a[ai + 5]!, w = a[ai + 6]!;
  const vx = -a[ai]!, vy = -a[ai + 1]!, vz = -a[ai + 2]!;
  const cx = y * vz - z * vy + w * vx, cy = z * vx - x * vz + w * vy, cz = x * vy - y * vx + w * vz;
  out[o] = vx + 2 * (y * cz - z * cy);
  out[o + 1] = vy + 2 * (z * cx - x * cz);
  out[o + 2] = vz + 2 * (x * cy - y * cx);
  out[o + 3] = x;
  out[o + 4] = y;
  out[o + 5] = z;
  out[o + 6] = w;
}

/** out (four numbers at o) = a b of unit quaternions at ai, bi. */
export function multiplyRotations(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const ax = a[ai]!, ay = a[ai + 1]!, az = a[ai + 2]!, aw = a[ai + 3]!;
  const bx = b[bi]!, by = b[bi + 1]!, bz = b[bi + 2]!, bw = b[bi + 3]!;
  const x = aw * bx + ax * bw + ay * bz - az * by, y = aw * by + ay * bw + az * bx - ax * bz;
  const z = aw * bz + az * bw + ax * by - ay * bx, w = aw * bw - ax * bx - ay * by - az * bz;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
  makeUnit(out, o);
}

/** out = a conj(b) */
export function rotationDifference(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const ax = a[ai]!, ay = a[ai + 1]!, az = a[ai + 2]!, aw = a[ai + 3]!;
  const bx = -b[bi]!, by = -b[bi + 1]!, bz = -b[bi + 2]!, bw = b[bi + 3]!;
  const x = aw * bx + ax * bw + ay * bz - az * by, y = aw * by + ay * bw + az * bx - ax * bz;
  const z = aw * bz + az * bw + ax * by - ay * bx, w = aw * bw - ax * bx - ay * by - az * bz;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
  makeUnit(out, o);
}

/**
 * out = base^n for a whole n >= 0, by repeated squaring. `base` is destroyed; the two regions must not overlap.
 */
export function powerRigid(base: Float64Array, bi: number, n: number, out: Float64Array, o: number): void {
  setIdentity(out, o);
  while (n > 0) {
    if (n % 2 === 1) composeRigid(out, o, base, bi, out, o);
    n = Math.floor(n / 2);
    if (n > 0) composeRigid(base, bi, base, bi, base, bi);
  }
}

/** The part of a rotation about +Y that turns +Z towards where it points on the ground; identity if it points straight up or down. */
export function yawOf(q: Float64Array, qi: number, out: Float64Array, o: number): void {
  const x = q[qi]!, y = q[qi + 1]!, z = q[qi + 2]!, w = q[qi + 3]!;
  const fx = 2 * (x * z + w * y), fz = 1 - 2 * (x * x + y * y);
  const length = Math.sqrt(fx * fx + fz * fz);
  out[o] = 0;
  out[o + 2] = 0;
  if (length < 1e-12) {
    out[o + 1] = 0;
    out[o + 3] = 1;
    return;
  }
  // Half-angle formulas, taking the larger of sine and cosine by a root and the other from the product.
  const sine = fx / length, cosine = fz / length;
  if (cosine >= 0) {
    const half = Math.sqrt((1 + cosine) / 2);
    out[o + 3] = half;
    out[o + 1] = sine / (2 * half);
  } else {
    const half = Math.sqrt((1 - cosine) / 2) * (sine < 0 ? -1 : 1);
    out[o + 1] = half;
    out[o + 3] = sine / (2 * half);
  }
}

/** Normalises the quaternion at o. It is read back from the array, because doubles in arguments are boxed. */
function makeUnit(out: Float64Array, o: number): void {
  const x = out[o]!, y = out[o + 1]!, z = out[o + 2]!, w = out[o + 3]!;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * scale;
  out[o + 1] = y * scale;
  out[o + 2] = z * scale;
  out[o + 3] = w * scale;
}
