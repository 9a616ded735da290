/**
 * Makes the knots and buckets of channels (layout/rig2d.ts) from frames and Bezier curves, for a whole animation at once.
 *
 * Layout   jobs: KNOT_JOB_BYTES each, see layout/knots.ts. Output from `out` on, per job: knots and sentinel, buckets, and for
 *          percentages the frame of each knot (u16); each part starts at a multiple of 16.
 * Requires `jobs`, `out` multiples of 16; frames times that do not descend (others are left out); at `out` room for 12 bytes per
 *          knot and sentinel, 8 bytes of buckets and 2 of frame numbers per knot, 52 of padding, with CURVE_KNOTS per curve;
 *          `scratch`: KNOT_SCRATCH_BYTES, and 2 bytes per knot of the largest percentage, multiple of 16.
 * Ensures  knot times ascend strictly, values and slopes are finite where frames and curves are. Returns the end of the output.
 *          A record without any knot has a first time that is never reached.
 * Source   spec of timelines: a curve is its nine points by forward differences in f64, rounded to f32, joined by straight
 *          lines; third differences of a cubic with step 0.1: 0.03 = 3h², 0.006 = 6h³, 0.3 = 3h.
 */
import { DeformField } from "../layout/animation";
import { CurveForm, CURVE_NUMBERS, CURVE_POINTS, CURVE_TABLE_BYTES, FrameType, KnotForm, KnotJob, KNOT_JOB_BYTES, KNOT_SCRATCH_BYTES } from "../layout/knots";
import { ChannelField, KNOT_BYTES } from "../layout/rig2d";

/** One sixth as the format's tools round it; points match the reference only with these digits. */
const SIXTH: f64 = 0.16666667;
const MOST_BUCKETS = 1 << 20;
const LARGEST_INDEX: u64 = 0xffff;
/** The number one in each of four 16-bit lanes. */
const ONE_EACH: u64 = 0x0001000100010001;

export function makeKnots(jobs: usize, count: i32, out: usize, scratch: usize): usize {
  assert(((jobs | out | scratch) & 15) == 0, "jobs, out and scratch must be 16-byte aligned");
  for (let i = 0; i < count; i++) out = makeChannel(jobs + <usize>i * KNOT_JOB_BYTES, out, scratch);
  return out;
}

@inline
function align16(address: usize): usize {
  return (address + 15) & ~15;
}

function makeChannel(job: usize, out: usize, scratch: usize): usize {
  const record = <usize>load<u32>(job, KnotJob.RECORD);
  const isPercent = load<u32>(job, KnotJob.FORM) == KnotForm.PERCENT;
  const knotFrames = isPercent ? scratch + KNOT_SCRATCH_BYTES : 0;
  const end = makeJobKnots(job, out, scratch, knotFrames);
  const count = <i32>((end - out) / KNOT_BYTES);
  store<f32>(end, Infinity);
  store<u32>(record, <u32>out, ChannelField.KNOTS);
  store<u32>(record, <u32>count, ChannelField.KNOT_COUNT);
  store<f32>(record, load<f32>(out), ChannelField.FIRST_TIME);

  const buckets = align16(end + KNOT_BYTES);
  store<u32>(record, <u32>buckets, ChannelField.BUCKETS);
  let next = align16(buckets + makeBuckets(record, out, count, buckets));
  if (isPercent) {
    store<u32>(record, <u32>next, DeformField.KNOT_FRAMES);
    const bytes = <usize>count * 2;
    if (bytes != 0) memory.copy(next, knotFrames, bytes);
    next = align16(next + bytes);
  }
  return next;
}

