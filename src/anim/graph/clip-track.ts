/** A clip that graphs and state machines play: what all instances share. Clocks are numbers of the instance. @internal */
import { LONGEST_STEP } from "../rig/checks.js";
import type { AnimClip } from "../rig/clip.js";
import { collectSpan, type EventLog, SPAN } from "../rig/event-log.js";
import { RootMotion } from "../rig/root-motion.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

/** How far `ClipTrack.advance` goes: clip seconds (0 or more), clip seconds a real second. Typed, so that nothing is boxed. */
export const PACE = /* @__PURE__ */ new Float64Array(2);

export class ClipTrack {
  readonly motion: RootMotion;

  constructor(skeleton: AnimSkeleton, readonly clip: AnimClip) {
    this.motion = new RootMotion(skeleton);
    this.motion.setClip(clip);
  }

  /**
   * Moves the clock clocks[at] (unwrapped seconds; clocks[at + 1] is 1 until something was passed) by PACE, measures root
   * motion into `motion.delta` and logs events.
   * @returns whether a clip that does not loop has reached its end
   */
  advance(clocks: Float64Array, at: number, loop: boolean, log: EventLog | undefined, source: number): boolean {
    const clip = this.clip, from = clocks[at]!, seconds = PACE[0]!, fresh = clocks[at + 1] === 1;
    let ended = false;
    // Through the array: a number that comes from one of two places is boxed by some engines.
    clocks[at] = Math.min(LONGEST_STEP, from + seconds);
    if (!loop && clocks[at]! >= clip.duration) {
      clocks[at] = clip.duration;
      ended = true;
    }
    const to = clocks[at]!;
    if (log !== undefined && clip.events.length > 0 && (to !== from || (fresh && seconds > 0))) {
      SPAN[0] = from;
      SPAN[1] = to;
      SPAN[2] = PACE[1]!;
      SPAN[3] = clip.duration;
      collectSpan(clip.events, loop, fresh, log, source);
    }
    if (seconds > 0) clocks[at + 1] = 0;
    if (this.motion.isActive) {
      this.motion.span[0] = from;
      this.motion.span[1] = to;
      this.motion.measure(loop);
    }
    return ended;
  }
}
