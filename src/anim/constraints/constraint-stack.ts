import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { requireFinite, requireFinite3, requireIndex, requireLength, requireObject, show } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { readWorldPosition, readWorldRotation, writeWorldRotation } from "../rig/pose-access.js";
import { aimAt, IK, IK_POLE, IK_WEIGHT, isWithinReach, reachFor } from "../rig/pose-ik.js";
import { multiplyRotations } from "../rig/rigid.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { rotateVector } from "../dynamic-bone/rotation.js";
import { type ChainMethod, reserveChain, solveChain } from "./chain-ik.js";
import { slopeRotation } from "./slope.js";

/** How the last `apply` went for a constraint: "skipped" by weight, switch, or because `apply` was not called yet. */
export type ConstraintStatus = "ok" | "unreachable" | "degenerate" | "skipped";

type Kind = "aim" | "twoBone" | "foot" | "chain";

/** Passes that a chain is given when the caller names no number. */
const CHAIN_PASSES = 32;

/** One constraint; kept for reuse after `clear`. */
interface Entry {
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
}

const NO_BONES = /* @__PURE__ */ new Int32Array(0);

const Q = /* @__PURE__ */ new Float64Array(4);
const D = /* @__PURE__ */ new Float64Array(4);
const P = /* @__PURE__ */ new Float64Array(6);

/**
 * Constraints in model space that are applied to a pose in the order of insertion, each on the result of those before it.
 * Entries stay until `clear`; adding them again each frame allocates nothing.
 */
export class AnimConstraintStack {
  readonly #skeleton: AnimSkeleton;
  readonly #entries: Entry[] = [];
  #count = 0;

