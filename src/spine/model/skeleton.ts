import { BONE_LOCAL_ROWS, BONE_ROWS, HeaderRow } from "../../../assembly/layout/rig2d.js";
import { ArgumentError, DisposedError, NameError, RangeMismatchError } from "../../errors.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "../attachments/attachment.js";
import type { VertexAttachment } from "../attachments/vertex-attachment.js";
import { findByName, type SkeletonData } from "../data/skeleton-data.js";
import { edits } from "../edits.js";
import { Physics } from "../enums.js";
import { NO_BASE } from "../pose-store.js";
import type { Rig } from "../rig.js";
import type { RigShape } from "../rig-shape.js";
import { type Color, PoseColor } from "../utils/color.js";
import type { NumberArrayLike } from "../utils/utils.js";
import { Bone } from "./bone.js";
import { measureBounds, type BoundsClipper } from "./bounds.js";
import type { Constraint } from "./constraint.js";
import { DrawOrder } from "./draw-order.js";
import type { Posed, Update } from "./posed.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import { sortSkeleton, updateSkeleton } from "../update/update.js";
import type { Skin } from "./skin.js";
import type { UpdateState } from "../update/update.js";
import { Slot } from "./slot.js";

type Point = { x: number; y: number };
type Class<T> = abstract new (...args: any[]) => T;
/** What `physicsTranslate` and `physicsRotate` need of a physics constraint. */
interface MovedByHost extends Constraint {
  translate(x: number, y: number): void;
  rotate(x: number, y: number, degrees: number): void;
}

/**
 * Bones, slots and constraints of one character, posed by animations and application code.
 *
 * All pose values of a skeleton lie in one block of linear memory; its objects are windows on it. A frame is: apply animations,
 * `update(delta)`, `updateWorldTransform(Physics.update)`, then render. Call `dispose()` when it is no longer needed.
 */
export class Skeleton {
  /** True where y points down. Set it before skeletons are made: every skeleton's `scaleY` is then read with the other sign. */
  static yDown = false;

  /** -1 if `yDown`, else 1. */
  static get yDir(): number {
    return Skeleton.yDown ? -1 : 1;
  }

  readonly data: SkeletonData;
  /** Parents come before children; the root is first. */
  readonly bones: Bone[] = [];
  /** In setup draw order. */
  readonly slots: Slot[] = [];
  readonly drawOrder: DrawOrder;
  /** In update order. */
  readonly constraints: Constraint[] = [];
  /** The physics constraints among `constraints`. */
  readonly physics: MovedByHost[] = [];
  /** Items in the order of updates: bone poses and constraints. @internal */
  readonly _updateCache: Update[] = [];
  /** Objects whose constrained pose is refreshed at the start of an update. @internal */
  readonly resetCache: Posed[] = [];
  /** The current skin. See `setSkin`. */
  skin: Skin | null = null;
  /** Tint of all attachments. */
  readonly color: Color;

  /** @internal */
  readonly _rig: Rig;
  /** @internal */
  readonly _shape: RigShape;
  /** Address of the pose block, 0 once disposed. @internal */
  _block: number;
  /** Index of the pose block in `heap.f32`. @internal */
  _base: number;
  /** Address of the current update program. @internal */
  _program = 0;
  /** What goes with the program. @internal */
  _updates: UpdateState | null = null;
  /** Blocks freed with the skeleton: the pose block, then deform blocks and others. Edited in place. @internal */
  readonly _blocks: number[];
  #scaleY = 1;
  /** The draw order that the block of indices holds. */
  readonly #drawn: Slot[] = [];
  /** Place of the block of indices in `_blocks`, 0 for none. */
  #drawnBlock = 0;

