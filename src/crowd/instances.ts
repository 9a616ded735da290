import { INSTANCE_BYTES, InstanceField, InstanceFlag, NO_CLIP, PALETTE_FLOATS, SLOT_STATE_BYTES } from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";
import { CrowdFullError } from "./errors.js";
import { IdTable, MAXIMUM_SLOTS } from "./id-table.js";

/** Places in the crowd's list of blocks. */
const INSTANCES = 0;
const PALETTE = 1;
const SLOTS = 2;
/** The other palette and slot states of a double buffer; empty blocks until it is asked for. */
const OTHER_PALETTE = 3;
const OTHER_SLOTS = 4;
/** What sliders did, for those that key more than numbers. */
const SLIDERS = 5;

/** Empty blocks that a crowd's list begins with, in whose place those of the characters come. */
export function firstBlocks(): number[] {
  return Array.from({ length: SLIDERS + 1 }, () => heap.alloc(0));
}

/** The characters of a crowd in linear memory: dense records, their palette rows, and ids for them. */
export class Instances {
  readonly ids: IdTable;
  /** Bytes of one palette row. */
  readonly stride: number;
  /** Bytes of the slot states of one character, 0 if nobody wants them. */
  readonly slotsStride: number;
  /** Bytes of the slider states of one character, 0 if nobody wants them. */
  readonly slidersStride: number;
  readonly #grow: boolean;
  #isDouble = false;
  readonly #blocks: number[];

  /**
   * @param slotCount - slots whose states are kept, 0 for none
   * @param slidersStride - bytes of slider states to keep, 0 for none
   * @param blocks - a list that begins with `firstBlocks`, in whose place the blocks of this object come
   */
  constructor(capacity: number, boneCount: number, slotCount: number, slidersStride: number, grow: boolean, blocks: number[]) {
    this.ids = new IdTable(capacity);
    this.stride = boneCount * PALETTE_FLOATS * 4;
    this.slotsStride = slotCount * SLOT_STATE_BYTES;
    this.slidersStride = slidersStride;
    this.#grow = grow;
    this.#blocks = blocks;
    blocks[INSTANCES] = heap.realloc(blocks[INSTANCES]!, capacity * INSTANCE_BYTES);
    blocks[PALETTE] = heap.realloc(blocks[PALETTE]!, capacity * this.stride);
    blocks[SLOTS] = heap.realloc(blocks[SLOTS]!, capacity * this.slotsStride);
    blocks[SLIDERS] = heap.realloc(blocks[SLIDERS]!, capacity * slidersStride);
  }

  get count(): number {
    return this.ids.count;
  }

  /** Address of the first record. */
  get ptr(): number {
    return this.#blocks[INSTANCES]!;
  }

  /** Address of the first palette row. */
  get palettePtr(): number {
    return this.#blocks[PALETTE]!;
  }

  /** Address of the first slot states, 0 if nobody wants them. */
  get slotsPtr(): number {
    return this.slotsStride === 0 ? 0 : this.#blocks[SLOTS]!;
  }

  /** Address of the first slider states, 0 if nobody wants them. */
  get slidersPtr(): number {
    return this.slidersStride === 0 ? 0 : this.#blocks[SLIDERS]!;
  }

  /** Addresses of the palette and slot states that the next asynchronous update writes. */
  get otherPalettePtr(): number {
    if (!this.#isDouble) {
      this.#isDouble = true;
      this.#blocks[OTHER_PALETTE] = heap.realloc(this.#blocks[OTHER_PALETTE]!, this.ids.capacity * this.stride);
      this.#blocks[OTHER_SLOTS] = heap.realloc(this.#blocks[OTHER_SLOTS]!, this.ids.capacity * this.slotsStride);
    }
    return this.#blocks[OTHER_PALETTE]!;
  }

  get otherSlotsPtr(): number {
    return this.slotsStride === 0 ? 0 : this.#blocks[OTHER_SLOTS]!;
  }

  /** Shows what the asynchronous update has written. */
  swap(): void {
    const blocks = this.#blocks;
    [blocks[PALETTE], blocks[OTHER_PALETTE]] = [blocks[OTHER_PALETTE]!, blocks[PALETTE]!];
    [blocks[SLOTS], blocks[OTHER_SLOTS]] = [blocks[OTHER_SLOTS]!, blocks[SLOTS]!];
  }

  /** Address of the record of a row. */
  at(row: number): number {
    return this.#blocks[INSTANCES]! + row * INSTANCE_BYTES;
  }

