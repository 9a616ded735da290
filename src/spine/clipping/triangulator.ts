/** Cuts polygons into triangles and triangles into convex pieces. Polygons are x, y pairs, clockwise (y up). */
export class Triangulator {
  readonly #convex: number[][] = [];
  readonly #indices: number[][] = [];
  readonly #list: number[] = [];
  readonly #concave: boolean[] = [];
  readonly #triangles: number[] = [];

  /**
   * Cuts a simple polygon into triangles by clipping ears.
   * @returns three vertex indices per triangle; the array is reused by the next call
   */
  triangulate(vertices: ArrayLike<number>): number[] {
    const list = this.#list;
    const concave = this.#concave;
    const triangles = this.#triangles;
    const n = vertices.length >> 1;
    list.length = concave.length = n;
    triangles.length = 0;
    for (let i = 0; i < n; i++) list[i] = i;
    for (let i = 0; i < n; i++) concave[i] = isConcave(vertices, list, i);
    while (list.length > 3) {
      const count = list.length;
      let ear = 0;
      while (ear < count && !this.#isEar(vertices, ear)) ear++;
      if (ear === count) {
        ear = count - 1;
        while (ear > 0 && concave[ear]) ear--;
      }
      triangles.push(list[(ear + count - 1) % count]!, list[ear]!, list[(ear + 1) % count]!);
      list.splice(ear, 1);
      concave.splice(ear, 1);
      const left = (ear + count - 2) % (count - 1);
      const right = ear === count - 1 ? 0 : ear;
      concave[left] = isConcave(vertices, list, left);
      concave[right] = isConcave(vertices, list, right);
    }
    if (list.length === 3) triangles.push(list[2]!, list[0]!, list[1]!);
    return triangles;
  }

  #isEar(vertices: ArrayLike<number>, ear: number): boolean {
    const list = this.#list;
    const concave = this.#concave;
    if (concave[ear]) return false;
    const count = list.length;
    const previous = (ear + count - 1) % count;
    const next = (ear + 1) % count;
    const p = list[previous]!;
    const q = list[ear]!;
    const r = list[next]!;
    for (let i = (next + 1) % count; i !== previous; i = (i + 1) % count) {
      if (!concave[i]) continue;
      const v = list[i]!;
      if (winding(vertices, r, p, v) >= 0 && winding(vertices, p, q, v) >= 0 && winding(vertices, q, r, v) >= 0) return false;
    }
    return true;
  }

  /**
   * Joins triangles into convex polygons.
   * @param triangles - from `triangulate`
   * @returns polygons as x, y pairs with the first vertex repeated at the end; reused by the next call
   */
  decompose(vertices: ArrayLike<number>, triangles: ArrayLike<number>): number[][] {
    const pieces = this.#indices;
    pieces.length = 0;
    let fan: number[] | null = null;
    for (let i = 0; i < triangles.length; i += 3) {
      const a = triangles[i]!;
      const b = triangles[i + 1]!;
      const c = triangles[i + 2]!;
      if (fan !== null && fan[0] === a && staysConvex(vertices, fan, c)) {
        fan.push(c);
      } else {
        fan = [a, b, c];
        pieces.push(fan);
      }
    }
    for (const piece of pieces) this.#absorbTriangles(vertices, piece);

    const polygons = this.#convex;
    polygons.length = 0;
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      const polygon: number[] = [];
      for (const index of piece) polygon.push(vertices[index * 2]!, vertices[index * 2 + 1]!);
      polygon.push(polygon[0]!, polygon[1]!);
      polygons.push(polygon);
    }
    return polygons;
  }

  /** Appends to a piece the single triangles that share its last edge back to the first vertex. */
  #absorbTriangles(vertices: ArrayLike<number>, piece: number[]): void {
    if (piece.length === 0) return;
    for (let i = 0; i < this.#indices.length; i++) {
      const other = this.#indices[i]!;
      if (other === piece || other.length !== 3) continue;
      if (other[0] !== piece[0] || other[1] !== piece[piece.length - 1]) continue;
      if (!staysConvex(vertices, piece, other[2]!)) continue;
      piece.push(other[2]!);
      other.length = 0;
      i = -1;
    }
  }
}

/** Joins triangles into convex polygons; see `Triangulator.decompose`. */
export class ConvexDecomposer {
  readonly #triangulator = new Triangulator();

  /** Cuts a clockwise simple polygon into convex pieces, first vertex repeated at the end of each. */
  decompose(vertices: ArrayLike<number>): number[][] {
    return this.#triangulator.decompose(vertices, this.#triangulator.triangulate(vertices));
  }
}

/** Twice the signed area of a triangle, positive if it runs clockwise. */
function winding(vertices: ArrayLike<number>, p: number, q: number, r: number): number {
  const px = vertices[p * 2]!;
  const py = vertices[p * 2 + 1]!;
  return (vertices[r * 2]! - px) * (vertices[q * 2 + 1]! - py) - (vertices[r * 2 + 1]! - py) * (vertices[q * 2]! - px);
}

function isConcave(vertices: ArrayLike<number>, list: readonly number[], at: number): boolean {
  const count = list.length;
  return winding(vertices, list[(at + count - 1) % count]!, list[at]!, list[(at + 1) % count]!) < 0;
}

/** Whether a convex piece keeps turning the same way with one more vertex at its end. */
function staysConvex(vertices: ArrayLike<number>, piece: readonly number[], vertex: number): boolean {
  const n = piece.length;
  const clockwise = winding(vertices, piece[0]!, piece[1]!, piece[2]!) >= 0;
  return turns(vertices, piece[n - 2]!, piece[n - 1]!, vertex, clockwise) && turns(vertices, vertex, piece[0]!, piece[1]!, clockwise);
}

/** Sine of the angle below which a turn is rounding of single-precision vertices. */
const ROUNDING = 1e-6;

/**
 * Whether three points turn clockwise (or the other way round). Straight counts as clockwise; what only looks like a turn
 * because of rounding counts as neither, so that no piece is concave by rounding.
 */
function turns(vertices: ArrayLike<number>, p: number, q: number, r: number, clockwise: boolean): boolean {
  const turn = winding(vertices, p, q, r);
  if (turn === 0) return clockwise;
  const lengths = distance(vertices, p, q) * distance(vertices, p, r);
  return Math.abs(turn) > ROUNDING * lengths && turn > 0 === clockwise;
}

function distance(vertices: ArrayLike<number>, p: number, q: number): number {
  return Math.hypot(vertices[p * 2]! - vertices[q * 2]!, vertices[p * 2 + 1]! - vertices[q * 2 + 1]!);
}
