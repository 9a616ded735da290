/**
 * Aiming one bone and solving a chain of two, in model space. The work is in double precision, on numbers that lie in one
 * array: V holds vectors of three, Q quaternions of four, named by their offsets. Nothing is allocated. @internal
 */
import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireFinite3, show } from "./checks.js";
import type { AnimPose } from "./pose.js";
import { restPose, rigSize } from "./rest-pose.js";
import type { AnimSkeleton } from "./skeleton.js";
import { slerp } from "./track-sample.js";

const V = /* @__PURE__ */ new Float64Array(3 * 24);
const Q = /* @__PURE__ */ new Float64Array(4 * 8);
const M = /* @__PURE__ */ new Float64Array(9);

// Vectors.
const A = 0, B = 3, C = 6, DIR = 9, BEND = 12, AB = 15, BC = 18, AC = 21, NORMAL = 24, NEW_AB = 27, NEW_BC = 30, NEW_NORMAL = 33, NORMAL_BC = 36, T1 = 39, T2 = 42, T3 = 45, POLE = 48;
// Quaternions.
const ROOT = 0, MID = 4, BONE = 8, PARENT = 12, OLD = 16, NEW = 20, Q1 = 24, Q2 = 28;

/** Share of the chain's length below which two points are the same. */
const ON_ROOT = 1e-6;

const dot = (a: number, b: number): number => V[a]! * V[b]! + V[a + 1]! * V[b + 1]! + V[a + 2]! * V[b + 2]!;
const lengthOf = (a: number): number => Math.sqrt(dot(a, a));

function set(o: number, x: number, y: number, z: number): void {
  V[o] = x;
  V[o + 1] = y;
  V[o + 2] = z;
}

/** o = a + b s */
function addScaled(a: number, b: number, s: number, o: number): void {
  set(o, V[a]! + V[b]! * s, V[a + 1]! + V[b + 1]! * s, V[a + 2]! + V[b + 2]! * s);
}

function cross(a: number, b: number, o: number): void {
  set(o, V[a + 1]! * V[b + 2]! - V[a + 2]! * V[b + 1]!, V[a + 2]! * V[b]! - V[a]! * V[b + 2]!, V[a]! * V[b + 1]! - V[a + 1]! * V[b]!);
}

function scale(a: number, s: number, o: number): void {
  set(o, V[a]! * s, V[a + 1]! * s, V[a + 2]! * s);
}

function normalise(a: number): void {
  scale(a, 1 / lengthOf(a), a);
}

/** o = the part of a that is perpendicular to the unit vector u. */
function perpendicular(a: number, u: number, o: number): void {
  addScaled(a, u, -dot(a, u), o);
}

/** o = q v */
function rotate(q: number, v: number, o: number): void {
  const x = Q[q]!, y = Q[q + 1]!, z = Q[q + 2]!, w = Q[q + 3]!, a = V[v]!, b = V[v + 1]!, c = V[v + 2]!;
  const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
  set(o, a + 2 * (y * cz - z * cy), b + 2 * (z * cx - x * cz), c + 2 * (x * cy - y * cx));
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
  const cosine = dot(from, to);
  if (cosine < -1 + 1e-9) {
    Q[o] = V[about]!;
    Q[o + 1] = V[about + 1]!;
    Q[o + 2] = V[about + 2]!;
    Q[o + 3] = 0;
    return;
  }
  cross(from, to, T3);
  const w = 1 + cosine, k = 1 / Math.sqrt(dot(T3, T3) + w * w);
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
  if (trace >= xx && trace >= yy && trace >= zz) put(o, zy - yz, xz - zx, yx - xy, 1 + trace);
  else if (xx >= yy && xx >= zz) put(o, 1 + xx - yy - zz, xy + yx, xz + zx, zy - yz);
  else if (yy >= zz) put(o, xy + yx, 1 + yy - xx - zz, yz + zy, xz - zx);
  else put(o, xz + zx, yz + zy, 1 + zz - xx - yy, yx - xy);
}

function put(o: number, x: number, y: number, z: number, w: number): void {
  const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  Q[o] = x * k;
  Q[o + 1] = y * k;
  Q[o + 2] = z * k;
  Q[o + 3] = w * k;
}

function readPosition(pose: AnimPose, bone: number, o: number): void {
  set(o, pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone));
}

function readRotation(pose: AnimPose, bone: number, o: number): void {
  if (bone < 0) {
    identity(o);
    return;
  }
  Q[o] = pose.getWorldRotationX(bone);
  Q[o + 1] = pose.getWorldRotationY(bone);
  Q[o + 2] = pose.getWorldRotationZ(bone);
  Q[o + 3] = pose.getWorldRotationW(bone);
}

