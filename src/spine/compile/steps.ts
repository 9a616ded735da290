import { MixMode } from "../../../assembly/layout/rig2d.js";
import type { Attachment } from "../attachments/attachment.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import type { SlotPose } from "../model/slot-pose.js";
import type { Slot } from "../model/slot.js";
import type { DrawOrderFolderTimeline, DrawOrderTimeline } from "../timelines/draw-order-timelines.js";
import type { EventTimeline } from "../timelines/event-timeline.js";
import type { PhysicsConstraintResetTimeline } from "../timelines/physics-timelines.js";
import { TimelineKind } from "../timelines/property.js";
import type { SequenceTimeline } from "../timelines/sequence-timeline.js";
import type { AttachmentTimeline } from "../timelines/slot-timelines.js";
import type { ApplyContext } from "./apply-context.js";
import { commands } from "./command-list.js";
import type { Step } from "./compiled-animation.js";
import { sequenceIndexAt } from "./sequence-index.js";

/**
 * Carries out a timeline that is not made of channels: attachment, deform, sequence, draw order, event and reset timelines.
 * Deforms become commands, everything else happens at once.
 */
export function applyStep(step: Step, skeleton: Skeleton, at: ApplyContext): void {
  switch (step.kind) {
    case TimelineKind.ATTACHMENT:
      applyAttachment(step.timeline as AttachmentTimeline, skeleton, at);
      break;
    case TimelineKind.DEFORM:
      if (step.run > 0) commands.deforms(step.deform, step.run, at);
      break;
    case TimelineKind.SEQUENCE:
      applySequence(step.timeline as SequenceTimeline, skeleton, at);
      break;
    case TimelineKind.DRAW_ORDER:
      applyDrawOrder(step.timeline as DrawOrderTimeline, skeleton, at);
      break;
    case TimelineKind.DRAW_ORDER_FOLDER:
      applyDrawOrderFolder(step.timeline as DrawOrderFolderTimeline, skeleton, at);
      break;
    case TimelineKind.EVENT:
      if (at.events !== null) collectEvents(step.timeline as EventTimeline, at, at.events);
      break;
    case TimelineKind.RESET:
      applyReset(step.timeline as PhysicsConstraintResetTimeline, skeleton, at);
      break;
  }
}

/** Index of the last key at or before the time; requires that there is one. */
export function keyAt(frames: Float32Array, { time }: ApplyContext): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (frames[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Shows an attachment; what pending commands will have put into the slot's deform goes when it has to.
 *
 * Deform commands look at what slots show when they are carried out, that is: at the attachment shown last. Where that is
 * another one than at their turn, either the deform is emptied after them, or both follow the same timelines; then commands are
 * carried out first, because the vertices of the two may differ.
 */
export function showAttachment(pose: SlotPose, attachment: Attachment | null, skeleton: Skeleton): void {
  const before = pose.attachment;
  if (before === attachment) return;
  const isPending = !commands.isEmpty;
  const shares = before !== null && attachment !== null && before.timelineAttachment === attachment.timelineAttachment;
  if (isPending && shares) commands.run(skeleton);
  pose.setAttachment(attachment);
  if (isPending && !shares) commands.clearDeform(pose._row);
}

function applyAttachment(timeline: AttachmentTimeline, skeleton: Skeleton, at: ApplyContext): void {
  const slot = skeleton.slots[timeline.slotIndex];
  if (slot === undefined || !slot.bone.active) return;
  const { _frames: frames } = timeline;
  let name: string | null;
  if (at.out || !(at.time >= frames[0]!)) {
    if (at.mode === MixMode.CURRENT) return;
    name = slot.data.attachmentName;
  } else {
    name = timeline.attachmentNames[keyAt(frames, at)]!;
  }
  const pose = at.appliedPose ? slot.appliedPose : slot.pose;
  showAttachment(pose, name === null ? null : skeleton.getAttachment(timeline.slotIndex, name), skeleton);
}

/** The pose of a slot that a timeline for `attachment` changes, or null. */
function shownBy(slot: Slot | undefined, attachment: Attachment, appliedPose: boolean): SlotPose | null {
  if (slot === undefined || !slot.bone.active) return null;
  const pose = appliedPose ? slot.appliedPose : slot.pose;
  const shown = pose.attachment;
  return shown !== null && shown.timelineAttachment === attachment ? pose : null;
}

function applySequence(timeline: SequenceTimeline, skeleton: Skeleton, at: ApplyContext): void {
  const { attachment, slotIndex, _frames: frames } = timeline;
  const { appliedPose } = at;
  const toSetup = at.out || !(at.time >= frames[0]!);
  if (toSetup && at.mode === MixMode.CURRENT) return;
  const pose = shownBy(skeleton.slots[slotIndex], attachment, appliedPose);
  if (pose !== null) pose.sequenceIndex = toSetup ? -1 : sequenceIndexAt(frames, at, pose.attachment!);
  const others = attachment.timelineSlots;
  for (let i = 0; i < others.length; i++) {
    const other = shownBy(skeleton.slots[others[i]!], attachment, appliedPose);
    if (other !== null) other.sequenceIndex = toSetup ? -1 : sequenceIndexAt(frames, at, other.attachment!);
  }
}

function applyDrawOrder(timeline: DrawOrderTimeline, skeleton: Skeleton, at: ApplyContext): void {
  const { _frames: frames } = timeline;
  let order: readonly number[] | null = null;
  if (at.out || !(at.time >= frames[0]!)) {
    if (at.mode === MixMode.CURRENT) return;
  } else {
    order = timeline.drawOrders[keyAt(frames, at)]!;
  }
  const list = at.appliedPose ? skeleton.drawOrder.appliedPose : skeleton.drawOrder.pose;
  const { slots } = skeleton;
  const n = order === null ? slots.length : order.length;
  for (let i = 0; i < n; i++) list[i] = slots[order === null ? i : order[i]!]!;
}

function applyDrawOrderFolder(timeline: DrawOrderFolderTimeline, skeleton: Skeleton, at: ApplyContext): void {
  const { _frames: frames, slots: folder, _inFolder: inFolder } = timeline;
  let order: readonly number[] | null = null;
  if (at.out || !(at.time >= frames[0]!)) {
    if (at.mode === MixMode.CURRENT) return;
  } else {
    order = timeline.drawOrders[keyAt(frames, at)]!;
  }
  const list = at.appliedPose ? skeleton.drawOrder.appliedPose : skeleton.drawOrder.pose;
  const { slots } = skeleton;
  for (let i = 0, next = 0; i < list.length && next < folder.length; i++) {
    if (inFolder[list[i]!.data.index] === 0) continue;
    list[i] = slots[folder[order === null ? next : order[next]!]!]!;
    next++;
  }
}

/** Appends the events of keys in (lastTime, time]; with lastTime > time those behind lastTime and those up to time. */
function collectEvents(timeline: EventTimeline, { lastTime, time }: ApplyContext, events: Event[]): void {
  const { _frames: frames, events: keys } = timeline;
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

function applyReset(timeline: PhysicsConstraintResetTimeline, skeleton: Skeleton, at: ApplyContext): void {
  if (!isReached(timeline._frames, at)) return;
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

function isReached(frames: Float32Array, { lastTime, time }: ApplyContext): boolean {
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i]!;
    if (lastTime > time ? frame > lastTime || frame <= time : frame > lastTime && frame <= time) return true;
  }
  return false;
}
