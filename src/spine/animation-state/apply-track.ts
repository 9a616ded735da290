import { ArgumentError } from "../../errors.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import { mixEntryIn, mixEntryOut, poseEntry } from "./apply-state.js";
import type { AttachmentMarks } from "./attachment-marks.js";
import type { EventQueue } from "./event-queue.js";
import { collectReversed, postEvents } from "./fire-events.js";
import type { EntryMemory, TrackEntry } from "./track-entry.js";

/** What applying needs of an AnimationState. */
export interface Applying {
  readonly queue: EventQueue;
  readonly reverseEvents: boolean;
  /** Collects the events of one entry. */
  readonly events: Event[];
  readonly marks: AttachmentMarks;
  readonly memory: EntryMemory;
}

/** Applies a track: the entries that are mixed out, oldest first, then the current one. */
export function applyTrack(state: Applying, index: number, current: TrackEntry, skeleton: Skeleton): void {
  let { alpha } = current;
  if (current.mixingFrom !== null) {
    for (let entry = current; entry.mixingFrom !== null; entry = entry.mixingFrom) entry._noteMix();
    applyMixedOut(state, current, skeleton);
    alpha *= current._mixNow;
  } else if (current.trackTime >= current.trackEnd && current.next === null) {
    alpha = 0;
  }
  if (Number.isNaN(alpha)) refuse(current);
  const compiled = current.animation!._compiledFor(skeleton.data);
  const { reverse } = current;
  const events = state.events;
  current._beginApply();
  current._alphaNow = alpha;
  if (index === 0 && alpha === 1) poseEntry(current, compiled, skeleton, reverse ? null : events, state.marks);
  else mixEntryIn(current, compiled, skeleton, reverse ? null : events, state.marks, state.memory);
  if (reverse && state.reverseEvents) collectReversed(compiled, current, events);
  postEvents(current, events, state.queue);
  current._endApply();
}

/** Applies the entries mixed out below the current one, oldest first; a loop, because a chain has no limit. */
function applyMixedOut(state: Applying, current: TrackEntry, skeleton: Skeleton): void {
  let from = current;
  while (from.mixingFrom !== null) from = from.mixingFrom;
  for (; from !== current; from = from.mixingTo!) applyEntryOut(state, from.mixingTo!, from, skeleton);
}

function applyEntryOut(state: Applying, to: TrackEntry, from: TrackEntry, skeleton: Skeleton): void {
  const weight = from.mixingFrom === null ? from.alpha : from.alpha * from._mixNow;
  const mix = to._mixNow;
  const rest = 1 - mix * to.alpha;
  if (Number.isNaN(weight * rest)) refuse(Number.isNaN(to.alpha) ? to : from);
  from._alphaNow = weight * (1 - mix);
  from._holdNow = rest > 0 ? from._alphaNow / rest : weight;

  const compiled = from.animation!._compiledFor(skeleton.data);
  const { reverse } = from;
  const firesEvents = mix < from.eventThreshold;
  const events = state.events;
  from._beginApply();
  mixEntryOut(from, compiled, skeleton, firesEvents && !reverse ? events : null, state.marks, state.memory);
  if (reverse && firesEvents && state.reverseEvents) collectReversed(compiled, from, events);
  if (to.mixDuration > 0) postEvents(from, events, state.queue);
  else while (events.length > 0) events.pop();
  from._endApply();
}

/** A weight that is no number would spread through the pose and stay. */
function refuse({ animation, trackIndex, alpha }: TrackEntry): never {
  throw new ArgumentError(
    `The entry of "${animation!.name}" on track ${trackIndex} has alpha ${alpha}, or its mix is no number. Set alpha, mixTime and mixDuration to numbers.`,
    { found: alpha },
  );
}
