import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { MotionBuilder } from "./builder.js";
import type { CallbackName, MotionCallbacks } from "./config.js";
import { Motion } from "./motion.js";
import type { SequenceItem } from "./sequence-members.js";
import { SequencePlayer } from "./sequence-player.js";
import type { MotionStore } from "./store.js";
import { totalOf } from "./timing.js";

/* eslint-disable @typescript-eslint/no-explicit-any */

/** What `run` may set. */
export interface SequenceOptions {
  /** Passes, -1 for endless. */
  loops?: number;
  mode?: "restart" | "yoyo";
  speed?: number;
  unscaled?: boolean;
}

/**
 * Arranges motions on a time line: `append` after the cursor, `join` beside what was appended last, `insert` anywhere.
 *
 * The cursor moves only by what is appended: after joining something longer, the next append overlaps it. To go on
 * after everything, `insert(sequence.duration(), builder)`. `run` consumes the builder; the three queries keep working.
 */
export class MotionSequence {
  readonly #items: SequenceItem[] = [];
  #cursor = 0;
  #last = 0;
  #end = 0;
  #itemCount = 0;
  #consumed = false;
  #loops = 1;
  #yoyo = false;
  #rate = 1;
  #unscaled = false;
  #calls: MotionCallbacks | null = null;

  /** @param store - whose builders it takes, and whose update plays it */
  constructor(readonly store: MotionStore) {}

  /** Adds at the cursor and moves it to the new end. @throws AnimStateError, AnimArgumentError */
  append(item: MotionBuilder<any> | MotionSequence): this {
    const start = this.#cursor;
    const length = this.#add(start, item);
    this.#last = start;
    this.#cursor = start + length;
    this.#end = Math.max(this.#end, this.#cursor);
    return this;
  }

  /** Adds where the last append or interval began; the cursor stays. @throws AnimStateError, AnimArgumentError */
  join(item: MotionBuilder<any> | MotionSequence): this {
    this.#add(this.#last, item);
    return this;
  }

  /** Adds at a time; the cursor stays. @throws AnimStateError, AnimArgumentError */
  insert(seconds: number, item: MotionBuilder<any> | MotionSequence): this {
    this.#add(checkNumber(seconds, "seconds", 0), item);
    return this;
  }

  /** Moves the cursor. @throws AnimStateError, AnimArgumentError */
  appendInterval(seconds: number): this {
    this.#open();
    checkNumber(seconds, "seconds", 0);
    this.#last = this.#cursor;
    this.#cursor += seconds;
    this.#end = Math.max(this.#end, this.#cursor);
    return this;
  }

  /** Calls `fn` at the cursor. @throws AnimStateError, AnimArgumentError */
  appendCallback(fn: () => void): this {
    this.#addCallback(this.#cursor, fn);
    this.#last = this.#cursor;
    return this;
  }

  /** Calls `fn` at a time. @throws AnimStateError, AnimArgumentError */
  insertCallback(seconds: number, fn: () => void): this {
    this.#addCallback(checkNumber(seconds, "seconds", 0), fn);
    return this;
  }

  /** Passes of the whole sequence, -1 for endless; restart or there and back. @throws AnimStateError, AnimArgumentError */
  loops(count: number, mode: "restart" | "yoyo" = "restart"): this {
    this.#open();
    if (count !== -1) checkInteger(count, "loops", 1, 2 ** 40);
    if (mode !== "restart" && mode !== "yoyo") throw new AnimArgumentError(`The loop mode is "${mode as string}", expected "restart" or "yoyo".`);
    this.#loops = count < 0 ? Infinity : count;
    this.#yoyo = mode === "yoyo";
    return this;
  }

  /** Playback speed. */
  speed(speed: number): this {
    this.#open();
    this.#rate = checkNumber(speed, "speed");
    return this;
  }

  /** Ignores the time scale of the module. */
  unscaled(flag = true): this {
    this.#open();
    this.#unscaled = flag;
    return this;
  }

  /** Called after each advance that wrote. */
  onUpdate(fn: () => void): this {
    return this.#call("update", fn);
  }

