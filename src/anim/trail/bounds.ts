import type { TrailLook } from "./look.js";
import type { TrailSamples } from "./samples.js";

/** Left, top, right and bottom of what a trail draws, into `out`; false without samples. @internal */
export function boundsOf(
  samples: TrailSamples, look: TrailLook, scaleX: number, scaleY: number, offsetX: number, offsetY: number, out: Float32Array | number[],
): boolean {
  if (samples.count === 0) return false;
  const { isBlade } = samples;
  const factor = look.mostFactor;
  const half = (look.width / 2) * factor;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < samples.count; i++) {
    const slot = samples.slot(i);
    const x = samples.x[slot]! * scaleX + offsetX;
    const y = samples.y[slot]! * scaleY + offsetY;
    const w = isBlade[slot] === 1 ? Math.abs(samples.edgeX[slot]! * scaleX) * factor : half;
    const h = isBlade[slot] === 1 ? Math.abs(samples.edgeY[slot]! * scaleY) * factor : half;
    left = Math.min(left, x - w);
    right = Math.max(right, x + w);
    top = Math.min(top, y - h);
    bottom = Math.max(bottom, y + h);
  }
  out[0] = left;
  out[1] = top;
  out[2] = right;
  out[3] = bottom;
  return true;
}
