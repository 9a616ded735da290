import { CLIP_BYTES, ClipField, DEFORM_TRACK_BYTES, DeformTrackField } from "../../assembly/layout/crowd.js";
import { DeformField } from "../../assembly/layout/animation.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import type { Attachment } from "../spine/attachments/attachment.js";
import type { CompiledAnimation } from "../spine/compile/compiled-animation.js";
import { PathConstraintData } from "../spine/constraints/path-constraint-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import { heap } from "../wasm/heap.js";

/**
 * Deform keys that reach the palette: those of the slots that path constraints follow. (Other deforms move vertices only.)
 */
export class PathTable {
  /** 1 for slots that a path constraint follows. */
  readonly isPathSlot: Uint8Array;
  /** Per clip the deform timelines of its tracks. */
  readonly timelines: DeformTimeline[][] = [];
  /** Bytes of deform values of one lane. */
  readonly bytes: number;

  /**
   * @param clips - address of the clip records, whose deform tracks are written
   * @param blocks - what the table takes is added; the crowd frees it
   */
  constructor(data: SkeletonData, compiled: readonly CompiledAnimation[], clips: number, blocks: number[]) {
    this.isPathSlot = new Uint8Array(data.slots.length);
    for (const constraint of data.constraints) {
      if (constraint instanceof PathConstraintData) this.isPathSlot[constraint.slot.index] = 1;
    }
    const buffers = new Map<number, { offset: number; length: number }>();
    const tracks = compiled.map((animation) => this.#tracks(data, animation, buffers));
    let bytes = 0;
    for (const buffer of buffers.values()) {
      buffer.offset = bytes;
      bytes += (buffer.length * 4 + 31) & ~15;
    }
    this.bytes = bytes;
    tracks.forEach((list, clip) => {
      const ptr = heap.alloc(Math.max(16, list.length * DEFORM_TRACK_BYTES));
      blocks.push(ptr);
      this.timelines.push(list.map((track) => track.timeline));
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORMS) >> 2] = ptr;
      heap.u32[(clips + clip * CLIP_BYTES + ClipField.DEFORM_COUNT) >> 2] = list.length;
      list.forEach((track, i) => {
        const matches = heap.alloc(Math.max(16, track.matches.length * 4));
        blocks.push(matches);
        heap.u32.set(track.matches, matches >> 2);
        const at = (ptr + i * DEFORM_TRACK_BYTES) >> 2;
        heap.u32[at + (DeformTrackField.RECORD >> 2)] = track.record;
        heap.u32[at + (DeformTrackField.SLOT_ROW >> 2)] = data._rig.shape.slotRow(track.slot);
        heap.u32[at + (DeformTrackField.MATCHES >> 2)] = matches;
        heap.u32[at + (DeformTrackField.MATCH_COUNT >> 2)] = track.matches.length;
        heap.u32[at + (DeformTrackField.BUFFER >> 2)] = buffers.get(track.slot)!.offset;
      });
    });
  }

  #tracks(data: SkeletonData, animation: CompiledAnimation, buffers: Map<number, { offset: number; length: number }>): PathTrack[] {
    const tracks: PathTrack[] = [];
    for (const segment of animation.segments) {
      for (const step of segment.steps) {
        const { timeline } = step;
        if (!(timeline instanceof DeformTimeline) || step.deform === 0) continue;
        for (let slot = 0; slot < data.slots.length; slot++) {
          if (this.isPathSlot[slot] === 0 || !movesSlot(timeline, slot)) continue;
          const matches = attachmentsOf(data, slot)
            .filter((attachment) => attachment.timelineAttachment === timeline.attachment)
            .map((attachment) => attachmentRecord(attachment));
          if (matches.length === 0) continue;
          const length = heap.u32[(step.deform + DeformField.VALUE_COUNT) >> 2]!;
          const buffer = buffers.get(slot);
          if (buffer === undefined) buffers.set(slot, { offset: 0, length });
          else buffer.length = Math.max(buffer.length, length);
          tracks.push({ timeline, slot, record: step.deform, matches });
        }
      }
    }
    return tracks;
  }
}

interface PathTrack {
  timeline: DeformTimeline;
  slot: number;
  record: number;
  matches: number[];
}

function movesSlot(timeline: DeformTimeline, slot: number): boolean {
  return timeline.slotIndex === slot || (timeline.attachment.timelineSlots as ArrayLike<number> & { includes(value: number): boolean }).includes(slot);
}

/** Attachments that any skin has for a slot. */
function attachmentsOf(data: SkeletonData, slot: number): Attachment[] {
  const found = new Set<Attachment>();
  for (const skin of data.skins) for (const entry of skin.getAttachments()) if (entry.slotIndex === slot) found.add(entry.attachment);
  return [...found];
}
