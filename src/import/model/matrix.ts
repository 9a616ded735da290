/**
 * 4×4 matrices of importers: column-major arrays of 16 doubles, column vectors. Import-time code, so it allocates freely.
 */
import { length as lengthOf } from "../length.js";

export type Matrix = Float64Array;

export interface Transform {
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
}

/** A transform and how much of the matrix it could not represent. */
export interface Decomposition extends Transform {
  /** Largest deviation of T·R·S from the matrix's 3×3 part, relative to its largest column length. */
  shear: number;
}

export function identity(): Matrix {
  const m = new Float64Array(16);
  m[0] = m[5] = m[10] = m[15] = 1;
  return m;
}

/** a · b */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Matrix {
  const out = new Float64Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + r]! * b[c * 4 + k]!;
      out[c * 4 + r] = sum;
    }
  }
  return out;
}

/** T · R · S */
export function compose(t: readonly number[], q: readonly number[], s: readonly number[]): Matrix {
  const [x, y, z, w] = q as [number, number, number, number];
  const m = new Float64Array(16);
  m[0] = (1 - 2 * (y * y + z * z)) * s[0]!;
  m[1] = 2 * (x * y + z * w) * s[0]!;
  m[2] = 2 * (x * z - y * w) * s[0]!;
  m[4] = 2 * (x * y - z * w) * s[1]!;
  m[5] = (1 - 2 * (x * x + z * z)) * s[1]!;
  m[6] = 2 * (y * z + x * w) * s[1]!;
  m[8] = 2 * (x * z + y * w) * s[2]!;
  m[9] = 2 * (y * z - x * w) * s[2]!;
  m[10] = (1 - 2 * (x * x + y * y)) * s[2]!;
  m[12] = t[0]!;
  m[13] = t[1]!;
  m[14] = t[2]!;
  m[15] = 1;
  return m;
}

/** Inverse of an affine matrix; the zero matrix where it has none. */
export function invertAffine(m: ArrayLike<number>): Matrix {
  const a = m[0]!, b = m[4]!, c = m[8]!, d = m[1]!, e = m[5]!, f = m[9]!, g = m[2]!, h = m[6]!, i = m[10]!;
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const det = a * A + b * B + c * C;
  const out = new Float64Array(16);
  out[15] = 1;
  if (det === 0 || !Number.isFinite(1 / det)) return out;
  const k = 1 / det;
  out[0] = A * k;
  out[1] = B * k;
  out[2] = C * k;
  out[4] = (c * h - b * i) * k;
  out[5] = (a * i - c * g) * k;
  out[6] = (b * g - a * h) * k;
  out[8] = (b * f - c * e) * k;
  out[9] = (c * d - a * f) * k;
  out[10] = (a * e - b * d) * k;
  for (let r = 0; r < 3; r++) out[12 + r] = -(out[r]! * m[12]! + out[4 + r]! * m[13]! + out[8 + r]! * m[14]!);
  return out;
}

/**
 * Splits an affine matrix into T · R · S. Column lengths become the scale; a reflection goes into x.
 * Shear is folded away and its size reported.
 */
export function decompose(m: ArrayLike<number>): Decomposition {
  const scale: [number, number, number] = [
    lengthOf(m[0]!, m[1]!, m[2]!), lengthOf(m[4]!, m[5]!, m[6]!), lengthOf(m[8]!, m[9]!, m[10]!),
  ];
  if (determinant3(m) < 0) scale[0] = -scale[0];
  const axes = orthonormal(m, scale);
  const rotation = quaternionOfAxes(axes);
  const back = compose([0, 0, 0], rotation, scale);
  const largest = Math.max(Math.abs(scale[0]), scale[1], scale[2], 1e-30);
  let shear = 0;
  for (const e of [0, 1, 2, 4, 5, 6, 8, 9, 10]) shear = Math.max(shear, Math.abs(back[e]! - m[e]!) / largest);
  return { translation: [m[12]!, m[13]!, m[14]!], rotation, scale, shear };
}

function determinant3(m: ArrayLike<number>): number {
  return m[0]! * (m[5]! * m[10]! - m[9]! * m[6]!) - m[4]! * (m[1]! * m[10]! - m[9]! * m[2]!) + m[8]! * (m[1]! * m[6]! - m[5]! * m[2]!);
}

/** Unit axes of the matrix; a column of zero length is replaced by one perpendicular to the others. */
function orthonormal(m: ArrayLike<number>, scale: readonly number[]): number[][] {
  const axes = [0, 1, 2].map((c) => {
    const s = scale[c]!;
    return Math.abs(s) < 1e-20 ? undefined : [m[c * 4]! / s, m[c * 4 + 1]! / s, m[c * 4 + 2]! / s];
  });
  for (let c = 0; c < 3; c++) {
    if (axes[c] !== undefined) continue;
    const next = axes[(c + 1) % 3], last = axes[(c + 2) % 3];
    if (next !== undefined && last !== undefined) axes[c] = unit(cross(next, last));
    else axes[c] = perpendicularTo(next ?? last, c);
  }
  return axes as number[][];
}

function perpendicularTo(axis: number[] | undefined, index: number): number[] {
  const unitAxis = [0, 0, 0];
  unitAxis[index] = 1;
  if (axis === undefined) return unitAxis;
  const dot = axis[index]!;
  const rest = unitAxis.map((v, i) => v - dot * axis[i]!);
  if (lengthOf(...rest) > 1e-3) return unit(rest);
  return unit(cross(axis, [axis[1]!, axis[2]!, axis[0]!]));
}

function cross(a: number[], b: number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function unit(v: number[]): number[] {
  const n = lengthOf(...v);
  return n > 0 ? v.map((e) => e / n) : [1, 0, 0];
}

/** Quaternion of a rotation given by its three columns (largest component first: Shepperd 1978). */
function quaternionOfAxes(axes: number[][]): [number, number, number, number] {
  const [[a, d, g], [b, e, h], [c, f, i]] = axes as [[number, number, number], [number, number, number], [number, number, number]];
  let q: [number, number, number, number];
  const trace = a + e + i;
  if (trace > a && trace > e && trace > i) q = [h - f, c - g, d - b, 1 + trace];
  else if (a >= e && a >= i) q = [1 + 2 * a - trace, b + d, c + g, h - f];
  else if (e >= i) q = [b + d, 1 + 2 * e - trace, f + h, c - g];
  else q = [c + g, f + h, 1 + 2 * i - trace, d - b];
  const n = lengthOf(...q);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}
