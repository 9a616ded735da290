/**
 * Chains of any length that reach for a target: FABRIK (A. Aristidou and J. Lasenby, "FABRIK: A fast, iterative solver for the
 * Inverse Kinematics problem", 2011) and cyclic coordinate descent, both on the places of the joints. What they find is
 * turned into rotations at the end, by the shortest arc of every bone, so that no bone is twisted. In double precision on
 * arrays that grow to the longest chain, with offsets as arguments; a solve allocates nothing. @internal
 */
import { MAX_BONES } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { readLocalRotation, readWorldPosition, readWorldRotation, writeLocalRotation } from "../rig/pose-access.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { SLERP_WEIGHT, slerpByWeight } from "../rig/track-sample.js";
import { inverseMultiply, rotateVector, shortestArc } from "../dynamic-bone/rotation.js";
import { multiplyRotations } from "../rig/rigid.js";

/** How a chain is solved. */
export type ChainMethod = "fabrik" | "ccd";

/** Share of the chain's length within which its tip counts as being at the target. */
export const CHAIN_TOLERANCE = 1e-5;

/** Places of the joints: as they are to be, and as they were. */
let places = new Float64Array(0);
let before = new Float64Array(0);
let lengths = new Float64Array(0);
/** Local rotations that were found; written when the last world value has been read. */
let locals = new Float64Array(0);
const GOAL = /* @__PURE__ */ new Float64Array(3);
const A = /* @__PURE__ */ new Float64Array(3);
const B = /* @__PURE__ */ new Float64Array(3);
const ARC = /* @__PURE__ */ new Float64Array(4);
const TURNED = /* @__PURE__ */ new Float64Array(4);
const PARENT = /* @__PURE__ */ new Float64Array(4);
const Q = /* @__PURE__ */ new Float64Array(4);
const OLD = /* @__PURE__ */ new Float64Array(4);
/** What `measure` found, the length of the chain, and how near its tip is to come. */
const N = /* @__PURE__ */ new Float64Array(3);
const FOUND = 0, TOTAL = 1, NEAR = 2;

/** Room for a chain of `joints` joints; called when a chain is added, so that solving it allocates nothing. */
export function reserveChain(joints: number): void {
  if (lengths.length >= joints) return;
  const room = Math.min(MAX_BONES, Math.max(16, 2 * joints));
  places = new Float64Array(room * 3);
  before = new Float64Array(room * 3);
  lengths = new Float64Array(room);
  locals = new Float64Array(room * 4);
}

function measure(a: Float64Array, i: number, b: Float64Array, j: number): void {
  const x = b[j]! - a[i]!, y = b[j + 1]! - a[i + 1]!, z = b[j + 2]! - a[i + 2]!;
  N[FOUND] = Math.sqrt(x * x + y * y + z * z);
}

/** Whether the tip, at `last`, is still away from the goal. */
function isAway(last: number): boolean {
  measure(places, last, GOAL, 0);
  return N[FOUND]! > N[NEAR]!;
}

/** Moves the joint at `i` onto the line from the joint at `from`, as far from that as lengths[bone]; leaves it where the two coincide. */
function keepApart(from: number, i: number, bone: number): void {
  measure(places, from, places, i);
  if (N[FOUND]! < 1e-12) return;
  const k = lengths[bone]! / N[FOUND]!;
  for (let c = 0; c < 3; c++) places[i + c] = places[from + c]! + (places[i + c]! - places[from + c]!) * k;
}

/** Every joint on the line to the goal, as far as the bones reach. */
function stretch(count: number): void {
  for (let c = 0; c < 3; c++) A[c] = GOAL[c]! - places[c]!;
  const far = Math.sqrt(A[0]! ** 2 + A[1]! ** 2 + A[2]! ** 2);
  let along = 0;
  for (let i = 1; i < count; i++) {
    along += lengths[i]!;
    for (let c = 0; c < 3; c++) places[i * 3 + c] = places[c]! + (A[c]! / far) * along;
  }
}

/** Bends a chain that lies on one line with its goal, which neither method could bend by itself. */
function breakLine(count: number): void {
  const total = N[TOTAL]!;
  for (let c = 0; c < 3; c++) A[c] = GOAL[c]! - places[c]!;
  const far = Math.sqrt(A[0]! ** 2 + A[1]! ** 2 + A[2]! ** 2);
  if (far < 1e-12) return;
  for (let i = 1; i < count; i++) {
    for (let c = 0; c < 3; c++) B[c] = places[i * 3 + c]! - places[c]!;
    const x = B[1]! * A[2]! - B[2]! * A[1]!, y = B[2]! * A[0]! - B[0]! * A[2]!, z = B[0]! * A[1]! - B[1]! * A[0]!;
    if (Math.sqrt(x * x + y * y + z * z) > 1e-4 * far * total) return;
  }
  // Across, along the axis in which the line goes least.
  const ax = Math.abs(A[0]!), ay = Math.abs(A[1]!), az = Math.abs(A[2]!), least = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
  B.fill(0);
  B[least] = 1;
  const dot = A[least]! / (far * far);
  for (let c = 0; c < 3; c++) B[c] = B[c]! - A[c]! * dot;
  const size = Math.sqrt(B[0]! ** 2 + B[1]! ** 2 + B[2]! ** 2);
  for (let i = 1; i < count; i++) {
    const bow = (0.02 * total * Math.min(i, count - i)) / (count * size);
    for (let c = 0; c < 3; c++) places[i * 3 + c] = places[i * 3 + c]! + B[c]! * bow;
    keepApart(i * 3 - 3, i * 3, i);
  }
}

