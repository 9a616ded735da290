/** Rotations and vectors by offset in Float64Arrays, as rig/rigid.ts has them; `out` may be an operand. @internal */

/** out = q v */
export function rotateVector(q: Float64Array, qi: number, v: Float64Array, vi: number, out: Float64Array, o: number): void {
  const x = q[qi]!, y = q[qi + 1]!, z = q[qi + 2]!, w = q[qi + 3]!, a = v[vi]!, b = v[vi + 1]!, c = v[vi + 2]!;
  const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
  out[o] = a + 2 * (y * cz - z * cy);
  out[o + 1] = b + 2 * (z * cx - x * cz);
  out[o + 2] = c + 2 * (x * cy - y * cx);
}

/** out = conj(a) b, normalised */
export function inverseMultiply(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const ax = -a[ai]!, ay = -a[ai + 1]!, az = -a[ai + 2]!, aw = a[ai + 3]!;
  const bx = b[bi]!, by = b[bi + 1]!, bz = b[bi + 2]!, bw = b[bi + 3]!;
  const x = aw * bx + ax * bw + ay * bz - az * by, y = aw * by + ay * bw + az * bx - ax * bz;
  const z = aw * bz + az * bw + ax * by - ay * bx, w = aw * bw - ax * bx - ay * by - az * bz;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * scale;
  out[o + 1] = y * scale;
  out[o + 2] = z * scale;
  out[o + 3] = w * scale;
}

/** The shortest rotation between the directions of two vectors that have a length; half a turn about any normal if opposite. */
export function shortestArc(from: Float64Array, fi: number, to: Float64Array, ti: number, out: Float64Array, o: number): void {
  const ax = from[fi]!, ay = from[fi + 1]!, az = from[fi + 2]!, bx = to[ti]!, by = to[ti + 1]!, bz = to[ti + 2]!;
  const lengths = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  let x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx, w = lengths + ax * bx + ay * by + az * bz;
  if (w < 1e-12 * lengths) {
    const level = Math.abs(ax) < Math.abs(az);
    x = level ? 0 : ay;
    y = level ? az : -ax;
    z = level ? -ay : 0;
    w = 0;
  }
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * scale;
  out[o + 1] = y * scale;
  out[o + 2] = z * scale;
  out[o + 3] = w * scale;
}
