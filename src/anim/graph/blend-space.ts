/** Weights of the points of blend spaces. @internal */
import { triangulate } from "./delaunay.js";

/** Points closer than this share of the whole extent are one, and sets this flat are a line. */
const FLAT = 1e-9;
/** Triangles of less than this (twice the area, of the extent squared) are too thin to have weights of their own. */
const THIN = 1e-12;
/** Weights this far below 0 count as 0. */
const INSIDE = -1e-9;

/**
 * Points on a line: at most two neighbours have weight, outside the nearest end has it all. Of points at one position the
 * later one wins, except that everything up to the lowest position belongs to the first of those.
 */
export class LineWeights {
  /** The position that `weighHere` weighs at: in an array, because doubles in arguments are boxed. */
  readonly at = new Float64Array(1);
  #positions: number[] = [];
  #order: number[] = [];

  /** Sets the points. */
  build(positions: readonly number[]): void {
    this.#positions = [...positions];
    this.#order = positions.map((_, i) => i).toSorted((a, b) => positions[a]! - positions[b]! || a - b);
  }

  /** Writes the weight of every point at `x`. */
  weigh(x: number, out: Float64Array): void {
    this.at[0] = x;
    this.weighHere(out);
  }

  /** `weigh` at the position in `at`. */
  weighHere(out: Float64Array): void {
    const x = this.at[0]!;
    const order = this.#order, positions = this.#positions, count = order.length;
    out.fill(0, 0, count);
    if (count === 0) return;
    if (x <= positions[order[0]!]!) {
      out[order[0]!] = 1;
      return;
    }
    let right = 1;
    while (right < count && positions[order[right]!]! <= x) right++;
    const left = order[right - 1]!;
    if (right === count) {
      out[left] = 1;
      return;
    }
    const from = positions[left]!, t = (x - from) / (positions[order[right]!]! - from);
    out[left] = 1 - t;
    out[order[right]!] = t;
  }
}

/**
 * Points on a plane: barycentric weights in the Delaunay triangle of the position, outside of all those of the nearest
 * point of the boundary; a set on one line degrades to that line. Continuous, at most three weights. Of points at one
 * position the later one counts.
 */
export class PlaneWeights {
  /** The position that `weighHere` weighs at. */
  readonly at = new Float64Array(2);
  /** The same in the units of #x and #y. */
  readonly #place = new Float64Array(2);
  /** Corners of the triangles, three point indices each. */
  triangles: number[] = [];

  #count = 0;
  #centreX = 0;
  #centreY = 0;
  #scale = 1;
  /** Positions about the centre, in units of the extent. */
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  /** Triangles that are thick enough, and the edges around them, two points each. */
  #solid: number[] = [];
  #boundary: number[] = [];
  /** For a set on one line (or a single point): the line. */
  #line: LineWeights | undefined;
  #axisX = 0;
  #axisY = 0;
  #kept: number[] = [];
  /** Points that stand for others close by, or have no triangle: within FLAT of one there is nothing else. */
  #alone: number[] = [];
  #lineOut = new Float64Array(0);

