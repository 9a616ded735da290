import { ArgumentError } from "../../errors.js";
import type { Slot } from "../model/slot.js";

/**
 * Base of all attachments. Attachments have no state: skeletons, slots and skins share them.
 */
export abstract class Attachment {
  readonly name: string;
  /** Timelines for this attachment also drive the attachment that refers to it here; null for none. Initially itself. */
  timelineAttachment: Attachment | null;
  /** Further slots whose attachments may have this one as their `timelineAttachment`. */
  timelineSlots: readonly number[] = [];
  /** @internal Address of the record in linear memory, 0 until it is needed. */
  _record = 0;
  /** @internal AttachmentKind; -1 for kinds that osteon does not know. */
  readonly _kind: number = -1;
  /** @internal Blocks of the record; edited in place. */
  _blocks: number[] | null = null;

  constructor(name: string) {
    if (typeof name !== "string" || name === "") {
      throw new ArgumentError("The name of an attachment is missing. Give a non-empty string.", { found: name });
    }
    this.name = name;
    this.timelineAttachment = this;
  }

  /** A copy that can be changed without affecting this attachment. */
  abstract copy(): Attachment;

  /**
   * Whether timelines of this attachment have an effect: the slot, or one of `timelineSlots`, has an active bone and shows
   * an attachment whose `timelineAttachment` is this one.
   * @param appliedPose - looks at applied poses instead of unconstrained ones
   */
  isTimelineActive(slots: readonly Slot[], slotIndex: number, appliedPose: boolean): boolean {
    if (this.#isShown(slots[slotIndex], appliedPose)) return true;
    for (let i = 0; i < this.timelineSlots.length; i++) {
      if (this.#isShown(slots[this.timelineSlots[i]!], appliedPose)) return true;
    }
    return false;
  }

  #isShown(slot: Slot | undefined, appliedPose: boolean): boolean {
    if (slot === undefined || !slot.bone.active) return false;
    const attachment = (appliedPose ? slot.appliedPose : slot.pose).attachment;
    return attachment !== null && attachment.timelineAttachment === this;
  }
}
