import { AnimArgumentError, AnimMismatchError, AnimStateError } from "../errors.js";
import { MATRIX_BYTES, QUATERNION_BYTES } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";
import { disposed, MAX_BONES, requireFinite, requireFinite3, requireIndex, requireObject, requireRotation, show } from "./checks.js";
import { fillIdentity, GROUP_BYTES, groupsOf, JOINTS_PER_GROUP, Local, localIndex, ROW_BYTES } from "./layout.js";
import { retire } from "./retire.js";
import type { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";

/** The transforms of an `AnimPose` in linear memory, local and world, and when the world is stale. */
export class PoseBlocks {
  /** Changes whenever a local transform may have changed; skins use it to skip work. */
  version = 0;

  #boneCount = 0;
  #disposed = false;
  readonly #owned: number[] = [];
  #localPtr = 0;
  #capacityGroups = 0;
  #worldBlock = 0;
  #worldPtr = 0;
  #rotationsPtr = 0;
  #worldGroups = 0;
  #worldValid = false;
  #rotationsValid = false;
  /** While the world is stale: the one bone whose subtree is, or -1 if more is. */
  #dirtyBone = -1;
  /** The skeleton whose hierarchy the world was computed with. */
  #worldSkeleton: AnimSkeleton | undefined;

  /** @param boneCount - 0..1024 identity bones */
  constructor(boneCount = 0) {
    this.#resize("AnimPose", boneCount);
    freeWhenCollected(this, this.#owned);
  }

  /** Sets the number of bones; every bone becomes the identity. Allocates only to grow. */
  resize(boneCount: number): void {
    this.check("resize");
    this.#resize("AnimPose.resize", boneCount);
  }

  getBoneCount(): number {
    return this.#boneCount;
  }

  /** Copies local transforms, and the world if `other` has a valid one. */
  copyFrom(other: AnimPose): void {
    this.check("copyFrom");
    requireObject("AnimPose.copyFrom", "other", other, "AnimPose");
    if ((other as PoseBlocks) === this) return;
    other.check("copyFrom");
    this.fit(other.#boneCount);
    const groups = groupsOf(this.#boneCount);
    heap.u8.copyWithin(this.#localPtr, other.#localPtr, other.#localPtr + groups * GROUP_BYTES);
    this.markStale();
    if (!other.#worldValid) return;
    this.#reserveWorld();
    heap.u8.copyWithin(this.#worldPtr, other.#worldPtr, other.#worldPtr + groups * JOINTS_PER_GROUP * MATRIX_BYTES);
    this.#worldValid = true;
    this.#worldSkeleton = other.#worldSkeleton;
  }

  /**
   * Becomes the blend of two poses: positions and scales lerp, rotations slerp on the shortest arc.
   * At 0 and 1 it is a bit-exact copy. May be one of the two itself.
   * @param t - clamped to 0..1
   * @throws AnimMismatchError if their bone counts differ
   */
  blendFrom(a: AnimPose, b: AnimPose, t: number): void {
    this.check("blendFrom");
    requireObject("AnimPose.blendFrom", "a", a, "AnimPose");
    requireObject("AnimPose.blendFrom", "b", b, "AnimPose");
    requireFinite("AnimPose.blendFrom", "t", t);
    a.check("blendFrom");
    b.check("blendFrom");
    if (a.#boneCount !== b.#boneCount) {
      throw new AnimMismatchError(`AnimPose.blendFrom: the poses have ${a.#boneCount} and ${b.#boneCount} bones. Blend poses of one skeleton.`);
    }
    this.fit(a.#boneCount);
    const groups = groupsOf(this.#boneCount);
    if (t <= 0 || t >= 1) {
      const from = t <= 0 ? a.#localPtr : b.#localPtr;
      heap.u8.copyWithin(this.#localPtr, from, from + groups * GROUP_BYTES);
    } else {
      rig3d.kernels.blendPair(a.#localPtr, b.#localPtr, t, this.#localPtr, groups);
    }
    this.markStale();
  }

  setLocalPosition(bone: number, x: number, y: number, z: number): void {
    this.index("setLocalPosition", bone);
    requireFinite3("AnimPose.setLocalPosition", "the position", x, y, z);
    this.#store(bone, Local.PX, x, y, z);
  }

  /** The quaternion is normalised. @throws AnimArgumentError if it has no length */
  setLocalRotation(bone: number, x: number, y: number, z: number, w: number): void {
    this.index("setLocalRotation", bone);
    const length = requireRotation("AnimPose.setLocalRotation", x, y, z, w);
    this.#store(bone, Local.QX, x / length, y / length, z / length);
    heap.f32[localIndex(this.#localPtr, bone) + 4 * Local.QW] = w / length;
  }

  setLocalScale(bone: number, x: number, y: number, z: number): void {
    this.index("setLocalScale", bone);
    requireFinite3("AnimPose.setLocalScale", "the scale", x, y, z);
    this.#store(bone, Local.SX, x, y, z);
  }

  getLocalPositionX(bone: number): number { return this.#local("getLocalPositionX", bone, Local.PX); }
  getLocalPositionY(bone: number): number { return this.#local("getLocalPositionY", bone, Local.PY); }
  getLocalPositionZ(bone: number): number { return this.#local("getLocalPositionZ", bone, Local.PZ); }
  getLocalRotationX(bone: number): number { return this.#local("getLocalRotationX", bone, Local.QX); }
  getLocalRotationY(bone: number): number { return this.#local("getLocalRotationY", bone, Local.QY); }
  getLocalRotationZ(bone: number): number { return this.#local("getLocalRotationZ", bone, Local.QZ); }
  getLocalRotationW(bone: number): number { return this.#local("getLocalRotationW", bone, Local.QW); }
  getLocalScaleX(bone: number): number { return this.#local("getLocalScaleX", bone, Local.SX); }
  getLocalScaleY(bone: number): number { return this.#local("getLocalScaleY", bone, Local.SY); }
  getLocalScaleZ(bone: number): number { return this.#local("getLocalScaleZ", bone, Local.SZ); }

  /** Computes world matrices with the hierarchy of `skeleton`; does nothing while they are valid. */
  computeWorld(skeleton: AnimSkeleton): void {
    this.requireSkeleton("AnimPose.computeWorld", skeleton);
    if (this.#worldSkeleton === skeleton) {
      if (this.#worldValid) return;
      if (this.#dirtyBone >= 0) {
        this.#composeSubtree(skeleton, this.#dirtyBone);
        return;
      }
    }
    this.#reserveWorld();
    rig3d.kernels.composeWorld(this.#localPtr, this.#worldPtr, skeleton.parentsPtr, groupsOf(this.#boneCount));
    this.#worldValid = true;
    this.#dirtyBone = -1;
    this.#rotationsValid = false;
    this.#worldSkeleton = skeleton;
  }

  /**
   * Recomputes the world of a bone and its descendants. Where anything else is stale, everything is computed.
   * (`computeWorld` finds out by itself if only one bone was set since the last time.)
   */
  computeWorldSubtree(skeleton: AnimSkeleton, bone: number): void {
    this.requireSkeleton("AnimPose.computeWorldSubtree", skeleton);
    this.index("computeWorldSubtree", bone);
    if (this.#worldSkeleton === skeleton && (this.#worldValid || this.#dirtyBone === bone)) this.#composeSubtree(skeleton, bone);
    else this.computeWorld(skeleton);
  }

  /** Whether world values are up to date. */
  isWorldValid(): boolean {
    return this.#worldValid;
  }

  getWorldPositionX(bone: number): number { return this.matrix("getWorldPositionX", bone, 12); }
  getWorldPositionY(bone: number): number { return this.matrix("getWorldPositionY", bone, 13); }
  getWorldPositionZ(bone: number): number { return this.matrix("getWorldPositionZ", bone, 14); }
  getWorldRotationX(bone: number): number { return this.#rotation("getWorldRotationX", bone, 0); }
  getWorldRotationY(bone: number): number { return this.#rotation("getWorldRotationY", bone, 1); }
  getWorldRotationZ(bone: number): number { return this.#rotation("getWorldRotationZ", bone, 2); }
  getWorldRotationW(bone: number): number { return this.#rotation("getWorldRotationW", bone, 3); }
  /** @param element - 0..15, column-major */
  getWorldMatrixElement(bone: number, element: number): number {
    requireIndex("AnimPose.getWorldMatrixElement", "element", element, 16);
    return this.matrix("getWorldMatrixElement", bone, element);
  }

  /** Frees the blocks. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    dropAll(this, this.#owned);
    this.#boneCount = 0;
    this.#localPtr = 0;
    this.#worldPtr = 0;
    this.#worldValid = false;
    retire(this, "AnimPose");
  }

  /** Whether it was disposed. @internal */
  get isGone(): boolean { return this.#disposed; }

  // What kernels and solvers of this package use. Pointers are valid until the pose is resized.

  /** Address of the local transforms (layout/rig3d.ts). @internal */
  get localPtr(): number {
    this.check("localPtr");
    return this.#localPtr;
  }

  /** Address of the world matrix of bone 0; the identity stands in front of it. Meaningful while the world is valid. @internal */
  get worldPtr(): number {
    this.check("worldPtr");
    return this.#worldPtr;
  }

  /** Address of the world rotation of bone 0, computed if needed; needs a valid world. @internal */
  get rotationsPtr(): number {
    this.requireWorld("rotationsPtr", -1);
    this.#ensureRotations();
    return this.#rotationsPtr;
  }

  /** Makes the world block, for a kernel that computes the world itself. @internal */
  reserveWorld(): void {
    this.check("reserveWorld");
    this.#reserveWorld();
  }

  /** Address of the world rotation of bone 0 once there is a world block; what lies there need not be valid. @internal */
  get rotationsBlockPtr(): number {
    return this.#rotationsPtr;
  }

  /** To be called after a kernel changed local transforms and computed the world of all bones. @internal */
  adoptWorld(skeleton: AnimSkeleton): void {
    this.version++;
    this.#worldValid = true;
    this.#rotationsValid = false;
    this.#dirtyBone = -1;
    this.#worldSkeleton = skeleton;
  }

  /** Whether the world is valid for the hierarchy of a skeleton. @internal */
  hasWorldOf(skeleton: AnimSkeleton): boolean {
    return this.#worldValid && this.#worldSkeleton === skeleton;
  }

  /** @internal */
  get groupCount(): number {
    return groupsOf(this.#boneCount);
  }

  /** Sets the bone count without touching transforms where it already fits; new or moved bones are undefined. @internal */
  fit(boneCount: number): void {
    if (boneCount !== this.#boneCount) this.resize(boneCount);
  }

  /** To be called after local transforms were written through `localPtr`. @internal */
  markStale(): void {
    this.version++;
    this.#worldValid = false;
    this.#rotationsValid = false;
    this.#dirtyBone = -1;
  }

  /** To be called after the local transform of one bone was written through `localPtr`. @internal */
  markBoneStale(bone: number): void {
    this.version++;
    if (this.#worldValid) {
      this.#worldValid = false;
      this.#dirtyBone = bone;
    } else if (this.#dirtyBone !== bone) {
      this.#dirtyBone = -1;
    }
  }

  /** Throws AnimStateError after `dispose()`. @internal */
  requireAlive(method: string): void {
    if (this.#disposed) throw disposed(method, "AnimPose");
  }

  #resize(method: string, boneCount: number): void {
    if (!(Number.isInteger(boneCount) && boneCount >= 0 && boneCount <= MAX_BONES)) {
      throw new AnimArgumentError(`${method}: boneCount is ${show(boneCount)}, expected an integer 0..${MAX_BONES}.`, { found: boneCount });
    }
    const groups = groupsOf(boneCount);
    if (groups > this.#capacityGroups || this.#localPtr === 0) {
      const ptr = takeBlock(this.#owned, Math.max(1, groups) * GROUP_BYTES);
      dropBlock(this.#owned, this.#localPtr);
      this.#localPtr = ptr;
      this.#capacityGroups = Math.max(1, groups);
    }
    fillIdentity(this.#localPtr, 0, this.#capacityGroups);
    this.#boneCount = boneCount;
    this.markStale();
  }

  #reserveWorld(): void {
    const groups = Math.max(1, groupsOf(this.#boneCount));
    if (groups <= this.#worldGroups) return;
    const joints = groups * JOINTS_PER_GROUP;
    // Matrices start on a cache line: 48 bytes of slack, 64 for the parent of roots; then the rotations, likewise.
    const block = takeBlock(this.#owned, 48 + (joints + 1) * MATRIX_BYTES + (joints + 1) * QUATERNION_BYTES);
    dropBlock(this.#owned, this.#worldBlock);
    this.#worldBlock = block;
    const identity = (block + 63) & ~63;
    this.#worldPtr = identity + MATRIX_BYTES;
    for (let i = 0; i < 16; i += 5) heap.f32[(identity >>> 2) + i] = 1;
    const identityRotation = this.#worldPtr + joints * MATRIX_BYTES;
    heap.f32[(identityRotation >>> 2) + 3] = 1;
    this.#rotationsPtr = identityRotation + QUATERNION_BYTES;
    this.#worldGroups = groups;
  }

  #composeSubtree(skeleton: AnimSkeleton, bone: number): void {
    const runs = skeleton.subtreeRuns(bone);
    for (let i = 0; i < runs.length; i += 2) {
      rig3d.kernels.composeWorldRange(this.#localPtr, this.#worldPtr, skeleton.parentsPtr, runs[i]!, runs[i + 1]!);
      if (this.#rotationsValid) {
        rig3d.kernels.composeRotations(this.#localPtr, this.#rotationsPtr, skeleton.parentsPtr, runs[i]!, runs[i + 1]!);
      }
    }
    this.#worldValid = true;
    this.#dirtyBone = -1;
  }

  #ensureRotations(): void {
    if (this.#rotationsValid) return;
    rig3d.kernels.composeRotations(this.#localPtr, this.#rotationsPtr, this.#worldSkeleton!.parentsPtr, 0, this.#boneCount);
    this.#rotationsValid = true;
  }

  /** @internal */
  protected requireSkeleton(method: string, skeleton: AnimSkeleton): void {
    this.requireAlive(method);
    // The skeleton of the last time was looked at then; it throws by itself if it was disposed since.
    if (skeleton !== this.#worldSkeleton || skeleton === undefined) requireObject(method, "skeleton", skeleton, "AnimSkeleton");
    if (skeleton.getBoneCount() !== this.#boneCount) {
      throw new AnimMismatchError(`${method}: the pose has ${this.#boneCount} bones and the skeleton ${skeleton.getBoneCount()}. Use the skeleton that the pose was made for.`);
    }
  }

  /** @internal */
  protected requireWorld(method: string, bone: number): void {
    this.check(method);
    if (bone !== -1) this.index(method, bone);
    if (!this.#worldValid) {
      throw new AnimStateError(`AnimPose.${method}: the world transforms are not up to date. Call computeWorld(skeleton) first.`);
    }
  }

  #store(bone: number, row: number, x: number, y: number, z: number): void {
    const i = localIndex(this.#localPtr, bone) + 4 * row;
    const f32 = heap.f32;
    f32[i] = x;
    f32[i + 4] = y;
    f32[i + 8] = z;
    this.markBoneStale(bone);
  }

  #local(method: string, bone: number, row: number): number {
    this.index(method, bone);
    return heap.f32[localIndex(this.#localPtr, bone) + (row * ROW_BYTES >>> 2)]!;
  }

  /** @internal */
  protected matrix(method: string, bone: number, element: number): number {
    this.requireWorld(method, bone);
    return heap.f32[(this.#worldPtr >>> 2) + bone * 16 + element]!;
  }

  #rotation(method: string, bone: number, component: number): number {
    this.requireWorld(method, bone);
    this.#ensureRotations();
    return heap.f32[(this.#rotationsPtr >>> 2) + bone * 4 + component]!;
  }

  /** @internal */
  protected check(method: string): void {
    if (this.#disposed) throw disposed(`AnimPose.${method}`, "AnimPose");
  }

  /** @internal */
  protected index(method: string, bone: number): void {
    if (Number.isInteger(bone) && bone >= 0 && bone < this.#boneCount) return;
    this.check(method);
    requireIndex(`AnimPose.${method}`, "bone", bone, this.#boneCount);
  }
}
