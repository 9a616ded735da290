import type { Attachment } from "../attachments/attachment.js";

/** An attachment of a skin with its place: slot index and placeholder name. */
export class SkinEntry {
  constructor(
    readonly slotIndex = 0,
    readonly placeholderName: string,
    readonly attachment: Attachment,
  ) {}

  /** Same as `placeholderName`. */
  get placeholder(): string {
    return this.placeholderName;
  }
}
