/** Constraints of a stack, and how each kind is solved. @internal */
import type { AnimPose } from "../rig/pose.js";
import { readWorldPosition, readWorldRotation, writeWorldRotation } from "../rig/pose-access.js";
import { CHAIN_NUMBERS, clearTwoBoneOptions } from "../rig/ik-options.js";
import { aimAt, CHAIN, IK, IK_POLE, IK_WEIGHT, isWithinReach, reachFor } from "../rig/pose-ik.js";
import { multiplyRotations } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { rotateVector } from "../dynamic-bone/rotation.js";
import { copyPosition, copyRotation, limitRotation, lookAt } from "./bone-constraints.js";
import { type ChainMethod, solveChain } from "./chain-ik.js";
import { slopeRotation } from "./slope.js";

/** How the last `apply` went for a constraint: "skipped" by weight, switch, or because `apply` was not called yet. */
export type ConstraintStatus = "ok" | "unreachable" | "degenerate" | "skipped";

export type Kind = "aim" | "twoBone" | "foot" | "chain" | "lookAt" | "limit" | "copyRotation" | "copyPosition";

/** One constraint; kept for reuse after `clear`. */
export interface Entry {
  kind: Kind;
  enabled: boolean;
  status: ConstraintStatus;
  /** One number, 0..1; what a solver takes is in arrays, so that nothing is boxed. */
  readonly weight: Float64Array;
  root: number;
  mid: number;
  tip: number;
  /** Target; of a foot: the ground's normal. */
  readonly target: Float64Array;
  hasPole: boolean;
  readonly pole: Float64Array;
  /** Of a foot: height of the ground, and of the joint above the sole. */
  readonly heights: Float64Array;
  /** Of a chain: its bones, root to tip (the first `boneCount` entries), and how it is solved. */
  bones: Int32Array;
  boneCount: number;
  method: ChainMethod;
  passes: number;
  /** Of a look-at: what each bone of the chain takes of the turn. */
  shares: Float64Array;
  /** Of a look-at and of a limit, see bone-constraints.ts; of two bones, see rig/ik-options.ts. */
  readonly numbers: Float64Array;
  /** Of a copy. */
  keepOffset: boolean;
}

const NO_BONES = /* @__PURE__ */ new Int32Array(0);
const NO_SHARES = /* @__PURE__ */ new Float64Array(0);

const Q = /* @__PURE__ */ new Float64Array(4);
const D = /* @__PURE__ */ new Float64Array(4);
const P = /* @__PURE__ */ new Float64Array(6);

export function newEntry(passes: number): Entry {
  return {
    kind: "aim", enabled: true, status: "skipped", weight: new Float64Array(1), root: 0, mid: 0, tip: 0, target: new Float64Array(3), hasPole: false, pole: new Float64Array(3),
    heights: new Float64Array(2), bones: NO_BONES, boneCount: 0, method: "fabrik", passes, shares: NO_SHARES, numbers: new Float64Array(CHAIN_NUMBERS), keepOffset: true,
  };
}

/** Applies a constraint; the world of the pose is valid before and after. */
export function solve(pose: AnimPose, skeleton: AnimSkeleton, entry: Entry): ConstraintStatus {
  switch (entry.kind) {
    case "aim":
      ask(entry);
      return aimAt(pose, skeleton, entry.tip) ? "ok" : "degenerate";
    case "twoBone": {
      ask(entry);
      for (let k = 0; k < CHAIN_NUMBERS; k++) CHAIN[k] = entry.numbers[k]!;
      try {
        return reach(pose, skeleton, entry);
      } finally {
        clearTwoBoneOptions(CHAIN);
      }
    }
    case "foot": return plant(pose, skeleton, entry);
    case "chain": return solveChain(pose, skeleton, entry.bones, entry.boneCount, entry.target, entry.method, entry.passes, entry.weight);
    case "lookAt": return lookAt(pose, skeleton, entry.bones, entry.shares, entry.boneCount, entry.target, entry.numbers, entry.weight);
    case "limit": return limitRotation(pose, skeleton, entry.tip, entry.numbers, entry.weight);
    case "copyRotation": return copyRotation(pose, skeleton, entry.tip, entry.root, entry.keepOffset, entry.weight);
    case "copyPosition": return copyPosition(pose, skeleton, entry.tip, entry.root, entry.keepOffset, entry.weight);
  }
}

/** Gives target, pole and weight of a constraint to the solvers of one and two bones. */
function ask(entry: Entry): void {
  const { target, pole } = entry;
  for (let c = 0; c < 3; c++) {
    IK[c] = target[c]!;
    IK[IK_POLE + c] = pole[c]!;
  }
  IK[IK_WEIGHT] = entry.weight[0]!;
}

/** Brings the tip to the target in `IK`. */
function reach(pose: AnimPose, skeleton: AnimSkeleton, entry: Entry): ConstraintStatus {
  const { root, mid, tip } = entry;
  if (!isLong(pose, root, mid) || !isLong(pose, mid, tip)) return "degenerate";
  reachFor(pose, skeleton, root, mid, tip, entry.hasPole);
  return isWithinReach() ? "ok" : "unreachable";
}

/** Lifts a foot out of the ground and lays it on the slope. */
function plant(pose: AnimPose, skeleton: AnimSkeleton, entry: Entry): ConstraintStatus {
  const { tip: foot, target: normal, heights } = entry;
  readWorldPosition(pose, foot, P, 0);
  readWorldRotation(pose, foot, Q, 0);
  const missing = heights[1]! - (P[1]! - heights[0]!) * normal[1]!;
  let status: ConstraintStatus = "ok";
  if (missing > 0) {
    ask(entry);
    for (let c = 0; c < 3; c++) IK[c] = P[c]! + normal[c]! * missing;
    status = reach(pose, skeleton, entry);
    if (status === "degenerate") return status;
  }
  // The slope turns the foot as the animation had it, not as the bending leg left it.
  P[0] = P[1] = 0;
  P[2] = 1;
  rotateVector(Q, 0, P, 0, P, 0);
  if (slopeRotation(P, normal, entry.weight, D)) multiplyRotations(D, 0, Q, 0, Q, 0);
  writeWorldRotation(pose, skeleton, foot, Q, 0);
  return status;
}

/** Whether there is a bone between two joints, and not only a point. */
function isLong(pose: AnimPose, a: number, b: number): boolean {
  readWorldPosition(pose, a, P, 0);
  readWorldPosition(pose, b, P, 3);
  const x = P[3]! - P[0]!, y = P[4]! - P[1]!, z = P[5]! - P[2]!;
  return Math.sqrt(x * x + y * y + z * z) > 1e-6;
}
