/** Root motion of a step, seven numbers at an offset: translation, rotation. @internal */
import { composeRigid, RIGID } from "../rig/rigid.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";

/** out = a towards b by SLERP_WEIGHT[0]: translations lerp, rotations slerp on the shortest arc, w >= 0. `out` may be an operand. */
export function mixDeltas(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const t = SLERP_WEIGHT[0]!;
  for (let i = 0; i < 3; i++) out[o + i] = a[ai + i]! + (b[bi + i]! - a[ai + i]!) * t;
  slerpByWeight(a, ai + 3, b, bi + 3, out, o + 3);
  if (out[o + 6]! >= 0) return;
  for (let i = 3; i < RIGID; i++) out[o + i] = 0 - out[o + i]!;
}

/** out = a and b: translations add up, rotations multiply. */
export function addDeltas(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const x = a[ai]! + b[bi]!, y = a[ai + 1]! + b[bi + 1]!, z = a[ai + 2]! + b[bi + 2]!;
  composeRigid(a, ai, b, bi, out, o);
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}
