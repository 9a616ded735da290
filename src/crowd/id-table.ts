import { StaleIdError } from "./errors.js";

/** Slots per crowd; an id is `slot + generation * MAXIMUM_SLOTS`, exact in a double. */
export const MAXIMUM_SLOTS = 2 ** 21;

/** An IdTable as plain data. */
export interface IdTableState {
  readonly slotOfRow: readonly number[];
  readonly generationOfSlot: readonly number[];
  readonly freeSlots: readonly number[];
}

/**
 * Ids with a generation over dense rows: an id is never given out twice, a row always is.
 *
 * A slot is what an id names; its row moves when another character is removed.
 */
export class IdTable {
  #rowOfSlot: Int32Array;
  #generationOfSlot: Float64Array;
  #slotOfRow: Int32Array;
  #freeSlots: Int32Array;
  #freeCount = 0;
  #slotCount = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#rowOfSlot = new Int32Array(capacity).fill(-1);
    this.#generationOfSlot = new Float64Array(capacity);
    this.#slotOfRow = new Int32Array(capacity);
    this.#freeSlots = new Int32Array(capacity);
  }

  /** Living ids. */
  get count(): number {
    return this.#count;
  }

  get capacity(): number {
    return this.#rowOfSlot.length;
  }

  /** Makes room for `capacity` ids. */
  grow(capacity: number): void {
    const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const next = new Int32Array(capacity);
      next.set(old);
      return next;
    };
    const from = this.capacity;
    this.#rowOfSlot = grown(this.#rowOfSlot).fill(-1, from);
    this.#slotOfRow = grown(this.#slotOfRow);
    this.#freeSlots = grown(this.#freeSlots);
    const generations = new Float64Array(capacity);
    generations.set(this.#generationOfSlot);
    this.#generationOfSlot = generations;
  }

  /** Gives out an id for the next row. The caller has checked the capacity. */
  add(): number {
    const slot = this.#freeCount > 0 ? this.#freeSlots[--this.#freeCount]! : this.#slotCount++;
    const row = this.#count++;
    this.#rowOfSlot[slot] = row;
    this.#slotOfRow[row] = slot;
    return slot + this.#generationOfSlot[slot]! * MAXIMUM_SLOTS;
  }

  /**
   * Ends an id. Its row is taken by the last row, whose content the caller moves.
   * @returns the row that became free for the last one
   * @throws StaleIdError
   */
  remove(id: number): number {
    const row = this.row(id);
    const slot = this.#slotOfRow[row]!;
    const last = --this.#count;
    const moved = this.#slotOfRow[last]!;
    this.#slotOfRow[row] = moved;
    this.#rowOfSlot[moved] = row;
    this.#rowOfSlot[slot] = -1;
    this.#generationOfSlot[slot] = this.#generationOfSlot[slot]! + 1;
    this.#freeSlots[this.#freeCount++] = slot;
    return row;
  }

  /** Whether the id names a living character. */
  has(id: number): boolean {
    return this.#find(id) >= 0;
  }

  /** @throws StaleIdError */
  row(id: number): number {
    const row = this.#find(id);
    if (row < 0) throw new StaleIdError(id);
    return row;
  }

  /** Slot of a row. */
  slot(row: number): number {
    return this.#slotOfRow[row]!;
  }

  /** Row of a slot, -1 if nobody lives there. */
  rowOfSlot(slot: number): number {
    return this.#rowOfSlot[slot]!;
  }

  /** Id of a row. */
  id(row: number): number {
    const slot = this.#slotOfRow[row]!;
    return slot + this.#generationOfSlot[slot]! * MAXIMUM_SLOTS;
  }

  /** Everything there is to know, for a snapshot. */
  save(): IdTableState {
    return {
      slotOfRow: [...this.#slotOfRow.subarray(0, this.#count)],
      generationOfSlot: [...this.#generationOfSlot.subarray(0, this.#slotCount)],
      freeSlots: [...this.#freeSlots.subarray(0, this.#freeCount)],
    };
  }

  /** Whether a saved table makes sense: every slot is named once, as living or as free. */
  static isValid({ slotOfRow, generationOfSlot, freeSlots }: IdTableState): boolean {
    const slots = generationOfSlot?.length;
    if (!(slots <= MAXIMUM_SLOTS) || !Array.isArray(freeSlots) || slotOfRow.length + freeSlots.length !== slots) return false;
    const all = new Set([...slotOfRow, ...freeSlots]);
    const isIndex = (slot: number): boolean => Number.isInteger(slot) && slot >= 0 && slot < slots;
    return all.size === slots && [...all].every(isIndex) && generationOfSlot.every((generation) => Number.isInteger(generation) && generation >= 0);
  }

  /** Becomes what was saved, generations included: ids of that moment are good again, and so are later ones if the same is done again. */
  restore({ slotOfRow, generationOfSlot, freeSlots }: IdTableState): void {
    if (generationOfSlot.length > this.capacity) this.grow(generationOfSlot.length);
    // Slots that are unknown to the saved table are free and stay behind its own.
    const known = generationOfSlot.length;
    const later = Math.max(0, this.#slotCount - known);
    this.#rowOfSlot.fill(-1);
    this.#slotOfRow.set(slotOfRow);
    slotOfRow.forEach((slot, row) => (this.#rowOfSlot[slot] = row));
    this.#generationOfSlot.set(generationOfSlot);
    this.#freeSlots.set(freeSlots);
    this.#freeCount = freeSlots.length;
    for (let i = 0; i < later; i++) {
      this.#generationOfSlot[known + i] = this.#generationOfSlot[known + i]! + 1;
      this.#freeSlots[this.#freeCount++] = known + i;
    }
    this.#slotCount = known + later;
    this.#count = slotOfRow.length;
  }

  #find(id: number): number {
    if (!(id >= 0) || !Number.isSafeInteger(id)) return -1;
    const slot = id % MAXIMUM_SLOTS;
    if (slot >= this.#slotCount || this.#generationOfSlot[slot] !== Math.floor(id / MAXIMUM_SLOTS)) return -1;
    return this.#rowOfSlot[slot]!;
  }
}
