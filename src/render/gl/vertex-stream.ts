import { DisposedError } from "../../errors.js";
import type { Skeleton } from "../../spine/model/skeleton.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";

const POSITIONS = 0;
const STARTS = 1;

/**
 * Positions of a whole frame in linear memory, x and y per vertex: kernels write them, the graphics card reads them.
 * @internal
 */
export class VertexStream {
  readonly #blocks: number[];
  #capacity = 4096;
  #slotCapacity = 64;
  /** Vertices so far. */
  count = 0;

  constructor() {
    this.#blocks = [heap.alloc(this.#capacity * 8), heap.alloc(this.#slotCapacity * 4)];
    freeWhenCollected(this, this.#blocks);
  }

  /**
   * Appends everything that a skeleton shows.
   * @returns index of the first new vertex; `startOf` tells which vertices belong to a slot
   */
  append(skeleton: Skeleton): number {
    if (this.#blocks.length === 0) throw new DisposedError("SkeletonRenderer");
    skeleton._assertAlive();
    const slots = skeleton.drawOrder.appliedPose.length;
    if (slots > this.#slotCapacity) {
      this.#blocks[STARTS] = heap.realloc(this.#blocks[STARTS]!, slots * 4);
      this.#slotCapacity = slots;
    }
    const order = skeleton._drawIndices();
    const first = this.count;
    let added = this.#compute(skeleton, order, slots);
    if (first + added > this.#capacity) {
      this.reserve(added);
      added = this.#compute(skeleton, order, slots);
    }
    this.count = first + added;
    return first;
  }

  #compute(skeleton: Skeleton, order: number, slots: number): number {
    return rig2d.kernels.skeletonVertices(
      skeleton._program, skeleton._block, order, slots, this.#blocks[STARTS]!, this.#blocks[POSITIONS]! + this.count * 8,
      this.#capacity - this.count,
    );
  }

  /** First vertex, counted from the skeleton's first, of the slot at a place of the draw order; -1 for none. */
  startOf(place: number): number {
    return heap.i32[(this.#blocks[STARTS]! >> 2) + place]!;
  }

  /** Makes room for further vertices. */
  reserve(vertices: number): void {
    if (this.count + vertices <= this.#capacity) return;
    this.#capacity = (this.count + vertices) * 2;
    this.#blocks[POSITIONS] = heap.realloc(this.#blocks[POSITIONS]!, this.#capacity * 8);
  }

  /** Index in `heap.f32` of a vertex. */
  indexOf(vertex: number): number {
    return (this.#blocks[POSITIONS]! >> 2) + vertex * 2;
  }

  dispose(): void {
    if (this.#blocks.length === 0) return;
    disposedByHand(this);
    for (const block of this.#blocks) heap.free(block);
    this.#blocks.length = 0;
  }
}
