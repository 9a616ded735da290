import type { Heap } from "./heap.js";

/*
 * Block   16-byte header, then the payload (16-byte aligned).
 *           +0  u32  payload bytes; bit 0 set while free, bit 1 set while the block before is free
 *           +4  u32  address of the block before (physical order), 0 for the first
 * Free    payload starts with the two links of its free list: +16 next, +20 previous
 *
 * Two-level segregated fit (Masmano, Ripoll, Crespo, Real 2004): one bitmap word says which powers of two have a free
 * block, one word per power says which of its 16 slices has. Allocation and release touch a constant number of words,
 * and neighbours merge at once, so a program that frees what it takes never moves the high-water mark.
 */
const HEADER_BYTES = 16;
const MIN_PAYLOAD = 16;
const SLICE_BITS = 4;
const SLICES = 1 << SLICE_BITS;
const FREE = 1;
const PREVIOUS_FREE = 2;
const SIZE_MASK = ~15;

/** Size class of a payload, as `power * SLICES + slice`. */
function classOf(bytes: number): number {
  if (bytes < 256) return bytes >>> 4;
  const power = 31 - Math.clz32(bytes);
  return (power - 7) * SLICES + ((bytes >>> (power - SLICE_BITS)) & (SLICES - 1));
}

/** Class whose every block is at least `bytes` long. */
function classFor(bytes: number): number {
  if (bytes < 256) return bytes >>> 4;
  const power = 31 - Math.clz32(bytes);
  return classOf(bytes + (1 << (power - SLICE_BITS)) - 1);
}

/** Hands out 16-byte-aligned blocks of linear memory and takes them back. Main thread only. */
export class Allocator {
  readonly #heap: Heap;
  readonly #start: number;
  /** First byte behind the last block. */
  #end: number;
  #last = 0;
  #powers = 0;
  readonly #slices = new Uint32Array(32);
  readonly #lists = new Uint32Array(32 * SLICES);
  #usedBytes = 0;
  #blockCount = 0;

  constructor(heap: Heap, start: number) {
    this.#heap = heap;
    this.#start = start;
    this.#end = start;
  }

  /** Payload bytes in use. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Blocks in use. */
  get blockCount(): number {
    return this.#blockCount;
  }

  /** Bytes from the start of memory to the end of the furthest block that was ever taken. */
  get highWaterBytes(): number {
    return this.#end;
  }

