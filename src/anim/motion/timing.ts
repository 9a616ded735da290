import { PageFlag, TIME_EPS } from "../../../assembly/layout/motion.js";

/** When a motion begins, loops and ends. @internal */
export interface Timing {
  readonly delay: number;
  /** Seconds of one loop. */
  readonly duration: number;
  /** Infinity for endless. */
  readonly loops: number;
  /** PageFlag, and more. */
  readonly flags: number;
}

/** Seconds from one loop to the next. */
function periodOf({ flags, delay, duration }: Timing): number {
  const length = duration > TIME_EPS ? duration : 0;
  return flags & PageFlag.DelayEvery ? delay + length : length;
}

/** Seconds from the beginning of the delay to the end of the last loop. @internal */
export function totalOf(timing: Timing): number {
  return (timing.flags & PageFlag.DelayEvery ? 0 : timing.delay) + periodOf(timing) * timing.loops;
}

/** Loops done at a time: the rule of assembly/motion/clock.ts. @internal */
export function loopsAt(timing: Timing, time: number): number {
  const origin = timing.flags & PageFlag.DelayEvery ? time : time - timing.delay;
  return origin < -TIME_EPS ? 0 : Math.min(timing.loops, Math.floor((Math.max(0, origin) + TIME_EPS) / periodOf(timing)));
}

/** Place inside the current loop before the ease, 0..1. @internal */
export function progressAt(timing: Timing, time: number): number {
  const loops = loopsAt(timing, time);
  if (loops >= timing.loops) return 1;
  const u = (time - timing.delay - loops * periodOf(timing)) / timing.duration;
  return u > 0 ? Math.min(1, u) : 0;
}

/** Whether a motion with a delay before each loop waits between two of them. @internal */
export function isInGap(timing: Timing, time: number, loops: number): boolean {
  return (timing.flags & PageFlag.DelayEvery) !== 0 && loops < timing.loops &&
    time - loops * periodOf(timing) - timing.delay < -TIME_EPS;
}