  constructor(data: SkeletonData);
  /** Copies the poses, skin, colour and placement of another skeleton. Physics start anew. */
  constructor(skeleton: Skeleton);
  constructor(dataOrSkeleton: SkeletonData | Skeleton) {
    if (dataOrSkeleton == null) throw new ArgumentError("The data of a skeleton are missing. Give a SkeletonData.");
    if (typeof dataOrSkeleton !== "object" || !("_rig" in dataOrSkeleton)) {
      const what = typeof dataOrSkeleton === "object" ? `an object of the class ${(dataOrSkeleton as object).constructor?.name ?? "none"}` : typeof dataOrSkeleton;
      throw new ArgumentError(`Skeleton was given ${what}, expected a SkeletonData. Load one with SkeletonJson or SkeletonBinary.`, { found: dataOrSkeleton });
    }
    const other = dataOrSkeleton instanceof Skeleton ? dataOrSkeleton : null;
    const data = other === null ? (dataOrSkeleton as SkeletonData) : other.data;
    this.data = data;
    this._rig = data._rig;
    this._shape = this._rig.shape;
    this._block = heap.alloc(this._shape.rows * 8 + this._shape.slotCount * 8);
    this._base = this._block >> 2;
    this._blocks = [this._block];
    freeWhenCollected(this, this._blocks);
    this._rig.enter(this);

    this.color = new PoseColor(this, HeaderRow.R, true);
    this.scaleX = 1;
    this.scaleY = 1;
    this.windX = 1;
    this.gravityY = 1;
    for (const boneData of data.bones) {
      const parent = boneData.parent === null ? null : this.bones[boneData.parent.index]!;
      const bone = new Bone(boneData, parent, this);
      parent?.children.push(bone);
      this.bones.push(bone);
    }
    for (const slotData of data.slots) this.slots.push(new Slot(slotData, this));
    this.drawOrder = new DrawOrder(this.slots);
    for (const constraintData of data.constraints) {
      const constraint = constraintData.create(this);
      this.constraints.push(constraint);
      if (isMovedByHost(constraint)) this.physics.push(constraint);
    }
    if (other !== null) this.#take(other);
    this.updateCache();
  }

