import type { MotionCallbacks } from "./config.js";
import type { Ease } from "./ease.js";
import type { Motion } from "./motion.js";

/** What delivery does with a slot, unless it is the code of a sink that is simply written. @internal */
export const enum Gate {
  Closed = 0,
  /** An event or a callback: the long way. */
  Event = 255,
}

/** Bits of a slot beside the BuilderFlags, 256..2048. @internal */
export const enum SlotFlag {
  Paused = 256,
  Started = 512,
  /** Only its sink wants to hear of it, until it ends. */
  Plain = 1024,
  /** Its sink is being called. */
  Writing = 2048,
}

const COLUMNS = ["generations", "rowAt", "valueAt", "pages", "flags", "sinks", "gates", "placeAt", "before", "numbers"] as const;

/**
 * Slots of motions as parallel arrays: where a motion's row is and all that is remembered about it, so that builders are
 * dropped at the start and the delivery loop touches no handle. Slots are reused; generations tell the tenants apart.
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
  /** BuilderFlag and SlotFlag. */
  flags = new Uint16Array(0);
  /** SinkKind + 16 * ValueType, 0 without a sink. */
  sinks = new Uint8Array(0);
  /** A Gate, or the sink. */
  gates = new Uint8Array(0);
  /** Place in the delivery order, -1 for none. */
  placeAt = new Int32Array(0);
  /** Loops done before the event that waits, NaN for none. */
  before = new Float64Array(0);
  /** Creation numbers. */
  numbers = new Float64Array(0);
  handles: (Motion<any> | null)[] = [];
  /** Empty until something has a sink or a callback. */
  targets: any[] = [];
  keys: any[] = [];
  // Few motions have these, so their lists grow with what is in them.
  readonly calls: (MotionCallbacks | null)[] = [];
  /** Playback speeds of paused motions. */
  readonly rates: (number | null)[] = [];
  /** Custom eases, and what they returned last. */
  readonly curves: (Ease | null)[] = [];
  readonly eased: (number | null)[] = [];
  /** Slots in the order of creation; -1 where one has ended. */
  order = new Int32Array(0);
  orderCount = 0;
  /** Entry at which writing a property has failed, -1 for none. */
  writing = -1;
  #free = new Int32Array(0);
  #freeCount = 0;

  take(): number {
    if (this.#freeCount === 0) this.reserve(Math.max(32, this.capacity * 2));
    return this.#free[--this.#freeCount]!;
  }

  /** Gives a slot back; every handle of the old tenant is void from here on. */
  release(slot: number): void {
    this.generations[slot]!++;
    this.gates[slot] = Gate.Closed;
    if (this.placeAt[slot]! >= 0) this.order[this.placeAt[slot]!] = -1;
    this.placeAt[slot] = -1;
    this.handles[slot] = null;
    if (slot < this.targets.length) this.targets[slot] = this.keys[slot] = null;
    if (slot < this.calls.length) this.calls[slot] = null;
    this.#free[this.#freeCount++] = slot;
  }

  reserve(capacity: number): void {
    const old = this.capacity;
    if (capacity <= old) return;
    this.capacity = capacity;
    for (const name of COLUMNS) this[name] = grown<any>(this[name], capacity);
    this.#free = grown(this.#free, capacity);
    this.placeAt.fill(-1, old);
    // Handed out in ascending order, so that neighbours in time are neighbours in memory.
    for (let slot = capacity - 1; slot >= old; slot--) this.#free[this.#freeCount++] = slot;
    this.#reserveOrder(capacity);
    this.handles = longer(this.handles, capacity);
    if (this.targets.length > 0) this.reserveSinks();
  }

  /** Makes room for sinks, as much as for slots. */
  reserveSinks(): void {
    this.targets = longer(this.targets, this.capacity);
    this.keys = longer(this.keys, this.capacity);
  }

  /** Puts a slot at the end of the delivery order. */
  enlist(slot: number): void {
    if (this.targets.length === 0) this.reserveSinks();
    if (this.orderCount === this.order.length) this.#reserveOrder(this.orderCount * 2);
    this.placeAt[slot] = this.orderCount;
    this.order[this.orderCount++] = slot;
  }

  /** Closes the gaps that motions have left in the delivery order. */
  compact(): void {
    const { order, placeAt } = this;
    let kept = 0;
    for (let i = 0; i < this.orderCount; i++) {
      const slot = order[i]!;
      if (slot < 0) continue;
      order[kept] = slot;
      placeAt[slot] = kept++;
    }
    this.orderCount = kept;
  }

  #reserveOrder(capacity: number): void {
    if (capacity > this.order.length) this.order = grown(this.order, capacity);
  }
}

function grown<T extends Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array>(from: T, length: number): T {
  const to = new (from.constructor as new (length: number) => T)(length);
  to.set(from as never);
  return to;
}

/** A list of at least `length` elements, the new ones null. Copied whole, because pushing as many costs five times as much. */
function longer<T>(list: (T | null)[], length: number): (T | null)[] {
  const old = list.length;
  if (old === 0) list = [null];
  while (list.length < length) list = list.concat(list);
  return list.fill(null, old);
}

/** Sets an element; lists have no holes, because engines read them faster. @internal */
export function put<T>(list: (T | null)[], slot: number, value: T): void {
  while (list.length < slot) list.push(null);
  list[slot] = value;
}
