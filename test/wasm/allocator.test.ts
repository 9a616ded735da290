import { describe, expect, test } from "vitest";
import { OutOfMemoryError, StateError } from "../../src/errors.js";
import { Heap } from "../../src/wasm/heap.js";
import fc, { runs } from "../properties.js";

describe.each([false, true])("blocks of a heap, shared %s", (shared) => {
  const create = (maximumBytes?: number): Heap => {
    const heap = new Heap();
    heap.configure({ shared, maximumBytes });
    return heap;
  };

  test("are aligned, zeroed and disjoint under random use", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5000), fc.boolean(), fc.nat(1000)), { maxLength: 300 }), (steps) => {
        const heap = create();
        const blocks: { ptr: number; bytes: number; mark: number }[] = [];
        for (const [bytes, release, pick] of steps) {
          if (release && blocks.length > 0) {
            const [block] = blocks.splice(pick % blocks.length, 1);
            for (let i = 0; i < block!.bytes; i++) expect(heap.u8[block!.ptr + i]).toBe(block!.mark);
            heap.free(block!.ptr);
          } else {
            const ptr = heap.alloc(bytes);
            expect(ptr % 16).toBe(0);
            for (let i = 0; i < bytes; i++) if (heap.u8[ptr + i] !== 0) throw new Error("not zeroed");
            const mark = 1 + (pick % 255);
            heap.u8.fill(mark, ptr, ptr + bytes);
            blocks.push({ ptr, bytes, mark });
          }
        }
        for (const block of blocks) {
          for (let i = 0; i < block.bytes; i++) if (heap.u8[block.ptr + i] !== block.mark) throw new Error("overwritten");
          heap.free(block.ptr);
        }
        expect(heap.usedBytes).toBe(0);
        expect(heap.blockCount).toBe(0);
      }),
      { numRuns: runs(60) },
    );
  });

  test("are reused, so that 10,000 rounds keep the high-water mark", () => {
    const heap = create();
    const round = (seed: number): void => {
      const held: number[] = [];
      for (let i = 0; i < 20; i++) held.push(heap.alloc(((seed * 7919 + i * 104729) % 3000) + 1));
      for (let i = 0; i < held.length; i += 2) heap.free(held[i]!);
      for (let i = 1; i < held.length; i += 2) heap.free(held[i]!);
    };
    for (let i = 0; i < 3000; i++) round(i);
    const mark = heap.highWaterBytes;
    for (let i = 0; i < 10_000; i++) round(i % 3000);
    expect(heap.highWaterBytes).toBe(mark);
    expect(heap.usedBytes).toBe(0);
  });

  test("shrink in place and give back what lies behind, under random use", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.nat(3000), fc.nat(2)), { maxLength: 200 }), (steps) => {
        const heap = create();
        const blocks: { ptr: number; bytes: number }[] = [];
        for (const [bytes, rest, what] of steps) {
          if (what === 2 && blocks.length > 0) {
            heap.free(blocks.splice(rest % blocks.length, 1)[0]!.ptr);
            continue;
          }
          const ptr = heap.alloc(bytes);
          heap.u8.fill(1 + (ptr >> 4) % 255, ptr, ptr + bytes);
          const kept = Math.max(1, what === 0 ? bytes : Math.min(bytes, rest));
          heap.shrink(ptr, kept);
          expect(heap.blockBytes(ptr)).toBeGreaterThanOrEqual(kept);
          expect(heap.blockBytes(ptr)).toBeLessThan(kept + 48);
          blocks.push({ ptr, bytes: kept });
        }
        expect(heap.blockCount).toBe(blocks.length);
        expect(heap.usedBytes).toBe(blocks.reduce((sum, { ptr }) => sum + heap.blockBytes(ptr), 0));
        for (const { ptr, bytes } of blocks) {
          for (let i = 0; i < bytes; i++) if (heap.u8[ptr + i] !== 1 + (ptr >> 4) % 255) throw new Error("overwritten");
          heap.free(ptr);
        }
        expect(heap.usedBytes).toBe(0);
        const whole = heap.alloc(Math.max(0, heap.highWaterBytes - 2048));
        expect(whole).toBeLessThan(2048);
      }),
      { numRuns: runs(60) },
    );
  });

  test("keep their content when memory grows and when they are moved", () => {
    const heap = create();
    const small = heap.alloc(64);
    heap.f32[small >> 2] = 42;
    const generation = heap.generation;
    const large = heap.alloc(8 << 20);
    expect(heap.generation).toBeGreaterThan(generation);
    expect(heap.f32[small >> 2]).toBe(42);
    heap.u8[large + (8 << 20) - 1] = 9;
    const moved = heap.realloc(small, 4096);
    expect(heap.f32[moved >> 2]).toBe(42);
    expect(heap.u8.subarray(moved + 64, moved + 4096).every((byte) => byte === 0)).toBe(true);
  });

  test("beyond the limit are an OutOfMemoryError, and the heap goes on working", () => {
    const heap = create(2 << 20);
    expect(() => heap.alloc(4 << 20)).toThrow(OutOfMemoryError);
    expect(() => heap.alloc(Number.NaN)).toThrow(OutOfMemoryError);
    expect(heap.u8[heap.alloc(1024)]).toBe(0);
  });

  test("freed twice are a StateError", () => {
    const heap = create();
    const a = heap.alloc(32);
    heap.alloc(32);
    heap.free(a);
    expect(() => heap.free(a)).toThrow(StateError);
    expect(() => heap.free(12345)).toThrow(StateError);
  });
});

test("memory cannot be configured once it exists", () => {
  const heap = new Heap();
  heap.alloc(1);
  expect(() => heap.configure({ shared: false })).toThrow(StateError);
});
