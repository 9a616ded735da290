import { heap } from "../wasm/heap.js";

/** Blocks taken at a time: many if they are small. */
const MOST_PER_SLAB = 64;
const FEWEST_PER_SLAB = 4;
const SLAB_BYTES = 1 << 16;

/** Lends blocks of one size, in slabs that its owner frees. Blocks are zeroed when they are taken. */
export class BlockPool {
  readonly bytes: number;
  readonly #blocks: number[];
  readonly #free: number[] = [];
  readonly #perSlab: number;

  /**
   * @param bytes - size of a block, rounded up to 16
   * @param blocks - every slab is added; its owner frees them
   */
  constructor(bytes: number, blocks: number[]) {
    this.bytes = (bytes + 15) & ~15;
    this.#perSlab = Math.max(FEWEST_PER_SLAB, Math.min(MOST_PER_SLAB, Math.floor(SLAB_BYTES / this.bytes)));
    this.#blocks = blocks;
  }

  take(): number {
    let ptr = this.#free.pop();
    if (ptr === undefined) {
      const slab = heap.alloc(this.bytes * this.#perSlab);
      this.#blocks.push(slab);
      for (let i = this.#perSlab - 1; i > 0; i--) this.#free.push(slab + i * this.bytes);
      ptr = slab;
    }
    heap.u8.fill(0, ptr, ptr + this.bytes);
    return ptr;
  }

  give(ptr: number): void {
    this.#free.push(ptr);
  }
}
