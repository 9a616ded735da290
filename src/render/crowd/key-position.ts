import type { DeformTimeline } from "../../spine/timelines/deform-timeline.js";

/** Values of a curve between two keys: nine points. */
const BEZIER_SIZE = 18;

/**
 * Where a time lies among the keys of a timeline, like `getCurvePercent`; numbers go through an array because arguments and
 * results would be boxed.
 * @param numbers - the time at 0, not before the first key; receives the share of the next key at `out`
 * @returns the key at or before the time
 * @internal
 */
export function keyPosition({ frames, curves }: DeformTimeline, numbers: Float64Array, out: number): number {
  const time = numbers[0]!;
  let frame = 0;
  let end = frames.length;
  while (end - frame > 1) {
    const middle = (frame + end) >> 1;
    if (frames[middle]! <= time) frame = middle;
    else end = middle;
  }
  numbers[out] = 0;
  if (frame === frames.length - 1) return frame;
  const type = curves[frame]!;
  if (type === 1) return frame;
  // Points of the curve that the time lies between; the keys themselves at both ends.
  let x = frames[frame]!;
  let y = 0;
  if (type !== 0) {
    const first = type - 2;
    for (let i = first; i < first + BEZIER_SIZE; i += 2) {
      if (curves[i]! >= time) {
        numbers[out] = curves[i] === x ? curves[i + 1]! : y + ((time - x) / (curves[i]! - x)) * (curves[i + 1]! - y);
        return frame;
      }
      x = curves[i]!;
      y = curves[i + 1]!;
    }
  }
  const next = frames[frame + 1]!;
  numbers[out] = next === x ? 1 : y + ((1 - y) * (time - x)) / (next - x);
  return frame;
}
