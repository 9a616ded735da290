import { Bench } from "tinybench";

export { bytesPerWindow } from "./heap.js";

export interface RaceResult {
  /** Median over the rounds of peer time / own time: how many times as fast we are. */
  ratio: number;
  /** Smallest and largest ratio of a round. */
  lowest: number;
  highest: number;
  /** Medians, in milliseconds a call. Only for orientation: figures of different runs do not compare. */
  ownMs: number;
  peerMs: number;
}

export interface RaceOptions {
  /** Rounds; each times both sides, in alternating order. Default 5. */
  rounds?: number;
  /** Milliseconds per side and round. Default 250. */
  time?: number;
}

/** Median of a list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Geometric mean of a list. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Times two functions that do the same work, in interleaved rounds in this process. */
export async function race(own: () => void, peer: () => void, options: RaceOptions = {}): Promise<RaceResult> {
  const rounds = options.rounds ?? 5;
  const time = options.time ?? 250;
  const ownTimes: number[] = [];
  const peerTimes: number[] = [];
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const bench = new Bench({ time, iterations: 3, warmup: round < 0, warmupTime: time });
    if (round % 2 === 0) bench.add("own", own).add("peer", peer);
    else bench.add("peer", peer).add("own", own);
    await bench.run();
    // The first round only warms both sides up.
    if (round < 0) continue;
    const ownMs = periodOf(bench, "own");
    const peerMs = periodOf(bench, "peer");
    ownTimes.push(ownMs);
    peerTimes.push(peerMs);
    ratios.push(peerMs / ownMs);
  }
  return {
    ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios), ownMs: median(ownTimes), peerMs: median(peerTimes),
  };
}

function periodOf(bench: Bench, name: string): number {
  const task = bench.getTask(name);
  const result = task?.result as { error?: Error; latency?: { p50?: number; mean?: number }; state?: string } | undefined;
  if (result?.error !== undefined) throw result.error;
  const period = result?.latency?.p50 ?? result?.latency?.mean;
  if (period === undefined) throw new Error(`tinybench measured nothing for ${name}`);
  return period;
}