  /** Called after each pass with the passes done. */
  onLoop(fn: (passesDone: number) => void): this {
    return this.#call("loop", fn);
  }

  /** Called once at the end. */
  onComplete(fn: () => void): this {
    return this.#call("complete", fn);
  }

  /** Called once when the sequence is cancelled. */
  onCancel(fn: () => void): this {
    return this.#call("cancel", fn);
  }

  /** Where the next append would start. */
  cursor(): number {
    return this.#cursor;
  }

  /** Seconds of one pass: the later of the cursor and the last end. */
  duration(): number {
    return this.#end;
  }

  /** Motions, callbacks and nested sequences that were added. */
  itemCount(): number {
    return this.#itemCount;
  }

  /** Starts the sequence. @throws AnimStateError if it was used, AnimCapacityError beyond 2^20 motions */
  run(options: SequenceOptions = {}): SequencePlayer {
    this.#open();
    if (options.loops !== undefined || options.mode !== undefined) this.loops(options.loops ?? 1, options.mode);
    if (options.speed !== undefined) this.speed(options.speed);
    if (options.unscaled !== undefined) this.#unscaled = options.unscaled;
    const player = this.#player();
    player.start();
    return player;
  }

  #player(): SequencePlayer {
    if (this.#loops !== 1 && this.#end === 0) throw new AnimStateError("A sequence that loops needs a duration above 0.");
    this.#consumed = true;
    return new SequencePlayer(this.store, this.#items, this.#end, this.#loops, this.#yoyo, this.#rate, this.#unscaled, this.#calls);
  }

  #open(): void {
    if (this.#consumed) throw new AnimStateError("This sequence is already used. Make a new one.");
  }

  #call(name: CallbackName, fn: (argument: any) => void): this {
    this.#open();
    if (typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function.`);
    ((this.#calls ??= {})[name] ??= []).push(fn);
    return this;
  }

  #addCallback(start: number, fn: () => void): void {
    this.#open();
    if (typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function.`);
    this.#itemCount++;
    this.#push({ start, begin: start, end: start, callback: fn });
  }

  /** Adds a builder or a sequence and returns its length. */
  #add(start: number, item: MotionBuilder<any> | MotionSequence): number {
    this.#open();
    const isSequence = item instanceof MotionSequence;
    if (!isSequence && !(item instanceof MotionBuilder)) {
      throw (item as unknown) instanceof Motion || (item as unknown) instanceof SequencePlayer
        ? new AnimStateError("It is running already. Add the builder instead of running it.")
        : new AnimArgumentError("Only open builders and sequences can be added.");
    }
    if (item.store !== this.store) throw new AnimArgumentError("The builder is of another MotionStore.");
    return isSequence ? this.#addSequence(start, item) : this.#addMotion(start, item);
  }

  #addMotion(start: number, builder: MotionBuilder<any>): number {
    if (builder.config?.loops === Infinity) throw new AnimArgumentError("An endless motion has no place in a sequence.");
    const config = builder.consume();
    this.#itemCount++;
    this.#push({ start, begin: start + config.delay, end: start + totalOf(config), config });
    return totalOf(config);
  }

  #addSequence(start: number, nested: MotionSequence): number {
    if (nested === this || nested.#consumed) throw new AnimStateError("This sequence is already used, or is the one it is added to.");
    if (nested.#loops === Infinity) throw new AnimArgumentError("An endless sequence has no place in a sequence.");
    this.#itemCount++;
    const length = nested.#end * nested.#loops;
    if (nested.#loops > 1) {
      this.#push({ start, begin: start, end: start + length, player: nested.#player() });
      return length;
    }
    nested.#consumed = true;
    for (const item of nested.#items) this.#push({ ...item, start: item.start + start, begin: item.begin + start, end: item.end + start });
    for (const fn of nested.#calls?.complete ?? []) this.#push({ start: start + length, begin: start + length, end: start + length, callback: () => fn(undefined) });
    return length;
  }

  #push(item: Omit<SequenceItem, "order">): void {
    this.#items.push({ ...item, order: this.#items.length });
    this.#end = Math.max(this.#end, item.end);
  }
}
