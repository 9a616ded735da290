import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { AnimMismatchError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import { disposed, requireFinite, requireIndex, requireObject, show } from "../rig/checks.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

/**
 * One weight a bone, 0..1: which part of a body a layer or a graph node works on.
 *
 * One mask may serve many layers and nodes; they see edits at their next update. Owns a block of linear memory.
 */
export class AnimBoneMask {
  readonly #skeleton: AnimSkeleton;
  readonly #owned: number[] = [];
  readonly #ptr: number;
  readonly #boneCount: number;
  #lowest = 0;
  #highest = 0;
  #edited = true;
  #disposed = false;

  /** @param initial - the weight of every bone, clamped to 0..1 */
  constructor(skeleton: AnimSkeleton, initial = 0) {
    requireObject("AnimBoneMask", "skeleton", skeleton, "AnimSkeleton");
    requireFinite("AnimBoneMask", "initial", initial);
    skeleton.freeze("AnimBoneMask");
    this.#skeleton = skeleton;
    this.#boneCount = skeleton.getBoneCount();
    this.#ptr = takeBlock(this.#owned, Math.max(1, skeleton.groupCount) * 16);
    freeWhenCollected(this, this.#owned);
    this.setAll(initial);
  }

  /** @param weight - clamped to 0..1 */
  setAll(weight: number): void {
    this.#check("setAll");
    requireFinite("AnimBoneMask.setAll", "weight", weight);
    heap.f32.fill(clamp(weight), this.#ptr >>> 2, (this.#ptr >>> 2) + this.#boneCount);
    this.#edited = true;
  }

  /** @param weight - clamped to 0..1 @throws AnimIndexError */
  setBoneWeight(bone: number, weight: number): void {
    this.#checkBone("setBoneWeight", bone);
    requireFinite("AnimBoneMask.setBoneWeight", "weight", weight);
    this.#set(bone, weight);
  }

  /** @param weight - clamped to 0..1 @throws AnimNameError if the skeleton has no such bone */
  setBoneWeightByName(name: string, weight: number): void {
    this.#check("setBoneWeightByName");
    requireFinite("AnimBoneMask.setBoneWeightByName", "weight", weight);
    const bone = this.#skeleton.findBone(name);
    if (bone < 0) {
      const names = Array.from({ length: this.#boneCount }, (_, i) => this.#skeleton.getBoneName(i));
      throw new AnimNameError(`AnimBoneMask.setBoneWeightByName: the skeleton has no bone named ${show(name)}.${nearMatches(String(name), names)}`, { found: name });
    }
    this.#set(bone, weight);
  }

  /** Sets a bone and everything below it. @param weight - clamped to 0..1 @throws AnimIndexError */
  setBoneAndChildren(bone: number, weight: number): void {
    this.#checkBone("setBoneAndChildren", bone);
    requireFinite("AnimBoneMask.setBoneAndChildren", "weight", weight);
    const below = new Uint8Array(this.#boneCount);
    below[bone] = 1;
    this.#set(bone, weight);
    // Parents come before their children.
    for (let i = bone + 1; i < this.#boneCount; i++) {
      const parent = this.#skeleton.getParent(i);
      if (parent < 0 || below[parent] === 0) continue;
      below[i] = 1;
      this.#set(i, weight);
    }
  }

  /** @throws AnimIndexError */
  getBoneWeight(bone: number): number {
    this.#checkBone("getBoneWeight", bone);
    return heap.f32[(this.#ptr >>> 2) + bone]!;
  }

  getBoneCount(): number { return this.#boneCount; }

  /** Every weight w becomes 1 - w. */
  invert(): void {
    this.#check("invert");
    for (let i = 0; i < this.#boneCount; i++) this.#set(i, 1 - heap.f32[(this.#ptr >>> 2) + i]!);
  }

  /** @throws AnimMismatchError if the bone counts differ */
  copyFrom(mask: AnimBoneMask): void {
    this.#check("copyFrom");
    requireObject("AnimBoneMask.copyFrom", "mask", mask, "AnimBoneMask");
    if (mask.#boneCount !== this.#boneCount) {
      throw new AnimMismatchError(`AnimBoneMask.copyFrom: the masks have ${this.#boneCount} and ${mask.#boneCount} bones. Copy masks of one skeleton.`);
    }
    mask.#check("copyFrom");
    heap.u8.copyWithin(this.#ptr, mask.#ptr, mask.#ptr + this.#boneCount * 4);
    this.#edited = true;
  }

  /** Address of the weights, one float a bone. @internal */
  get lanesPtr(): number {
    this.#check("lanesPtr");
    return this.#ptr;
  }

  /** Smallest weight. @internal */
  get lowest(): number {
    if (this.#edited) this.#measure();
    return this.#lowest;
  }

  /** Largest weight. @internal */
  get highest(): number {
    if (this.#edited) this.#measure();
    return this.#highest;
  }

  /** Frees the block. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    dropAll(this, this.#owned);
    retire(this, "AnimBoneMask");
  }

  #measure(): void {
    const f32 = heap.f32, from = this.#ptr >>> 2;
    let low = this.#boneCount > 0 ? 1 : 0, high = 0;
    for (let i = from; i < from + this.#boneCount; i++) {
      const weight = f32[i]!;
      if (weight < low) low = weight;
      if (weight > high) high = weight;
    }
    this.#lowest = low;
    this.#highest = high;
    this.#edited = false;
  }

  #set(bone: number, weight: number): void {
    heap.f32[(this.#ptr >>> 2) + bone] = clamp(weight);
    this.#edited = true;
  }

  #checkBone(method: string, bone: number): void {
    this.#check(method);
    requireIndex(`AnimBoneMask.${method}`, "bone", bone, this.#boneCount);
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimBoneMask.${method}`, "AnimBoneMask");
  }
}

function clamp(weight: number): number {
  return Math.min(1, Math.max(0, weight));
}
