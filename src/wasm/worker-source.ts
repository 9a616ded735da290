/**
 * What a worker runs, as text: a worker is started from it without a file of its own, so that no bundler has to know.
 *
 * It waits for jobs in shared memory (JobField of worker-pool.ts), takes ranges from a common counter and runs a kernel
 * `(subject, first, last, scratch, scratchBytes) -> position` on each. A kernel that stops early (its scratch is too small)
 * leaves the rest of its range to the main thread.
 */
export const WORKER_SOURCE = `
const isNode = typeof process === "object" && process.versions && process.versions.node;
const start = ({ module, memory, control, index, spins }) => {
  const words = new Int32Array(memory.buffer, control, 80);
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
    const subject = words[1], count = words[2], chunk = words[3];
    for (;;) {
      const first = Atomics.add(words, 4, chunk);
      if (first >= count) break;
      const last = Math.min(count, first + chunk);
      const reached = run(subject, first, last, words[mine], words[mine + 1]);
      if (reached < last) {
        words[mine + 2] = reached;
        words[mine + 6] = last;
        break;
      }
    }
    Atomics.store(words, mine + 5, seen);
    Atomics.notify(words, mine + 5);
  }
};
if (isNode) import("node:worker_threads").then(({ workerData }) => start(workerData));
else onmessage = ({ data }) => start(data);
`;
