/**
 * Pages of motions. Read by both compilers.
 *
 * A page holds up to PAGE_ROWS motions of one bucket: the same value kind, ease, loop mode and clock. Header, then one
 * owner (i32) per row, then columns of f64:
 *   time speed delay duration inverse loops done progress | from x C | to x C | value x C | extra columns
 * Extra columns: frequency, damping, seed for punch and shake; angle, 1/sin(angle) for quaternions.
 */

/** Motions of one page; even, because two share a register. */
export const PAGE_ROWS = 64;
export const COLUMN_BYTES = 512;

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
  /** u32: next page of the bucket or of the free list; 0 for none. Kernels do not read it. */
  Next = 24,
  /** i32: place in the page table. Kernels do not read it. */
  Place = 28,
  /** f64: parameters of the ease. Back: overshoot. Elastic: amplitude, angular frequency, phase. */
  EaseA = 32,
  EaseB = 40,
  EaseC = 48,
  /** i32: key of the bucket. Kernels do not read it. */
  Bucket = 56,
  /** i32 per row: what an event names. */
  Owners = 64,
  /** The first column. */
  Columns = 320,
}

export const enum Column {
  /** Own clock in seconds, 0 at the beginning of the delay. */
  Time = 0,
  /** Factor of the clock; 0 while paused. */
  Speed = 1,
  Delay = 2,
  /** Seconds of one loop; 0 where it is at most TIME_EPS. */
  Duration = 3,
  /** 1 / duration; infinity where that is 0. */
  Inverse = 4,
  /** Number of loops; infinity for endless ones. */
  Loops = 5,
  /** Loops done; -1 before the end of the first delay. */
  Done = 6,
  /** Eased progress that the value was computed from. */
  Progress = 7,
  /** First column of the start values. */
  From = 8,
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
  /** Every motion has exactly one loop. */
  Once = 4,
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