/** Sets the local rotation between what it is and Q[o], by `weight`. */
function writeLocal(pose: AnimPose, bone: number, o: number, weight: number): void {
  if (weight < 1) {
    Q[OLD] = pose.getLocalRotationX(bone);
    Q[OLD + 1] = pose.getLocalRotationY(bone);
    Q[OLD + 2] = pose.getLocalRotationZ(bone);
    Q[OLD + 3] = pose.getLocalRotationW(bone);
    slerp(Q, OLD, Q, o, weight, Q, o);
  }
  pose.setLocalRotation(bone, Q[o]!, Q[o + 1]!, Q[o + 2]!, Q[o + 3]!);
}

/** See `AnimPose.aimBone`. */
export function aimBone(pose: AnimPose, skeleton: AnimSkeleton, bone: number, x: number, y: number, z: number, weight: number): boolean {
  requireFinite3("AnimPose.aimBone", "the target", x, y, z);
  requireFinite("AnimPose.aimBone", "weight", weight);
  pose.computeWorld(skeleton);
  readPosition(pose, bone, A);
  set(DIR, x, y, z);
  addScaled(DIR, A, -1, DIR);
  const distance = lengthOf(DIR);
  if (weight <= 0 || distance <= 1e-6 * Math.max(1, rigSize(skeleton))) return false;
  scale(DIR, 1 / distance, DIR);
  readRotation(pose, bone, BONE);
  set(B, 0, 0, 1);
  rotate(BONE, B, B);
  set(C, 0, 1, 0);
  rotate(BONE, C, C);
  normalise(B);
  shortestArc(B, DIR, C, Q1);
  if (weight < 1) {
    identity(Q2);
    slerp(Q, Q2, Q, Q1, weight, Q, Q1);
  }
  multiply(Q1, BONE, NEW, false);
  readRotation(pose, skeleton.getParent(bone), PARENT);
  multiply(PARENT, NEW, NEW, true);
  pose.setLocalRotation(bone, Q[NEW]!, Q[NEW + 1]!, Q[NEW + 2]!, Q[NEW + 3]!);
  pose.computeWorld(skeleton);
  return true;
}

