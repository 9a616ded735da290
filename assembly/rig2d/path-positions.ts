/**
 * Places along a path for four lanes at once; the same numbers as computePositions gives lane by lane.
 *
 * Layout   as path-curves.ts, rows of 16 bytes; `segments`: eleven rows, the first of which is 0, and behind them LIST_BYTES a vertex
 *          and four vertices more.
 * Requires cumulative lengths do not shrink.
 * Ensures  as path-curves.ts. Lanes may be on different curves: then control points are gathered.
 */
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";
import { bounded, get, put } from "./update-rows";
import { chord, chordPart, cubicPart, linearPart, quadraticPart, rowOf, SEGMENT_BYTES } from "./path-curves";

const SEGMENTS = 10;
/** Room for a vertex in the lists of four lanes. */
export const LIST_BYTES = 32;
const TINY: f32 = 1.1754944e-38;

export function computePositionsOfFour(
  points: usize, vertices: i32, curves: i32, ends: usize, positions: usize, segments: usize, pointCount: i32, start: v128,
  closed: bool, constantSpeed: bool,
): void {
  const zero = f32x4.splat(0), one = f32x4.splat(1), none = i32x4.splat(0);
  const pathLength = get<v128>(ends, curves - 1);
  let along = start, curve = none, measured = i32x4.splat(-1), segment = none;
  let x1 = zero, y1 = zero, x2 = zero, y2 = zero, x3 = zero, y3 = zero, x4 = zero, y4 = zero;
  // Lengths where each lane's curve begins and ends.
  let before = zero, after = get<v128>(ends, 0);
  const last = i32x4.splat(curves - 1);
  const lists = segments + SEGMENT_BYTES, listBytes = (<usize>(vertices + 3) & ~1) << 3;
  let listed = false;
  put<v128>(segments, 0, zero);

  for (let i = 0; i < pointCount; i++) {
    const out = positions + (<usize>i << 6);
    along = bounded<v128>(f32x4.add(along, v128.load(out)));
    let p = along;
    let inside = i32x4.splat(-1);
    if (closed) {
      p = remainders(p, pathLength);
      p = f32x4.add(p, v128.and(pathLength, f32x4.lt(p, zero)));
    } else {
      inside = v128.and(f32x4.ge(p, zero), f32x4.le(p, pathLength));
    }
    // The first curve that ends behind p. Lengths only grow, so the search goes on where the point before was found; a lane whose
    // curve begins behind p starts over. A set mask is -1.
    if (closed) {
      const restarts = v128.andnot(i32x4.gt_s(curve, none), f32x4.gt(p, before));
      if (v128.any_true(restarts)) {
        curve = v128.andnot(curve, restarts);
        before = v128.andnot(before, restarts);
        after = lanesAt(ends, curve);
      }
    }
    while (true) {
      const passes = v128.and(v128.and(f32x4.gt(p, after), i32x4.lt_s(curve, last)), inside);
      if (!v128.any_true(passes)) break;
      curve = i32x4.sub(curve, passes);
      before = v128.bitselect(after, before, passes);
      after = lanesAt(ends, curve);
    }

    let t = ratios(f32x4.sub(p, before), f32x4.sub(after, before));
    const moved = v128.and(inside, i32x4.ne(measured, curve));
    if (v128.any_true(moved)) {
      const first = i32x4.extract_lane(curve, 0);
      if (i32x4.all_true(i32x4.eq(curve, i32x4.splat(first)))) {
        const r1 = rowOf(first * 3 + 1, vertices), r2 = rowOf(first * 3 + 2, vertices);
        const r3 = rowOf(first * 3 + 3, vertices), r4 = rowOf(first * 3 + 4, vertices);
        x1 = get<v128>(points, r1); y1 = get<v128>(points, r1 + 1);
        x2 = get<v128>(points, r2); y2 = get<v128>(points, r2 + 1);
        x3 = get<v128>(points, r3); y3 = get<v128>(points, r3 + 1);
        x4 = get<v128>(points, r4); y4 = get<v128>(points, r4 + 1);
      } else {
        if (!listed) toLists(points, vertices, lists, listBytes);
        listed = true;
        // Knot j is vertex 3 j + 1: [x1 y1 x2 y2] [x3 y3 x4 y4] of each lane.
        const from = lists + 8;
        const c0 = from + <usize>i32x4.extract_lane(curve, 0) * 24, c1 = from + <usize>i32x4.extract_lane(curve, 1) * 24 + listBytes;
        const c2 = from + <usize>i32x4.extract_lane(curve, 2) * 24 + listBytes * 2, c3 = from + <usize>i32x4.extract_lane(curve, 3) * 24 + listBytes * 3;
        let k0 = v128.load(c0), k1 = v128.load(c1), k2 = v128.load(c2), k3 = v128.load(c3);
        let low01 = lowPairs(k0, k1), low23 = lowPairs(k2, k3);
        let high01 = highPairs(k0, k1), high23 = highPairs(k2, k3);
        x1 = lowHalves(low01, low23); y1 = highHalves(low01, low23);
        x2 = lowHalves(high01, high23); y2 = highHalves(high01, high23);
        k0 = v128.load(c0, 16); k1 = v128.load(c1, 16); k2 = v128.load(c2, 16); k3 = v128.load(c3, 16);
        low01 = lowPairs(k0, k1); low23 = lowPairs(k2, k3);
        high01 = highPairs(k0, k1); high23 = highPairs(k2, k3);
        x3 = lowHalves(low01, low23); y3 = highHalves(low01, low23);
        x4 = lowHalves(high01, high23); y4 = highHalves(high01, high23);
      }
      if (constantSpeed) measureSegments(x1, y1, x2, y2, x3, y3, x4, y4, segments);
      segment = v128.andnot(segment, moved);
      measured = v128.bitselect(curve, measured, inside);
    }
    if (constantSpeed) {
      const wanted = f32x4.mul(t, get<v128>(segments, SEGMENTS));
      let passed = none;
      for (let k = 1; k < SEGMENTS; k++) passed = i32x4.sub(passed, f32x4.gt(wanted, get<v128>(segments, k)));
      segment = v128.bitselect(closed ? passed : i32x4.max_s(segment, passed), segment, inside);
      const low = lanesAt(segments, segment), high = lanesAt(segments + 16, segment);
      t = f32x4.mul(
        f32x4.add(f32x4.convert_i32x4_s(segment), ratios(f32x4.sub(wanted, low), f32x4.sub(high, low))), f32x4.splat(0.1));
    }

    const u = f32x4.sub(one, t), two = f32x4.splat(2), three = f32x4.splat(3);
    const uu = f32x4.mul(u, u), tt = f32x4.mul(t, t);
    const a = f32x4.mul(uu, u), b = f32x4.mul(f32x4.mul(f32x4.mul(three, u), u), t);
    const c = f32x4.mul(f32x4.mul(f32x4.mul(three, u), t), t), d = f32x4.mul(tt, t);
    const curveX = bounded<v128>(f32x4.add(f32x4.add(f32x4.add(f32x4.mul(a, x1), f32x4.mul(b, x2)), f32x4.mul(c, x3)), f32x4.mul(d, x4)));
    const curveY = bounded<v128>(f32x4.add(f32x4.add(f32x4.add(f32x4.mul(a, y1), f32x4.mul(b, y2)), f32x4.mul(c, y3)), f32x4.mul(d, y4)));
    const ut = f32x4.mul(f32x4.mul(two, u), t);
    const quadraticX = f32x4.add(f32x4.add(f32x4.mul(uu, x1), f32x4.mul(ut, x2)), f32x4.mul(tt, x3));
    const quadraticY = f32x4.add(f32x4.add(f32x4.mul(uu, y1), f32x4.mul(ut, y2)), f32x4.mul(tt, y3));
    const starts = f32x4.eq(t, zero), bends = f32x4.ge(t, f32x4.splat(0.001));
    let x = v128.bitselect(x1, curveX, starts), y = v128.bitselect(y1, curveY, starts);
    let dx = v128.bitselect(bounded<v128>(f32x4.sub(curveX, quadraticX)), f32x4.sub(x2, x1), bends);
    let dy = v128.bitselect(bounded<v128>(f32x4.sub(curveY, quadraticY)), f32x4.sub(y2, y1), bends);

    if (!i32x4.all_true(inside)) {
      // Before the path: along its first handle; behind it: along its last.
      const isBefore = f32x4.lt(p, zero);
      const toBefore = rowOf(2, vertices), fromBefore = rowOf(1, vertices);
      const toBehind = rowOf(vertices - 2, vertices), fromBehind = rowOf(vertices - 3, vertices);
      const lineX = v128.bitselect(
        f32x4.sub(get<v128>(points, toBefore), get<v128>(points, fromBefore)), f32x4.sub(get<v128>(points, toBehind), get<v128>(points, fromBehind)), isBefore);
      const lineY = v128.bitselect(
        f32x4.sub(get<v128>(points, toBefore + 1), get<v128>(points, fromBefore + 1)),
        f32x4.sub(get<v128>(points, toBehind + 1), get<v128>(points, fromBehind + 1)), isBefore);
      const originX = v128.bitselect(get<v128>(points, fromBefore), get<v128>(points, toBehind), isBefore);
      const originY = v128.bitselect(get<v128>(points, fromBefore + 1), get<v128>(points, toBehind + 1), isBefore);
      const distance = v128.bitselect(p, f32x4.sub(p, pathLength), isBefore);
      const length = chord(lineX, lineY);
      const isNowhere = f32x4.eq(length, zero);
      const ux = v128.bitselect(one, f32x4.div(lineX, length), isNowhere);
      const uy = v128.andnot(f32x4.div(lineY, length), isNowhere);
      x = v128.bitselect(x, bounded<v128>(f32x4.add(originX, f32x4.mul(distance, ux))), inside);
      y = v128.bitselect(y, bounded<v128>(f32x4.add(originY, f32x4.mul(distance, uy))), inside);
      dx = v128.bitselect(dx, ux, inside);
      dy = v128.bitselect(dy, uy, inside);
    }
    v128.store(out, x);
    v128.store(out, y, 16);
    v128.store(out, dx, 32);
    v128.store(out, dy, 48);
  }
}

