/** Clips in linear memory: what all forms have in common, and what a sampler keeps between calls. @internal */
import {
  CLIP_DURATION, CLIP_FORM, CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_TABLE_COUNT, CLIP_TABLES, SAMPLE_SCRATCH_BYTES,
} from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";

/** A form of a clip: a block that starts with a clip descriptor (layout/rig3d.ts). */
export interface ClipData {
  /** "raw", "uniform" or "keyframed". */
  readonly form: string;
  /** Size of the block. */
  readonly bytes: number;
  /** Address of the descriptor; changes only with the clip. */
  readonly ptr: number;
  /** Scratch that a sampler of this clip needs; never less than SAMPLE_SCRATCH_BYTES is given. */
  readonly scratchBytes: number;
}

/** The fields that every form has. */
export function writeDescriptor(
  ptr: number, form: number, tablesPtr: number, tableCount: number, groupsPtr: number, groupCount: number, duration: number,
): void {
  heap.i32[(ptr + CLIP_FORM) >>> 2] = form;
  heap.u32[(ptr + CLIP_TABLES) >>> 2] = tablesPtr;
  heap.i32[(ptr + CLIP_TABLE_COUNT) >>> 2] = tableCount;
  heap.u32[(ptr + CLIP_GROUPS) >>> 2] = groupsPtr;
  heap.i32[(ptr + CLIP_GROUP_COUNT) >>> 2] = groupCount;
  heap.f64[(ptr + CLIP_DURATION) >>> 3] = duration;
}

/** Scratch of one sampler. Where the last sample found its keys lies there, as a hint that never changes a result. */
export class SampleContext {
  readonly #owned: number[] = [];
  #ptr = 0;
  #bytes = 0;

  constructor() {
    freeWhenCollected(this, this.#owned);
  }

  /** Address of scratch for a clip. */
  scratch(bytes: number): number {
    if (bytes > this.#bytes || this.#ptr === 0) {
      const size = Math.max(SAMPLE_SCRATCH_BYTES, bytes, this.#bytes * 2);
      const ptr = takeBlock(this.#owned, size);
      dropBlock(this.#owned, this.#ptr);
      this.#ptr = ptr;
      this.#bytes = size;
    }
    return this.#ptr;
  }

  dispose(): void {
    dropAll(this, this.#owned);
    this.#ptr = 0;
    this.#bytes = 0;
  }
}

let shared: SampleContext | undefined;

/** The context of samplers that keep none. */
export function sharedContext(): SampleContext {
  return (shared ??= new SampleContext());
}
