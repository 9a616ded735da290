import type { Event } from "../model/event.js";

/**
 * The arguments of one application of timelines.
 *
 * They travel in fields because a number that is passed to a function which is not inlined becomes an object on the heap; the
 * fields of one long-lived object are overwritten in place.
 */
export class ApplyContext {
  // Fractions, so that the fields are doubles from the start.
  lastTime = -0.5;
  /** Animation time to sample. */
  time = 0.5;
  weight = 0.5;
  /** MixMode */
  mode = 0;
  add = false;
  out = false;
  appliedPose = false;
  /** Receives fired events; null to ignore them. */
  events: Event[] | null = null;

  set(
    lastTime: number,
    time: number,
    events: Event[] | null,
    weight: number,
    mode: number,
    add: boolean,
    out: boolean,
    appliedPose: boolean,
  ): void {
    this.lastTime = lastTime;
    this.time = time;
    this.events = events;
    this.weight = weight;
    this.mode = mode;
    this.add = add;
    this.out = out;
    this.appliedPose = appliedPose;
  }
}

/** The context in use. Whoever lets foreign code run sets it anew afterwards. */
export const context = /* @__PURE__ */ new ApplyContext();
