/**
 * Constraints on single bones and on chains that share a turn: look-at, limits of a joint, copies of another bone. In double
 * precision on arrays, with offsets as arguments; nothing is allocated. @internal
 */
import { heap } from "../../wasm/heap.js";
import { inverseMultiply, rotateVector, shortestArc } from "../dynamic-bone/rotation.js";
import { atan2, cos, sin } from "../motion/math.js";
import { Local, localIndex } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import { readLocalRotation, readWorldPosition, readWorldRotation, writeLocalRotation, writeWorldPosition, writeWorldRotation } from "../rig/pose-access.js";
import { restPose, rigMeasures } from "../rig/rest-pose.js";
import { multiplyRotations } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";
import type { ConstraintStatus } from "./constraint-entry.js";

/** Numbers of a look-at: the axis that looks, and the largest angle it is turned by. */
export const AXIS = 0, MAX_ANGLE = 3;
/** Numbers of a limit, radians. */
export const SWING_X = 0, SWING_Z = 1, TWIST_MIN = 2, TWIST_MAX = 3;

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1);
const Q = /* @__PURE__ */ new Float64Array(4);
const OLD = /* @__PURE__ */ new Float64Array(4);
const ARC = /* @__PURE__ */ new Float64Array(4);
const SWING = /* @__PURE__ */ new Float64Array(4);
const EYE = /* @__PURE__ */ new Float64Array(3);
const LOOK = /* @__PURE__ */ new Float64Array(3);
const WAY = /* @__PURE__ */ new Float64Array(3);
const GOAL = /* @__PURE__ */ new Float64Array(3);
/** A length or an angle that a function found. */
const N = /* @__PURE__ */ new Float64Array(1);

/** EYE, LOOK, WAY (to the point) and the length of the way, for the last bone of the chain. */
function see(pose: AnimPose, bone: number, point: Float64Array, numbers: Float64Array): void {
  readWorldPosition(pose, bone, EYE, 0);
  readWorldRotation(pose, bone, Q, 0);
  rotateVector(Q, 0, numbers, AXIS, LOOK, 0);
  for (let k = 0; k < 3; k++) WAY[k] = point[k]! - EYE[k]!;
  N[0] = Math.sqrt(WAY[0]! ** 2 + WAY[1]! ** 2 + WAY[2]! ** 2);
}

/** ARC from LOOK to WAY; half a turn about the bone's own +Y (+X if that is what looks) where they are opposite. `Q` is the bone's rotation. */
function turnToWay(numbers: Float64Array): void {
  const cosine = (LOOK[0]! * WAY[0]! + LOOK[1]! * WAY[1]! + LOOK[2]! * WAY[2]!) / N[0]!;
  if (cosine >= -1 + 1e-9) {
    shortestArc(LOOK, 0, WAY, 0, ARC, 0);
    return;
  }
  ARC[0] = ARC[1] = ARC[2] = ARC[3] = 0;
  ARC[Math.abs(numbers[AXIS + 1]!) > 0.9 ? 0 : 1] = 1;
  rotateVector(Q, 0, ARC, 0, ARC, 0);
}

/**
 * Turns a chain so that an axis of its last bone points at a place; every bone takes its share of what is left of the turn, from
 * the first to the last.
 * @returns "unreachable" where the largest angle or the shares were too small, "degenerate" for a target on the last bone
 */
