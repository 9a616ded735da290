/** Polygons as x, y pairs, first vertex not repeated. Y up. @internal */

/** Reverses the order of vertices unless they run clockwise. */
export function makeClockwise(polygon: number[]): void {
  const n = polygon.length;
  let area = 0;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) area += polygon[j]! * polygon[i + 1]! - polygon[i]! * polygon[j + 1]!;
  if (area < 0) return;
  for (let i = 0, j = n - 2; i < j; i += 2, j -= 2) {
    const x = polygon[i]!;
    const y = polygon[i + 1]!;
    polygon[i] = polygon[j]!;
    polygon[i + 1] = polygon[j + 1]!;
    polygon[j] = x;
    polygon[j + 1] = y;
  }
}

/** Whether a clockwise polygon never turns left. */
export function isConvex(polygon: readonly number[]): boolean {
  const n = polygon.length;
  for (let i = 0; i < n; i += 2) {
    const j = (i + 2) % n;
    const k = (i + 4) % n;
    const cross =
      (polygon[j]! - polygon[i]!) * (polygon[k + 1]! - polygon[j + 1]!) -
      (polygon[j + 1]! - polygon[i + 1]!) * (polygon[k]! - polygon[j]!);
    if (cross > 0) return false;
  }
  return true;
}

/**
 * Convex hull, clockwise from the leftmost (lowest) vertex. Points on an edge are dropped.
 * Source: monotone chain (Andrew 1979), upper chain first.
 */
export function convexHull(polygon: readonly number[]): number[] {
  const order: number[] = [];
  for (let i = 0; i < polygon.length; i += 2) order.push(i);
  order.sort((i, j) => polygon[i]! - polygon[j]! || polygon[i + 1]! - polygon[j + 1]!);
  const hull: number[] = [];
  appendChain(polygon, order, hull);
  appendChain(polygon, order.toReversed(), hull);
  return hull;
}

/** Appends the chain through `order` that only turns right, without its last point. */
function appendChain(polygon: readonly number[], order: readonly number[], hull: number[]): void {
  const first = hull.length;
  for (const i of order) {
    const x = polygon[i]!;
    const y = polygon[i + 1]!;
    while (hull.length >= first + 4) {
      const n = hull.length;
      const turn = (hull[n - 2]! - hull[n - 4]!) * (y - hull[n - 3]!) - (hull[n - 1]! - hull[n - 3]!) * (x - hull[n - 4]!);
      if (turn < 0) break;
      hull.length = n - 2;
    }
    hull.push(x, y);
  }
  hull.length -= 2;
}
