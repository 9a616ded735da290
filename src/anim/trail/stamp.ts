import type { GraphicsLike, Rgba } from "../module/host.js";
import { lengthOf } from "./length.js";
import type { RibbonPoints } from "./ribbon.js";

/** Segments shorter than this on screen are one square. */
const SHORTEST = 1e-4;

/** Draws a trail with filled squares, for graphics without triangles. `paint` is reused for every square. */
export function stampTrail(points: RibbonPoints, style: "line" | "points", gfx: GraphicsLike, paint: Rgba): void {
  const stamp = (i: number, j: number, share: number): void => {
    const at = (list: Float64Array, c = 0, stride = 1): number => list[i * stride + c]! + (list[j * stride + c]! - list[i * stride + c]!) * share;
    paint.r = at(points.colors, 0, 4);
    paint.g = at(points.colors, 1, 4);
    paint.b = at(points.colors, 2, 4);
    paint.a = at(points.colors, 3, 4);
    if (paint.a <= 0) return;
    const h = at(points.halfWidths);
    const x = at(points.x), y = at(points.y), f = at(points.factors), ex = at(points.edgeX) * f, ey = at(points.edgeY) * f;
    // Across a blade, from its left to its right end.
    const across = Math.floor((2 * lengthOf(ex, ey)) / Math.max(1, 1.5 * h));
    for (let n = 0; n <= across; n++) {
      const side = across === 0 ? 0 : 1 - (2 * n) / across;
      gfx.drawSolidRect!(x + ex * side - h, y + ey * side - h, 2 * h, 2 * h, paint);
    }
  };
  if (style === "points") {
    for (let i = points.count - 1; i >= 0; i--) stamp(i, i, 0);
    return;
  }
  // From the oldest on, so that newer squares lie above.
  let joined = false;
  for (let i = points.count - 1; i > 0; i--) {
    if (points.ends[i - 1] === 1) {
      if (!joined) stamp(i, i, 0);
      joined = false;
      continue;
    }
    const length = points.distance(i, i - 1);
    if (length < SHORTEST) {
      stamp(i, i, 0);
    } else {
      const step = Math.max(1, 1.5 * points.halfWidths[i]!);
      const count = Math.max(1, Math.floor(length / step));
      for (let k = joined ? 1 : 0; k <= count; k++) stamp(i, i - 1, k / count);
    }
    joined = true;
  }
  if (points.count > 0) stamp(0, 0, 0);
}
