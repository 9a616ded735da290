import { expect, it } from "vitest";
import { heapScript } from "../heap.js";

it("steady frames of constraints, foot IK, dynamic bones, alone and in batches, and of live retargeting leave no byte behind", { timeout: 240_000 }, async () => {
  const names = ["constraint stack", "foot IK", "dynamic bones", "a batch of dynamic bones", "live retargeting", "blocks of linear memory"];
  expect(await heapScript(new URL("procedural-allocation.frames.ts", import.meta.url))).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
});
