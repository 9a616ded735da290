import { Field, LANES, PAGE_ROWS, Page, ValueKind } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { TO, type MotionCallbacks, type MotionConfig } from "./config.js";
import type { Ease } from "./ease.js";
import { MotionRecord, finishedOf, type MotionOutcome } from "./motion.js";
import { columnsOf, recordIndex, setTime, valueIndex, type PagePool } from "./page-pool.js";
import { writeRow } from "./rows.js";
import { ArraySink } from "./sinks.js";
import type { MotionStore } from "./store.js";
import { ValueType } from "./types.js";

/** Numbers for a bulk start. */
export type FloatArray = Float32Array | Float64Array | readonly number[];

/**
 * Motions that were started together by `MotionStore.startFloats`, under one handle. They keep their places until all
 * have ended, so value i is always motion i's.
 */
export class MotionGroup {
  /** @internal Its first page; the others follow through Page.Next. */ first = 0;
  readonly #pool: PagePool;
  readonly #out: ArraySink | null = null;
  #remaining: number;
  #paused = false;
  #rate = 1;
  readonly #record = new MotionRecord();
  #calls: MotionCallbacks | null = null;

  /** @internal */
  constructor(
    readonly store: MotionStore,
    pool: PagePool,
    /** @internal */ readonly curve: Ease,
    /** Number of motions. */
    readonly count: number,
    /** @internal */ readonly index: number,
    /** @internal */ readonly number: number,
    out: ArraySink | Float32Array | Float64Array | null,
  ) {
    this.#pool = pool;
    this.#remaining = count;
    if (out !== null) {
      const { target, offset } = (this.#out = out instanceof ArraySink ? out : new ArraySink(out, 0));
      if (target.length < offset + count) throw new AnimArgumentError(`out has ${target.length} elements, expected at least ${offset + count}.`);
    }
  }

  /** True until all motions have ended or the group was cancelled. */
  isActive(): boolean {
    return this.#record.outcome === null;
  }

  /** Motions that have not ended. */
  getActiveCount(): number {
    return this.#remaining;
  }

  /**
   * Value of motion i, also after it has ended, until the whole group has.
   * @throws AnimArgumentError if i is out of range or the group has ended
   */
  value(i: number): number {
    checkInteger(i, "i", 0, this.isActive() ? this.count - 1 : -1);
    let page = this.first;
    for (let k = Math.floor(i / PAGE_ROWS); k > 0; k--) page = this.#next(page);
    return heap.f64[valueIndex(page, i % PAGE_ROWS, 1)]!;
  }

  /** Calls `fn` when all motions have ended by themselves or through `complete`. */
  onComplete(fn: () => void): this {
    this.#calls = { complete: [fn] };
    return this;
  }

  /** Jumps to the end values, writes them, ends. False if the group is not active. */
  complete(): boolean {
    if (!this.isActive()) return false;
    for (let page = this.first; page !== 0; page = this.#next(page)) {
      for (let row = heap.i32[page >> 2]! - 1; row >= 0; row--) {
        const value = valueIndex(page, row, 1);
        heap.f64[value] = heap.f64[value - LANES]!;
      }
    }
    this.deliver();
    if (this.isActive()) this.#end("completed");
    return true;
  }

  /** Ends without a write. False if the group is not active. */
  cancel(): boolean {
    if (!this.isActive()) return false;
    this.#end("cancelled");
    return true;
  }

  pause(): void {
    this.#paused = true;
    this.#writeSpeed();
  }

  resume(): void {
    this.#paused = false;
    this.#writeSpeed();
  }

  /** Playback speed of all motions. @throws AnimArgumentError */
  setSpeed(speed: number): void {
    this.#rate = checkNumber(speed, "speed");
    this.#writeSpeed();
  }

  /** Resolves when all motions have ended. */
  get finished(): Promise<MotionOutcome> {
    return finishedOf(this.#record);
  }

  /** @internal Takes pages and fills in the rows, by means of `config`. */
  fill(config: MotionConfig, from: FloatArray | number, to: FloatArray | number, duration: FloatArray | number): void {
    let last = 0;
    for (let start = 0; start < this.count; start += PAGE_ROWS) {
      const page = this.#pool.take(config);
      if (last === 0) this.first = page;
      else heap.i32[(last + Page.Next) >> 2] = page;
      last = page;
      const { i32 } = heap;
      const rows = Math.min(PAGE_ROWS, this.count - start);
      i32[page >> 2] = rows;
      for (let row = 0; row < rows; row++) {
        const a = typeof from === "number" ? from : from[start + row]!;
        const b = typeof to === "number" ? to : to[start + row]!;
        const d = typeof duration === "number" ? duration : duration[start + row]!;
        // A list that is too short gives undefined here, and neither comparison holds for what comes of it.
        if (!(d >= 0 && d < Infinity && Math.abs(b - a) < Infinity)) {
          throw new AnimArgumentError(`Motion ${start + row} goes from ${a} to ${b} in ${d} s, expected finite numbers.`);
        }
        config.ends[0] = a;
        config.ends[TO] = b;
        config.duration = d;
        writeRow(config, page, row, 1, -1 - this.index);
        setTime(page, row, 0);
      }
    }
  }

  /** @internal One motion has reached its end. */
  endOne(): void {
    this.#remaining--;
    this.store.countGroup(this, 1, false);
  }

  /** @internal Copies the values out, and ends the group when all motions have ended. */
  deliver(): void {
    if (this.#out !== null) {
      const { target } = this.#out;
      let at = this.#out.offset;
      for (let page = this.first; page !== 0; page = this.#next(page)) {
        const { f64, i32 } = heap;
        for (let row = 0, rows = i32[page >> 2]!; row < rows; row++) target[at++] = f64[valueIndex(page, row, 1)]!;
      }
    }
    if (this.#remaining === 0) this.#end("completed");
  }

  /** @internal Gives the pages back. */
  release(): void {
    for (let page = this.first; page !== 0;) {
      const next = this.#next(page);
      this.#pool.release(page, columnsOf(ValueType.Float, ValueKind.Lerp));
      page = next;
    }
    this.first = 0;
  }

  #end(outcome: MotionOutcome): void {
    this.store.countGroup(this, this.#remaining, true);
    this.#remaining = 0;
    this.#record.outcome = outcome;
    this.release();
    this.#record.settle?.(outcome);
    if (outcome === "completed") this.store.call(this.#calls, "complete");
  }

  #next(page: number): number {
    return heap.i32[(page + Page.Next) >> 2]!;
  }

  #writeSpeed(): void {
    for (let page = this.first; page !== 0; page = this.#next(page)) {
      for (let row = heap.i32[page >> 2]! - 1; row >= 0; row--) {
        setTime(page, row);
        heap.f64[recordIndex(page, row) + Field.Speed] = this.#paused ? 0 : this.#rate;
      }
    }
  }
}
