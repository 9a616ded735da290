import { UpdateOp } from "../../../assembly/layout/update.js";
import { ArgumentError } from "../../errors.js";
import type { Attachment } from "../attachments/attachment.js";
import { PathAttachment } from "../attachments/path-attachment.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Bone } from "../model/bone.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Skin } from "../model/skin.js";
import type { Slot } from "../model/slot.js";
import type { CodeWriter } from "../update/code-writer.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import { constrainedPoses, indicesOf, KernelConstraint } from "./kernel-constraint.js";
import type { PathConstraintData } from "./path-constraint-data.js";
import type { PathConstraintPose } from "./path-constraint-pose.js";

/** Places bones along the path that a slot shows, and turns them to follow it. */
export class PathConstraint extends KernelConstraint<PathConstraint, PathConstraintData, PathConstraintPose> {
  /** The poses of the bones that are placed. */
  readonly bones: BonePose[];
  #slot: Slot;

  constructor(data: PathConstraintData, skeleton: Skeleton) {
    super(data, skeleton);
    this.bones = constrainedPoses(skeleton, data.bones, data.name);
    const slot = data.slot == null ? undefined : skeleton.slots[data.slot.index];
    if (slot === undefined) throw new ArgumentError(`The slot of path constraint "${data.name}" is missing.`);
    this.#slot = slot;
  }

  /** The slot that shows the path. */
  get slot(): Slot {
    return this.#slot;
  }
  set slot(value: Slot) {
    this.#slot = value;
    this._changed();
  }

  override copy(skeleton: Skeleton): PathConstraint {
    const copy = new PathConstraint(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override isSourceActive(): boolean {
    return this.#slot.bone.active;
  }

  override sort(skeleton: Skeleton): void {
    const { bones } = this;
    const slotIndex = this.#slot.data.index;
    const slotBone = this.#slot.bone;
    const { skin } = skeleton;
    const { defaultSkin } = skeleton.data;
    if (skin !== null) placePathsOfSkin(skeleton, skin, slotIndex, slotBone);
    if (defaultSkin !== null && defaultSkin !== skin) placePathsOfSkin(skeleton, defaultSkin, slotIndex, slotBone);
    placePath(skeleton, this.#slot.pose.attachment, slotBone);
    for (let i = 0; i < bones.length; i++) {
      const { bone } = bones[i]!;
      placeBone(skeleton, bone);
      markConstrained(skeleton, bone);
    }
    skeleton._updateCache.push(this);
    for (let i = 0; i < bones.length; i++) unplaceBones(bones[i]!.bone.children);
    for (let i = 0; i < bones.length; i++) bones[i]!.bone.sorted = true;
  }

  /** @internal */
  override _emit(code: CodeWriter): void {
    code.op(UpdateOp.PATH, this.bones.length);
    code.constraint(this);
    code.word(this.#slot.data.index);
    for (const pose of this.bones) code.word(pose.bone.data.index);
  }

  /** @internal */
  override _modifiedBones(): readonly number[] {
    return indicesOf(this.bones);
  }
}

function placePathsOfSkin(skeleton: Skeleton, skin: Skin, slotIndex: number, slotBone: Bone): void {
  const attachments = skin.attachments[slotIndex];
  if (attachments === undefined) return;
  for (const name in attachments) placePath(skeleton, attachments[name]!, slotBone);
}

/** Places the bones that a path needs. */
function placePath(skeleton: Skeleton, attachment: Attachment | null, slotBone: Bone): void {
  if (!(attachment instanceof PathAttachment)) return;
  const { _bones: bones } = attachment;
  if (bones === null) {
    placeBone(skeleton, slotBone);
    return;
  }
  for (let i = 0; i < bones.length;) {
    const end = i + 1 + bones[i]!;
    for (i++; i < end; i++) {
      const bone = skeleton.bones[bones[i]!];
      if (bone !== undefined) placeBone(skeleton, bone);
    }
  }
}
