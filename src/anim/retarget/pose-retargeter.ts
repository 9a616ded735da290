import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { requireObject, show } from "../rig/checks.js";
import { localIndex } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { RetargetPlan } from "./plan.js";
import { AnimRetargetProfile } from "./profile.js";
import { LOCAL, normalise } from "./rig-frames.js";

/**
 * Carries poses of one rig over to another as they come, frame by frame: what `AnimClip.retargetWithProfile` bakes, without a
 * clip. For motion that is blended, captured or simulated at run time.
 *
 * The matching is done once, here; `apply` allocates nothing. The corrections that look at neighbouring frames (kept
 * interactions, ground contact, a learned model) belong to baking and are not applied; `FootIKSolver` plants feet at run time.
 */
export class AnimPoseRetargeter {
  readonly #plan: RetargetPlan;
  readonly #source: AnimSkeleton;
  readonly #target: AnimSkeleton;

  /**
   * @param profile - mappings and root scale, as they are now; its counts report this matching. Default: a new one
   * @param movingRoot - whether the source's pelvis moves by position keys where a root bone above it exists. Default true
   * @throws AnimMismatchError if no bone matches, AnimArgumentError for names that are not there
   */
  constructor(source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile = new AnimRetargetProfile(), movingRoot = true) {
    requireObject("AnimPoseRetargeter", "source", source, "AnimSkeleton");
    requireObject("AnimPoseRetargeter", "target", target, "AnimSkeleton");
    if (!(profile instanceof AnimRetargetProfile)) throw new AnimArgumentError(`AnimPoseRetargeter: profile is ${show(profile)}, expected an AnimRetargetProfile.`);
    this.#source = source;
    this.#target = target;
    this.#plan = new RetargetPlan("AnimPoseRetargeter", source, target, profile.settings, () => movingRoot);
    profile.report(this.#plan, target, 0, undefined);
  }

  /**
   * Turns the matched bones of `target` as those of `source` are, and moves its root. Other bones take their bind pose.
   * The two poses may not be the same one.
   * @throws AnimMismatchError if a pose does not have the bones of its skeleton
   */
  apply(source: AnimPose, target: AnimPose): void {
    requireObject("AnimPoseRetargeter.apply", "source", source, "AnimPose");
    requireObject("AnimPoseRetargeter.apply", "target", target, "AnimPose");
    if (source === target) throw new AnimArgumentError("AnimPoseRetargeter.apply: source and target are one pose. Give a pose of each rig.");
    requireBones("source", source, this.#source);
    requireBones("target", target, this.#target);
    const plan = this.#plan, { source: from, target: to } = plan;
    read(source.localPtr, from.local, from.boneCount);
    from.compose(0);
    plan.transfer();
    write(target.localPtr, to.local, to.boneCount);
    target.markStale();
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimPoseRetargeter");
  }
}

function requireBones(which: string, pose: AnimPose, skeleton: AnimSkeleton): void {
  if (pose.getBoneCount() !== skeleton.getBoneCount()) {
    throw new AnimMismatchError(`AnimPoseRetargeter.apply: the ${which} pose has ${pose.getBoneCount()} bones, expected ${skeleton.getBoneCount()}. Give a pose of the ${which} skeleton.`);
  }
}

function read(localPtr: number, local: Float64Array, boneCount: number): void {
  const f32 = heap.f32;
  for (let bone = 0; bone < boneCount; bone++) {
    const at = localIndex(localPtr, bone);
    for (let row = 0; row < LOCAL; row++) local[bone * LOCAL + row] = f32[at + 4 * row]!;
    normalise(local, bone * LOCAL + 3);
  }
}

function write(localPtr: number, local: Float64Array, boneCount: number): void {
  const f32 = heap.f32;
  for (let bone = 0; bone < boneCount; bone++) {
    const at = localIndex(localPtr, bone);
    for (let row = 0; row < LOCAL; row++) f32[at + 4 * row] = local[bone * LOCAL + row]!;
  }
}
