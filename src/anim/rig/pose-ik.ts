/**
 * Aiming one bone and solving a chain of two, in model space. The work is in double precision, on numbers that lie in one
 * array: V holds vectors of three and single numbers, Q quaternions of four, named by their offsets; functions take offsets
 * only, because numbers in arguments and results are boxed where the engine does not inline. Nothing is allocated. @internal
 */
import { AnimArgumentError } from "../errors.js";
import { cos, sin } from "../motion/math.js";
import { requireFinite, requireFinite3, show } from "./checks.js";
import {
  CHAIN_HAS_TIP, CHAIN_SOFTEN, CHAIN_STRETCH, CHAIN_TIP, CHAIN_TWIST, clearTwoBoneOptions, readTwoBoneOptions, type TwoBoneOptions,
} from "./ik-options.js";
import type { AnimPose } from "./pose.js";
import { readLocalRotation, readWorldPosition, readWorldRotation, writeLocalRotation, writeWorldPosition } from "./pose-access.js";
import { restPose, rigMeasures } from "./rest-pose.js";
import type { AnimSkeleton } from "./skeleton.js";
import { SLERP_WEIGHT, slerpByWeight } from "./track-sample.js";

const V = /* @__PURE__ */ new Float64Array(64);
const Q = /* @__PURE__ */ new Float64Array(4 * 8);
const M = /* @__PURE__ */ new Float64Array(9);

// Vectors.
const A = 0, B = 3, C = 6, DIR = 9, BEND = 12, AB = 15, BC = 18, AC = 21, NORMAL = 24, NEW_AB = 27, NEW_BC = 30, NEW_NORMAL = 33, NORMAL_BC = 36, T1 = 39, T2 = 42, T3 = 45, POLE = 48;
// Numbers: lengths of the bones and of their sum, of the way to the target, and what scales and dots go through.
const L1 = 51, L2 = 52, REACH = 53, DISTANCE = 54, S = 55, S2 = 56;
// Quaternions.
const ROOT = 0, MID = 4, BONE = 8, PARENT = 12, OLD = 16, NEW = 20, Q1 = 24, Q2 = 28;

/** Share of the chain's length below which two points are the same. */
const ON_ROOT = 1e-6;

/** What is asked of `aimAt` and `reachFor`: target x y z, pole x y z, the weight. */
export const IK = /* @__PURE__ */ new Float64Array(7);
export const IK_POLE = 3, IK_WEIGHT = 6;

/** Options of the chain that `reachFor` solves; none between calls. */
export const CHAIN = /* @__PURE__ */ Float64Array.of(1, 0, 1, 0, 0, 0, 0, 1);

/** V[o] = a b */
function dot(a: number, b: number, o: number): void {
  V[o] = V[a]! * V[b]! + V[a + 1]! * V[b + 1]! + V[a + 2]! * V[b + 2]!;
}

/** V[o] = |a| */
function lengthOf(a: number, o: number): void {
  V[o] = Math.sqrt(V[a]! * V[a]! + V[a + 1]! * V[a + 1]! + V[a + 2]! * V[a + 2]!);
}

/** One of the axes: 0, 1, 2. */
function setAxis(o: number, axis: number): void {
  V[o] = V[o + 1] = V[o + 2] = 0;
  V[o + axis] = 1;
}

function copy(a: number, o: number): void {
  V[o] = V[a]!;
  V[o + 1] = V[a + 1]!;
  V[o + 2] = V[a + 2]!;
}

/** o = the three numbers of `IK` from i on. */
function readIk(i: number, o: number): void {
  V[o] = IK[i]!;
  V[o + 1] = IK[i + 1]!;
  V[o + 2] = IK[i + 2]!;
}

/** o = a - b */
function subtract(a: number, b: number, o: number): void {
  V[o] = V[a]! - V[b]!;
  V[o + 1] = V[a + 1]! - V[b + 1]!;
  V[o + 2] = V[a + 2]! - V[b + 2]!;
}

