import { ArgumentError } from "../../errors.js";
import type { Attachment } from "../attachments/attachment.js";
import { MeshAttachment } from "../attachments/mesh-attachment.js";
import type { BoneData } from "../data/bone-data.js";
import type { ConstraintData } from "../data/constraint-data.js";
import { Color } from "../utils/color.js";
import type { StringMap } from "../utils/utils.js";
import type { Skeleton } from "./skeleton.js";
import { SkinEntry } from "./skin-entry.js";

/**
 * Attachments by slot index and placeholder name, and the bones and constraints that are only active with the skin.
 * Skeletons share skins. After an edit of a skin in use, call `Skeleton.updateCache`.
 */
export class Skin {
  /** Unique among the skeleton's skins. */
  readonly name: string;
  /** By slot index: attachments by placeholder name. `getAttachments` gives them as a list. */
  readonly attachments: StringMap<Attachment>[] = [];
  readonly bones: BoneData[] = [];
  readonly constraints: ConstraintData[] = [];
  /** Colour in the editor. */
  readonly color = new Color(0.99607843, 0.61960787, 0.30980393, 1);

  constructor(name: string) {
    if (typeof name !== "string" || name === "") throw new ArgumentError("The name of a skin is missing. Give a non-empty string.", { found: name });
    this.name = name;
  }

  /** Adds an attachment, or replaces the one under the same slot and placeholder. */
  setAttachment(slotIndex: number, placeholderName: string, attachment: Attachment): void {
    if (attachment == null) {
      throw new ArgumentError(`The attachment "${placeholderName}" for slot ${slotIndex} of skin "${this.name}" is missing. Use removeAttachment to take one away.`);
    }
    if (!(slotIndex >= 0)) throw new ArgumentError(`The slot index is ${slotIndex}, expected 0 or more.`, { found: slotIndex });
    // Object.create(null): a placeholder may be called "constructor" or "__proto__".
    const map = (this.attachments[slotIndex] ??= Object.create(null) as StringMap<Attachment>);
    map[placeholderName] = attachment;
  }

  /** Adds all attachments, bones and constraints of another skin. Attachments are shared. */
  addSkin(skin: Skin): void {
    this.#addLists(skin);
    for (const { slotIndex, placeholderName, attachment } of skin.#entries()) {
      this.setAttachment(slotIndex, placeholderName, attachment);
    }
  }

  /** Adds bones and constraints of another skin, and copies of its attachments: linked meshes in place of meshes. */
  copySkin(skin: Skin): void {
    this.#addLists(skin);
    for (const { slotIndex, placeholderName, attachment } of skin.#entries()) {
      const copy = attachment instanceof MeshAttachment ? attachment.newLinkedMesh() : attachment.copy();
      this.setAttachment(slotIndex, placeholderName, copy);
    }
  }

  #addLists(skin: Skin): void {
    for (const bone of skin.bones) if (!this.bones.includes(bone)) this.bones.push(bone);
    for (const constraint of skin.constraints) if (!this.constraints.includes(constraint)) this.constraints.push(constraint);
  }

  /** The attachment for a slot and placeholder, or null. */
  getAttachment(slotIndex: number, placeholderName: string): Attachment | null {
    return this.attachments[slotIndex]?.[placeholderName] ?? null;
  }

  /** Removes the attachment for a slot and placeholder, if there is one. */
  removeAttachment(slotIndex: number, placeholderName: string): void {
    const map = this.attachments[slotIndex];
    if (map !== undefined) delete map[placeholderName];
  }

  /** All entries, by slot index, then in the order they were added. */
  getAttachments(): SkinEntry[];
  /** Appends the entries of one slot to `attachments`. */
  getAttachments(slotIndex: number, attachments: SkinEntry[]): void;
  getAttachments(slotIndex?: number, attachments?: SkinEntry[]): SkinEntry[] | void {
    if (slotIndex === undefined || attachments === undefined) return this.#entries();
    this.getAttachmentsForSlot(slotIndex, attachments);
  }

  #entries(): SkinEntry[] {
    const entries: SkinEntry[] = [];
    for (let i = 0; i < this.attachments.length; i++) this.getAttachmentsForSlot(i, entries);
    return entries;
  }

  /** Appends the entries of one slot to `attachments`. */
  getAttachmentsForSlot(slotIndex: number, attachments: SkinEntry[]): void {
    const map = this.attachments[slotIndex];
    if (map === undefined) return;
    for (const name in map) attachments.push(new SkinEntry(slotIndex, name, map[name]!));
  }

  /** Empties attachments, bones and constraints. */
  clear(): void {
    this.attachments.length = 0;
    this.bones.length = 0;
    this.constraints.length = 0;
  }

  /** Shows this skin's attachments wherever a slot shows the one that `oldSkin` has under the same placeholder. @internal */
  attachAll(skeleton: Skeleton, oldSkin: Skin): void {
    for (let i = 0; i < skeleton.slots.length; i++) {
      const { pose } = skeleton.slots[i]!;
      const shown = pose.attachment;
      const map = oldSkin.attachments[i];
      if (shown === null || map === undefined) continue;
      for (const name in map) {
        if (map[name] !== shown) continue;
        const attachment = this.getAttachment(i, name);
        if (attachment !== null) pose.setAttachment(attachment);
        break;
      }
    }
  }
}
