import { MixMode, SlotRow } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "../attachments/attachment.js";
import type { ApplyContext } from "../compile/apply-context.js";
import { keyAt, showAttachment } from "../compile/steps.js";
import type { Skeleton } from "../model/skeleton.js";
import type { AttachmentTimeline } from "../timelines/slot-timelines.js";

const RETAIN = 1;
const TEMPORARY = 0;

/**
 * Which slots got their attachment for good in one apply, and which only for the time that deforms are applied.
 *
 * An entry below its attachment threshold must not change what is visible, but its deforms may need the attachment in place.
 */
export class AttachmentMarks {
  /** Per slot: mark of the latest apply that touched it. */
  #marks = new Int32Array(0);
  /** Marks of earlier applies are below this. */
  #stamp = 0;
  /** Slots with temporary attachments, maybe more than once. */
  readonly #temporary: number[] = [];
  #temporaryCount = 0;

  /** Grows by 2 with every apply. */
  get stamp(): number {
    return this.#stamp;
  }

  /** Before the first entry of an apply. */
  begin(skeleton: Skeleton): void {
    const slotCount = skeleton.slots.length;
    if (this.#marks.length < slotCount || this.#stamp > 0x3fffffff) {
      this.#marks = new Int32Array(Math.max(slotCount, this.#marks.length));
      this.#stamp = 0;
    }
    this.#stamp += 2;
    this.#temporaryCount = 0;
  }

  /**
   * Applies an attachment timeline.
   * @param retain - the attachment stays after the apply
   */
  apply(timeline: AttachmentTimeline, skeleton: Skeleton, at: ApplyContext, retain: boolean): void {
    const { slotIndex, _frames: frames } = timeline;
    if (!retain && this.#marks[slotIndex] === this.#stamp + RETAIN) return;
    let name: string | null = null;
    let isSetup = !(at.time >= frames[0]!);
    if (!isSetup) {
      name = timeline.attachmentNames[frames.length === 1 ? 0 : keyAt(frames, at)]!;
      if (!retain && name === null) isSetup = true;
    }
    if (isSetup) {
      if (at.mode === MixMode.CURRENT) return;
      name = skeleton.data.slots[slotIndex]?.attachmentName ?? null;
    }
    const attachment = name === null ? null : skeleton.getAttachment(slotIndex, name);
    // Mostly it is shown already; then no object of the skeleton need be looked at.
    if (!retain || !isShown(attachment, slotIndex, skeleton)) {
      const slot = skeleton.slots[slotIndex];
      if (slot === undefined || !slot.bone.active) return;
      showAttachment(slot.pose, attachment, skeleton);
    }
    if (retain) {
      this.#marks[slotIndex] = this.#stamp + RETAIN;
    } else if (!isSetup) {
      this.#marks[slotIndex] = this.#stamp + TEMPORARY;
      this.#temporary[this.#temporaryCount++] = slotIndex;
    }
  }

  /** After the last entry: slots whose attachment was temporary show their setup attachment again. */
  end(skeleton: Skeleton): void {
    for (let i = 0; i < this.#temporaryCount; i++) {
      const slotIndex = this.#temporary[i]!;
      if (this.#marks[slotIndex] !== this.#stamp + TEMPORARY) continue;
      const slot = skeleton.slots[slotIndex]!;
      const name = slot.data.attachmentName;
      showAttachment(slot.pose, name === null ? null : skeleton.getAttachment(slotIndex, name), skeleton);
    }
  }
}

/** Whether a slot's unconstrained pose shows an attachment. */
function isShown(attachment: Attachment | null, slotIndex: number, { _base: base, _shape: shape }: Skeleton): boolean {
  return heap.u32[base + shape.slotRow(slotIndex) + SlotRow.ATTACHMENT_KEY] === (attachment === null ? 0 : attachment._key);
}
