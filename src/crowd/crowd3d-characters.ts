/** Records and palette rows of a 3D crowd: dense, in the order of the rows. @internal */
import { CHARACTER_BYTES, CharacterField, CharacterFlag } from "../../assembly/layout/crowd3d.js";
import { RangeMismatchError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import { checkNumbers, finite } from "./checks.js";
import { CrowdFullError } from "./errors.js";
import { IdTable, MAXIMUM_SLOTS } from "./id-table.js";

export class Crowd3DCharacters {
  readonly ids: IdTable;
  /** Address of the records. */
  ptr: number;
  /** Address of the palette. */
  palettePtr: number;
  readonly rowBytes: number;
  /** Address of the other palette of a double buffer, 0 until it is asked for. */
  #otherPtr = 0;
  readonly #grow: boolean;
  readonly #blocks: number[];

  constructor(capacity: number, rowBytes: number, grow: boolean, blocks: number[]) {
    this.ids = new IdTable(capacity);
    this.rowBytes = rowBytes;
    this.#grow = grow;
    this.#blocks = blocks;
    blocks.push((this.ptr = heap.alloc(capacity * CHARACTER_BYTES)));
    blocks.push((this.palettePtr = heap.alloc(capacity * rowBytes)));
  }

  get count(): number {
    return this.ids.count;
  }

  /** Address of the palette that the next asynchronous update writes. */
  get otherPalettePtr(): number {
    if (this.#otherPtr === 0) {
      this.#otherPtr = heap.alloc(this.ids.capacity * this.rowBytes);
      this.#blocks.push(this.#otherPtr);
    }
    return this.#otherPtr;
  }

  /** Shows what an asynchronous update has written. */
  swap(): void {
    [this.palettePtr, this.#otherPtr] = [this.#otherPtr, this.palettePtr];
  }

  /** @throws CrowdFullError */
  makeRoom(): void {
    const { capacity } = this.ids;
    if (this.count < capacity) return;
    const next = Math.min(MAXIMUM_SLOTS, capacity * 2);
    if (!this.#grow || next === capacity) throw new CrowdFullError(capacity);
    this.#growTo(next);
  }

  /** Makes room for `capacity` characters. */
  reserve(capacity: number): void {
    if (capacity > this.ids.capacity) this.#growTo(capacity);
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
    heap.u32[(at + CharacterField.TINT) >>> 2] = 0xffffffff;
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

  /**
   * Checks `width` numbers a row for consecutive rows.
   * @param least - smallest value that makes sense
   * @throws ArgumentError unless they are a list, RangeMismatchError for rows that are not there and values that are not finite
   */
  checkRows(width: number, values: ArrayLike<number>, firstRow: number, least: number): void {
    checkNumbers("values", values);
    const rows = values.length / width;
    if (!Number.isInteger(rows)) throw new RangeMismatchError("values.length", values.length, 0, this.count * width, `Give ${width} values a row.`);
    if (!Number.isInteger(firstRow) || firstRow < 0 || firstRow + rows > this.count) {
      throw new RangeMismatchError("values: last row", firstRow + rows - 1, 0, this.count - 1, "Rows are those of `palette`.");
    }
    for (let i = 0; i < values.length; i++) {
      if (finite("values", values[i]!) < least) throw new RangeMismatchError(`values[${i}]`, values[i]!, least, Infinity);
    }
  }

  /** Writes `width` floats a row into a field of consecutive records, which are posed anew. They have been checked. */
  writeRows(field: number, width: number, values: ArrayLike<number>, firstRow: number): void {
    const { f32, i32 } = heap, end = firstRow + values.length / width;
    for (let row = firstRow, i = 0; row < end; row++, i += width) {
      const at = this.at(row);
      for (let k = 0; k < width; k++) f32[((at + field) >>> 2) + k] = values[i + k]!;
      i32[(at + CharacterField.FLAGS) >>> 2]! |= CharacterFlag.FRESH;
    }
  }

  #growTo(capacity: number): void {
    this.ptr = this.#move(this.ptr, capacity * CHARACTER_BYTES);
    this.palettePtr = this.#move(this.palettePtr, capacity * this.rowBytes);
    if (this.#otherPtr !== 0) this.#otherPtr = this.#move(this.#otherPtr, capacity * this.rowBytes);
    this.ids.grow(capacity);
  }

  #move(ptr: number, bytes: number): number {
    const moved = heap.realloc(ptr, bytes);
    this.#blocks[this.#blocks.indexOf(ptr)] = moved;
    return moved;
  }
}
