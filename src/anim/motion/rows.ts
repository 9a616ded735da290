import { COLUMN_BYTES, Column, EASE_CUSTOM, EVENT_BYTES, PAGE_ROWS, Page, TIME_EPS, ValueKind } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { motion as area } from "../../wasm/motion.js";
import type { MotionBuilder } from "./builder.js";
import { evaluateEase, type Ease } from "./ease.js";
import type { MotionRecord } from "./motion.js";
import { Bucket, PagePool, rowIndex, valueIndex, writeHeader, type PageHeader } from "./page-pool.js";
import type { SlotTable } from "./slots.js";
import { ValueType } from "./types.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnyBuilder = MotionBuilder<any>;

const SCRATCH_COLUMNS = 22;

/**
 * The numbers of a store's motions: rows of pages in linear memory, in buckets of equal ease, loop mode and type.
 * @internal
 */
export class MotionRows {
  readonly pages = new PagePool();
  /** Buckets whose ease TypeScript evaluates. */
  readonly custom: Bucket[] = [];
  readonly #slots: SlotTable;
  readonly #report: (error: unknown, what: string) => void;
  readonly #buckets = new Map<number, Bucket>();
  /** A page for single evaluations, with its table and events; made on first use. */
  #scratch = 0;

  constructor(slots: SlotTable, report: (error: unknown, what: string) => void) {
    this.#slots = slots;
    this.#report = report;
  }