/** @returns end of the knots */
function makeJobKnots(job: usize, knots: usize, scratch: usize, knotFrames: usize): usize {
  const form = load<u32>(job, KnotJob.FORM);
  const frameCount = load<i32>(job, KnotJob.FRAME_COUNT);
  const frameBytes = <usize>load<u32>(job, KnotJob.ENTRIES) << 2;
  const entry = <usize>load<u32>(job, KnotJob.ENTRY) << 2;
  const types = <usize>load<u32>(job, KnotJob.TYPES);
  const curves = <usize>load<u32>(job, KnotJob.CURVES);
  const curveForm = load<u32>(job, KnotJob.CURVE_FORM);
  const isPercent = form == KnotForm.PERCENT;
  // Ends of curves: in double precision they stand in the keys.
  const scale = curveForm == CurveForm.DOUBLE ? 1 : 0;
  const keys = curveForm == CurveForm.DOUBLE ? <usize>load<u32>(job, KnotJob.KEYS) : <usize>load<u32>(job, KnotJob.FRAMES);
  let frame = <usize>load<u32>(job, KnotJob.FRAMES);
  let knot = knots;
  for (let i = 0; i < frameCount; i++, frame += frameBytes) {
    const time = <f64>load<f32>(frame);
    const value = isPercent ? 0 : <f64>load<f32>(frame + entry);
    const type = types == 0 ? FrameType.LINEAR : load<i32>(types + (<usize>i << 2));
    if (form == KnotForm.STEPPED || i == frameCount - 1 || type == FrameType.STEPPED) {
      knot = push(knots, knot, time, value, 0, i, knotFrames);
      continue;
    }
    const nextTime = <f64>load<f32>(frame + frameBytes);
    const nextValue = isPercent ? 1 : <f64>load<f32>(frame + frameBytes + entry);
    if (type == FrameType.LINEAR) {
      knot = piece(knots, knot, time, time, value, nextTime, nextValue, i, knotFrames);
      continue;
    }
    const curve = <usize>(type - FrameType.CURVED) + (isPercent ? 0 : (entry >> 2) - 1);
    let table = scratch;
    if (curveForm == CurveForm.TABLE) table = curves + curve * CURVE_TABLE_BYTES;
    else {
      const handles = curves + curve * (CURVE_NUMBERS << 2 << scale);
      const key = keys + <usize>i * (frameBytes << scale);
      const nextKey = key + (frameBytes << scale);
      const valueAt = entry << scale;
      const p0 = pair(key, valueAt, scale);
      const p1 = pair(handles, 4 << scale, scale);
      const p2 = pair(handles + (8 << scale), 4 << scale, scale);
      const p3 = pair(nextKey, valueAt, scale);
      if (!isPercent) {
        const end = plainCurve(knots, knot, p0, p1, p2, p3, f64x2(time, value), f64x2(nextTime, nextValue));
        if (end != 0) {
          knot = end;
          continue;
        }
      }
      makeTable(p0, p1, p2, p3, table, isPercent);
    }
    knot = bezier(knots, knot, table, time, value, nextTime, nextValue, i, knotFrames);
  }
  return knot;
}

/** Two numbers, single (scale 0) or double (1), the second `apart` bytes behind the first, in double precision. */
@inline
function pair(at: usize, apart: usize, scale: i32): v128 {
  return scale == 0
    ? f64x2(<f64>load<f32>(at), <f64>load<f32>(at + apart))
    : f64x2(load<f64>(at), load<f64>(at + apart));
}

/**
 * Appends the ten knots of a curve whose points all come one after the other and behind the last knot, as nearly all do.
 * @returns the end of the knots; 0 for another curve, of which nothing counts that was written
 */