/** o = a + b V[s] */
function addScaled(a: number, b: number, s: number, o: number): void {
  const k = V[s]!;
  V[o] = V[a]! + V[b]! * k;
  V[o + 1] = V[a + 1]! + V[b + 1]! * k;
  V[o + 2] = V[a + 2]! + V[b + 2]! * k;
}

function cross(a: number, b: number, o: number): void {
  const x = V[a + 1]! * V[b + 2]! - V[a + 2]! * V[b + 1]!, y = V[a + 2]! * V[b]! - V[a]! * V[b + 2]!, z = V[a]! * V[b + 1]! - V[a + 1]! * V[b]!;
  V[o] = x;
  V[o + 1] = y;
  V[o + 2] = z;
}

/** o = a V[s] */
function scale(a: number, s: number, o: number): void {
  const k = V[s]!;
  V[o] = V[a]! * k;
  V[o + 1] = V[a + 1]! * k;
  V[o + 2] = V[a + 2]! * k;
}

function normalise(a: number): void {
  const k = 1 / Math.sqrt(V[a]! * V[a]! + V[a + 1]! * V[a + 1]! + V[a + 2]! * V[a + 2]!);
  V[a] = V[a]! * k;
  V[a + 1] = V[a + 1]! * k;
  V[a + 2] = V[a + 2]! * k;
}

/** o = the part of a that is perpendicular to the unit vector u. */
function perpendicular(a: number, u: number, o: number): void {
  dot(a, u, S2);
  V[S2] = -V[S2]!;
  addScaled(a, u, S2, o);
}

/** o = q v */
function rotate(q: number, v: number, o: number): void {
  const x = Q[q]!, y = Q[q + 1]!, z = Q[q + 2]!, w = Q[q + 3]!, a = V[v]!, b = V[v + 1]!, c = V[v + 2]!;
  const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
  V[o] = a + 2 * (y * cz - z * cy);
  V[o + 1] = b + 2 * (z * cx - x * cz);
  V[o + 2] = c + 2 * (x * cy - y * cx);
}

/** o = a b, or conj(a) b. */
function multiply(a: number, b: number, o: number, conjugate: boolean): void {
  const s = conjugate ? -1 : 1, ax = Q[a]! * s, ay = Q[a + 1]! * s, az = Q[a + 2]! * s, aw = Q[a + 3]!;
  const bx = Q[b]!, by = Q[b + 1]!, bz = Q[b + 2]!, bw = Q[b + 3]!;
  Q[o] = aw * bx + ax * bw + ay * bz - az * by;
  Q[o + 1] = aw * by + ay * bw + az * bx - ax * bz;
  Q[o + 2] = aw * bz + az * bw + ax * by - ay * bx;
  Q[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

function identity(o: number): void {
  Q[o] = Q[o + 1] = Q[o + 2] = 0;
  Q[o + 3] = 1;
}

/** Shortest arc between unit vectors; half a turn about the vector `about` if they are opposite. */
function shortestArc(from: number, to: number, about: number, o: number): void {
  dot(from, to, S);
  const cosine = V[S]!;
  if (cosine < -1 + 1e-9) {
    Q[o] = V[about]!;
    Q[o + 1] = V[about + 1]!;
    Q[o + 2] = V[about + 2]!;
    Q[o + 3] = 0;
    return;
  }
  cross(from, to, T3);
  dot(T3, T3, S);
  const w = 1 + cosine, k = 1 / Math.sqrt(V[S]! + w * w);
  Q[o] = V[T3]! * k;
  Q[o + 1] = V[T3 + 1]! * k;
  Q[o + 2] = V[T3 + 2]! * k;
  Q[o + 3] = w * k;
}

/** The rotation that takes the frame of unit x and y (perpendicular) to the frame of x2 and y2. */
function frameRotation(x: number, y: number, x2: number, y2: number, o: number): void {
  cross(x, y, T1);
  cross(x2, y2, T2);
  // Sum of outer products: columns of the new frame times rows of the old.
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) M[r * 3 + c] = V[x2 + r]! * V[x + c]! + V[y2 + r]! * V[y + c]! + V[T2 + r]! * V[T1 + c]!;
  const xx = M[0]!, xy = M[1]!, xz = M[2]!, yx = M[3]!, yy = M[4]!, yz = M[5]!, zx = M[6]!, zy = M[7]!, zz = M[8]!;
  // The largest of the four components first (Shepperd 1978).
  const trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) {
    Q[o] = zy - yz;
    Q[o + 1] = xz - zx;
    Q[o + 2] = yx - xy;
    Q[o + 3] = 1 + trace;
  } else if (xx >= yy && xx >= zz) {
    Q[o] = 1 + xx - yy - zz;
    Q[o + 1] = xy + yx;
    Q[o + 2] = xz + zx;
    Q[o + 3] = zy - yz;
  } else if (yy >= zz) {
    Q[o] = xy + yx;
    Q[o + 1] = 1 + yy - xx - zz;
    Q[o + 2] = yz + zy;
    Q[o + 3] = xz - zx;
  } else {
    Q[o] = xz + zx;
    Q[o + 1] = yz + zy;
    Q[o + 2] = 1 + zz - xx - yy;
    Q[o + 3] = yx - xy;
  }
  makeUnit(o);
}

