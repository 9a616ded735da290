import {
  CLIP_BYTES, ClipField, CrowdField, DEFORM_TRACK_BYTES, DeformTrackField, SHAPE_TARGET_BYTES, ShapeTargetField,
} from "../../assembly/layout/crowd.js";
import { DeformField } from "../../assembly/layout/animation.js";
import { SlotRow } from "../../assembly/layout/rig2d.js";
import type { Attachment } from "../spine/attachments/attachment.js";
import { ClippingAttachment } from "../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../spine/attachments/mesh-attachment.js";
import { PathAttachment } from "../spine/attachments/path-attachment.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import type { VertexAttachment } from "../spine/attachments/vertex-attachment.js";
import type { CompiledAnimation } from "../spine/compile/compiled-animation.js";
import { PathConstraintData } from "../spine/constraints/path-constraint-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import { heap } from "../wasm/heap.js";

/** Room for the deform values of slots. */
class Room {
  bytes = 0;
  readonly #lengths = new Map<number, number>();
  readonly #offsets = new Map<number, number>();

  /** A slot needs so many values at least. */
  need(slot: number, values: number): void {
    this.#lengths.set(slot, Math.max(this.#lengths.get(slot) ?? 0, values));
  }

  /** Gives every slot its place; the deform kernel writes whole registers. */
  layOut(): void {
    for (const [slot, length] of this.#lengths) {
      this.#offsets.set(slot, this.bytes);
      this.bytes += (length * 4 + 31) & ~15;
    }
  }

  offset(slot: number): number {
    return this.#offsets.get(slot)!;
  }
}

interface ShapeTrack {
  readonly timeline: DeformTimeline;
  readonly record: number;
  readonly target: ShapeTarget;
}

/** An attachment in a slot that some clip deforms, with those that move along with it. */
export interface ShapeTarget {
  readonly slot: number;
  /** What timelines name. */
  readonly attachment: VertexAttachment;
  readonly isPath: boolean;
  /** Records of what can be shown. */
  readonly matches: readonly number[];
  /** Most values that it can have. */
  length: number;
}

/**
 * Deform keys: first those that reach the palette, of slots that path constraints follow, then those of meshes and clipping
 * polygons, which finished vertices ask for.
 */
export class ShapeTable {
  /** 1 for slots that a path constraint follows. */
  readonly isPathSlot: Uint8Array;
  /** Per clip the deform timelines of its tracks. */
  readonly timelines: DeformTimeline[][] = [];
  /** Everything that is deformed, paths first. */
  readonly targets: readonly ShapeTarget[];
  /** Byte offset of the values of each target in a block of frozen deforms. */
  readonly frozenOffsets: readonly number[];
  readonly #isDrawn: boolean;
  readonly #targetsPtr: number;
  readonly #found: ShapeTarget[] = [];
  readonly #paths = new Room();
  readonly #meshes = new Room();

