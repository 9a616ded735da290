import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { DisposedError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { Skeleton } from "./skeleton.js";

/** Places in the list of blocks. */
const STARTS = 0;
const VERTICES = 1;

/**
 * World vertices of everything that a skeleton shows, computed by one call into one buffer: regions (four corners: bottom left,
 * top left, top right, bottom right) and meshes, in draw order, deformed and weighted as `computeWorldVertices` does. Clipping
 * is not applied. One object serves any number of skeletons, one after the other.
 */
export class SkeletonVertices {
  /** Number of vertices of the last `compute`. */
  vertexCount = 0;
  readonly #blocks: number[] = [0, 0];
  #slotCapacity = 0;
  #vertexCapacity = 0;
  #slotCount = 0;
  #vertices = new Float32Array(0);
  #starts = new Int32Array(0);
  #generation = -1;

  constructor() {
    this.#blocks[STARTS] = heap.alloc(16);
    this.#blocks[VERTICES] = heap.alloc(16);
    freeWhenCollected(this, this.#blocks);
  }

  /**
   * Computes the vertices of a skeleton; call it after `updateWorldTransform`.
   * @returns the number of vertices
   */
  compute(skeleton: Skeleton): number {
    if (this.#blocks.length === 0) throw new DisposedError("SkeletonVertices");
    skeleton._assertAlive();
    const count = skeleton.drawOrder.appliedPose.length;
    if (count > this.#slotCapacity) this.#reserveSlots(count);
    const orderPtr = skeleton._drawIndices();
    const startsPtr = this.#blocks[STARTS]!;
    const { skeletonVertices } = rig2d.kernels;
    const { _program: program, _block: pose } = skeleton;
    let total = skeletonVertices(program, pose, orderPtr, count, startsPtr, this.#blocks[VERTICES]!, this.#vertexCapacity);
    if (total > this.#vertexCapacity) {
      this.#reserveVertices(total);
      total = skeletonVertices(program, pose, orderPtr, count, startsPtr, this.#blocks[VERTICES]!, this.#vertexCapacity);
    }
    this.#slotCount = count;
    return (this.vertexCount = total);
  }

  /** x, y per vertex. A view that is valid until the next allocation or `compute`. */
  get vertices(): Float32Array {
    this.#refresh();
    return this.#vertices;
  }

  /** For each slot of `drawOrder.appliedPose` the index of its first vertex, -1 if it shows no region or mesh. Valid like `vertices`. */
  get starts(): Int32Array {
    this.#refresh();
    return this.#starts;
  }

  /** Makes the views anew where memory has moved or the counts have changed. */
  #refresh(): void {
    if (this.#blocks.length === 0) throw new DisposedError("SkeletonVertices");
    const values = this.vertexCount * 2;
    const moved = this.#generation !== heap.generation;
    if (moved || this.#vertices.length !== values) {
      const at = this.#blocks[VERTICES]! >> 2;
      this.#vertices = heap.f32.subarray(at, at + values);
    }
    if (moved || this.#starts.length !== this.#slotCount) {
      const at = this.#blocks[STARTS]! >> 2;
      this.#starts = heap.i32.subarray(at, at + this.#slotCount);
    }
    this.#generation = heap.generation;
  }

  #reserveSlots(count: number): void {
    this.#blocks[STARTS] = heap.realloc(this.#blocks[STARTS]!, count * 4);
    this.#slotCapacity = count;
    this.#generation = -1;
  }

  #reserveVertices(count: number): void {
    const capacity = Math.max(64, count + (count >> 1));
    heap.free(this.#blocks[VERTICES]!);
    this.#blocks[VERTICES] = heap.alloc(capacity * 8);
    this.#vertexCapacity = capacity;
    this.#generation = -1;
  }

  /** Frees the buffer. Safe to call twice. */
  dispose(): void {
    if (this.#blocks.length === 0) return;
    disposedByHand(this);
    for (const ptr of this.#blocks) heap.free(ptr);
    this.#blocks.length = 0;
    this.vertexCount = 0;
  }
}