  /** @throws AnimArgumentError */
  constructor(skeleton: AnimSkeleton) {
    requireObject("AnimConstraintStack", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimConstraintStack");
    this.#skeleton = skeleton;
  }

  /**
   * Turns a bone so that its own +Z axis points at a target. See `AnimPose.aimBone`.
   * @param weight - clamped to 0..1; 0 skips
   * @returns the constraint's index
   */
  addAim(bone: number, targetX: number, targetY: number, targetZ: number, weight = 1): number {
    const method = "AnimConstraintStack.addAim";
    requireIndex(method, "bone", bone, this.#skeleton.getBoneCount());
    requireFinite3(method, "the target", targetX, targetY, targetZ);
    requireFinite(method, "weight", weight);
    return this.#push("aim", bone, bone, bone, targetX, targetY, targetZ, weight);
  }

  /**
   * Bends a chain so that its tip reaches a target. See `AnimPose.solveTwoBoneIK`.
   * @param poleX - all three numbers of the pole, or none
   * @returns the constraint's index
   * @throws AnimArgumentError if the bones are no chain
   */
  addTwoBoneIK(
    root: number, mid: number, tip: number, targetX: number, targetY: number, targetZ: number,
    poleX?: number, poleY?: number, poleZ?: number, weight = 1,
  ): number {
    const method = "AnimConstraintStack.addTwoBoneIK";
    requireChain(method, this.#skeleton, root, mid, tip);
    requireFinite3(method, "the target", targetX, targetY, targetZ);
    requireFinite(method, "weight", weight);
    const given = Number(poleX !== undefined) + Number(poleY !== undefined) + Number(poleZ !== undefined);
    if (given !== 0) requireFinite3(method, "the pole", poleX as number, poleY as number, poleZ as number);
    const index = this.#push("twoBone", root, mid, tip, targetX, targetY, targetZ, weight);
    if (given === 3) this.setPole(index, poleX!, poleY!, poleZ!);
    return index;
  }

  /**
   * Keeps a foot above the ground and lays it on the slope: heading, pitch and roll of the animation are kept relative to it.
   * @param groundHeight - height of the ground under the foot
   * @param normalY - above 0
   * @param soleOffset - distance from the foot joint to the sole, 0 or more
   * @returns the constraint's index
   * @throws AnimArgumentError if the bones are no chain, or the normal has no length or does not point up
   */
  addFootIK(hip: number, knee: number, foot: number, groundHeight: number, normalX = 0, normalY = 1, normalZ = 0, soleOffset = 0, weight = 1): number {
    const method = "AnimConstraintStack.addFootIK";
    requireChain(method, this.#skeleton, hip, knee, foot);
    requireFinite(method, "groundHeight", groundHeight);
    requireFinite3(method, "the normal", normalX, normalY, normalZ);
    requireFinite(method, "weight", weight);
    requireLength(method, "soleOffset", soleOffset);
    const length = Math.sqrt(normalX * normalX + normalY * normalY + normalZ * normalZ);
    if (length < 1e-8 || normalY <= 0) throw new AnimArgumentError(`${method}: the normal is (${normalX}, ${normalY}, ${normalZ}), expected a direction that points up.`);
    const index = this.#push("foot", hip, knee, foot, normalX / length, normalY / length, normalZ / length, weight);
    const { heights } = this.#entries[index]!;
    heights[0] = groundHeight;
    heights[1] = soleOffset;
    return index;
  }

  /**
   * Bends a chain of any number of bones so that its tip reaches a target, without twisting a bone. The tip keeps its local
   * rotation. Both methods start from the pose, so that small changes of the target give small changes of the chain.
   * @param root - the first bone that is turned
   * @param tip - a bone below it, which is brought to the target
   * @param method - "fabrik" needs the fewest passes; "ccd" moves the end of the chain more than its root
   * @param passes - 1..1000; the chain is solved early when its tip is within 1e-5 of its length of the target. Default 32
   * @returns the constraint's index; its status is "unreachable" when the bones or the passes were too few
   * @throws AnimArgumentError if the tip is not below the root
   */
  addChainIK(
    root: number, tip: number, targetX: number, targetY: number, targetZ: number, method: ChainMethod = "fabrik", passes = CHAIN_PASSES, weight = 1,
  ): number {
    const where = "AnimConstraintStack.addChainIK", count = this.#skeleton.getBoneCount();
    requireIndex(where, "root", root, count);
    requireIndex(where, "tip", tip, count);
    if (!this.#skeleton.isAncestor(root, tip)) throw new AnimArgumentError(`${where}: bone ${tip} is not below bone ${root}. Give the root of the chain first, then its tip.`, { found: tip });
    requireFinite3(where, "the target", targetX, targetY, targetZ);
    requireFinite(where, "weight", weight);
    if (method !== "fabrik" && method !== "ccd") throw new AnimArgumentError(`${where}: method is ${show(method)}, expected "fabrik" or "ccd".`, { found: method });
    if (!(Number.isInteger(passes) && passes >= 1 && passes <= 1000)) throw new AnimArgumentError(`${where}: passes is ${show(passes)}, expected an integer from 1 to 1000.`, { found: passes });
    const index = this.#push("chain", root, root, tip, targetX, targetY, targetZ, weight), entry = this.#entries[index]!;
    entry.boneCount = this.#skeleton.getDepth(tip) - this.#skeleton.getDepth(root) + 1;
    if (entry.bones.length < entry.boneCount) entry.bones = new Int32Array(entry.boneCount);
    for (let i = entry.boneCount - 1, bone = tip; i >= 0; i--, bone = this.#skeleton.getParent(bone)) entry.bones[i] = bone;
    entry.method = method;
    entry.passes = passes;
    reserveChain(entry.boneCount);
    return index;
  }

  /** Another target for an aim, a two-bone constraint or a chain. @throws AnimIndexError, AnimArgumentError for a foot */
  setTarget(index: number, x: number, y: number, z: number): void {
    const entry = this.#entry("setTarget", index);
    requireFinite3("AnimConstraintStack.setTarget", "the target", x, y, z);
    if (entry.kind === "foot") throw new AnimArgumentError(`AnimConstraintStack.setTarget: constraint ${index} is a foot, whose target is the ground. Clear the stack and add it again.`);
    setPoint(entry.target, x, y, z);
  }

  /** Another pole for a two-bone constraint. @throws AnimIndexError, AnimArgumentError for other constraints */
  setPole(index: number, x: number, y: number, z: number): void {
    const entry = this.#entry("setPole", index);
    requireFinite3("AnimConstraintStack.setPole", "the pole", x, y, z);
    if (entry.kind !== "twoBone") throw new AnimArgumentError(`AnimConstraintStack.setPole: constraint ${index} has no pole; only two-bone constraints do.`);
    setPoint(entry.pole, x, y, z);
    entry.hasPole = true;
  }

  /** @param weight - clamped to 0..1 */
  setWeight(index: number, weight: number): void {
    const entry = this.#entry("setWeight", index);
    requireFinite("AnimConstraintStack.setWeight", "weight", weight);
    entry.weight[0] = Math.min(1, Math.max(0, weight));
  }

  setEnabled(index: number, enabled: boolean): void {
    this.#entry("setEnabled", index).enabled = enabled === true;
  }

  /** How the last `apply` went for a constraint. */
  getLastStatus(index: number): ConstraintStatus {
    return this.#entry("getLastStatus", index).status;
  }

  getCount(): number {
    return this.#count;
  }

  /** Removes all constraints. */
  clear(): void {
    this.#count = 0;
  }

  /**
   * Applies the constraints; the world of the pose is valid afterwards. What cannot be solved (bones without length, a
   * target on the bone) is skipped, the others are applied.
   * @throws AnimMismatchError if the pose does not have the bones of the skeleton
   */
  apply(pose: AnimPose): void {
    requireObject("AnimConstraintStack.apply", "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#skeleton.getBoneCount()) {
      throw new AnimMismatchError(`AnimConstraintStack.apply: the pose has ${pose.getBoneCount()} bones, expected ${this.#skeleton.getBoneCount()}.`);
    }
    pose.computeWorld(this.#skeleton);
    for (let i = 0; i < this.#count; i++) {
      const entry = this.#entries[i]!;
      if (!entry.enabled || entry.weight[0] === 0) entry.status = "skipped";
      else if (entry.kind === "aim") {
        ask(entry);
        entry.status = aimAt(pose, this.#skeleton, entry.tip) ? "ok" : "degenerate";
      } else if (entry.kind === "twoBone") {
        ask(entry);
        entry.status = reach(pose, this.#skeleton, entry);
      } else if (entry.kind === "chain") entry.status = solveChain(pose, this.#skeleton, entry.bones, entry.boneCount, entry.target, entry.method, entry.passes, entry.weight);
      else entry.status = plant(pose, this.#skeleton, entry);
    }
    pose.computeWorld(this.#skeleton);
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimConstraintStack");
  }

  #push(kind: Kind, root: number, mid: number, tip: number, x: number, y: number, z: number, weight: number): number {
    if (this.#count === this.#entries.length) {
      this.#entries.push({
        kind, enabled: true, status: "skipped", weight: new Float64Array(1), root, mid, tip, target: new Float64Array(3), hasPole: false, pole: new Float64Array(3), heights: new Float64Array(2),
        bones: NO_BONES, boneCount: 0, method: "fabrik", passes: CHAIN_PASSES,
      });
    }
    const entry = this.#entries[this.#count]!;
    entry.kind = kind;
    entry.enabled = true;
    entry.status = "skipped";
    entry.weight[0] = Math.min(1, Math.max(0, weight));
    entry.root = root;
    entry.mid = mid;
    entry.tip = tip;
    entry.hasPole = false;
    setPoint(entry.target, x, y, z);
    return this.#count++;
  }

  #entry(method: string, index: number): Entry {
    requireIndex(`AnimConstraintStack.${method}`, "index", index, this.#count);
    return this.#entries[index]!;
  }
}

/** @throws AnimIndexError, AnimArgumentError unless the bones are root, a bone below it, and one below that @internal */
export function requireChain(method: string, skeleton: AnimSkeleton, root: number, mid: number, tip: number): void {
  const count = skeleton.getBoneCount();
  requireIndex(method, "the first bone", root, count);
  requireIndex(method, "the second bone", mid, count);
  requireIndex(method, "the third bone", tip, count);
  if (!skeleton.isAncestor(root, mid) || !skeleton.isAncestor(mid, tip)) {
    throw new AnimArgumentError(`${method}: bones ${root}, ${mid}, ${tip} are not a chain; each must lie below the one before.`);
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

function setPoint(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
