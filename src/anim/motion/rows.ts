import { COLUMN_BYTES, Column, EASE_CUSTOM, EVENT_BYTES, Field, LANES, PAGE_ROWS, Page, TIME_EPS } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { motion as area } from "../../wasm/motion.js";
import { EXTRA, TO, type MotionConfig } from "./config.js";
import { callEase, type Ease } from "./ease.js";
import type { MotionRecord } from "./motion.js";
import { Bucket, PagePool, copyRow, recordIndex, rowIndex, setTime, timeAt, valueIndex, writeHeader, type PageHeader } from "./page-pool.js";
import { put } from "./slots.js";
import type { MotionStore } from "./store.js";

/** The widest row, of a rotation, fits. */
const SCRATCH_BYTES = Page.Columns + 17 * COLUMN_BYTES;

/**
 * The numbers of a store's motions: rows of pages in linear memory, in buckets of equal ease, loop mode and type.
 * @internal
 */
export class MotionRows {
  readonly pages = new PagePool();
  /** All buckets; a change makes a new list. */
  buckets: readonly Bucket[] = [];
  readonly #store: MotionStore;
  readonly #byKey = new Map<number, Bucket>();
  #scratch = 0;

  constructor(store: MotionStore) {
    this.#store = store;
  }

  /** What a slot's motion has in common with its neighbours. */
  bucketOf(slot: number): Bucket {
    return this.#byKey.get(heap.i32[(this.#store.slots.pages[slot]! + Page.Bucket) >> 2]!)!;
  }

