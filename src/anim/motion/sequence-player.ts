import { TIME_EPS } from "../../../assembly/layout/motion.js";
import { AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { BuilderFlag, type MotionCallbacks } from "./config.js";
import type { MotionOutcome } from "./motion.js";
import { valueIndex } from "./page-pool.js";
import { writeRow } from "./rows.js";
import { Member, byStart, eventsOf, type SequenceEvent, type SequenceItem } from "./sequence-members.js";
import { SinkKind, pushValue, readValue } from "./sinks.js";
import type { MotionStore } from "./store.js";
import { isInGap } from "./timing.js";

/* eslint-disable @typescript-eslint/no-explicit-any */

/** Passes whose events are reported in one advance. */
const MOST_PASSES = 1000;
/** Boundaries reported per member and advance. */
const MOST_LOOPS = 1000;

/** Handle of a running sequence. Exported as `MotionSequenceHandle`. */
export class SequencePlayer {
  /** @internal Place in the delivery order. */ number = 0;
  readonly #store: MotionStore;
  readonly #duration: number;
  readonly #loops: number;
  readonly #yoyo: boolean;
  readonly #unscaled: boolean;
  readonly #calls: MotionCallbacks | null;
  /** In the order of adding, of start, and of what happens. */
  readonly #members: Member[];
  readonly #byStart: Member[];
  readonly #events: readonly SequenceEvent[];
  /** Events before this one have happened. */
  #next = 0;
  #position = 0;
  #passes = 0;
  #backward = false;
  #rate: number;
  #active = true;
  #paused = false;
  #settle: ((outcome: MotionOutcome) => void) | null = null;
  #finished: Promise<MotionOutcome> | null = null;
  #outcome: MotionOutcome | null = null;

  /** @internal */
  constructor(store: MotionStore, items: SequenceItem[], duration: number, loops: number, yoyo: boolean, rate: number, unscaled: boolean, calls: MotionCallbacks | null) {
    this.#store = store;
    this.#duration = duration;
    this.#loops = loops;
    this.#yoyo = yoyo;
    this.#rate = rate;
    this.#unscaled = unscaled;
    this.#calls = calls;
    this.#members = items.map((item) => new Member(item));
    this.#byStart = byStart(this.#members);
    this.#events = eventsOf(this.#members);
  }

  /** Until completed or cancelled. */
  isActive(): boolean {
    return this.#active;
  }

  /** Items the sequence was built from, nested ones counted flat. */
  childCount(): number {
    return this.#members.length;
  }

  /** Advances to the end with every event that is left. False if not active. @throws AnimStateError for an endless sequence */
  complete(): boolean {
    if (!this.#active) return false;
    if (this.#loops === Infinity) throw new AnimStateError("An endless sequence cannot be completed; cancel it.");
    this.#paused = false;
    this.#advance(this.#duration * (this.#loops + 1));
    return true;
  }

  /** Stops without writes: `onCancel` of every member that has not ended, then of the sequence. False if not active. */
  cancel(): boolean {
    if (!this.#active) return false;
    this.#active = false;
    for (const member of this.#members) {
      if (member.ended || member.item.callback !== undefined) continue;
      this.#setEnded(member, true);
      member.item.player?.cancel();
      this.#store.call(member.item.config?.calls ?? null, "cancel");
    }
    this.#end("cancelled");
    this.#store.call(this.#calls, "cancel");
    return true;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Paused and active. */
  isPaused(): boolean {
    return this.#paused && this.#active;
  }

  /** Playback speed; 0 freezes, negative goes back without callbacks. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    this.#rate = checkNumber(speed, "speed");
  }

  getSpeed(): number {
    return this.#rate;
  }

  /** Seconds played, all passes counted. */
  getTime(): number {
    if (this.#outcome === "completed") return this.getTotalDuration();
    return this.#passes * this.#duration + (this.#backward ? this.#duration - this.#position : this.#position);
  }

  /** Place on the time line, 0..duration; runs down in a backward pass. */
  getPosition(): number {
    return this.#position;
  }

  /** Seconds of all passes. */
  getTotalDuration(): number {
    return this.#duration * this.#loops;
  }

  /**
   * Goes to a time of all passes together; writes what a silent replay would, calls nothing.
   * @throws AnimArgumentError, AnimStateError if the sequence has ended
   */
  seek(seconds: number): void {
    checkNumber(seconds, "seconds", 0);
    if (!this.#active) throw new AnimStateError("The sequence has ended.");
    this.#seek(seconds);
  }

  /** Resolves when the sequence has ended. */
  get finished(): Promise<MotionOutcome> {
    this.#finished ??= this.#outcome !== null ? Promise.resolve(this.#outcome) : new Promise((resolve) => (this.#settle = resolve));
    return this.#finished;
  }

  /** @internal */
  start(): void {
    this.number = this.#store.addSequence(this);
    this.#enter();
  }

  /** @internal One update of the store. */
  pump(dt: number, unscaledDt: number): void {
    this.#advance((this.#unscaled ? unscaledDt : dt) * this.#rate);
  }

  /** Counts the members in and writes the start values of those that begin at once. */
  #enter(): void {
    for (const member of this.#members) {
      const { item } = member;
      if (item.config !== undefined) this.#store.countMember(item.config, 1);
      if (item.player !== undefined) item.player.#enter();
      if (item.config !== undefined && item.begin === 0 && item.end > TIME_EPS && item.config.calls?.getter === undefined) this.#write(member, 0);
    }
  }

  #runs(): boolean {
    return this.#active && !this.#paused;
  }

  #advance(step: number): void {
    if (!this.#runs()) return;
    if (step < 0) {
      this.#seek(Math.max(0, this.getTime() + step));
      return;
    }
    let rest = step;
    for (let passes = 0; ; passes++) {
      rest = this.#backward ? this.#playBackward(rest) : this.#playForward(rest);
      if (rest < 0) break;
      this.#passes++;
      const isLast = this.#passes >= this.#loops;
      if (isLast) {
        this.#active = false;
        this.#store.call(this.#calls, "update");
      }
      this.#store.call(this.#calls, "loop", this.#passes);
      if (isLast) {
        this.#end("completed");
        this.#store.call(this.#calls, "complete");
        return;
      }
      this.#turn();
      if (!this.#runs()) return;
      if (passes >= MOST_PASSES && rest > this.#duration) {
        const skipped = Math.min(Math.floor(rest / this.#duration), this.#loops - this.#passes - 1);
        rest -= skipped * this.#duration;
        this.#passes += skipped;
        if (this.#yoyo && skipped % 2 === 1) this.#seek(this.#passes * this.#duration);
        passes = 0;
      }
    }
    if (this.#active) this.#store.call(this.#calls, "update");
  }

  /** Plays up to `step` seconds; returns what is left when the pass is over, else -1. */
  #playForward(step: number): number {
    const wanted = this.#position + step;
    const to = (this.#position = Math.min(wanted, this.#duration));
    while (this.#next < this.#events.length && this.#events[this.#next]!.time <= to + TIME_EPS) {
      const event = this.#events[this.#next++]!;
      this.#fire(event);
      if (!this.#runs()) return -1;
    }
    for (const member of this.#byStart) {
      if (!member.begun || member.ended) continue;
      this.#follow(member, to - member.item.start);
      if (!this.#runs()) return -1;
    }
    return wanted >= this.#duration - TIME_EPS ? Math.max(0, wanted - this.#duration) : -1;
  }

  /** The same towards 0: members are written silently, callbacks fire. */
  #playBackward(step: number): number {
    const wanted = this.#position - step;
    const to = (this.#position = Math.max(wanted, 0));
    while (this.#next > 0 && this.#events[this.#next - 1]!.time >= to - TIME_EPS) {
      const { member, rank } = this.#events[--this.#next]!;
      const { item } = member;
      if (item.callback !== undefined) this.#callback(item.callback);
      else if (rank === 0) this.#setEnded(member, false);
      else this.#leave(member);
      if (!this.#runs()) return -1;
    }
    for (const member of this.#byStart) {
      if (!member.begun || member.ended) continue;
      if (member.item.player !== undefined) member.item.player.#seek(to - member.item.start);
      else member.loops = Math.max(0, this.#write(member, to - member.item.start));
      if (!this.#runs()) return -1;
    }
    return wanted <= TIME_EPS ? Math.max(0, -wanted) : -1;
  }

  #fire({ member, rank }: SequenceEvent): void {
    const { item } = member;
    if (item.callback !== undefined) return this.#callback(item.callback);
    const calls = item.config?.calls ?? null;
    if (rank === 1) {
      member.begun = true;
      const getter = calls?.getter;
      if (getter !== undefined) {
        try {
          item.config!.setFrom(getter());
        } catch (error) {
          this.#store.report(error, "Motion.fromCurrent");
        }
      }
      this.#store.call(calls, "start");
      if (item.end - item.begin > TIME_EPS || !this.#runs()) return;
    }
    if (member.ended) return;
    this.#setEnded(member, true);
    if (item.player !== undefined) {
      item.player.#advance(Infinity);
      return;
    }
    this.#write(member, item.end - item.start + 1);
    this.#store.call(calls, "update", this.#written(member));
    this.#loopsTo(member, item.config!.loops);
    this.#store.call(calls, "complete");
  }

  /** A member on its way. */
  #follow(member: Member, time: number): void {
    const { config, player } = member.item;
    if (player !== undefined) {
      player.#advance(time - player.getTime());
      return;
    }
    const done = Math.max(0, this.#write(member, time));
    if (config!.calls === null || member.ended) return;
    this.#store.call(config!.calls, "update", this.#written(member));
    this.#loopsTo(member, done);
  }

  #loopsTo(member: Member, done: number): void {
    for (let left = Math.min(done - member.loops, MOST_LOOPS); left-- > 0;) this.#store.call(member.item.config!.calls, "loop", done - left);
    member.loops = done;
  }

  #written(member: Member): unknown {
    const config = member.item.config!;
    return config.calls?.update === undefined ? undefined : readValue(config.type, valueIndex(this.#store.rows.scratchPage(), 0, config.components), this.#store.pump.reused[config.type]);
  }

  /** Evaluates a motion at a time of its own and writes its sink; returns its loops done. */
  #write(member: Member, time: number): number {
    const config = member.item.config!;
    const { rows } = this.#store;
    writeRow(config, rows.scratchPage(), 0, 0, 0);
    const done = rows.run(config, config.curve, time);
    member.touched = true;
    if (config.sinkKind === SinkKind.None || isInGap(config, time, done)) return done;
    try {
      pushValue(config.type, config.sinkKind, config.target, config.key, valueIndex(this.#store.rows.scratchPage(), 0, config.components), this.#store.pump.reused[config.type]!);
    } catch (error) {
      this.#store.report(error, "Motion sink");
      if (config.flags & BuilderFlag.CancelsOnError && !member.ended) {
        this.#setEnded(member, true);
        this.#store.call(config.calls, "cancel");
      }
    }
    return done;
  }

  #callback(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      this.#store.report(error, "MotionSequence callback");
    }
  }

  /** Undoes a member: its target gets the start value, also where only an earlier pass has touched it. */
  #leave(member: Member, again = false): void {
    if (member.item.player !== undefined) member.item.player.#rewind(again);
    else if (member.touched || again) this.#write(member, 0);
    this.#setEnded(member, false);
    member.begun = member.touched = false;
    member.loops = 0;
  }

  #setEnded(member: Member, ended: boolean): void {
    if (member.ended === ended) return;
    member.ended = ended;
    if (member.item.config !== undefined) this.#store.countMember(member.item.config, ended ? -1 : 1);
  }

  /** Between two passes. */
  #turn(): void {
    if (this.#yoyo) {
      this.#backward = !this.#backward;
      return;
    }
    this.#rewindPass();
  }

  #rewindPass(again = false): void {
    for (let i = this.#byStart.length - 1; i >= 0; i--) if (this.#byStart[i]!.item.callback === undefined) this.#leave(this.#byStart[i]!, again);
    this.#position = 0;
    this.#next = 0;
  }

  /** Back to the very beginning, as a nested sequence. */
  #rewind(again: boolean): void {
    this.#rewindPass(again);
    this.#passes = 0;
    this.#backward = false;
    this.#active = true;
  }

  /** @param before - whether the sequence around this one has played it before */
  #seek(seconds: number, before = false): void {
    const total = Math.min(seconds, this.#duration * this.#loops);
    const passes = this.#duration > 0 ? Math.min(Math.floor((total + TIME_EPS) / this.#duration), this.#loops - 1) : 0;
    const inPass = Math.min(this.#duration, Math.max(0, total - passes * this.#duration));
    // A replay would have touched everything in an earlier pass.
    const again = before || passes > 0;
    this.#active = true;
    this.#passes = passes;
    this.#backward = this.#yoyo && passes % 2 === 1;
    const to = (this.#position = this.#backward ? this.#duration - inPass : inPass);
    for (let i = this.#byStart.length - 1; i >= 0; i--) {
      const member = this.#byStart[i]!;
      if (member.item.callback === undefined && member.item.begin > to + TIME_EPS && (member.begun || member.touched || again)) this.#leave(member, again);
    }
    this.#next = 0;
    while (this.#next < this.#events.length && this.#events[this.#next]!.time <= to + TIME_EPS) {
      const { member, rank } = this.#events[this.#next++]!;
      const { item } = member;
      if (item.callback !== undefined) continue;
      if (rank === 1) {
        member.begun = true;
        if (item.end - item.begin > TIME_EPS) continue;
      }
      this.#setEnded(member, true);
      if (item.player !== undefined) item.player.#seek(item.end - item.start, again);
      else member.loops = this.#write(member, item.end - item.start + 1);
    }
    for (const member of this.#byStart) {
      if (!member.begun || member.item.callback !== undefined || member.item.end <= to + TIME_EPS) continue;
      this.#setEnded(member, false);
      if (member.item.player !== undefined) member.item.player.#seek(to - member.item.start, again);
      else member.loops = Math.max(0, this.#write(member, to - member.item.start));
    }
  }

  #end(outcome: MotionOutcome): void {
    this.#active = false;
    this.#outcome = outcome;
    this.#release();
    this.#settle?.(outcome);
  }

  /** Counts all members out. */
  #release(): void {
    for (const member of this.#members) {
      this.#setEnded(member, true);
      const { player } = member.item;
      if (player !== undefined) player.#release();
    }
  }
}

export { SequencePlayer as MotionSequenceHandle };
