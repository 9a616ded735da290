/** Principal axes of features: the few directions along which frames really differ. Bake-time code. @internal */
import { AXIS_PADDING, MAXIMUM_AXES } from "../../../assembly/layout/matching.js";

/** What is known of a kernel channel besides its numbers: the weight of its feature, and the group whose weight is set at run time. */
export interface ChannelKind {
  readonly weight: number;
  readonly group: string;
}

const ITERATIONS = 24;
/** Products that the covariance of a group may cost; rows are left out evenly beyond that. */
const PRODUCTS = 3e7;
/** A direction shorter than this share of the longest is rounding noise. */
const NOISE = 1e-9;

/**
 * Orthonormal axes, each within one group, those of the largest variance first. Any orthonormal axes give valid lower bounds
 * of distances, so that how far the iteration has come decides about speed only.
 */
export class PrincipalAxes {
  /** Axes, padded to a multiple of AXIS_PADDING with zeros. */
  readonly count: number;
  /** `count` rows of one component a channel, times the root of the channel's weight. */
  readonly components: Float64Array;
  /** Group of every axis, undefined for padding. */
  readonly groups: readonly (string | undefined)[];

  /** @param rows - normalised features, one row of `kinds.length` numbers a frame */
  constructor(rows: Float32Array, readonly kinds: readonly ChannelKind[]) {
    const found: { channels: number[]; axis: Float64Array; variance: number; group: string }[] = [];
    for (const group of new Set(kinds.map((kind) => kind.group))) {
      const channels = kinds.flatMap((kind, c) => (kind.group === group ? [c] : []));
      const matrix = new Float64Array(channels.length ** 2);
      addMoments(rows, kinds.length, channels, (c) => kinds[c]!.weight, strideOf(rows.length / kinds.length, channels.length), matrix);
      const axes = leadingAxes(matrix, channels.length);
      for (const { axis, variance } of axes) found.push({ channels, axis, variance, group });
    }
    const count = Math.min(MAXIMUM_AXES, Math.max(1, Math.ceil(kinds.length / AXIS_PADDING)) * AXIS_PADDING);
    const chosen = found.toSorted((a, b) => b.variance - a.variance).slice(0, count);
    this.count = count;
    this.components = new Float64Array(count * kinds.length);
    chosen.forEach(({ channels, axis }, k) => channels.forEach((c, i) => (this.components[k * kinds.length + c] = axis[i]! * Math.sqrt(kinds[c]!.weight))));
    this.groups = Array.from({ length: count }, (_, k) => chosen[k]?.group);
  }

  /** Coordinates of all rows, `count` numbers each. */
  coordinates(rows: Float32Array, frames: number): Float32Array {
    const { count, components } = this, size = this.kinds.length, out = new Float32Array(frames * count);
    for (let k = 0; k < count; k++) {
      // Axes lie within a group, so most of their components are 0.
      const used = Array.from({ length: size }, (_, c) => c).filter((c) => components[k * size + c] !== 0);
      const factors = Float64Array.from(used, (c) => components[k * size + c]!), places = Int32Array.from(used);
      for (let frame = 0, at = 0; frame < frames; frame++, at += size) {
        let sum = 0;
        for (let i = 0; i < places.length; i++) sum += factors[i]! * rows[at + places[i]!]!;
        out[frame * count + k] = sum;
      }
    }
    return out;
  }

  /** Length of the longest row, weighted; rounded up. */
  longest(rows: Float32Array): number {
    const size = this.kinds.length, weights = Float64Array.from(this.kinds, ({ weight }) => weight);
    let longest = 0;
    for (let at = 0; at < rows.length; at += size) {
      let sum = 0;
      for (let c = 0; c < size; c++) sum += weights[c]! * rows[at + c]! * rows[at + c]!;
      if (sum > longest) longest = sum;
    }
    return Math.sqrt(longest) * (1 + 1e-6);
  }

  /** The weight that an axis may have at most where channels weigh `weights`: the least share of its group. */
  weightOf(axis: number, weights: ArrayLike<number>): number {
    const group = this.groups[axis];
    let least = Infinity;
    for (let c = 0; c < this.kinds.length; c++) {
      const kind = this.kinds[c]!;
      if (kind.group === group && kind.weight > 0) least = Math.min(least, weights[c]! / kind.weight);
    }
    return least === Infinity ? 0 : least;
  }
}

