/** Codes one channel of a group over one block of frames (layout/rig3d.ts, "Quantised clip"). @internal */
import { HEAD_BLENDS, HEAD_WIDE, QUANTISED_SEGMENTS, WIDEST_FIELD } from "../../../assembly/layout/rig3d.js";
import type { BitWriter } from "./bit-writer.js";

export const BLOCK_FRAMES = QUANTISED_SEGMENTS + 1;

/** Number of coefficients by code. */
const TERMS = [0, 1, 2, 4] as const;

/** T0 .. T3 at the frames of a block. */
const CHEBYSHEV = /* @__PURE__ */ Array.from({ length: BLOCK_FRAMES }, (_, frame) => chebyshev(frame));

/** Least-squares fits of degree 0, 1 and 3 to the frames of a block: rows of coefficients, by code. */
const FITS = /* @__PURE__ */ TERMS.map((terms) => pseudoInverse(terms));

function chebyshev(frame: number): [number, number, number, number] {
  const x = frame / 8 - 1;
  return [1, x, 2 * x * x - 1, (4 * x * x - 3) * x];
}

/** (A^T A)^-1 A^T of the first `terms` polynomials at the frames of a block, by Gauss-Jordan. */
function pseudoInverse(terms: number): number[][] {
  const rows = Array.from({ length: terms }, (_, r) => {
    const row: number[] = [];
    for (let c = 0; c < terms; c++) {
      let sum = 0;
      for (let f = 0; f < BLOCK_FRAMES; f++) sum += chebyshev(f)[r]! * chebyshev(f)[c]!;
      row.push(sum);
    }
    for (let f = 0; f < BLOCK_FRAMES; f++) row.push(chebyshev(f)[r]!);
    return row;
  });
  for (let pivot = 0; pivot < terms; pivot++) {
    const scale = rows[pivot]![pivot]!;
    rows[pivot] = rows[pivot]!.map((v) => v / scale);
    for (let r = 0; r < terms; r++) {
      if (r === pivot) continue;
      const factor = rows[r]![pivot]!;
      rows[r] = rows[r]!.map((v, i) => v - factor * rows[pivot]![i]!);
    }
  }
  return rows.map((row) => row.slice(terms));
}

interface Coded {
  terms: number;
  bits: number;
  /** Per component and moving lane. */
  coefficients: number[][][];
  rest: number[][][];
  /** Whether all numbers take 32 bits; bits of what is left by component if not. */
  isWide: boolean;
  restWidths: number[];
}

/**
 * Writes a channel with the polynomial that takes the fewest bits.
 * @param values - per component (x, y, z) and moving lane the values of all frames of the block, in steps
 * @param blends - whether values between frames may be blended
 * @returns the head
 */
export function writeChannel(values: readonly (readonly Float64Array[])[], blends: boolean, bits: BitWriter): number {
  let best: Coded | undefined;
  for (let code = 0; code < TERMS.length; code++) {
    const coded = encode(values, code);
    if (best === undefined || coded.bits < best.bits) best = coded;
  }
  const { terms, coefficients, rest, isWide, restWidths } = best!;
  values.forEach((lanes, component) => {
    for (let term = 0; term < TERMS[terms]!; term++) {
      for (let lane = 0; lane < lanes.length; lane++) bits.write(coefficients[component]![lane]![term]!, isWide ? 32 : 16);
    }
    const width = isWide ? 32 : restWidths[component]!;
    for (let frame = 0; frame < BLOCK_FRAMES; frame++) {
      for (let lane = 0; lane < lanes.length; lane++) bits.write(rest[component]![lane]![frame]!, width);
    }
    bits.alignToByte();
  });
  const head = terms | (blends ? HEAD_BLENDS : 0) | (isWide ? HEAD_WIDE : (restWidths[0]! << 16) | (restWidths[1]! << 21) | (restWidths[2]! << 26));
  return head >>> 0;
}

function encode(values: readonly (readonly Float64Array[])[], terms: number): Coded {
  const fit = FITS[terms]!, coefficients: number[][][] = [], rest: number[][][] = [], restWidths: number[] = [];
  let largest = 0;
  for (const lanes of values) {
    const own: number[][] = [], left: number[][] = [];
    let width = 0;
    for (const lane of lanes) {
      const c = fit.map((row) => {
        let sum = 0;
        for (let f = 0; f < BLOCK_FRAMES; f++) sum += row[f]! * lane[f]!;
        return Math.round(sum);
      });
      const r: number[] = [];
      for (let f = 0; f < BLOCK_FRAMES; f++) {
        let value = 0;
        for (let term = 0; term < c.length; term++) value += c[term]! * CHEBYSHEV[f]![term]!;
        r.push(Math.round(lane[f]! - value));
      }
      for (const n of c) largest = Math.max(largest, widthOf(n));
      for (const n of r) width = Math.max(width, widthOf(n));
      own.push(c);
      left.push(r);
    }
    coefficients.push(own);
    rest.push(left);
    restWidths.push(width);
  }
  const isWide = largest > 16 || Math.max(...restWidths) > WIDEST_FIELD, count = values[0]!.length;
  let bits = 3 * count * TERMS[terms]! * (isWide ? 32 : 16);
  for (const width of restWidths) bits += (BLOCK_FRAMES * count * (isWide ? 32 : width) + 7) & ~7;
  return { terms, bits, coefficients, rest, isWide, restWidths };
}

/** Bits of a number in two's complement; 0 takes none. */
function widthOf(n: number): number {
  return n === 0 ? 0 : 33 - Math.clz32(n < 0 ? ~n : n);
}
