/** Rotations that lay feet on slopes. @internal */
import { multiplyRotations } from "../rig/rigid.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";
import { rotateVector, shortestArc } from "../dynamic-bone/rotation.js";

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1);
const UP = /* @__PURE__ */ Float64Array.of(0, 1, 0);
const TILT = /* @__PURE__ */ new Float64Array(4);
const SPIN = /* @__PURE__ */ new Float64Array(4);
const H = /* @__PURE__ */ new Float64Array(3);
const TO = /* @__PURE__ */ new Float64Array(3);

/**
 * out = the rotation from level ground, where the foot heads for `heading`, to the plane with the unit normal at n[0..2],
 * scaled by the weight at weight[0]: the frame of up and heading goes to that of the normal and the heading on the plane.
 * @param heading - direction of the foot; its level part is what counts
 * @returns false, leaving `out` alone, if the foot points along up or the normal
 */
export function slopeRotation(heading: Float64Array, n: Float64Array, weight: Float64Array, out: Float64Array): boolean {
  const level = Math.sqrt(heading[0]! ** 2 + heading[2]! ** 2);
  if (level < 1e-4) return false;
  H[0] = heading[0]! / level;
  H[1] = 0;
  H[2] = heading[2]! / level;
  const into = H[0] * n[0]! + H[2] * n[2]!;
  for (let k = 0; k < 3; k++) TO[k] = H[k]! - n[k]! * into;
  if (Math.sqrt(TO[0]! ** 2 + TO[1]! ** 2 + TO[2]! ** 2) < 1e-4) return false;
  shortestArc(UP, 0, n, 0, TILT, 0);
  rotateVector(TILT, 0, H, 0, H, 0);
  shortestArc(H, 0, TO, 0, SPIN, 0);
  multiplyRotations(SPIN, 0, TILT, 0, out, 0);
  if (weight[0]! < 1) {
    SLERP_WEIGHT[0] = weight[0]!;
    slerpByWeight(IDENTITY, 0, out, 0, out, 0);
  }
  return true;
}