  /** Address of the record of an id. @throws StaleIdError */
  find(id: number): number {
    return this.at(this.ids.row(id));
  }

  /** Makes room for one more. @throws CrowdFullError */
  makeRoom(): void {
    const { capacity } = this.ids;
    if (this.ids.count < capacity) return;
    if (!this.#grow || capacity >= MAXIMUM_SLOTS) throw new CrowdFullError(capacity);
    this.reserve(Math.min(capacity * 2, MAXIMUM_SLOTS));
  }

  /** Makes room for `capacity` in all. @throws CrowdFullError if the crowd must not grow that far */
  reserve(capacity: number): void {
    if (capacity <= this.ids.capacity) return;
    if (!this.#grow || capacity > MAXIMUM_SLOTS) throw new CrowdFullError(this.ids.capacity);
    this.#blocks[INSTANCES] = heap.realloc(this.ptr, capacity * INSTANCE_BYTES);
    this.#blocks[PALETTE] = heap.realloc(this.palettePtr, capacity * this.stride);
    this.#blocks[SLOTS] = heap.realloc(this.#blocks[SLOTS]!, capacity * this.slotsStride);
    this.#blocks[SLIDERS] = heap.realloc(this.#blocks[SLIDERS]!, capacity * this.slidersStride);
    if (this.#isDouble) {
      this.#blocks[OTHER_PALETTE] = heap.realloc(this.#blocks[OTHER_PALETTE]!, capacity * this.stride);
      this.#blocks[OTHER_SLOTS] = heap.realloc(this.#blocks[OTHER_SLOTS]!, capacity * this.slotsStride);
    }
    this.ids.grow(capacity);
  }

  /** Adds a character at rest: no clip, scale 1, white. Room was made before. @returns its id */
  add(variant: number): number {
    const id = this.ids.add();
    const row = this.ids.row(id);
    const at = this.at(row);
    heap.u8.fill(0, at, at + INSTANCE_BYTES);
    const { f32, i32, u32 } = heap;
    f32[(at + InstanceField.SCALE_X) >> 2] = 1;
    f32[(at + InstanceField.SCALE_Y) >> 2] = 1;
    for (let i = 0; i < 4; i++) f32[((at + InstanceField.R) >> 2) + i] = 1;
    i32[(at + InstanceField.CLIP) >> 2] = NO_CLIP;
    i32[(at + InstanceField.FADE_CLIP) >> 2] = NO_CLIP;
    i32[(at + InstanceField.OVERLAY_CLIP) >> 2] = NO_CLIP;
    u32[(at + InstanceField.VARIANT) >> 2] = variant;
    u32[(at + InstanceField.ID_SLOT) >> 2] = this.ids.slot(row);
    heap.f64[(at + InstanceField.ID) >> 3] = id;
    this.clear(row);
    return id;
  }

  /** Removes a character; the last one takes its row. */
  remove(id: number): void {
    const row = this.ids.remove(id);
    const last = this.ids.count;
    if (row === last) return;
    moveRow(this.ptr, INSTANCE_BYTES, last, row);
    moveRow(this.palettePtr, this.stride, last, row);
    if (this.slotsStride > 0) moveRow(this.slotsPtr, this.slotsStride, last, row);
    if (this.slidersStride > 0) moveRow(this.slidersPtr, this.slidersStride, last, row);
  }

  /** Empties what is drawn of a row: zero matrices, nothing in any slot. */
  clear(row: number): void {
    const palette = this.palettePtr + row * this.stride;
    heap.u8.fill(0, palette, palette + this.stride);
    if (this.slotsStride === 0) return;
    const slots = this.slotsPtr + row * this.slotsStride;
    heap.u8.fill(0, slots, slots + this.slotsStride);
    this.restSliders(row);
  }

  /** Forgets what sliders did. */
  restSliders(row: number): void {
    const sliders = this.slidersPtr + row * this.slidersStride;
    heap.u8.fill(0, sliders, sliders + this.slidersStride);
  }

  setFlag(at: number, flag: InstanceFlag, on: boolean): void {
    const index = (at + InstanceField.FLAGS) >> 2;
    heap.u32[index] = on ? heap.u32[index]! | flag : heap.u32[index]! & ~flag;
  }

  hasFlag(at: number, flag: InstanceFlag): boolean {
    return (heap.u32[(at + InstanceField.FLAGS) >> 2]! & flag) !== 0;
  }
}

function moveRow(block: number, stride: number, from: number, to: number): void {
  heap.u8.copyWithin(block + to * stride, block + from * stride, block + (from + 1) * stride);
}
