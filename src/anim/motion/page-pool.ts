import { COLUMN_BYTES, Column, EVENT_BYTES, PAGE_ROWS, Page, ValueKind } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { BuilderFlag, type MotionConfig } from "./config.js";
import type { Ease } from "./ease.js";
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
  /** From a row's first column to its first value component. */
  readonly valueOffset: number;
  constructor(readonly key: number, like: MotionConfig) {
    this.curve = like.curve;
    this.mode = like.mode;
    this.kind = like.kind;
    this.type = like.type;
    this.components = like.components;
    this.columns = like.columns;
    this.flags = like.flags & BuilderFlag.Pages;
    this.valueOffset = valueIndex(0, like.components);
  }
}

/** Columns of the pages of a value type and kind. @internal */
export function columnsOf(type: ValueType, kind: number): number {
  return Column.From + 3 * componentsOf(type) + (kind === ValueKind.Lerp ? 0 : kind === ValueKind.Rotation ? 2 : 3);
}

/** Index into heap.f64 of a row's first column. */
export function rowIndex(page: number, row: number): number {
  return ((page + Page.Columns) >> 3) + row;
}

/** Index into heap.f64 of a row's first value component. */
export function valueIndex(base: number, components: number): number {
  return base + (Column.From + 2 * components) * PAGE_ROWS;
}

/**
 * Pages in linear memory: taken from free lists, stepped through one table, given back when empty.
 *
 * `blocks` lists every address for the safety net of the owner.
 */
export class PagePool {
  readonly blocks: number[] = [];
  /** u32 address per page in use. */
  table = 0;
  events = 0;
  pageCount = 0;
  #tableCapacity = 0;
  /** First free page by number of columns. */
  readonly #free = new Int32Array(32);
  /** Rows of all pages that exist, and rows that the event buffer has room for. */
  #rowCapacity = 0;
  #eventCapacity = 0;

  /** A page with the header filled in and no rows, entered into the table. */
  take(header: PageHeader): number {
    const columns = header.columns;
    if (this.#free[columns] === 0) this.#allocate(columns);
    if (this.pageCount === this.#tableCapacity) this.#growTable(Math.max(16, this.pageCount * 2));
    const page = this.#free[columns]!;
    const i32 = heap.i32;
    const at = page >> 2;
    this.#free[columns] = i32[at + (Page.Next >> 2)]!;
    i32[at + (Page.Rows >> 2)] = 0;
    i32[at + (Page.Next >> 2)] = 0;
    i32[(this.table >> 2) + this.pageCount] = page;
    i32[at + (Page.Place >> 2)] = this.pageCount++;
    writeHeader(page, header);
    return page;
  }

  /** Gives a page back. */
  release(page: number, columns: number): void {
    const i32 = heap.i32;
    const place = i32[(page + Page.Place) >> 2]!;
    const last = i32[(this.table >> 2) + --this.pageCount]!;
    i32[(this.table >> 2) + place] = last;
    i32[(last + Page.Place) >> 2] = place;
    i32[(page + Page.Next) >> 2] = this.#free[columns]!;
    this.#free[columns] = page;
  }

  /** Makes sure that `pages` pages of a size are free. */
  reserve(columns: number, pages: number): void {
    let free = 0;
    for (let page = this.#free[columns]!; page !== 0; page = heap.i32[(page + Page.Next) >> 2]!) free++;
    while (free < pages) free += this.#allocate(columns);
    const total = this.pageCount + pages;
    if (total > this.#tableCapacity) this.#growTable(total);
  }

  dispose(): void {
    for (const block of this.blocks) heap.free(block);
    this.blocks.length = 0;
  }

  /** Makes at least one page; more at once where many exist already. */
  #allocate(columns: number): number {
    const bytes = Page.Columns + columns * COLUMN_BYTES;
    const count = Math.min(MOST_PAGES_AT_ONCE, 1 + (this.#rowCapacity / PAGE_ROWS >> 1));
    // Rows are written before they are read.
    const block = heap.allocDirty(count * bytes);
    this.blocks.push(block);
    this.#rowCapacity += count * PAGE_ROWS;
    for (let page = block + count * bytes; page > block;) {
      page -= bytes;
      heap.i32[(page + Page.Next) >> 2] = this.#free[columns]!;
      this.#free[columns] = page;
    }
    return count;
  }

  /** The event buffer, with room for an event of every row. Grows before the first step after pages were made. */
  eventBuffer(): number {
    if (this.#eventCapacity < this.#rowCapacity) {
      this.#eventCapacity = Math.max(this.#rowCapacity, this.#eventCapacity * 2);
      this.events = this.#grown(this.events, this.#eventCapacity * EVENT_BYTES);
    }
    return this.events;
  }

  #growTable(capacity: number): void {
    this.table = this.#grown(this.table, capacity * 4);
    this.#tableCapacity = capacity;
  }

  /** Moves a block, or makes it. */
  #grown(old: number, bytes: number): number {
    const { blocks } = this;
    const at = blocks.indexOf(old);
    return (blocks[at < 0 ? blocks.length : at] = at < 0 ? heap.alloc(bytes) : heap.realloc(old, bytes));
  }
}

/** Fills in what a page's motions have in common. */
export function writeHeader(page: number, header: PageHeader): void {
  const i32 = heap.i32;
  const at = page >> 2;
  i32[at + (Page.Ease >> 2)] = header.curve.id;
  i32[at + (Page.Mode >> 2)] = header.mode;
  i32[at + (Page.Kind >> 2)] = header.kind;
  i32[at + (Page.Components >> 2)] = header.components;
  i32[at + (Page.Flags >> 2)] = header.flags;
  const f64 = heap.f64;
  f64[(page + Page.EaseA) >> 3] = header.curve.a;
  f64[(page + Page.EaseB) >> 3] = header.curve.b;
  f64[(page + Page.EaseC) >> 3] = header.curve.c;
}
