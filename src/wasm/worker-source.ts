/**
 * What a worker runs, as text: a worker is started from it without a file of its own, so that no bundler has to know.
 *
 * It waits for jobs in shared memory (JobField of worker-pool.ts), takes ranges of its part, then of the others' parts, and runs a kernel
 * `(subject, first, last, scratch, scratchBytes) -> position` on each. A kernel that stops early (its scratch is too small)
 * leaves the rest of its range to the main thread.
 */
export const WORKER_SOURCE = `
const isNode = typeof process === "object" && process.versions && process.versions.node;
const start = ({ module, memory, control, index, spins }) => {
  const words = new Int32Array(memory.buffer, control, 224);
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports[KERNEL];
  const mine = 8 + index * 8;
  let seen = Atomics.load(words, 0);
  Atomics.store(words, mine + 3, 1);
  for (;;) {
    let spin = spins;
    while (Atomics.load(words, 0) === seen && spin > 0) spin--;
    while (Atomics.load(words, 0) === seen) Atomics.wait(words, 0, seen, 1000);
    seen = Atomics.load(words, 0);
    // Only the invited take part: a job that began while this worker started is not its own.
    if (Atomics.load(words, mine + 4) !== seen) continue;
    const subject = words[1], chunk = words[3], parts = words[4];
    work: for (let k = 0; k < parts; k++) {
      const part = 80 + ((words[mine + 7] + k) % parts) * 16, end = words[part + 1];
      for (;;) {
        const first = Atomics.add(words, part, chunk);
        if (first >= end) break;
        const last = Math.min(end, first + chunk);
        const reached = run(subject, first, last, words[mine], words[mine + 1]);
        if (reached < last) {
          words[mine + 2] = reached;
          words[mine + 6] = last;
          break work;
        }
      }
    }
    Atomics.store(words, mine + 5, seen);
    Atomics.notify(words, mine + 5);
  }
};
if (isNode) import("node:worker_threads").then(({ workerData }) => start(workerData));
else onmessage = ({ data }) => start(data);
`;