  /** Gives a slot a row at the beginning of its motion. */
  insert(config: MotionConfig, slot: number): Bucket {
    const key = config.bucketKey;
    let bucket = this.#byKey.get(key);
    if (bucket === undefined) {
      this.#byKey.set(key, (bucket = new Bucket(key, config)));
      this.buckets = [...this.#byKey.values()];
    }
    let page = bucket.first;
    if (page === 0 || heap.i32[page >> 2] === PAGE_ROWS) {
      page = this.pages.take(bucket, bucket.first);
      heap.i32[(page + Page.Bucket) >> 2] = key;
      bucket.first = page;
    }
    const { i32 } = heap;
    const row = i32[page >> 2]!++;
    const { slots } = this.#store;
    // Custom eases do not have a bucket each.
    if (config.curve.fn !== null) {
      put(slots.curves, slot, config.curve);
      put(slots.eased, slot, 0);
    }
    slots.move(slot, page, row, valueIndex(page, row, bucket.components));
    writeRow(config, page, row, config.rate, slot);
    setTime(page, row, 0);
    return bucket;
  }

  /** Takes a slot's row away: the bucket's last row fills the hole. */
  remove(slot: number): void {
    const { slots } = this.#store;
    const bucket = this.bucketOf(slot);
    const page = slots.pages[slot]!;
    const hole = slots.rowAt[slot]!;
    const last = bucket.first;
    const { i32 } = heap;
    const lastRow = --i32[last >> 2]!;
    if (last !== page || lastRow !== hole) {
      copyRow(last, lastRow, page, hole, bucket.columns, timeAt(last, lastRow));
      const moved = heap.f64[recordIndex(page, hole) + Field.Owner]!;
      slots.move(moved, page, hole, valueIndex(page, hole, bucket.components));
    }
    if (bucket.curve.fn !== null) slots.curves[slot] = null;
    if (lastRow === 0) {
      bucket.first = i32[(last + Page.Next) >> 2]!;
      this.pages.release(last, bucket.columns);
      if (bucket.first === 0 && bucket.curve.code > EASE_CUSTOM) {
        this.#byKey.delete(bucket.key);
        this.buckets = [...this.#byKey.values()];
      }
    }
  }

  /** Reads everything that a handle tells of a running motion into `out`, which is returned. */
  facts(slot: number, out: MotionRecord): MotionRecord {
    const { f64 } = heap;
    const record = this.recordOf(slot);
    const { type, flags } = this.bucketOf(slot);
    out.type = type;
    out.time = this.timeOf(slot);
    out.rate = this.#store.rateOf(slot);
    out.delay = f64[record + Field.Delay]!;
    out.duration = f64[record + Field.Duration]!;
    out.loops = f64[record + Field.Loops]!;
    out.flags = flags;
    return out;
  }

  /** Index into heap.f64 of a slot's record. */
  recordOf(slot: number): number {
    const { pages, rowAt } = this.#store.slots;
    return recordIndex(pages[slot]!, rowAt[slot]!);
  }

  /** Own time of a slot's motion. */
  timeOf(slot: number): number {
    const { pages, rowAt } = this.#store.slots;
    return timeAt(pages[slot]!, rowAt[slot]!);
  }

  /** As the function: before a change of speed, after any other. */
  setTime(slot: number, time?: number): void {
    const { pages, rowAt } = this.#store.slots;
    setTime(pages[slot]!, rowAt[slot]!, time);
  }

  /** Takes a motion's start and end anew from its builder, and computes its value. */
  restart(slot: number, config: MotionConfig): void {
    const { pages, rowAt } = this.#store.slots;
    const time = this.timeOf(slot);
    writeRow(config, pages[slot]!, rowAt[slot]!, heap.f64[this.recordOf(slot) + Field.Speed]!, slot);
    this.seek(slot, time);
  }

  /** Moves a slot's motion to a time. Returns the loops done, -1 in the first delay. */
  seek(slot: number, time: number): number {
    const { pages, rowAt, curves } = this.#store.slots;
    const bucket = this.bucketOf(slot);
    copyRow(pages[slot]!, rowAt[slot]!, this.scratchPage(), 0, bucket.columns, time);
    const done = this.run(bucket, bucket.curve.fn === null ? bucket.curve : curves[slot]!, time);
    copyRow(this.scratchPage(), 0, pages[slot]!, rowAt[slot]!, bucket.columns, time);
    return done;
  }

  /** A page for single evaluations, of one row, with its events. */
  scratchPage(): number {
    if (this.#scratch === 0) {
      this.#scratch = heap.alloc(SCRATCH_BYTES + EVENT_BYTES);
      this.pages.blocks.push(this.#scratch);
    }
    return this.#scratch;
  }

  /** Computes the scratch row at a time. Returns the loops done, -1 in the first delay. */
  run(like: PageHeader, curve: Ease, time: number): number {
    const page = this.#scratch;
    const record = recordIndex(page, 0);
    heap.i32[page >> 2] = 1;
    writeHeader(page, like);
    setTime(page, 0, time);
    area.kernels.stepPages(page, 0, page + SCRATCH_BYTES);
    if (curve.fn !== null) {
      try {
        heap.f64[record + Field.Progress] = callEase(curve, heap.f64[record + Field.Progress]!);
      } catch (error) {
        this.#store.report(error, `ease ${curve.name}`);
      }
      area.kernels.finishPage(page);
    }
    return heap.f64[record + Field.Done]!;
  }
}

/** Fills in a row but for its clock. @internal */
export function writeRow(config: MotionConfig, page: number, row: number, speed: number, owner: number): void {
  const { f64 } = heap;
  const { duration, ends, components, columns } = config;
  const record = recordIndex(page, row);
  f64[record + Field.Speed] = speed;
  f64[record + Field.Delay] = config.delay;
  f64[record + Field.Duration] = duration > TIME_EPS ? duration : 0;
  f64[record + Field.Loops] = config.loops;
  f64[record + Field.Done] = -1;
  f64[record + Field.Owner] = owner;
  f64[record + Field.Progress] = 0;
  const at = rowIndex(page, row) + Column.From * LANES;
  const stride = components * LANES;
  for (let i = 0; i < components; i++) {
    f64[at + i * LANES] = f64[at + i * LANES + 2 * stride] = ends[i]!;
    f64[at + i * LANES + stride] = ends[TO + i]!;
  }
  for (let i = 0; i < columns - Column.From - 3 * components; i++) f64[at + i * LANES + 3 * stride] = Math.max(0, ends[EXTRA + i]!);
}