function plainCurve(knots: usize, knot: usize, p0: v128, p1: v128, p2: v128, p3: v128, start: v128, end: v128): usize {
  if (knot != knots && !(<f64>load<f32>(knot - KNOT_BYTES) < f64x2.extract_lane(start, 0))) return 0;
  const d3 = thirdDifference(p0, p1, p2, p3);
  const q = curvature(p0, p1, p2);
  let d1 = f64x2.add(f64x2.add(f64x2.mul(f64x2.sub(p1, p0), f64x2.splat(0.3)), q), f64x2.mul(d3, f64x2.splat(SIXTH)));
  let d2 = f64x2.add(f64x2.mul(q, f64x2.splat(2)), d3);
  let p = f64x2.add(p0, d1);
  let from = f32x4.demote_f64x2_zero(start);
  let before = start;
  let ascends = i64x2.splat(-1);
  let finite = i32x4.splat(-1);
  for (let j = 0; j < 5; j++) {
    const point = f32x4.demote_f64x2_zero(p);
    const a = f64x2.promote_low_f32x4(point);
    d1 = f64x2.add(d1, d2);
    d2 = f64x2.add(d2, d3);
    p = f64x2.add(p, d1);
    const next = j == 4 ? f32x4.demote_f64x2_zero(end) : f32x4.demote_f64x2_zero(p);
    const b = f64x2.promote_low_f32x4(next);
    const toA = f64x2.sub(a, before);
    const toB = f64x2.sub(b, a);
    const width = i64x2.shuffle(toA, toB, 0, 2);
    const slope = f32x4.demote_f64x2_zero(f64x2.div(i64x2.shuffle(toA, toB, 1, 3), width));
    ascends = v128.and(ascends, f64x2.gt(width, f64x2.splat(0)));
    finite = v128.and(finite, f32x4.lt(f32x4.abs(slope), f32x4.splat(Infinity)));
    v128.store64_lane(knot, from, 0);
    v128.store32_lane(knot, slope, 0, 8);
    v128.store64_lane(knot, point, 0, KNOT_BYTES);
    v128.store32_lane(knot, slope, 1, KNOT_BYTES + 8);
    knot += KNOT_BYTES * 2;
    d1 = f64x2.add(d1, d2);
    d2 = f64x2.add(d2, d3);
    p = f64x2.add(p, d1);
    from = next;
    before = b;
  }
  return i64x2.all_true(ascends) && i32x4.all_true(finite) ? knot : 0;
}

/** 0.006 (3 (p1 - p2) - p0 + p3) */
@inline
function thirdDifference(p0: v128, p1: v128, p2: v128, p3: v128): v128 {
  return f64x2.mul(f64x2.add(f64x2.sub(f64x2.mul(f64x2.sub(p1, p2), f64x2.splat(3)), p0), p3), f64x2.splat(0.006));
}

/** 0.03 (p0 - 2 p1 + p2) */
@inline
function curvature(p0: v128, p1: v128, p2: v128): v128 {
  return f64x2.mul(f64x2.add(f64x2.sub(p0, f64x2.mul(p1, f64x2.splat(2))), p2), f64x2.splat(0.03));
}

/** Appends a knot. Of several at one time the last stays, as nothing could ever see the others. */
function push(knots: usize, knot: usize, time: f64, value: f64, slope: f64, frame: i32, knotFrames: usize): usize {
  const at = <f32>time;
  // Times that are no numbers or run backwards cannot be reached by a search; leave them out.
  if (!(at > -Infinity && at < Infinity)) return knot;
  if (knot != knots) {
    const last = load<f32>(knot - KNOT_BYTES);
    if (at < last) return knot;
    if (at == last) knot -= KNOT_BYTES;
  }
  store<f32>(knot, at);
  store<f32>(knot, <f32>value, 4);
  // A slope that a 32-bit float cannot hold belongs to a piece too short to be seen.
  const narrow = <f32>slope;
  store<f32>(knot, abs(narrow) < Infinity ? narrow : 0, 8);
  if (knotFrames != 0) store<u16>(knotFrames + ((knot - knots) / KNOT_BYTES << 1), <u16>frame);
  return knot + KNOT_BYTES;
}

/** A piece of the line through two points, from `start` on. */
function piece(knots: usize, knot: usize, start: f64, x1: f64, y1: f64, x2: f64, y2: f64, frame: i32, knotFrames: usize): usize {
  const slope = x2 != x1 ? (y2 - y1) / (x2 - x1) : 0;
  return push(knots, knot, start, start == x1 ? y1 : y1 + (start - x1) * slope, slope, frame, knotFrames);
}

