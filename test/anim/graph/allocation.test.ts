import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("steady frames of graphs, machines, mixers, groups and batches leave no byte behind, on the heap and in linear memory", { timeout: 240_000 }, async () => {
  const results = await heapScript(new URL("allocation.frames.ts", import.meta.url));
  expect(Object.keys(results).length).toBe(22);
  expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, 0])));
});