/** Cumulative lengths of ten chords of each lane's curve, in rows 1 to 10. */
function measureSegments(x1: v128, y1: v128, x2: v128, y2: v128, x3: v128, y3: v128, x4: v128, y4: v128, segments: usize): void {
  const cubicX = cubicPart<v128>(x1, x2, x3, x4, 0.1), cubicY = cubicPart<v128>(y1, y2, y3, y4, 0.1);
  const quadraticX = quadraticPart<v128>(x1, x2, x3, cubicX, 0.1), quadraticY = quadraticPart<v128>(y1, y2, y3, cubicY, 0.1);
  const linearX = linearPart<v128>(x1, x2, cubicX, quadraticX, 0.1), linearY = linearPart<v128>(y1, y2, cubicY, quadraticY, 0.1);
  let total = f32x4.splat(0);
  for (let n = 1; n <= SEGMENTS; n++) {
    const k = f32x4.splat(<f32>n);
    total = f32x4.add(total, chord(chordPart(cubicX, quadraticX, linearX, k), chordPart(cubicY, quadraticY, linearY, k)));
    put<v128>(segments, n, total);
  }
}

/**
 * Points of four lanes as a list of each lane, x and y side by side; the first two vertices follow the last ones, so that the
 * curve that closes a path lies in one piece, too.
 */
