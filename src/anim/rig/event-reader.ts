import { AnimIndexError } from "../errors.js";
import { show } from "./checks.js";
import { EventLog } from "./event-log.js";
import type { TimedEntry } from "./timed-list.js";

/**
 * Reading the events that playback has passed: the list of the last update, and a queue that spans updates so that a
 * consumer at a lower rate loses nothing. What players, graphs and state machines have in common.
 */
export abstract class EventReader {
  /** @param eventLog - the log to read, if another object writes it. @internal */
  constructor(/** @internal */ readonly eventLog: EventLog = new EventLog()) {}

  /** Takes the oldest event off the queue (256 at most, the oldest are dropped) and returns its name, or "". */
  consumeEvent(): string { return this.eventLog.consume(); }

  /** Payload of the event that `consumeEvent` returned last. */
  consumeEventPayload(): string { return this.eventLog.consumedPayload; }

  /** Events that the last update passed. */
  getEventCount(): number { return this.eventLog.count; }

  /** @throws AnimIndexError */
  getEventName(i: number): string { return this.#event("getEventName", i).name; }

  /** @throws AnimIndexError */
  getEventPayload(i: number): string { return this.#event("getEventPayload", i).payload; }

  /** Clip time of the event, seconds. @throws AnimIndexError */
  getEventTime(i: number): number { return this.#event("getEventTime", i).time; }

  /** Real seconds from the event to the end of the update that passed it. @throws AnimIndexError */
  getEventAge(i: number): number {
    this.#event("getEventAge", i);
    return this.eventLog.age(i);
  }

  /** Events lost to the limits: 1024 an update, 256 in the queue. */
  getDroppedEventCount(): number { return this.eventLog.dropped; }

  /** Empties the list and the queue. */
  clearEvents(): void { this.eventLog.clear(); }

  #event(method: string, i: number): TimedEntry {
    if (!(Number.isInteger(i) && i >= 0 && i < this.eventLog.count)) {
      throw new AnimIndexError(
        `${this.constructor.name}.${method}: event ${show(i)} was asked for, the last update passed ${this.eventLog.count}. Read getEventCount() first.`,
        { found: i });
    }
    return this.eventLog.entry(i);
  }
}
