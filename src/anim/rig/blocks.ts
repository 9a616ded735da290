/** Blocks of linear memory that one object owns; the list is what its safety net frees. @internal */
import { disposedByHand } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";

/** Takes a zeroed block and notes it. */
export function takeBlock(owned: number[], bytes: number): number {
  const ptr = heap.alloc(bytes);
  owned.push(ptr);
  return ptr;
}

/** Gives a block back; 0 is none. */
export function dropBlock(owned: number[], ptr: number): void {
  if (ptr === 0) return;
  owned.splice(owned.indexOf(ptr), 1);
  heap.free(ptr);
}

/** Gives all blocks back and withdraws the safety net. */
export function dropAll(owner: object, owned: number[]): void {
  disposedByHand(owner);
  for (const ptr of owned) heap.free(ptr);
  owned.length = 0;
}
