/** The control block of a worker pool, in i32 words: what the pool and its workers tell each other. @internal */

/** Workers of one pool, at most: more would compete for memory, not for work. */
export const MAXIMUM_WORKERS = 8;

/** Those of worker i begin at WORKERS + i * WORDS_PER_WORKER, those of part i at PARTS_FIRST + i * WORDS_PER_PART. */
export const enum JobWord {
  /** Number of the job; workers wait for it to change. */
  JOB = 0,
  SUBJECT = 1,
  CHUNK = 2,
  /** Parts that the items are split into, one for each thread. */
  PARTS = 3,
  WORKERS = 8,
  PARTS_FIRST = 80,
}
export const enum WorkerWord {
  SCRATCH = 0,
  SCRATCH_BYTES = 1,
  /** Item at which it stopped, if STOPPED_LAST is not 0. */
  STOPPED_FIRST = 2,
  READY = 3,
  /** Job that it is invited to. */
  TICKET = 4,
  /** Latest job that it is done with. */
  DONE = 5,
  STOPPED_LAST = 6,
  /** Part that it begins with. */
  PART = 7,
}
export const enum PartWord {
  /** The next item to take. */
  NEXT = 0,
  END = 1,
}
export const WORDS_PER_WORKER = 8;
/** A cache line, so that threads do not wait for each other's counters. */
export const WORDS_PER_PART = 16;
export const CONTROL_WORDS = JobWord.PARTS_FIRST + (MAXIMUM_WORKERS + 1) * WORDS_PER_PART;