  /** Sets the points. */
  build(xs: readonly number[], ys: readonly number[]): void {
    const count = (this.#count = xs.length);
    this.triangles = [];
    this.#solid = [];
    this.#boundary = [];
    this.#alone = [];
    this.#line = undefined;
    if (count === 0) return;
    let lowX = Infinity, lowY = Infinity, highX = -Infinity, highY = -Infinity;
    for (let i = 0; i < count; i++) {
      lowX = Math.min(lowX, xs[i]!);
      highX = Math.max(highX, xs[i]!);
      lowY = Math.min(lowY, ys[i]!);
      highY = Math.max(highY, ys[i]!);
    }
    const extent = Math.max(highX - lowX, highY - lowY);
    this.#centreX = lowX / 2 + highX / 2;
    this.#centreY = lowY / 2 + highY / 2;
    this.#scale = extent > 1e-100 ? 1 / extent : 1;
    this.#x = Float64Array.from(xs, (x) => (x - this.#centreX) * this.#scale);
    this.#y = Float64Array.from(ys, (y) => (y - this.#centreY) * this.#scale);
    const kept = this.#distinct();
    if (this.#isLine(kept)) {
      this.#kept = kept;
      this.#lineOut = new Float64Array(kept.length);
      this.#line = new LineWeights();
      this.#line.build(kept.map((i) => this.#x[i]! * this.#axisX + this.#y[i]! * this.#axisY));
      return;
    }
    // The points as they were given: the scaled ones are rounded, and a grid would lose its common circles.
    this.triangles = triangulate(kept.map((i) => xs[i]!), kept.map((i) => ys[i]!)).map((i) => kept[i]!);
    this.#outline();
    for (const i of kept) if (!this.#solid.includes(i) && !this.#alone.includes(i)) this.#alone.push(i);
  }

  /** Writes the weight of every point at a position. */
  weigh(x: number, y: number, out: Float64Array): void {
    this.at[0] = x;
    this.at[1] = y;
    this.weighHere(out);
  }

  /** `weigh` at the position in `at`. */
  weighHere(out: Float64Array): void {
    out.fill(0, 0, this.#count);
    if (this.#count === 0) return;
    // Far outside, the digits of the set would be lost; nothing changes beyond this distance.
    const px = Math.min(1e6, Math.max(-1e6, (this.at[0]! - this.#centreX) * this.#scale));
    const py = Math.min(1e6, Math.max(-1e6, (this.at[1]! - this.#centreY) * this.#scale));
    for (let n = 0; n < this.#alone.length; n++) {
      const i = this.#alone[n]!;
      if (Math.abs(px - this.#x[i]!) > FLAT || Math.abs(py - this.#y[i]!) > FLAT) continue;
      out[i] = 1;
      return;
    }
    if (this.#line !== undefined) {
      this.#line.at[0] = px * this.#axisX + py * this.#axisY;
      this.#line.weighHere(this.#lineOut);
      for (let i = 0; i < this.#kept.length; i++) out[this.#kept[i]!] = this.#lineOut[i]!;
      return;
    }
    this.#place[0] = px;
    this.#place[1] = py;
    if (!this.#inTriangle(out)) this.#onBoundary(out);
  }

  #distinct(): number[] {
    const kept: number[] = [], x = this.#x, y = this.#y;
    for (let i = this.#count - 1; i >= 0; i--) {
      const same = kept.find((k) => Math.max(Math.abs(x[k]! - x[i]!), Math.abs(y[k]! - y[i]!)) <= FLAT);
      if (same === undefined) kept.unshift(i);
      else if (!this.#alone.includes(same)) this.#alone.push(same);
    }
    return kept;
  }

  /** Whether the points lie on one line, which becomes the axis. */
  #isLine(kept: number[]): boolean {
    const x = this.#x, y = this.#y;
    let from = kept[0]!, longest = 0;
    this.#axisX = 1;
    this.#axisY = 0;
    for (const a of kept) {
      for (const b of kept) {
        const length = Math.hypot(x[b]! - x[a]!, y[b]! - y[a]!);
        if (b <= a || length <= longest) continue;
        longest = length;
        from = a;
        this.#axisX = (x[b]! - x[a]!) / length;
        this.#axisY = (y[b]! - y[a]!) / length;
      }
    }
    return kept.every((i) => Math.abs((x[i]! - x[from]!) * this.#axisY - (y[i]! - y[from]!) * this.#axisX) <= FLAT);
  }

  #area(a: number, b: number, c: number): number {
    const x = this.#x, y = this.#y;
    return (x[b]! - x[a]!) * (y[c]! - y[a]!) - (y[b]! - y[a]!) * (x[c]! - x[a]!);
  }

  /** Sorts out thin triangles and finds the edges that border on one triangle only. */
  #outline(): void {
    const edges = new Map<number, number>(), t = this.triangles, count = this.#count;
    for (let i = 0; i < t.length; i += 3) {
      const a = t[i]!, b = t[i + 1]!, c = t[i + 2]!;
      if (this.#area(a, b, c) < THIN) continue;
      this.#solid.push(a, b, c);
      for (const [from, to] of [[a, b], [b, c], [c, a]] as const) {
        const key = Math.min(from, to) * count + Math.max(from, to);
        edges.set(key, (edges.get(key) ?? 0) + 1);
      }
    }
    for (const [key, uses] of edges) if (uses === 1) this.#boundary.push(Math.floor(key / count), key % count);
  }

  #inTriangle(out: Float64Array): boolean {
    const px = this.#place[0]!, py = this.#place[1]!;
    const x = this.#x, y = this.#y, t = this.#solid;
    for (let i = 0; i < t.length; i += 3) {
      const a = t[i]!, b = t[i + 1]!, c = t[i + 2]!;
      const abx = x[b]! - x[a]!, aby = y[b]! - y[a]!, acx = x[c]! - x[a]!, acy = y[c]! - y[a]!;
      const apx = px - x[a]!, apy = py - y[a]!, area = abx * acy - aby * acx;
      const wb = (apx * acy - apy * acx) / area;
      if (wb < INSIDE) continue;
      const wc = (abx * apy - aby * apx) / area;
      if (wc < INSIDE) continue;
      const wa = 1 - wb - wc;
      if (wa < INSIDE) continue;
      const a0 = Math.max(0, wa), b0 = Math.max(0, wb), c0 = Math.max(0, wc), sum = a0 + b0 + c0;
      out[a] = a0 / sum;
      out[b] = b0 / sum;
      out[c] = c0 / sum;
      return true;
    }
    return false;
  }

  #onBoundary(out: Float64Array): void {
    const px = this.#place[0]!, py = this.#place[1]!;
    const x = this.#x, y = this.#y, edges = this.#boundary;
    let nearest = Infinity, from = 0, to = 0, along = 0;
    for (let i = 0; i < edges.length; i += 2) {
      const a = edges[i]!, b = edges[i + 1]!, ex = x[b]! - x[a]!, ey = y[b]! - y[a]!;
      const t = Math.min(1, Math.max(0, ((px - x[a]!) * ex + (py - y[a]!) * ey) / (ex * ex + ey * ey)));
      const dx = x[a]! + ex * t - px, dy = y[a]! + ey * t - py, distance = dx * dx + dy * dy;
      if (distance >= nearest) continue;
      nearest = distance;
      from = a;
      to = b;
      along = t;
    }
    out[from] = 1 - along;
    out[to] = along;
  }
}
