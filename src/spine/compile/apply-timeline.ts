import { ArgumentError } from "../../errors.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Timeline } from "../timelines/timeline.js";
import { context } from "./apply-context.js";
import { compiledFor } from "./cache.js";
import { commands } from "./command-list.js";
import type { CompiledAnimation } from "./compiled-animation.js";
import { applyStep } from "./steps.js";

/** Compiled forms of timelines that were applied alone. */
interface Alone extends Timeline {
  _compiled?: CompiledAnimation[];
}

/** Applies one timeline of the library. @param mode - MixMode */
export function applyTimeline(
  timeline: Timeline,
  skeleton: Skeleton,
  lastTime: number,
  time: number,
  events: Event[] | null,
  alpha: number,
  mode: number,
  add: boolean,
  out: boolean,
  appliedPose: boolean,
): void {
  const owner = timeline as Alone;
  owner._compiled ??= [];
  // A class that overrides apply and then calls super.apply must not be taken for a foreign one: its own apply is passed.
  const compiled = compiledFor(owner as Required<Alone>, [timeline], skeleton.data, timeline.apply);
  applyCompiled(compiled, skeleton, lastTime, time, events, alpha, mode, add, out, appliedPose);
}

/** Applies all timelines of an animation, in order: one kernel call unless timelines from outside stand between. */
export function applyCompiled(
  compiled: CompiledAnimation,
  skeleton: Skeleton,
  lastTime: number,
  time: number,
  events: Event[] | null,
  alpha: number,
  mode: number,
  add: boolean,
  out: boolean,
  appliedPose: boolean,
): void {
  skeleton._assertAlive();
  if (Number.isNaN(alpha)) throw new ArgumentError("alpha is NaN, expected a weight, usually 0..1.", { found: alpha });
  try {
    for (let i = 0; i < compiled.segments.length; i++) {
      const segment = compiled.segments[i]!;
      context.set(lastTime, time, events, alpha, mode, add, out, appliedPose);
      if (segment.channelCount > 0) commands.mix(segment.header, context);
      for (let j = 0; j < segment.steps.length; j++) applyStep(segment.steps[j]!, skeleton, context);
      commands.run(skeleton);
      segment.custom?.timeline.apply(skeleton, lastTime, time, events, alpha, mode, add, out, appliedPose);
    }
  } finally {
    commands.clear();
    context.events = null;
  }
}