function makeUnit(o: number): void {
  const x = Q[o]!, y = Q[o + 1]!, z = Q[o + 2]!, w = Q[o + 3]!, k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  Q[o] = x * k;
  Q[o + 1] = y * k;
  Q[o + 2] = z * k;
  Q[o + 3] = w * k;
}

/** Sets the local rotation between what it is and Q[o], by the weight. */
function writeLocal(pose: AnimPose, bone: number, o: number): void {
  if (IK[IK_WEIGHT]! < 1) {
    readLocalRotation(pose, bone, Q, OLD);
    SLERP_WEIGHT[0] = IK[IK_WEIGHT]!;
    slerpByWeight(Q, OLD, Q, o, Q, o);
  }
  writeLocalRotation(pose, bone, Q, o);
}

/** See `AnimPose.aimBone`. */
export function aimBone(pose: AnimPose, skeleton: AnimSkeleton, bone: number, x: number, y: number, z: number, weight: number): boolean {
  requireFinite3("AnimPose.aimBone", "the target", x, y, z);
  requireFinite("AnimPose.aimBone", "weight", weight);
  IK[0] = x;
  IK[1] = y;
  IK[2] = z;
  IK[IK_WEIGHT] = weight;
  return aimAt(pose, skeleton, bone);
}

/** `AnimPose.aimBone` with the numbers in `IK`. */
export function aimAt(pose: AnimPose, skeleton: AnimSkeleton, bone: number): boolean {
  pose.computeWorld(skeleton);
  readWorldPosition(pose, bone, V, A);
  readIk(0, DIR);
  subtract(DIR, A, DIR);
  lengthOf(DIR, DISTANCE);
  if (IK[IK_WEIGHT]! <= 0 || V[DISTANCE]! <= 1e-6 * Math.max(1, rigMeasures(skeleton)[1]!)) return false;
  V[S] = 1 / V[DISTANCE]!;
  scale(DIR, S, DIR);
  readWorldRotation(pose, bone, Q, BONE);
  setAxis(B, 2);
  rotate(BONE, B, B);
  setAxis(C, 1);
  rotate(BONE, C, C);
  normalise(B);
  shortestArc(B, DIR, C, Q1);
  if (IK[IK_WEIGHT]! < 1) {
    identity(Q2);
    SLERP_WEIGHT[0] = IK[IK_WEIGHT]!;
    slerpByWeight(Q, Q2, Q, Q1, Q, Q1);
  }
  multiply(Q1, BONE, NEW, false);
  readWorldRotation(pose, skeleton.getParent(bone), Q, PARENT);
  multiply(PARENT, NEW, NEW, true);
  writeLocalRotation(pose, bone, Q, NEW);
  pose.computeWorld(skeleton);
  return true;
}

