import type { Area } from "./area.js";
import { heap } from "./heap.js";
import { type RangeKernel, WorkerPool } from "./worker-pool.js";

/**
 * Runs a kernel over ranges of independent items, on this thread and on workers that share the memory, with scratch of a
 * known size for everybody. The result has the same bits for any number of workers. @internal
 */
export class RangeJob {
  readonly #area: Area<object>;
  readonly #kernelName: string;
  readonly #chunk: number;
  readonly #fewest: number;
  #pool: WorkerPool | null = null;
  #scratch: number[] = [];
  #scratchBytes = 0;
  readonly #range = { first: 0, last: 0 };

  /**
   * @param chunk - items that a thread takes at a time
   * @param fewest - items below which nobody is woken
   */
  constructor(area: Area<object>, kernelName: string, chunk: number, fewest: number) {
    this.#area = area;
    this.#kernelName = kernelName;
    this.#chunk = chunk;
    this.#fewest = fewest;
  }

  /** Workers besides the caller, ready or not. */
  get workers(): number {
    return this.#pool?.count ?? 0;
  }

  /** Workers that take part by now. */
  get readyWorkers(): number {
    return this.#pool?.readyCount ?? 0;
  }

  /** Replaces the workers; 0 ends them. The caller has checked that threads are available. */
  setWorkers(count: number): void {
    if (count === this.workers) return;
    this.#pool?.dispose();
    this.#pool = count === 0 ? null : new WorkerPool(this.#area, this.#kernelName, count);
    if (this.#scratchBytes > 0) this.#share();
  }

  /** Address of this thread's scratch, of at least `bytes`; that of the workers grows with it. */
  scratch(bytes: number): number {
    if (bytes > this.#scratchBytes) {
      for (const ptr of this.#scratch) heap.free(ptr);
      this.#scratchBytes = bytes;
      this.#scratch = [heap.alloc(bytes)];
      this.#share();
    }
    return this.#scratch[0]!;
  }

  /**
   * Runs all items and waits for them.
   * @param bytes - scratch that the kernel needs
   * @param threads - threads to use at most, this one included
   * @returns threads that took part
   */
  run(subject: number, count: number, bytes: number, threads: number): number {
    const scratch = this.scratch(bytes), pool = this.#pool;
    if (pool === null || threads <= 1 || count < this.#fewest) {
      (this.#area.kernels as Record<string, RangeKernel>)[this.#kernelName]!(subject, 0, count, scratch, this.#scratchBytes);
      return 1;
    }
    const invited = pool.begin(subject, count, this.#chunk, true, Math.min(threads, Math.ceil(count / this.#chunk)) - 1);
    this.#range.first = this.#range.last = 0;
    pool.help(scratch, this.#scratchBytes, this.#range);
    pool.finish();
    return invited + 1;
  }

  /** Ends the workers and frees the scratch. Safe to call twice. */
  dispose(): void {
    this.#pool?.dispose();
    this.#pool = null;
    for (const ptr of this.#scratch) heap.free(ptr);
    this.#scratch = [];
    this.#scratchBytes = 0;
  }

  #share(): void {
    const pool = this.#pool;
    if (pool === null) return;
    for (let i = 0; i < pool.count; i++) {
      this.#scratch[i + 1] ??= heap.alloc(this.#scratchBytes);
      pool.setScratch(i, this.#scratch[i + 1]!, this.#scratchBytes);
    }
  }
}

/** Threads that the platform says it has. */
export function hardwareThreads(): number {
  const { navigator, process } = globalThis as {
    navigator?: { hardwareConcurrency?: number };
    process?: { getBuiltinModule?: (name: string) => { availableParallelism(): number } };
  };
  return navigator?.hardwareConcurrency ?? process?.getBuiltinModule?.("node:os").availableParallelism() ?? 1;
}
