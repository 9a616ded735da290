import { CLIP_BYTES, ClipField, DEFORM_TRACK_BYTES, DeformTrackField } from "../../assembly/layout/crowd.js";
import { DeformField } from "../../assembly/layout/animation.js";
import type { Attachment } from "../spine/attachments/attachment.js";
import { ClippingAttachment } from "../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../spine/attachments/mesh-attachment.js";
import { PathAttachment } from "../spine/attachments/path-attachment.js";
import { attachmentRecord } from "../spine/attachments/record.js";
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
  readonly slot: number;
  readonly record: number;
  readonly matches: number[];
  readonly isPath: boolean;
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
  readonly #paths = new Room();
  readonly #meshes = new Room();

  /**
   * @param clips - address of the clip records, whose deform tracks are written
   * @param blocks - what the table takes is added; the crowd frees it
   */
  constructor(data: SkeletonData, compiled: readonly CompiledAnimation[], clips: number, blocks: number[]) {
    this.isPathSlot = new Uint8Array(data.slots.length);
    for (const constraint of data.constraints) {
      if (constraint instanceof PathConstraintData) this.isPathSlot[constraint.slot.index] = 1;
    }
    const attachments = attachmentsOf(data);
    const tracks = compiled.map((animation) => this.#tracks(animation, attachments));
    this.#paths.layOut();
    this.#meshes.layOut();
    tracks.forEach((list, clip) => {
      const ptr = heap.alloc(Math.max(16, list.length * DEFORM_TRACK_BYTES));
      blocks.push(ptr);
      this.timelines.push(list.map((track) => track.timeline));
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORMS) >> 2] = ptr;
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORM_COUNT) >> 2] = list.filter(({ isPath }) => isPath).length;
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.SHAPE_COUNT) >> 2] = list.length;
      list.forEach((track, i) => {
        const matches = heap.alloc(Math.max(16, track.matches.length * 4));
        blocks.push(matches);
        heap.u32.set(track.matches, matches >> 2);
        const at = (ptr + i * DEFORM_TRACK_BYTES) >> 2;
        heap.u32[at + (DeformTrackField.RECORD >> 2)] = track.record;
        heap.u32[at + (DeformTrackField.SLOT_ROW >> 2)] = data._rig.shape.slotRow(track.slot);
        heap.u32[at + (DeformTrackField.MATCHES >> 2)] = matches;
        heap.u32[at + (DeformTrackField.MATCH_COUNT >> 2)] = track.matches.length;
        heap.u32[at + (DeformTrackField.BUFFER >> 2)] = (track.isPath ? this.#paths : this.#meshes).offset(track.slot);
        heap.u32[at + (DeformTrackField.SLOT >> 2)] = track.slot;
        // Filled in once the slot tracks are known.
        heap.u32[at + (DeformTrackField.OWNER >> 2)] = 0;
      });
    });
  }

  /** Bytes of deform values of the paths of one lane. */
  get pathBytes(): number {
    return this.#paths.bytes;
  }

  /** Bytes of deform values of everything that one character shows. */
  get meshBytes(): number {
    return this.#meshes.bytes;
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
    return tracks.toSorted((a, b) => Number(b.isPath) - Number(a.isPath));
  }

  #add(tracks: ShapeTrack[], timeline: DeformTimeline, slot: number, record: number, moved: readonly Attachment[], isPath: boolean): void {
    if (moved.length === 0 || (isPath && this.isPathSlot[slot] === 0)) return;
    (isPath ? this.#paths : this.#meshes).need(slot, heap.u32[(record + DeformField.VALUE_COUNT) >> 2]!);
    tracks.push({ timeline, slot, record, matches: moved.map((attachment) => attachmentRecord(attachment)), isPath });
  }
}

/** Per slot the attachments that any skin has for it. */
function attachmentsOf(data: SkeletonData): Set<Attachment>[] {
  const found = data.slots.map(() => new Set<Attachment>());
  for (const skin of data.skins) for (const entry of skin.getAttachments()) found[entry.slotIndex]?.add(entry.attachment);
  return found;
}
