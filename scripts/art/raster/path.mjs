// Outlines as polylines: smooth curves through a few points, ellipses, and tapered strokes. World units, y up.

/** Segments that one span of a spline is cut into. */
const SPAN_STEPS = 9;

/**
 * Closed or open curve through points. A point is [x, y] (smooth) or [x, y, 1] (a corner).
 * Spans are cubic Hermite curves with Catmull-Rom tangents; at a corner each span aims straight at its neighbour.
 */
export function spline(points, closed = true, steps = SPAN_STEPS) {
  const count = points.length;
  const at = (i) => points[closed ? (i + count) % count : Math.min(Math.max(i, 0), count - 1)];
  const out = [];
  const spans = closed ? count : count - 1;
  for (let i = 0; i < spans; i++) {
    const p0 = at(i - 1), p1 = at(i), p2 = at(i + 1), p3 = at(i + 2);
    const chord = Math.hypot(p2[0] - p1[0], p2[1] - p1[1]);
    const m1 = tangent(p0, p1, p2, chord), m2 = tangent(p1, p2, p3, chord);
    for (let s = 0; s < steps; s++) {
      const t = s / steps, t2 = t * t, t3 = t2 * t;
      const h1 = 2 * t3 - 3 * t2 + 1, h2 = t3 - 2 * t2 + t, h3 = 3 * t2 - 2 * t3, h4 = t3 - t2;
      out.push([
        h1 * p1[0] + h2 * m1[0] + h3 * p2[0] + h4 * m2[0],
        h1 * p1[1] + h2 * m1[1] + h3 * p2[1] + h4 * m2[1],
      ]);
    }
  }
  if (!closed) out.push([at(count - 1)[0], at(count - 1)[1]]);
  return out;
}

/** Tangent at `p` for a span of the given chord: centripetal direction, so that uneven points do not overshoot. */
function tangent(before, p, after, chord) {
  if (p[2] === 1) return [0, 0];
  const a = Math.sqrt(Math.hypot(p[0] - before[0], p[1] - before[1])) || 1e-6;
  const b = Math.sqrt(Math.hypot(after[0] - p[0], after[1] - p[1])) || 1e-6;
  const x = ((p[0] - before[0]) / a) * b + ((after[0] - p[0]) / b) * a;
  const y = ((p[1] - before[1]) / a) * b + ((after[1] - p[1]) / b) * a;
  const length = Math.hypot(x, y) || 1;
  return [(x / length) * chord, (y / length) * chord];
}

/** Corners joined by straight lines. */
export const polygon = (points) => spline(points.map(([x, y]) => [x, y, 1]));

/** Ellipse, turned by `degrees`. */
export function ellipse(x, y, radiusX, radiusY, degrees = 0) {
  const cos = Math.cos((degrees * Math.PI) / 180), sin = Math.sin((degrees * Math.PI) / 180);
  const out = [];
  for (let i = 0; i < 48; i++) {
    const px = Math.cos((i * Math.PI) / 24) * radiusX, py = Math.sin((i * Math.PI) / 24) * radiusY;
    out.push([x + px * cos - py * sin, y + px * sin + py * cos]);
  }
  return out;
}

/**
 * Outline of a ribbon along an open polyline with a half width per given point, round at the start.
 * @param end - "round"; "tip": the last span closes like an ellipse; "cut": straight across
 */
export function ribbonOutline(points, halfWidths, end = "round") {
  const smooth = spline(points, false, end === "tip" ? 40 : SPAN_STEPS);
  const last = smooth.length - 1;
  const left = [], right = [];
  for (let i = 0; i <= last; i++) {
    const at = (i / last) * (halfWidths.length - 1);
    const k = Math.min(Math.floor(at), halfWidths.length - 2), f = at - k;
    const blend = f * f * (3 - 2 * f);
    const closing = end === "tip" && k === halfWidths.length - 2;
    const half = closing
      ? halfWidths[k] * Math.sqrt(Math.max(0, 1 - f * f)) + halfWidths[k + 1] * f
      : halfWidths[k] + (halfWidths[k + 1] - halfWidths[k]) * blend;
    const a = smooth[Math.max(i - 1, 0)], b = smooth[Math.min(i + 1, last)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const nx = -(b[1] - a[1]) / length, ny = (b[0] - a[0]) / length;
    left.push([smooth[i][0] + nx * half, smooth[i][1] + ny * half]);
    right.push([smooth[i][0] - nx * half, smooth[i][1] - ny * half]);
  }
  const far = end === "cut" ? [] : cap(left[last], right[last]);
  return [...left, ...far, ...right.toReversed(), ...cap(right[0], left[0])];
}

/** Half circle from a to b, bulging to the left of a→b. */
function cap(a, b) {
  const cx = (a[0] + b[0]) / 2, cy = (a[1] + b[1]) / 2;
  const rx = a[0] - cx, ry = a[1] - cy;
  const out = [];
  for (let i = 1; i < 8; i++) {
    const angle = (-i * Math.PI) / 8;
    out.push([cx + rx * Math.cos(angle) - ry * Math.sin(angle), cy + rx * Math.sin(angle) + ry * Math.cos(angle)]);
  }
  return out;
}

/** Smallest box around polylines: [minX, minY, maxX, maxY]. */
export function boundsOf(...polylines) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of polylines) {
    for (const [x, y] of line) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return box;
}
