import { UpdateOp } from "../../../assembly/layout/update.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Bone } from "../model/bone.js";
import type { Skeleton } from "../model/skeleton.js";
import type { CodeWriter } from "../update/code-writer.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import { boneOf, constrainedPoses, indicesOf, KernelConstraint } from "./kernel-constraint.js";
import type { TransformConstraintData } from "./transform-constraint-data.js";
import type { TransformConstraintPose } from "./transform-constraint-pose.js";

/** Makes properties of bones follow properties of a source bone. */
export class TransformConstraint extends KernelConstraint<TransformConstraint, TransformConstraintData, TransformConstraintPose> {
  /** The poses of the bones that are changed. */
  readonly bones: BonePose[];
  #source: Bone;

  constructor(data: TransformConstraintData, skeleton: Skeleton) {
    super(data, skeleton);
    this.bones = constrainedPoses(skeleton, data.bones, data.name);
    this.#source = boneOf(skeleton, data.source, `The source of transform constraint "${data.name}"`);
  }

  /** The bone that is read. */
  get source(): Bone {
    return this.#source;
  }
  set source(value: Bone) {
    this.#source = value;
    this._changed();
  }

  override copy(skeleton: Skeleton): TransformConstraint {
    const copy = new TransformConstraint(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override isSourceActive(): boolean {
    return this.#source.active;
  }

  override sort(skeleton: Skeleton): void {
    const { bones, data } = this;
    const inWorld = !data.localTarget;
    if (!data.localSource) placeBone(skeleton, this.#source);
    if (inWorld) {
      for (let i = 0; i < bones.length; i++) placeBone(skeleton, bones[i]!.bone);
    }
    skeleton._updateCache.push(this);
    for (let i = 0; i < bones.length; i++) {
      const { bone } = bones[i]!;
      unplaceBones(bone.children);
      markConstrained(skeleton, bone);
    }
    for (let i = 0; i < bones.length; i++) bones[i]!.bone.sorted = inWorld;
  }

  /** @internal */
  override _emit(code: CodeWriter): void {
    code.op(UpdateOp.TRANSFORM, this.bones.length);
    code.constraint(this);
    code.word(this.#source.data.index);
    for (const pose of this.bones) code.word(pose.bone.data.index);
  }

  /** @internal */
  override _modifiedBones(): readonly number[] {
    return indicesOf(this.bones);
  }
}
