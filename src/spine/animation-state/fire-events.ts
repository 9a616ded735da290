import type { CompiledAnimation } from "../compile/compiled-animation.js";
import type { Event } from "../model/event.js";
import type { EventTimeline } from "../timelines/event-timeline.js";
import { TimelineKind } from "../timelines/property.js";
import type { EventQueue } from "./event-queue.js";
import type { TrackEntry } from "./track-entry.js";

/** Events of an entry that plays backwards, between the previous apply and this one. */
export function collectReversed(compiled: CompiledAnimation, entry: TrackEntry, events: Event[]): void {
  const { duration } = entry.animation!;
  const from = duration - entry._animationLast;
  const to = duration - entry._animationTimeNow;
  const { segments } = compiled;
  for (let i = 0; i < segments.length; i++) {
    const { steps } = segments[i]!;
    for (let j = 0; j < steps.length; j++) {
      if (steps[j]!.kind !== TimelineKind.EVENT) continue;
      const timeline = steps[j]!.timeline as EventTimeline;
      const { _frames: frames, events: keys } = timeline;
      if (from >= to) {
        for (let k = 0; k < frames.length; k++) if (frames[k]! >= to && frames[k]! < from) events.push(keys[k]!);
      } else {
        for (let k = 0; k < frames.length; k++) if (frames[k]! < from) events.push(keys[k]!);
        for (let k = 0; k < frames.length; k++) if (frames[k]! >= to) events.push(keys[k]!);
      }
    }
  }
}

/**
 * Posts the collected events of an entry, and its completion between those before and those after the loop point. Empties
 * the list.
 */
export function postEvents(entry: TrackEntry, events: Event[], queue: EventQueue): void {
  const n = events.length;
  if (n === 0) {
    if (hasCompleted(entry)) queue.complete(entry);
    return;
  }
  const { animationStart, animationEnd, reverse } = entry;
  const span = animationEnd - animationStart;
  let split = entry.trackLast % span;
  if (reverse) split = span - split;
  let i = 0;
  for (; i < n; i++) {
    const event = events[i]!;
    if (event.time < split !== reverse) break;
    if (event.time >= animationStart && event.time <= animationEnd) queue.event(entry, event);
  }
  if (hasCompleted(entry)) queue.complete(entry);
  for (; i < n; i++) {
    const event = events[i]!;
    if (event.time >= animationStart && event.time <= animationEnd) queue.event(entry, event);
  }
  // Not `length = 0`, which would drop the array's memory.
  for (let k = 0; k < n; k++) events.pop();
}

function hasCompleted(entry: TrackEntry): boolean {
  if (!entry.loop) return entry._animationTimeNow >= entry.animationEnd && entry._animationLast < entry.animationEnd;
  const span = entry.animationEnd - entry.animationStart;
  if (span === 0) return true;
  const loops = Math.floor(entry.trackTime / span);
  return loops > 0 && loops > Math.floor(entry.trackLast / span);
}
