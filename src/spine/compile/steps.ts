import { AttachmentField, AttachmentFlag } from "../../../assembly/layout/attachment.js";
import { MixMode } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "../attachments/attachment.js";
import { attachmentRecord } from "../attachments/record.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import type { SlotPose } from "../model/slot-pose.js";
import type { Slot } from "../model/slot.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import type { DrawOrderFolderTimeline, DrawOrderTimeline } from "../timelines/draw-order-timelines.js";
import type { EventTimeline } from "../timelines/event-timeline.js";
import type { PhysicsConstraintResetTimeline } from "../timelines/physics-timelines.js";
import { TimelineKind } from "../timelines/property.js";
import type { SequenceTimeline } from "../timelines/sequence-timeline.js";
import type { AttachmentTimeline } from "../timelines/slot-timelines.js";
import { commandFlags, commands } from "./command-list.js";
import type { Step } from "./compiled-animation.js";
import { sequenceIndexAt } from "./sequence-index.js";

/**
 * Carries out a timeline that is not made of channels: attachment, deform, sequence, draw order, event and reset timelines.
 * Deforms become commands, everything else happens at once.
 */
export function applyStep(
  step: Step,
  skeleton: Skeleton,
  lastTime: number,
  time: number,
  events: Event[] | null,
  weight: number,
  mode: number,
  add: boolean,
  out: boolean,
  appliedPose: boolean,
): void {
  switch (step.kind) {
    case TimelineKind.ATTACHMENT:
      applyAttachment(step.timeline as AttachmentTimeline, skeleton, time, mode, out, appliedPose);
      break;
    case TimelineKind.DEFORM:
      applyDeform(step, skeleton, time, weight, mode, add, appliedPose);
      break;
    case TimelineKind.SEQUENCE:
      applySequence(step.timeline as SequenceTimeline, skeleton, time, mode, out, appliedPose);
      break;
    case TimelineKind.DRAW_ORDER:
      applyDrawOrder(step.timeline as DrawOrderTimeline, skeleton, time, mode, out, appliedPose);
      break;
    case TimelineKind.DRAW_ORDER_FOLDER:
      applyDrawOrderFolder(step.timeline as DrawOrderFolderTimeline, skeleton, time, mode, out, appliedPose);
      break;
    case TimelineKind.EVENT:
      if (events !== null) collectEvents(step.timeline as EventTimeline, lastTime, time, events);
      break;
    case TimelineKind.RESET:
      applyReset(step.timeline as PhysicsConstraintResetTimeline, skeleton, lastTime, time);
      break;
  }
}

