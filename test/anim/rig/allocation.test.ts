import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("a steady frame leaves no byte behind, on the heap and in linear memory", { timeout: 120_000 }, async () => {
  const results = await heapScript(new URL("allocation.frames.ts", import.meta.url));
  expect(Object.keys(results).length).toBe(10);
  for (const [frame, bytes] of Object.entries(results)) expect(bytes, frame).toBe(0);
});