  /** Takes a block of at least `bytes` bytes; its content is undefined. */
  take(bytes: number): number {
    const wanted = Math.max(MIN_PAYLOAD, (bytes + 15) & SIZE_MASK);
    const ptr = (this.#findFree(wanted) || this.#append(wanted)) + HEADER_BYTES;
    this.#usedBytes += this.payloadBytes(ptr);
    this.#blockCount++;
    this.shrink(ptr, wanted);
    return ptr;
  }

  /** Payload bytes of a block in use. */
  payloadBytes(ptr: number): number {
    return this.#heap.u32[(ptr - HEADER_BYTES) >>> 2]! & SIZE_MASK;
  }

  /** Whether `ptr` is the start of a block in use, as far as its header tells. */
  isTaken(ptr: number): boolean {
    if (ptr < this.#start + HEADER_BYTES || ptr >= this.#end || (ptr & 15) !== 0) return false;
    return (this.#heap.u32[(ptr - HEADER_BYTES) >>> 2]! & FREE) === 0;
  }

  /** Gives back what lies behind the first `bytes` of a block in use, of which there is at least one. */
  shrink(ptr: number, bytes: number): void {
    const u32 = this.#heap.u32;
    const tail = ptr + ((bytes + 15) & SIZE_MASK);
    const rest = this.payloadBytes(ptr) - (tail - ptr) - HEADER_BYTES;
    if (rest < MIN_PAYLOAD) return;
    // What lies behind becomes a block in use, which is then released.
    u32[(ptr - HEADER_BYTES) >>> 2]! -= rest + HEADER_BYTES;
    u32[tail >>> 2] = rest;
    u32[(tail + 4) >>> 2] = ptr - HEADER_BYTES;
    this.#usedBytes -= HEADER_BYTES;
    this.#blockCount++;
    this.release(tail + HEADER_BYTES);
  }

  /** Gives a block back. */
  release(ptr: number): void {
    const u32 = this.#heap.u32;
    let block = ptr - HEADER_BYTES;
    let bytes = u32[block >>> 2]! & SIZE_MASK;
    this.#usedBytes -= bytes;
    this.#blockCount--;

    if ((u32[block >>> 2]! & PREVIOUS_FREE) !== 0) {
      const previous = u32[(block + 4) >>> 2]!;
      this.#unlink(previous);
      bytes += HEADER_BYTES + (u32[previous >>> 2]! & SIZE_MASK);
      block = previous;
    }
    let next = block + HEADER_BYTES + bytes;
    if (next < this.#end && (u32[next >>> 2]! & FREE) !== 0) {
      this.#unlink(next);
      bytes += HEADER_BYTES + (u32[next >>> 2]! & SIZE_MASK);
      next = block + HEADER_BYTES + bytes;
    }
    u32[block >>> 2] = bytes | FREE | (u32[block >>> 2]! & PREVIOUS_FREE);
    if (next < this.#end) {
      u32[next >>> 2] = u32[next >>> 2]! | PREVIOUS_FREE;
      u32[(next + 4) >>> 2] = block;
    } else {
      this.#last = block;
    }
    this.#link(block, bytes);
  }

  #append(bytes: number): number {
    // A free block at the very end is extended instead of left behind as a hole.
    const u32Before = this.#heap.u32;
    if (this.#last !== 0 && (u32Before[this.#last >>> 2]! & FREE) !== 0) {
      const last = this.#last;
      this.#heap.reserve(last + HEADER_BYTES + bytes);
      this.#unlink(last);
      const u32 = this.#heap.u32;
      u32[last >>> 2] = bytes | (u32[last >>> 2]! & PREVIOUS_FREE);
      this.#end = last + HEADER_BYTES + bytes;
      return last;
    }
    const block = this.#end;
    this.#heap.reserve(block + HEADER_BYTES + bytes);
    const u32 = this.#heap.u32;
    u32[block >>> 2] = bytes;
    u32[(block + 4) >>> 2] = this.#last;
    this.#last = block;
    this.#end = block + HEADER_BYTES + bytes;
    return block;
  }

  #findFree(bytes: number): number {
    const wanted = classFor(bytes);
    let power = wanted >>> SLICE_BITS;
    let slices = this.#slices[power]! & (~0 << (wanted & (SLICES - 1)));
    if (slices === 0) {
      const powers = power === 31 ? 0 : this.#powers & (~0 << (power + 1));
      if (powers === 0) return 0;
      power = 31 - Math.clz32(powers & -powers);
      slices = this.#slices[power]!;
    }
    const slice = 31 - Math.clz32(slices & -slices);
    const block = this.#lists[power * SLICES + slice]!;
    this.#unlink(block);
    // Neighbours of a free block are in use.
    const u32 = this.#heap.u32;
    const next = block + HEADER_BYTES + (u32[block >>> 2]! -= FREE);
    if (next < this.#end) u32[next >>> 2]! -= PREVIOUS_FREE;
    return block;
  }

  #link(block: number, bytes: number): void {
    const u32 = this.#heap.u32;
    const index = classOf(bytes);
    const head = this.#lists[index]!;
    u32[(block + 16) >>> 2] = head;
    u32[(block + 20) >>> 2] = 0;
    if (head !== 0) u32[(head + 20) >>> 2] = block;
    this.#lists[index] = block;
    const power = index >>> SLICE_BITS;
    this.#slices[power] = this.#slices[power]! | (1 << (index & (SLICES - 1)));
    this.#powers |= 1 << power;
  }

  #unlink(block: number): void {
    const u32 = this.#heap.u32;
    const next = u32[(block + 16) >>> 2]!;
    const previous = u32[(block + 20) >>> 2]!;
    if (next !== 0) u32[(next + 20) >>> 2] = previous;
    if (previous !== 0) {
      u32[(previous + 16) >>> 2] = next;
      return;
    }
    const index = classOf(u32[block >>> 2]! & SIZE_MASK);
    this.#lists[index] = next;
    if (next !== 0) return;
    const power = index >>> SLICE_BITS;
    this.#slices[power] = this.#slices[power]! & ~(1 << (index & (SLICES - 1)));
    if (this.#slices[power] === 0) this.#powers &= ~(1 << power);
  }
}
