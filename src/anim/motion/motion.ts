import { Column, PAGE_ROWS, PageFlag, TIME_EPS } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { MotionBuilder } from "./builder.js";
import { readValue } from "./sinks.js";
import type { MotionStore } from "./store.js";
import { ValueType, componentsOf, namesOf } from "./types.js";

/** How a motion ended. */
export type MotionOutcome = "completed" | "cancelled";

/* eslint-disable @typescript-eslint/no-explicit-any */

/** The rarer part of a handle. @internal */
export class MotionRest {
  v1 = 0;
  v2 = 0;
  v3 = 0;
  /** Last value of a custom ease. */
  eased = 0;
  outcome: MotionOutcome | null = null;
  finished: Promise<MotionOutcome> | null = null;
  settle: ((outcome: MotionOutcome) => void) | null = null;
}

/**
 * Handle of a running motion: slot and generation. Once the motion has ended it is inactive for ever, whoever has the
 * slot then; its last value stays readable.
 */
export class Motion<V = number> {
  /** @internal */ paused = false;
  /** @internal */ started = false;
  /** @internal */ rate: number;
  // The last first component and time, copied here when the slot is given back.
  /** @internal */ v0 = 0;
  /** @internal */ lastTime = 0;
  /** @internal Everything that few motions need. */ rest: MotionRest | null = null;

  /** @internal */
  constructor(
    /** @internal */ readonly config: MotionBuilder<V>,
    /** @internal */ readonly slot: number,
    /** @internal */ readonly generation: number,
  ) {
    this.rate = config.rate;
  }

  /** @internal */
  get store(): MotionStore {
    return this.config.store;
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
    const type = this.config.type;
    if (this.isActive()) return readValue(type, this.store.slots.valueAt[this.slot]!, out) as V;
    if (type === ValueType.Float) return this.v0 as V;
    const object = (out ?? {}) as any;
    const names = namesOf(type);
    for (let i = 0; i < componentsOf(type); i++) object[names[i]!] = i === 0 ? this.v0 : this.rest![`v${i as 1 | 2 | 3}`];
    return object as V;
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
    if (this.isActive() && !this.paused) this.store.setPaused(this, true);
  }

  /** Lets a paused motion go on. */
  resume(): void {
    if (this.isActive() && this.paused) this.store.setPaused(this, false);
  }

  /** Paused and active. */
  isPaused(): boolean {
    return this.paused && this.isActive();
  }

  /** Playback speed: 0 freezes, negative runs backwards and waits at time 0. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    this.rate = checkNumber(speed, "speed");
    if (this.isActive() && !this.paused) this.store.setColumn(this, Column.Speed, speed);
  }

  getSpeed(): number {
    return this.rate;
  }

  /** The motion's own clock in seconds, 0 at the beginning of its delay. */
  getTime(): number {
    return this.isActive() ? heap.f64[this.store.slots.rowAt[this.slot]! + Column.Time * PAGE_ROWS]! : this.lastTime;
  }

  /** Seconds of one loop. */
  getDuration(): number {
    return this.config.duration;
  }

  /** Seconds from the beginning of the delay to the end of the last loop; Infinity for endless motions. */
  getTotalDuration(): number {
    return this.config.total;
  }

  getCompletedLoops(): number {
    return Math.max(0, loopsAt(this.config, this.getTime()));
  }

  /** Place inside the current loop before the ease, 0..1. */
  getProgress(): number {
    const { config } = this;
    const time = this.getTime();
    const loops = loopsAt(config, time);
    if (loops < 0) return 0;
    if (loops >= config.loopCount) return 1;
    const period = periodOf(config);
    const inLoop = (config.flags & PageFlag.DelayEvery ? time : time - config.delaySeconds) - loops * period;
    const u = (config.flags & PageFlag.DelayEvery ? inLoop - config.delaySeconds : inLoop) / config.duration;
    return u > 0 ? Math.min(1, u) : 0;
  }

  /**
   * Goes to a time: writes the value, sets the loop count, calls nothing. Equal to having played there.
   * @throws AnimArgumentError unless `seconds` is finite and at least 0
   * @throws AnimStateError if the motion has ended
   */
  seek(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    if (!this.isActive()) throw new AnimStateError("The motion has ended and its slot is given back. Pause a motion that is to be kept.");
    this.store.seek(this, seconds);
  }

  /** Resolves when the motion has ended, after the update that ended it. */
  get finished(): Promise<MotionOutcome> {
    const rest = (this.rest ??= new MotionRest());
    const { outcome } = rest;
    rest.finished ??= outcome !== null || !this.isActive()
      ? Promise.resolve(outcome ?? "completed")
      : new Promise((resolve) => (rest.settle = resolve));
    return rest.finished;
  }

  /** @internal */
  end(outcome: MotionOutcome): void {
    // Most motions complete, and nobody asks; only a cancelled one has to remember.
    if (outcome === "cancelled") this.rest ??= new MotionRest();
    if (this.rest === null) return;
    this.rest.outcome = outcome;
    this.rest.settle?.(outcome);
  }
}

/** Seconds from one loop to the next. */
function periodOf(config: MotionBuilder<any>): number {
  const duration = config.duration > TIME_EPS ? config.duration : 0;
  return config.flags & PageFlag.DelayEvery ? config.delaySeconds + duration : duration;
}

/** Loops done at a time, -1 in the first delay: the rule of assembly/motion/clock.ts. @internal */
export function loopsAt(config: MotionBuilder<any>, time: number): number {
  const every = (config.flags & PageFlag.DelayEvery) !== 0;
  const origin = every ? time : time - config.delaySeconds;
  const loops = Math.min(config.loopCount, Math.floor((Math.max(0, origin) + TIME_EPS) / periodOf(config)));
  const started = every ? loops > 0 || time - config.delaySeconds >= -TIME_EPS : origin >= -TIME_EPS;
  return started ? loops : -1;
}

/** Whether a motion with a delay before each loop waits between two of them. @internal */
export function isInGap(config: MotionBuilder<any>, time: number, loops: number): boolean {
  return (config.flags & PageFlag.DelayEvery) !== 0 && loops < config.loopCount &&
    time - loops * periodOf(config) - config.delaySeconds < -TIME_EPS;
}

export { Motion as MotionHandle };
