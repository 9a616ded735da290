import { ArgumentError } from "../../errors.js";
import type { Slot } from "../model/slot.js";
import { refreshRecord } from "./record.js";

let attachmentCount = 0;

/**
 * Base of all attachments. Attachments have no state: skeletons, slots and skins share them.
 */
export abstract class Attachment {
  readonly name: string;
  /** @internal Unique among attachments. */
  readonly _key = ++attachmentCount;
  #timelineAttachment: Attachment | null = this;
  #timelineSlots: readonly number[] = [];
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
  }

  /** Timelines for this attachment also drive the attachment that refers to it here; null for none. Initially itself. */
  get timelineAttachment(): Attachment | null {
    return this.#timelineAttachment;
  }
  set timelineAttachment(value: Attachment | null) {
    this.#timelineAttachment = value;
    if (this._record !== 0) refreshRecord(this);
  }

  /**
   * Further slots whose attachments may have this one as their `timelineAttachment`. Assign it to change it: edits inside the
   * array may go unnoticed.
   */
  get timelineSlots(): readonly number[] {
    return this.#timelineSlots;
  }
  set timelineSlots(value: readonly number[]) {
    this.#timelineSlots = value;
    if (this._record !== 0) refreshRecord(this);
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
