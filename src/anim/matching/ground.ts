/**
 * Ground frames: a place on the floor and a heading, as x, z, sine and cosine of the yaw, four numbers in a Float64Array.
 * No angles, so no trigonometry: the same bits everywhere. `out` may be an operand. @internal
 */
export const GROUND = 4;

export function setGround(out: Float64Array, o: number, x: number, z: number, s: number, c: number): void {
  out[o] = x;
  out[o + 1] = z;
  out[o + 2] = s;
  out[o + 3] = c;
}

export function copyGround(a: Float64Array, ai: number, out: Float64Array, o: number): void {
  for (let i = 0; i < GROUND; i++) out[o + i] = a[ai + i]!;
}

/** out = a b: b's place seen from a. */
export function composeGround(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const as = a[ai + 2]!, ac = a[ai + 3]!, bx = b[bi]!, bz = b[bi + 1]!, bs = b[bi + 2]!, bc = b[bi + 3]!;
  const x = a[ai]! + bx * ac + bz * as, z = a[ai + 1]! - bx * as + bz * ac;
  // Products of unit vectors drift by rounding; one Newton step keeps them on the circle.
  const s = as * bc + ac * bs, c = ac * bc - as * bs, k = (3 - (s * s + c * c)) / 2;
  // Written out: doubles in arguments may be boxed.
  out[o] = x;
  out[o + 1] = z;
  out[o + 2] = s * k;
  out[o + 3] = c * k;
}

/** out = a^-1 */
export function invertGround(a: Float64Array, ai: number, out: Float64Array, o: number): void {
  const x = a[ai]!, z = a[ai + 1]!, s = a[ai + 2]!, c = a[ai + 3]!;
  out[o] = -(x * c - z * s);
  out[o + 1] = -(x * s + z * c);
  out[o + 2] = -s;
  out[o + 3] = c;
}

/** out = base^n for a whole n, negative too. `base` is destroyed; regions must not overlap. */
export function powerGround(base: Float64Array, bi: number, n: number, out: Float64Array, o: number): void {
  if (n < 0) invertGround(base, bi, base, bi);
  let rest = Math.abs(n);
  setGround(out, o, 0, 0, 0, 1);
  while (rest > 0) {
    if (rest % 2 === 1) composeGround(out, o, base, bi, out, o);
    rest = Math.floor(rest / 2);
    if (rest > 0) composeGround(base, bi, base, bi, base, bi);
  }
}

/** The inverse of `frame` applied to a vector: to the character's frame. @returns x; z is `localZ` of the same arguments */
export function localX(dx: number, dz: number, s: number, c: number): number {
  return dx * c - dz * s;
}

export function localZ(dx: number, dz: number, s: number, c: number): number {
  return dx * s + dz * c;
}
