/**
 * Layout of what the knots of channels are made from (assembly/rig2d/knots.ts). Read by both compilers.
 *
 * Frames   f32, KnotJob.ENTRIES per frame: time, then values.
 * Types    i32 per frame, see FrameType: how the values go on to the next frame. A frame with several values has one curve per
 *          value, one after the other.
 * Curves   either CURVE_BYTES each, f64: the two ends and the two handles of a cubic (CurveField); or CURVE_TABLE_BYTES
 *          each, f32: its nine points x, y.
 */

/** Types of frames; CURVED + n: a Bezier curve whose first value has curve n. */
export const enum FrameType {
  LINEAR = 0,
  STEPPED = 1,
  CURVED = 2,
}

/** Byte offsets in a curve; f64. */
export const enum CurveField {
  TIME1 = 0,
  VALUE1 = 8,
  CX1 = 16,
  CY1 = 24,
  CX2 = 32,
  CY2 = 40,
  TIME2 = 48,
  VALUE2 = 56,
}
export const CURVE_BYTES = 64;
export const CURVE_TABLE_BYTES = 72;
/** Points of a curve between its ends. */
export const CURVE_POINTS = 9;
/** Knots of one curve, at most. */
export const CURVE_KNOTS = 10;

/** What the value of a channel is. */
export const enum KnotForm {
  /** The value of a frame, interpolated. */
  CURVE = 0,
  /** The value of a frame, which jumps. */
  STEPPED = 1,
  /** How far the way from one frame to the next is gone, 0 to 1; the record is one of deform (layout/animation.ts). */
  PERCENT = 2,
}

/** Byte offsets in a job, which makes the knots and buckets of one record; all u32. */
export const enum KnotJob {
  /** KnotForm */
  FORM = 0,
  FRAME_COUNT = 4,
  /** Numbers per frame, the time counted. */
  ENTRIES = 8,
  /** Index of the value in a frame, the time counted. */
  ENTRY = 12,
  FRAMES = 16,
  /** 0 for all linear. */
  TYPES = 20,
  CURVES = 24,
  /** 1: `CURVES` are tables of points. */
  TABLES = 28,
  /** Address of the record: ChannelField.KNOTS, BUCKETS, BUCKETS_PER_SECOND, FIRST_TIME, LAST_BUCKET and KNOT_COUNT are written. */
  RECORD = 32,
}
export const KNOT_JOB_BYTES = 48;
/** Scratch that one job needs besides the frame numbers of PERCENT: a table. */
export const KNOT_SCRATCH_BYTES = 80;
