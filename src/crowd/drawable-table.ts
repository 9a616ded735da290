import {
  ClipField,
  CLIP_BYTES,
  DEFORM_TRACK_BYTES,
  DeformTrackField,
  DRAWABLE_BYTES,
  DrawableField,
  SLOT_TRACK_BYTES,
  SlotTrackField,
  SlotTrackKind,
} from "../../assembly/layout/crowd.js";
import { ArgumentError, OsteonError } from "../errors.js";
import type { Animation } from "../spine/animation.js";
import type { Attachment } from "../spine/attachments/attachment.js";
import { ClippingAttachment } from "../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../spine/attachments/mesh-attachment.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import { RegionAttachment } from "../spine/attachments/region-attachment.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Skeleton } from "../spine/model/skeleton.js";
import type { Skin } from "../spine/model/skin.js";
import { DrawOrderFolderTimeline, DrawOrderTimeline } from "../spine/timelines/draw-order-timelines.js";
import { SequenceTimeline } from "../spine/timelines/sequence-timeline.js";
import { AttachmentTimeline } from "../spine/timelines/slot-timelines.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";
import type { ShapeTable } from "./shape-table.js";

/** One frame of an attachment that a crowd can show, or a polygon that clips others. */
export interface Drawable {
  readonly attachment: RegionAttachment | MeshAttachment | ClippingAttachment;
  /** Frame of its sequence, 0 without one. */
  readonly frame: number;
}

interface Track {
  kind: SlotTrackKind;
  slot: number;
  times: ArrayLike<number>;
  /** Writes the values and says where they are. */
  values: number;
  subject: number;
  size: number;
}

/**
 * Numbers for everything that characters of a rig can show, and the keys that decide it. Number 0 shows nothing; a
 * placeholder is a name in a slot, which every skin resolves to a drawable of its own.
 */
export class DrawableTable {
  /** Drawable n - 1 has the number n. */
  readonly drawables: Drawable[] = [];
  readonly #data: SkeletonData;
  readonly #shapes: ShapeTable;
  readonly #blocks: number[];
  readonly #first = new Map<Attachment, number>();
  readonly #timelineNumbers = new Map<Attachment, number>();
  readonly #placeholders: { slot: number; name: string }[] = [];
  readonly #placeholderNumbers = new Map<string, number>();
  /** Address of the records. */
  readonly ptr: number;

