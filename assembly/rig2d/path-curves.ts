/**
 * Places along a path of cubic Bezier curves.
 *
 * Layout   points: rows of T, x and y per vertex; knot j is vertex 3 j + 1. ends: a row of T per curve, cumulative lengths, behind
 *          a row of 0.
 *          positions: rows of T, four per point: on entry the distance from the point before, on return x, y and the direction
 *          (dx, dy) of the path. segments: SEGMENT_BYTES of f32.
 * Requires at least one curve; `vertices` is a multiple of 3; finite points.
 * Ensures  finite places and directions. A curve or path without length counts as its first point. On open paths the search goes
 *          on from the curve of the point before and never goes back; a parameter below 0 extends the curve.
 * Source   constant speed by chords: four a curve to choose the curve, ten to find the place on it.
 */
import { add, mul, splat, sub } from "../math/lane";
import { bounded, get, put } from "./update-rows";

/** Chords that a curve is cut into to find a place on it. */
const SEGMENTS = 10;
/** Workspace of either form: eleven rows of four lanes. */
export const SEGMENT_BYTES = 176;

/**
 * Chords of a curve cut into pieces of parameter length h. With x(t) = x1 + a t + b t^2 + c t^3 chord k is
 * (cubic k + quadratic) k + linear, where cubic = 3 c h^3, quadratic = 2 b h^2 - cubic, linear = a h - b h^2 + c h^3.
 */
@inline
export function cubicPart<T>(x1: T, x2: T, x3: T, x4: T, h: f64): T {
  return mul<T>(sub<T>(sub<T>(x4, x1), mul<T>(splat<T>(3), sub<T>(x3, x2))), splat<T>(<f32>(3.0 * h * h * h)));
}

@inline
export function quadraticPart<T>(x1: T, x2: T, x3: T, cubic: T, h: f64): T {
  return sub<T>(mul<T>(sub<T>(sub<T>(x3, x2), sub<T>(x2, x1)), splat<T>(<f32>(6.0 * h * h))), cubic);
}

@inline
export function linearPart<T>(x1: T, x2: T, cubic: T, quadratic: T, h: f64): T {
  // a h - (quadratic + cubic) / 2 + cubic / 3
  return sub<T>(sub<T>(mul<T>(sub<T>(x2, x1), splat<T>(<f32>(3.0 * h))), mul<T>(quadratic, splat<T>(0.5))), mul<T>(cubic, splat<T>(<f32>(1.0 / 6.0))));
}

@inline
export function chordPart(cubic: v128, quadratic: v128, linear: v128, k: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.add(f32x4.mul(cubic, k), quadratic), k), linear);
}

/** Length of a chord; points are cut off at 1e18, so that squares stay within single precision. */
@inline
export function chord(dx: v128, dy: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
}

/** Row of vertex `i`, counted round a closed path. */
@inline
export function rowOf(i: i32, vertices: i32): i32 {
  return (i >= vertices ? i - vertices : i) << 1;
}

