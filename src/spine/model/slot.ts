import { ArgumentError } from "../../errors.js";
import type { SlotData } from "../data/slot-data.js";
import type { Bone } from "./bone.js";
import { Posed } from "./posed.js";
import type { Skeleton } from "./skeleton.js";
import { SlotPose } from "./slot-pose.js";

/** A place in the draw order that shows an attachment. */
export class Slot extends Posed<SlotData, SlotPose> {
  readonly skeleton: Skeleton;
  /** The bone the slot belongs to. */
  readonly bone: Bone;
  /** What an animation state last decided about the attachment. @internal */
  attachmentState = 0;

  constructor(data: SlotData, skeleton: Skeleton);
  /** Copies the pose of a slot into the slot of the same data in another skeleton. */
  constructor(slot: Slot, bone: Bone, skeleton: Skeleton);
  constructor(dataOrSlot: SlotData | Slot, skeletonOrBone: Skeleton | Bone, maybeSkeleton?: Skeleton) {
    const other = dataOrSlot instanceof Slot ? dataOrSlot : null;
    const data = other === null ? (dataOrSlot as SlotData) : other.data;
    const skeleton = other === null ? (skeletonOrBone as Skeleton) : maybeSkeleton;
    if (skeleton == null) throw new ArgumentError("The skeleton of a slot is missing.");
    const shape = skeleton._shape;
    const row = shape.slotRow(data.index);
    const hasDark = data.setupPose.darkColor !== null;
    super(data, new SlotPose(skeleton, row, hasDark), new SlotPose(skeleton, row + shape.rows, hasDark));
    this.skeleton = skeleton;
    const bone = other === null ? skeleton.bones[data.boneData.index] : (skeletonOrBone as Bone);
    if (bone === undefined) throw new ArgumentError(`The bone "${data.boneData.name}" of slot "${data.name}" is not in the skeleton.`);
    this.bone = bone;
    if (other === null) this.setupPose();
    else this.pose.set(other.pose);
  }

  /** A copy of this slot for another skeleton of the same data. */
  copy(skeleton: Skeleton): Slot {
    return new Slot(this, skeleton.bones[this.bone.data.index]!, skeleton);
  }

  /** Sets colours, sequence index and attachment to the setup pose. */
  override setupPose(): void {
    const { pose, data } = this;
    const setup = data.setupPose;
    pose.color.setFromColor(setup.color);
    if (pose.darkColor !== null && setup.darkColor !== null) pose.darkColor.setFromColor(setup.darkColor);
    pose.sequenceIndex = setup.sequenceIndex;
    if (data.attachmentName === null) {
      pose.setAttachment(null);
    } else {
      const attachment = this.skeleton.getAttachment(data.index, data.attachmentName);
      pose.attachment = null;
      pose.setAttachment(attachment);
      // As the official runtime has it: -1 where the default skin knows the slot, though not this placeholder.
      if (attachment === null && this.skeleton.data.defaultSkin?.attachments[data.index] !== undefined) pose.sequenceIndex = -1;
    }
  }
}
