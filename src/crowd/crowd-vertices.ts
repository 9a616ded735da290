import { CLIP_SCRATCH_BYTES, ClipScratchField } from "../../assembly/layout/clipping.js";
import { RANGE_BYTES, SHAPE_SLOT_BYTES, VERTICES_BYTES, VERTICES_SLACK, VerticesField, VerticesLack } from "../../assembly/layout/crowd-vertices.js";
import { SlotRow } from "../../assembly/layout/rig2d.js";
import { ArgumentError, DisposedError, RangeMismatchError } from "../errors.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import { rig2d } from "../wasm/rig2d.js";
import type { Crowd } from "./crowd.js";
import { checkNumbers, checkOptions, flag, shown } from "./checks.js";
import { type CrowdPage, PieceTable } from "./piece-table.js";
import { RowView } from "./row-view.js";

/** Words per range in `CrowdVertices.ranges`: page, blend mode, first index, number of indices. */
export const RANGE_WORDS = RANGE_BYTES / 4;

export interface CrowdVerticesOptions {
  /** Whether colours come multiplied by alpha; dark colours have an alpha of 255 then, else 0. Default false. */
  premultiplied?: boolean | undefined;
}

/** Places in the list of blocks. */
const enum Block {
  CALL,
  SHAPES,
  VALUES,
  CLIP,
  BLENDS,
  ROWS,
  STARTS,
  POSITIONS,
  UVS,
  LIGHT,
  DARK,
  INDICES,
  RANGES,
  COUNT,
}

/**
 * Everything that characters of a crowd show as triangles in linear memory, made by one kernel call: skinned, deformed,
 * clipped, in painter's order. For engines that take vertices, exporters and physics; `CrowdRenderer` needs none of this.
 *
 * Arrays are views of all there is room for, so that frames of changing size leave no garbage: the first `vertexCount`,
 * `indexCount` and `rangeCount` items count. They are valid until the next `compute` or allocation: read the property again.
 */
export class CrowdVertices {
  readonly crowd: Crowd;
  /** Texture pages by the number in `ranges`. */
  readonly pages: readonly CrowdPage[];
  readonly #pieces: PieceTable;
  readonly #blocks: number[] = [];
  readonly #words = (first: number, last: number): Uint32Array => heap.u32.subarray(first, last);
  readonly #floats = (first: number, last: number): Float32Array => heap.f32.subarray(first, last);
  readonly #positions = new RowView(new Float32Array(0), this.#floats);
  readonly #uvs = new RowView(new Float32Array(0), this.#floats);
  readonly #light = new RowView(new Uint32Array(0), this.#words);
  readonly #dark = new RowView(new Uint32Array(0), this.#words);
  readonly #indices = new RowView(new Uint32Array(0), this.#words);
  readonly #ranges = new RowView(new Uint32Array(0), this.#words);
  readonly #starts = new RowView(new Uint32Array(0), this.#words);
  #rowCapacity = 0;
  #characters = 0;
  #isDisposed = false;

