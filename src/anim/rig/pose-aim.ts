/**
 * Aiming a bone with more than a target: another axis, a muzzle beside the joint, a roll, a limit. Double precision, on numbers
 * that lie in arrays; nothing is allocated. @internal
 */
import { AnimArgumentError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { rotateVector, shortestArc } from "../dynamic-bone/rotation.js";
import { cos, sin } from "../motion/math.js";
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
/** The last angle of a limit and of a twist, with sine and cosine of its half. */
const HALVES = /* @__PURE__ */ Float64Array.of(0, 0, 1, 0, 0, 1);
const LIMIT = 0, TWIST = 3;
/** The limit and the twist that are asked for. */
const ASKED = /* @__PURE__ */ new Float64Array(2);
/** Numbers that would be boxed as arguments and results: dot products, a roll. */
const N = /* @__PURE__ */ new Float64Array(2);
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
  const { axis = FORWARD, offset = ORIGIN, up = UP, upTarget, maxAngle, twist } = options;
  readList(method, "axis", axis, AXIS, true);
  readList(method, "offset", offset, MUZZLE, false);
  readList(method, "up", up, ROLL, true);
  if (upTarget !== undefined) readList(method, "upTarget", upTarget, WANTED, false);
  // Into an array at once: as arguments, numbers of the caller's object are boxed.
  ASKED[0] = Math.PI;
  ASKED[1] = 0;
  if (typeof maxAngle === "number") ASKED[0] = maxAngle;
  else if (maxAngle !== undefined) requireLength(method, "maxAngle", maxAngle);
  if (typeof twist === "number") ASKED[1] = twist;
  else if (twist !== undefined) requireFinite(method, "twist", twist);
  if (!(ASKED[0]! >= 0 && ASKED[0]! < 1e30)) requireLength(method, "maxAngle", ASKED[0]!);
  if (!(ASKED[1]! > -1e30 && ASKED[1]! < 1e30)) requireFinite(method, "twist", ASKED[1]!);

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
    readHalf(0, LIMIT);
    const w = Math.abs(Q[TURN + 3]!), across = Math.sqrt(Q[TURN]! ** 2 + Q[TURN + 1]! ** 2 + Q[TURN + 2]! ** 2);
    if (ASKED[0]! < Math.PI && w < HALVES[LIMIT + 2]! && across > 0) {
      const share = (Q[TURN + 3]! < 0 ? -1 : 1) * HALVES[LIMIT + 1]! / across;
      for (let k = 0; k < 3; k++) Q[TURN + k] = Q[TURN + k]! * share;
      Q[TURN + 3] = HALVES[LIMIT + 2]!;
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
      dot(SIDE, WANTED, 0);
      dot(ROLL, WANTED, 1);
      // Half of the angle whose sine and cosine these are.
      const sine = N[0]!, cosine = N[1]!, large = Math.sqrt((1 + Math.abs(cosine)) / 2), small = Math.abs(sine) / (2 * large);
      N[0] = (sine < 0 ? -1 : 1) * (cosine >= 0 ? small : large);
      N[1] = cosine >= 0 ? large : small;
      roll();
    }
  }
  if (twist !== undefined) {
    readHalf(1, TWIST);
    N[0] = HALVES[TWIST + 1]!;
    N[1] = HALVES[TWIST + 2]!;
    roll();
  }
  if (weight < 1) {
    SLERP_WEIGHT[0] = weight;
    slerpByWeight(Q, NONE, Q, TURN, Q, TURN);
  }
  multiplyRotations(Q, TURN, Q, BONE, Q, RESULT);
  writeWorldRotation(pose, skeleton, bone, Q, RESULT);
  return true;
}

/** N[o] = a b */
function dot(a: number, b: number, o: number): void {
  N[o] = V[a]! * V[b]! + V[a + 1]! * V[b + 1]! + V[a + 2]! * V[b + 2]!;
}

/** TURN = half a turn about the bone's +Y, or its +X where that is the line of sight; made perpendicular to it. */
function halfTurn(): void {
  for (let axis = 1; axis >= 0; axis--) {
    V[ACROSS] = 1 - axis;
    V[ACROSS + 1] = axis;
    V[ACROSS + 2] = 0;
    rotateVector(Q, BONE, V, ACROSS, V, ACROSS);
    flatten(ACROSS, SIGHT);
    dot(ACROSS, ACROSS, 0);
    if (N[0]! > 0.01) break;
  }
  normalise(ACROSS);
  for (let k = 0; k < 3; k++) Q[TURN + k] = V[ACROSS + k]!;
  Q[TURN + 3] = 0;
}

/** TURN is followed by a turn about the line of sight; sine and cosine of half of it are N[0] and N[1]. */
function roll(): void {
  for (let k = 0; k < 3; k++) Q[ARC + k] = N[0]! * V[GOAL + k]!;
  Q[ARC + 3] = N[1]!;
  multiplyRotations(Q, ARC, Q, TURN, Q, TURN);
}

/** Sine and cosine of half of ASKED[i], at HALVES[o + 1] and [o + 2]: remembered, because what a kernel returns is boxed. */
function readHalf(i: number, o: number): void {
  if (HALVES[o] === ASKED[i]) return;
  HALVES[o] = ASKED[i]!;
  HALVES[o + 1] = sin(ASKED[i]! / 2);
  HALVES[o + 2] = cos(ASKED[i]! / 2);
}
