import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError, AnimMismatchError, AnimNameError } from "../errors.js";
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

  /** Every weight is multiplied by that of another mask. @throws AnimMismatchError if the bone counts differ */
  multiply(other: AnimBoneMask): void {
    this.#checkMask("multiply", "other", other);
    const f32 = heap.f32;
    for (let i = 0; i < this.#boneCount; i++) this.#set(i, f32[(this.#ptr >>> 2) + i]! * f32[(other.#ptr >>> 2) + i]!);
  }

  /**
   * Weights that ramp along the hierarchy; bones that are not in the subtree keep theirs. A bone `d` levels below `bone` gets
   * (d - depthFrom) / (depthTo - depthFrom), clamped to 0..1. A spine of four with (spine, -1, 3) gets 0.25, 0.5, 0.75, 1.
   * @param depthTo - where the weight is 1; above `depthFrom`
   * @throws AnimIndexError, AnimArgumentError
   */
  setGradient(bone: number, depthFrom: number, depthTo: number): void {
    this.#checkBone("setGradient", bone);
    requireFinite("AnimBoneMask.setGradient", "depthFrom", depthFrom);
    requireFinite("AnimBoneMask.setGradient", "depthTo", depthTo);
    if (depthTo <= depthFrom) {
      throw new AnimArgumentError(`AnimBoneMask.setGradient: depthTo is ${depthTo}, expected more than depthFrom, which is ${depthFrom}. invert() turns a mask round.`, { found: depthTo });
    }
    const levels = new Int32Array(this.#boneCount).fill(-1);
    levels[bone] = 0;
    for (let i = bone; i < this.#boneCount; i++) {
      const parent = this.#skeleton.getParent(i);
      if (i !== bone && parent >= 0 && levels[parent]! >= 0) levels[i] = levels[parent]! + 1;
      if (levels[i]! >= 0) this.#set(i, (levels[i]! - depthFrom) / (depthTo - depthFrom));
    }
  }

  /** A mask with weight 1 at the bones of these names and 0 elsewhere. @throws AnimNameError if the skeleton has no such bone */
  static fromNames(skeleton: AnimSkeleton, names: Iterable<string>): AnimBoneMask {
    const mask = new AnimBoneMask(skeleton);
    try {
      for (const name of names) mask.setBoneWeightByName(name, 1);
    } catch (error) {
      mask.dispose();
      throw error;
    }
    return mask;
  }

  /** Bones with a weight above 0. */
  countActive(): number {
    this.#check("countActive");
    let count = 0;
    for (let i = 0; i < this.#boneCount; i++) if (heap.f32[(this.#ptr >>> 2) + i]! > 0) count++;
    return count;
  }

  /** @throws AnimMismatchError if the bone counts differ */
  copyFrom(mask: AnimBoneMask): void {
    this.#checkMask("copyFrom", "mask", mask);
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

  #checkMask(method: string, argument: string, mask: AnimBoneMask): void {
    this.#check(method);
    requireObject(`AnimBoneMask.${method}`, argument, mask, "AnimBoneMask");
    if (mask.#boneCount !== this.#boneCount) {
      throw new AnimMismatchError(`AnimBoneMask.${method}: the masks have ${this.#boneCount} and ${mask.#boneCount} bones. Use masks of one skeleton.`);
    }
    mask.#check(method);
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimBoneMask.${method}`, "AnimBoneMask");
  }
}

function clamp(weight: number): number {
  return Math.min(1, Math.max(0, weight));
}
