import { TIME_EPS } from "../../../assembly/layout/motion.js";
import type { MotionConfig } from "./config.js";
import type { SequencePlayer } from "./sequence-player.js";

/** One thing on the time line of a sequence: a motion, a callback, or a sequence that loops. @internal */
export interface SequenceItem {
  readonly start: number;
  /** When it first acts: start plus the own delay. */
  readonly begin: number;
  readonly end: number;
  readonly order: number;
  readonly config?: MotionConfig;
  readonly callback?: () => void;
  readonly player?: SequencePlayer;
}

/** The state of an item while its sequence runs. @internal */
export class Member {
  begun = false;
  ended = false;
  /** Its target was written. */
  touched = false;
  loops = 0;
  constructor(readonly item: SequenceItem) {}
}

/** Something that happens on the time line; ends come before what begins at the same time. @internal */
export interface SequenceEvent {
  readonly time: number;
  readonly rank: number;
  readonly member: Member;
}

/** Members in the order of start, then of adding. @internal */
export function byStart(members: readonly Member[]): Member[] {
  return members.toSorted((a, b) => a.item.start - b.item.start || a.item.order - b.item.order);
}

/** Begins and ends in the order in which they happen. @internal */
export function eventsOf(members: readonly Member[]): SequenceEvent[] {
  const events: SequenceEvent[] = [];
  for (const member of members) {
    const { begin, end, callback } = member.item;
    // Ends are ranked before begins; where both coincide the begin does all.
    if (callback === undefined && end - begin > TIME_EPS) events.push({ time: end, rank: 0, member });
    events.push({ time: begin, rank: 1, member });
  }
  // Times that differ by rounding only count as equal.
  const tick = (event: SequenceEvent): number => Math.round(event.time / TIME_EPS);
  return events.toSorted((a, b) => tick(a) - tick(b) || a.rank - b.rank || a.member.item.order - b.member.item.order);
}
