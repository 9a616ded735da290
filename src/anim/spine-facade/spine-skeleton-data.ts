import { BoundingBoxAttachment } from "../../spine/attachments/bounding-box-attachment.js";
import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import { MeshAttachment } from "../../spine/attachments/mesh-attachment.js";
import { PathAttachment } from "../../spine/attachments/path-attachment.js";
import { PointAttachment } from "../../spine/attachments/point-attachment.js";
import { RegionAttachment } from "../../spine/attachments/region-attachment.js";
import type { BoneData } from "../../spine/data/bone-data.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import type { SlotData } from "../../spine/data/slot-data.js";
import type { AttachmentLoader } from "../../spine/load/attachment-loader.js";
import { SkeletonBinary } from "../../spine/load/skeleton-binary.js";
import { SkeletonJson } from "../../spine/load/skeleton-json.js";
import { AnimFormatError, AnimStateError } from "../errors.js";
import { readBytes } from "../module/files.js";
import type { AnimationHost } from "../module/host.js";
import { chain } from "../module/maybe-promise.js";
import { itemAt, translated } from "./translate.js";

/** Attachments without regions: each SpineAnim looks them up in its own atlas. */
class BareAttachmentLoader implements AttachmentLoader {
  newRegionAttachment(...[, , name, , sequence]: Parameters<AttachmentLoader["newRegionAttachment"]>): RegionAttachment {
    return new RegionAttachment(name, sequence);
  }
  newMeshAttachment(...[, , name, , sequence]: Parameters<AttachmentLoader["newMeshAttachment"]>): MeshAttachment {
    return new MeshAttachment(name, sequence);
  }
  newBoundingBoxAttachment(...[, , name]: Parameters<AttachmentLoader["newBoundingBoxAttachment"]>): BoundingBoxAttachment {
    return new BoundingBoxAttachment(name);
  }
  newPathAttachment(...[, , name]: Parameters<AttachmentLoader["newPathAttachment"]>): PathAttachment {
    return new PathAttachment(name);
  }
  newPointAttachment(...[, , name]: Parameters<AttachmentLoader["newPointAttachment"]>): PointAttachment {
    return new PointAttachment(name);
  }
  newClippingAttachment(...[, , name]: Parameters<AttachmentLoader["newClippingAttachment"]>): ClippingAttachment {
    return new ClippingAttachment(name);
  }
}

/** What all skeletons of one export share: bones parents first, slots in setup order, skins, animations. */
export class SpineSkeletonData {
  #data: SkeletonData | null = null;
  /** Skeletons that use the data; one that nobody holds any more counts no longer. @internal */ readonly users = new Set<WeakRef<object>>();
  readonly #host: AnimationHost | null;

  /** @param host - for `loadFromFile` */
  constructor(host: AnimationHost | null = null) {
    this.#host = host;
  }

  /** Replaces everything. `{}` is one bone `root` and one skin `default`. @throws AnimFormatError, AnimStateError while in use */
  loadFromJson(json: string | object): true {
    this.#free("loaded anew");
    this.#data = translated(() => new SkeletonJson(new BareAttachmentLoader()).readSkeletonData(withRoot(json)));
    return true;
  }

  /** Replaces everything by a `.skel` file. @throws AnimFormatError, AnimStateError while in use */
  loadFromBinary(bytes: Uint8Array): true {
    this.#free("loaded anew");
    this.#data = translated(() => new SkeletonBinary(new BareAttachmentLoader()).readSkeletonData(bytes));
    return true;
  }

