/**
 * Names for the shuffles that transpose 4 x 4 values.
 *
 * Source   two rounds: pairs of a b and of c d, then halves of the pairs; [a0 a1 a2 a3] ... -> [a0 b0 c0 d0] ...
 */

/** [a0 b0 a1 b1] */
@inline
export function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}

/** [a2 b2 a3 b3] */
@inline
export function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

/** [a0 a1 b0 b1] */
@inline
export function lowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}

/** [a2 a3 b2 b3] */
@inline
export function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}

/** Stores the columns of four rows, `stride` bytes apart. */
@inline
export function storeTransposed(to: usize, stride: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab01 = lowPairs(a, b), ab23 = highPairs(a, b), cd01 = lowPairs(c, d), cd23 = highPairs(c, d);
  v128.store(to, lowHalves(ab01, cd01));
  v128.store(to + stride, highHalves(ab01, cd01));
  v128.store(to + stride * 2, lowHalves(ab23, cd23));
  v128.store(to + stride * 3, highHalves(ab23, cd23));
}
