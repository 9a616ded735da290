/** Rounds of windows, at most, until one leaves nothing behind. */
const ROUNDS = 8;
const WINDOWS = 5;

/**
 * Bytes of heap that a window of `frames` frames leaves behind: the least growth over five windows, less what two
 * consecutive readings differ by. 0 in a steady state. Needs --expose-gc.
 *
 * The engine compiles a frame in steps, and each of them may come late: while something is left, the five windows are
 * taken again, a few times at most.
 */
export function bytesPerWindow(frame: () => void, frames = 10_000): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("start node with --expose-gc");
  let left = Infinity;
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    for (let i = 0; i < frames; i++) frame();
    collect();
    left = Infinity;
    for (let window = 0; window < WINDOWS; window++) left = Math.min(left, Math.max(0, growth(frame, frames) - growth(frame, 0)));
  }
  return left;
}

/** What a number of frames add to the used heap; a window in which a collection took some of it back counts as endless. */
function growth(frame: () => void, frames: number): number {
  const start = process.memoryUsage().heapUsed;
  for (let i = 0; i < frames; i++) frame();
  const grown = process.memoryUsage().heapUsed - start;
  return grown < 0 ? Infinity : grown;
}