  /**
   * @param clips - address of the clip records, whose deform tracks are written
   * @param isDrawn - whether somebody wants to know what characters show, so that meshes are frozen, too
   * @param blocks - what the table takes is added; the crowd frees it
   */
  constructor(data: SkeletonData, compiled: readonly CompiledAnimation[], clips: number, isDrawn: boolean, blocks: number[]) {
    this.#isDrawn = isDrawn;
    this.isPathSlot = new Uint8Array(data.slots.length);
    for (const constraint of data.constraints) {
      if (constraint instanceof PathConstraintData) this.isPathSlot[constraint.slot.index] = 1;
    }
    const attachments = attachmentsOf(data);
    const tracks = compiled.map((animation) => this.#tracks(animation, attachments));
    this.#paths.layOut();
    this.#meshes.layOut();
    this.targets = this.#found.toSorted((a, b) => Number(b.isPath) - Number(a.isPath));
    const header = (this.targets.length * 4 + 15) & ~15;
    const bufferOf = ({ slot, isPath }: ShapeTarget): number => (isPath ? this.#paths : this.#meshes).offset(slot);
    this.frozenOffsets = this.targets.map((target) => header + (target.isPath ? 0 : this.#paths.bytes) + bufferOf(target));
    const block = (bytes: number): number => {
      const ptr = heap.alloc(Math.max(16, bytes));
      blocks.push(ptr);
      return ptr;
    };
    const rows = data._rig.shape;
    this.#targetsPtr = block(this.targets.length * SHAPE_TARGET_BYTES);
    const matches = this.targets.map((target, i) => {
      const list = block(target.matches.length * 4);
      heap.u32.set(target.matches, list >> 2);
      const at = (this.#targetsPtr + i * SHAPE_TARGET_BYTES) >> 2;
      heap.u32[at + (ShapeTargetField.FROZEN >> 2)] = this.frozenOffsets[i]!;
      heap.u32[at + (ShapeTargetField.SLOT_ROW >> 2)] = rows.slotRow(target.slot);
      heap.u32[at + (ShapeTargetField.MATCHES >> 2)] = list;
      heap.u32[at + (ShapeTargetField.MATCH_COUNT >> 2)] = target.matches.length;
      heap.u32[at + (ShapeTargetField.BUFFER >> 2)] = bufferOf(target);
      heap.u32[at + (ShapeTargetField.SLOT >> 2)] = target.slot;
      return list;
    });
    tracks.forEach((list, clip) => {
      const ptr = block(list.length * DEFORM_TRACK_BYTES);
      this.timelines.push(list.map((track) => track.timeline));
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORMS) >> 2] = ptr;
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORM_COUNT) >> 2] = list.filter(({ target }) => target.isPath).length;
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.SHAPE_COUNT) >> 2] = list.length;
      list.forEach(({ record, target }, i) => {
        const index = this.targets.indexOf(target);
        const at = (ptr + i * DEFORM_TRACK_BYTES) >> 2;
        heap.u32[at + (DeformTrackField.RECORD >> 2)] = record;
        heap.u32[at + (DeformTrackField.SLOT_ROW >> 2)] = rows.slotRow(target.slot);
        heap.u32[at + (DeformTrackField.MATCHES >> 2)] = matches[index]!;
        heap.u32[at + (DeformTrackField.MATCH_COUNT >> 2)] = target.matches.length;
        heap.u32[at + (DeformTrackField.BUFFER >> 2)] = bufferOf(target);
        heap.u32[at + (DeformTrackField.SLOT >> 2)] = target.slot;
        // Filled in once the slot tracks are known.
        heap.u32[at + (DeformTrackField.OWNER >> 2)] = 0;
        heap.u32[at + (DeformTrackField.TARGET >> 2)] = index;
      });
    });
  }

  /** Writes where kernels find the targets. */
  describe(crowd: number): void {
    heap.u32[(crowd + CrowdField.SHAPE_TARGETS) >> 2] = this.#targetsPtr;
    heap.u32[(crowd + CrowdField.SHAPE_TARGET_COUNT) >> 2] = this.targets.length;
    heap.u32[(crowd + CrowdField.PATH_TARGET_COUNT) >> 2] = this.targets.filter(({ isPath }) => isPath).length;
  }

  /** Bytes of a block of frozen deforms, 0 if nothing can be deformed. */
  get frozenBytes(): number {
    const values = this.#paths.bytes + (this.#isDrawn ? this.#meshes.bytes : 0);
    return values === 0 ? 0 : ((this.targets.length * 4 + 15) & ~15) + values;
  }

  /** Bytes of deform values of the paths of one lane. */
  get pathBytes(): number {
    return this.#paths.bytes;
  }

  /** Bytes of deform values of everything that one character shows. */
  get meshBytes(): number {
    return this.#meshes.bytes;
  }

  /**
   * Copies deforms of slot poses to a block of frozen ones.
   * @param poseOf - index of the pose of a slot, one lane, in the heap's words
   * @returns how many attachments are deformed
   */
  freeze(shapes: number, poseOf: (slot: number) => number): number {
    let found = 0;
    const { u32 } = heap;
    this.targets.forEach(({ slot, matches, length, isPath }, i) => {
      const pose = poseOf(slot);
      const count = u32[pose + SlotRow.DEFORM_COUNT]!;
      if (count === 0 || count > length || !matches.includes(u32[pose + SlotRow.ATTACHMENT]!)) return;
      if (!isPath && !this.#isDrawn) return;
      const from = u32[pose + SlotRow.DEFORM]! >> 2;
      u32.copyWithin((shapes + this.frozenOffsets[i]!) >> 2, from, from + count);
      u32[(shapes >> 2) + i] = count;
      found++;
    });
    return found;
  }

  #tracks(animation: CompiledAnimation, attachments: readonly Set<Attachment>[]): ShapeTrack[] {
    const tracks: ShapeTrack[] = [];
    for (const segment of animation.segments) {
      for (const step of segment.steps) {
        const { timeline } = step;
        if (!(timeline instanceof DeformTimeline) || step.deform === 0) continue;
        const slots = new Set<number>([timeline.slotIndex, ...(timeline.attachment.timelineSlots ?? [])]);
        for (const slot of slots) {
          const moved = [...(attachments[slot] ?? [])].filter((attachment) => attachment.timelineAttachment === timeline.attachment);
          this.#add(tracks, timeline, slot, step.deform, moved.filter((other) => other instanceof PathAttachment), true);
          const isShown = (other: Attachment): boolean => other instanceof MeshAttachment || other instanceof ClippingAttachment;
          this.#add(tracks, timeline, slot, step.deform, moved.filter(isShown), false);
        }
      }
    }
    return tracks.toSorted((a, b) => Number(b.target.isPath) - Number(a.target.isPath));
  }

  #add(tracks: ShapeTrack[], timeline: DeformTimeline, slot: number, record: number, moved: readonly Attachment[], isPath: boolean): void {
    if (moved.length === 0 || (isPath && this.isPathSlot[slot] === 0)) return;
    const length = heap.u32[(record + DeformField.VALUE_COUNT) >> 2]!;
    (isPath ? this.#paths : this.#meshes).need(slot, length);
    let target = this.#found.find((other) => other.slot === slot && other.attachment === timeline.attachment && other.isPath === isPath);
    if (target === undefined) {
      target = { slot, attachment: timeline.attachment, isPath, length: 0, matches: moved.map((attachment) => attachmentRecord(attachment)) };
      this.#found.push(target);
    }
    target.length = Math.max(target.length, length);
    tracks.push({ timeline, record, target });
  }
}

/** Per slot the attachments that any skin has for it. */
function attachmentsOf(data: SkeletonData): Set<Attachment>[] {
  const found = data.slots.map(() => new Set<Attachment>());
  for (const skin of data.skins) for (const entry of skin.getAttachments()) found[entry.slotIndex]?.add(entry.attachment);
  return found;
}
