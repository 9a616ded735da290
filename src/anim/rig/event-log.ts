/** Events that playback has passed: the list of one update, and the queue across updates. @internal */
import type { TimedEntry } from "./timed-list.js";

/** Events of one update at most; beyond it the first and the last halves are kept. */
export const EVENT_LIMIT = 1024;
/** Entries of the queue; when it is full the oldest goes. */
export const QUEUE_LIMIT = 256;

/** Reused by every player, graph and state machine: nothing is allocated once it has had its largest size. */
export class EventLog {
  #count = 0;
  readonly #entries: TimedEntry[] = [];
  readonly #ages: number[] = [];
  readonly #sources: number[] = [];
  #dropped = 0;
  readonly #queue: TimedEntry[] = [];
  #queueStart = 0;
  #queueCount = 0;
  #lastPayload = "";

  /** Events in the list of the last update. */
  get count(): number {
    return this.#count;
  }

  /** Events lost to the limits since the beginning. */
  get dropped(): number {
    return this.#dropped;
  }

  entry(i: number): TimedEntry {
    return this.#entries[i]!;
  }

  /** Seconds from the event to the end of the update. */
  age(i: number): number {
    return this.#ages[i]!;
  }

  /** What the caller said it came from: a node, a layer. */
  source(i: number): number {
    return this.#sources[i]!;
  }

  /** Empties the list of the update; the queue stays. */
  beginUpdate(): void {
    this.#count = 0;
  }

  push(entry: TimedEntry, age: number, source = 0): void {
    const i = this.#count++;
    this.#entries[i] = entry;
    this.#ages[i] = age;
    this.#sources[i] = source;
    if (this.#queueCount === QUEUE_LIMIT) {
      this.#queueStart = (this.#queueStart + 1) % QUEUE_LIMIT;
      this.#queueCount--;
      this.#dropped++;
    }
    this.#queue[(this.#queueStart + this.#queueCount++) % QUEUE_LIMIT] = entry;
  }

  drop(count: number): void {
    this.#dropped += count;
  }

  /** Takes the oldest event off the queue and returns its name, "" if there is none. */
  consume(): string {
    if (this.#queueCount === 0) {
      this.#lastPayload = "";
      return "";
    }
    const entry = this.#queue[this.#queueStart]!;
    this.#queueStart = (this.#queueStart + 1) % QUEUE_LIMIT;
    this.#queueCount--;
    this.#lastPayload = entry.payload;
    return entry.name;
  }

  /** Payload of the event consumed last. */
  get consumedPayload(): string {
    return this.#lastPayload;
  }

  /** Empties list and queue. */
  clear(): void {
    this.#count = 0;
    this.#queueCount = 0;
  }
}

/**
 * Logs the events of a clip between two unwrapped clip times, in the order of passing.
 *
 * Forward: from < t <= to, or from <= t if `closedStart`; at a loop's seam the event at D comes before the one at 0, and
 * landing on the seam fires both. Backward: to <= t < from (<= from if closed), descending. The next interval starts open
 * where this one ended, with the same numbers, so nothing is lost or repeated.
 * @param rate - clip seconds per real second, for the ages
 */
export function collectEvents(
  events: readonly TimedEntry[], duration: number, loop: boolean, from: number, to: number, closedStart: boolean,
  rate: number, log: EventLog, source = 0,
): void {
  let perPass = events.length;
  while (perPass > 0 && events[perPass - 1]!.time > duration) perPass--;
  if (perPass === 0) return;
  if (duration <= 1e-8) {
    if (closedStart) for (let i = 0; i < perPass; i++) log.push(events[i]!, 0, source);
    return;
  }
  const forward = to >= from;
  const low = forward ? from : to, high = forward ? to : from;
  // Events are numbered through all passes: pass * perPass + index, at nondecreasing times.
  let first: number, last: number;
  if (loop) {
    first = (Math.floor(low / duration) - 1) * perPass;
    last = (Math.floor(high / duration) + 2) * perPass - 1;
  } else {
    first = 0;
    last = perPass - 1;
  }
  // Forward (low, high], backward [low, high); a closed start adds the bound that playback starts from, but not the
  // event on the other side of a seam there.
  const firstPass = Math.floor(low / duration) * perPass, lastPass = Math.ceil(high / duration) * perPass;
  while (first <= last) {
    const t = passTime(events, perPass, duration, first);
    if (forward ? t > low || (closedStart && t === low && first >= firstPass) : t >= low) break;
    first++;
  }
  while (last >= first) {
    const t = passTime(events, perPass, duration, last);
    if (forward ? t <= high : t < high || (closedStart && t === high && last < lastPass)) break;
    last--;
  }
  const total = last - first + 1;
  if (total <= 0) return;
  const skipFrom = total > EVENT_LIMIT ? EVENT_LIMIT / 2 : total;
  const skip = total - Math.min(total, EVENT_LIMIT);
  log.drop(skip);
  for (let n = 0; n < total; n++) {
    if (n === skipFrom) n += skip;
    const number = forward ? first + n : last - n;
    const index = ((number % perPass) + perPass) % perPass;
    const t = passTime(events, perPass, duration, number);
    log.push(events[index]!, rate > 0 ? Math.abs(to - t) / rate : 0, source);
  }
}

function passTime(events: readonly TimedEntry[], perPass: number, duration: number, number: number): number {
  const pass = Math.floor(number / perPass), time = events[number - pass * perPass]!.time;
  // The end of a pass is the start of the next one, to the bit.
  return time === duration ? (pass + 1) * duration : pass * duration + time;
}