/** Points of a cubic at u = 0.1 .. 0.9; x and y are the two lanes. */
function makeTable(p0: v128, p1: v128, p2: v128, p3: v128, table: usize, isPercent: boolean): void {
  let q = curvature(p0, p1, p2);
  let d3 = thirdDifference(p0, p1, p2, p3);
  let slope = f64x2.mul(f64x2.sub(p1, p0), f64x2.splat(0.3));
  if (isPercent) {
    // Percentages run from 0 to 1, with the constants folded as the format's tools do.
    const y1 = f64x2.extract_lane(p1, 1);
    const y2 = f64x2.extract_lane(p2, 1);
    q = f64x2.replace_lane(q, 1, y2 * 0.03 - y1 * 0.06);
    d3 = f64x2.replace_lane(d3, 1, (y1 - y2 + 0.33333333) * 0.018);
    slope = f64x2.replace_lane(slope, 1, y1 * 0.3);
  }
  let d1 = f64x2.add(f64x2.add(slope, q), f64x2.mul(d3, f64x2.splat(SIXTH)));
  let d2 = f64x2.add(f64x2.mul(q, f64x2.splat(2)), d3);
  let p = f64x2.add(isPercent ? f64x2.replace_lane(p0, 1, 0) : p0, d1);

  for (let j = 0; j < CURVE_POINTS; j++, table += 8) {
    v128.store64_lane(table, f32x4.demote_f64x2_zero(p), 0);
    d1 = f64x2.add(d1, d2);
    d2 = f64x2.add(d2, d3);
    p = f64x2.add(p, d1);
  }
}

/** x or y (offset 4) of point j: the ends, and between them those of the table. */
@inline
function point(table: usize, offset: usize, j: i32, first: f64, last: f64): f64 {
  return j == 0 ? first : j > CURVE_POINTS ? last : <f64>load<f32>(table + (<usize>(j - 1) << 3) + offset);
}

function bezier(
  knots: usize, knot: usize, table: usize, time: f64, value: f64, nextTime: f64, nextValue: f64, frame: i32, knotFrames: usize,
): usize {
  let ascending = true;
  let before = time;
  for (let at = table, end = table + CURVE_TABLE_BYTES; at < end; at += 8) {
    const x = <f64>load<f32>(at);
    ascending = ascending && before <= x;
    before = x;
  }
  if (ascending && before <= nextTime) {
    let x1 = time, y1 = value;
    // What comes before the first knot is no obstacle.
    let reached: f64 = knot != knots ? <f64>load<f32>(knot - KNOT_BYTES) : -Infinity;
    for (let j = 0; j <= CURVE_POINTS; j++) {
      const isLast = j == CURVE_POINTS;
      const at = table + (<usize>j << 3);
      const x2 = isLast ? nextTime : <f64>load<f32>(at);
      const y2 = isLast ? nextValue : <f64>load<f32>(at, 4);
      if (x1 < nextTime || j == 0) {
        const slope = x2 != x1 ? <f32>((y2 - y1) / (x2 - x1)) : 0;
        // A later knot is only appended, which needs no call. Points are 32-bit floats already.
        if (x1 > reached && x1 < Infinity && knotFrames == 0) {
          store<f32>(knot, <f32>x1);
          store<f32>(knot, <f32>y1, 4);
          store<f32>(knot, abs(slope) < Infinity ? slope : 0, 8);
          knot += KNOT_BYTES;
          reached = x1;
        } else knot = push(knots, knot, x1, y1, <f64>slope, frame, knotFrames);
      }
      x1 = x2;
      y1 = y2;
    }
    return knot;
  }
  // Handles outside the segment let x run backwards. A time belongs to the first point j with x(j) >= time, to the first piece
  // before x(1), and to the last piece behind them all.
  let reached = time;
  const x1 = point(table, 0, 1, time, nextTime);
  if (x1 > time) {
    knot = piece(knots, knot, time, time, value, x1, point(table, 4, 1, value, nextValue), frame, knotFrames);
    reached = x1;
  }
  let isJoint = true;
  for (let j = 2; j <= CURVE_POINTS + 1 && reached < nextTime; j++) {
    const x = point(table, 0, j, time, nextTime);
    if (j <= CURVE_POINTS && !(x > reached)) continue;
    const previous = point(table, 0, j - 1, time, nextTime);
    // The end of a piece belongs to it; where the next one does not continue there, it begins just behind.
    const start = isJoint || reached == previous ? reached : nextFloat(reached);
    knot = piece(knots, knot, start, previous, point(table, 4, j - 1, value, nextValue), x, point(table, 4, j, value, nextValue), frame, knotFrames);
    reached = x;
    isJoint = false;
  }
  return knot;
}