function toLists(points: usize, vertices: i32, lists: usize, listBytes: usize): void {
  for (let i = 0; i < vertices + 2; i += 2) {
    const r = rowOf(i, vertices), n = rowOf(i + 1, vertices);
    const x = get<v128>(points, r), y = get<v128>(points, r + 1), nextX = get<v128>(points, n), nextY = get<v128>(points, n + 1);
    const xy01 = lowPairs(x, y), xy23 = highPairs(x, y);
    const next01 = lowPairs(nextX, nextY), next23 = highPairs(nextX, nextY);
    const to = lists + (<usize>i << 3);
    v128.store(to, lowHalves(xy01, next01));
    v128.store(to + listBytes, highHalves(xy01, next01));
    v128.store(to + listBytes * 2, lowHalves(xy23, next23));
    v128.store(to + listBytes * 3, highHalves(xy23, next23));
  }
}

/** The value of each lane in a row of its own. */
@inline
function lanesAt(rows: usize, row: v128): v128 {
  const at = i32x4.shl(row, 4);
  let value = f32x4.splat(load<f32>(rows + i32x4.extract_lane(at, 0)));
  value = f32x4.replace_lane(value, 1, load<f32>(rows + i32x4.extract_lane(at, 1) + 4));
  value = f32x4.replace_lane(value, 2, load<f32>(rows + i32x4.extract_lane(at, 2) + 8));
  return f32x4.replace_lane(value, 3, load<f32>(rows + i32x4.extract_lane(at, 3) + 12));
}

/** a / b, 0 where b is 0. */
@inline
function ratios(a: v128, b: v128): v128 {
  return v128.andnot(f32x4.div(a, b), f32x4.lt(f32x4.abs(b), f32x4.splat(TINY)));
}

/** What is left of a after whole multiples of b, in double precision, with the sign of a; 0 where b is 0. */
@inline
function remainders(a: v128, b: v128): v128 {
  const low = remainderPair(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b));
  const high = remainderPair(
    f64x2.promote_low_f32x4(v128.shuffle<f32>(a, a, 2, 3, 2, 3)), f64x2.promote_low_f32x4(v128.shuffle<f32>(b, b, 2, 3, 2, 3)));
  const rest = lowHalves(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high));
  return v128.andnot(rest, f32x4.lt(f32x4.abs(b), f32x4.splat(TINY)));
}

@inline
function remainderPair(a: v128, b: v128): v128 {
  return f64x2.sub(a, f64x2.mul(f64x2.trunc(f64x2.div(a, b)), b));
}
