import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { requireFinite, requireFinite3, requireIndex, requireLength, requireObject, requireShare, show } from "../rig/checks.js";
import type { AnimPose } from "../rig/pose.js";
import { CHAIN_NUMBERS, clearTwoBoneOptions, readTwoBoneOptions, type TwoBoneOptions } from "../rig/ik-options.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { MAX_ANGLE, SWING_X, SWING_Z, TWIST_MAX, TWIST_MIN } from "./bone-constraints.js";
import { type ChainMethod, reserveChain } from "./chain-ik.js";
import { type ConstraintStatus, type Entry, type Kind, newEntry, solve } from "./constraint-entry.js";

/** What `AnimConstraintStack.addLookAt` may be told besides. */
export interface LookAtOptions {
  /** The axis of the last bone that looks; default +Z. */
  axis?: readonly [number, number, number];
  /** Largest angle between where the animation looks and where the constraint makes it look, radians; default half a turn. */
  maxAngle?: number;
  weight?: number;
}

/** Passes that a chain is given when the caller names no number. */
const CHAIN_PASSES = 32;

const NO_OPTIONS: LookAtOptions = {};
const FORWARD: readonly [number, number, number] = [0, 0, 1];

/** Options of a constraint that is being added. */
const OPTIONS = /* @__PURE__ */ new Float64Array(CHAIN_NUMBERS);

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
   * @param options - `soften`: gives way before it is straight, so that knees do not pop; `twist` of the bend, `stretch`, and the tip's rotation
   * @returns the constraint's index
   * @throws AnimArgumentError if the bones are no chain
   */
  addTwoBoneIK(
    root: number, mid: number, tip: number, targetX: number, targetY: number, targetZ: number,
    poleX?: number, poleY?: number, poleZ?: number, weight = 1, options?: TwoBoneOptions,
  ): number {
    const method = "AnimConstraintStack.addTwoBoneIK";
    requireChain(method, this.#skeleton, root, mid, tip);
    requireFinite3(method, "the target", targetX, targetY, targetZ);
    requireFinite(method, "weight", weight);
    const given = Number(poleX !== undefined) + Number(poleY !== undefined) + Number(poleZ !== undefined);
    if (given !== 0) requireFinite3(method, "the pole", poleX as number, poleY as number, poleZ as number);
    clearTwoBoneOptions(OPTIONS);
    if (options !== undefined) readTwoBoneOptions(method, options, OPTIONS);
    const index = this.#push("twoBone", root, mid, tip, targetX, targetY, targetZ, weight);
    this.#entries[index]!.numbers.set(OPTIONS);
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

  /**
   * Turns a chain (such as spine, neck, head) so that its last bone looks at a target. Each bone takes its share of what is left
   * of the turn; a last share of 1 makes it exact.
   * @param bones - each below the one before
   * @param shares - 0..1, one a bone
   * @returns the constraint's index; its status is "unreachable" where `maxAngle` or the last share held it back
   */
  addLookAt(bones: readonly number[], shares: readonly number[], targetX: number, targetY: number, targetZ: number, options: LookAtOptions = NO_OPTIONS): number {
    const method = "AnimConstraintStack.addLookAt";
    requireObject(method, "bones", bones, "array");
    requireObject(method, "shares", shares, "array");
    requireObject(method, "options", options, "object such as { maxAngle: 1 }");
    if (bones.length === 0 || shares.length !== bones.length) throw new AnimArgumentError(`${method}: ${bones.length} bones and ${shares.length} shares were given, expected one bone at least and a share for each.`);
    for (let i = 0; i < bones.length; i++) {
      requireIndex(method, `bones[${i}]`, bones[i]!, this.#skeleton.getBoneCount());
      requireShare(method, `shares[${i}]`, shares[i]!);
      if (i > 0 && !this.#skeleton.isAncestor(bones[i - 1]!, bones[i]!)) throw new AnimArgumentError(`${method}: bone ${bones[i]} is not below bone ${bones[i - 1]}. Give the chain from its root on.`, { found: bones[i] });
    }
    requireFinite3(method, "the target", targetX, targetY, targetZ);
    const { axis = FORWARD, maxAngle = Math.PI, weight = 1 } = options, [x, y, z] = axis;
    requireFinite3(method, "the axis", x, y, z);
    requireLength(method, "maxAngle", maxAngle);
    requireFinite(method, "weight", weight);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length < 1e-8) throw new AnimArgumentError(`${method}: the axis has no length, expected a direction.`);
    const last = bones[bones.length - 1]!, index = this.#push("lookAt", bones[0]!, last, last, targetX, targetY, targetZ, weight), entry = this.#entries[index]!;
    if (entry.bones.length < bones.length) entry.bones = new Int32Array(bones.length);
    if (entry.shares.length < bones.length) entry.shares = new Float64Array(bones.length);
    for (let i = 0; i < bones.length; i++) {
      entry.bones[i] = bones[i]!;
      entry.shares[i] = shares[i]!;
    }
    entry.boneCount = bones.length;
    setPoint(entry.numbers, x / length, y / length, z / length);
    entry.numbers[MAX_ANGLE] = maxAngle;
    return index;
  }

  /**
   * Limits how far a bone may be turned away from its bind pose: swings of its +Y axis within an ellipse, twists about it within a
   * range. Radians.
   * @param swingX - largest swing about the bone's X, 0..pi; @param swingZ - about its Z
   * @param twistMin - -pi..twistMax; @param twistMax - up to pi
   * @returns the constraint's index
   */
  addRotationLimit(bone: number, swingX: number, swingZ: number, twistMin: number, twistMax: number, weight = 1): number {
    const method = "AnimConstraintStack.addRotationLimit";
    requireIndex(method, "bone", bone, this.#skeleton.getBoneCount());
    requireLength(method, "swingX", swingX);
    requireLength(method, "swingZ", swingZ);
    requireFinite(method, "twistMin", twistMin);
    requireFinite(method, "twistMax", twistMax);
    requireFinite(method, "weight", weight);
    if (twistMin > twistMax) throw new AnimArgumentError(`${method}: twistMin is ${twistMin}, above twistMax, ${twistMax}. Give the smaller one first.`, { found: twistMin });
    const index = this.#push("limit", bone, bone, bone, 0, 0, 0, weight), { numbers } = this.#entries[index]!;
    numbers[SWING_X] = swingX;
    numbers[SWING_Z] = swingZ;
    numbers[TWIST_MIN] = twistMin;
    numbers[TWIST_MAX] = twistMax;
    return index;
  }

  /**
   * Turns a bone as another is turned, in model space.
   * @param source - a bone that is not below `bone`
   * @param keepOffset - true (default): as the other is turned away from the bind pose; false: to the very rotation
   * @returns the constraint's index
   */
  addCopyRotation(bone: number, source: number, weight = 1, keepOffset = true): number {
    return this.#addCopy("addCopyRotation", "copyRotation", bone, source, weight, keepOffset);
  }

  /**
   * Puts a bone where another is, in model space.
   * @param source - a bone that is not below `bone`
   * @param keepOffset - true (default): where it is in the bind pose as seen from the other; false: on the other
   * @returns the constraint's index
   */
  addCopyPosition(bone: number, source: number, weight = 1, keepOffset = true): number {
    return this.#addCopy("addCopyPosition", "copyPosition", bone, source, weight, keepOffset);
  }

  /** Another target for an aim, a look-at, a two-bone constraint or a chain. @throws AnimIndexError, AnimArgumentError for others */
  setTarget(index: number, x: number, y: number, z: number): void {
    const entry = this.#entry("setTarget", index);
    requireFinite3("AnimConstraintStack.setTarget", "the target", x, y, z);
    if (entry.kind === "foot") throw new AnimArgumentError(`AnimConstraintStack.setTarget: constraint ${index} is a foot, whose target is the ground. Clear the stack and add it again.`);
    if (entry.kind === "limit" || entry.kind === "copyRotation" || entry.kind === "copyPosition") throw new AnimArgumentError(`AnimConstraintStack.setTarget: constraint ${index} has no target; limits and copies have none.`);
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
      entry.status = entry.enabled && entry.weight[0] !== 0 ? solve(pose, this.#skeleton, entry) : "skipped";
    }
    pose.computeWorld(this.#skeleton);
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimConstraintStack");
  }

  #push(kind: Kind, root: number, mid: number, tip: number, x: number, y: number, z: number, weight: number): number {
    if (this.#count === this.#entries.length) this.#entries.push(newEntry(CHAIN_PASSES));
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

  #addCopy(method: string, kind: "copyRotation" | "copyPosition", bone: number, source: number, weight: number, keepOffset: boolean): number {
    const where = `AnimConstraintStack.${method}`, count = this.#skeleton.getBoneCount();
    requireIndex(where, "bone", bone, count);
    requireIndex(where, "source", source, count);
    requireFinite(where, "weight", weight);
    if (bone === source || this.#skeleton.isAncestor(bone, source)) throw new AnimArgumentError(`${where}: source ${source} is bone ${bone} or below it, so it would move with what it moves. Give another bone.`, { found: source });
    const index = this.#push(kind, source, bone, bone, 0, 0, 0, weight);
    this.#entries[index]!.keepOffset = keepOffset !== false;
    return index;
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

function setPoint(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
