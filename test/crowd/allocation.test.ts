import { expect, test } from "vitest";
import { heapScript } from "../heap.js";

test("a steady frame of a crowd leaves no garbage, with events, slot states, levels of detail and vertices too", { timeout: 180_000 }, async () => {
  expect(await heapScript(new URL("allocation-scene.ts", import.meta.url))).toEqual({ plain: 0, slots: 0, vertices: 0 });
});
