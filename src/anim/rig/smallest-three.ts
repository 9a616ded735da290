/** Quaternions in 2 + 1 + 3 x 15 bits: index and sign of the largest component, the three others. @internal */

const ROOT_HALF = Math.SQRT1_2;

/** Codes of the three smaller components in the order x y z w, each 0 .. 2^bits - 1. */
export interface SmallestThree {
  largest: number;
  /** Whether the largest component was negative; decoding gives the same signs back. */
  negative: boolean;
  codes: [number, number, number];
}

/** Largest component by magnitude, the lowest index on a tie; the quaternion is negated so that it is positive. */
export function encodeSmallestThree(q: ArrayLike<number>, bits = 15): SmallestThree {
  let largest = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[i]!) > Math.abs(q[largest]!)) largest = i;
  const negative = q[largest]! < 0, steps = 2 ** bits - 1, codes: number[] = [];
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    const value = negative ? -q[i]! : q[i]!;
    codes.push(Math.min(steps, Math.max(0, Math.round(((value / ROOT_HALF + 1) / 2) * steps))));
  }
  return { largest, negative, codes: codes as [number, number, number] };
}

export function decodeSmallestThree({ largest, negative, codes }: SmallestThree, bits = 15): [number, number, number, number] {
  const q: [number, number, number, number] = [0, 0, 0, 0], steps = 2 ** bits - 1;
  let squares = 0, next = 0;
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    const value = ((2 * codes[next++]!) / steps - 1) * ROOT_HALF;
    q[i] = negative ? -value : value;
    squares += value * value;
  }
  const value = Math.sqrt(Math.max(0, 1 - squares));
  q[largest] = negative ? -value : value;
  return q;
}
