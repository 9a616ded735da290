import { COLUMN_BYTES, Column, EASE_CUSTOM, EVENT_BYTES, PAGE_ROWS, Page, TIME_EPS, ValueKind } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { motion as area } from "../../wasm/motion.js";
import { EXTRA, TO, type MotionConfig } from "./config.js";
import { evaluateEase, type Ease } from "./ease.js";
import type { MotionRecord } from "./motion.js";
import { Bucket, PagePool, rowIndex, writeHeader, type PageHeader } from "./page-pool.js";
import { put } from "./slots.js";
import type { MotionStore } from "./store.js";

const SCRATCH_COLUMNS = 22;

/**
 * The numbers of a store's motions: rows of pages in linear memory, in buckets of equal ease, loop mode and type.
 * @internal
 */
export class MotionRows {
  readonly pages = new PagePool();
  /** Buckets whose ease TypeScript evaluates. */
  readonly custom: Bucket[] = [];
  readonly #store: MotionStore;
  readonly #buckets = new Map<number, Bucket>();
  /** A page for single evaluations, with its table and events; made on first use. */
  #scratch = 0;

  constructor(store: MotionStore) {
    this.#store = store;
  }

  /** What a slot's motion has in common with its neighbours. */
  bucketOf(slot: number): Bucket {
    return this.#buckets.get(heap.i32[(this.#store.slots.pages[slot]! + Page.Bucket) >> 2]!)!;
  }

