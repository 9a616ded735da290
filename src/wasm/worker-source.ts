import { CONTROL_WORDS, JobWord, PartWord, WORDS_PER_PART, WORDS_PER_WORKER, WorkerWord } from "./worker-words.js";

/**
 * What a worker runs, as text: a worker is started from it without a file of its own, so that no bundler has to know.
 *
 * It waits for jobs in shared memory (worker-words.ts), takes ranges of its part, then of the others' parts, and runs a
 * kernel `(subject, first, last, scratch, scratchBytes) -> position` on each. A kernel that stops early (its scratch is too small)
 * leaves the rest of its range to the main thread.
 */
export const WORKER_SOURCE = `
const isNode = typeof process === "object" && process.versions && process.versions.node;
const start = ({ module, memory, control, index, spins }) => {
  const words = new Int32Array(memory.buffer, control, ${CONTROL_WORDS});
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports[KERNEL];
  const mine = ${JobWord.WORKERS} + index * ${WORDS_PER_WORKER};
  let seen = Atomics.load(words, ${JobWord.JOB});
  Atomics.store(words, mine + ${WorkerWord.READY}, 1);
  for (;;) {
    let spin = spins;
    while (Atomics.load(words, ${JobWord.JOB}) === seen && spin > 0) spin--;
    while (Atomics.load(words, ${JobWord.JOB}) === seen) Atomics.wait(words, ${JobWord.JOB}, seen, 1000);
    seen = Atomics.load(words, ${JobWord.JOB});
    // Only the invited take part: a job that began while this worker started is not its own.
    if (Atomics.load(words, mine + ${WorkerWord.TICKET}) !== seen) continue;
    const subject = words[${JobWord.SUBJECT}], chunk = words[${JobWord.CHUNK}], parts = words[${JobWord.PARTS}];
    work: for (let k = 0; k < parts; k++) {
      const part = ${JobWord.PARTS_FIRST} + ((words[mine + ${WorkerWord.PART}] + k) % parts) * ${WORDS_PER_PART}, end = words[part + ${PartWord.END}];
      for (;;) {
        const first = Atomics.add(words, part + ${PartWord.NEXT}, chunk);
        if (first >= end) break;
        const last = Math.min(end, first + chunk);
        const reached = run(subject, first, last, words[mine + ${WorkerWord.SCRATCH}], words[mine + ${WorkerWord.SCRATCH_BYTES}]);
        if (reached < last) {
          words[mine + ${WorkerWord.STOPPED_FIRST}] = reached;
          words[mine + ${WorkerWord.STOPPED_LAST}] = last;
          break work;
        }
      }
    }
    Atomics.store(words, mine + ${WorkerWord.DONE}, seen);
    Atomics.notify(words, mine + ${WorkerWord.DONE});
  }
};
if (isNode) import("node:worker_threads").then(({ workerData }) => start(workerData));
else onmessage = ({ data }) => start(data);
`;
