import { SearchQuery } from "./query.js";
import type { Baked, MotionDatabase } from "./database.js";

/** What a baked database covers. */
export interface MotionDatabaseReport {
  readonly frameCount: number;
  readonly seconds: number;
  /** Frames that carry each tag, mirrored ones included. */
  readonly framesPerTag: Readonly<Record<string, number>>;
  /** Names of channels that never change and therefore never count. */
  readonly constantChannels: readonly string[];
  /** Distances (root of the cost, all weights 1) from a sample of frames to the nearest frame elsewhere: upper limits and counts. */
  readonly neighbourDistances: readonly { readonly below: number; readonly count: number }[];
  /** Largest loss of quantised features, in standard deviations; 0 without. */
  readonly quantizationError: number;
  readonly bytes: number;
}

const SAMPLES = 256;
const LIMITS = [0.25, 0.5, 1, 2, 4, 8, Infinity];
/** Frames to either side that do not count as elsewhere. */
const NEIGHBOURHOOD = 15;

/** @internal */
export function describe(database: MotionDatabase, baked: Baked, tagNames: readonly string[]): MotionDatabaseReport {
  const framesPerTag: Record<string, number> = Object.fromEntries(tagNames.map((tag) => [tag, 0]));
  let seconds = 0;
  for (const range of baked.ranges) {
    seconds += range.frameCount / range.rate;
    tagNames.forEach((tag, bit) => {
      if ((range.tags & (1 << bit)) !== 0) framesPerTag[tag]! += range.frameCount;
    });
  }
  const constantChannels = baked.features.flatMap(({ name, offset, size }) =>
    Array.from({ length: size }, (_, k) => offset + k).filter((c) => baked.normalization.inverse[c] === 0).map((c) => (size === 1 ? name : `${name}[${c - offset}]`)));
  return {
    frameCount: baked.frameCount, seconds, framesPerTag, constantChannels,
    neighbourDistances: neighbours(database, baked),
    quantizationError: baked.store.quantizationError,
    bytes: database.getDatabaseBytes(),
  };
}

function neighbours(database: MotionDatabase, baked: Baked): { below: number; count: number }[] {
  const counts = LIMITS.map(() => 0);
  const query = new SearchQuery(database);
  query.setRules({ required: 0, excluded: 0, costs: [], ignoreEnd: 0, mirrored: true });
  const vector = new Float32Array(baked.size);
  const step = Math.max(1, Math.floor(baked.frameCount / SAMPLES));
  for (let frame = 0; frame < baked.frameCount; frame += step) {
    database.getFeature(frame, vector);
    query.setNormalized(vector);
    query.skipAround(frame, NEIGHBOURHOOD);
    if (query.run(-1, 0) < 0) continue;
    const distance = Math.sqrt(query.cost);
    counts[LIMITS.findIndex((limit) => distance < limit)]!++;
  }
  query.dispose();
  return LIMITS.map((below, i) => ({ below, count: counts[i]! }));
}
