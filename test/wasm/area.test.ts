import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { Area } from "../../src/wasm/area.js";
import { RIG2D_WASM, type Rig2dKernels } from "../../src/wasm/generated/rig2d.js";
import { Heap } from "../../src/wasm/heap.js";

describe.each([false, true])("kernels over memory that is shared: %s", (shared) => {
  test("run after a synchronous first access", () => {
    const heap = new Heap();
    heap.configure({ shared });
    const area = new Area<Rig2dKernels>("rig2d", RIG2D_WASM, heap);
    expect(area.kernels.version()).toBe(1);
    expect(heap.shared).toBe(shared);
    expect(heap.memory.buffer instanceof ArrayBuffer).toBe(!shared);
    heap.alloc(16 << 20);
    expect(area.kernels.version()).toBe(1);
  });
});

test("a worker instantiates the same module over the same memory", async () => {
  const heap = new Heap();
  heap.configure({ shared: true });
  const area = new Area<Rig2dKernels>("rig2d", RIG2D_WASM, heap);
  const ptr = heap.alloc(16);
  heap.i32[ptr >> 2] = 41;
  const worker = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
     const { module, memory, ptr } = workerData;
     const { exports } = new WebAssembly.Instance(module, { env: { memory } });
     new Int32Array(memory.buffer)[ptr >> 2] += exports.version();
     parentPort.postMessage("done");`,
    { eval: true, workerData: { module: area.module, memory: heap.memory, ptr } },
  );
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  await worker.terminate();
  expect(heap.i32[ptr >> 2]).toBe(42);
});

test("bytes that are no module are an OsteonError that says so", () => {
  const area = new Area<Rig2dKernels>("rig2d", "AAAA", new Heap());
  expect(() => area.kernels).toThrowError(/could not be compiled/);
});
