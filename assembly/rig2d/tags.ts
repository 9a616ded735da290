/**
 * Which half of a bone pose is valid: local values, world values or both.
 *
 * Layout   rows WORLD_TAG (W) and LOCAL_TAG (L) of a bone, HeaderRow.UPDATE (U): W = U says that the world values belong
 *          to this update, L = U that they were edited, so that the local values are stale.
 * Requires `index` is a bone of the program's rig and `bone` the address of its applied pose, or of another pose of the
 *          same bone that shall be treated as if it were; masks are not empty.
 * Ensures  stale local values are recovered against the parent's world transform from before the parent moves: an edit
 *          of a bone first visits its descendants.
 */
import { anyTrue, eqInt, maskAnd, maskNot, splatInt } from "../math/lane";
import { BoneRow, HeaderRow, ProgramField } from "../layout/rig2d";
import { appliedBone, appliedParent, entry, get, putWhere, table } from "./update-rows";
import { localOfChild, localOfRoot } from "./local";
import { worldOfBone } from "./world";

/** Number of the current update, in every lane. */
@inline
export function currentUpdate<M>(pose: usize): M {
  return get<M>(pose, HeaderRow.UPDATE);
}

/** Recovers the local pose of a bone; both halves are valid afterwards. */
export function updateLocal<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  const parent = appliedParent<T>(program, pose, index);
  putWhere<M, M>(bone, BoneRow.LOCAL_TAG, splatInt<M>(0), mask);
  putWhere<M, M>(bone, BoneRow.WORLD_TAG, currentUpdate<M>(pose), mask);
  if (parent == 0) {
    localOfRoot<T, M>(pose, bone, mask);
  } else {
    localOfChild<T, M>(pose, bone, parent, mask);
  }
}

/** Recovers the local pose of a bone where it is stale. */
export function validateLocal<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  const stale = maskAnd<M>(mask, eqInt<M>(get<M>(bone, BoneRow.LOCAL_TAG), currentUpdate<M>(pose)));
  if (anyTrue<M>(stale)) updateLocal<T, M>(program, pose, bone, index, stale);
}

/** Computes the world transform of a bone where it is not valid. */
export function validateWorld<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  const needed = maskAnd<M>(mask, maskNot<M>(eqInt<M>(get<M>(bone, BoneRow.WORLD_TAG), currentUpdate<M>(pose))));
  if (anyTrue<M>(needed)) updateWorld<T, M>(program, pose, bone, index, needed);
}

/** Computes the world transform of a bone, from recovered local values where those are stale. */
export function updateWorld<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  validateLocal<T, M>(program, pose, bone, index, mask);
  putWhere<M, M>(bone, BoneRow.WORLD_TAG, currentUpdate<M>(pose), mask);
  worldOfBone<T, M>(program, pose, bone, index, mask);
}

/** Announces that local values of a bone will be changed. */
export function modifyLocal<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  validateLocal<T, M>(program, pose, bone, index, mask);
  putWhere<M, M>(bone, BoneRow.WORLD_TAG, splatInt<M>(0), mask);
  invalidateChildren<T, M>(program, pose, index, mask);
}

/** Announces that world values of a bone will be changed. */
export function modifyWorld<T, M>(program: usize, pose: usize, bone: usize, index: i32, mask: M): void {
  const update = currentUpdate<M>(pose);
  putWhere<M, M>(bone, BoneRow.LOCAL_TAG, update, mask);
  putWhere<M, M>(bone, BoneRow.WORLD_TAG, update, mask);
  invalidateChildren<T, M>(program, pose, index, mask);
}

/** Marks the world values below a bone as not valid; stale local values are recovered before the bone moves. */
function invalidateChildren<T, M>(program: usize, pose: usize, index: i32, mask: M): void {
  const starts = table(program, ProgramField.CHILD_START);
  const last = entry(starts, index + 1);
  for (let i = entry(starts, index); i < last; i++) {
    const child = entry(table(program, ProgramField.CHILDREN), i);
    const bone = appliedBone<T>(program, pose, child);
    const valid = maskAnd<M>(mask, eqInt<M>(get<M>(bone, BoneRow.WORLD_TAG), currentUpdate<M>(pose)));
    if (!anyTrue<M>(valid)) continue;
    const stale = maskAnd<M>(valid, eqInt<M>(get<M>(bone, BoneRow.LOCAL_TAG), currentUpdate<M>(pose)));
    if (anyTrue<M>(stale)) updateLocal<T, M>(program, pose, bone, child, stale);
    putWhere<M, M>(bone, BoneRow.WORLD_TAG, splatInt<M>(0), valid);
    invalidateChildren<T, M>(program, pose, child, valid);
  }
}
