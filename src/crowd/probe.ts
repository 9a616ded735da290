import { SHAPE_SLOT_BYTES } from "../../assembly/layout/crowd-vertices.js";
import { INSTANCE_BYTES, InstanceField, InstanceFlag, PALETTE_FLOATS, SLOT_STATE_BYTES, SlotStateField } from "../../assembly/layout/crowd.js";
import { BoneRow, SlotRow } from "../../assembly/layout/rig2d.js";
import { BoundingBoxAttachment } from "../spine/attachments/bounding-box-attachment.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import { Skeleton } from "../spine/model/skeleton.js";
import { SkeletonBounds } from "../spine/model/skeleton-bounds.js";
import { DeformTimeline } from "../spine/timelines/deform-timeline.js";
import { AttachmentTimeline } from "../spine/timelines/slot-timelines.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import type { Crowd } from "./crowd.js";
import { CrowdVertices } from "./crowd-vertices.js";
import { HitFilter } from "./hit-filter.js";
import { lagOf } from "./lag.js";
import { poseLike } from "./promotion.js";

/** A box in world coordinates. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const NOTHING = { attachment: null, frame: 0 } as const;

/** Clocks of a record that have gone on since its latest pose, and the speeds at which they do: 1 where none is named. */
const CLOCKS = [
  [InstanceField.TIME, InstanceField.SPEED], [InstanceField.FADE_TIME, InstanceField.FADE_SPEED], [InstanceField.OVERLAY_TIME, InstanceField.OVERLAY_SPEED],
  [InstanceField.MIX_TIME, null], [InstanceField.OVERLAY_MIX_TIME, null],
] as const;

/**
 * A skeleton that takes on the looks of any character, for questions that need vertices: bounds and hits. It shows the
 * matrices of the palette. Attachments and deforms are those of the slot states, where the crowd keeps them; what these do not know (bounding
 * boxes, or everything) comes from an animation state in the same situation.
 */
