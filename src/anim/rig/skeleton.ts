import { AnimArgumentError, AnimCapacityError, AnimIndexError, AnimStateError } from "../errors.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";
import {
  disposed, MAX_BONES, requireFinite3, requireIndex, requireName, requireObject, requireRotation, show,
} from "./checks.js";
import { fillIdentity, GROUP_BYTES, groupsOf, Local, localIndex } from "./layout.js";
import { mirrorMapByName } from "./mirror-names.js";
import type { AnimPose } from "./pose.js";
import { restPose } from "./rest-pose.js";
import { retire } from "./retire.js";
import { composeInto, requireTransform, SocketTable } from "./sockets.js";

const ORIGIN: readonly number[] = [0, 0, 0], NO_TURN: readonly number[] = [0, 0, 0, 1], ONES: readonly number[] = [1, 1, 1];

/** Level-of-detail limit of a bone that is always evaluated. */
export const LOD_ALWAYS = 255;

/**
 * Bones in parent-before-child order, each with a name, a parent and a bind (rest) transform.
 *
 * Grows by `addBone` until something is built on it (player, graph, skin, …); from then on its structure is frozen, bind
 * values and level-of-detail limits stay editable. Space: right-handed, +Y up, +Z forward; local transform = T R S.
 *
 * Owns one block of linear memory (bind pose and parents).
 */
export class AnimSkeleton {
  /** Counts edits of bind values; dependants refresh what they derived from them. */
  bindVersion = 0;
  /** Counts edits of level-of-detail limits. */
  lodVersion = 0;

  #names: string[] = [];
  #indexOf = new Map<string, number>();
  #parents: number[] = [];
  #children: number[][] = [];
  #lodLimits: number[] = [];
  #frozen = false;
  #disposed = false;
  #capacityGroups = 0;
  readonly #owned: number[] = [];
  #bindPtr = 0;
  #parentsPtr = 0;
  #lodPtr = 0;
  #lodLevels: Int32Array | undefined;
  #lodMasksVersion = -1;
  #subtreeRuns: (Int32Array | undefined)[] = [];
  readonly #sockets = new SocketTable();

