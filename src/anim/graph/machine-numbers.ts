/** What an instance of a state machine keeps as numbers. @internal */

/** Fades shorter than this are switches. */
export const NO_FADE = 1e-6;

/** What `MachineRun.numbers` holds; states and transitions by index, -1 for none. */
export const enum M {
  CURRENT,
  /** Source of the transition under way, and the transition. */
  SOURCE,
  TAKEN,
  /** The state that plays on while it fades out. */
  OUTGOING,
  /** Whether a pose that was shown fades out (too). */
  FROZEN,
  /** Seconds in the current state. */
  STATE_TIME,
  /** Completed passes of a state that is a graph. */
  PASSES,
  /** Passes at the last test of the state's transitions; below 0 before the first. */
  TESTED,
  ELAPSED,
  DURATION,
  /** Weight of the current state. */
  WEIGHT,
  /** Which of the two clocks is the current state's. */
  VOICE,
  /** Clocks: time, and 1 until something was passed. */
  CLOCK_A,
  FRESH_A,
  CLOCK_B,
  FRESH_B,
  UPDATES,
  COUNT,
}

/** In place of a transition while a forced change of the state is under way. */
export const FORCED = 1 << 20;
