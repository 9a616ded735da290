import { heap } from "../../wasm/heap.js";

/** A block that grows on demand and is reused: room for results that are copied out at once. @internal */
export class ScratchBlock {
  #ptr = 0;
  #capacity = 0;

  /** Address of a block of at least `bytes` bytes; what it held before may be lost. */
  reserve(bytes: number): number {
    if (bytes <= this.#capacity) return this.#ptr;
    if (this.#ptr !== 0) heap.free(this.#ptr);
    this.#capacity = Math.max(1024, bytes, this.#capacity * 2);
    this.#ptr = 0;
    this.#ptr = heap.alloc(this.#capacity);
    return this.#ptr;
  }
}