/** Cumulative lengths of the curves, by four chords each: four lanes chord by chord, one lane all chords at once. */
export function measureCurves<T, M>(points: usize, vertices: i32, curves: i32, ends: usize): void {
  let total = splat<T>(0);
  for (let i = 0; i < curves; i++) {
    const r1 = rowOf(i * 3 + 1, vertices), r2 = rowOf(i * 3 + 2, vertices);
    const r3 = rowOf(i * 3 + 3, vertices), r4 = rowOf(i * 3 + 4, vertices);
    const x1 = get<T>(points, r1), x2 = get<T>(points, r2), x3 = get<T>(points, r3), x4 = get<T>(points, r4);
    const y1 = get<T>(points, r1 + 1), y2 = get<T>(points, r2 + 1), y3 = get<T>(points, r3 + 1), y4 = get<T>(points, r4 + 1);
    const cubicX = cubicPart<T>(x1, x2, x3, x4, 0.25), cubicY = cubicPart<T>(y1, y2, y3, y4, 0.25);
    const quadraticX = quadraticPart<T>(x1, x2, x3, cubicX, 0.25), quadraticY = quadraticPart<T>(y1, y2, y3, cubicY, 0.25);
    const linearX = linearPart<T>(x1, x2, cubicX, quadraticX, 0.25), linearY = linearPart<T>(y1, y2, cubicY, quadraticY, 0.25);
    if (isVector<T>()) {
      let sum = f32x4.splat(0);
      for (let n = 1; n <= 4; n++) {
        const k = f32x4.splat(<f32>n);
        sum = f32x4.add(sum, chord(chordPart(cubicX, quadraticX, linearX, k), chordPart(cubicY, quadraticY, linearY, k)));
      }
      total = add<T>(total, sum);
    } else {
      const k = f32x4(1, 2, 3, 4);
      const chords = chord(
        chordPart(f32x4.splat(<f32>cubicX), f32x4.splat(<f32>quadraticX), f32x4.splat(<f32>linearX), k),
        chordPart(f32x4.splat(<f32>cubicY), f32x4.splat(<f32>quadraticY), f32x4.splat(<f32>linearY), k));
      total += f32x4.extract_lane(chords, 0) + f32x4.extract_lane(chords, 1) + f32x4.extract_lane(chords, 2) + f32x4.extract_lane(chords, 3);
    }
    put<T>(ends, i, total);
  }
}

@inline
function at(block: usize, row: i32): f32 {
  return load<f32>(block + (<usize>row << 2));
}

/** Cumulative lengths of ten chords of a curve. */
function measureSegments(
  x1: f32, y1: f32, x2: f32, y2: f32, x3: f32, y3: f32, x4: f32, y4: f32, segments: usize,
): void {
  const cubicX = cubicPart<f32>(x1, x2, x3, x4, 0.1), cubicY = cubicPart<f32>(y1, y2, y3, y4, 0.1);
  const quadraticX = quadraticPart<f32>(x1, x2, x3, cubicX, 0.1), quadraticY = quadraticPart<f32>(y1, y2, y3, cubicY, 0.1);
  const cx = f32x4.splat(cubicX), qx = f32x4.splat(quadraticX), lx = f32x4.splat(linearPart<f32>(x1, x2, cubicX, quadraticX, 0.1));
  const cy = f32x4.splat(cubicY), qy = f32x4.splat(quadraticY), ly = f32x4.splat(linearPart<f32>(y1, y2, cubicY, quadraticY, 0.1));
  for (let i = 0; i < 3; i++) {
    const k = f32x4.add(f32x4(1, 2, 3, 4), f32x4.splat(<f32>(i << 2)));
    v128.store(segments + (<usize>i << 4), chord(chordPart(cx, qx, lx, k), chordPart(cy, qy, ly, k)));
  }
  let total: f32 = 0;
  for (let i = 0; i < SEGMENTS; i++) {
    total += load<f32>(segments + (<usize>i << 2));
    store<f32>(segments + (<usize>i << 2), total);
  }
}

