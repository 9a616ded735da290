import type { Area } from "./area.js";
import { heap } from "./heap.js";
import { WORKER_SOURCE } from "./worker-source.js";
import { CONTROL_WORDS, JobWord, PartWord, WORDS_PER_PART, WORDS_PER_WORKER, WorkerWord } from "./worker-words.js";

/** Looks at the job counter before a worker goes to sleep: about a frame's pause at 60 Hz costs a wake-up instead. */
const SPINS = 20_000;

/** Kernel that poses items first..last-1 of a subject; returns `last`, or where it stopped for want of scratch. */
export type RangeKernel = (subject: number, first: number, last: number, scratch: number, scratchBytes: number) => number;

/** Why threads are not available here, or null if they are. */
export function threadsUnavailable(): string | null {
  if (!heap.shared) {
    return "linear memory is not shared: a page needs cross-origin isolation (COOP and COEP headers), and memory must not be configured as unshared";
  }
  return null;
}

type WorkerLike = { unref?: () => void; terminate(): unknown; postMessage(message: unknown): void };

/**
 * Workers that share linear memory and run one kernel over ranges of items, side by side with the caller.
 *
 * Every thread begins with a part of its own, the same in each job as long as their number is, so that what it works on stays
 * in its cache; then it takes what is left of the others' parts. Results must not depend on how items are split; then they are
 * the same bits for any number of workers. Workers start in the background: until one is ready, the others and the caller do
 * its share.
 */
export class WorkerPool {
  readonly #control: number;
  readonly #kernel: RangeKernel;
  readonly #workers: WorkerLike[] = [];
  #job = 0;

  /**
   * @param area - whose kernels the workers instantiate
   * @param kernelName - name of the exported kernel
   */
  constructor(area: Area<object>, kernelName: string, count: number) {
    this.#control = heap.alloc(CONTROL_WORDS * 4);
    this.#kernel = (area.kernels as Record<string, RangeKernel>)[kernelName]!;
    const source = `const KERNEL = "${kernelName}";${WORKER_SOURCE}`;
    for (let index = 0; index < count; index++) {
      const data = { module: area.module, memory: heap.memory, control: this.#control, index, spins: SPINS };
      this.#workers.push(startWorker(source, data));
    }
  }

  /** Workers that take part by now. */
  get readyCount(): number {
    let count = 0;
    for (let i = 0; i < this.#workers.length; i++) if (this.#word(i, WorkerWord.READY) === 1) count++;
    return count;
  }

  get count(): number {
    return this.#workers.length;
  }

  /** Gives a worker its scratch block. */
  setScratch(index: number, ptr: number, bytes: number): void {
    const at = this.#at(index);
    heap.i32[at + WorkerWord.SCRATCH] = ptr;
    heap.i32[at + WorkerWord.SCRATCH_BYTES] = bytes;
  }

  /**
   * Hands a job to the workers. The caller then takes its share with `help`, at once or when they are done, and waits with `finish`.
   * @param isHelping - whether the caller takes part from the beginning
   * @param most - workers to invite at most
   * @returns workers that were invited
   */
  begin(subject: number, count: number, chunk: number, isHelping: boolean, most: number = this.#workers.length): number {
    const words = heap.i32;
    const at = this.#control >> 2;
    const first = isHelping ? 1 : 0;
    let parts = first;
    this.#job = (this.#job + 1) | 0;
    for (let i = 0; i < this.#workers.length; i++) {
      const worker = this.#at(i);
      words[worker + WorkerWord.STOPPED_LAST] = 0;
      if (parts - first === most || this.#word(i, WorkerWord.READY) !== 1) continue;
      words[worker + WorkerWord.PART] = parts++;
      Atomics.store(words, worker + WorkerWord.TICKET, this.#job);
    }
    const invited = parts - first;
    parts = Math.max(1, parts);
    const chunks = Math.ceil(count / chunk);
    for (let part = 0; part < parts; part++) {
      const place = this.#partAt(part);
      words[place + PartWord.END] = Math.min(count, Math.floor((chunks * (part + 1)) / parts) * chunk);
      Atomics.store(words, place + PartWord.NEXT, Math.floor((chunks * part) / parts) * chunk);
    }
    words[at + JobWord.SUBJECT] = subject;
    words[at + JobWord.CHUNK] = chunk;
    words[at + JobWord.PARTS] = parts;
    Atomics.store(words, at + JobWord.JOB, this.#job);
    Atomics.notify(words, at + JobWord.JOB);
    return invited;
  }

  /**
   * Takes ranges of the running job until there are none left.
   * @param resume - range to go on with, `{ first: 0, last: 0 }` at the start of a job; edited
   * @returns false if a larger scratch block is needed to go on
   */
  help(scratch: number, scratchBytes: number, resume: { first: number; last: number }): boolean {
    const words = heap.i32;
    const at = this.#control >> 2;
    const subject = words[at + JobWord.SUBJECT]!;
    const chunk = words[at + JobWord.CHUNK]!;
    const parts = words[at + JobWord.PARTS]!;
    for (let k = 0; k < parts; k++) {
      const part = this.#partAt(k);
      const end = words[part + PartWord.END]!;
      for (;;) {
        if (resume.first >= resume.last) {
          resume.first = Atomics.add(words, part + PartWord.NEXT, chunk);
          resume.last = Math.min(end, resume.first + chunk);
          if (resume.first >= end) break;
        }
        resume.first = this.#kernel(subject, resume.first, resume.last, scratch, scratchBytes);
        if (resume.first < resume.last) return false;
      }
    }
    return true;
  }

  /** Whether every worker is done with the running job. */
  get isDone(): boolean {
    for (let i = 0; i < this.#workers.length; i++) {
      if (this.#word(i, WorkerWord.TICKET) === this.#job && this.#word(i, WorkerWord.DONE) !== this.#job) return false;
    }
    return true;
  }

  /** Waits, busily, until every worker is done. */
  finish(): void {
    while (!this.isDone);
  }

  /** Range that a worker left to the caller, into `range`. @returns whether there is one */
  leftover(index: number, range: { first: number; last: number }): boolean {
    const last = this.#word(index, WorkerWord.STOPPED_LAST);
    if (last === 0) return false;
    range.first = this.#word(index, WorkerWord.STOPPED_FIRST);
    range.last = last;
    return true;
  }

  /** Ends the workers. */
  dispose(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.length = 0;
    heap.free(this.#control);
  }

  #at(index: number): number {
    return (this.#control >> 2) + JobWord.WORKERS + index * WORDS_PER_WORKER;
  }

  #partAt(part: number): number {
    return (this.#control >> 2) + JobWord.PARTS_FIRST + part * WORDS_PER_PART;
  }

  #word(index: number, word: WorkerWord): number {
    return Atomics.load(heap.i32, this.#at(index) + word);
  }
}

function startWorker(source: string, data: unknown): WorkerLike {
  const process = (globalThis as { process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown } }).process;
  if (process?.versions?.node !== undefined) {
    const { Worker } = process.getBuiltinModule!("node:worker_threads") as { Worker: new (url: URL, options: object) => WorkerLike };
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: data });
    worker.unref?.();
    return worker;
  }
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  worker.postMessage(data);
  URL.revokeObjectURL(url);
  return worker;
}
