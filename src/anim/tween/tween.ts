import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { evaluateEase, resolveEase, type EaseKind } from "../motion/ease.js";
import { understandParameters } from "../motion/ease-names.js";
import { TweenCallbacks } from "./callbacks.js";

const enum State {
  Idle,
  Delayed,
  Running,
  Finished,
  Stopped,
}

/** How a tween ended. */
export type TweenOutcome = "finished" | "stopped";
/** Cycles reported per update. */
const MOST_CYCLES = 1000;

/**
 * Named scalar properties that travel from a start to an end over one shared clock.
 *
 * A tween writes nowhere by itself: read `get(name)` after each update, or call `bindTo` once. `update` may be called by the
 * owner or by the module that made the tween. Everything is a closed form of the elapsed time, so a step of any length is
 * as good as many small ones.
 */
export class Tween extends TweenCallbacks {
  #duration: number;
  #delay = 0;
  #repeat = 1;
  #yoyo = false;
  #scale = 1;
  #cycleDelay = 0;

  #state: State = State.Idle;
  #paused = false;
  /** Seconds of delay left, before the first cycle or between two. */
  #left = 0;
  #elapsed = 0;
  #played = 0;
  #backward = false;
  #begun = false;
  #eased = 0;
  #updating = false;
  /** Counts what ends a delivery: `start`, `stop`, `reset`, `complete` and `seek` of a callback. */
  #turns = 0;
  #finished: Promise<TweenOutcome> | null = null;
  #settle: ((outcome: TweenOutcome) => void) | null = null;
  /** @internal Told when the tween starts, so that its module pumps it. */ onActivate: (() => void) | null = null;
  /** @param duration - seconds of one cycle, at least 0. @throws AnimArgumentError */
  constructor(duration = 1) {
    super();
    understandParameters();
    this.#duration = checkNumber(duration, "duration", 0);
  }

  // Timing

  /** Seconds of one cycle. While running the elapsed time stays. @throws AnimArgumentError */
  setDuration(seconds: number): void {
    this.#duration = checkNumber(seconds, "duration", 0);
  }

  getDuration(): number {
    return this.#duration;
  }

  /** Seconds before the first cycle; a delay that counts already is not changed. @throws AnimArgumentError */
  setDelay(seconds: number): void {
    this.#delay = checkNumber(seconds, "delay", 0);
  }

  getDelay(): number {
    return this.#delay;
  }

  /** A named ease, `""` for linear, or a function. @throws AnimNameError, and the old ease stays */
  setEase(kind: EaseKind): void {
    this.curve = resolveEase(kind);
  }

  getEase(): string {
    return this.curve.name;
  }

  /** Cycles to play, -1 for ever; 0 counts as 1, below -1 as -1. @throws AnimArgumentError unless whole */
  setRepeat(count: number): void {
    if (!Number.isInteger(count)) throw new AnimArgumentError(`repeat is ${count}, expected a whole number.`, { found: count });
    this.#repeat = count === 0 ? 1 : Math.max(-1, count);
  }

  getRepeat(): number {
    return this.#repeat;
  }

  /** Every other cycle runs back in time. */
  setYoyo(on: boolean): void {
    this.#yoyo = on;
  }

  getYoyo(): boolean {
    return this.#yoyo;
  }

  /** Factor of the tween's clock, at least 0. @throws AnimArgumentError */
  setTimeScale(scale: number): void {
    this.#scale = checkNumber(scale, "timeScale", 0);
  }

  getTimeScale(): number {
    return this.#scale;
  }

  /** Pause between two cycles, in seconds. @throws AnimArgumentError */
  setCycleDelay(seconds: number): void {
    this.#cycleDelay = checkNumber(seconds, "cycleDelay", 0);
  }

  getCycleDelay(): number {
    return this.#cycleDelay;
  }

  // Control

