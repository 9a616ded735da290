import { PROGRAM_BYTES, ProgramField } from "../../../assembly/layout/rig2d.js";
import { UpdateOp } from "../../../assembly/layout/update.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import type { KernelConstraint } from "../constraints/kernel-constraint.js";
import type { Slider } from "../constraints/slider.js";
import { BonePose } from "../model/bone-pose.js";
import type { Constraint } from "../model/constraint.js";
import type { Posed, Update } from "../model/posed.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Rig } from "../rig.js";
import { CodeWriter } from "./code-writer.js";
import { hierarchyOf } from "./hierarchy.js";

/**
 * A compiled update program in linear memory (ProgramField), shared by all skeletons of one rig in the same situation. It lives
 * as long as somebody holds this object, and no longer than the rig. @internal
 */
export class UpdateProgram {
  /** Address of the program. */
  readonly address: number;
  /** Address of the code words. */
  readonly code: number;
  /** Whether somebody must come in between: operations of the kind CALL. */
  readonly calls: boolean;

  constructor(rig: Rig, parts: ProgramParts) {
    const { bones, slots, constraints, activeBones, activeConstraints, words } = parts;
    const tables = [bones, slots, constraints];
    let bytes = PROGRAM_BYTES;
    const place = (size: number): number => {
      const at = bytes;
      bytes += (size + 15) & ~15;
      return at;
    };
    const tablePlaces = tables.map((table) => place(table.length * 4));
    const bonesPlace = activeBones === null ? -1 : place(activeBones.length);
    const constraintsPlace = activeConstraints === null ? -1 : place(activeConstraints.length);
    const codePlace = place(words.length * 4);
    const { childStart, children } = hierarchyOf(rig);
    const setup = rig.setupPtr;
    const block = heap.alloc(bytes);
    freeWhenCollected(this, [block]);
    this.address = block;
    this.code = block + codePlace;
    this.calls = parts.calls;

    const { u8, i32, u32 } = heap;
    tables.forEach((table, i) => i32.set(table, (block + tablePlaces[i]!) >> 2));
    if (activeBones !== null) u8.set(activeBones, block + bonesPlace);
    if (activeConstraints !== null) u8.set(activeConstraints, block + constraintsPlace);
    i32.set(words, this.code >> 2);
    const set = (field: ProgramField, value: number): void => {
      u32[(block + field) >> 2] = value;
    };
    set(ProgramField.BONE_COUNT, bones.length);
    set(ProgramField.SLOT_COUNT, slots.length);
    set(ProgramField.CONSTRAINT_COUNT, constraints.length);
    set(ProgramField.ROWS, rig.shape.rows);
    set(ProgramField.ACTIVE_BONES, activeBones === null ? 0 : block + bonesPlace);
    set(ProgramField.ACTIVE_CONSTRAINTS, activeConstraints === null ? 0 : block + constraintsPlace);
    set(ProgramField.BONE_APPLIED, block + tablePlaces[0]!);
    set(ProgramField.SLOT_APPLIED, block + tablePlaces[1]!);
    set(ProgramField.CONSTRAINT_APPLIED, block + tablePlaces[2]!);
    set(ProgramField.PARENTS, rig.parents);
    set(ProgramField.CHILD_START, childStart);
    set(ProgramField.CHILDREN, children);
    set(ProgramField.BONE_LENGTHS, rig.boneLengths);
    set(ProgramField.SLOT_BONES, rig.slotBones);
    set(ProgramField.CODE, this.code);
    set(ProgramField.CODE_WORDS, words.length);
    set(ProgramField.SETUP, setup);
  }

  /** Frees the program: its rig is being disposed. */
  release(): void {
    disposedByHand(this);
    heap.free(this.address);
  }
}

interface ProgramParts {
  readonly bones: number[];
  readonly slots: number[];
  readonly constraints: number[];
  /** Null if all are active. */
  readonly activeBones: number[] | null;
  readonly activeConstraints: number[] | null;
  readonly words: number[];
  readonly calls: boolean;
}

/** Programs of a rig by their contents; the latest ones are also held, so that a skeleton that comes back finds its own. */
interface ProgramCache {
  readonly byContent: Map<string, WeakRef<UpdateProgram>>;
  readonly recent: UpdateProgram[];
}
const caches = /* @__PURE__ */ new WeakMap<Rig, ProgramCache>();
const RECENT = 8;

/** The program for the present order, aliases and active set of a skeleton; the same object for the same contents. */
export function programOf(skeleton: Skeleton): UpdateProgram {
  return intern(skeleton, partsOf(skeleton, true));
}

/**
 * The program for a crowd whose instances are in the situation of `skeleton` (its skin above all): no constrained half, applied
 * rows are the unconstrained ones.
 */
export function crowdProgramOf(skeleton: Skeleton): UpdateProgram {
  return intern(skeleton, partsOf(skeleton, false));
}

function intern(skeleton: Skeleton, parts: ProgramParts): UpdateProgram {
  const rig = skeleton._rig;
  let cache = caches.get(rig);
  if (cache === undefined) caches.set(rig, (cache = newCache(rig)));
  const key = keyOf(parts);
  let program = cache.byContent.get(key)?.deref();
  if (program === undefined) {
    program = new UpdateProgram(rig, parts);
    cache.byContent.set(key, new WeakRef(program));
    if (cache.byContent.size > 4 * RECENT) prune(cache);
  }
  const { recent } = cache;
  if (!recent.includes(program)) {
    if (recent.length === RECENT) recent.shift();
    recent.push(program);
  }
  return program;
}

function newCache(rig: Rig): ProgramCache {
  const cache: ProgramCache = { byContent: new Map(), recent: [] };
  rig.whenDisposed(() => {
    for (const ref of cache.byContent.values()) ref.deref()?.release();
    cache.byContent.clear();
    cache.recent.length = 0;
  });
  return cache;
}

