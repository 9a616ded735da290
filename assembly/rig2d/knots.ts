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
import { DeformField, DEFORM_RECORD_BYTES } from "../layout/animation";
import { CurveField, CURVE_BYTES, CURVE_POINTS, CURVE_TABLE_BYTES, FrameType, KnotForm, KnotJob, KNOT_JOB_BYTES, KNOT_SCRATCH_BYTES } from "../layout/knots";
import { ChannelField, KNOT_BYTES } from "../layout/rig2d";

/** One sixth as the format's tools round it; points match the reference only with these digits. */
const SIXTH: f64 = 0.16666667;
const MOST_BUCKETS = 1 << 20;
const LARGEST_INDEX = 0xffff;

export function makeKnots(jobs: usize, count: i32, out: usize, scratch: usize): usize {
  assert(((jobs | out | scratch) & 15) == 0, "jobs, out and scratch must be 16-byte aligned");
  for (let i = 0; i < count; i++) out = makeChannel(jobs + <usize>i * KNOT_JOB_BYTES, out, scratch);
  return out;
}

/**
 * Copies the finished output to its place and corrects the addresses in the records.
 *
 * Layout   records: `stride` bytes each, CHANNEL_BYTES or DEFORM_RECORD_BYTES; at their new place.
 * Requires from, to and bytes multiples of 16; ranges that do not overlap.
 * Ensures  the addresses of knots, buckets and frame numbers in `count` records lie as far on as the copy does.
 * Source   none; with 0 bytes only the records are corrected.
 */
export function moveKnots(from: usize, to: usize, bytes: usize, records: usize, count: i32, stride: i32): void {
  if (bytes != 0) memory.copy(to, from, bytes);
  for (let i = 0; i < count; i++, records += <usize>stride) {
    store<u32>(records, load<u32>(records, ChannelField.KNOTS) + <u32>(to - from), ChannelField.KNOTS);
    store<u32>(records, load<u32>(records, ChannelField.BUCKETS) + <u32>(to - from), ChannelField.BUCKETS);
    if (stride == DEFORM_RECORD_BYTES) store<u32>(records, load<u32>(records, DeformField.KNOT_FRAMES) + <u32>(to - from), DeformField.KNOT_FRAMES);
  }
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
  const hasTables = load<u32>(job, KnotJob.TABLES) != 0;
  const isPercent = form == KnotForm.PERCENT;
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
    if (hasTables) table = curves + curve * CURVE_TABLE_BYTES;
    else makeTable(curves + curve * CURVE_BYTES, table, isPercent);
    knot = bezier(knots, knot, table, time, value, nextTime, nextValue, i, knotFrames);
  }
  return knot;
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
function makeTable(curve: usize, table: usize, isPercent: boolean): void {
  // [time1 value1], [cx1 cy1], [cx2 cy2], [time2 value2]
  const p0 = v128.load(curve, CurveField.TIME1);
  const p1 = v128.load(curve, CurveField.CX1);
  const p2 = v128.load(curve, CurveField.CX2);
  const p3 = v128.load(curve, CurveField.TIME2);

  // q = (p0 - 2 p1 + p2) 0.03, d3 = (3 (p1 - p2) - p0 + p3) 0.006
  let q = f64x2.mul(f64x2.add(f64x2.sub(p0, f64x2.mul(p1, f64x2.splat(2))), p2), f64x2.splat(0.03));
  let d3 = f64x2.mul(f64x2.add(f64x2.sub(f64x2.mul(f64x2.sub(p1, p2), f64x2.splat(3)), p0), p3), f64x2.splat(0.006));
  let slope = f64x2.mul(f64x2.sub(p1, p0), f64x2.splat(0.3));
  if (isPercent) {
    // Percentages run from 0 to 1, with the constants folded as the format's tools do.
    const y1 = load<f64>(curve, CurveField.CY1);
    const y2 = load<f64>(curve, CurveField.CY2);
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
  const span = knotCount > 1 ? <f64>load<f32>(knots + <usize>(knotCount - 1) * KNOT_BYTES) - first : 0;
  let best = 1;
  let bestRate: f32 = 0;
  if (span > 0) {
    for (let factor = 1; factor <= 4; factor <<= 1) {
      const count = min(knotCount * factor, MOST_BUCKETS);
      const rate = <f32>(<f64>count / span);
      if (!(rate > 0 && rate < 1e30)) break;
      best = count;
      bestRate = rate;
      if (factor < 4 && !isCrowded(knots, knotCount, first, rate, count)) break;
    }
  }
  store<f32>(record, bestRate, ChannelField.BUCKETS_PER_SECOND);
  store<u32>(record, best - 1, ChannelField.LAST_BUCKET);
  // Bucket numbers grow with time in whatever precision they are computed. A knot in an earlier bucket is therefore earlier
  // than every time in this one; the wanted knot is that one or a later one.
  let to = buckets;
  const end = buckets + (<usize>best << 1);
  if (bestRate != 0) {
    let knot = knots + KNOT_BYTES;
    for (let k = 1; k < knotCount; k++, knot += KNOT_BYTES) {
      const past = min(buckets + (<usize>bucketOf(<f64>load<f32>(knot), first, bestRate) << 1) + 2, end);
      // Four at once; what is too much lies behind the table or is written again.
      const index = <u64>min(k - 1, LARGEST_INDEX) * 0x0001000100010001;
      for (; to < past; to += 8) store<u64>(to, index);
      to = past;
    }
  }
  const last = <u16>(bestRate != 0 ? min(knotCount - 1, LARGEST_INDEX) : 0);
  for (; to < end; to += 2) store<u16>(to, last);
  return <usize>best << 1;
}

/** The larger of the bucket numbers that 32-bit and 64-bit arithmetic give. */
@inline
function bucketOf(time: f64, first: f64, rate: f32): i32 {
  const narrow = <f64>(<f32>(time - first) * rate);
  const wide = (time - first) * <f64>rate;
  return <i32>(narrow > wide ? narrow : wide);
}

/** Whether any bucket holds more than one knot, the first not counted. */
function isCrowded(knots: usize, knotCount: i32, first: f64, rate: f32, count: i32): boolean {
  let bucket = -1;
  const end = knots + <usize>knotCount * KNOT_BYTES;
  for (let knot = knots + KNOT_BYTES; knot < end; knot += KNOT_BYTES) {
    const at = min(bucketOf(<f64>load<f32>(knot), first, rate), count - 1);
    if (at == bucket) return true;
    bucket = at;
  }
  return false;
}
