import { InstanceField, InstanceFlag } from "../../assembly/layout/crowd.js";
import { BoundingBoxAttachment } from "../spine/attachments/bounding-box-attachment.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { MixFrom } from "../spine/enums.js";
import type { Skeleton } from "../spine/model/skeleton.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import { AttachmentTimeline } from "../spine/timelines/slot-timelines.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";
import { animationTime } from "./overlay-events.js";

type Track = AttachmentTimeline | DeformTimeline;

/** The clip of a record, or its overlay, with its clock. */
const CLIPS = [
  { clip: InstanceField.CLIP, time: InstanceField.TIME, speed: InstanceField.SPEED, loop: InstanceFlag.LOOP },
  { clip: InstanceField.OVERLAY_CLIP, time: InstanceField.OVERLAY_TIME, speed: InstanceField.OVERLAY_SPEED, loop: InstanceFlag.OVERLAY_LOOP },
] as const;

/**
 * Bounding boxes that clips show, hide and deform: crowds do not keep them, so they are looked up when somebody asks. The clip that plays
 * decides, and the overlay where it keys them; a clip that fades out does not.
 */
export class BoxTracks {
  /** Slots that have a bounding box in any skin. */
  readonly #slots: ReadonlySet<number>;
  /** Per clip the timelines of those slots. */
  readonly #tracks: readonly (readonly Track[])[];
  readonly #clips: ClipTable;

  constructor(data: SkeletonData, clips: ClipTable) {
    this.#clips = clips;
    const entries = data.skins.flatMap((skin) => skin.getAttachments());
    this.#slots = new Set(entries.flatMap(({ slotIndex, attachment }) => (attachment instanceof BoundingBoxAttachment ? [slotIndex] : [])));
    const isTrack = (timeline: unknown): timeline is Track =>
      (timeline instanceof AttachmentTimeline || timeline instanceof DeformTimeline) && this.#slots.has(timeline.slotIndex);
    this.#tracks = clips.animations.map(({ timelines }) => timelines.filter(isTrack));
  }

  /** Puts the boxes of a character on a skeleton of its skin. @param at - its record */
  apply(skeleton: Skeleton, at: number): void {
    if (this.#tracks.every((tracks) => tracks.length === 0)) return;
    const { f32, f64, i32, u32 } = heap;
    for (const index of this.#slots) {
      const { appliedPose } = skeleton.slots[index]!;
      // A picture in the slot is what the slot states say.
      if (appliedPose.attachment !== null && !(appliedPose.attachment instanceof BoundingBoxAttachment)) continue;
      const name = skeleton.data.slots[index]!.attachmentName;
      const setup = name == null ? null : skeleton.getAttachment(index, name);
      appliedPose.setAttachment(setup instanceof BoundingBoxAttachment ? setup : null);
      appliedPose.deform = [];
    }
    const flags = u32[(at + InstanceField.FLAGS) >> 2]!;
    const lag = u32[(at + InstanceField.BETWEEN) >> 2] === 0 ? f64[(at + InstanceField.AGE) >> 3]! : f64[(at + InstanceField.INTERVAL) >> 3]!;
    CLIPS.forEach(({ clip, time, speed, loop }) => {
      const index = i32[(at + clip) >> 2]!;
      if (index < 0 || (clip === InstanceField.OVERLAY_CLIP && (flags & InstanceFlag.OVERLAY_OUT) !== 0)) return;
      const track = Math.max(0, f64[(at + time) >> 3]! - lag * f32[(at + speed) >> 2]!);
      const now = animationTime(track, this.#clips.animations[index]!.duration, (flags & loop) !== 0);
      for (const timeline of this.#tracks[index]!) {
        const shown = skeleton.slots[timeline.slotIndex]!.appliedPose.attachment;
        if (shown !== null && !(shown instanceof BoundingBoxAttachment)) continue;
        timeline.apply(skeleton, now, now, null, 1, MixFrom.current, false, false, true);
      }
    });
  }
}