/** See `AnimPose.solveTwoBoneIK`. */
export function solveTwoBoneIK(
  pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, x: number, y: number, z: number,
  poleX: number | undefined, poleY: number | undefined, poleZ: number | undefined, weight: number, options: TwoBoneOptions | undefined,
): boolean {
  const method = "AnimPose.solveTwoBoneIK";
  requireFinite3(method, "the target", x, y, z);
  requireFinite(method, "weight", weight);
  if (!skeleton.isAncestor(root, mid) || !skeleton.isAncestor(mid, tip)) {
    throw new AnimArgumentError(`${method}: bones ${root}, ${mid}, ${tip} are not a chain; mid must lie below root and tip below mid.`);
  }
  const poles = Number((poleX ?? null) !== null) + Number((poleY ?? null) !== null) + Number((poleZ ?? null) !== null);
  if (poles !== 0 && poles !== 3) throw new AnimArgumentError(`${method}: the pole is (${show(poleX)}, ${show(poleY)}, ${show(poleZ)}), expected three numbers or none.`);
  if (poles === 3) {
    requireFinite3(method, "the pole", poleX!, poleY!, poleZ!);
    IK[IK_POLE] = poleX!;
    IK[IK_POLE + 1] = poleY!;
    IK[IK_POLE + 2] = poleZ!;
  }
  IK[0] = x;
  IK[1] = y;
  IK[2] = z;
  IK[IK_WEIGHT] = weight;
  if (options !== undefined) readTwoBoneOptions(method, options, CHAIN);
  try {
    return reachFor(pose, skeleton, root, mid, tip, poles === 3);
  } finally {
    clearTwoBoneOptions(CHAIN);
  }
}

