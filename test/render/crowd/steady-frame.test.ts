import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { heapScript } from "../../heap.js";

it("leaves no garbage behind when a crowd is updated and drawn", { timeout: 120_000 }, async () => {
  const assets = fileURLToPath(new URL("../../../examples/assets/fennel", import.meta.url));
  const { bytes, drawn, drawCalls } = await heapScript<{ bytes: number; drawn: number; drawCalls: number }>(new URL("steady-frame.ts", import.meta.url), assets);
  expect(drawn).toBeGreaterThan(10);
  expect(drawCalls).toBeGreaterThan(0);
  expect(bytes).toBe(0);
});