  /**
   * @param clips - whose slot tracks are written
   * @param blocks - what the table takes is added; the crowd frees it
   */
  constructor(data: SkeletonData, clips: ClipTable, blocks: number[]) {
    this.#data = data;
    this.#shapes = clips.shapes;
    this.#blocks = blocks;
    for (const skin of data.skins) for (const { attachment } of skin.getAttachments()) this.#number(attachment);
    // Behind all pictures, so that those are numbered as without them.
    for (const skin of data.skins) for (const { attachment } of skin.getAttachments()) this.#numberClip(attachment);
    if (this.drawables.length > 0xfffe) {
      throw new OsteonError("limit-exceeded", `The rig has ${this.drawables.length} drawables, a crowd can tell 65,534 apart.`);
    }
    this.ptr = this.#block((this.drawables.length + 1) * DRAWABLE_BYTES);
    this.drawables.forEach((drawable, i) => {
      const at = (this.ptr + (i + 1) * DRAWABLE_BYTES) >> 1;
      const sequence = drawable.attachment instanceof ClippingAttachment ? null : drawable.attachment.sequence;
      const frames = sequence?.regions.length ?? 1;
      heap.u16[at + (DrawableField.FRAMES >> 1)] = frames;
      heap.u16[at + (DrawableField.SETUP_FRAME >> 1)] = Math.min(sequence?.setupIndex ?? 0, frames - 1);
      if (clips.shapes.targets.length > 0) heap.u32[(at >> 1) + (DrawableField.RECORD >> 2)] = attachmentRecord(drawable.attachment);
      heap.u16[at + (DrawableField.TIMELINE >> 1)] = this.#timelineNumber(drawable.attachment.timelineAttachment ?? drawable.attachment);
    });
    clips.animations.forEach((animation, i) => this.#writeTracks(clips.ptr + i * CLIP_BYTES, animation));
  }

  /** Number of the first frame of an attachment, 0 for what cannot be drawn. */
  numberOf(attachment: Attachment | null): number {
    return attachment === null ? 0 : (this.#first.get(attachment) ?? 0);
  }

  /** @throws ArgumentError for a skin, made by a program, with pictures or slots that the data did not have when the crowd was made */
  checkSkin(skin: Skin): void {
    for (const { slotIndex, placeholder, attachment } of skin.getAttachments()) {
      const canBeShown = attachment instanceof RegionAttachment || attachment instanceof MeshAttachment || attachment instanceof ClippingAttachment;
      if (slotIndex < this.#data.slots.length && !(canBeShown && this.numberOf(attachment) === 0)) continue;
      throw new ArgumentError(
        `Skin "${skin.name}" has an attachment "${placeholder}" for slot ${slotIndex} that the crowd does not know. Add the skin to data.skins before the crowd is made.`,
        { found: skin.name },
      );
    }
  }

  /** Address of u16 per slot: what a skeleton in its setup pose shows. @param skipped - slots that show nothing */
  setupOf(skeleton: Skeleton, skipped: ReadonlySet<number>): number {
    const ptr = this.#block(skeleton.slots.length * 2);
    skeleton.slots.forEach((slot, i) => {
      heap.u16[(ptr >> 1) + i] = slot.bone.active && !skipped.has(i) ? this.numberOf(slot.pose.attachment) : 0;
    });
    return ptr;
  }

  /** Address of u16 per placeholder: what the skeleton's skin has for it. */
  placeholdersOf(skeleton: Skeleton, skipped: ReadonlySet<number>): number {
    const ptr = this.#block((this.#placeholders.length + 1) * 2);
    this.#placeholders.forEach(({ slot, name }, i) => {
      const isActive = skeleton.slots[slot]!.bone.active && !skipped.has(slot);
      heap.u16[(ptr >> 1) + i + 1] = isActive ? this.numberOf(skeleton.getAttachment(slot, name)) : 0;
    });
    return ptr;
  }

  /** Address of u32 per placeholder: the attachment record that the skeleton's skin has for it. */
  recordsOf(skeleton: Skeleton): number {
    const ptr = this.#block((this.#placeholders.length + 1) * 4);
    this.#placeholders.forEach(({ slot, name }, i) => {
      const record = this.#shapes.isPathSlot[slot] === 0 ? 0 : attachmentRecord(skeleton.getAttachment(slot, name));
      heap.u32[(ptr >> 2) + i + 1] = record;
    });
    return ptr;
  }

  #number(attachment: Attachment): void {
    if (this.#first.has(attachment)) return;
    if (!(attachment instanceof RegionAttachment || attachment instanceof MeshAttachment)) return;
    this.#first.set(attachment, this.drawables.length + 1);
    for (let frame = 0; frame < attachment.sequence.regions.length; frame++) this.drawables.push({ attachment, frame });
  }

  #numberClip(attachment: Attachment): void {
    if (!(attachment instanceof ClippingAttachment) || this.#first.has(attachment)) return;
    this.#first.set(attachment, this.drawables.push({ attachment, frame: 0 }));
  }

  #timelineNumber(attachment: Attachment): number {
    let number = this.#timelineNumbers.get(attachment);
    if (number === undefined) this.#timelineNumbers.set(attachment, (number = this.#timelineNumbers.size + 1));
    return number;
  }

  #placeholder(slot: number, name: string | null): number {
    if (name === null) return 0;
    const key = `${slot}|${name}`;
    let number = this.#placeholderNumbers.get(key);
    if (number === undefined) {
      number = this.#placeholders.push({ slot, name });
      this.#placeholderNumbers.set(key, number);
    }
    return number;
  }

  #writeTracks(clip: number, animation: Animation): void {
    const tracks: Track[] = [];
    for (const timeline of animation.timelines) {
      if (timeline._frames.length === 0) continue;
      if (timeline instanceof AttachmentTimeline) tracks.push(this.#attachments(timeline));
      else if (timeline instanceof SequenceTimeline) tracks.push(this.#sequence(timeline));
      else if (timeline instanceof DrawOrderTimeline) tracks.push(this.#order(timeline));
      else if (timeline instanceof DrawOrderFolderTimeline) tracks.push(this.#folder(timeline));
    }
    tracks.sort((a, b) => a.kind - b.kind);
    const ptr = this.#block(tracks.length * SLOT_TRACK_BYTES);
    heap.u32[(clip + ClipField.SLOT_TRACKS) >> 2] = ptr;
    heap.u32[(clip + ClipField.SLOT_TRACK_COUNT) >> 2] = tracks.length;
    tracks.forEach((track, i) => {
      const times = this.#block(track.times.length * 4);
      heap.f32.set(track.times, times >> 2);
      const at = (ptr + i * SLOT_TRACK_BYTES) >> 2;
      const { u32 } = heap;
      u32[at + (SlotTrackField.KIND >> 2)] = track.kind;
      u32[at + (SlotTrackField.SLOT >> 2)] = track.slot;
      u32[at + (SlotTrackField.COUNT >> 2)] = track.times.length;
      u32[at + (SlotTrackField.TIMES >> 2)] = times;
      u32[at + (SlotTrackField.VALUES >> 2)] = track.values;
      u32[at + (SlotTrackField.SUBJECT >> 2)] = track.subject;
      u32[at + (SlotTrackField.SIZE >> 2)] = track.size;
      if (track.kind === SlotTrackKind.ATTACHMENT) this.#own(clip, track.slot, ptr + i * SLOT_TRACK_BYTES);
      if (track.kind !== SlotTrackKind.ATTACHMENT || this.#shapes.isPathSlot[track.slot] === 0) return;
      u32[at + (SlotTrackField.PATH_ROW >> 2)] = this.#data._rig.shape.slotRow(track.slot);
      u32[(clip + ClipField.PATH_TRACKS) >> 2] = 1;
    });
  }

  /** Tells the deform tracks of a slot which track decides what the slot shows. */
  #own(clip: number, slot: number, track: number): void {
    const { u32 } = heap;
    const deforms = u32[(clip + ClipField.DEFORMS) >> 2]!;
    for (let i = 0; i < u32[(clip + ClipField.SHAPE_COUNT) >> 2]!; i++) {
      const at = (deforms + i * DEFORM_TRACK_BYTES) >> 2;
      if (u32[at + (DeformTrackField.SLOT >> 2)] === slot) u32[at + (DeformTrackField.OWNER >> 2)] = track;
    }
  }

  #attachments(timeline: AttachmentTimeline): Track {
    const numbers = timeline.attachmentNames.map((name) => this.#placeholder(timeline.slotIndex, name));
    const values = this.#block(numbers.length * 2);
    heap.u16.set(numbers, values >> 1);
    return { kind: SlotTrackKind.ATTACHMENT, slot: timeline.slotIndex, times: timeline._frames, values, subject: 0, size: 0 };
  }

  #sequence(timeline: SequenceTimeline): Track {
    const count = timeline.getFrameCount();
    const times = Array.from({ length: count }, (_, i) => timeline._frames[i * 3]!);
    const values = this.#block(count * 8);
    for (let i = 0; i < count; i++) {
      heap.i32[(values >> 2) + i * 2] = timeline._frames[i * 3 + 1]!;
      heap.f32[(values >> 2) + i * 2 + 1] = timeline._frames[i * 3 + 2]!;
    }
    const subject = this.#timelineNumber(timeline.getAttachment() as unknown as Attachment);
    return { kind: SlotTrackKind.SEQUENCE, slot: timeline.slotIndex, times, values, subject, size: 0 };
  }

  #order(timeline: DrawOrderTimeline): Track {
    const slotCount = this.#data.slots.length;
    const values = this.#block(timeline._frames.length * slotCount * 2);
    timeline.drawOrders.forEach((order, key) => {
      for (let i = 0; i < slotCount; i++) heap.u16[(values >> 1) + key * slotCount + i] = order === null ? i : order[i]!;
    });
    return { kind: SlotTrackKind.ORDER, slot: 0, times: timeline._frames, values, subject: 0, size: slotCount };
  }

  #folder(timeline: DrawOrderFolderTimeline): Track {
    const { slots } = timeline;
    const values = this.#block(timeline._frames.length * slots.length * 2);
    timeline.drawOrders.forEach((order, key) => {
      for (let i = 0; i < slots.length; i++) heap.u16[(values >> 1) + key * slots.length + i] = slots[order === null ? i : order[i]!]!;
    });
    const members = this.#block(this.#data.slots.length);
    for (const slot of slots) heap.u8[members + slot] = 1;
    return { kind: SlotTrackKind.FOLDER, slot: 0, times: timeline._frames, values, subject: members, size: slots.length };
  }

  #block(bytes: number): number {
    const ptr = heap.alloc(Math.max(16, bytes));
    this.#blocks.push(ptr);
    return ptr;
  }
}
