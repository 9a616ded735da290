import type { Area } from "../wasm/area.js";
import { heap } from "../wasm/heap.js";
import { type RangeKernel, threadsUnavailable, WorkerPool } from "../wasm/worker-pool.js";
import { MAXIMUM_WORKERS } from "../wasm/worker-words.js";
import { RangeMismatchError } from "../errors.js";

/** What a job runs: a kernel over groups, or over characters. */
export interface PoseKernel {
  readonly area: Area<object>;
  readonly name: string;
  /** Groups that a thread takes at a time. */
  readonly chunk: number;
  /** Frames with fewer groups are not worth waking anybody. */
  readonly fewest: number;
}

/**
 * Runs the pose kernel over all groups of a crowd, on this thread and, if wanted, on workers that share the memory. Groups
 * are independent, so the result has the same bits for any number of workers.
 */
export class PoseJob {
  readonly #what: PoseKernel;
  readonly #kernel: RangeKernel;
  #scratch: number[] = [];
  #scratchBytes = 0;
  #pool: WorkerPool | null = null;
  readonly #range = { first: 0, last: 0 };
  readonly #layoutBytes: (updateBytes: number) => number;

  /** @param layoutBytes - size of a scratch block in which what the kernel asks for has a number of bytes */
  constructor(what: PoseKernel, layoutBytes: (updateBytes: number) => number) {
    this.#what = what;
    this.#kernel = (what.area.kernels as Record<string, RangeKernel>)[what.name]!;
    this.#layoutBytes = layoutBytes;
  }

  /** Workers besides the caller. */
  get workers(): number {
    return this.#pool?.count ?? 0;
  }

  /** Workers that take part by now. */
  get readyWorkers(): number {
    return this.#pool?.readyCount ?? 0;
  }

  /** @throws RangeMismatchError unless 0 .. MAXIMUM_WORKERS */
  setWorkers(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count > MAXIMUM_WORKERS) {
      throw new RangeMismatchError("workers", count, 0, MAXIMUM_WORKERS, "Give the number of threads besides the caller's.");
    }
    if (count === this.workers) return;
    this.#pool?.dispose();
    this.#pool = null;
    if (count === 0) return;
    const reason = threadsUnavailable();
    if (reason !== null) {
      console.warn(`osteon: the crowd runs on one thread, because ${reason}.`);
      return;
    }
    this.#pool = new WorkerPool(this.#what.area, this.#what.name, count);
    if (this.#scratchBytes > 0) this.#shareScratch();
  }

  /** Address of this thread's scratch block, in which there is room for `updateBytes` at least. */
  scratch(updateBytes: number): number {
    if (this.#scratchBytes < this.#layoutBytes(updateBytes)) this.#takeScratch(updateBytes);
    return this.#scratch[0]!;
  }

  /** Poses groups 0 .. groupCount - 1 of a crowd and waits for all of them. */
  run(crowd: number, groupCount: number): void {
    const pool = this.#pool;
    if (pool === null || groupCount < this.#what.fewest) {
      this.#alone(crowd, 0, groupCount);
      return;
    }
    pool.begin(crowd, groupCount, this.#what.chunk, true);
    const range = this.#range;
    range.first = range.last = 0;
    pool.help(this.#scratch[0]!, this.#scratchBytes, range);
    pool.finish();
    this.#finish(crowd, pool);
  }

  /** Does what is left because a scratch block was too small; blocks grow while nobody else works. */
  #finish(crowd: number, pool: WorkerPool): void {
    const range = this.#range;
    while (!pool.help(this.#scratch[0]!, this.#scratchBytes, range)) this.#grow();
    for (let i = 0; i < pool.count; i++) {
      if (pool.leftover(i, range)) this.#alone(crowd, range.first, range.last);
    }
  }

  /** Poses all groups on the workers alone; this thread waits without blocking. Without workers it does the work itself. */
  async runBeside(crowd: number, groupCount: number): Promise<void> {
    const pool = this.#pool;
    if (pool === null || pool.readyCount === 0) {
      this.#alone(crowd, 0, groupCount);
      return;
    }
    pool.begin(crowd, groupCount, this.#what.chunk, false);
    while (!pool.isDone) await nextTurn();
    this.#range.first = this.#range.last = 0;
    this.#finish(crowd, pool);
  }

  dispose(): void {
    this.#pool?.dispose();
    this.#pool = null;
    for (const ptr of this.#scratch) heap.free(ptr);
    this.#scratch = [];
    this.#scratchBytes = 0;
  }

  #alone(crowd: number, first: number, last: number): void {
    while (first < last) {
      first = this.#kernel(crowd, first, last, this.#scratch[0]!, this.#scratchBytes);
      if (first < last) this.#grow();
    }
  }

  /** Makes all scratch blocks as large as this thread's kernel asked for. */
  #grow(): void {
    this.#takeScratch(heap.i32[this.#scratch[0]! >> 2]!);
  }

  #takeScratch(updateBytes: number): void {
    for (const ptr of this.#scratch) heap.free(ptr);
    this.#scratchBytes = this.#layoutBytes(updateBytes);
    this.#scratch = [heap.alloc(this.#scratchBytes)];
    this.#shareScratch();
  }

  #shareScratch(): void {
    const pool = this.#pool;
    if (pool === null) return;
    for (let i = 0; i < pool.count; i++) {
      this.#scratch[i + 1] ??= heap.alloc(this.#scratchBytes);
      pool.setScratch(i, this.#scratch[i + 1]!, this.#scratchBytes);
    }
  }
}

/** Lets other work of this thread happen first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
