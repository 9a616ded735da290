/** Events that playback has passed: the list of one update, and the queue across updates. @internal */
import type { TimedEntry } from "./timed-list.js";

/** Events of one update at most; beyond it the first and the last halves are kept. */
export const EVENT_LIMIT = 1024;
/** Entries of the queue; when it is full the oldest goes. */
export const QUEUE_LIMIT = 256;

/** Events, counted from time 0 of a clip, that doubles can tell apart; what would be later is not counted any more. */
const MOST_COUNTED = 2 ** 50;

/** Reused by every player, graph and state machine: nothing is allocated once it has had its largest size. */
export class EventLog {
  /** Age of the event that is appended next: in a typed array, because doubles in fields and arguments may be boxed. */
  readonly nextAge = new Float64Array(1);
  #count = 0;
  readonly #entries: TimedEntry[] = [];
  #ages = new Float64Array(16);
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
    this.nextAge[0] = age;
    this.append(entry, source);
  }

  /** `push` with the age in `nextAge`. */
  append(entry: TimedEntry, source: number): void {
    const i = this.#count++;
    this.#entries[i] = entry;
    if (i === this.#ages.length) this.#growAges();
    this.#ages[i] = this.nextAge[0]!;
    this.#sources[i] = source;
    if (this.#queueCount === QUEUE_LIMIT) {
      this.#queueStart = (this.#queueStart + 1) % QUEUE_LIMIT;
      this.#queueCount--;
      this.#dropped++;
    }
    this.#queue[(this.#queueStart + this.#queueCount++) % QUEUE_LIMIT] = entry;
  }

  /** Turns the ages of the list, which passed at pace[1] times the pace, into those of real time. */
  slowDown(pace: Float64Array): void {
    const rate = pace[1]!;
    if (rate === 1) return;
    for (let i = 0; i < this.#count; i++) this.#ages[i] = rate > 0 ? this.#ages[i]! / rate : 0;
  }

  /** Appends event i of another log. */
  copy(from: EventLog, i: number, source: number): void {
    this.nextAge[0] = from.#ages[i]!;
    this.append(from.#entries[i]!, source);
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

  #growAges(): void {
    const ages = new Float64Array(this.#ages.length * 2);
    ages.set(this.#ages);
    this.#ages = ages;
  }

  /** Empties list and queue. */
  clear(): void {
    this.#count = 0;
    this.#queueCount = 0;
  }
}

/** Arguments of `collectSpan`: from, to, rate, duration. In a typed array, because doubles in arguments are boxed. */
export const SPAN = /* @__PURE__ */ new Float64Array(4);

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
  SPAN[0] = from;
  SPAN[1] = to;
  SPAN[2] = rate;
  SPAN[3] = duration;
  collectSpan(events, loop, closedStart, log, source);
}

/** `collectEvents` with the numbers in `SPAN`. */
export function collectSpan(events: readonly TimedEntry[], loop: boolean, closedStart: boolean, log: EventLog, source: number): void {
  const duration = SPAN[3]!;
  let perPass = events.length;
  while (perPass > 0 && events[perPass - 1]!.time > duration) perPass--;
  if (perPass === 0) return;
  if (duration <= 1e-8) {
    if (closedStart) for (let i = 0; i < perPass; i++) log.push(events[i]!, 0, source);
    return;
  }
  const from = SPAN[0]!, to = SPAN[1]!, rate = SPAN[2]!, forward = to >= from;
  const low = forward ? from : to, high = forward ? to : from;
  if (loop && (Math.max(Math.abs(low), Math.abs(high)) / duration) * perPass > MOST_COUNTED) return;
  // Events are numbered through all passes: pass * perPass + index, at nondecreasing times. The end of a pass is the start
  // of the next one to the bit: an event at D counts as (pass + 1) D.
  const lowPass = Math.floor(low / duration), highPass = Math.floor(high / duration);
  let pass = loop ? lowPass - 1 : 0, index = 0;
  const last = (loop ? highPass + 2 : 1) * perPass - 1;
  // An event on the other side of a seam does not belong to a closed start.
  const firstOwn = lowPass * perPass, endOwn = Math.ceil(high / duration) * perPass;

  let first = pass * perPass;
  for (; first <= last; first++) {
    const time = events[index]!.time, t = time === duration ? (pass + 1) * duration : pass * duration + time;
    if (forward ? t > low || (closedStart && t === low && first >= firstOwn) : t >= low) break;
    if (++index === perPass) {
      index = 0;
      pass++;
    }
  }
  const firstPass = pass, firstIndex = index;
  pass = Math.floor(last / perPass);
  index = last - pass * perPass;
  let end = last;
  for (; end >= first; end--) {
    const time = events[index]!.time, t = time === duration ? (pass + 1) * duration : pass * duration + time;
    if (forward ? t <= high : t < high || (closedStart && t === high && end < endOwn)) break;
    if (--index < 0) {
      index = perPass - 1;
      pass--;
    }
  }
  const total = end - first + 1;
  if (total <= 0) return;
  const skip = total - Math.min(total, EVENT_LIMIT), skipFrom = skip > 0 ? EVENT_LIMIT / 2 : total;
  log.drop(skip);
  if (forward) {
    pass = firstPass;
    index = firstIndex;
  }
  for (let n = 0; n < total; n++) {
    if (n === skipFrom) {
      n += skip;
      const number = forward ? first + n : end - n;
      pass = Math.floor(number / perPass);
      index = number - pass * perPass;
    }
    const entry = events[index]!, time = entry.time, t = time === duration ? (pass + 1) * duration : pass * duration + time;
    log.nextAge[0] = rate > 0 ? Math.abs(to - t) / rate : 0;
    log.append(entry, source);
    if (forward) {
      if (++index === perPass) {
        index = 0;
        pass++;
      }
    } else if (--index < 0) {
      index = perPass - 1;
      pass--;
    }
  }
}
