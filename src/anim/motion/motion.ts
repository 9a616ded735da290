import { AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { readValue } from "./sinks.js";
import { SlotFlag } from "./slots.js";
import type { MotionStore } from "./store.js";
import { loopsAt, progressAt, totalOf, type Timing } from "./timing.js";
import { ValueType } from "./types.js";

/** How a motion ended. */
export type MotionOutcome = "completed" | "cancelled";

/** What a handle tells: read from the slot while the motion runs, kept by the handle after its end. @internal */
export class MotionRecord implements Timing {
  type: ValueType = ValueType.Float;
  /** The last value, of an ended motion. */
  value: unknown = null;
  time = 0;
  rate = 1;
  delay = 0;
  duration = 0;
  loops = 1;
  flags = 0;
  outcome: MotionOutcome | null = null;
  finished: Promise<MotionOutcome> | null = null;
  settle: ((outcome: MotionOutcome) => void) | null = null;
}

/** The promise of an end. @internal */
export function finishedOf(record: MotionRecord): Promise<MotionOutcome> {
  return (record.finished ??= record.outcome !== null ? Promise.resolve(record.outcome) : new Promise((resolve) => (record.settle = resolve)));
}

/** Where the facts of running motions are read into. */
const running = /* @__PURE__ */ new MotionRecord();

/**
 * Handle of a running motion: slot and generation. Once the motion has ended it is inactive for ever, whoever has the
 * slot then; its last value stays readable.
 */
export class Motion<V = number> {
  // A start makes one of these, and it may live long: nothing else is in it.
  /** @internal Made at the end, or when somebody waits for it. */ record: MotionRecord | null = null;

  /** @internal */
  constructor(
    /** @internal */ readonly store: MotionStore,
    /** @internal */ readonly slot: number,
    /** @internal */ readonly generation: number,
  ) {}

  /** @internal */
  get facts(): MotionRecord {
    return this.isActive() ? this.store.rows.facts(this.slot, running) : this.record!;
  }

  /** @internal Place in the order of creation, of a running motion. */
  get number(): number {
    return this.store.slots.numbers[this.slot]!;
  }

  /** Delayed, playing or paused. */
  isActive(): boolean {
    return this.store.slots.generations[this.slot] === this.generation;
  }

  /** The last computed value; a fresh object for vectors. Never throws. */
  value(): V {
    return this.valueInto(undefined);
  }

  /** The last computed value written into `out`, which is returned (numbers are just returned). */
  valueInto(out: V | undefined): V {
    const { slots, rows } = this.store;
    if (this.isActive()) return readValue(rows.bucketOf(this.slot).type, slots.valueAt[this.slot]!, out) as V;
    const { type, value } = this.record!;
    return (type === ValueType.Float ? value : Object.assign(out ?? {}, value)) as V;
  }

  /**
   * Jumps to the end: final value to the sink, `onLoop`, `onComplete`. False if the motion is not active.
   * @throws AnimStateError for an endless motion
   */
  complete(): boolean {
    return this.store.complete(this);
  }

  /** Stops without a write; `onCancel`. False if the motion is not active. */
  cancel(): boolean {
    return this.store.cancel(this);
  }

  /** Stops the clock until `resume`. The slot stays taken. */
  pause(): void {
    if (this.isActive()) this.store.setPaused(this.slot, true);
  }

  /** Lets a paused motion go on. */
  resume(): void {
    if (this.isPaused()) this.store.setPaused(this.slot, false);
  }

  /** Paused and active. */
  isPaused(): boolean {
    return this.isActive() && (this.store.slots.flags[this.slot]! & SlotFlag.Paused) !== 0;
  }

  /** Playback speed: 0 freezes, negative runs backwards and waits at time 0. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    checkNumber(speed, "speed");
    if (this.isActive()) this.store.setSpeed(this.slot, speed);
  }

  getSpeed(): number {
    return this.facts.rate;
  }

  /** The motion's own clock in seconds, 0 at the beginning of its delay. */
  getTime(): number {
    return this.facts.time;
  }

  /** Seconds of one loop. */
  getDuration(): number {
    return this.facts.duration;
  }

  /** Seconds from the beginning of the delay to the end of the last loop; Infinity for endless motions. */
  getTotalDuration(): number {
    return totalOf(this.facts);
  }

  getCompletedLoops(): number {
    return loopsAt(this.facts, this.getTime());
  }

  /** Place inside the current loop before the ease, 0..1. */
  getProgress(): number {
    return progressAt(this.facts, this.getTime());
  }

  /**
   * Goes to a time: writes the value, sets the loop count, calls nothing. Equal to having played there.
   * @throws AnimArgumentError unless `seconds` is finite and at least 0
   * @throws AnimStateError if the motion has ended
   */
  seek(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    if (!this.isActive()) throw new AnimStateError("The motion has ended. Use preserve().");
    this.store.seek(this, seconds);
  }

  /** Resolves when the motion has ended, after the update that ended it. */
  get finished(): Promise<MotionOutcome> {
    return finishedOf((this.record ??= new MotionRecord()));
  }
}

export { Motion as MotionHandle };
