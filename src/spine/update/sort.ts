import type { Bone } from "../model/bone.js";
import type { Posed, Update } from "../model/posed.js";
import type { Skeleton } from "../model/skeleton.js";

/** Puts a bone into the update cache, behind its parents, unless it is there already or inactive. */
export function placeBone(skeleton: Skeleton, bone: Bone): void {
  if (bone.sorted || !bone.active) return;
  if (bone.parent !== null) placeBone(skeleton, bone.parent);
  bone.sorted = true;
  // The list holds bones while it is being sorted; `sortItems` replaces them by their applied poses.
  (skeleton._updateCache as (Update | Bone)[]).push(bone);
}

/** Lets bones and everything below them be put into the update cache again. Inactive bones hide what is below them. */
export function unplaceBones(bones: readonly Bone[]): void {
  for (let i = 0; i < bones.length; i++) {
    const bone = bones[i]!;
    if (!bone.active) continue;
    if (bone.sorted) unplaceBones(bone.children);
    bone.sorted = false;
  }
}

/** Gives an object a constrained pose, which every update starts from the unconstrained one. */
export function markConstrained(skeleton: Skeleton, object: Posed): void {
  if (object.appliedPose !== object.pose) return;
  object.constrained();
  skeleton.resetCache.push(object);
}

/** Decides what is active, fills the update cache and the list of constrained objects. */
export function sortItems(skeleton: Skeleton): void {
  const { bones, slots, constraints, skin, drawOrder } = skeleton;
  const cache = skeleton._updateCache;
  cache.length = 0;
  skeleton.resetCache.length = 0;
  drawOrder.unconstrained();
  for (let i = 0; i < slots.length; i++) slots[i]!.unconstrained();
  for (let i = 0; i < bones.length; i++) {
    const bone = bones[i]!;
    // An inactive bone counts as placed.
    bone.sorted = bone.data.skinRequired;
    bone.active = !bone.sorted;
    bone.unconstrained();
  }
  if (skin !== null) {
    for (const data of skin.bones) {
      for (let bone: Bone | null = bones[data.index] ?? null; bone !== null; bone = bone.parent) {
        bone.sorted = false;
        bone.active = true;
      }
    }
  }
  for (let i = 0; i < constraints.length; i++) constraints[i]!.unconstrained();
  for (let i = 0; i < constraints.length; i++) {
    const constraint = constraints[i]!;
    const { data } = constraint;
    constraint.active =
      constraint.isSourceActive() && (!data.skinRequired || (skin !== null && skin.constraints.includes(data)));
    if (constraint.active) constraint.sort(skeleton);
  }
  for (let i = 0; i < bones.length; i++) placeBone(skeleton, bones[i]!);

  const items = cache as (Update | Bone)[];
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if ("sorted" in item) items[i] = item.appliedPose;
  }
}
