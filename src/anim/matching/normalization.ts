/** Means and deviations of channels over all frames. @internal */
import type { MotionFeature } from "./layout.js";

export type NormalizationMode = "channel" | "feature";

export interface Normalization {
  readonly mean: Float64Array;
  /** Deviation that was divided by: the channel's, or the mean of its feature's. */
  readonly deviation: Float64Array;
  /** 0 for channels that are constant, so that they never count. */
  readonly inverse: Float64Array;
}

/** Below this share of the mean a deviation counts as none. */
const CONSTANT = 1e-5;

/** @param rows - raw features of all frames, one table a range */
export function normalize(rows: readonly Float64Array[], features: readonly MotionFeature[], size: number, mode: NormalizationMode): Normalization {
  const mean = new Float64Array(size), deviation = new Float64Array(size), inverse = new Float64Array(size);
  let count = 0;
  for (const table of rows) {
    for (let at = 0; at < table.length; at += size) for (let c = 0; c < size; c++) mean[c]! += table[at + c]!;
    count += table.length / size;
  }
  for (let c = 0; c < size; c++) mean[c]! /= count;
  // Two passes: the difference to the mean loses nothing, the difference of sums would.
  for (const table of rows) {
    for (let at = 0; at < table.length; at += size) {
      for (let c = 0; c < size; c++) {
        const d = table[at + c]! - mean[c]!;
        deviation[c]! += d * d;
      }
    }
  }
  for (let c = 0; c < size; c++) deviation[c] = Math.sqrt(deviation[c]! / count);
  const constant = Array.from(deviation, (sigma, c) => sigma < CONSTANT * Math.max(1, Math.abs(mean[c]!)));
  if (mode === "feature") {
    for (const feature of features) {
      let sum = 0;
      for (let c = 0; c < feature.size; c++) sum += deviation[feature.offset + c]!;
      deviation.fill(sum / feature.size, feature.offset, feature.offset + feature.size);
    }
  }
  for (let c = 0; c < size; c++) inverse[c] = constant[c] || !(deviation[c]! > 0) ? 0 : 1 / deviation[c]!;
  return { mean, deviation, inverse };
}
