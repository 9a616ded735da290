/**
 * Delaunay triangulation of a few points (those of a blend space), decided by exact signs. @internal
 *
 * A circle through points of the set with none inside makes one face. Faces of more than three points are cut as a fan
 * from their lowest index, so that a square grid comes out the same everywhere. The points must differ; points on one line
 * make no triangle. Time grows with the third power of the count.
 */
import { inCircle, orientation } from "./predicates.js";

/** @returns corners of the triangles, three indices each, counter-clockwise, the lowest of the face first */
export function triangulate(xs: ArrayLike<number>, ys: ArrayLike<number>): number[] {
  const count = xs.length, triangles: number[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const face = faceOf(xs, ys, i, j, k);
        if (face !== undefined) addFan(xs, ys, face, triangles);
      }
    }
  }
  return triangles;
}

/** All points on the circle of i j k, if none is inside and i j k are the lowest of them. */
function faceOf(xs: ArrayLike<number>, ys: ArrayLike<number>, i: number, j: number, k: number): number[] | undefined {
  const turn = orientation(xs[i]!, ys[i]!, xs[j]!, ys[j]!, xs[k]!, ys[k]!);
  if (turn === 0) return undefined;
  const b = turn > 0 ? j : k, c = turn > 0 ? k : j;
  const face = [i, j, k];
  for (let d = 0; d < xs.length; d++) {
    if (d === i || d === j || d === k) continue;
    const side = inCircle(xs[i]!, ys[i]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!, xs[d]!, ys[d]!);
    // A face is met once for every three of its points; the lowest three stand for it.
    if (side > 0 || (side === 0 && d < k)) return undefined;
    if (side === 0) face.push(d);
  }
  return face;
}

function addFan(xs: ArrayLike<number>, ys: ArrayLike<number>, face: number[], triangles: number[]): void {
  const first = face[0]!;
  const rest = face.slice(1).toSorted((a, b) => -orientation(xs[first]!, ys[first]!, xs[a]!, ys[a]!, xs[b]!, ys[b]!));
  for (let i = 0; i + 1 < rest.length; i++) triangles.push(first, rest[i]!, rest[i + 1]!);
}
