import { MotionDatabase } from "../../../src/anim/matching/database.js";

/**
 * The obvious search: every frame, single precision, in the kernel's channel order. Frames that `allowed` leaves out and the
 * playing frame's neighbourhood do not take part.
 */
export function bruteForce(
  database: MotionDatabase, query: ArrayLike<number>, weights: ArrayLike<number>,
  options: { continuing?: number; ignoreRadius?: number; transitionCost?: number; penalty?: (frame: number) => number } = {},
): { frame: number; cost: number } {
  const { store } = database.baked("test");
  const { continuing = -1, ignoreRadius = 0, transitionCost = 0, penalty = () => 0 } = options;
  const f = Math.fround;
  const cost = (frame: number): number => {
    const slot = database.slotOf("test", frame);
    let sum = 0;
    for (let c = 0; c < store.order.length; c++) {
      const channel = store.order[c]!;
      const d = f(f(query[channel]!) - store.value(slot, c));
      sum = f(sum + f(f(d * f(weights[channel]!)) * d));
    }
    return sum;
  };
  let best = continuing, bestCost = continuing >= 0 ? cost(continuing) : Infinity;
  const playing = continuing >= 0 ? database.rangeOf("test", continuing) : undefined;
  for (let frame = 0; frame < database.getFrameCount(); frame++) {
    const extra = penalty(frame);
    if (extra === Infinity) continue;
    if (playing !== undefined && database.rangeOf("test", frame) === playing && Math.abs(frame - continuing) <= ignoreRadius) continue;
    const total = f(cost(frame) + f(f(continuing >= 0 ? transitionCost : 0) + f(extra)));
    if (total < bestCost) {
      best = frame;
      bestCost = total;
    }
  }
  return { frame: best, cost: bestCost };
}

/** Weights by channel from weights by group. */
export function channelWeights(database: MotionDatabase, groups: Readonly<Record<string, number>>): Float32Array {
  const weights = new Float32Array(database.getFeatureSize());
  for (const { group, offset, size, weight } of database.getFeatures()) weights.fill((groups[group] ?? 1) * weight, offset, offset + size);
  return weights;
}

/** Raw features as normalised ones. */
export function normalised(database: MotionDatabase, raw: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: database.getFeatureSize() }, (_, c) => (raw[c]! - database.getFeatureMean(c)) * database.getFeatureInverseStd(c));
}

/** xorshift32 in [0, 1). */
export function random(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
