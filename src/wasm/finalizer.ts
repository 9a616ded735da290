import { heap } from "./heap.js";

const registry = new FinalizationRegistry<readonly number[]>((blocks) => {
  for (const ptr of blocks) heap.free(ptr);
});

/**
 * Frees blocks when `owner` is collected without having been disposed. The safety net, not the plan: call `dispose()`.
 * @param blocks - addresses; the array is kept, so an owner that moves a block edits it in place
 */
export function freeWhenCollected(owner: object, blocks: readonly number[]): void {
  registry.register(owner, blocks, owner);
}

/** Withdraws the safety net; the owner frees its blocks itself. */
export function disposedByHand(owner: object): void {
  registry.unregister(owner);
}