function prune(cache: ProgramCache): void {
  for (const [key, ref] of cache.byContent) if (ref.deref() === undefined) cache.byContent.delete(key);
}

function keyOf(parts: ProgramParts): string {
  const { bones, slots, constraints, activeBones, activeConstraints, words } = parts;
  return [bones, slots, constraints, activeBones ?? "", activeConstraints ?? "", words].join(";");
}

function partsOf(skeleton: Skeleton, aliases: boolean): ProgramParts {
  const { bones, slots, constraints, _shape: shape } = skeleton;
  const code = new CodeWriter(skeleton.data, aliases);
  const calls = writeCode(skeleton, code, aliases);
  const known = constraints.slice(0, shape.constraintCount);
  return {
    bones: bones.map((bone) => code.row(shape.boneRow(bone.data.index), bone.appliedPose !== bone.pose)),
    slots: slots.map((slot) => code.row(shape.slotRow(slot.data.index), slot.appliedPose !== slot.pose)),
    constraints: known.map((constraint, i) => code.row(shape.constraintRow(i), isKernel(constraint) && constraint.appliedPose !== constraint.pose)),
    activeBones: bones.every((bone) => bone.active) ? null : bones.map((bone) => Number(bone.active)),
    activeConstraints: known.every((constraint) => constraint.active) ? null : known.map((constraint) => Number(constraint.active)),
    words: code.words,
    calls,
  };
}

/** Objects of the reset list that the program does not copy: slots, and constraints of classes of one's own. */
export function resetsByHand(skeleton: Skeleton): Posed[] {
  return skeleton.resetCache.filter((object) => rowOf(skeleton, object) < 0);
}

/** Row of the pose of an object that COPY can copy, else -1. */
function rowOf(skeleton: Skeleton, object: Posed): number {
  const { _shape: shape } = skeleton;
  if (isKernel(object)) return shape.constraintRow(object._index);
  const { index } = object.data as { index?: number };
  return index !== undefined && (skeleton.bones[index] as Posed | undefined) === object ? shape.boneRow(index) : -1;
}

/** Whether kernels solve a constraint; a class that overrides `update` is called instead. */
export function isKernel(object: object): object is KernelConstraint {
  return (object as Partial<KernelConstraint>)._isKernel === true;
}

/** Writes operations in the order of the update cache. @returns whether TypeScript is called in between */
function writeCode(skeleton: Skeleton, code: CodeWriter, aliases: boolean): boolean {
  const { bones, _shape: shape } = skeleton;
  if (aliases) {
    for (const object of skeleton.resetCache) {
      const row = rowOf(skeleton, object);
      if (row < 0) continue;
      code.item(UpdateOp.COPY);
      code.word(row);
    }
  }
  const tagged = taggedBones(skeleton);
  const met = new Uint8Array(bones.length);
  let calls = false;
  for (const item of skeleton._updateCache) {
    if (item instanceof BonePose) {
      const { bone } = item;
      const { index } = bone.data;
      if (met[index] === 1) {
        code.item(UpdateOp.CHECKED_BONES);
        code.word(index);
        code.word(code.row(shape.boneRow(index), bone.appliedPose !== bone.pose));
        code.word(bone.parent === null ? -1 : code.row(shape.boneRow(bone.parent.data.index), bone.parent.appliedPose !== bone.parent.pose));
      } else if (bone.parent === null) {
        code.item(UpdateOp.ROOTS);
        code.word(code.row(shape.boneRow(index), bone.appliedPose !== bone.pose));
      } else {
        const { parent } = bone;
        code.item(tagged[index] === 1 ? UpdateOp.FIRST_BONES : UpdateOp.BONES);
        code.word(code.row(shape.boneRow(index), bone.appliedPose !== bone.pose));
        code.word(code.row(shape.boneRow(parent.data.index), parent.appliedPose !== parent.pose));
      }
      met[index] = 1;
      continue;
    }
    const constraint = item as Constraint;
    if (isKernel(constraint)) {
      for (const index of constraint._modifiedBones()) met[index] = 1;
      constraint._emit(code);
      if (!constraint._needsCall) continue;
    }
    calls = true;
    code.op(UpdateOp.CALL);
    code.word(skeleton.constraints.indexOf(constraint));
  }
  code.op(UpdateOp.END);
  return calls;
}

/**
 * Bones whose tags somebody reads: those listed twice, those that a constraint modifies and all that hang on them. With a
 * constraint of one's own, which may modify anything, all bones.
 */
function taggedBones(skeleton: Skeleton): Uint8Array {
  const { bones } = skeleton;
  const tagged = new Uint8Array(bones.length);
  for (const item of skeleton._updateCache) {
    if (item instanceof BonePose) {
      const { index } = item.bone.data;
      tagged[index] = tagged[index]! + 1;
    }
  }
  for (let i = 0; i < bones.length; i++) tagged[i] = tagged[i]! > 1 ? 1 : 0;
  for (const item of skeleton._updateCache) {
    if (item instanceof BonePose) continue;
    if (!isKernel(item)) return tagged.fill(1);
    for (const index of item._modifiedBones()) tagged[index] = 1;
  }
  const hangs = new Uint8Array(bones.length);
  for (let i = 0; i < bones.length; i++) {
    const parent = bones[i]!.parent;
    if (tagged[i] === 1 || (parent !== null && hangs[parent.data.index] === 1)) hangs[i] = 1;
  }
  return hangs;
}

/** Sliders among the items, whose animations may be compiled anew. */
export function slidersOf(items: readonly Update[]): Slider[] {
  return items.filter((item): item is Slider => isKernel(item) && (item.data as { animation?: unknown }).animation != null);
}
