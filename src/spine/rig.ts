import { BoneRow, SlotRow } from "../../assembly/layout/rig2d.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import { StateError } from "../errors.js";
import { disposeRecord } from "./attachments/record.js";
import type { SkeletonData } from "./data/skeleton-data.js";
import { setupEdits, type PoseStore } from "./pose-store.js";
import { RigShape } from "./rig-shape.js";

/** Places in the list of blocks; further ones belong to whoever called `own`. */
const SETUP = 0;
const PARENTS = 1;
const LENGTHS = 2;
const SLOT_BONES = 3;

/**
 * What linear memory holds of a SkeletonData: its shape, the setup block and the tables of parents, bone lengths and bones of
 * slots. Made when the first skeleton or animation needs it. @internal
 */
export class Rig implements PoseStore {
  readonly shape: RigShape;
  /** Index of the setup block in `heap.f32`. */
  _base: number;
  readonly #data: SkeletonData;
  readonly #blocks: number[];
  #edits = 0;
  /** Skeletons made from the data and not disposed; some may have been collected. */
  readonly #skeletons = new Set<WeakRef<object>>();
  readonly #refs = new WeakMap<object, WeakRef<object>>();
  #pruneAt = 64;
  readonly #releases: (() => void)[] = [];

  constructor(data: SkeletonData) {
    this.#data = data;
    const { bones, slots, constraints } = data;
    this.shape = new RigShape(bones.length, slots.length, constraints.length);
    this.#blocks = [
      heap.alloc(this.shape.rows * 4),
      heap.alloc(bones.length * 4),
      heap.alloc(bones.length * 4),
      heap.alloc(slots.length * 4),
    ];
    freeWhenCollected(this, this.#blocks);
    this._base = this.#blocks[SETUP]! >> 2;
    for (let i = 0; i < bones.length; i++) {
      heap.i32[(this.parents >> 2) + i] = bones[i]!.parent?.index ?? -1;
    }
    for (let i = 0; i < slots.length; i++) heap.u32[(this.slotBones >> 2) + i] = slots[i]!.boneData.index;
  }

  /** Address of the setup block (one pose block of one lane), brought up to date with edits of setup poses. */
  get setupPtr(): number {
    if (this.#edits !== setupEdits.count) this.#copySetup();
    return this.#blocks[SETUP]!;
  }

  /** Address of the i32 table of parents, -1 for roots. */
  get parents(): number {
    return this.#blocks[PARENTS]!;
  }

  /** Address of the f32 table of bone lengths, brought up to date together with the setup block. */
  get boneLengths(): number {
    return this.#blocks[LENGTHS]!;
  }

  /** Address of the u32 table of the bones of slots. */
  get slotBones(): number {
    return this.#blocks[SLOT_BONES]!;
  }

  /** Whether `dispose` was called. */
  get disposed(): boolean {
    return this.#blocks.length === 0;
  }

  /** Whether the data still have as many bones, slots and constraints as the rig was made for. */
  fits(): boolean {
    const { bones, slots, constraints } = this.#data;
    const { boneCount, slotCount, constraintCount } = this.shape;
    return bones.length === boneCount && slots.length === slotCount && constraints.length === constraintCount;
  }

  /** Hands a block over to the rig, which frees it with its own. */
  own(ptr: number): void {
    this.#blocks.push(ptr);
  }

  /** Frees a block that was handed over, before the rig goes. */
  release(ptr: number): void {
    const at = this.#blocks.indexOf(ptr);
    if (at < 0) return;
    this.#blocks.splice(at, 1);
    heap.free(ptr);
  }

  /** Calls `release` when the rig is disposed, before its blocks are freed. */
  whenDisposed(release: () => void): void {
    this.#releases.push(release);
  }

  /** A skeleton of the data came into being. */
  enter(skeleton: object): void {
    if (this.#skeletons.size >= this.#pruneAt) {
      this.#prune();
      this.#pruneAt = Math.max(64, this.#skeletons.size * 2);
    }
    const ref = new WeakRef(skeleton);
    this.#skeletons.add(ref);
    this.#refs.set(skeleton, ref);
  }

  /** A skeleton of the data was disposed. */
  leave(skeleton: object): void {
    this.#skeletons.delete(this.#refs.get(skeleton)!);
  }

  #prune(): void {
    for (const ref of this.#skeletons) if (ref.deref() === undefined) this.#skeletons.delete(ref);
  }

  #copySetup(): void {
    this.#edits = setupEdits.count;
    const { bones, slots, constraints } = this.#data;
    const { f32, i32 } = heap;
    const { boneCount, slotCount, constraintCount } = this.shape;
    for (let i = 0; i < boneCount; i++) {
      const { setupPose } = bones[i]!;
      const at = this._base + this.shape.boneRow(i);
      f32[at + BoneRow.X] = setupPose.x;
      f32[at + BoneRow.Y] = setupPose.y;
      f32[at + BoneRow.ROTATION] = setupPose.rotation;
      f32[at + BoneRow.SCALE_X] = setupPose.scaleX;
      f32[at + BoneRow.SCALE_Y] = setupPose.scaleY;
      f32[at + BoneRow.SHEAR_X] = setupPose.shearX;
      f32[at + BoneRow.SHEAR_Y] = setupPose.shearY;
      i32[at + BoneRow.INHERIT] = setupPose.inherit;
      f32[(this.boneLengths >> 2) + i] = bones[i]!.length;
    }
    for (let i = 0; i < slotCount; i++) {
      const { color, darkColor, sequenceIndex } = slots[i]!.setupPose;
      const at = this._base + this.shape.slotRow(i);
      f32[at + SlotRow.R] = color.r;
      f32[at + SlotRow.G] = color.g;
      f32[at + SlotRow.B] = color.b;
      f32[at + SlotRow.A] = color.a;
      if (darkColor !== null) {
        f32[at + SlotRow.DARK_R] = darkColor.r;
        f32[at + SlotRow.DARK_G] = darkColor.g;
        f32[at + SlotRow.DARK_B] = darkColor.b;
      }
      i32[at + SlotRow.SEQUENCE] = sequenceIndex;
    }
    for (let i = 0; i < constraintCount; i++) {
      const constraint = constraints[i]!;
      constraint._poseIn(this, this.shape.constraintRow(i))?.set(constraint.setupPose);
    }
  }

  /**
   * Frees everything, the records of the data's attachments included.
   * @throws StateError while skeletons of the data are in use
   */
  dispose(): void {
    this.#prune();
    if (this.#skeletons.size > 0) {
      throw new StateError(`${this.#skeletons.size} skeletons or crowds still use this SkeletonData. Dispose them first.`);
    }
    disposedByHand(this);
    for (const release of this.#releases) release();
    this.#releases.length = 0;
    for (const ptr of this.#blocks) heap.free(ptr);
    this.#blocks.length = 0;
    for (const skin of this.#data.skins) {
      for (const map of skin.attachments) {
        for (const name in map) disposeRecord(map[name]!);
      }
    }
  }
}
