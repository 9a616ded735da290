import { StateError } from "../../errors.js";
import type { Event } from "../model/event.js";
import type { AnimationStateListener } from "./animation-state-listener.js";
import type { TrackEntry } from "./track-entry.js";

/** Notifications that one drain may deliver: a listener that always causes the next one would never come to an end. */
const LIMIT = 100_000;

const enum Kind {
  START = 0,
  INTERRUPT = 1,
  END = 2,
  DISPOSE = 3,
  COMPLETE = 4,
  EVENT = 5,
}

/**
 * Notifications of one state that wait to be delivered. Its arrays keep their size, so posting allocates nothing once they are
 * large enough.
 */
export class EventQueue {
  readonly #kinds: Kind[] = [];
  readonly #entries: (TrackEntry | null)[] = [];
  readonly #events: (Event | null)[] = [];
  #count = 0;
  /** The notification to deliver next. */
  #next = 0;
  #isDraining = false;
  /** Listeners of the state, as they were when the notification in hand came up. */
  readonly #receivers: (AnimationStateListener | null)[] = [];
  #error: unknown = undefined;
  #hasFailed = false;
  /** Above 0, nothing is delivered. */
  suspended = 0;

  /**
   * @param listeners - those of the state
   * @param changed - called when entries come or go
   * @param release - takes back an entry whose dispose was delivered
   */
  constructor(
    private readonly listeners: readonly AnimationStateListener[],
    private readonly changed: () => void,
    private readonly release: (entry: TrackEntry) => void,
  ) {}

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  start(entry: TrackEntry): void {
    this.#post(Kind.START, entry, null);
    this.changed();
  }

  interrupt(entry: TrackEntry): void {
    this.#post(Kind.INTERRUPT, entry, null);
  }

  end(entry: TrackEntry): void {
    this.#post(Kind.END, entry, null);
    this.changed();
  }

  dispose(entry: TrackEntry): void {
    this.#post(Kind.DISPOSE, entry, null);
  }

  complete(entry: TrackEntry): void {
    this.#post(Kind.COMPLETE, entry, null);
  }

  event(entry: TrackEntry, event: Event): void {
    this.#post(Kind.EVENT, entry, event);
  }

  /** Discards everything that was not delivered. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) {
      this.#entries[i] = null;
      this.#events[i] = null;
    }
    this.#count = 0;
    // What a callback posts after it has cleared the queue is delivered.
    this.#next = 0;
  }

  /**
   * Delivers what waits and what callbacks add meanwhile. Not re-entrant: inside a callback it does nothing.
   *
   * A callback that throws does not keep others from being called; the first error is thrown at the end.
   */
  drain(): void {
    if (this.#isDraining || this.suspended > 0 || this.#count === 0) return;
    this.#isDraining = true;
    try {
      for (let delivered = 0; this.#next < this.#count; delivered++) {
        if (delivered === LIMIT) {
          throw new StateError(
            `${LIMIT} notifications were delivered in a row. A listener causes the next one each time, for example by setting an animation in "start".`,
          );
        }
        const i = this.#next++;
        this.#deliver(this.#kinds[i]!, this.#entries[i]!, this.#events[i]!);
      }
    } finally {
      this.clear();
      this.#receivers.fill(null);
      this.#isDraining = false;
    }
    if (this.#hasFailed) {
      const error = this.#error;
      this.#hasFailed = false;
      this.#error = undefined;
      throw error;
    }
  }

  #post(kind: Kind, entry: TrackEntry, event: Event | null): void {
    const at = this.#count++;
    this.#kinds[at] = kind;
    this.#entries[at] = entry;
    this.#events[at] = event;
  }

  #deliver(kind: Kind, entry: TrackEntry, event: Event | null): void {
    // Listeners that come or go during a notification count from the next one.
    const { listeners } = this;
    const count = listeners.length;
    for (let i = 0; i < count; i++) this.#receivers[i] = listeners[i]!;
    this.#deliverTo(kind, entry, event, count);
    if (kind === Kind.END) this.#deliverTo(Kind.DISPOSE, entry, null, count);
    if (kind === Kind.END || kind === Kind.DISPOSE) this.release(entry);
  }

  #deliverTo(kind: Kind, entry: TrackEntry, event: Event | null, count: number): void {
    if (entry.listener !== null) this.#call(entry.listener, kind, entry, event);
    for (let i = 0; i < count; i++) this.#call(this.#receivers[i]!, kind, entry, event);
  }

  #call(listener: AnimationStateListener, kind: Kind, entry: TrackEntry, event: Event | null): void {
    try {
      switch (kind) {
        case Kind.START:
          listener.start?.(entry);
          break;
        case Kind.INTERRUPT:
          listener.interrupt?.(entry);
          break;
        case Kind.END:
          listener.end?.(entry);
          break;
        case Kind.DISPOSE:
          listener.dispose?.(entry);
          break;
        case Kind.COMPLETE:
          listener.complete?.(entry);
          break;
        case Kind.EVENT:
          listener.event?.(entry, event!);
          break;
      }
    } catch (error) {
      if (!this.#hasFailed) this.#error = error;
      this.#hasFailed = true;
    }
  }
}