/** See `AnimPose.solveTwoBoneIK`. */
export function solveTwoBoneIK(
  pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, x: number, y: number, z: number,
  poleX: number | undefined, poleY: number | undefined, poleZ: number | undefined, weight: number,
): boolean {
  const method = "AnimPose.solveTwoBoneIK";
  requireFinite3(method, "the target", x, y, z);
  requireFinite(method, "weight", weight);
  if (!skeleton.isAncestor(root, mid) || !skeleton.isAncestor(mid, tip)) {
    throw new AnimArgumentError(`${method}: bones ${root}, ${mid}, ${tip} are not a chain; mid must lie below root and tip below mid.`);
  }
  const poles = [poleX, poleY, poleZ].filter((p) => p !== undefined && p !== null).length;
  if (poles !== 0 && poles !== 3) throw new AnimArgumentError(`${method}: the pole is (${show(poleX)}, ${show(poleY)}, ${show(poleZ)}), expected three numbers or none.`);
  if (poles === 3) {
    requireFinite3(method, "the pole", poleX!, poleY!, poleZ!);
    set(POLE, poleX!, poleY!, poleZ!);
  }

  pose.computeWorld(skeleton);
  readPosition(pose, root, A);
  readPosition(pose, mid, B);
  readPosition(pose, tip, C);
  addScaled(B, A, -1, AB);
  addScaled(C, B, -1, BC);
  addScaled(C, A, -1, AC);
  const l1 = lengthOf(AB), l2 = lengthOf(BC), reach = l1 + l2, nearest = Math.abs(l1 - l2);
  if (l1 <= 1e-6 || l2 <= 1e-6 || weight <= 0) return false;
  set(DIR, x, y, z);
  addScaled(DIR, A, -1, DIR);
  const distance = lengthOf(DIR);
  // World positions are float32: closer than their rounding, a target has no direction.
  if (distance > ON_ROOT * reach) scale(DIR, 1 / distance, DIR);
  else {
    addScaled(lengthOf(AC) > ON_ROOT * reach ? AC : AB, DIR, 0, DIR);
    normalise(DIR);
  }
  const d = Math.min(reach, Math.max(nearest, distance));
  chooseBend(pose, skeleton, root, mid, tip, poles === 3, reach);

  const cosine = d > 0 ? Math.min(1, Math.max(-1, (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d))) : 0, sine = Math.sqrt(1 - cosine * cosine);
  scale(DIR, cosine, NEW_AB);
  addScaled(NEW_AB, BEND, sine, NEW_AB);
  scale(DIR, d, NEW_BC);
  addScaled(NEW_BC, NEW_AB, -l1, NEW_BC);
  cross(DIR, BEND, NEW_NORMAL);
  normalise(NEW_NORMAL);
  cross(AC, AB, NORMAL);
  const straight = lengthOf(NORMAL) <= 1e-5 * l1 * reach;
  scale(AB, 1 / l1, AB);
  scale(BC, 1 / l2, BC);
  normalise(NEW_AB);
  if (lengthOf(NEW_BC) > 1e-12) normalise(NEW_BC);
  else scale(BC, 1, NEW_BC);
  if (straight) {
    shortestArc(NEW_AB, AB, NEW_NORMAL, Q1);
    rotate(Q1, NEW_NORMAL, NORMAL);
    perpendicular(NORMAL, AB, NORMAL);
  }
  normalise(NORMAL);
  perpendicular(NORMAL, BC, NORMAL_BC);
  normalise(NORMAL_BC);
  perpendicular(NEW_NORMAL, NEW_AB, T1);
  scale(T1, 1, POLE);
  normalise(POLE);
  frameRotation(AB, NORMAL, NEW_AB, POLE, ROOT);
  perpendicular(NEW_NORMAL, NEW_BC, POLE);
  normalise(POLE);
  frameRotation(BC, NORMAL_BC, NEW_BC, POLE, MID);

  // Between root and mid everything turns with the root.
  const blend = Math.min(1, weight);
  readRotation(pose, mid, BONE);
  multiply(MID, BONE, MID, false);
  readRotation(pose, skeleton.getParent(mid), PARENT);
  multiply(ROOT, PARENT, PARENT, false);
  multiply(PARENT, MID, MID, true);
  readRotation(pose, root, BONE);
  multiply(ROOT, BONE, ROOT, false);
  readRotation(pose, skeleton.getParent(root), PARENT);
  multiply(PARENT, ROOT, ROOT, true);
  writeLocal(pose, root, ROOT, blend);
  writeLocal(pose, mid, MID, blend);
  pose.computeWorldSubtree(skeleton, root);
  const slack = 1e-6 * reach;
  return weight >= 1 && distance >= nearest - slack && distance <= reach + slack;
}

/** Unit bend direction, perpendicular to DIR: pole, present bend, bend of the bind pose, or an axis. */
function chooseBend(pose: AnimPose, skeleton: AnimSkeleton, root: number, mid: number, tip: number, hasPole: boolean, reach: number): void {
  if (hasPole) {
    addScaled(POLE, A, -1, BEND);
    perpendicular(BEND, DIR, BEND);
    if (lengthOf(BEND) > 1e-5 * reach) {
      normalise(BEND);
      return;
    }
  }
  perpendicular(AB, DIR, BEND);
  if (lengthOf(BEND) > 1e-5 * reach) {
    normalise(BEND);
    return;
  }
  const rest = restPose(skeleton);
  readPosition(rest, root, T1);
  readPosition(rest, mid, T2);
  readPosition(rest, tip, T3);
  addScaled(T2, T1, -1, T2);
  addScaled(T3, T1, -1, T3);
  cross(T3, T2, BEND);
  if (lengthOf(BEND) > 1e-5 * reach * reach) {
    normalise(BEND);
    readRotation(rest, root, Q1);
    readRotation(pose, root, Q2);
    // Rw conj(Rw rest)
    Q[Q1] = -Q[Q1]!;
    Q[Q1 + 1] = -Q[Q1 + 1]!;
    Q[Q1 + 2] = -Q[Q1 + 2]!;
    multiply(Q2, Q1, Q1, false);
    rotate(Q1, BEND, T1);
    cross(T1, DIR, BEND);
    if (lengthOf(BEND) > 1e-5) {
      normalise(BEND);
      return;
    }
  }
  const x = Math.abs(V[DIR]!), y = Math.abs(V[DIR + 1]!), z = Math.abs(V[DIR + 2]!);
  if (x <= y && x <= z) set(T1, 1, 0, 0);
  else if (y <= z) set(T1, 0, 1, 0);
  else set(T1, 0, 0, 1);
  cross(DIR, T1, BEND);
  normalise(BEND);
}