/** `AnimPose.solveTwoBoneIK` of bones that are a chain, with the numbers in `IK`. */
export function reachFor(pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, hasPole: boolean): boolean {
  pose.computeWorld(skeleton);
  readWorldPosition(pose, root, V, A);
  readWorldPosition(pose, mid, V, B);
  readWorldPosition(pose, tip, V, C);
  subtract(B, A, AB);
  subtract(C, B, BC);
  subtract(C, A, AC);
  lengthOf(AB, L1);
  lengthOf(BC, L2);
  if (V[L1]! <= 1e-6 || V[L2]! <= 1e-6 || IK[IK_WEIGHT]! <= 0) return false;
  V[REACH] = V[L1]! + V[L2]!;
  readIk(0, DIR);
  subtract(DIR, A, DIR);
  lengthOf(DIR, DISTANCE);
  lengthOf(AC, S2);
  // World positions are float32: closer than their rounding, a target has no direction.
  if (V[DISTANCE]! > ON_ROOT * V[REACH]!) {
    V[S] = 1 / V[DISTANCE]!;
    scale(DIR, S, DIR);
  } else {
    copy(V[S2]! > ON_ROOT * V[REACH]! ? AC : AB, DIR);
    normalise(DIR);
  }
  chooseBend(pose, skeleton, root, mid, tip, hasPole);
  if (CHAIN[CHAIN_TWIST] !== 0) twistBend();

  const l1 = V[L1]!, l2 = V[L2]!, reach = V[REACH]!;
  soften();
  const d = Math.min(reach, Math.max(Math.abs(l1 - l2), V[S]!));
  const cosine = d > 0 ? Math.min(1, Math.max(-1, (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d))) : 0, sine = Math.sqrt(1 - cosine * cosine);
  V[S] = cosine;
  scale(DIR, S, NEW_AB);
  V[S] = sine;
  addScaled(NEW_AB, BEND, S, NEW_AB);
  V[S] = d;
  scale(DIR, S, NEW_BC);
  V[S] = -l1;
  addScaled(NEW_BC, NEW_AB, S, NEW_BC);
  cross(DIR, BEND, NEW_NORMAL);
  normalise(NEW_NORMAL);
  cross(AC, AB, NORMAL);
  lengthOf(NORMAL, S);
  const straight = V[S]! <= 1e-5 * l1 * reach;
  V[S] = 1 / l1;
  scale(AB, S, AB);
  V[S] = 1 / l2;
  scale(BC, S, BC);
  normalise(NEW_AB);
  lengthOf(NEW_BC, S);
  if (V[S]! > 1e-12) normalise(NEW_BC);
  else copy(BC, NEW_BC);
  if (straight) {
    shortestArc(NEW_AB, AB, NEW_NORMAL, Q1);
    rotate(Q1, NEW_NORMAL, NORMAL);
    perpendicular(NORMAL, AB, NORMAL);
  }
  normalise(NORMAL);
  perpendicular(NORMAL, BC, NORMAL_BC);
  normalise(NORMAL_BC);
  perpendicular(NEW_NORMAL, NEW_AB, T1);
  copy(T1, POLE);
  normalise(POLE);
  frameRotation(AB, NORMAL, NEW_AB, POLE, ROOT);
  perpendicular(NEW_NORMAL, NEW_BC, POLE);
  normalise(POLE);
  frameRotation(BC, NORMAL_BC, NEW_BC, POLE, MID);

  // Between root and mid everything turns with the root.
  readWorldRotation(pose, mid, Q, BONE);
  multiply(MID, BONE, MID, false);
  readWorldRotation(pose, skeleton.getParent(mid), Q, PARENT);
  multiply(ROOT, PARENT, PARENT, false);
  multiply(PARENT, MID, MID, true);
  readWorldRotation(pose, root, Q, BONE);
  multiply(ROOT, BONE, ROOT, false);
  readWorldRotation(pose, skeleton.getParent(root), Q, PARENT);
  multiply(PARENT, ROOT, ROOT, true);
  writeLocal(pose, root, ROOT);
  writeLocal(pose, mid, MID);
  pose.computeWorldSubtree(skeleton, root);
  if (CHAIN[CHAIN_STRETCH]! > 1) stretch(pose, skeleton, root, mid, tip, d);
  if (CHAIN[CHAIN_HAS_TIP] === 1) turnTip(pose, skeleton, tip);
  return IK[IK_WEIGHT]! >= 1 && isWithinReach();
}

/** Turns the bend about the way to the target. */
function twistBend(): void {
  const half = CHAIN[CHAIN_TWIST]! / 2, s = sin(half);
  Q[Q1] = V[DIR]! * s;
  Q[Q1 + 1] = V[DIR + 1]! * s;
  Q[Q1 + 2] = V[DIR + 2]! * s;
  Q[Q1 + 3] = cos(half);
  rotate(Q1, BEND, BEND);
}

/** Moves mid and tip away from the root by the factor that brings the tip, which is at `d`, to a target further away. */
function stretch(pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, d: number): void {
  if (V[DISTANCE]! <= d || d <= ON_ROOT * V[REACH]!) return;
  V[S] = 1 + (Math.min(CHAIN[CHAIN_STRETCH]!, V[DISTANCE]! / d) - 1) * Math.min(1, IK[IK_WEIGHT]!);
  readWorldPosition(pose, root, V, A);
  readWorldPosition(pose, mid, V, B);
  readWorldPosition(pose, tip, V, C);
  subtract(B, A, AB);
  subtract(C, A, AC);
  addScaled(A, AB, S, B);
  addScaled(A, AC, S, C);
  writeWorldPosition(pose, skeleton, mid, V, B);
  writeWorldPosition(pose, skeleton, tip, V, C);
}