/** Places and directions of the points of one lane along the path; for four lanes see path-positions.ts. */
export function computePositions(
  points: usize, vertices: i32, curves: i32, ends: usize, positions: usize, segments: usize, pointCount: i32,
  start: f32, closed: bool, constantSpeed: bool,
): void {
  const pathLength = at(ends, curves - 1);
  let along = start;
  let curve = 0, measured = -1, segment = 0;
  let x1: f32 = 0, y1: f32 = 0, x2: f32 = 0, y2: f32 = 0, x3: f32 = 0, y3: f32 = 0, x4: f32 = 0, y4: f32 = 0;

  for (let i = 0; i < pointCount; i++) {
    const out = positions + (<usize>i << 4);
    along = bounded<f32>(along + at(out, 0));
    let p = along;
    if (closed) {
      p = remainder(p, pathLength);
      if (p < 0) p += pathLength;
      // The first curve that ends behind p: lengths only grow, so the search may begin where it is known to lie behind.
      if (curve > 0 && !(p > at(ends, curve - 1))) curve = 0;
    } else if (p < 0) {
      placeBeyond(points, 1, 2, 1, p, out);
      continue;
    } else if (p > pathLength) {
      placeBeyond(points, vertices - 3, vertices - 2, vertices - 2, p - pathLength, out);
      continue;
    }
    while (curve < curves - 1 && p > at(ends, curve)) curve++;
    const before = at(ends, curve - 1);
    let t = ratio(p - before, at(ends, curve) - before);
    if (measured != curve) {
      const r1 = rowOf(curve * 3 + 1, vertices), r2 = rowOf(curve * 3 + 2, vertices);
      const r3 = rowOf(curve * 3 + 3, vertices), r4 = rowOf(curve * 3 + 4, vertices);
      x1 = at(points, r1); y1 = at(points, r1 + 1);
      x2 = at(points, r2); y2 = at(points, r2 + 1);
      x3 = at(points, r3); y3 = at(points, r3 + 1);
      x4 = at(points, r4); y4 = at(points, r4 + 1);
      if (constantSpeed) measureSegments(x1, y1, x2, y2, x3, y3, x4, y4, segments);
      measured = curve;
      segment = 0;
    }
    if (constantSpeed) {
      const wanted = t * load<f32>(segments, (SEGMENTS - 1) * 4);
      if (closed && segment > 0 && !(wanted > load<f32>(segments + (<usize>(segment - 1) << 2)))) segment = 0;
      while (segment < SEGMENTS - 1 && wanted > load<f32>(segments + (<usize>segment << 2))) segment++;
      const low: f32 = segment == 0 ? 0 : load<f32>(segments + (<usize>(segment - 1) << 2));
      t = (<f32>segment + ratio(wanted - low, load<f32>(segments + (<usize>segment << 2)) - low)) * 0.1;
    }

    let x = x1, y = y1, dx = x2 - x1, dy = y2 - y1;
    if (t != 0) {
      const u: f32 = 1 - t;
      const three: f32 = 3, two: f32 = 2;
      const a = u * u * u, b = three * u * u * t, c = three * u * t * t, d = t * t * t;
      x = bounded<f32>(a * x1 + b * x2 + c * x3 + d * x4);
      y = bounded<f32>(a * y1 + b * y2 + c * y3 + d * y4);
      if (t >= 0.001) {
        dx = bounded<f32>(x - (u * u * x1 + two * u * t * x2 + t * t * x3));
        dy = bounded<f32>(y - (u * u * y1 + two * u * t * y2 + t * t * y3));
      }
    }
    store<f32>(out, x);
    store<f32>(out, y, 4);
    store<f32>(out, dx, 8);
    store<f32>(out, dy, 12);
  }
}

/** A point on the straight line through two vertices, `distance` from `origin`. */
function placeBeyond(points: usize, from: i32, to: i32, origin: i32, distance: f32, out: usize): void {
  const dx = at(points, to << 1) - at(points, from << 1);
  const dy = at(points, (to << 1) + 1) - at(points, (from << 1) + 1);
  const length = Mathf.sqrt(dx * dx + dy * dy);
  // A direction without length counts as (1, 0).
  const ux: f32 = length == 0 ? 1 : dx / length, uy: f32 = length == 0 ? 0 : dy / length;
  store<f32>(out, bounded<f32>(at(points, origin << 1) + distance * ux));
  store<f32>(out, bounded<f32>(at(points, (origin << 1) + 1) + distance * uy), 4);
  store<f32>(out, ux, 8);
  store<f32>(out, uy, 12);
}

/** a / b, 0 where b is 0. */
@inline
function ratio(a: f32, b: f32): f32 {
  return Mathf.abs(b) < 1.1754944e-38 ? 0 : a / b;
}

/** What is left of a after whole multiples of b, with the sign of a; 0 where b is 0. */
@inline
function remainder(a: f32, b: f32): f32 {
  if (Mathf.abs(b) < 1.1754944e-38) return 0;
  return <f32>(<f64>a - Math.trunc(<f64>a / <f64>b) * <f64>b);
}
