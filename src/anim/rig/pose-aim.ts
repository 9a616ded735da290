/**
 * Aiming a bone with more than a target: another axis, a muzzle beside the joint, a roll, a limit. Double precision, on numbers
 * that lie in arrays; nothing is allocated. @internal
 */
import { AnimArgumentError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { rotateVector, shortestArc } from "../dynamic-bone/rotation.js";
import { atan2, cos, sin } from "../motion/math.js";
import { requireFinite, requireFinite3, requireLength, requireObject, show } from "./checks.js";
import type { AnimPose } from "./pose.js";
import { readWorldPosition, readWorldRotation, writeWorldRotation } from "./pose-access.js";
import { rigMeasures } from "./rest-pose.js";
import { multiplyRotations } from "./rigid.js";
import type { AnimSkeleton } from "./skeleton.js";
import { SLERP_WEIGHT, slerpByWeight } from "./track-sample.js";

/** What `AnimPose.aimBone` may be told besides. Lists have three numbers. */
export interface AimOptions {
  /** Axis of the bone that points at the target; default +Z. Of any length but 0. */
  axis?: ArrayLike<number>;
  /** Point in the bone's space, such as a muzzle: the line from it along the axis goes through the target. Default the joint. */
  offset?: ArrayLike<number>;
  /** Axis of the bone that `upTarget` is about; default +Y. */
  up?: ArrayLike<number>;
  /** Point in model space: the bone rolls about its line of sight until `up` leans towards it. Default: no roll is asked for. */
  upTarget?: ArrayLike<number>;
  /** Largest angle in radians by which the line of sight is turned; default without limit. */
  maxAngle?: number;
  /** Roll about the line of sight in radians, after everything else; counter-clockwise as seen from the target. Default 0. */
  twist?: number;
}

const FORWARD: readonly number[] = [0, 0, 1], UP: readonly number[] = [0, 1, 0], ORIGIN: readonly number[] = [0, 0, 0];

const V = /* @__PURE__ */ new Float64Array(27);
// Vectors: joint, way to the target, axis and muzzle in model space, line of sight before and after, two directions across it, the goal of the roll.
const JOINT = 0, GOAL = 3, AXIS = 6, MUZZLE = 9, SIGHT = 12, ACROSS = 15, WANTED = 18, ROLL = 21, SIDE = 24;
const Q = /* @__PURE__ */ new Float64Array(20);
const BONE = 0, TURN = 4, ARC = 8, NONE = 12, RESULT = 16;

function readList(method: string, name: string, list: ArrayLike<number>, to: number, isDirection: boolean): void {
  requireObject(method, name, list, "array of three numbers");
  if (list.length !== 3) throw new AnimArgumentError(`${method}: ${name} has ${list.length} numbers, expected three.`);
  requireFinite3(method, name, list[0]!, list[1]!, list[2]!);
  for (let k = 0; k < 3; k++) V[to + k] = list[k]!;
  if (isDirection && !normalise(to)) throw new AnimArgumentError(`${method}: ${name} is (${show(list[0])}, ${show(list[1])}, ${show(list[2])}), expected a direction.`);
}

function normalise(at: number): boolean {
  const length = Math.sqrt(V[at]! ** 2 + V[at + 1]! ** 2 + V[at + 2]! ** 2);
  if (!(length > 1e-8)) return false;
  for (let k = 0; k < 3; k++) V[at + k] = V[at + k]! / length;
  return true;
}

/** Takes away what goes along the unit vector at `along`. */
function flatten(at: number, along: number): void {
  const dot = V[at]! * V[along]! + V[at + 1]! * V[along + 1]! + V[at + 2]! * V[along + 2]!;
  for (let k = 0; k < 3; k++) V[at + k] = V[at + k]! - dot * V[along + k]!;
}

/** `AnimPose.aimBone` with options; the target's numbers are checked. */
export function aimBoneBy(pose: AnimPose, skeleton: AnimSkeleton, bone: number, x: number, y: number, z: number, weight: number, options: AimOptions): boolean {
  const method = "AnimPose.aimBone";
  requireObject(method, "options", options, "object such as { axis: [1, 0, 0] }");
  const { axis = FORWARD, offset = ORIGIN, up = UP, upTarget, maxAngle, twist = 0 } = options;
  readList(method, "axis", axis, AXIS, true);
  readList(method, "offset", offset, MUZZLE, false);
  readList(method, "up", up, ROLL, true);
  if (upTarget !== undefined) readList(method, "upTarget", upTarget, WANTED, false);
  if (maxAngle !== undefined) requireLength(method, "maxAngle", maxAngle);
  requireFinite(method, "twist", twist);

  pose.computeWorld(skeleton);
  readWorldPosition(pose, bone, V, JOINT);
  readWorldRotation(pose, bone, Q, BONE);
  V[GOAL] = x - V[JOINT]!;
  V[GOAL + 1] = y - V[JOINT + 1]!;
  V[GOAL + 2] = z - V[JOINT + 2]!;
  const squares = V[GOAL]! ** 2 + V[GOAL + 1]! ** 2 + V[GOAL + 2]! ** 2;
  if (weight <= 0 || Math.sqrt(squares) <= 1e-6 * Math.max(1, rigMeasures(skeleton)[1]!)) return false;
  normalise(GOAL);

  // The point of the line of sight that is as far from the joint as the target: where that goes, the line goes.
  rotateVector(Q, BONE, V, AXIS, V, AXIS);
  const f32 = heap.f32, m = (pose.worldPtr >>> 2) + bone * 16, a = V[MUZZLE]!, b = V[MUZZLE + 1]!, c = V[MUZZLE + 2]!;
  for (let k = 0; k < 3; k++) V[SIGHT + k] = f32[m + k]! * a + f32[m + 4 + k]! * b + f32[m + 8 + k]! * c;
  flatten(SIGHT, AXIS);
  const beside = V[SIGHT]! ** 2 + V[SIGHT + 1]! ** 2 + V[SIGHT + 2]! ** 2;
  if (beside >= squares) return false;
  const along = Math.sqrt(squares - beside);
  for (let k = 0; k < 3; k++) V[SIGHT + k] = V[SIGHT + k]! + along * V[AXIS + k]!;
  normalise(SIGHT);

  Q[NONE] = Q[NONE + 1] = Q[NONE + 2] = 0;
  Q[NONE + 3] = 1;
  if (V[SIGHT]! * V[GOAL]! + V[SIGHT + 1]! * V[GOAL + 1]! + V[SIGHT + 2]! * V[GOAL + 2]! < -1 + 1e-9) halfTurn();
  else shortestArc(V, SIGHT, V, GOAL, Q, TURN);
  if (maxAngle !== undefined) {
    const angle = 2 * atan2(Math.sqrt(Q[TURN]! ** 2 + Q[TURN + 1]! ** 2 + Q[TURN + 2]! ** 2), Math.abs(Q[TURN + 3]!));
    if (angle > maxAngle) {
      SLERP_WEIGHT[0] = maxAngle / angle;
      slerpByWeight(Q, NONE, Q, TURN, Q, TURN);
      rotateVector(Q, TURN, V, SIGHT, V, GOAL);
      normalise(GOAL);
    }
  }
  // From here on GOAL is where the line of sight lies; rolls are about it, so that it stays.
  if (upTarget !== undefined) {
    rotateVector(Q, BONE, V, ROLL, V, ROLL);
    rotateVector(Q, TURN, V, ROLL, V, ROLL);
    for (let k = 0; k < 3; k++) V[WANTED + k] = V[WANTED + k]! - V[JOINT + k]!;
    flatten(ROLL, GOAL);
    flatten(WANTED, GOAL);
    // Straight ahead or behind, no roll is better than another.
    if (normalise(ROLL) && normalise(WANTED)) {
      V[SIDE] = V[GOAL + 1]! * V[ROLL + 2]! - V[GOAL + 2]! * V[ROLL + 1]!;
      V[SIDE + 1] = V[GOAL + 2]! * V[ROLL]! - V[GOAL]! * V[ROLL + 2]!;
      V[SIDE + 2] = V[GOAL]! * V[ROLL + 1]! - V[GOAL + 1]! * V[ROLL]!;
      rollBy(atan2(dot(SIDE, WANTED), dot(ROLL, WANTED)));
    }
  }
  if (twist !== 0) rollBy(twist);
  if (weight < 1) {
    SLERP_WEIGHT[0] = weight;
    slerpByWeight(Q, NONE, Q, TURN, Q, TURN);
  }
  multiplyRotations(Q, TURN, Q, BONE, Q, RESULT);
  writeWorldRotation(pose, skeleton, bone, Q, RESULT);
  return true;
}

function dot(a: number, b: number): number {
  return V[a]! * V[b]! + V[a + 1]! * V[b + 1]! + V[a + 2]! * V[b + 2]!;
}

/** TURN = half a turn about the bone's +Y, or its +X where that is the line of sight; made perpendicular to it. */
function halfTurn(): void {
  for (let axis = 1; axis >= 0; axis--) {
    V[ACROSS] = 1 - axis;
    V[ACROSS + 1] = axis;
    V[ACROSS + 2] = 0;
    rotateVector(Q, BONE, V, ACROSS, V, ACROSS);
    flatten(ACROSS, SIGHT);
    if (Math.sqrt(dot(ACROSS, ACROSS)) > 0.1) break;
  }
  normalise(ACROSS);
  for (let k = 0; k < 3; k++) Q[TURN + k] = V[ACROSS + k]!;
  Q[TURN + 3] = 0;
}

/** TURN is followed by a turn about the line of sight. */
function rollBy(radians: number): void {
  const half = sin(radians / 2);
  for (let k = 0; k < 3; k++) Q[ARC + k] = half * V[GOAL + k]!;
  Q[ARC + 3] = cos(radians / 2);
  multiplyRotations(Q, ARC, Q, TURN, Q, TURN);
}
