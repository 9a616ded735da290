import { ArgumentError } from "../../errors.js";
import type { Attachment } from "../attachments/attachment.js";
import type { Sequence } from "../attachments/sequence.js";
import { type SequenceMode, SequenceModeValues } from "../enums.js";
import { Property, TimelineKind } from "./property.js";
import type { SlotTimeline } from "./slot-timelines.js";
import { Timeline } from "./timeline.js";

/** An attachment that shows regions of a sequence. */
export type SequenceAttachment = Attachment & { readonly sequence: Sequence };

/** Changes `SlotPose.sequenceIndex` for an attachment's Sequence. */
export class SequenceTimeline extends Timeline implements SlotTimeline {
  static readonly ENTRIES = 3;
  /** Position of mode and index in a frame. */
  static readonly MODE = 1;
  /** Position of the delay in a frame. */
  static readonly DELAY = 2;
  readonly slotIndex: number;
  /** The attachment for which the index is set, and every attachment whose timelineAttachment it is. */
  readonly attachment: SequenceAttachment;

  /** @throws ArgumentError if the attachment has no sequence */
  constructor(frameCount: number, slotIndex: number, attachment: Attachment) {
    const sequence = (attachment as Partial<SequenceAttachment>).sequence;
    if (sequence === null || sequence === undefined) {
      throw new ArgumentError(`Attachment "${attachment.name}" has no sequence; a sequence timeline needs a region or mesh attachment with one.`);
    }
    super(frameCount, `${Property.SEQUENCE}|${slotIndex}|${sequence.id}`);
    this.slotIndex = slotIndex;
    this.attachment = attachment as SequenceAttachment;
    this.instant = true;
  }

  override getFrameEntries(): number {
    return 3;
  }

  getSlotIndex(): number {
    return this.slotIndex;
  }

  getAttachment(): SequenceAttachment {
    return this.attachment;
  }

  /**
   * Sets the time, mode, index and frame time of a frame.
   * @param index - region shown first
   * @param delay - seconds between regions
   */
  setFrame(frame: number, time: number, mode: SequenceMode, index: number, delay: number): void {
    this._edit(frame);
    if (SequenceModeValues[mode] === undefined) {
      throw new ArgumentError(`mode is ${String(mode)}, expected a SequenceMode, 0..6.`, { found: mode });
    }
    const i = frame * 3;
    this._frames[i] = time;
    this._frames[i + 1] = mode | (index << 4);
    this._frames[i + 2] = delay;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.SEQUENCE;
  }
}
