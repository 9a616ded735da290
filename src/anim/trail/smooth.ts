import type { RibbonPoints } from "./ribbon.js";

/**
 * Adds `extra` points between any two of a strip, on a centripetal Catmull-Rom curve through the points, whose knots are
 * apart by the roots of the distances (Yuksel, Schaefer, Keyser 2011): it has no cusps and no loops inside a segment.
 * Ends are continued straight. The age, which lies in the alpha, runs linearly.
 */
export function smoothPoints(from: RibbonPoints, extra: number, out: RibbonPoints): void {
  out.count = 0;
  for (let i = 0; i < from.count; i++) {
    addPoint(out, from.x[i]!, from.y[i]!, from.edgeX[i]!, from.edgeY[i]!, from.isBlade[i] === 1, from.colors[i * 4 + 3]!);
    if (from.ends[i] === 1 || i + 1 === from.count) {
      if (from.ends[i] === 1) out.breakStrip();
      continue;
    }
    const hasBefore = i > 0 && from.ends[i - 1] === 0;
    const hasAfter = i + 2 < from.count && from.ends[i + 1] === 0;
    // Points of a strip are never on one another, so no knots coincide. Beyond an end the distance is that of its segment.
    const length = from.distance(i, i + 1);
    const t1 = Math.sqrt(hasBefore ? from.distance(i - 1, i) : length);
    const t2 = t1 + Math.sqrt(length);
    const t3 = t2 + Math.sqrt(hasAfter ? from.distance(i + 1, i + 2) : length);
    const isBlade = from.isBlade[i] === 1 && from.isBlade[i + 1] === 1;
    for (let k = 1; k <= extra; k++) {
      const share = k / (extra + 1);
      const t = t1 + (t2 - t1) * share;
      const age = from.colors[i * 4 + 3]! + (from.colors[(i + 1) * 4 + 3]! - from.colors[i * 4 + 3]!) * share;
      addPoint(
        out, along(from.x, i, hasBefore, hasAfter, t1, t2, t3, t), along(from.y, i, hasBefore, hasAfter, t1, t2, t3, t),
        isBlade ? along(from.edgeX, i, hasBefore, hasAfter, t1, t2, t3, t) : 0, isBlade ? along(from.edgeY, i, hasBefore, hasAfter, t1, t2, t3, t) : 0, isBlade, age,
      );
    }
  }
}

/** One coordinate between points i and i + 1. */
function along(list: Float64Array, i: number, hasBefore: boolean, hasAfter: boolean, t1: number, t2: number, t3: number, t: number): number {
  const p1 = list[i]!, p2 = list[i + 1]!;
  return barryGoldman(hasBefore ? list[i - 1]! : 2 * p1 - p2, p1, p2, hasAfter ? list[i + 2]! : 2 * p2 - p1, t1, t2, t3, t);
}

/** The pyramid of Barry and Goldman (1988) with knots 0, t1, t2, t3. */
function barryGoldman(p0: number, p1: number, p2: number, p3: number, t1: number, t2: number, t3: number, t: number): number {
  const a1 = p0 + ((p1 - p0) * t) / t1;
  const a2 = p1 + ((p2 - p1) * (t - t1)) / (t2 - t1);
  const a3 = p2 + ((p3 - p2) * (t - t2)) / (t3 - t2);
  const b1 = a1 + ((a2 - a1) * t) / t2;
  const b2 = a2 + ((a3 - a2) * (t - t1)) / (t3 - t1);
  return b1 + ((b2 - b1) * (t - t1)) / (t2 - t1);
}

function addPoint(out: RibbonPoints, x: number, y: number, edgeX: number, edgeY: number, isBlade: boolean, age: number): void {
  if (out.add(x, y, edgeX, edgeY, isBlade)) out.colors[(out.count - 1) * 4 + 3] = age;
}
