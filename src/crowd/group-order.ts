import { InstanceField, NO_CLIP, NO_INSTANCE } from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";
import type { Instances } from "./instances.js";

/**
 * Which four characters share a register: all of one variant (a must, they share its update program), and as far as
 * possible of one clip, so that their channels are sampled together. Sorted anew when something changed.
 */
export class GroupOrder {
  /** Address of the order (layout/crowd.ts). */
  ptr = 0;
  groupCount = 0;
  #capacity = 0;
  #isStale = true;
  #counts = new Uint32Array(0);

  /** Something that decides the order has changed. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** @returns whether the order was stale */
  refresh(instances: Instances, variantCount: number, clipCount: number): boolean {
    if (!this.#isStale) return false;
    this.#isStale = false;
    // Per variant: no clip, every clip, and those that mix.
    const keysPerVariant = clipCount + 2;
    const keyCount = variantCount * keysPerVariant;
    if (this.#counts.length < keyCount + 1) this.#counts = new Uint32Array(keyCount + 1);
    const counts = this.#counts.fill(0);
    const { count } = instances;
    for (let row = 0; row < count; row++) {
      const key = keyOf(instances.at(row), keysPerVariant);
      counts[key] = counts[key]! + 1;
    }
    // Places: each variant starts a new group.
    let place = 0;
    for (let variant = 0; variant < variantCount; variant++) {
      place = (place + 3) & ~3;
      for (let key = variant * keysPerVariant, end = key + keysPerVariant; key < end; key++) {
        const size = counts[key]!;
        counts[key] = place;
        place += size;
      }
    }
    this.groupCount = (place + 3) >> 2;
    this.#reserve(this.groupCount * 4);
    const order = this.ptr >> 2;
    heap.u32.fill(NO_INSTANCE, order, order + this.groupCount * 4);
    for (let row = 0; row < count; row++) {
      const key = keyOf(instances.at(row), keysPerVariant);
      const at = counts[key]!;
      counts[key] = at + 1;
      heap.u32[order + at] = row;
    }
    return true;
  }

  dispose(): void {
    if (this.ptr !== 0) heap.free(this.ptr);
    this.ptr = 0;
  }

  #reserve(places: number): void {
    if (places <= this.#capacity) return;
    const capacity = Math.max(64, places * 2);
    if (this.ptr !== 0) heap.free(this.ptr);
    this.ptr = heap.alloc(capacity * 4);
    this.#capacity = capacity;
  }
}

function keyOf(at: number, keysPerVariant: number): number {
  const { i32, u32 } = heap;
  const variant = u32[(at + InstanceField.VARIANT) >> 2]! * keysPerVariant;
  const isMixing = i32[(at + InstanceField.FADE_CLIP) >> 2] !== NO_CLIP || i32[(at + InstanceField.OVERLAY_CLIP) >> 2] !== NO_CLIP;
  return isMixing ? variant + keysPerVariant - 1 : variant + i32[(at + InstanceField.CLIP) >> 2]! + 1;
}
