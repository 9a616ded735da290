import type { MotionCallbacks } from "./config.js";
import type { Ease } from "./ease.js";
import type { Motion } from "./motion.js";
import { SinkKind } from "./sinks.js";

/**
 * What delivery does at a place, unless it simply writes a sink: a property from the index into heap.f64 that stands there,
 * any other kind if its negative code does. @internal
 */
export const enum Gate {
  Closed = 0,
  /** An event or a callback: the long way. */
  Event = -255,
}

/** Bits of a slot beside the BuilderFlags, 256..2048. @internal */
export const enum SlotFlag {
  Paused = 256,
  Started = 512,
  /** Its sink is being called. */
  Writing = 2048,
}

/** What there is one of for each slot. */
const COLUMNS = {
  generations: Uint32Array, rowAt: Int32Array, valueAt: Int32Array, pages: Int32Array, flags: Uint16Array, sinks: Uint8Array, placeAt: Int32Array,
  before: Float64Array, numbers: Float64Array,
};
type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

/**
 * Slots of motions as parallel arrays: where a motion's row is and all that is remembered about it, so that builders are
 * dropped at the start and the delivery loop touches no handle. Slots are reused; generations tell the tenants apart.
 * @internal
 */
export class SlotTable {
  capacity = 0;
  generations!: Uint32Array;
  /** Row of the page. */
  rowAt!: Int32Array;
  /** Index into heap.f64 of the first value component. */
  valueAt!: Int32Array;
  pages!: Int32Array;
  /** BuilderFlag and SlotFlag. */
  flags!: Uint16Array;
  /** SinkKind + 16 * ValueType, 0 without a sink. */
  sinks!: Uint8Array;
  /** Place in the delivery order, -1 for none. */
  placeAt!: Int32Array;
  /** Loops done before the event that waits, NaN for none. */
  before!: Float64Array;
  /** Creation numbers. */
  numbers!: Float64Array;
  handles: (Motion<any> | null)[] = [];
  // Few motions have these, so their lists grow with what is in them.
  readonly calls: (MotionCallbacks | null)[] = [];
  /** Playback speeds of paused motions. */
  readonly rates: (number | null)[] = [];
  /** Custom eases, and what they returned last. */
  readonly curves: (Ease | null)[] = [];
  readonly eased: (number | null)[] = [];
  // What has a sink or a callback has a place in the order of creation, by which these go.
  /** Slots; -1 where one has ended. */
  order = new Int32Array(0);
  /** See Gate. */
  gates = new Int32Array(0);
  targets: any[] = [];
  keys: any[] = [];
  /** Places taken, and those of them whose motion has ended. */
  orderCount = 0;
  #gaps = 0;
  /** Place at which writing a property has failed, -1 for none. */
  writing = -1;
  #free = new Int32Array(0);
  #freeCount = 0;

  constructor() {
    this.#grow(0);
  }

  take(): number {
    if (this.#freeCount === 0) this.reserve(Math.max(32, this.capacity * 2));
    return this.#free[--this.#freeCount]!;
  }

  /** Gives a slot back; every handle of the old tenant is void from here on. */
  release(slot: number): void {
    this.generations[slot]!++;
    const place = this.placeAt[slot]!;
    if (place >= 0) {
      this.gates[place] = Gate.Closed;
      this.order[place] = this.placeAt[slot] = -1;
      this.targets[place] = this.keys[place] = null;
      this.#gaps++;
    }
    this.handles[slot] = null;
    if (slot < this.calls.length) this.calls[slot] = null;
    this.#free[this.#freeCount++] = slot;
  }

  reserve(capacity: number): void {
    const old = this.capacity;
    if (capacity <= old) return;
    this.#grow(capacity);
    this.#free = grown(this.#free, capacity, Int32Array);
    this.placeAt.fill(-1, old);
    // Handed out in ascending order, so that neighbours in time are neighbours in memory.
    for (let slot = capacity - 1; slot >= old; slot--) this.#free[this.#freeCount++] = slot;
    this.handles = longer(this.handles, capacity);
  }

  #grow(capacity: number): void {
    this.capacity = capacity;
    for (const name in COLUMNS) this[name as "rowAt"] = grown<any>(this[name as "rowAt"], capacity, COLUMNS[name as "rowAt"]);
  }

  /** Makes room for at least as many places as there are slots. */
  reservePlaces(): void {
    const capacity = Math.max(this.capacity, 2 * this.orderCount);
    const { gates } = this;
    if (capacity <= gates.length) return;
    this.order = grown(this.order, capacity, Int32Array);
    this.gates = grown(gates, capacity, Int32Array);
    // Whoever goes through the old ones, while a setter has started motions, looks up.
    gates.fill(Gate.Event);
    this.targets = longer(this.targets, capacity);
    this.keys = longer(this.keys, capacity);
  }

  /** Gives a slot the last place. */
  enlist(slot: number, target: unknown, key: unknown, gate: number): void {
    const place = this.orderCount;
    if (place === this.gates.length) this.reservePlaces();
    this.orderCount++;
    this.placeAt[slot] = place;
    this.order[place] = slot;
    this.gates[place] = gate;
    this.targets[place] = target;
    this.keys[place] = key;
  }

  /** Notes where a slot's numbers are. */
  move(slot: number, page: number, row: number, value: number): void {
    this.pages[slot] = page;
    this.rowAt[slot] = row;
    this.valueAt[slot] = value;
    const place = this.placeAt[slot]!;
    if (place >= 0 && this.gates[place]! > 0) this.gates[place] = value;
  }

  /** Sets the gate of a slot that has a place. */
  setGate(slot: number, gate: number): void {
    const place = this.placeAt[slot]!;
    if (place >= 0) this.gates[place] = gate;
  }

  /** From here on the sink is written in each update, and nothing else looked at. */
  open(slot: number): void {
    const sink = this.sinks[slot]!;
    this.setGate(slot, sink === SinkKind.Property ? this.valueAt[slot]! : -sink);
  }

  /** Closes the gaps that motions have left, when there are many. */
  compact(): void {
    const { order, gates, targets, keys, orderCount } = this;
    if (this.#gaps * 4 <= orderCount) return;
    this.orderCount = 0;
    for (let i = 0; i < orderCount; i++) if (order[i]! >= 0) this.enlist(order[i]!, targets[i], keys[i], gates[i]!);
    targets.fill(null, this.orderCount, orderCount);
    keys.fill(null, this.orderCount, orderCount);
    this.#gaps = 0;
  }
}

function grown<T extends Numbers>(from: T | undefined, length: number, type: new (length: number) => T): T {
  const to = new type(length);
  if (from) to.set(from);
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
