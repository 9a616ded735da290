/** Euclidean length. Math.hypot may round differently from engine to engine; sums and roots do not. */
export function length(...v: readonly number[]): number {
  let sum = 0;
  for (const x of v) sum += x * x;
  return Math.sqrt(sum);
}
