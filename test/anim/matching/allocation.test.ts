import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("searches and updates with transitions and foot lock leave no byte behind, alone and in groups", { timeout: 240_000 }, async () => {
  const { "first group": first, ...results } = await heapScript<Record<string, number>>(new URL("allocation.frames.ts", import.meta.url));
  expect(Object.keys(results).length).toBe(9);
  expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, 0])));
  // Windows of 1000 updates of 8 characters. What the engine does not inline boxes a number of 16 bytes for some of them.
  expect(first! / 8000).toBeLessThanOrEqual(16);
});