/** The next larger 32-bit float. */
@inline
function nextFloat(value: f64): f64 {
  if (value == 0) return <f64>reinterpret<f32>(1);
  const bits = reinterpret<i32>(<f32>value);
  return <f64>reinterpret<f32>(bits + (value > 0 ? 1 : -1));
}

/** Chooses buckets so that few of them hold more than one knot. @returns their bytes */
function makeBuckets(record: usize, knots: usize, knotCount: i32, buckets: usize): usize {
  const first = <f64>load<f32>(knots);
  const end = knots + <usize>knotCount * KNOT_BYTES;
  const span = knotCount > 1 ? <f64>load<f32>(end - KNOT_BYTES) - first : 0;
  // As many buckets as knots, twice or four times as many. A rate that is doubled gives bucket numbers of which the last bit,
  // left out, are those of the single rate: the finest numbers tell all three.
  let shift = knotCount <= MOST_BUCKETS >> 2 ? 2 : 0;
  let rate = <f32>(<f64>min(knotCount << shift, MOST_BUCKETS) / span);
  if (!(span > 0 && rate > 0 && rate < 1e30)) {
    store<f32>(record, 0, ChannelField.BUCKETS_PER_SECOND);
    store<u32>(record, 0, ChannelField.LAST_BUCKET);
    store<u16>(buckets, 0);
    return 2;
  }
  let last = min(knotCount << shift, MOST_BUCKETS) - 1;
  const coarser = shift == 0 ? 0 : sparsest(knots + KNOT_BYTES, end, first, rate, last);
  shift -= coarser;
  rate *= <f32>(1.0 / <f64>(1 << coarser));
  last >>= coarser;
  store<f32>(record, rate, ChannelField.BUCKETS_PER_SECOND);
  store<u32>(record, last, ChannelField.LAST_BUCKET);
  // Bucket numbers grow with time in whatever precision they are computed. A knot in an earlier bucket is therefore earlier
  // than every time in this one; the wanted knot is that one or a later one.
  let to = buckets;
  const stop = buckets + (<usize>(last + 1) << 1);
  let index: u64 = 0;
  for (let knot = knots + KNOT_BYTES; knot < end; knot += KNOT_BYTES) {
    const past = min(buckets + (<usize>bucketOf(<f64>load<f32>(knot), first, rate) << 1) + 2, stop);
    // Eight at once; what is too much lies behind the table or is written again.
    v128.store(to, i64x2.splat(index));
    while (to + 16 < past) {
      to += 16;
      v128.store(to, i64x2.splat(index));
    }
    to = past;
    if (index != LARGEST_INDEX * ONE_EACH) index += ONE_EACH;
  }
  for (; to < stop; to += 2) store<u16>(to, <u16>index);
  return <usize>(last + 1) << 1;
}

/** The larger of the bucket numbers that 32-bit and 64-bit arithmetic give. */
@inline
function bucketOf(time: f64, first: f64, rate: f32): i32 {
  const narrow = <f64>(<f32>(time - first) * rate);
  const wide = (time - first) * <f64>rate;
  // Which of the two is the larger is as good as random, so there must be no branch.
  return <i32>f64x2.extract_lane(f64x2.pmax(f64x2.splat(narrow), f64x2.splat(wide)), 0);
}

/** How many times the number of buckets, `last` + 1, can be halved so that still none holds two of the knots. 0 if some do. */
function sparsest(knot: usize, end: usize, first: f64, rate: f32, last: i32): i32 {
  let before = MOST_BUCKETS << 1;
  // In which bits of their numbers two neighbours differ at least.
  let nearest = MOST_BUCKETS;
  for (; knot < end; knot += KNOT_BYTES) {
    const bucket = min(bucketOf(<f64>load<f32>(knot), first, rate), last);
    nearest = min(nearest, bucket ^ before);
    // Neighbours in one bucket: nothing is gained by fewer.
    if (nearest == 0) return 0;
    before = bucket;
  }
  return nearest >= 4 ? 2 : nearest >= 2 ? 1 : 0;
}