/** How many rows to go on at a time, so that moments of `count` channels do not take too long. */
function strideOf(frames: number, count: number): number {
  return Math.max(1, Math.ceil((frames * count * count) / PRODUCTS));
}

/** Adds second moments of some channels, each weighted: rows have a mean of 0. */
function addMoments(rows: Float32Array, size: number, channels: readonly number[], weight: (channel: number) => number, step: number, out: Float64Array): void {
  const count = channels.length, frames = rows.length / size;
  const values = new Float64Array(count), factors = Float64Array.from(channels, (c) => Math.sqrt(weight(c)));
  for (let frame = 0; frame < frames; frame += step) {
    for (let i = 0; i < count; i++) values[i] = rows[frame * size + channels[i]!]! * factors[i]!;
    for (let i = 0; i < count; i++) for (let k = 0; k <= i; k++) out[i * count + k]! += values[i]! * values[k]!;
  }
  for (let i = 0; i < count; i++) for (let k = 0; k < i; k++) out[k * count + i] = out[i * count + k]!;
}

/**
 * Channels in the order in which a search adds them: each next one is that which the earlier ones say least about, so that
 * partial sums grow early (a Cholesky decomposition with pivots).
 */
export function channelOrder(tables: readonly Float32Array[], channels: readonly number[], size: number): number[] {
  const count = channels.length, matrix = new Float64Array(count * count);
  const step = strideOf(tables.reduce((sum, table) => sum + table.length, 0) / size, count);
  for (const table of tables) addMoments(table, size, channels, () => 1, step, matrix);
  const left = channels.map((_, i) => i), order: number[] = [];
  while (left.length > 0) {
    let at = 0;
    for (let i = 1; i < left.length; i++) if (matrix[left[i]! * (count + 1)]! > matrix[left[at]! * (count + 1)]!) at = i;
    const [pivot] = left.splice(at, 1) as [number];
    order.push(channels[pivot]!);
    const variance = matrix[pivot * (count + 1)]!;
    if (!(variance > 0)) continue;
    for (const i of left) {
      const factor = matrix[i * count + pivot]! / variance;
      for (const k of left) matrix[i * count + k] = matrix[i * count + k]! - factor * matrix[pivot * count + k]!;
    }
  }
  return order;
}

/** Axes of the largest variance of a symmetric matrix, by orthogonal iteration. */
function leadingAxes(matrix: Float64Array, size: number): { axis: Float64Array; variance: number }[] {
  const count = Math.min(size, MAXIMUM_AXES);
  // Any start that is not orthogonal to the axes will do; this one is the same everywhere.
  let seed = 1;
  let axes: Float64Array[] = Array.from({ length: count }, () => Float64Array.from({ length: size }, () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5));
  let lengths: number[] = [];
  for (let n = 0; n < ITERATIONS; n++) {
    axes = axes.map((axis) => times(matrix, axis));
    lengths = orthonormalize(axes);
  }
  return axes.map((axis, k) => ({ axis, variance: lengths[k]! }));
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  return Float64Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += matrix[i * size + k]! * vector[k]!;
    return sum;
  });
}

/** Gram and Schmidt's, twice, so that rounding leaves nothing; what vanishes becomes 0. @returns lengths across the earlier ones */
function orthonormalize(axes: readonly Float64Array[]): number[] {
  const lengths: number[] = [];
  axes.forEach((axis, k) => {
    let length = 0;
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < k; j++) {
        const product = dot(axis, axes[j]!);
        for (let i = 0; i < axis.length; i++) axis[i] = axis[i]! - product * axes[j]![i]!;
      }
      const rest = Math.sqrt(dot(axis, axis));
      if (pass === 0) length = rest;
      if (!(rest > NOISE * (pass === 0 ? (lengths[0] ?? 0) : NOISE))) {
        axis.fill(0);
        length = 0;
        break;
      }
      for (let i = 0; i < axis.length; i++) axis[i] = axis[i]! / rest;
    }
    lengths.push(length);
  });
  return lengths;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