  constructor() {
    this.#reserve(4);
    freeWhenCollected(this, this.#owned);
  }

  /**
   * Appends a bone with an identity bind transform.
   * @param name - unique, not empty
   * @param parentIndex - an existing bone, or -1 for a root; several roots are allowed
   * @returns its index
   * @throws AnimArgumentError, AnimIndexError, AnimCapacityError (over 1024 bones), AnimStateError (frozen)
   */
  addBone(name: string, parentIndex = -1): number {
    this.#check("addBone");
    if (this.#frozen) {
      throw new AnimStateError("AnimSkeleton.addBone: players, skins or the like were built on this skeleton. Add bones first, or clone() it.");
    }
    requireName("AnimSkeleton.addBone", "name", name);
    if (this.#indexOf.has(name)) {
      throw new AnimArgumentError(`AnimSkeleton.addBone: a bone named ${show(name)} exists already. Names are unique.`, { found: name });
    }
    const count = this.#names.length;
    if (!(Number.isInteger(parentIndex) && parentIndex >= -1 && parentIndex < count)) {
      throw new AnimIndexError(
        `AnimSkeleton.addBone: parentIndex is ${show(parentIndex)}, expected -1 or an earlier bone (0..${count - 1}).`, { found: parentIndex });
    }
    if (count === MAX_BONES) throw new AnimCapacityError(`AnimSkeleton.addBone: a skeleton has at most ${MAX_BONES} bones.`);
    this.#reserve(groupsOf(count + 1));
    this.#names.push(name);
    this.#indexOf.set(name, count);
    this.#parents.push(parentIndex);
    this.#children.push([]);
    if (parentIndex >= 0) this.#children[parentIndex]!.push(count);
    this.#lodLimits.push(LOD_ALWAYS);
    heap.i32[(this.#parentsPtr >>> 2) + count] = parentIndex;
    this.#subtreeRuns.length = 0;
    this.bindVersion++;
    this.lodVersion++;
    return count;
  }

  /** Number of bones. */
  getBoneCount(): number {
    return this.#names.length;
  }

  /** @throws AnimIndexError */
  getBoneName(bone: number): string {
    this.#index("getBoneName", bone);
    return this.#names[bone]!;
  }

  /** Index of the bone of that exact name, -1 if there is none. */
  findBone(name: string): number {
    return this.#indexOf.get(name) ?? -1;
  }

  /** Parent's index, -1 for a root. @throws AnimIndexError */
  getParent(bone: number): number {
    this.#index("getParent", bone);
    return this.#parents[bone]!;
  }

  setBindPosition(bone: number, x: number, y: number, z: number): void {
    this.#index("setBindPosition", bone);
    requireFinite3("AnimSkeleton.setBindPosition", "the position", x, y, z);
    this.#store(bone, Local.PX, x, y, z);
  }

  /** The quaternion is normalised. @throws AnimArgumentError if it has no length */
  setBindRotation(bone: number, x: number, y: number, z: number, w: number): void {
    this.#index("setBindRotation", bone);
    const length = requireRotation("AnimSkeleton.setBindRotation", x, y, z, w);
    this.#store(bone, Local.QX, x / length, y / length, z / length);
    heap.f32[localIndex(this.#bindPtr, bone) + 4 * Local.QW] = w / length;
  }

  /** Zero is allowed; the subtree is then flat but finite. */
  setBindScale(bone: number, x: number, y: number, z: number): void {
    this.#index("setBindScale", bone);
    requireFinite3("AnimSkeleton.setBindScale", "the scale", x, y, z);
    this.#store(bone, Local.SX, x, y, z);
  }

  getBindPositionX(bone: number): number { return this.#bind("getBindPositionX", bone, Local.PX); }
  getBindPositionY(bone: number): number { return this.#bind("getBindPositionY", bone, Local.PY); }
  getBindPositionZ(bone: number): number { return this.#bind("getBindPositionZ", bone, Local.PZ); }
  getBindRotationX(bone: number): number { return this.#bind("getBindRotationX", bone, Local.QX); }
  getBindRotationY(bone: number): number { return this.#bind("getBindRotationY", bone, Local.QY); }
  getBindRotationZ(bone: number): number { return this.#bind("getBindRotationZ", bone, Local.QZ); }
  getBindRotationW(bone: number): number { return this.#bind("getBindRotationW", bone, Local.QW); }
  getBindScaleX(bone: number): number { return this.#bind("getBindScaleX", bone, Local.SX); }
  getBindScaleY(bone: number): number { return this.#bind("getBindScaleY", bone, Local.SY); }
  getBindScaleZ(bone: number): number { return this.#bind("getBindScaleZ", bone, Local.SZ); }

  /** Resizes `pose` to this skeleton and writes the bind transforms; world transforms become stale. */
  applyBindPose(pose: AnimPose): void {
    this.#check("applyBindPose");
    requireObject("AnimSkeleton.applyBindPose", "pose", pose, "AnimPose");
    pose.fit(this.#names.length);
    heap.u8.copyWithin(pose.localPtr, this.#bindPtr, this.#bindPtr + groupsOf(this.#names.length) * GROUP_BYTES);
    pose.markStale();
  }

  /**
   * Evaluates the bone for levels of detail 0..highestLod only; above it takes its bind transform.
   * @param highestLod - integer 0..255; 255 (the default) means always
   */
  setBoneLodLimit(bone: number, highestLod: number): void {
    this.#index("setBoneLodLimit", bone);
    if (!(Number.isInteger(highestLod) && highestLod >= 0 && highestLod <= LOD_ALWAYS)) {
      throw new AnimArgumentError(`AnimSkeleton.setBoneLodLimit: highestLod is ${show(highestLod)}, expected an integer 0..255.`, { found: highestLod });
    }
    this.#lodLimits[bone] = highestLod;
    this.lodVersion++;
  }

  getBoneLodLimit(bone: number): number {
    this.#index("getBoneLodLimit", bone);
    return this.#lodLimits[bone]!;
  }

  /** Bones whose limit exceeds that of an ancestor: they would hang off a parent in bind pose. */
  validateLod(): number[] {
    const found: number[] = [];
    for (let bone = 0; bone < this.#names.length; bone++) {
      for (let up = this.#parents[bone]!; up >= 0; up = this.#parents[up]!) {
        if (this.#lodLimits[up]! < this.#lodLimits[bone]!) {
          found.push(bone);
          break;
        }
      }
    }
    return found;
  }

  getChildCount(bone: number): number {
    this.#index("getChildCount", bone);
    return this.#children[bone]!.length;
  }

  getChild(bone: number, i: number): number {
    this.#index("getChild", bone);
    requireIndex("AnimSkeleton.getChild", "i", i, this.#children[bone]!.length);
    return this.#children[bone]![i]!;
  }

  /** Bones without a parent, in order. */
  getRoots(): number[] {
    return this.#parents.flatMap((parent, bone) => (parent < 0 ? [bone] : []));
  }

  /** Whether `ancestor` is on the path from `bone` to its root, `bone` itself excluded. */
  isAncestor(ancestor: number, bone: number): boolean {
    this.#index("isAncestor", ancestor);
    this.#index("isAncestor", bone);
    let up = this.#parents[bone]!;
    while (up > ancestor) up = this.#parents[up]!;
    return up === ancestor;
  }

  /** Number of ancestors. */
  getDepth(bone: number): number {
    this.#index("getDepth", bone);
    let depth = 0;
    for (let up = this.#parents[bone]!; up >= 0; up = this.#parents[up]!) depth++;
    return depth;
  }

  /** Largest distance to a child in the bind pose, 0 for a leaf. */
  getBoneLength(bone: number): number {
    this.#index("getBoneLength", bone);
    let longest = 0;
    for (const child of this.#children[bone]!) {
      longest = Math.max(longest, Math.hypot(this.getBindPositionX(child), this.getBindPositionY(child), this.getBindPositionZ(child)));
    }
    return longest;
  }

  /**
   * End of the bone's subtree if it is the contiguous range [bone, end), as in depth-first order; -1 otherwise.
   */
  subtreeEnd(bone: number): number {
    const runs = this.subtreeRuns(bone);
    return runs.length === 2 ? runs[1]! : -1;
  }

  /** The subtree as pairs [first, end) of index ranges, in order. Cached. @internal */
  subtreeRuns(bone: number): Int32Array {
    this.#index("subtreeRuns", bone);
    const cached = this.#subtreeRuns[bone];
    if (cached !== undefined) return cached;
    const inside = new Uint8Array(this.#names.length);
    inside[bone] = 1;
    const runs: number[] = [];
    for (let i = bone; i < inside.length; i++) {
      if (i > bone && this.#parents[i]! >= 0) inside[i] = inside[this.#parents[i]!]!;
      if (inside[i] === 0) continue;
      if (runs.length > 0 && runs[runs.length - 1] === i) runs[runs.length - 1] = i + 1;
      else runs.push(i, i + 1);
    }
    return (this.#subtreeRuns[bone] = Int32Array.from(runs));
  }

  /** Model-space matrices of the bind pose are made on demand; this makes them now, so that the first `getBindWorldMatrixElement` is quick. */
  computeBindWorld(): void { restPose(this); }

  /** Element of a bone's matrix in model space in the bind pose. @param element - 0..15, column-major */
  getBindWorldMatrixElement(bone: number, element: number): number { return restPose(this).getWorldMatrixElement(bone, element); }

  // ---- sockets ----------------------------------------------------------------------------------------------------

  /**
   * Adds a place on a bone that things are attached to; also after the skeleton is frozen. Where it is in a pose, tells
   * `AnimPose.getSocketMatrix`.
   * @param name - unique among sockets, not empty
   * @param position - in the space of the bone; default its joint
   * @param rotation - quaternion x y z w, normalised here; default none
   * @param scale - default 1
   * @returns the socket's index
   */
  addSocket(name: string, bone: number, position: ArrayLike<number> = ORIGIN, rotation: ArrayLike<number> = NO_TURN, scale: ArrayLike<number> = ONES): number {
    const method = "AnimSkeleton.addSocket";
    this.#index("addSocket", bone);
    requireTransform(method, position, rotation, scale);
    const index = this.#sockets.add(method, name, bone);
    composeInto(this.#sockets.at(method, index).matrix, position, rotation, scale);
    return index;
  }

  /** Another place for a socket on its bone. @throws AnimIndexError */
  setSocketTransform(socket: number, position: ArrayLike<number>, rotation: ArrayLike<number> = NO_TURN, scale: ArrayLike<number> = ONES): void {
    const { matrix } = this.#sockets.at("AnimSkeleton.setSocketTransform", socket);
    requireTransform("AnimSkeleton.setSocketTransform", position, rotation, scale);
    composeInto(matrix, position, rotation, scale);
  }

  getSocketCount(): number { return this.#sockets.count; }
  /** @throws AnimIndexError */
  getSocketName(socket: number): string { return this.#sockets.at("AnimSkeleton.getSocketName", socket).name; }
  /** @throws AnimIndexError */
  getSocketBone(socket: number): number { return this.#sockets.at("AnimSkeleton.getSocketBone", socket).bone; }
  /** Index of the socket of that exact name, -1 if there is none. */
  findSocket(name: string): number { return this.#sockets.find(name); }
  /** Indices of later sockets move down by one. @throws AnimNameError */
  removeSocket(name: string): void { this.#sockets.remove(this.#sockets.require("AnimSkeleton.removeSocket", name)); }

  /** @internal */
  socketAt(method: string, socket: number): ReturnType<SocketTable["at"]> { return this.#sockets.at(method, socket); }

  /**
   * Counterpart of every bone by name, for mirroring: itself where there is none.
   * @param leftToken - what marks a bone of the left side, with `rightToken`; default: left and right, l and r
   */
  mirrorMap(leftToken?: string, rightToken?: string): Int32Array { return mirrorMapByName(this, leftToken, rightToken); }

  /** A copy that is not frozen. */
  clone(): AnimSkeleton {
    this.#check("clone");
    const copy = new AnimSkeleton();
    for (let bone = 0; bone < this.#names.length; bone++) {
      copy.addBone(this.#names[bone]!, this.#parents[bone]!);
      copy.setBoneLodLimit(bone, this.#lodLimits[bone]!);
    }
    heap.u8.copyWithin(copy.#bindPtr, this.#bindPtr, this.#bindPtr + groupsOf(this.#names.length) * GROUP_BYTES);
    copy.#sockets.copyFrom(this.#sockets);
    return copy;
  }

  /** Hash of names and parents (32 bit FNV-1a): equal structures have equal hashes. */
  getHash(): number {
    let hash = 0x811c9dc5;
    const mix = (byte: number): void => {
      hash = Math.imul(hash ^ byte, 0x01000193);
    };
    for (let bone = 0; bone < this.#names.length; bone++) {
      const name = this.#names[bone]!;
      for (let i = 0; i < name.length; i++) {
        mix(name.charCodeAt(i) & 0xff);
        mix(name.charCodeAt(i) >>> 8);
      }
      const parent = this.#parents[bone]!;
      mix(0xff);
      mix(parent & 0xff);
      mix((parent >> 8) & 0xff);
    }
    return hash >>> 0;
  }

  /** Whether the structure can no longer grow. */
  isFrozen(): boolean {
    return this.#frozen;
  }

  /** Called by everything that is built on the skeleton. @internal */
  freeze(method: string): void {
    if (this.#disposed) throw disposed(method, "AnimSkeleton");
    this.#frozen = true;
  }

  /** Groups of the bind pose. @internal */
  get groupCount(): number {
    return groupsOf(this.#names.length);
  }

  /** Address of the bind pose (local pose layout). Changes when bones are added. @internal */
  get bindPtr(): number {
    this.#check("bindPtr");
    return this.#bindPtr;
  }

  /** Address of the parents, i32 a bone. Changes when bones are added. @internal */
  get parentsPtr(): number {
    this.#check("parentsPtr");
    return this.#parentsPtr;
  }

  /**
   * Address of the lane masks of the bones that live at a level, or 0 if all do. Rebuilt when limits change. @internal
   */
  liveMasks(lod: number): number {
    if (lod <= 0) return 0;
    if (this.#lodMasksVersion !== this.lodVersion) this.#buildLodMasks();
    const levels = this.#lodLevels!;
    // Levels between two limits are the same; take the smallest limit that is not below `lod`.
    for (let i = 0; i < levels.length; i++) {
      if (lod <= levels[i]!) return i === 0 ? 0 : this.#lodPtr + i * this.groupCount * 16;
    }
    return this.#lodPtr + levels.length * this.groupCount * 16;
  }

  /** Frees the block. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    dropAll(this, this.#owned);
    retire(this, "AnimSkeleton");
  }

  /** One mask block per distinct limit: block i holds the bones whose limit is at least levels[i]; the last block is empty of bones. */
  #buildLodMasks(): void {
    const levels = [...new Set(this.#lodLimits)].toSorted((a, b) => a - b);
    const groups = this.groupCount;
    dropBlock(this.#owned, this.#lodPtr);
    const ptr = takeBlock(this.#owned, (levels.length + 1) * groups * 16);
    this.#lodPtr = ptr;
    for (let i = 0; i < levels.length; i++) {
      for (let bone = 0; bone < this.#names.length; bone++) {
        if (this.#lodLimits[bone]! >= levels[i]!) heap.i32[(ptr >>> 2) + i * groups * 4 + bone] = -1;
      }
    }
    this.#lodLevels = Int32Array.from(levels);
    this.#lodMasksVersion = this.lodVersion;
  }

  #reserve(groups: number): void {
    if (groups <= this.#capacityGroups) return;
    const capacity = Math.max(groups, this.#capacityGroups * 2);
    const bind = takeBlock(this.#owned, capacity * GROUP_BYTES);
    const parents = takeBlock(this.#owned, capacity * 16);
    fillIdentity(bind, 0, capacity);
    heap.i32.fill(-1, parents >>> 2, (parents >>> 2) + capacity * 4);
    if (this.#capacityGroups > 0) {
      heap.u8.copyWithin(bind, this.#bindPtr, this.#bindPtr + this.#capacityGroups * GROUP_BYTES);
      heap.u8.copyWithin(parents, this.#parentsPtr, this.#parentsPtr + this.#capacityGroups * 16);
      dropBlock(this.#owned, this.#bindPtr);
      dropBlock(this.#owned, this.#parentsPtr);
    }
    this.#bindPtr = bind;
    this.#parentsPtr = parents;
    this.#capacityGroups = capacity;
  }

  #store(bone: number, row: number, x: number, y: number, z: number): void {
    const i = localIndex(this.#bindPtr, bone) + 4 * row;
    heap.f32[i] = x;
    heap.f32[i + 4] = y;
    heap.f32[i + 8] = z;
    this.bindVersion++;
  }

  #bind(method: string, bone: number, row: number): number {
    this.#index(method, bone);
    return heap.f32[localIndex(this.#bindPtr, bone) + 4 * row]!;
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimSkeleton.${method}`, "AnimSkeleton");
  }

  #index(method: string, bone: number): void {
    if (Number.isInteger(bone) && bone >= 0 && bone < this.#names.length && !this.#disposed) return;
    this.#check(method);
    requireIndex(`AnimSkeleton.${method}`, "bone", bone, this.#names.length);
  }
}
