/**
 * Bytes of heap that a frame leaves behind: the least growth over five windows of `frames` frames, less what two
 * consecutive readings differ by. 0 in a steady state. Needs --expose-gc.
 */
export function bytesPerWindow(frame: () => void, frames = 10_000): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("start node with --expose-gc");
  for (let i = 0; i < frames; i++) frame();
  collect();
  const before = process.memoryUsage().heapUsed;
  const reading = process.memoryUsage().heapUsed - before;
  let least = Infinity;
  for (let window = 0; window < 5; window++) {
    const start = process.memoryUsage().heapUsed;
    for (let i = 0; i < frames; i++) frame();
    least = Math.min(least, process.memoryUsage().heapUsed - start);
  }
  return Math.max(0, least - reading);
}
