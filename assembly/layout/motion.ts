/**
 * Pages of motions. Read by both compilers.
 *
 * A page holds up to PAGE_ROWS motions of one bucket: the same value kind, ease, loop mode and clock. Header, then a record of f64
 * per row (see Field), then per pair of rows its columns, two f64 each:
 *   until origin slope | from x C | to x C | value x C | extra columns
 * Extra columns: frequency, damping, seed for punch and shake; angle, 1/sin(angle) for quaternions.
 *
 * A page has one clock, Page.Now, for all its motions. Between two events of a motion (the end of a delay, of a loop, of a gap)
 * its linear progress is a line over that clock: (Now - Origin) * Slope, limited to 0..1; in pages of LoopMode.Yoyo the line is half
 * as steep, goes on through both ways, and progress is twice its distance from the nearest whole number. So a step reads the columns alone, from one
 * end to the other, and the record of a motion only where the clock has come to its Until. To change a motion, write what is to
 * change, set Time to its own time, Origin to Now and Until to -infinity.
 */

/** Motions of one page; even, because two share a register. */
export const PAGE_ROWS = 128;
/** Rows of a pair: the distance of two columns of a row in f64. */
export const LANES = 2;
export const COLUMN_BYTES = 16;
export const RECORD_FIELDS = 8;
export const RECORD_BYTES = 64;

export const enum Page {
  /** i32: motions in this page. */
  Rows = 0,
  /** i32: ease, in the order of EASE_NAMES; EASE_CUSTOM for one that TypeScript evaluates. */
  Ease = 4,
  /** i32: see LoopMode. */
  Mode = 8,
  /** i32: see ValueKind. */
  Kind = 12,
  /** i32: components of a value. */
  Components = 16,
  /** i32: see PageFlag. */
  Flags = 20,
  /** u32: next page of the bucket or of the free list; 0 for none. */
  Next = 24,
  /** i32: key of the bucket. Kernels do not read it. */
  Bucket = 28,
  /** f64: parameters of the ease. Back: overshoot. Elastic: amplitude, angular frequency, phase. */
  EaseA = 32,
  EaseB = 40,
  EaseC = 48,
  /** f64: seconds that the page has been stepped; moved back to 0, with all that is measured by it, from time to time. */
  Now = 56,
  /** i32: f64 of a pair of rows. */
  Stride = 64,
  /** i32: nothing that is read. */
  Ahead = 68,
  /** The first record. */
  Records = 80,
  /** The columns of the first pair. */
  Columns = 8272,
}

/** Numbers of a record. */
export const enum Field {
  /** Own clock in seconds, 0 at the beginning of the delay, when the page's clock was at Origin. */
  Time = 0,
  /** Factor of the clock; 0 while paused. */
  Speed = 1,
  Delay = 2,
  /** Seconds of one loop; 0 where it is at most TIME_EPS. */
  Duration = 3,
  /** Number of loops; infinity for endless ones. */
  Loops = 4,
  /** Loops done; -1 before the end of the first delay. */
  Done = 5,
  /** What an event names. */
  Owner = 6,
  /** Progress of a motion with a custom ease, on its way from the kernels to the ease and back. */
  Progress = 7,
}

export const enum Column {
  /** The page's clock when something happens next; -infinity to look closer in the next step. */
  Until = 0,
  /** The page's clock at Time. */
  Origin = 1,
  /** Progress per second of the page's clock. */
  Slope = 2,
  /** First column of the start values. */
  From = 3,
}

export const enum LoopMode {
  Restart = 0,
  Yoyo = 1,
  Flip = 2,
  Incremental = 3,
}

export const enum ValueKind {
  Lerp = 0,
  Punch = 1,
  Shake = 2,
  Rotation = 3,
}

export const enum PageFlag {
  /** The delay comes before each loop. */
  DelayEvery = 1,
  /** The clock ignores the time scale. */
  Unscaled = 2,
  /** Nobody hears of loops: events are only the start and the end. */
  Silent = 4,
  /** Values stay in 0..1. */
  Clamped = 8,
}

/** An ease that TypeScript evaluates between two kernel calls. */
export const EASE_CUSTOM = 31;

/** Seconds by which a boundary counts as reached. */
export const TIME_EPS = 1e-9;

/** One event: i32 owner, i32 not 0 where the motion has ended, f64 loops done before. */
export const EVENT_BYTES = 16;

/** A batch of sprite players, columns of f64. See assembly/motion/sprite.ts. */
export const enum SpriteColumn {
  Time = 0,
  Rate = 1,
  /** The frame changes when the time reaches this. */
  Above = 2,
  /** The frame changes when the time is at most this. */
  Below = 3,
}
export const SPRITE_COLUMNS = 4;

/** Where the frames of a row end, in a batch of sprite players: 16 bytes a row. */
export const enum SpriteLink {
  /** Address of the ends of all frames, f64 seconds; 0 for a row that the kernel leaves alone when its frame is over. */
  ENDS = 0,
  /** Frames of the clip, i32. */
  COUNT = 4,
  /** Frame that is shown, i32. */
  FRAME = 8,
}
export const SPRITE_LINK_BYTES = 16;
