import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("searches and updates with transitions and foot lock leave no byte behind, a group at most a boxed number a character", { timeout: 240_000 }, async () => {
  const { group, ...results } = await heapScript<Record<string, number>>(new URL("allocation.frames.ts", import.meta.url));
  expect(Object.keys(results).length).toBe(7);
  expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, 0])));
  // Windows of 1000 updates of 8 characters: a boxed number has 16 bytes.
  expect(group! / 8000).toBeLessThanOrEqual(16);
});