  #take(other: Skeleton): void {
    for (let i = 0; i < this.bones.length; i++) this.bones[i]!.pose.set(other.bones[i]!.pose);
    for (let i = 0; i < this.slots.length; i++) this.slots[i]!.pose.set(other.slots[i]!.pose);
    for (let i = 0; i < this.constraints.length; i++) this.constraints[i]!.pose.set(other.constraints[i]!.pose);
    for (let i = 0; i < this.slots.length; i++) this.drawOrder.pose[i] = this.slots[other.drawOrder.pose[i]!.data.index]!;
    this.skin = other.skin;
    this.color.setFromColor(other.color);
    this.x = other.x;
    this.y = other.y;
    this.scaleX = other.scaleX;
    this.#scaleY = other.#scaleY;
    this._writeScale();
    this.windX = other.windX;
    this.windY = other.windY;
    this.gravityX = other.gravityX;
    this.gravityY = other.gravityY;
    this.time = other.time;
  }

  /** World position of the skeleton, added to that of root bones. */
  get x(): number {
    return heap.f32[this._base + HeaderRow.X]!;
  }
  set x(value: number) {
    heap.f32[this._base + HeaderRow.X] = value;
  }

  get y(): number {
    return heap.f32[this._base + HeaderRow.Y]!;
  }
  set y(value: number) {
    heap.f32[this._base + HeaderRow.Y] = value;
  }

  /** Scale of the whole skeleton along the world x axis, also of bones that do not inherit scale. */
  get scaleX(): number {
    return heap.f32[this._base + HeaderRow.SCALE_X]!;
  }
  set scaleX(value: number) {
    heap.f32[this._base + HeaderRow.SCALE_X] = value;
  }

  /** Scale along the world y axis. Reads with the other sign than it was set while `Skeleton.yDown`. */
  get scaleY(): number {
    return this.#scaleY * Skeleton.yDir;
  }
  set scaleY(value: number) {
    this.#scaleY = value;
    this._writeScale();
  }

  /** Brings the row of scaleY up to date with `Skeleton.yDown`; comes before kernels that read it. @internal */
  _writeScale(): void {
    heap.f32[this._base + HeaderRow.SCALE_Y] = this.#scaleY * Skeleton.yDir;
  }

  /** Direction and strength of wind for physics constraints. */
  get windX(): number {
    return heap.f32[this._base + HeaderRow.WIND_X]!;
  }
  set windX(value: number) {
    heap.f32[this._base + HeaderRow.WIND_X] = value;
  }

  get windY(): number {
    return heap.f32[this._base + HeaderRow.WIND_Y]!;
  }
  set windY(value: number) {
    heap.f32[this._base + HeaderRow.WIND_Y] = value;
  }

  /** Direction and strength of gravity for physics constraints. */
  get gravityX(): number {
    return heap.f32[this._base + HeaderRow.GRAVITY_X]!;
  }
  set gravityX(value: number) {
    heap.f32[this._base + HeaderRow.GRAVITY_X] = value;
  }

  get gravityY(): number {
    return heap.f32[this._base + HeaderRow.GRAVITY_Y]!;
  }
  set gravityY(value: number) {
    heap.f32[this._base + HeaderRow.GRAVITY_Y] = value;
  }

  /** Time of the skeleton in seconds, for physics constraints. See `update`. */
  get time(): number {
    return heap.f64[(this._base + HeaderRow.TIME) >> 1]!;
  }
  set time(value: number) {
    heap.f64[(this._base + HeaderRow.TIME) >> 1] = value;
  }

  /** Number of world updates so far. @internal */
  get _update(): number {
    return heap.i32[this._base + HeaderRow.UPDATE]!;
  }
  set _update(value: number) {
    heap.i32[this._base + HeaderRow.UPDATE] = value;
  }

  /** Address of the applied draw order as u32 slot indices. @internal */
  _drawIndices(): number {
    if (edits.arrays > 0) this._noticeEdits();
    const order = this.drawOrder.appliedPose;
    const drawn = this.#drawn;
    const count = order.length;
    let same = drawn.length === count && this.#drawnBlock !== 0;
    for (let i = 0; same && i < count; i++) same = order[i] === drawn[i];
    return same ? this._blocks[this.#drawnBlock]! : this.#writeDrawIndices(order);
  }

  #writeDrawIndices(order: readonly Slot[]): number {
    if (this.#drawnBlock === 0) this.#drawnBlock = this._blocks.push(heap.alloc(order.length * 4)) - 1;
    else if (order.length > this.#drawn.length) {
      this._blocks[this.#drawnBlock] = heap.realloc(this._blocks[this.#drawnBlock]!, order.length * 4);
    }
    const ptr = this._blocks[this.#drawnBlock]!;
    this.#drawn.length = order.length;
    for (let i = 0; i < order.length; i++) {
      this.#drawn[i] = order[i]!;
      heap.u32[(ptr >> 2) + i] = order[i]!.data.index;
    }
    return ptr;
  }

  /** Lets the attachments shown look for edits of their arrays. @internal */
  _noticeEdits(): void {
    const { slots } = this;
    for (let i = 0; i < slots.length; i++) {
      const { pose, appliedPose } = slots[i]!;
      const { attachment } = pose;
      if (attachment !== null && "_noticeEdits" in attachment) (attachment as VertexAttachment)._noticeEdits();
      const applied = appliedPose.attachment;
      if (applied !== attachment && applied !== null && "_noticeEdits" in applied) (applied as VertexAttachment)._noticeEdits();
    }
  }

  /** Throws if the skeleton was disposed. Comes before every kernel call. @internal */
  _assertAlive(): void {
    if (this._block === 0) throw new DisposedError("Skeleton");
  }

  /**
   * Sorts bones and constraints into the order of updates. Must be called after the skin was edited, and after bones,
   * constraints or weighted path attachments were added or removed.
   */
  updateCache(): void {
    this._assertAlive();
    sortSkeleton(this);
  }

  /** Bone poses and constraints in the order of updates. */
  getUpdateCache(): readonly Update[] {
    return this._updateCache;
  }

  /** For `Constraint.sort`: puts a bone behind its parents into the update cache. @internal */
  sortBone(bone: Bone): void {
    placeBone(this, bone);
  }

  /** For `Constraint.sort`: lets bones and what hangs on them be put into the update cache again. @internal */
  sortReset(bones: readonly Bone[]): void {
    unplaceBones(bones);
  }

  /** For `Constraint.sort`: gives an object a constrained pose. @internal */
  constrained(object: Posed): void {
    markConstrained(this, object);
  }

  /**
   * Computes the world transforms of all bones and applies all constraints.
   * @param physics - how physics constraints move; what was written before there were any leaves it out, and they stand still
   */
  updateWorldTransform(physics: Physics): void {
    this._assertAlive();
    updateSkeleton(this, physics ?? Physics.none);
  }

  /** Sets bones, constraints, slots and the draw order to the setup pose. */
  setupPose(): void {
    this.setupPoseBones();
    this.setupPoseSlots();
  }

  /** Sets bones and constraints to the setup pose. */
  setupPoseBones(): void {
    this._assertAlive();
    const { setupPtr } = this._rig;
    const first = this._shape.boneRow(0) * 4;
    const end = this._shape.slotRow(0) * 4;
    // The setup block has zero world rows; those of the pose must stay, so rows are copied bone by bone.
    copyLocalRows(setupPtr + first, this._block + first, end - first);
    const { constraints } = this;
    for (let i = 0; i < constraints.length; i++) constraints[i]!.setupPose();
  }

  /** Sets slots and the draw order to the setup pose. */
  setupPoseSlots(): void {
    this._assertAlive();
    this.drawOrder.setupPose();
    const { slots } = this;
    for (let i = 0; i < slots.length; i++) slots[i]!.setupPose();
  }

  /** The root bone, null if there are no bones. */
  getRootBone(): Bone | null {
    return this.bones[0] ?? null;
  }

  /** Same as `getRootBone()`. */
  get rootBone(): Bone | null {
    return this.getRootBone();
  }

  /** Same as `physics`. */
  get physicsConstraints(): readonly Constraint[] {
    return this.physics;
  }

  /** The bone with a name, or null. Cache the result instead of searching each frame. */
  findBone(boneName: string): Bone | null {
    const data = findByName(this.data.bones, boneName, "bone");
    return data === null ? null : this.bones[data.index]!;
  }

  /** The slot with a name, or null. */
  findSlot(slotName: string): Slot | null {
    const data = findByName(this.data.slots, slotName, "slot");
    return data === null ? null : this.slots[data.index]!;
  }

  /** The constraint with a name, of a class if one is given, or null. */
  findConstraint<T extends Constraint = Constraint>(constraintName: string, type?: Class<T>): T | null {
    if (typeof constraintName !== "string") {
      throw new ArgumentError("The name of a constraint to find is missing. Give a string.", { found: constraintName });
    }
    for (const constraint of this.constraints) {
      if (constraint.data.name === constraintName && (type === undefined || constraint instanceof type)) return constraint as T;
    }
    return null;
  }

  /**
   * Sets the skin in which attachments are looked up before the default skin. Attachments of the new skin replace those of
   * the old skin that are shown; if there was no skin, setup attachments that the new skin has are shown. Setting the same
   * skin again does nothing.
   * @throws NameError if there is no skin of that name
   */
  setSkin(skin: Skin | string | null | undefined): void {
    this._assertAlive();
    const newSkin = typeof skin === "string" ? this.#skinNamed(skin) : (skin ?? null);
    if (newSkin === this.skin) return;
    if (newSkin !== null) {
      if (this.skin !== null) newSkin.attachAll(this, this.skin);
      else this.#showSetupAttachments(newSkin);
    }
    this.skin = newSkin;
    this.updateCache();
  }

  /** `setSkin` with a name, under the name it had before 4.3. */
  setSkinByName(skinName: string): void {
    this.setSkin(skinName);
  }

  /** `setSkin` with a skin or null. */
  setSkinBySkin(skin: Skin | null): void {
    this.setSkin(skin);
  }

  /** `getAttachment` with the name of a slot, under the name it had before 4.3. */
  getAttachmentByName(slotName: string, placeholderName: string): Attachment | null {
    return this.getAttachment(slotName, placeholderName);
  }

  /** `getAttachment` with the index of a slot. */
  getAttachmentByIndex(slotIndex: number, placeholderName: string): Attachment | null {
    return this.getAttachment(slotIndex, placeholderName);
  }

  #skinNamed(name: string): Skin {
    const skin = this.data.findSkin(name);
    if (skin !== null) return skin;
    const names = this.data.skins.map((s) => `"${s.name}"`).join(", ");
    throw new NameError(`There is no skin "${name}". The skins are: ${names === "" ? "none" : names}.`, { found: name });
  }

  #showSetupAttachments(skin: Skin): void {
    for (let i = 0; i < this.slots.length; i++) {
      const slot = this.slots[i]!;
      const name = slot.data.attachmentName;
      const attachment = name === null ? null : skin.getAttachment(i, name);
      if (attachment !== null) slot.pose.setAttachment(attachment);
    }
  }

  /**
   * The attachment for a slot and placeholder in the current skin, else in the default skin, else null.
   * @param slot - index or name
   * @throws NameError for an unknown slot name, ArgumentError for an empty placeholder
   */
  getAttachment(slot: number | string, placeholderName: string): Attachment | null {
    if (typeof placeholderName !== "string" || placeholderName === "") {
      throw new ArgumentError("The name of an attachment to find is missing. Give a non-empty string.", { found: placeholderName });
    }
    const index = typeof slot === "string" ? this.#slotNamed(slot).data.index : slot;
    return this.skin?.getAttachment(index, placeholderName) ?? this.data.defaultSkin?.getAttachment(index, placeholderName) ?? null;
  }

  #slotNamed(name: string): Slot {
    const slot = this.findSlot(name);
    if (slot === null) throw new NameError(`There is no slot "${name}". Look it up with data.findSlot(name).`, { found: name });
    return slot;
  }

  /**
   * Shows an attachment in a slot, or nothing.
   * @throws NameError if there is no such slot or attachment
   */
  setAttachment(slotName: string, placeholderName: string | null): void {
    const slot = this.#slotNamed(slotName);
    let attachment: Attachment | null = null;
    if (placeholderName !== null && placeholderName !== undefined && placeholderName !== "") {
      attachment = this.getAttachment(slot.data.index, placeholderName);
      if (attachment === null) {
        const skin = this.skin === null ? "the default skin" : `skin "${this.skin.name}" or the default skin`;
        throw new NameError(`Slot "${slotName}" has no attachment "${placeholderName}" in ${skin}.`, { found: placeholderName });
      }
    }
    slot.pose.setAttachment(attachment);
  }

  /** Sets the tint. */
  setColor(r: number, g: number, b: number, a: number): void {
    this.color.set(r, g, b, a);
  }

  setScale(scaleX: number, scaleY: number): void {
    this.scaleX = scaleX;
    this.scaleY = scaleY;
  }

  setPosition(x: number, y: number): void {
    this.x = x;
    this.y = y;
  }

  /**
   * Adds to the skeleton's time.
   * @param delta - seconds, may be negative
   * @throws RangeMismatchError unless delta is finite
   */
  update(delta: number): void {
    if (!Number.isFinite(delta)) {
      throw new RangeMismatchError("delta", delta, -Number.MAX_VALUE, Number.MAX_VALUE, "Give the seconds since the last frame.");
    }
    this._assertAlive();
    this.time += delta;
  }

  /** Tells all physics constraints that the skeleton was moved by its host. Takes effect in the next update. */
  physicsTranslate(x: number, y: number): void {
    for (let i = 0; i < this.physics.length; i++) this.physics[i]!.translate(x, y);
  }

  /** Tells all physics constraints that the skeleton was rotated about a world point by its host. */
  physicsRotate(x: number, y: number, degrees: number): void {
    for (let i = 0; i < this.physics.length; i++) this.physics[i]!.rotate(x, y, degrees);
  }

  /**
   * Bounding box of the region and mesh attachments that are shown, in world coordinates.
   * @param offset - receives the bottom left corner; +Infinity if nothing is shown
   * @param size - receives width and height; -Infinity if nothing is shown
   * @param _temp - not needed
   * @param clipper - to take clipping attachments into account
   */
  getBounds(offset: Point, size: Point, _temp?: NumberArrayLike | null, clipper?: BoundsClipper | null): void {
    this._assertAlive();
    measureBounds(this, offset, size, clipper ?? null);
  }

  /** Bounding box of what is shown, as in `getBounds`. */
  getBoundsRect(clipper?: BoundsClipper | null): { x: number; y: number; width: number; height: number } {
    const offset = { x: 0, y: 0 };
    const size = { x: 0, y: 0 };
    this.getBounds(offset, size, null, clipper);
    return { x: offset.x, y: offset.y, width: size.x, height: size.y };
  }

  /** Frees the skeleton's memory. Safe to call twice; any other use afterwards is an error or has no effect. */
  dispose(): void {
    if (this._block === 0) return;
    disposedByHand(this);
    for (const ptr of this._blocks) heap.free(ptr);
    this._blocks.length = 0;
    this._block = 0;
    this._base = NO_BASE;
    (this.color as PoseColor)._at = NO_BASE;
    for (const { pose, _constrained: constrained } of this.bones) pose._at = constrained._at = NO_BASE;
    for (const { pose, _constrained: constrained } of this.slots) {
      pose._detach();
      constrained._detach();
    }
    this._program = 0;
    this._updates = null;
    this._rig.leave(this);
  }
}

/** Copies local values and inherit modes of bones from one block to another; world rows stay. */
function copyLocalRows(from: number, to: number, bytes: number): void {
  const { u32 } = heap;
  for (let bone = 0; bone < bytes; bone += BONE_ROWS * 4) {
    const source = (from + bone) >> 2;
    const target = (to + bone) >> 2;
    for (let row = 0; row < BONE_LOCAL_ROWS; row++) u32[target + row] = u32[source + row]!;
  }
}

function isMovedByHost(constraint: Constraint): constraint is MovedByHost {
  return "translate" in constraint && "rotate" in constraint;
}
