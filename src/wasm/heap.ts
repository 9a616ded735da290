import { ArgumentError, OutOfMemoryError, StateError } from "../errors.js";
import { Allocator } from "./allocator.js";

const PAGE_BYTES = 65536;
/** Address of the first block. Kernels have no static data; what lies below stays unused, so that 0 is never an address. */
const FIRST_BLOCK = 1024;
const FIRST_PAGES = 16;
/** The maximum that the kernels' memory import declares; a memory may be smaller, never larger. */
export const MAXIMUM_PAGES = 32768;
/** A shared memory reserves its maximum up front, so it asks for less. */
const DEFAULT_SHARED_PAGES = 16384;

export interface MemoryOptions {
  /**
   * `true` for memory that threads can share. Default: where the platform can hand it to a worker
   * (Node, cross-origin isolated pages).
   */
  shared?: boolean | undefined;
  /** Upper limit of linear memory, in bytes; at most 2 GiB. Default 2 GiB unshared, 1 GiB shared. */
  maximumBytes?: number | undefined;
}

/** Whether this platform can share a WebAssembly memory with a worker. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === "undefined") return false;
  // Chromium constructs shared memories without isolation but cannot post them.
  return (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true;
}

/**
 * The one linear memory, its typed-array views and its blocks.
 *
 * The views are replaced whenever memory grows, so read them through this object every time and keep none across
 * an allocation. Memory is created by the first allocation.
 */
export class Heap {
  f32!: Float32Array<ArrayBuffer>;
  f64!: Float64Array<ArrayBuffer>;
  i32!: Int32Array<ArrayBuffer>;
  u32!: Uint32Array<ArrayBuffer>;
  i16!: Int16Array<ArrayBuffer>;
  u16!: Uint16Array<ArrayBuffer>;
  u8!: Uint8Array<ArrayBuffer>;
  /** Counts how often the views were replaced. */
  generation = -1;

  #memory: WebAssembly.Memory | undefined;
  #shared = false;
  #maximumPages = 0;
  #options: MemoryOptions = {};
  #allocator = new Allocator(this, FIRST_BLOCK);

  constructor() {
    this.#refresh();
  }

  /**
   * Chooses the kind of memory. Must come before anything is created.
   * @throws StateError once memory exists
   */
  configure(options: MemoryOptions): void {
    if (this.#memory !== undefined) {
      throw new StateError("configureMemory must be called before anything is created.");
    }
    const limit = options.maximumBytes;
    if (limit !== undefined && !(limit >= FIRST_PAGES * PAGE_BYTES && limit <= MAXIMUM_PAGES * PAGE_BYTES)) {
      throw new ArgumentError(
        `maximumBytes is ${limit}, expected ${FIRST_PAGES * PAGE_BYTES}..${MAXIMUM_PAGES * PAGE_BYTES}.`,
        { found: limit },
      );
    }
    this.#options = { ...options };
  }

  /** The memory that kernels are instantiated over. */
  get memory(): WebAssembly.Memory {
    if (this.#memory === undefined) this.#create();
    return this.#memory!;
  }

  /** Whether threads can share this memory. */
  get shared(): boolean {
    return this.memory && this.#shared;
  }

  /** Payload bytes in use. */
  get usedBytes(): number {
    return this.#allocator.usedBytes;
  }

  /** Blocks in use. */
  get blockCount(): number {
    return this.#allocator.blockCount;
  }

  /** End of the furthest block that was ever taken; flat in a program that frees what it takes. */
  get highWaterBytes(): number {
    return this.#allocator.highWaterBytes;
  }

  /**
   * Takes a zeroed, 16-byte-aligned block.
   * @param bytes - 0 .. 2^31-1; rounded up to a multiple of 16
   * @returns byte address, valid until `free`
   * @throws OutOfMemoryError when memory cannot grow that far
   */
  alloc(bytes: number): number {
    const ptr = this.allocDirty(bytes);
    // Shared memory is filled element by element, so the elements are large ones.
    this.f64.fill(0, ptr >>> 3, (ptr + this.#allocator.payloadBytes(ptr)) >>> 3);
    return ptr;
  }

  /** Like `alloc`, but the bytes are whatever was there. For blocks that are written before they are read. @internal */
  allocDirty(bytes: number): number {
    if (!(bytes >= 0 && bytes <= 0x7fffffff)) throw new OutOfMemoryError(bytes, MAXIMUM_PAGES * PAGE_BYTES);
    if (this.#memory === undefined) this.#create();
    return this.#allocator.take(bytes);
  }

  /**
   * Moves a block to one of another size, keeping the common part; new bytes are zero.
   * @returns the new address; the old one is no longer valid
   */
  realloc(ptr: number, bytes: number): number {
    const oldBytes = this.#allocator.payloadBytes(ptr);
    if (bytes <= oldBytes && bytes >= oldBytes / 2) return ptr;
    const moved = this.alloc(bytes);
    this.u8.copyWithin(moved, ptr, ptr + Math.min(oldBytes, bytes));
    this.free(ptr);
    return moved;
  }

  /** Gives back what lies behind the first `bytes` of a block, which stays where it is. @internal */
  shrink(ptr: number, bytes: number): void {
    this.#allocator.shrink(ptr, bytes);
  }

  /**
   * Gives a block back.
   * @throws StateError if `ptr` is not a block in use
   */
  free(ptr: number): void {
    if (!this.#allocator.isTaken(ptr)) throw new StateError(`Address ${ptr} is not a block in use. Free a block once.`);
    this.#allocator.release(ptr);
  }

  /** Bytes of a block in use: what was asked for, rounded up. */
  blockBytes(ptr: number): number {
    return this.#allocator.payloadBytes(ptr);
  }

  /** Makes sure that addresses below `bytes` exist, growing memory if needed. @internal */
  reserve(bytes: number): void {
    const have = this.u8.length;
    if (bytes <= have) return;
    const limit = this.#maximumPages * PAGE_BYTES;
    if (bytes > limit) throw new OutOfMemoryError(bytes, limit);
    // Growing by half keeps the number of growths logarithmic.
    const wanted = Math.min(limit, Math.max(bytes, have + (have >>> 1)));
    for (const end of [wanted, bytes]) {
      try {
        this.#memory!.grow(Math.ceil((end - have) / PAGE_BYTES));
        return this.#refresh();
      } catch {
        // Where there is no room for that much, there may be for what is needed.
      }
    }
    throw new OutOfMemoryError(bytes, have);
  }

  #create(): void {
    const shared = this.#options.shared ?? canShareMemory();
    const fallback = shared ? DEFAULT_SHARED_PAGES : MAXIMUM_PAGES;
    const limit = this.#options.maximumBytes;
    const maximum = limit === undefined ? fallback : Math.floor(limit / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared });
    this.#maximumPages = maximum;
    this.#shared = shared;
    this.#refresh();
  }

  #refresh(): void {
    const buffer = (this.#memory?.buffer ?? new ArrayBuffer(0)) as ArrayBuffer;
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.generation++;
  }
}

/** The heap that all of osteon lives in. */
export const heap = new Heap();

/**
 * Chooses shared or unshared memory and its limit, before anything is created.
 * @throws StateError once memory exists
 */
export function configureMemory(options: MemoryOptions): void {
  heap.configure(options);
}
