/**
 * Layout of what the knots of channels are made from (assembly/rig2d/knots.ts). Read by both compilers.
 *
 * Frames   f32, KnotJob.ENTRIES per frame: time, then values.
 * Types    i32 per frame, see FrameType: how the values go on to the next frame. A frame with several values has one curve per
 *          value, one after the other.
 * Curves   by CurveForm: the two handles of a cubic, x and y each, in single or double precision, its ends being frames or keys;
 *          or CURVE_TABLE_BYTES each, f32: its nine points x, y.
 * Keys     with handles in double precision: the frames once more, f64.
 */

/** Types of frames; CURVED + n: a Bezier curve whose first value has curve n. */
export const enum FrameType {
  LINEAR = 0,
  STEPPED = 1,
  CURVED = 2,
}

/** What the curves of a job are. */
export const enum CurveForm {
  /** Handles in single precision. */
  SINGLE = 0,
  /** Handles in double precision, and keys. */
  DOUBLE = 1,
  /** Tables of points. */
  TABLE = 2,
}
/** Numbers of the two handles: cx1, cy1, cx2, cy2. */
export const CURVE_NUMBERS = 4;
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
  /** CurveForm */
  CURVE_FORM = 28,
  /** Address of the record: ChannelField.KNOTS, BUCKETS, BUCKETS_PER_SECOND, FIRST_TIME, LAST_BUCKET and KNOT_COUNT are written. */
  RECORD = 32,
  /** Of curves with handles in double precision. */
  KEYS = 36,
}
export const KNOT_JOB_BYTES = 48;
/** Scratch that one job needs besides the frame numbers of PERCENT: a table. */
export const KNOT_SCRATCH_BYTES = 80;