  /**
   * Starts from the beginning, in any state.
   * @throws AnimStateError for an endless tween of length 0
   */
  start(): void {
    if (this.#repeat === -1 && this.#duration + this.#cycleDelay <= TIME_EPS) throw new AnimStateError("An endless tween needs a duration above 0.");
    for (const track of this.tracks) {
      if (!track.hasStart) {
        track.start = track.value;
        track.hasStart = true;
      }
      track.value = track.start;
    }
    this.#turns++;
    this.#rewind();
    this.#paused = this.#begun = false;
    this.#left = this.#delay;
    this.#state = this.#delay > 0 ? State.Delayed : State.Running;
    if (this.#finished !== null && this.#settle === null) this.#finished = null;
    this.onActivate?.();
    this.write();
  }

  /** As `start`, but every property starts where it is. */
  startFromCurrent(): void {
    for (const track of this.tracks) {
      track.start = track.value;
      track.hasStart = true;
    }
    this.start();
  }

  /** Holds a delayed or running tween; it stays with its module. */
  pause(): void {
    if (this.#state === State.Delayed || this.#state === State.Running) this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Ends the tween where it is. */
  stop(): void {
    const wasActive = this.isActive();
    this.#turns++;
    this.#state = State.Stopped;
    this.#paused = false;
    this.#left = 0;
    if (!wasActive) return;
    this.#end("stopped");
    this.listeners.call("stop");
  }

  /** Back to before the first `start`. */
  reset(): void {
    const wasActive = this.isActive();
    for (const track of this.tracks) if (track.hasStart) track.value = track.start;
    this.#turns++;
    this.#rewind();
    this.#state = State.Idle;
    this.#paused = false;
    this.#left = 0;
    if (wasActive) this.#end("stopped");
    this.write();
  }

  /**
   * Jumps to the end with its callbacks. Nothing happens unless active.
   * @throws AnimStateError if endless
   */
  complete(): void {
    if (!this.isActive()) return;
    if (this.#repeat === -1) throw new AnimStateError("An endless tween cannot be completed; stop it.");
    this.#paused = false;
    this.#left = 0;
    const turn = ++this.#turns;
    this.#finish();
    this.listeners.call("cycle", this.#played);
    if (turn === this.#turns) this.listeners.call("complete");
  }

  /**
   * Goes to a time counted from the beginning of the delay; calls nothing. A finished tween is paused there.
   * @throws AnimArgumentError, AnimStateError if it was never started or is stopped
   */
  seek(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    if (this.isStopped()) throw new AnimStateError("The tween is not started. Call start() first.");
    if (this.#state === State.Finished) this.#paused = true;
    this.#turns++;
    this.#state = State.Running;
    this.#rewind();
    if (seconds < this.#delay - TIME_EPS) {
      this.#left = this.#delay - seconds;
      this.#state = State.Delayed;
      this.#evaluate(0);
      return;
    }
    this.#left = 0;
    this.#move(Math.max(0, seconds - this.#delay));
    if (this.#isOver()) {
      // One step short of the end, so that the next update still ends it.
      this.#played = this.#repeat - 1;
      this.#elapsed = this.#duration;
    }
  }

  /**
   * Advances the clock.
   * @returns whether the tween is active afterwards
   * @throws AnimArgumentError unless dt is finite and at least 0
   * @throws AnimStateError inside one of its own callbacks
   */
  update(dt: number): boolean {
    checkNumber(dt, "dt", 0);
    if (this.#updating) throw new AnimStateError("update of this tween is already running.");
    if (this.#paused || !this.isActive()) return this.isActive();
    this.#updating = true;
    try {
      this.#advance(Math.min(dt * this.#scale, Number.MAX_VALUE));
    } finally {
      this.#updating = false;
    }
    return this.isActive();
  }

  // Questions

  isRunning(): boolean {
    return this.#state === State.Running && !this.#paused;
  }

  isPaused(): boolean {
    return this.#paused;
  }

  isFinished(): boolean {
    return this.#state === State.Finished;
  }

  /** Stopped, or never started. */
  isStopped(): boolean {
    return this.#state === State.Stopped || this.#state === State.Idle;
  }

  isDelayed(): boolean {
    return this.#state === State.Delayed && !this.#paused;
  }

  /** Delayed, running or paused. */
  isActive(): boolean {
    return this.#state === State.Delayed || this.#state === State.Running;
  }

  /** Seconds inside the current cycle; the duration when finished. */
  getElapsed(): number {
    return this.#elapsed;
  }

  /** Elapsed part of the current cycle, 0..1; does not run back under yoyo. */
  getProgress(): number {
    if (this.#duration <= TIME_EPS) return this.isFinished() ? 1 : 0;
    return Math.min(1, Math.max(0, this.#elapsed / this.#duration));
  }

  /** The factor that the values were made with. */
  getEasedProgress(): number {
    return this.#eased;
  }

  /** Resolves when the running, or next, play has ended. */
  get finished(): Promise<TweenOutcome> {
    if (this.#finished === null) {
      if (this.isFinished()) this.#finished = Promise.resolve("finished");
      else this.#finished = new Promise((resolve) => (this.#settle = resolve));
    }
    return this.#finished;
  }

  #advance(dt: number): void {
    let rest = dt;
    if (this.#left > 0) {
      if (rest < this.#left - TIME_EPS) {
        this.#left -= rest;
        return;
      }
      rest = Math.max(0, rest - this.#left);
      this.#left = 0;
      this.#state = State.Running;
    }
    const before = this.#played;
    this.#move(rest);
    const isOver = this.#isOver();
    if (isOver) this.#finish();
    this.#deliver(before, this.#played, isOver);
  }

  /** Callbacks of one update; one that stops, starts or moves the tween is the last. */
  #deliver(before: number, played: number, isOver: boolean): void {
    const { listeners } = this;
    const turn = this.#turns;
    if (!this.#begun) {
      this.#begun = true;
      listeners.call("start");
      if (turn !== this.#turns) return;
    }
    listeners.call("update");
    if (listeners.has("cycle")) {
      // Counted down, because beyond 2^53 adding one changes nothing.
      for (let left = Math.min(played - before, MOST_CYCLES); left > 0 && turn === this.#turns; left--) listeners.call("cycle", played - left + 1);
    }
    if (isOver && turn === this.#turns) listeners.call("complete");
  }

  /** Adds time to the current cycle; crossed cycles are a division, not a loop. */
  #move(seconds: number): void {
    const period = this.#duration + this.#cycleDelay;
    if (period <= TIME_EPS) {
      this.#played = this.#repeat;
      this.#elapsed = this.#duration;
    } else {
      this.#elapsed += seconds;
      // The last cycle ends with its duration; no pause follows it.
      const last = this.#repeat === -1 ? Infinity : this.#repeat - 1 - this.#played;
      const crossed = Math.min(Math.floor((this.#elapsed + TIME_EPS) / period), Math.max(0, last));
      this.#played = Math.min(this.#played + crossed, Number.MAX_SAFE_INTEGER);
      this.#elapsed = Math.min(period, Math.max(0, this.#elapsed - crossed * period));
      if (this.#played === this.#repeat - 1 && this.#elapsed + TIME_EPS >= this.#duration) {
        this.#played = this.#repeat;
        this.#elapsed = this.#duration;
      }
    }
    const cycle = this.#isOver() ? this.#played - 1 : this.#played;
    this.#backward = this.#yoyo && cycle % 2 === 1;
    // Between two cycles the end of the last one stays.
    const inPause = this.#elapsed > this.#duration;
    this.#evaluate(this.#isOver() || inPause || this.#duration <= TIME_EPS ? 1 : this.#elapsed / this.#duration);
  }

  #isOver(): boolean {
    return this.#repeat !== -1 && this.#played >= this.#repeat;
  }

  #finish(): void {
    this.#played = this.#repeat;
    this.#elapsed = this.#duration;
    this.#backward = this.#yoyo && (this.#repeat - 1) % 2 === 1;
    this.#evaluate(1);
    this.#state = State.Finished;
    this.#end("finished");
  }

  #evaluate(progress: number): void {
    const t = this.#backward ? 1 - progress : progress;
    let eased: number;
    try {
      eased = evaluateEase(this.curve, t);
    } catch (error) {
      this.listeners.report(error, `Tween ease ${this.curve.name}`);
      return;
    }
    this.#eased = eased;
    this.apply(eased);
  }

  #rewind(): void {
    this.#elapsed = this.#played = this.#eased = 0;
    this.#backward = false;
  }

  #end(outcome: TweenOutcome): void {
    this.#settle?.(outcome);
    this.#settle = null;
  }
}