/** Gives the tip its rotation in model space, by the weight. */
function turnTip(pose: AnimPose, skeleton: AnimSkeleton, tip: number): void {
  for (let k = 0; k < 4; k++) Q[NEW + k] = CHAIN[CHAIN_TIP + k]!;
  readWorldRotation(pose, skeleton.getParent(tip), Q, PARENT);
  multiply(PARENT, NEW, NEW, true);
  writeLocal(pose, tip, NEW);
  pose.computeWorld(skeleton);
}

/**
 * V[S] = how far the tip goes for a target at DISTANCE: as far, up to a share of the chain; beyond it
 * a + s (1 - 81 / (t + 3)^4) with t in lengths s that remain: continuous, the limit is the whole length. (It begins a third steeper than
 * the target moves, so that just beyond the share the tip is ahead of the target by up to 3 hundredths of s.)
 */
function soften(): void {
  const reach = V[REACH]!, start = CHAIN[CHAIN_SOFTEN]! * reach, room = reach - start;
  V[S] = V[DISTANCE]!;
  if (V[S]! <= start || room <= 1e-9 * reach) return;
  const t = (V[S]! - start) / room + 3;
  V[S] = start + room * (1 - 81 / (t * t * t * t));
}

/** Whether the target of the last `reachFor` was neither too far from the root for the bones nor too near. */
export function isWithinReach(): boolean {
  const slack = 1e-6 * V[REACH]!, distance = V[DISTANCE]!;
  return distance >= Math.abs(V[L1]! - V[L2]!) - slack && distance <= Math.max(CHAIN[CHAIN_SOFTEN]!, CHAIN[CHAIN_STRETCH]! > 1 ? CHAIN[CHAIN_STRETCH]! : 0) * V[REACH]! + slack;
}

/** Unit bend direction, perpendicular to DIR: pole, present bend, bend of the bind pose, or an axis. */
function chooseBend(pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, hasPole: boolean): void {
  if (hasPole) {
    readIk(IK_POLE, POLE);
    subtract(POLE, A, BEND);
    perpendicular(BEND, DIR, BEND);
    lengthOf(BEND, S);
    if (V[S]! > 1e-5 * V[REACH]!) {
      normalise(BEND);
      return;
    }
  }
  perpendicular(AB, DIR, BEND);
  lengthOf(BEND, S);
  if (V[S]! > 1e-5 * V[REACH]!) {
    normalise(BEND);
    return;
  }
  const rest = restPose(skeleton);
  readWorldPosition(rest, root, V, T1);
  readWorldPosition(rest, mid, V, T2);
  readWorldPosition(rest, tip, V, T3);
  subtract(T2, T1, T2);
  subtract(T3, T1, T3);
  cross(T3, T2, BEND);
  lengthOf(BEND, S);
  if (V[S]! > 1e-5 * V[REACH]! * V[REACH]!) {
    normalise(BEND);
    readWorldRotation(rest, root, Q, Q1);
    readWorldRotation(pose, root, Q, Q2);
    // Rw conj(Rw rest)
    Q[Q1] = -Q[Q1]!;
    Q[Q1 + 1] = -Q[Q1 + 1]!;
    Q[Q1 + 2] = -Q[Q1 + 2]!;
    multiply(Q2, Q1, Q1, false);
    rotate(Q1, BEND, T1);
    cross(T1, DIR, BEND);
    lengthOf(BEND, S);
    if (V[S]! > 1e-5) {
      normalise(BEND);
      return;
    }
  }
  const x = Math.abs(V[DIR]!), y = Math.abs(V[DIR + 1]!), z = Math.abs(V[DIR + 2]!);
  setAxis(T1, x <= y && x <= z ? 0 : y <= z ? 1 : 2);
  cross(DIR, T1, BEND);
  normalise(BEND);
}
