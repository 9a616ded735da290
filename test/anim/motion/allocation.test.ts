import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("a steady update of motions and of sprite players allocates nothing, and a start its builder and its handle", { timeout: 120_000 }, async () => {
  const { start, motions, sprites } = (await heapScript(new URL("allocation-probe.ts", import.meta.url))) as Record<string, number>;
  expect({ motions, sprites }).toEqual({ motions: 0, sprites: 0 });
  // Builder and handle: two headers of 24 bytes, six fields of 8, and the duration as a boxed number on its way in. The smallest
  // object that could come on top has 16 bytes.
  expect(start).toBeLessThan(2 * 24 + 6 * 8 + 16 + 16);
});