  /**
   * @param crowd - made with `slots: true`
   * @throws ArgumentError, StateError if it was not
   */
  constructor(crowd: Crowd, options: CrowdVerticesOptions = {}) {
    checkOptions("new CrowdVertices", options, ["premultiplied"]);
    const premultiplied = flag("premultiplied", options.premultiplied ?? false);
    if (typeof crowd?._describe !== "function") throw new ArgumentError(`The crowd whose vertices are wanted is ${shown(crowd)}. Give a Crowd.`, { found: crowd });
    // Says what is missing if the crowd keeps no slot states.
    void crowd.slots;
    this.crowd = crowd;
    const { data } = crowd;
    const blocks = this.#blocks;
    for (let i = 0; i < Block.COUNT; i++) blocks.push(heap.alloc(i === Block.CALL ? VERTICES_BYTES : 0));
    freeWhenCollected(this, blocks);
    this.#pieces = new PieceTable(crowd.drawables, blocks);
    this.pages = this.#pieces.pages;
    const resize = (block: Block, bytes: number): number => (blocks[block] = heap.realloc(blocks[block]!, bytes));
    const set = (field: VerticesField, value: number): void => {
      heap.u32[(blocks[Block.CALL]! + field) >> 2] = value;
    };
    set(VerticesField.PIECES, this.#pieces.ptr);
    set(VerticesField.BLENDS, resize(Block.BLENDS, data.slots.length));
    heap.u8.set(data.slots.map(({ blendMode }) => blendMode), blocks[Block.BLENDS]!);
    set(VerticesField.SLOT_BONES, data._rig.slotBones);
    set(VerticesField.PREMULTIPLIED, Number(premultiplied));
    set(VerticesField.SHAPES, resize(Block.SHAPES, data.slots.length * SHAPE_SLOT_BYTES));
    set(VerticesField.VALUES, resize(Block.VALUES, crowd._clips.shapes.meshBytes));
    set(VerticesField.CLIP, this.#makeClip());
    this.#reserve(VerticesLack.VERTICES, 1024);
    this.#reserve(VerticesLack.INDICES, 2048);
    this.#reserve(VerticesLack.RANGES, 16);
    this.#reserveRows(64);
  }

  /**
   * Makes the vertices of characters as their latest poses show them.
   * @param rows - rows (`crowd.row(id)`) in the order in which they are to be drawn. Default: all, row by row
   * @returns number of vertices
   * @throws RangeMismatchError for a row that does not exist
   */
  compute(rows: ArrayLike<number> | null = null): number {
    if (this.#isDisposed) throw new DisposedError("CrowdVertices");
    if (rows !== null) checkNumbers("rows", rows);
    const described = this.crowd._describe();
    const count = rows === null ? this.crowd.count : rows.length;
    if (count > this.#rowCapacity) this.#reserveRows(count + (count >> 1));
    const blocks = this.#blocks;
    if (rows !== null) {
      const at = blocks[Block.ROWS]! >> 2;
      const { u32 } = heap;
      for (let i = 0; i < count; i++) {
        const row = rows[i]!;
        if (!(row >= 0 && row < this.crowd.count && Number.isInteger(row))) throw new RangeMismatchError(`rows[${i}]`, row, 0, this.crowd.count - 1);
        u32[at + i] = row;
      }
    }
    const call = blocks[Block.CALL]!;
    heap.u32[(call + VerticesField.ROWS) >> 2] = rows === null ? 0 : blocks[Block.ROWS]!;
    heap.i32[(call + VerticesField.COUNT) >> 2] = count;
    // A character with many pictures may lack more than once.
    for (;;) {
      const lack = rig2d.kernels.crowdVertices(described, call) as VerticesLack;
      if (lack === VerticesLack.NOTHING) break;
      this.#reserve(lack, 2 * heap.i32[(call + CAPACITY_FIELDS[lack]!) >> 2]!);
    }
    this.#characters = count;
    return this.vertexCount;
  }

  /** Computes rows; returns the address of the deforms of the last one's slots. @internal */
  _shapesOf(rows: ArrayLike<number>): number {
    const shapes = this.#at(Block.SHAPES);
    for (let i = 0; i < this.crowd.data.slots.length; i++) heap.u32[((shapes + i * SHAPE_SLOT_BYTES) >> 2) + SlotRow.DEFORM_COUNT] = 0;
    this.compute(rows);
    return shapes;
  }

  /** Vertices of the last `compute`. */
  get vertexCount(): number {
    return this.#read(VerticesField.VERTEX_COUNT);
  }

  /** Indices of the last `compute`, three a triangle. */
  get indexCount(): number {
    return this.#read(VerticesField.INDEX_COUNT);
  }

  /** Ranges of the last `compute`. */
  get rangeCount(): number {
    return this.#read(VerticesField.RANGE_COUNT);
  }

  /** World x, y per vertex. */
  get positions(): Float32Array {
    return this.#positions.at(this.#at(Block.POSITIONS), this.#read(VerticesField.VERTEX_CAPACITY) * 2);
  }

  /** Texture coordinates u, v per vertex. */
  get uvs(): Float32Array {
    return this.#uvs.at(this.#at(Block.UVS), this.#read(VerticesField.VERTEX_CAPACITY) * 2);
  }

  /** Light colour per vertex, 0xAABBGGRR: slot, attachment and tint. */
  get light(): Uint32Array {
    return this.#light.at(this.#at(Block.LIGHT), this.#read(VerticesField.VERTEX_CAPACITY));
  }

  /** Dark colour per vertex, 0xAABBGGRR; black without a dark colour. */
  get dark(): Uint32Array {
    return this.#dark.at(this.#at(Block.DARK), this.#read(VerticesField.VERTEX_CAPACITY));
  }

  /** Three vertex numbers per triangle. */
  get indices(): Uint32Array {
    return this.#indices.at(this.#at(Block.INDICES), this.#read(VerticesField.INDEX_CAPACITY));
  }

  /**
   * Consecutive indices with one texture page and blend mode, in the order in which they are to be drawn: RANGE_WORDS each, page
   * (see `pages`), blend mode, first index, number of indices. A rig of one page without special blend modes has one range.
   */
  get ranges(): Uint32Array {
    return this.#ranges.at(this.#at(Block.RANGES), this.#read(VerticesField.RANGE_CAPACITY) * RANGE_WORDS);
  }

  /** Characters of the last `compute`. */
  get characterCount(): number {
    return this.#characters;
  }

  /** Per character that was asked for its first vertex and first index, and once more what is behind the last. */
  get starts(): Uint32Array {
    return this.#starts.at(this.#at(Block.STARTS), (this.#rowCapacity + 1) * 2);
  }

  /** Bytes of linear memory that are held. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + heap.blockBytes(block), 0);
  }

  /** Frees the memory. Safe to call twice. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    disposedByHand(this);
    for (const block of this.#blocks) heap.free(block);
    this.#blocks.length = 0;
  }

  #read(field: VerticesField): number {
    return heap.i32[(this.#at(Block.CALL) + field) >> 2]!;
  }

  #at(block: Block): number {
    if (this.#isDisposed) throw new DisposedError("CrowdVertices");
    return this.#blocks[block]!;
  }

  #set(field: VerticesField, value: number): void {
    heap.u32[(this.#blocks[Block.CALL]! + field) >> 2] = value;
  }

  #resize(block: Block, bytes: number, field: VerticesField): void {
    this.#blocks[block] = heap.realloc(this.#blocks[block]!, bytes);
    this.#set(field, this.#blocks[block]!);
  }

  #reserveRows(count: number): void {
    this.#rowCapacity = count;
    this.#resize(Block.ROWS, this.#rowCapacity * 4, VerticesField.ROWS);
    this.#resize(Block.STARTS, (this.#rowCapacity + 1) * 8, VerticesField.STARTS);
  }

  #reserve(lack: VerticesLack, capacity: number): void {
    const items = capacity + VERTICES_SLACK;
    this.#set(CAPACITY_FIELDS[lack]!, capacity);
    if (lack === VerticesLack.INDICES) return this.#resize(Block.INDICES, items * 4, VerticesField.INDICES);
    if (lack === VerticesLack.RANGES) return this.#resize(Block.RANGES, items * RANGE_BYTES, VerticesField.RANGES);
    this.#resize(Block.POSITIONS, items * 8, VerticesField.POSITIONS);
    this.#resize(Block.UVS, items * 8, VerticesField.UVS);
    this.#resize(Block.LIGHT, items * 4, VerticesField.LIGHT);
    this.#resize(Block.DARK, items * 4, VerticesField.DARK);
  }

  /** The block in which triangles are clipped, with room for the largest clip and the largest mesh. @returns its address */
  #makeClip(): number {
    const { largest, largestClip: n } = this.#pieces;
    const parts: [ClipScratchField, number][] = [
      [ClipScratchField.INPUT, (largest + VERTICES_SLACK) * 8],
      [ClipScratchField.POLYGON, (n + 1) * 16],
      [ClipScratchField.LIST, n * 4],
      [ClipScratchField.CONCAVE, n * 4],
      [ClipScratchField.TRIANGLES, n * 12],
      [ClipScratchField.PIECES, (n + 1) * n * 4],
      [ClipScratchField.CONVEX, (n * 7 + 8) * 16],
      [ClipScratchField.CUT_A, (n * 2 + 8) * 16],
      [ClipScratchField.CUT_B, (n * 2 + 8) * 16],
      [ClipScratchField.OUTSIDE, (n * 2 + 8) * 16],
    ];
    let bytes = (CLIP_SCRATCH_BYTES + 15) & ~15;
    const places = parts.map(([, size]) => {
      const place = bytes;
      bytes += (size + 15) & ~15;
      return place;
    });
    const ptr = (this.#blocks[Block.CLIP] = heap.realloc(this.#blocks[Block.CLIP]!, bytes));
    parts.forEach(([field], i) => (heap.u32[(ptr + field) >> 2] = ptr + places[i]!));
    heap.i32[(ptr + ClipScratchField.CUT_CAPACITY) >> 2] = n * 2 + 8;
    return ptr;
  }
}

/** Where the capacity of what may be lacking is. */
const CAPACITY_FIELDS: Record<number, VerticesField> = {
  [VerticesLack.VERTICES]: VerticesField.VERTEX_CAPACITY,
  [VerticesLack.INDICES]: VerticesField.INDEX_CAPACITY,
  [VerticesLack.RANGES]: VerticesField.RANGE_CAPACITY,
};
