import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("leaves no garbage behind in a steady frame: poses, vertices, commands, boxes and bounds", { timeout: 120_000 }, async () => {
  const bytes = await heapScript(new URL("steady-frame.ts", import.meta.url));
  expect(bytes).toEqual({ pose: 0, setup: 0, vertices: 0, commands: 0, boxes: 0, bounds: 0 });
});