  /** Loads JSON or binary, told apart by the content. @throws AnimIOError, AnimFormatError, AnimStateError without a host */
  async loadFromFile(path: string): Promise<true> {
    if (this.#host === null) throw new AnimStateError("This data has no host to read files with. Use loadFromJson() or loadFromBinary().");
    return chain(readBytes(this.#host, path), (bytes) => this.loadFromBytes(bytes));
  }

  /** @internal */
  loadFromBytes(bytes: Uint8Array): true {
    const text = new TextDecoder().decode(bytes.subarray(0, 64)).replace(/^\uFEFF/, "").trimStart();
    return text.startsWith("{") ? this.loadFromJson(new TextDecoder().decode(bytes)) : this.loadFromBinary(bytes);
  }

  /** @throws AnimStateError while a skeleton uses the data */
  clear(): void {
    this.#free("cleared");
    this.#data = null;
  }

  /** The runtime's data; null while empty. */
  get native(): SkeletonData | null {
    return this.#data;
  }

  /** Version of the editor that wrote the file, "" where it does not say. */
  getSpineVersion(): string {
    return this.#data?.version ?? "";
  }

  getBoneCount(): number {
    return this.#data?.bones.length ?? 0;
  }

  /** Index of a bone, -1 if there is none. */
  findBone(name: string): number {
    return indexOf(this.#data?.bones, name);
  }

  /** @throws AnimIndexError, as all questions by index */
  getBoneName(i: number): string {
    return this.#bone(i).name;
  }

  /** -1 for the root. */
  getBoneParent(i: number): number {
    return this.#bone(i).parent?.index ?? -1;
  }

  /** Setup pose, local. */
  getBoneX(i: number): number {
    return this.#bone(i).setupPose.x;
  }

  getBoneY(i: number): number {
    return this.#bone(i).setupPose.y;
  }

  /** Degrees, counter-clockwise. */
  getBoneRotation(i: number): number {
    return this.#bone(i).setupPose.rotation;
  }

  getBoneScaleX(i: number): number {
    return this.#bone(i).setupPose.scaleX;
  }

  getBoneScaleY(i: number): number {
    return this.#bone(i).setupPose.scaleY;
  }

  getSlotCount(): number {
    return this.#data?.slots.length ?? 0;
  }

  /** Index of a slot, -1 if there is none. */
  findSlot(name: string): number {
    return indexOf(this.#data?.slots, name);
  }

  getSlotName(i: number): string {
    return this.#slot(i).name;
  }

  getSlotBone(i: number): number {
    return this.#slot(i).boneData.index;
  }

  /** Setup attachment, "" when none. */
  getSlotAttachment(i: number): string {
    return this.#slot(i).attachmentName ?? "";
  }

  getSkinCount(): number {
    return this.#data?.skins.length ?? 0;
  }

  /** Index of a skin, -1 if there is none. */
  findSkin(name: string): number {
    return indexOf(this.#data?.skins, name);
  }

  getSkinName(i: number): string {
    return itemAt(this.#data?.skins ?? [], i, "Skin").name;
  }

  /** Index of the default skin, -1 if there is none. */
  getDefaultSkin(): number {
    const data = this.#data;
    return data?.defaultSkin == null ? -1 : data.skins.indexOf(data.defaultSkin);
  }

  getAnimationCount(): number {
    return this.#data?.animations.length ?? 0;
  }

  /** Index of an animation, -1 if there is none. */
  findAnimation(name: string): number {
    return indexOf(this.#data?.animations, name);
  }

  getAnimationName(i: number): string {
    return itemAt(this.#data?.animations ?? [], i, "Animation").name;
  }

  /** Seconds. */
  getAnimationDuration(i: number): number {
    return itemAt(this.#data?.animations ?? [], i, "Animation").duration;
  }

  #bone(i: number): BoneData {
    return itemAt(this.#data?.bones ?? [], i, "Bone");
  }

  #slot(i: number): SlotData {
    return itemAt(this.#data?.slots ?? [], i, "Slot");
  }

  #free(verb: string): void {
    for (const user of this.users) if (user.deref() === undefined) this.users.delete(user);
    if (this.users.size > 0) throw new AnimStateError(`The data is used by ${this.users.size} skeletons and cannot be ${verb}. Dispose them first, or load into new data.`);
  }
}

function indexOf(list: readonly { readonly name: string }[] | undefined, name: string): number {
  return list?.findIndex((item) => item.name === name) ?? -1;
}

/** A file without bones gets a root, one without skins the default skin. */
function withRoot(json: string | object): string | object {
  let root: Record<string, unknown> = json as Record<string, unknown>;
  if (typeof json === "string") {
    if (/"bones"/.test(json) && /"skins"/.test(json)) return json;
    try {
      root = JSON.parse(json.replace(/^\uFEFF/, "")) as Record<string, unknown>;
    } catch (cause) {
      throw new AnimFormatError(`The skeleton is no JSON: ${(cause as Error).message}`, { cause });
    }
  }
  if (typeof root !== "object" || root === null || Array.isArray(root)) throw new AnimFormatError("The skeleton is no JSON object.", { found: json });
  if (root.bones !== undefined && root.skins !== undefined) return root;
  return { ...root, bones: root.bones ?? [{ name: "root" }], skins: root.skins ?? [{ name: "default" }] };
}