function fabrikPass(count: number): void {
  const last = (count - 1) * 3, x = places[0]!, y = places[1]!, z = places[2]!;
  for (let c = 0; c < 3; c++) places[last + c] = GOAL[c]!;
  for (let i = last - 3; i >= 0; i -= 3) keepApart(i + 3, i, i / 3 + 1);
  places[0] = x;
  places[1] = y;
  places[2] = z;
  for (let i = 3; i <= last; i += 3) keepApart(i - 3, i, i / 3);
}

/** Turns, from the tip's head to the root, what lies below each joint so that the tip points at the goal. */
function ccdPass(count: number): void {
  const last = (count - 1) * 3;
  for (let i = last - 3; i >= 0; i -= 3) {
    for (let c = 0; c < 3; c++) {
      A[c] = places[last + c]! - places[i + c]!;
      B[c] = GOAL[c]! - places[i + c]!;
    }
    if (A[0]! ** 2 + A[1]! ** 2 + A[2]! ** 2 < 1e-24 || B[0]! ** 2 + B[1]! ** 2 + B[2]! ** 2 < 1e-24) continue;
    shortestArc(A, 0, B, 0, ARC, 0);
    for (let j = i + 3; j <= last; j += 3) {
      for (let c = 0; c < 3; c++) A[c] = places[j + c]! - places[i + c]!;
      rotateVector(ARC, 0, A, 0, A, 0);
      for (let c = 0; c < 3; c++) places[j + c] = places[i + c]! + A[c]!;
    }
  }
}

/**
 * Brings the tip of a chain to a place in model space.
 * @param bones - root to tip, each the parent of the next
 * @param weight - an array whose first number is the weight, above 0, 1 at most
 * @returns "ok" if the tip is there (before the weight), "unreachable" if the bones or the passes were too few, "degenerate"
 *   for a chain without length; that changes nothing
 */
export function solveChain(
  pose: AnimPose, skeleton: AnimSkeleton, bones: Int32Array, count: number, target: Float64Array, method: ChainMethod, passes: number, weight: Float64Array,
): "ok" | "unreachable" | "degenerate" {
  let total = 0;
  for (let i = 0; i < count; i++) {
    readWorldPosition(pose, bones[i]!, places, i * 3);
    for (let c = 0; c < 3; c++) before[i * 3 + c] = places[i * 3 + c]!;
    N[FOUND] = 0;
    if (i > 0) measure(places, i * 3 - 3, places, i * 3);
    lengths[i] = N[FOUND]!;
    total += lengths[i]!;
  }
  if (total < 1e-6) return "degenerate";
  for (let c = 0; c < 3; c++) GOAL[c] = target[c]!;
  N[TOTAL] = total;
  N[NEAR] = CHAIN_TOLERANCE * total;
  const last = (count - 1) * 3;
  measure(places, 0, GOAL, 0);
  if (N[FOUND]! > total) stretch(count);
  else {
    if (N[FOUND]! > 1e-9 * total && isAway(last)) breakLine(count);
    for (let pass = 0; pass < passes && isAway(last); pass++) {
      if (method === "fabrik") fabrikPass(count);
      else ccdPass(count);
    }
    // Descent creeps where the chain is almost straight; the other method finishes what it began.
    if (method === "ccd") for (let pass = 0; pass < passes && isAway(last); pass++) fabrikPass(count);
  }
  const missed = isAway(last);
  turnBones(pose, skeleton, bones, count, weight);
  return missed ? "unreachable" : "ok";
}

/** Gives the bones the rotations that put their ends where the joints are to be. */
function turnBones(pose: AnimPose, skeleton: AnimSkeleton, bones: Int32Array, count: number, weight: Float64Array): void {
  // How the parent of the bone was turned away from where it was.
  TURNED[0] = TURNED[1] = TURNED[2] = 0;
  TURNED[3] = 1;
  readWorldRotation(pose, skeleton.getParent(bones[0]!), PARENT, 0);
  for (let i = 0; i < count - 1; i++) {
    const o = i * 3, bone = bones[i]!;
    for (let c = 0; c < 3; c++) {
      A[c] = before[o + 3 + c]! - before[o + c]!;
      B[c] = places[o + 3 + c]! - places[o + c]!;
    }
    rotateVector(TURNED, 0, A, 0, A, 0);
    if (A[0]! ** 2 + A[1]! ** 2 + A[2]! ** 2 > 1e-24 && B[0]! ** 2 + B[1]! ** 2 + B[2]! ** 2 > 1e-24) {
      shortestArc(A, 0, B, 0, ARC, 0);
      multiplyRotations(ARC, 0, TURNED, 0, TURNED, 0);
    }
    readWorldRotation(pose, bone, Q, 0);
    multiplyRotations(TURNED, 0, Q, 0, Q, 0);
    inverseMultiply(PARENT, 0, Q, 0, ARC, 0);
    for (let c = 0; c < 4; c++) PARENT[c] = Q[c]!;
    if (weight[0]! < 1) {
      readLocalRotation(pose, bone, OLD, 0);
      SLERP_WEIGHT[0] = weight[0]!;
      slerpByWeight(OLD, 0, ARC, 0, ARC, 0);
    }
    for (let c = 0; c < 4; c++) locals[i * 4 + c] = ARC[c]!;
  }
  for (let i = 0; i < count - 1; i++) writeLocalRotation(pose, bones[i]!, locals, i * 4);
  pose.computeWorld(skeleton);
}
