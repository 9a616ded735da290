import { COLUMN_BYTES, Column, EVENT_BYTES, Field, LANES, PAGE_ROWS, Page, RECORD_FIELDS, ValueKind } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { BuilderFlag, type MotionConfig } from "./config.js";
import { writeEase, type Ease } from "./ease.js";
import { componentsOf, type ValueType } from "./types.js";

/** Pages that one block of memory holds at most. */
const MOST_PAGES_AT_ONCE = 64;

/** What the motions of one page have in common. @internal */
export interface PageHeader {
  readonly curve: Ease;
  readonly mode: number;
  readonly kind: number;
  readonly components: number;
  readonly columns: number;
  readonly flags: number;
}

/** Pages of motions that share a header. Every page but the first is full. @internal */
export class Bucket implements PageHeader {
  /** The page with room, 0 for none; the others follow through Page.Next. */
  first = 0;
  readonly curve: Ease;
  readonly mode: number;
  readonly kind: number;
  readonly components: number;
  readonly columns: number;
  readonly flags: number;
  readonly type: ValueType;
  constructor(readonly key: number, like: MotionConfig) {
    this.curve = like.curve;
    this.mode = like.mode;
    this.kind = like.kind;
    this.type = like.type;
    this.components = like.components;
    this.columns = like.columns;
    this.flags = like.flags & BuilderFlag.Pages;
  }
}

/** Columns of the pages of a value type and kind. @internal */
export function columnsOf(type: ValueType, kind: number): number {
  return Column.From + 3 * componentsOf(type) + (kind === ValueKind.Lerp ? 0 : kind === ValueKind.Rotation ? 2 : 3);
}

/** Index into heap.f64 of a row's first column; the others follow in steps of LANES. */
export function rowIndex(page: number, row: number): number {
  return ((page + Page.Columns) >> 3) + (row >> 1) * heap.i32[(page + Page.Stride) >> 2]! + (row & 1);
}

/** Index into heap.f64 of a row's record. */
export function recordIndex(page: number, row: number): number {
  return ((page + Page.Records) >> 3) + row * RECORD_FIELDS;
}

/** Index into heap.f64 of a row's first value component. */
export function valueIndex(page: number, row: number, components: number): number {
  return rowIndex(page, row) + (Column.From + 2 * components) * LANES;
}

/** A row's own time. */
export function timeAt(page: number, row: number): number {
  const { f64 } = heap;
  const record = recordIndex(page, row);
  return f64[record]! + (f64[(page + Page.Now) >> 3]! - f64[rowIndex(page, row) + Column.Origin * LANES]!) * f64[record + Field.Speed]!;
}

/** Sets a row's own time. Comes before a change of its speed and after any other, so that the next step sees to the row. */
export function setTime(page: number, row: number, time = timeAt(page, row)): void {
  const { f64 } = heap;
  const at = rowIndex(page, row);
  f64[recordIndex(page, row)] = time;
  f64[at + Column.Origin * LANES] = f64[(page + Page.Now) >> 3]!;
  f64[at] = -Infinity;
}

/** Copies a row, which stands at `time` from then on. */
export function copyRow(page: number, row: number, toPage: number, toRow: number, columns: number, time: number): void {
  const { f64 } = heap;
  const record = recordIndex(page, row);
  f64.copyWithin(recordIndex(toPage, toRow), record, record + RECORD_FIELDS);
  const from = rowIndex(page, row);
  const to = rowIndex(toPage, toRow);
  for (let c = 0; c < columns * LANES; c += LANES) f64[to + c] = f64[from + c]!;
  setTime(toPage, toRow, time);
}

/**
 * Pages in linear memory: taken from free lists, given back when empty.
 *
 * `blocks` lists every address for the safety net of the owner.
 */
export class PagePool {
  /** The event buffer comes first. */
  readonly blocks = [heap.allocDirty(0)];
  /** First free page by number of columns. */
  readonly #free = new Int32Array(32);
  /** Rows of all pages that exist. */
  #rowCapacity = 0;

  /** A page with the header filled in and no rows, linked to `next`. */
  take(header: PageHeader, next = 0): number {
    const { columns } = header;
    if (this.#free[columns] === 0) this.#allocate(columns);
    const page = this.#free[columns]!;
    const { i32 } = heap;
    const at = (page + Page.Next) >> 2;
    this.#free[columns] = i32[at]!;
    i32[at] = next;
    i32[page >> 2] = 0;
    heap.f64[(page + Page.Now) >> 3] = 0;
    writeHeader(page, header);
    return page;
  }

  /** Gives a page back. */
  release(page: number, columns: number): void {
    heap.i32[(page + Page.Next) >> 2] = this.#free[columns]!;
    this.#free[columns] = page;
  }

  /** Makes sure that `pages` pages of a size are free. */
  reserve(columns: number, pages: number): void {
    let free = 0;
    for (let page = this.#free[columns]!; page !== 0; page = heap.i32[(page + Page.Next) >> 2]!) free++;
    while (free < pages) free += this.#allocate(columns);
  }

  dispose(): void {
    for (const block of this.blocks) heap.free(block);
    this.blocks.length = 0;
  }

  /** Makes at least one page; more at once where many exist already. */
  #allocate(columns: number): number {
    const bytes = Page.Columns + (PAGE_ROWS / LANES) * columns * COLUMN_BYTES;
    const count = Math.min(MOST_PAGES_AT_ONCE, 1 + (this.#rowCapacity / PAGE_ROWS >> 1));
    // Rows are written before they are read.
    const block = heap.allocDirty(count * bytes);
    this.blocks.push(block);
    this.#rowCapacity += count * PAGE_ROWS;
    for (let i = count - 1; i >= 0; i--) this.release(block + i * bytes, columns);
    return count;
  }

  /** The event buffer, with room for an event of every row. Grows before the first step after pages were made. */
  eventBuffer(): number {
    const { blocks } = this;
    const bytes = this.#rowCapacity * EVENT_BYTES;
    if (bytes > heap.blockBytes(blocks[0]!)) {
      const grown = heap.allocDirty(2 * bytes);
      heap.free(blocks[0]!);
      blocks[0] = grown;
    }
    return blocks[0]!;
  }
}

/** Fills in what a page's motions have in common. */
export function writeHeader(page: number, header: PageHeader): void {
  const i32 = heap.i32;
  const at = page >> 2;
  i32[at + (Page.Mode >> 2)] = header.mode;
  i32[at + (Page.Kind >> 2)] = header.kind;
  i32[at + (Page.Components >> 2)] = header.components;
  i32[at + (Page.Flags >> 2)] = header.flags;
  i32[at + (Page.Stride >> 2)] = header.columns * LANES;
  writeEase(page, header.curve);
}