export class Probe {
  readonly #crowd: Crowd;
  readonly #skeleton: Skeleton;
  readonly #bounds = new SkeletonBounds();
  /** Whether the slot states leave something out. */
  readonly #asksState: boolean;
  /** A record with the clocks of what is shown. */
  readonly #record: number;
  /** What is deformed is known from here; null if nothing can be. */
  readonly #vertices: CrowdVertices | null;
  readonly #filter: HitFilter;
  readonly #row = [0];

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
    this.#skeleton = new Skeleton(crowd.data);
    this.#asksState = !crowd._keepsSlots || keysBoxes(crowd);
    this.#record = heap.alloc(INSTANCE_BYTES);
    freeWhenCollected(this, [this.#record]);
    this.#filter = new HitFilter(crowd.data, crowd._clips);
    this.#vertices = crowd._keepsSlots && crowd._clips.shapes.meshBytes > 0 ? new CrowdVertices(crowd) : null;
  }

  /** Bounding box of what a character shows; width and height are -Infinity if that is nothing. */
  bounds(row: number): Box {
    if (!this.#isShown(row)) return { x: Infinity, y: Infinity, width: -Infinity, height: -Infinity };
    this.#take(row);
    return this.#skeleton.getBoundsRect();
  }

  /** Whether a point lies in a bounding box attachment of a character or, if it has none, in its bounds. */
  contains(row: number, x: number, y: number): boolean {
    const { palette, boneCount } = this.#crowd;
    if (!this.#filter.mayContain(palette, row * boneCount * PALETTE_FLOATS, x, y) || !this.#isShown(row)) return false;
    this.#take(row);
    this.#bounds.update(this.#skeleton, true);
    if (this.#bounds.boundingBoxes.length > 0) return this.#bounds.aabbContainsPoint(x, y) && this.#bounds.containsPoint(x, y) !== null;
    const box = this.#skeleton.getBoundsRect();
    return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
  }

  dispose(): void {
    this.#skeleton.dispose();
    this.#vertices?.dispose();
    disposedByHand(this);
    heap.free(this.#record);
  }

  /** Whether a character is visible and was posed: its row has more than zeros. */
  #isShown(row: number): boolean {
    if ((heap.u32[(this.#crowd._recordOf(row) + InstanceField.FLAGS) >> 2]! & InstanceFlag.HIDDEN) !== 0) return false;
    const { palette, boneCount } = this.#crowd;
    for (let i = row * boneCount * PALETTE_FLOATS, end = i + PALETTE_FLOATS; i < end; i++) if (palette[i] !== 0) return true;
    return false;
  }

  #take(row: number): void {
    const skeleton = this.#skeleton;
    const skin = this.#crowd._skinOf(row);
    if (skeleton.skin !== skin) {
      skeleton.setSkin(skin);
      skeleton.setupPoseSlots();
    }
    if (this.#asksState) this.#pose(row);
    const shapes = this.#shapesOf(row);
    const { palette, boneCount } = this.#crowd;
    let from = (palette.byteOffset >> 2) + row * boneCount * PALETTE_FLOATS;
    const { f32 } = heap;
    for (const bone of skeleton.bones) {
      const to = skeleton._base + bone.appliedPose._row + BoneRow.A;
      f32.copyWithin(to, from, from + PALETTE_FLOATS);
      from += PALETTE_FLOATS;
    }
    if (this.#crowd._keepsSlots) this.#dress(row, shapes);
  }

  /** Shows what an animation state shows that is where the latest pose of a character was. */
  #pose(row: number): void {
    const { _parts: parts } = this.#crowd;
    const from = this.#crowd._recordOf(row), at = this.#record;
    heap.u8.copyWithin(at, from, from + INSTANCE_BYTES);
    const { f32, f64, u32 } = heap;
    const lag = lagOf(at, 0);
    for (const [time, speed] of CLOCKS) {
      const rate = speed === null ? 1 : f32[(at + speed) >> 2]!;
      f64[(at + time) >> 3] = Math.max(0, f64[(at + time) >> 3]! - lag * rate);
    }
    const skeleton = this.#skeleton;
    poseLike(skeleton, at, parts.instances, parts.clips, parts.variants.physicsBytes).dispose();
    const skipped = this.#crowd._skippedSlots(u32[(at + InstanceField.VARIANT) >> 2]!);
    for (const index of skipped) skeleton.slots[index]!.appliedPose.setAttachment(null);
  }

  /** Shows the attachments of the moment. @param shapes - address of the deforms of the row, 0 for none */
  #dress(row: number, shapes: number): void {
    const { slots, drawables } = this.#crowd;
    const { slots: ours } = this.#skeleton;
    const first = slots.byteOffset + row * ours.length * SLOT_STATE_BYTES;
    ours.forEach((slot, i) => {
      const drawable = heap.u16[(first + i * SLOT_STATE_BYTES + SlotStateField.DRAWABLE) >> 1]!;
      const pose = slot.appliedPose;
      // What is not drawn, as bounding boxes are, has no drawable and is none of the slot states' business.
      if (drawable === 0 && (pose.attachment === null || !("sequence" in pose.attachment))) return;
      const { attachment, frame } = drawable === 0 ? NOTHING : drawables[drawable - 1]!;
      pose.setAttachment(attachment);
      if (attachment !== null) pose.sequenceIndex = frame;
      const at = (shapes + i * SHAPE_SLOT_BYTES) >> 2;
      const count = shapes === 0 ? 0 : heap.u32[at + SlotRow.DEFORM_COUNT]!;
      if (count > 0 && heap.u32[at + SlotRow.ATTACHMENT] === attachmentRecord(pose.attachment)) {
        const values = heap.u32[at + SlotRow.DEFORM]! >> 2;
        pose.deform = Array.from(heap.f32.subarray(values, values + count));
      } else if (pose._deformLength > 0) pose.deform = [];
    });
  }

  #shapesOf(row: number): number {
    if (this.#vertices === null) return 0;
    this.#row[0] = row;
    return this.#vertices._shapesOf(this.#row);
  }
}

/** Whether a clip shows, hides or deforms bounding boxes. */
function keysBoxes(crowd: Crowd): boolean {
  const entries = crowd.data.skins.flatMap((skin) => skin.getAttachments());
  const slots = new Set(entries.flatMap(({ slotIndex, attachment }) => (attachment instanceof BoundingBoxAttachment ? [slotIndex] : [])));
  return crowd._clips.animations.some(({ timelines }) =>
    timelines.some((timeline) => (timeline instanceof AttachmentTimeline || timeline instanceof DeformTimeline) && slots.has(timeline.slotIndex)));
}
