/**
 * Cuts one triangle by one convex clockwise polygon (Sutherland and Hodgman 1974). The result is left in `polygon`, x, y
 * pairs, first vertex not repeated. @internal
 */
export class TriangleCutter {
  /** Vertices of the result; `length` of them count. */
  polygon: number[] = [];
  /** Number of values in `polygon`. */
  length = 0;
  #other: number[] = [];

  /** Starts with a triangle: the first six values. Numbers travel in arrays, since arguments would be boxed. */
  begin(corners: Float64Array): void {
    const { polygon } = this;
    for (let i = 0; i < 6; i++) polygon[i] = corners[i]!;
    this.length = 6;
  }

  /**
   * Keeps what lies inside all edges.
   * @param convex - first vertex repeated at the end
   * @returns whether anything was cut away
   */
  cut(convex: readonly number[]): boolean {
    let clipped = false;
    for (let edge = 0; edge + 3 < convex.length; edge += 2) {
      if (this.#cutByEdge(convex, edge)) clipped = true;
      if (this.length === 0) return true;
    }
    return clipped;
  }

  #cutByEdge(convex: readonly number[], edge: number): boolean {
    const edgeX = convex[edge]!;
    const edgeY = convex[edge + 1]!;
    const ex = edgeX - convex[edge + 2]!;
    const ey = edgeY - convex[edge + 3]!;
    const input = this.polygon;
    const output = this.#other;
    const n = this.length;
    let clipped = false;
    let to = 0;
    let x1 = input[0]!;
    let y1 = input[1]!;
    let side1 = ey * (edgeX - x1) - ex * (edgeY - y1);
    for (let i = 2; i <= n; i += 2) {
      const x2 = input[i === n ? 0 : i]!;
      const y2 = input[i === n ? 1 : i + 1]!;
      const side2 = ey * (edgeX - x2) - ex * (edgeY - y2);
      if (side1 > 0 && side2 > 0) {
        output[to++] = x2;
        output[to++] = y2;
      } else if (side1 > 0 !== side2 > 0) {
        const t = side1 / ((x2 - x1) * ey - (y2 - y1) * ex);
        const crosses = t >= 0 && t <= 1;
        if (crosses) {
          output[to++] = x1 + (x2 - x1) * t;
          output[to++] = y1 + (y2 - y1) * t;
          clipped = true;
        }
        // Without a usable crossing the far end stands in for it.
        if (side2 > 0 || !crosses) {
          output[to++] = x2;
          output[to++] = y2;
        }
      } else {
        clipped = true;
      }
      x1 = x2;
      y1 = y2;
      side1 = side2;
    }
    this.polygon = output;
    this.#other = input;
    this.length = to;
    return clipped;
  }

  /**
   * Splits by the edge that starts at index `edge`: what lies outside goes to `outside`, the inside stays.
   * @returns number of values written to `outside`
   */
  splitByEdge(convex: readonly number[], edge: number, outside: number[]): number {
    const edgeX = convex[edge]!;
    const edgeY = convex[edge + 1]!;
    const ex = edgeX - convex[edge + 2]!;
    const ey = edgeY - convex[edge + 3]!;
    const input = this.polygon;
    const output = this.#other;
    const n = this.length;
    let to = 0;
    let out = 0;
    let x1 = input[0]!;
    let y1 = input[1]!;
    let side1 = ey * (edgeX - x1) - ex * (edgeY - y1);
    for (let i = 2; i <= n; i += 2) {
      const x2 = input[i === n ? 0 : i]!;
      const y2 = input[i === n ? 1 : i + 1]!;
      const side2 = ey * (edgeX - x2) - ex * (edgeY - y2);
      const inside1 = side1 > 0;
      const inside2 = side2 > 0;
      if (inside1 && inside2) {
        output[to++] = x2;
        output[to++] = y2;
      } else if (!inside1 && !inside2) {
        outside[out++] = x2;
        outside[out++] = y2;
      } else {
        const t = side1 / ((x2 - x1) * ey - (y2 - y1) * ex);
        const crosses = t >= 0 && t <= 1;
        const x = crosses ? x1 + (x2 - x1) * t : x2;
        const y = crosses ? y1 + (y2 - y1) * t : y2;
        output[to++] = x;
        output[to++] = y;
        outside[out++] = x;
        outside[out++] = y;
        if (crosses) {
          if (inside2) {
            output[to++] = x2;
            output[to++] = y2;
          } else {
            outside[out++] = x2;
            outside[out++] = y2;
          }
        }
      }
      x1 = x2;
      y1 = y2;
      side1 = side2;
    }
    this.polygon = output;
    this.#other = input;
    this.length = to;
    return out;
  }
}
