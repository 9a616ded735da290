import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("a steady update of motions and of sprite players allocates nothing", { timeout: 120_000 }, async () => {
  expect(await heapScript(new URL("allocation-probe.ts", import.meta.url))).toEqual({ motions: 0, sprites: 0 });
});
