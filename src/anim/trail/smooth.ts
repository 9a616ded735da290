import type { RibbonPoints } from "./ribbon.js";

/**
 * Adds `extra` points between any two of a strip, on a centripetal Catmull-Rom curve through the points, whose knots are
 * apart by the roots of the distances (Yuksel, Schaefer, Keyser 2011): it has no cusps and no loops inside a segment.
 * Ends are continued straight. The age, which lies in the alpha, runs linearly.
 */
export function smoothPoints(from: RibbonPoints, extra: number, out: RibbonPoints): void {
  out.count = 0;
  for (let i = 0; i < from.count; i++) {
    addPoint(out, from.x[i]!, from.y[i]!, from.colors[i * 4 + 3]!);
    if (from.ends[i] === 1 || i + 1 === from.count) {
      if (from.ends[i] === 1) out.breakStrip();
      continue;
    }
    const hasBefore = i > 0 && from.ends[i - 1] === 0;
    const hasAfter = i + 2 < from.count && from.ends[i + 1] === 0;
    const x1 = from.x[i]!, y1 = from.y[i]!, x2 = from.x[i + 1]!, y2 = from.y[i + 1]!;
    const x0 = hasBefore ? from.x[i - 1]! : 2 * x1 - x2, y0 = hasBefore ? from.y[i - 1]! : 2 * y1 - y2;
    const x3 = hasAfter ? from.x[i + 2]! : 2 * x2 - x1, y3 = hasAfter ? from.y[i + 2]! : 2 * y2 - y1;
    // Points of a strip are never on one another, so no knots coincide.
    const t1 = Math.sqrt(Math.hypot(x1 - x0, y1 - y0));
    const t2 = t1 + Math.sqrt(Math.hypot(x2 - x1, y2 - y1));
    const t3 = t2 + Math.sqrt(Math.hypot(x3 - x2, y3 - y2));
    for (let k = 1; k <= extra; k++) {
      const share = k / (extra + 1);
      const t = t1 + (t2 - t1) * share;
      const age = from.colors[i * 4 + 3]! + (from.colors[(i + 1) * 4 + 3]! - from.colors[i * 4 + 3]!) * share;
      addPoint(out, barryGoldman(x0, x1, x2, x3, t1, t2, t3, t), barryGoldman(y0, y1, y2, y3, t1, t2, t3, t), age);
    }
  }
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

function addPoint(out: RibbonPoints, x: number, y: number, age: number): void {
  if (out.add(x, y)) out.colors[(out.count - 1) * 4 + 3] = age;
}
