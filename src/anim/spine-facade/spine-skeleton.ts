import { Physics } from "../../spine/enums.js";
import type { Bone } from "../../spine/model/bone.js";
import { Skeleton } from "../../spine/model/skeleton.js";
import type { Slot } from "../../spine/model/slot.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { atan2 } from "../motion/math.js";
import { SpineSkeletonData } from "./spine-skeleton-data.js";
import { itemAt, named, unknownName } from "./translate.js";

const DEGREES = 57.29577951308232;

/** A skeleton in Spine's world: y up, degrees counter-clockwise. World values are brought up to date when they are read. */
export class SpineSkeleton {
  readonly #data: SpineSkeletonData;
  readonly #skeleton: Skeleton;
  #isStale = false;
  #disposed = false;
  readonly #use = new WeakRef<object>(this);

  /** Default skin, setup pose, world up to date. @throws AnimArgumentError, AnimStateError for empty data */
  constructor(data: SpineSkeletonData) {
    if (!(data instanceof SpineSkeletonData)) throw new AnimArgumentError("SpineSkeleton needs SpineSkeletonData.", { found: data });
    if (data.native === null) throw new AnimStateError("The skeleton data is empty. Load it first.");
    this.#data = data;
    this.#skeleton = new Skeleton(data.native);
    data.users.add(this.#use);
    this.#skeleton.setupPose();
    this.#skeleton.updateWorldTransform(Physics.reset);
  }

  /** The runtime's skeleton. @throws AnimStateError after dispose(), as everything that needs it */
  get native(): Skeleton {
    if (this.#disposed) throw new AnimStateError("This SpineSkeleton was disposed. Make a new one.");
    return this.#skeleton;
  }

  getData(): SpineSkeletonData {
    return this.#data;
  }

  /** Changes attachments as the runtime does; bones are not touched. @throws AnimNameError */
  setSkin(name: string): true {
    const skin = named(this.#data.native!.skins, name);
    if (skin === null) throw unknownName("skin", name, this.#data.native!.skins.map((one) => one.name));
    this.native.setSkin(skin);
    this.#isStale = true;
    return true;
  }

  /** Index of the skin; the default skin's while none was set, -1 if there is none. */
  getSkin(): number {
    const { skin } = this.native;
    return skin === null ? this.#data.getDefaultSkin() : this.#data.native!.skins.indexOf(skin);
  }

  /** Bones, slots, constraints and draw order. */
  setToSetupPose(): void {
    this.native.setupPose();
    this.#isStale = true;
  }

  /** World transforms from the local ones, constraints included; time does not pass. */
  updateWorldTransform(): void {
    this.native.updateWorldTransform(Physics.pose);
    this.#isStale = false;
  }

  /** @internal Told by SpineAnim, which moves physics itself. */
  markFresh(): void {
    this.#isStale = false;
  }

  getBoneCount(): number {
    return this.native.bones.length;
  }

  /** @throws AnimIndexError, as all questions by index */
  getBoneLocalX(i: number): number {
    return this.#bone(i).pose.x;
  }

  getBoneLocalY(i: number): number {
    return this.#bone(i).pose.y;
  }

  getBoneLocalRotation(i: number): number {
    return this.#bone(i).pose.rotation;
  }

  getBoneLocalScaleX(i: number): number {
    return this.#bone(i).pose.scaleX;
  }

  getBoneLocalScaleY(i: number): number {
    return this.#bone(i).pose.scaleY;
  }

  /** @throws AnimArgumentError, as all setters */
  setBoneLocalX(i: number, v: number): void {
    this.#edit(i, v).x = v;
  }

  setBoneLocalY(i: number, v: number): void {
    this.#edit(i, v).y = v;
  }

  setBoneLocalRotation(i: number, v: number): void {
    this.#edit(i, v).rotation = v;
  }

  setBoneLocalScaleX(i: number, v: number): void {
    this.#edit(i, v).scaleX = v;
  }

  setBoneLocalScaleY(i: number, v: number): void {
    this.#edit(i, v).scaleY = v;
  }

  getBoneWorldX(i: number): number {
    return this.#world(i).worldX;
  }

  getBoneWorldY(i: number): number {
    return this.#world(i).worldY;
  }

  /** Direction of the bone's x axis in degrees, above -180, at most 180. */
  getBoneWorldRotation(i: number): number {
    const { a, c } = this.#world(i);
    const degrees = atan2(c, a) * DEGREES;
    return degrees <= -180 ? 180 : degrees;
  }

  /** Length of the bone's x axis. */
  getBoneWorldScaleX(i: number): number {
    const { a, c } = this.#world(i);
    return Math.sqrt(a * a + c * c);
  }

  /** Length of the bone's y axis. */
  getBoneWorldScaleY(i: number): number {
    const { b, d } = this.#world(i);
    return Math.sqrt(b * b + d * d);
  }

  /** a b c d: the columns of the matrix are (a, c) and (b, d). */
  getBoneWorldMatrix(i: number, out: Float32Array): void {
    const { a, b, c, d } = this.#world(i);
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  }

  getSlotCount(): number {
    return this.native.slots.length;
  }

  /** "" when the slot is empty. */
  getSlotAttachmentName(i: number): string {
    return this.#slot(i).pose.attachment?.name ?? "";
  }

  /** An attachment of the active or the default skin, "" for none. @throws AnimNameError */
  setSlotAttachmentName(i: number, name: string): void {
    const slot = this.#slot(i);
    const attachment = typeof name !== "string" || name === "" ? null : this.native.getAttachment(i, name);
    if (name !== "" && attachment === null) {
      const names = this.#data.native!.skins.flatMap((skin) => skin.getAttachments()).filter((entry) => entry.slotIndex === i).map((entry) => entry.placeholderName);
      throw unknownName(`attachment for slot "${slot.data.name}"`, name, new Set(names));
    }
    slot.pose.attachment = attachment;
  }

  /** Gives the skeleton's memory back, and the data free. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#data.users.delete(this.#use);
    this.#skeleton.dispose();
  }

  #bone(i: number): Bone {
    return itemAt(this.native.bones, i, "Bone");
  }

  #edit(i: number, value: number): Bone["pose"] {
    const { pose } = this.#bone(i);
    checkNumber(value, "value");
    this.#isStale = true;
    return pose;
  }

  #world(i: number): Bone["appliedPose"] {
    const bone = this.#bone(i);
    if (this.#isStale) this.updateWorldTransform();
    return bone.appliedPose;
  }

  #slot(i: number): Slot {
    return itemAt(this.native.slots, i, "Slot");
  }
}
