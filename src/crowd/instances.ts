import { INSTANCE_BYTES, InstanceField, InstanceFlag, NO_CLIP, PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";
import { CrowdFullError } from "./errors.js";
import { IdTable, MAXIMUM_SLOTS } from "./id-table.js";

/** Places in the crowd's list of blocks. */
const INSTANCES = 0;
const PALETTE = 1;

/** The characters of a crowd in linear memory: dense records, their palette rows, and ids for them. */
export class Instances {
  readonly ids: IdTable;
  /** Bytes of one palette row. */
  readonly stride: number;
  readonly #grow: boolean;
  readonly #blocks: number[];

  /** @param blocks - an empty list; the first two places become the instance and the palette block */
  constructor(capacity: number, boneCount: number, grow: boolean, blocks: number[]) {
    this.ids = new IdTable(capacity);
    this.stride = boneCount * PALETTE_FLOATS * 4;
    this.#grow = grow;
    this.#blocks = blocks;
    blocks.push(heap.alloc(capacity * INSTANCE_BYTES), heap.alloc(capacity * this.stride));
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
    const grown = Math.min(capacity * 2, MAXIMUM_SLOTS);
    this.#blocks[INSTANCES] = heap.realloc(this.ptr, grown * INSTANCE_BYTES);
    this.#blocks[PALETTE] = heap.realloc(this.palettePtr, grown * this.stride);
    this.ids.grow(grown);
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
    this.clearPalette(row);
    return id;
  }

  /** Removes a character; the last one takes its row. */
  remove(id: number): void {
    const row = this.ids.remove(id);
    const last = this.ids.count;
    if (row === last) return;
    const record = this.at(last);
    heap.u8.copyWithin(this.at(row), record, record + INSTANCE_BYTES);
    const palette = this.palettePtr + last * this.stride;
    heap.u8.copyWithin(this.palettePtr + row * this.stride, palette, palette + this.stride);
  }

  clearPalette(row: number): void {
    const palette = this.palettePtr + row * this.stride;
    heap.u8.fill(0, palette, palette + this.stride);
  }

  setFlag(at: number, flag: InstanceFlag, on: boolean): void {
    const index = (at + InstanceField.FLAGS) >> 2;
    heap.u32[index] = on ? heap.u32[index]! | flag : heap.u32[index]! & ~flag;
  }

  hasFlag(at: number, flag: InstanceFlag): boolean {
    return (heap.u32[(at + InstanceField.FLAGS) >> 2]! & flag) !== 0;
  }
}