  /** Gives a slot a row at the beginning of its motion. */
  insert(config: AnyBuilder, slot: number): Bucket {
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
      bucket.first = page;
    }
    const { i32 } = heap;
    const row = i32[page >> 2]!++;
    const base = rowIndex(page, row);
    i32[((page + Page.Owners) >> 2) + row] = slot;
    const slots = this.#slots;
    // Custom eases do not have a bucket each.
    if (config.curve.fn !== null) slots.setCurve(slot, config.curve);
    slots.buckets[slot] = bucket;
    slots.pages[slot] = page;
    slots.rowAt[slot] = base;
    slots.valueAt[slot] = base + bucket.valueOffset;
    writeRow(config, base, config.rate);
    return bucket;
  }

  /** Takes a slot's row away: the bucket's last row fills the hole. */
  remove(slot: number): void {
    const slots = this.#slots;
    const bucket = slots.buckets[slot]!;
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
    const slots = this.#slots;
    const { f64 } = heap;
    const row = slots.rowAt[slot]!;
    const at = slots.valueAt[slot]!;
    const { type, flags } = slots.buckets[slot]!;
    out.type = type;
    out.v0 = f64[at]!;
    if (type !== ValueType.Float) {
      out.v1 = f64[at + PAGE_ROWS]!;
      out.v2 = f64[at + 2 * PAGE_ROWS]!;
      out.v3 = f64[at + 3 * PAGE_ROWS]!;
    }
    out.time = f64[row + Column.Time * PAGE_ROWS]!;
    out.rate = slots.rates[slot]!;
    out.delaySeconds = f64[row + Column.Delay * PAGE_ROWS]!;
    out.duration = f64[row + Column.Duration * PAGE_ROWS]!;
    out.loopCount = f64[row + Column.Loops * PAGE_ROWS]!;
    out.flags = flags;
    return out;
  }

  /** Evaluates a configuration at a time; the value is at `scratchValue`. Returns the loops done, -1 in the first delay. */
  evaluate(config: AnyBuilder, time: number): number {
    const row = this.#scratchRow();
    writeRow(config, row, 0);
    return this.#run(config, config.curve, row, time);
  }

  /** Moves a slot's motion to a time. Returns the loops done, -1 in the first delay. */
  seek(slot: number, time: number): number {
    const slots = this.#slots;
    const row = this.#scratchRow();
    const own = slots.rowAt[slot]!;
    const bucket = slots.buckets[slot]!;
    copyColumns(own, row, 0, bucket.columns);
    heap.f64[row + Column.Done * PAGE_ROWS] = -1;
    const done = this.#run(bucket, bucket.curve.fn === null ? bucket.curve : slots.curves[slot]!, row, time);
    this.copyScratch(slot);
    heap.f64[slots.rowAt[slot]! + Column.Time * PAGE_ROWS] = time;
    return done;
  }

  /** Copies what was evaluated, clock and speed left out, to the row of a slot. */
  copyScratch(slot: number): void {
    copyColumns(rowIndex(this.#scratch, 0), this.#slots.rowAt[slot]!, Column.Done, this.#slots.buckets[slot]!.columns);
  }

  /** Index into heap.f64 of what `evaluate` has computed. */
  scratchValue(config: AnyBuilder): number {
    return valueIndex(rowIndex(this.#scratch, 0), config.components);
  }

  #scratchRow(): number {
    if (this.#scratch === 0) {
      this.#scratch = heap.alloc(Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES + 16 + 2 * EVENT_BYTES);
      this.pages.blocks.push(this.#scratch);
    }
    return rowIndex(this.#scratch, 0);
  }

  #run(like: PageHeader, curve: Ease, row: number, time: number): number {
    const page = this.#scratch;
    const table = page + Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES;
    heap.i32[page >> 2] = 1;
    heap.i32[table >> 2] = page;
    writeHeader(page, like);
    heap.f64[row + Column.Time * PAGE_ROWS] = time;
    area.kernels.stepPages(table, 1, 0, 0, table + 16);
    if (curve.fn !== null) {
      const at = row + Column.Progress * PAGE_ROWS;
      try {
        heap.f64[at] = evaluateEase(curve, heap.f64[at]!);
      } catch (error) {
        this.#report(error, `ease ${curve.name}`);
      }
      area.kernels.finishPage(page);
    }
    return heap.f64[row + Column.Done * PAGE_ROWS]!;
  }
}

function copyColumns(from: number, to: number, first: number, end: number): void {
  const { f64 } = heap;
  for (let c = first * PAGE_ROWS; c < end * PAGE_ROWS; c += PAGE_ROWS) f64[to + c] = f64[from + c]!;
}

/** Fills in a row at its beginning. */
function writeRow(config: AnyBuilder, row: number, speed: number): void {
  const { f64 } = heap;
  const { duration, wide, f0 } = config;
  f64[row + Column.Time * PAGE_ROWS] = 0;
  f64[row + Column.Speed * PAGE_ROWS] = speed;
  f64[row + Column.Delay * PAGE_ROWS] = config.delaySeconds;
  f64[row + Column.Duration * PAGE_ROWS] = duration > TIME_EPS ? duration : 0;
  f64[row + Column.Inverse * PAGE_ROWS] = duration > TIME_EPS ? 1 / duration : Infinity;
  f64[row + Column.Loops * PAGE_ROWS] = config.loopCount;
  f64[row + Column.Done * PAGE_ROWS] = -1;
  f64[row + Column.Progress * PAGE_ROWS] = 0;
  const at = row + Column.From * PAGE_ROWS;
  if (wide === null) {
    f64[at] = f0;
    f64[at + PAGE_ROWS] = config.t0;
    f64[at + 2 * PAGE_ROWS] = f0;
    return;
  }
  const { components, kind } = config;
  const stride = components * PAGE_ROWS;
  const { f1, f2, f3, t1, t2, t3 } = wide;
  for (let i = 0; i < components; i++) {
    const column = at + i * PAGE_ROWS;
    f64[column] = f64[column + 2 * stride] = i === 0 ? f0 : i === 1 ? f1 : i === 2 ? f2 : f3;
    f64[column + stride] = i === 0 ? config.t0 : i === 1 ? t1 : i === 2 ? t2 : t3;
  }
  if (kind === ValueKind.Lerp) return;
  f64[at + 3 * stride] = wide.e0;
  f64[at + 3 * stride + PAGE_ROWS] = wide.e1;
  if (kind !== ValueKind.Rotation) f64[at + 3 * stride + 2 * PAGE_ROWS] = Math.max(0, wide.e2);
}
