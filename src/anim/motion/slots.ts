import type { Motion } from "./motion.js";
import type { Bucket } from "./page-pool.js";

/** What delivery does with a slot. @internal */
export const enum Gate {
  Closed = 0,
  /** Nothing but a write to the sink. */
  Write = 1,
  /** An event or a callback: the long way. */
  Event = 2,
}

/**
 * Slots of motions as parallel arrays: where a motion's row is and what delivery needs, so that the delivery loop
 * touches no handle. Slots are reused; generations tell the tenants apart.
 * @internal
 */
export class SlotTable {
  capacity = 0;
  generations = new Uint32Array(0);
  /** Index into heap.f64 of the row's first column. */
  rowAt = new Int32Array(0);
  /** Index into heap.f64 of the first value component. */
  valueAt = new Int32Array(0);
  pages = new Int32Array(0);
  gates = new Uint8Array(0);
  /** 1 where the slot has an entry in the delivery order. */
  listed = new Uint8Array(0);
  sinkKinds = new Uint8Array(0);
  /** Loops done before the event that waits, NaN for none. */
  before = new Float64Array(0);
  /** Creation numbers. */
  numbers = new Float64Array(0);
  readonly buckets: (Bucket | null)[] = [];
  readonly handles: (Motion<any> | null)[] = [];
  readonly targets: unknown[] = [];
  readonly keys: unknown[] = [];
  /** Slots in delivery order, and the generation each entry means. */
  order = new Int32Array(0);
  orderGenerations = new Uint32Array(0);
  orderCount = 0;
  #free = new Int32Array(0);
  #freeCount = 0;

  take(): number {
    if (this.#freeCount === 0) this.reserve(Math.max(32, this.capacity * 2));
    return this.#free[--this.#freeCount]!;
  }

  /** Gives a slot back; every handle and list entry of the old tenant is void from here on. */
  release(slot: number): void {
    this.generations[slot]!++;
    this.gates[slot] = this.listed[slot] = 0;
    this.handles[slot] = this.buckets[slot] = null;
    this.targets[slot] = this.keys[slot] = null;
    this.#free[this.#freeCount++] = slot;
  }

  reserve(capacity: number): void {
    const old = this.capacity;
    if (capacity <= old) return;
    this.capacity = capacity;
    this.generations = grown(this.generations, new Uint32Array(capacity));
    this.rowAt = grown(this.rowAt, new Int32Array(capacity));
    this.valueAt = grown(this.valueAt, new Int32Array(capacity));
    this.pages = grown(this.pages, new Int32Array(capacity));
    this.gates = grown(this.gates, new Uint8Array(capacity));
    this.listed = grown(this.listed, new Uint8Array(capacity));
    this.sinkKinds = grown(this.sinkKinds, new Uint8Array(capacity));
    this.before = grown(this.before, new Float64Array(capacity));
    this.numbers = grown(this.numbers, new Float64Array(capacity));
    const free = new Int32Array(capacity);
    // Fresh slots are handed out in ascending order, so that neighbours in time are neighbours in memory.
    let count = 0;
    for (let slot = capacity - 1; slot >= old; slot--) free[count++] = slot;
    free.set(this.#free.subarray(0, this.#freeCount), count);
    this.#free = free;
    this.#freeCount += count;
    for (let slot = old; slot < capacity; slot++) {
      this.buckets.push(null);
      this.handles.push(null);
      this.targets.push(null);
      this.keys.push(null);
      this.generations[slot] = 1;
    }
    this.reserveOrder(capacity);
  }

  /** Room for `capacity` entries of the delivery order. */
  reserveOrder(capacity: number): void {
    if (capacity <= this.order.length) return;
    this.order = grown(this.order, new Int32Array(capacity));
    this.orderGenerations = grown(this.orderGenerations, new Uint32Array(capacity));
  }

  /** Puts a slot at the end of the delivery order. */
  enlist(slot: number): void {
    if (this.orderCount === this.order.length) this.reserveOrder(Math.max(32, this.orderCount * 2));
    this.order[this.orderCount] = slot;
    this.orderGenerations[this.orderCount++] = this.generations[slot]!;
  }
}

function grown<T extends Int32Array | Uint32Array | Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
