import { DeformField } from "../../../assembly/layout/animation.js";
import { AttachmentField } from "../../../assembly/layout/attachment.js";
import { heap } from "../../wasm/heap.js";
import type { Skeleton } from "../model/skeleton.js";
import type { SlotPose } from "../model/slot-pose.js";

/**
 * Makes room for the values of a deform record in every slot pose that it may deform. What the kernel asks for when a slot is
 * deformed for the first time, or by more values than ever. @internal
 * @param record - address of the deform record
 */
export function makeDeformRoom(skeleton: Skeleton, record: number): void {
  const { u32 } = heap;
  const target = u32[(record + DeformField.ATTACHMENT) >> 2]!;
  const valueCount = u32[(record + DeformField.VALUE_COUNT) >> 2]!;
  const key = u32[(target + AttachmentField.KEY) >> 2]!;
  const others = u32[(target + AttachmentField.TIMELINE_SLOTS) >> 2]! >> 2;
  const otherCount = u32[(target + AttachmentField.TIMELINE_SLOT_COUNT) >> 2]!;
  reserve(skeleton, u32[(record + DeformField.SLOT) >> 2]!, key, valueCount);
  // The views may move while room is made.
  for (let i = 0; i < otherCount; i++) reserve(skeleton, heap.u32[others + i]!, key, valueCount);
}

function reserve(skeleton: Skeleton, slotIndex: number, key: number, valueCount: number): void {
  const slot = skeleton.slots[slotIndex];
  if (slot === undefined) return;
  reserveIn(slot.pose, key, valueCount);
  if (slot.appliedPose !== slot.pose) reserveIn(slot.appliedPose, key, valueCount);
}

function reserveIn(pose: SlotPose, key: number, valueCount: number): void {
  if (pose.attachment?.timelineAttachment?._key === key) pose._reserveDeform(valueCount);
}