export function lookAt(
  pose: AnimPose, skeleton: AnimSkeleton, bones: Int32Array, shares: Float64Array, count: number, target: Float64Array, numbers: Float64Array, weight: Float64Array,
): ConstraintStatus {
  const last = bones[count - 1]!;
  see(pose, last, target, numbers);
  if (N[0]! <= 1e-6 * Math.max(1, rigMeasures(skeleton)[1]!)) return "degenerate";
  turnToWay(numbers);
  const cosine = Math.min(1, Math.abs(ARC[3]!)), angle = 2 * atan2(Math.sqrt((1 - cosine) * (1 + cosine)), cosine), limited = angle > numbers[MAX_ANGLE]! + 1e-9, distance = N[0]!;
  // The place to look at, as far round as the limit and the weight let it be.
  SLERP_WEIGHT[0] = (limited ? numbers[MAX_ANGLE]! / angle : 1) * weight[0]!;
  if (SLERP_WEIGHT[0] < 1) {
    slerpByWeight(IDENTITY, 0, ARC, 0, ARC, 0);
    rotateVector(ARC, 0, LOOK, 0, GOAL, 0);
    for (let k = 0; k < 3; k++) GOAL[k] = EYE[k]! + GOAL[k]! * distance;
  } else for (let k = 0; k < 3; k++) GOAL[k] = target[k]!;
  for (let i = 0; i < count; i++) {
    if (shares[i] === 0) continue;
    see(pose, last, GOAL, numbers);
    if (N[0]! < 1e-9) break;
    turnToWay(numbers);
    SLERP_WEIGHT[0] = shares[i]!;
    if (SLERP_WEIGHT[0] < 1) slerpByWeight(IDENTITY, 0, ARC, 0, ARC, 0);
    readWorldRotation(pose, bones[i]!, Q, 0);
    multiplyRotations(ARC, 0, Q, 0, Q, 0);
    writeWorldRotation(pose, skeleton, bones[i]!, Q, 0);
  }
  return limited || shares[count - 1]! < 1 ? "unreachable" : "ok";
}

/** Keeps the turn of a bone away from its bind pose within an ellipse of swings and a range of twists about +Y. */
export function limitRotation(pose: AnimPose, skeleton: AnimSkeleton, bone: number, numbers: Float64Array, weight: Float64Array): ConstraintStatus {
  const f32 = heap.f32, bind = localIndex(skeleton.bindPtr, bone) + 4 * Local.QX;
  for (let k = 0; k < 4; k++) Q[k] = f32[bind + 4 * k]!;
  readLocalRotation(pose, bone, OLD, 0);
  inverseMultiply(Q, 0, OLD, 0, SWING, 0);
  // q = swing twist: the twist is the part about +Y, the swing has none of it.
  const length = Math.sqrt(SWING[1]! ** 2 + SWING[3]! ** 2);
  ARC[0] = ARC[2] = 0;
  ARC[1] = length > 1e-9 ? -SWING[1]! / length : 0;
  ARC[3] = length > 1e-9 ? SWING[3]! / length : 1;
  let twist = 2 * atan2(-ARC[1]!, ARC[3]!);
  twist -= 2 * Math.PI * Math.round(twist / (2 * Math.PI));
  multiplyRotations(SWING, 0, ARC, 0, SWING, 0);
  const half = Math.sqrt(SWING[0]! * SWING[0]! + SWING[2]! * SWING[2]!), sign = SWING[3]! < 0 ? -1 : 1, swing = 2 * atan2(half, Math.abs(SWING[3]!));
  let x = half > 1e-12 ? (sign * swing * SWING[0]!) / half : 0, z = half > 1e-12 ? (sign * swing * SWING[2]!) / half : 0;

  const wideX = numbers[SWING_X]!, wideZ = numbers[SWING_Z]!, wasX = x, wasZ = z, wasTwist = twist;
  if (wideX < 1e-9) x = 0;
  if (wideZ < 1e-9) z = 0;
  const out = Math.sqrt((wideX < 1e-9 ? 0 : x / wideX) ** 2 + (wideZ < 1e-9 ? 0 : z / wideZ) ** 2);
  if (out > 1) {
    x /= out;
    z /= out;
  }
  twist = Math.min(numbers[TWIST_MAX]!, Math.max(numbers[TWIST_MIN]!, twist));
  if (Math.abs(x - wasX) + Math.abs(z - wasZ) + Math.abs(twist - wasTwist) < 1e-7) return "ok";

  const turned = Math.sqrt(x * x + z * z), sine = turned > 1e-12 ? sin(turned / 2) / turned : 0.5;
  SWING[0] = x * sine;
  SWING[1] = 0;
  SWING[2] = z * sine;
  SWING[3] = cos(turned / 2);
  ARC[1] = sin(twist / 2);
  ARC[3] = cos(twist / 2);
  multiplyRotations(Q, 0, SWING, 0, Q, 0);
  multiplyRotations(Q, 0, ARC, 0, Q, 0);
  if (weight[0]! < 1) {
    SLERP_WEIGHT[0] = weight[0]!;
    slerpByWeight(OLD, 0, Q, 0, Q, 0);
  }
  writeLocalRotation(pose, bone, Q, 0);
  pose.computeWorld(skeleton);
  return "ok";
}