  /** Gives a slot a row at the beginning of its motion. */
  insert(config: MotionConfig, slot: number): Bucket {
    const key = config.bucketKey;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      this.#buckets.set(key, (bucket = new Bucket(key, config)));
      if (config.curve.id === EASE_CUSTOM) this.custom.push(bucket);
    }
    let page = bucket.first;
    if (page === 0 || heap.i32[page >> 2] === PAGE_ROWS) {
      page = this.pages.take(bucket);
      heap.i32[(page + Page.Next) >> 2] = bucket.first;
      heap.i32[(page + Page.Bucket) >> 2] = key;
      bucket.first = page;
    }
    const { i32 } = heap;
    const row = i32[page >> 2]!++;
    const base = rowIndex(page, row);
    i32[((page + Page.Owners) >> 2) + row] = slot;
    const { slots } = this.#store;
    // Custom eases do not have a bucket each.
    if (config.curve.fn !== null) {
      put(slots.curves, slot, config.curve);
      put(slots.eased, slot, 0);
    }
    slots.pages[slot] = page;
    slots.rowAt[slot] = base;
    slots.valueAt[slot] = base + bucket.valueOffset;
    writeRow(config, base, config.rate);
    return bucket;
  }

  /** Takes a slot's row away: the bucket's last row fills the hole. */
  remove(slot: number): void {
    const { slots } = this.#store;
    const bucket = this.bucketOf(slot);
    const page = slots.pages[slot]!;
    const hole = slots.rowAt[slot]!;
    const last = bucket.first;
    const { i32, f64 } = heap;
    const lastRow = --i32[last >> 2]!;
    const from = rowIndex(last, lastRow);
    if (from !== hole) {
      for (let c = 0; c < bucket.columns * PAGE_ROWS; c += PAGE_ROWS) f64[hole + c] = f64[from + c]!;
      const moved = i32[((last + Page.Owners) >> 2) + lastRow]!;
      i32[((page + Page.Owners) >> 2) + (hole - rowIndex(page, 0))] = moved;
      slots.pages[moved] = page;
      slots.rowAt[moved] = hole;
      slots.valueAt[moved] = hole + bucket.valueOffset;
    }
    if (bucket.curve.fn !== null) slots.curves[slot] = null;
    if (lastRow === 0) {
      bucket.first = i32[(last + Page.Next) >> 2]!;
      this.pages.release(last, bucket.columns);
      if (bucket.first === 0 && bucket.curve.code > EASE_CUSTOM) this.#buckets.delete(bucket.key);
    }
  }

  /** Reads everything that a handle tells of a running motion into `out`, which is returned. */
  facts(slot: number, out: MotionRecord): MotionRecord {
    const { slots } = this.#store;
    const { f64 } = heap;
    const row = slots.rowAt[slot]!;
    const { type, flags } = this.bucketOf(slot);
    out.type = type;
    out.time = f64[row + Column.Time * PAGE_ROWS]!;
    out.rate = this.#store.rateOf(slot);
    out.delaySeconds = f64[row + Column.Delay * PAGE_ROWS]!;
    out.duration = f64[row + Column.Duration * PAGE_ROWS]!;
    out.loopCount = f64[row + Column.Loops * PAGE_ROWS]!;
    out.flags = flags;
    return out;
  }

  /** Takes a motion's start and end anew from its builder, and computes its value. */
  restart(slot: number, config: MotionConfig): void {
    const row = this.#store.slots.rowAt[slot]!;
    const { f64 } = heap;
    const time = f64[row]!;
    writeRow(config, row, f64[row + Column.Speed * PAGE_ROWS]!);
    this.seek(slot, time);
  }

  /** Moves a slot's motion to a time. Returns the loops done, -1 in the first delay. */
  seek(slot: number, time: number): number {
    const { slots } = this.#store;
    const bucket = this.bucketOf(slot);
    const row = this.scratchRow();
    copyColumns(slots.rowAt[slot]!, row, bucket.columns);
    const done = this.run(bucket, bucket.curve.fn === null ? bucket.curve : slots.curves[slot]!, time);
    copyColumns(row, slots.rowAt[slot]!, bucket.columns);
    return done;
  }

  /** Index into heap.f64 of a row for single evaluations. */
  scratchRow(): number {
    if (this.#scratch === 0) {
      this.#scratch = heap.alloc(Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES + 16 + 2 * EVENT_BYTES);
      this.pages.blocks.push(this.#scratch);
    }
    return rowIndex(this.#scratch, 0);
  }

  /** Computes the scratch row at a time. Returns the loops done, -1 in the first delay. */
  run(like: PageHeader, curve: Ease, time: number): number {
    const page = this.#scratch;
    const row = rowIndex(page, 0);
    const table = page + Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES;
    const at = row + Column.Progress * PAGE_ROWS;
    heap.i32[page >> 2] = 1;
    heap.i32[table >> 2] = page;
    writeHeader(page, like);
    heap.f64[row] = time;
    area.kernels.stepPages(table, 1, 0, 0, table + 16);
    if (curve.fn !== null) {
      try {
        heap.f64[at] = evaluateEase(curve, heap.f64[at]!);
      } catch (error) {
        this.#store.report(error, `ease ${curve.name}`);
      }
      area.kernels.finishPage(page);
    }
    return heap.f64[row + Column.Done * PAGE_ROWS]!;
  }
}

function copyColumns(from: number, to: number, columns: number): void {
  const { f64 } = heap;
  for (let c = 0; c < columns * PAGE_ROWS; c += PAGE_ROWS) f64[to + c] = f64[from + c]!;
}

/** Fills in a row at its beginning. @internal */
export function writeRow(config: MotionConfig, row: number, speed: number): void {
  const { f64 } = heap;
  const { duration, ends, components, kind } = config;
  f64[row + Column.Time * PAGE_ROWS] = 0;
  f64[row + Column.Speed * PAGE_ROWS] = speed;
  f64[row + Column.Delay * PAGE_ROWS] = config.delaySeconds;
  f64[row + Column.Duration * PAGE_ROWS] = duration > TIME_EPS ? duration : 0;
  f64[row + Column.Inverse * PAGE_ROWS] = duration > TIME_EPS ? 1 / duration : Infinity;
  f64[row + Column.Loops * PAGE_ROWS] = config.loopCount;
  f64[row + Column.Done * PAGE_ROWS] = -1;
  f64[row + Column.Progress * PAGE_ROWS] = 0;
  let at = row + Column.From * PAGE_ROWS;
  const stride = components * PAGE_ROWS;
  for (let i = 0; i < components; i++, at += PAGE_ROWS) {
    f64[at] = f64[at + 2 * stride] = ends[i]!;
    f64[at + stride] = ends[TO + i]!;
  }
  if (kind === ValueKind.Lerp) return;
  for (let i = 0; i < (kind === ValueKind.Rotation ? 2 : 3); i++) f64[at + 2 * stride + i * PAGE_ROWS] = Math.max(0, ends[EXTRA + i]!);
}