/** Index of the last key at or before `time`; requires that there is one. */
export function keyAt(frames: Float32Array, time: number): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (frames[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Shows an attachment; what pending commands have put into the slot's deform goes when it has to. */
export function showAttachment(pose: SlotPose, attachment: Attachment | null): void {
  const before = pose.attachment;
  if (before === attachment) return;
  pose.setAttachment(attachment);
  if (
    !commands.isEmpty &&
    (before === null || attachment === null || before.timelineAttachment !== attachment.timelineAttachment)
  ) {
    commands.clearDeform(pose._row);
  }
}

function applyAttachment(
  timeline: AttachmentTimeline,
  skeleton: Skeleton,
  time: number,
  mode: number,
  out: boolean,
  appliedPose: boolean,
): void {
  const slot = skeleton.slots[timeline.slotIndex];
  if (slot === undefined || !slot.bone.active) return;
  const { frames } = timeline;
  let name: string | null;
  if (out || !(time >= frames[0]!)) {
    if (mode === MixMode.CURRENT) return;
    name = slot.data.attachmentName;
  } else {
    name = timeline.attachmentNames[keyAt(frames, time)]!;
  }
  const pose = appliedPose ? slot.appliedPose : slot.pose;
  showAttachment(pose, name === null ? null : skeleton.getAttachment(timeline.slotIndex, name));
}

/** The pose of a slot that a timeline for `attachment` changes, or null. */
function shownBy(slot: Slot | undefined, attachment: Attachment, appliedPose: boolean): SlotPose | null {
  if (slot === undefined || !slot.bone.active) return null;
  const pose = appliedPose ? slot.appliedPose : slot.pose;
  const shown = pose.attachment;
  return shown !== null && shown.timelineAttachment === attachment ? pose : null;
}

export function applyDeform(
  step: Step,
  skeleton: Skeleton,
  time: number,
  weight: number,
  mode: number,
  add: boolean,
  appliedPose: boolean,
): void {
  const { attachment, slotIndex } = step.timeline as DeformTimeline;
  const flags = commandFlags(mode, add, false, appliedPose);
  const pose = shownBy(skeleton.slots[slotIndex], attachment, appliedPose);
  if (pose !== null) deformSlot(step, pose, time, weight, flags);
  const others = attachment.timelineSlots;
  for (let i = 0; i < others.length; i++) {
    const other = shownBy(skeleton.slots[others[i]!], attachment, appliedPose);
    if (other !== null && others[i] !== slotIndex) deformSlot(step, other, time, weight, flags);
  }
}

function deformSlot(step: Step, pose: SlotPose, time: number, weight: number, flags: number): void {
  const record = attachmentRecord(pose.attachment);
  if (record === 0) return;
  pose._reserveDeform(step.valueCount);
  const { u32 } = heap;
  // Vertices that do not fit the attachment (it was edited since) would read past its end.
  if (u32[(record + AttachmentField.DEFORM_LENGTH) >> 2]! < step.valueCount) return;
  const isWeighted = (u32[(record + AttachmentField.FLAGS) >> 2]! & AttachmentFlag.WEIGHTED) !== 0;
  commands.deform(step.deform, pose._row, isWeighted ? 0 : u32[(record + AttachmentField.VERTICES) >> 2]!, time, flags, weight);
}

export function applySequence(
  timeline: SequenceTimeline,
  skeleton: Skeleton,
  time: number,
  mode: number,
  out: boolean,
  appliedPose: boolean,
): void {
  const { attachment, slotIndex, frames } = timeline;
  const toSetup = out || !(time >= frames[0]!);
  if (toSetup && mode === MixMode.CURRENT) return;
  const pose = shownBy(skeleton.slots[slotIndex], attachment, appliedPose);
  if (pose !== null) pose.sequenceIndex = toSetup ? -1 : sequenceIndexAt(frames, time, pose.attachment!);
  const others = attachment.timelineSlots;
  for (let i = 0; i < others.length; i++) {
    const other = shownBy(skeleton.slots[others[i]!], attachment, appliedPose);
    if (other !== null) other.sequenceIndex = toSetup ? -1 : sequenceIndexAt(frames, time, other.attachment!);
  }
}

export function applyDrawOrder(
  timeline: DrawOrderTimeline,
  skeleton: Skeleton,
  time: number,
  mode: number,
  out: boolean,
  appliedPose: boolean,
): void {
  const { frames } = timeline;
  let order: readonly number[] | null = null;
  if (out || !(time >= frames[0]!)) {
    if (mode === MixMode.CURRENT) return;
  } else {
    order = timeline.drawOrders[keyAt(frames, time)]!;
  }
  const list = appliedPose ? skeleton.drawOrder.appliedPose : skeleton.drawOrder.pose;
  const { slots } = skeleton;
  const n = order === null ? slots.length : order.length;
  for (let i = 0; i < n; i++) list[i] = slots[order === null ? i : order[i]!]!;
}

export function applyDrawOrderFolder(
  timeline: DrawOrderFolderTimeline,
  skeleton: Skeleton,
  time: number,
  mode: number,
  out: boolean,
  appliedPose: boolean,
): void {
  const { frames, slots: folder, _inFolder: inFolder } = timeline;
  let order: readonly number[] | null = null;
  if (out || !(time >= frames[0]!)) {
    if (mode === MixMode.CURRENT) return;
  } else {
    order = timeline.drawOrders[keyAt(frames, time)]!;
  }
  const list = appliedPose ? skeleton.drawOrder.appliedPose : skeleton.drawOrder.pose;
  const { slots } = skeleton;
  for (let i = 0, next = 0; i < list.length && next < folder.length; i++) {
    if (inFolder[list[i]!.data.index] === 0) continue;
    list[i] = slots[folder[order === null ? next : order[next]!]!]!;
    next++;
  }
}

/** Appends the events of keys in (lastTime, time]; with lastTime > time those behind lastTime and those up to time. */
export function collectEvents(timeline: EventTimeline, lastTime: number, time: number, events: Event[]): void {
  const { frames, events: keys } = timeline;
  const n = frames.length;
  if (lastTime > time) {
    for (let i = 0; i < n; i++) if (frames[i]! > lastTime) events.push(keys[i]!);
    for (let i = 0; i < n && frames[i]! <= time; i++) events.push(keys[i]!);
    return;
  }
  for (let i = 0; i < n; i++) {
    if (frames[i]! > time) break;
    if (frames[i]! > lastTime) events.push(keys[i]!);
  }
}

export function applyReset(timeline: PhysicsConstraintResetTimeline, skeleton: Skeleton, lastTime: number, time: number): void {
  if (!isReached(timeline.frames, lastTime, time)) return;
  const { constraintIndex } = timeline;
  if (constraintIndex >= 0) {
    const constraint = skeleton.constraints[constraintIndex] as unknown as Resettable | undefined;
    if (constraint?.active === true) constraint.reset?.(skeleton);
    return;
  }
  const all = skeleton.physics as unknown as readonly Resettable[];
  for (let i = 0; i < all.length; i++) if (all[i]!.active) all[i]!.reset?.(skeleton);
}

interface Resettable {
  readonly active: boolean;
  reset?(skeleton: Skeleton): void;
}

function isReached(frames: Float32Array, lastTime: number, time: number): boolean {
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i]!;
    if (lastTime > time ? frame > lastTime || frame <= time : frame > lastTime && frame <= time) return true;
  }
  return false;
}