/** Gives a bone the rotation of another in model space; with `keepOffset` its turn away from the bind pose. */
export function copyRotation(pose: AnimPose, skeleton: AnimSkeleton, bone: number, source: number, keepOffset: boolean, weight: Float64Array): ConstraintStatus {
  readWorldRotation(pose, source, Q, 0);
  if (keepOffset) {
    const rest = restPose(skeleton);
    readWorldRotation(rest, source, ARC, 0);
    readWorldRotation(rest, bone, OLD, 0);
    inverseMultiply(ARC, 0, OLD, 0, ARC, 0);
    multiplyRotations(Q, 0, ARC, 0, Q, 0);
  }
  if (weight[0]! < 1) {
    readWorldRotation(pose, bone, OLD, 0);
    SLERP_WEIGHT[0] = weight[0]!;
    slerpByWeight(OLD, 0, Q, 0, Q, 0);
  }
  writeWorldRotation(pose, skeleton, bone, Q, 0);
  return "ok";
}

/** Puts a bone where another is in model space; with `keepOffset` as far from it as in the bind pose, in the frame of the other. */
export function copyPosition(pose: AnimPose, skeleton: AnimSkeleton, bone: number, source: number, keepOffset: boolean, weight: Float64Array): ConstraintStatus {
  if (keepOffset) {
    const rest = restPose(skeleton);
    readWorldPosition(rest, source, EYE, 0);
    readWorldPosition(rest, bone, WAY, 0);
    for (let k = 0; k < 3; k++) WAY[k] = WAY[k]! - EYE[k]!;
    readWorldRotation(rest, source, ARC, 0);
    inverseMultiply(ARC, 0, IDENTITY, 0, ARC, 0);
    rotateVector(ARC, 0, WAY, 0, WAY, 0);
    readWorldRotation(pose, source, Q, 0);
    rotateVector(Q, 0, WAY, 0, WAY, 0);
  } else WAY.fill(0);
  readWorldPosition(pose, source, GOAL, 0);
  readWorldPosition(pose, bone, EYE, 0);
  for (let k = 0; k < 3; k++) GOAL[k] = EYE[k]! + (GOAL[k]! + WAY[k]! - EYE[k]!) * weight[0]!;
  if (isFlat(pose, skeleton.getParent(bone))) return "degenerate";
  writeWorldPosition(pose, skeleton, bone, GOAL, 0);
  return "ok";
}

/** Whether the matrix of a bone cannot be inverted. */
function isFlat(pose: AnimPose, bone: number): boolean {
  if (bone < 0) return false;
  const f32 = heap.f32, m = (pose.worldPtr >>> 2) + bone * 16;
  const determinant = f32[m]! * (f32[m + 5]! * f32[m + 10]! - f32[m + 6]! * f32[m + 9]!) + f32[m + 1]! * (f32[m + 6]! * f32[m + 8]! - f32[m + 4]! * f32[m + 10]!)
    + f32[m + 2]! * (f32[m + 4]! * f32[m + 9]! - f32[m + 5]! * f32[m + 8]!);
  return !(Math.abs(determinant) > 1e-20);
}
