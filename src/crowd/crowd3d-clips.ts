/** The clips that a 3D crowd has played, and where their forms lie. @internal */
import { SAMPLE_SCRATCH_BYTES } from "../../assembly/layout/rig3d.js";
import type { AnimClip } from "../anim/rig/clip.js";
import { heap } from "../wasm/heap.js";

const FIRST_CAPACITY = 8;

export class Crowd3DClips {
  /** By index; records name clips by index + 1. */
  readonly list: AnimClip[] = [];
  /** Address of the table of descriptors' addresses. */
  ptr = 0;
  readonly #index = new Map<AnimClip, number>();
  #capacity = 0;
  readonly #blocks: number[];

  /** @param blocks - the table is kept there; its owner frees it */
  constructor(blocks: number[]) {
    this.#blocks = blocks;
  }

  /** Index + 1 of a clip, which is added if it is new. */
  register(clip: AnimClip): number {
    const known = this.#index.get(clip);
    if (known !== undefined) return known;
    if (this.list.length === this.#capacity) {
      const capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2), ptr = heap.alloc(capacity * 4), old = this.ptr;
      if (old === 0) {
        this.#blocks.push(ptr);
      } else {
        heap.u8.copyWithin(ptr, old, old + this.#capacity * 4);
        this.#blocks[this.#blocks.indexOf(old)] = ptr;
        heap.free(old);
      }
      this.ptr = ptr;
      this.#capacity = capacity;
    }
    const index = this.list.push(clip);
    this.#index.set(clip, index);
    return index;
  }

  /** The clip of a record's number, or null. */
  at(number: number): AnimClip | null {
    return this.list[number - 1] ?? null;
  }

  /** Writes where the clips' forms lie now; returns the scratch that the hungriest needs. */
  refresh(): number {
    let bytes = SAMPLE_SCRATCH_BYTES;
    for (let i = 0; i < this.list.length; i++) {
      const data = this.list[i]!.data();
      heap.u32[(this.ptr >>> 2) + i] = data.ptr;
      if (data.scratchBytes > bytes) bytes = data.scratchBytes;
    }
    return bytes;
  }
}
