import { expect, it } from "vitest";
import { heapScript } from "../heap.js";

/** Frames of a window, as the script measures them. */
const FRAMES = 2000;

it("steady frames of dynamic bones, alone and in batches, and of live retargeting leave no byte behind; constraints and feet a few boxed numbers", { timeout: 240_000 }, async () => {
  const { "constraint stack": constraints, "foot IK": feet, ...rest } = await heapScript(new URL("procedural-allocation.frames.ts", import.meta.url));
  expect(rest).toEqual({ "dynamic bones": 0, "a batch of dynamic bones": 0, "live retargeting": 0, "blocks of linear memory": 0 });
  console.log(`bytes a frame: ${constraints! / FRAMES} of five constraints, ${feet! / FRAMES} of two feet`);
  // Places go through arguments of the pose's methods, where the engine boxes some of them; the young generation takes that.
  expect(constraints! / FRAMES).toBeLessThan(800);
  expect(feet! / FRAMES).toBeLessThan(600);
});
