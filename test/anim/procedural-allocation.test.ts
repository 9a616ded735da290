import { expect, it } from "vitest";
import { heapScript } from "../heap.js";

/** Frames of a window, as the script measures them. */
const FRAMES = 2000;

it("steady frames of constraints, dynamic bones, alone and in batches, and of live retargeting leave no byte behind; feet a few boxed numbers", { timeout: 240_000 }, async () => {
  const { "foot IK": feet, ...rest } = await heapScript(new URL("procedural-allocation.frames.ts", import.meta.url));
  expect(rest).toEqual({ "constraint stack": 0, "dynamic bones": 0, "a batch of dynamic bones": 0, "live retargeting": 0, "blocks of linear memory": 0 });
  console.log(`bytes a frame: ${feet! / FRAMES} of two feet`);
  expect(feet! / FRAMES).toBeLessThan(600);
});
