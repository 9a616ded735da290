import type { Knots } from "./reference-knots.js";

const LARGEST_INDEX = 0xffff;

/** A knot table before it is written: the knots and the uniform buckets that lead to them. */
export interface Table {
  readonly knots: Knots;
  readonly bucketsPerSecond: number;
  /** Per bucket: index of a knot that is not after the one wanted for any time in the bucket. */
  readonly buckets: Uint16Array;
}

/** Chooses buckets so that few of them hold more than one knot. */
export function makeTable(knots: Knots): Table {
  const { times } = knots;
  const n = times.length;
  const span = n > 1 ? times[n - 1]! - times[0]! : 0;
  if (n < 2 || !(span > 0)) return { knots, bucketsPerSecond: 0, buckets: new Uint16Array(1) };
  let best: Table | undefined;
  for (let factor = 1; factor <= 4; factor *= 2) {
    const table = tableWith(knots, Math.min(n * factor, 1 << 20), span);
    if (table === undefined) break;
    best = table;
    if (widest(table, n) <= 1) break;
  }
  return best ?? { knots, bucketsPerSecond: 0, buckets: new Uint16Array(1) };
}

function tableWith(knots: Knots, count: number, span: number): Table | undefined {
  const { times } = knots;
  const rate = Math.fround(count / span);
  if (!(rate > 0 && rate < 1e30)) return undefined;
  const first = times[0]!;
  const buckets = new Uint16Array(count);
  // Bucket numbers grow with time in whatever precision they are computed. A knot in an earlier bucket is therefore earlier
  // than every time in this one; the wanted knot is that one or a later one.
  let knot = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    while (knot + 1 < times.length && bucketOf(times[knot + 1]!, first, rate) < bucket) knot++;
    buckets[bucket] = Math.min(knot, LARGEST_INDEX);
  }
  return { knots, bucketsPerSecond: rate, buckets };
}

/** The larger of the bucket numbers that 32-bit and 64-bit arithmetic give. */
function bucketOf(time: number, first: number, rate: number): number {
  const narrow = Math.fround(Math.fround(time - first) * rate);
  return Math.trunc(Math.max(narrow, (time - first) * rate));
}

/** The most steps that any bucket's knot is away from the next bucket's. */
function widest({ buckets }: Table, knotCount: number): number {
  let most = 0;
  for (let i = 0; i < buckets.length; i++) most = Math.max(most, (buckets[i + 1] ?? knotCount - 1) - buckets[i]!);
  return most;
}
