/** Records and palette rows of a 3D crowd: dense, in the order of the rows. @internal */
import { CHARACTER_BYTES, CharacterField, CharacterFlag } from "../../assembly/layout/crowd3d.js";
import { heap } from "../wasm/heap.js";
import { CrowdFullError } from "./errors.js";
import { IdTable, MAXIMUM_SLOTS } from "./id-table.js";

export class Crowd3DCharacters {
  readonly ids: IdTable;
  /** Address of the records. */
  ptr: number;
  /** Address of the palette. */
  palettePtr: number;
  readonly rowBytes: number;
  readonly #grow: boolean;
  readonly #blocks: number[];

  constructor(capacity: number, rowBytes: number, grow: boolean, blocks: number[]) {
    this.ids = new IdTable(capacity);
    this.rowBytes = rowBytes;
    this.#grow = grow;
    this.#blocks = blocks;
    this.ptr = heap.alloc(capacity * CHARACTER_BYTES);
    this.palettePtr = heap.alloc(capacity * rowBytes);
    blocks.push(this.ptr, this.palettePtr);
  }

  get count(): number {
    return this.ids.count;
  }

  /** @throws CrowdFullError */
  makeRoom(): void {
    const { capacity } = this.ids;
    if (this.count < capacity) return;
    const next = Math.min(MAXIMUM_SLOTS, capacity * 2);
    if (!this.#grow || next === capacity) throw new CrowdFullError(capacity);
    this.ptr = this.#move(this.ptr, next * CHARACTER_BYTES);
    this.palettePtr = this.#move(this.palettePtr, next * this.rowBytes);
    this.ids.grow(next);
  }

  /** Adds a record of zeros with an identity placement and returns its id. Room was made. */
  add(): number {
    const id = this.ids.add(), row = this.count - 1, at = this.at(row);
    heap.u8.fill(0, at, at + CHARACTER_BYTES);
    this.clear(row);
    const placement = (at + CharacterField.PLACEMENT) >>> 2;
    heap.f32[placement + 3] = 1;
    heap.f32[placement + 7] = 1;
    heap.f64[(at + CharacterField.SPEED) >>> 3] = 1;
    heap.i32[(at + CharacterField.FLAGS) >>> 2] = CharacterFlag.FRESH;
    return id;
  }

  remove(id: number): void {
    const row = this.ids.remove(id), last = this.count;
    if (row === last) return;
    heap.u8.copyWithin(this.at(row), this.at(last), this.at(last) + CHARACTER_BYTES);
    const from = this.palettePtr + last * this.rowBytes;
    heap.u8.copyWithin(this.palettePtr + row * this.rowBytes, from, from + this.rowBytes);
  }

  /** Address of the record of a row. */
  at(row: number): number {
    return this.ptr + row * CHARACTER_BYTES;
  }

  /** Address of the record of an id. @throws StaleIdError */
  find(id: number): number {
    return this.at(this.ids.row(id));
  }

  setFlag(at: number, flag: number, on: boolean): void {
    const i = (at + CharacterField.FLAGS) >>> 2;
    heap.i32[i] = on ? heap.i32[i]! | flag : heap.i32[i]! & ~flag;
  }

  /** Zeroes a palette row. */
  clear(row: number): void {
    const at = this.palettePtr + row * this.rowBytes;
    heap.u8.fill(0, at, at + this.rowBytes);
  }

  #move(ptr: number, bytes: number): number {
    const moved = heap.realloc(ptr, bytes);
    this.#blocks[this.#blocks.indexOf(ptr)] = moved;
    return moved;
  }
}
