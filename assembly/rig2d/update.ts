/**
 * Runs an update program: world transforms and constraints of one skeleton or of four instances.
 *
 * Layout   program: ProgramField; code: UpdateOp; pose block of one lane (4 bytes a row, two halves) or of four lanes
 *          (16 bytes a row, one half, a program compiled for crowds).
 * Requires the program fits the pose block; scratch begins with ScratchField.CAPACITY.
 * Ensures  the applied poses of this update. Returns 0 when the program ended; a positive number n when the operation
 *          before code word n wants TypeScript, which resumes at n; -n - 1 when the operation at code word n needs
 *          ScratchField.NEEDED bytes of scratch, to be resumed at n with a larger block.
 */
import { addInt, allTrue, anyTrue, eqInt, maskNot, maskOr, splatInt } from "../math/lane";
import { BONE_LOCAL_ROWS, BoneRow, HeaderRow, ProgramField } from "../layout/rig2d";
import { OP_BITS, ScratchField, UpdateOp } from "../layout/update";
import { everyLane, get, put, rowAt, table } from "./update-rows";
import { solveIk, solveOneBone, solveTwoBones } from "./ik";
import { solvePath } from "./path";
import { solvePhysics } from "./physics";
import { forgetClock } from "./physics-clock";
import { solveSlider } from "./slider";
import { modifyLocal, modifyWorld, updateLocal, updateWorld, validateLocal, validateWorld } from "./tags";
import { readPropertyAt, solveTransform, writeLocal, writeWorld } from "./transform";
import { worldOfChild, worldOfRoot } from "./world";

/** A new update of one skeleton. */
export function updateSkeleton(program: usize, pose: usize, physics: i32, scratch: usize): i32 {
  store<i32>(pose, load<i32>(pose, HeaderRow.UPDATE * 4) + 1, HeaderRow.UPDATE * 4);
  return run<f32, i32>(program, pose, physics, scratch, 0);
}

/** Goes on with an update of one skeleton at code word `at`. */
export function resumeSkeleton(program: usize, pose: usize, physics: i32, scratch: usize, at: i32): i32 {
  return run<f32, i32>(program, pose, physics, scratch, at);
}

/** A new update of four instances. */
export function updateGroup(program: usize, pose: usize, physics: i32, scratch: usize): i32 {
  put<v128>(pose, HeaderRow.UPDATE, addInt<v128>(get<v128>(pose, HeaderRow.UPDATE), splatInt<v128>(1)));
  forgetClock(scratch + ScratchField.CLOCK);
  return run<v128, v128>(program, pose, physics, scratch, 0);
}

/** Goes on with an update of four instances at code word `at`. */
export function resumeGroup(program: usize, pose: usize, physics: i32, scratch: usize, at: i32): i32 {
  return run<v128, v128>(program, pose, physics, scratch, at);
}

function run<T, M>(program: usize, pose: usize, physics: i32, scratch: usize, at: i32): i32 {
  const code = table(program, ProgramField.CODE);
  const half = load<i32>(program, ProgramField.ROWS);
  let pc = code + (<usize>at << 2);
  while (true) {
    const word = load<u32>(pc);
    const count = <i32>(word >> OP_BITS);
    switch (word & 0xff) {
      case UpdateOp.COPY: {
        pc += 4;
        for (const end = pc + (<usize>count << 2); pc < end; pc += 4) copyPose<T>(pose, load<i32>(pc), half);
        break;
      }
      case UpdateOp.BONES: {
        pc += 4;
        for (const end = pc + (<usize>count << 3); pc < end; pc += 8) {
          worldOfChild<T, M>(pose, rowAt<T>(pose, load<i32>(pc)), rowAt<T>(pose, load<i32>(pc, 4)), false);
        }
        break;
      }
      case UpdateOp.FIRST_BONES: {
        pc += 4;
        const update = get<M>(pose, HeaderRow.UPDATE);
        for (const end = pc + (<usize>count << 3); pc < end; pc += 8) {
          const bone = rowAt<T>(pose, load<i32>(pc));
          put<M>(bone, BoneRow.WORLD_TAG, update);
          worldOfChild<T, M>(pose, bone, rowAt<T>(pose, load<i32>(pc, 4)), true);
        }
        break;
      }
      case UpdateOp.CHECKED_BONES: {
        pc += 4;
        const update = get<M>(pose, HeaderRow.UPDATE);
        for (const end = pc + <usize>count * 12; pc < end; pc += 12) {
          const bone = rowAt<T>(pose, load<i32>(pc, 4)), parent = load<i32>(pc, 8);
          const valid = eqInt<M>(get<M>(bone, BoneRow.WORLD_TAG), update), stale = eqInt<M>(get<M>(bone, BoneRow.LOCAL_TAG), update);
          // Mostly no lane is valid and none stale.
          if (parent >= 0 && !anyTrue<M>(maskOr<M>(valid, stale))) {
            put<M>(bone, BoneRow.WORLD_TAG, update);
            worldOfChild<T, M>(pose, bone, rowAt<T>(pose, parent), true);
          } else if (!allTrue<M>(valid)) {
            updateWorld<T, M>(program, pose, bone, load<i32>(pc), maskNot<M>(valid));
          }
        }
        break;
      }
      case UpdateOp.ROOTS: {
        pc += 4;
        const update = get<M>(pose, HeaderRow.UPDATE);
        for (const end = pc + (<usize>count << 2); pc < end; pc += 4) {
          const bone = rowAt<T>(pose, load<i32>(pc));
          put<M>(bone, BoneRow.WORLD_TAG, update);
          worldOfRoot<T, M>(pose, bone, everyLane<M>());
        }
        break;
      }
      case UpdateOp.IK: {
        solveIk<T, M>(program, pose, pc + 4);
        pc += 24;
        break;
      }
      case UpdateOp.TRANSFORM: {
        solveTransform<T, M>(program, pose, pc + 4, count);
        pc += 16 + (<usize>count << 2);
        break;
      }
      case UpdateOp.PATH: {
        const needed = solvePath<T, M>(program, pose, pc + 4, count, scratch);
        if (needed > 0) {
          store<i32>(scratch, needed, ScratchField.NEEDED);
          return -<i32>((pc - code) >> 2) - 1;
        }
        pc += 16 + (<usize>count << 2);
        break;
      }
      case UpdateOp.PHYSICS: {
        solvePhysics<T, M>(program, pose, pc + 4, physics, scratch);
        pc += 20;
        break;
      }
      case UpdateOp.SLIDER: {
        solveSlider<T, M>(program, pose, pc + 4, count);
        pc += 16 + (<usize>count << 2);
        break;
      }
      case UpdateOp.CALL: {
        return <i32>((pc - code) >> 2) + 2;
      }
      default: return 0;
    }
  }
}

/** Copies a pose of eight rows to its constrained copy. */
@inline
function copyPose<T>(pose: usize, row: i32, half: i32): void {
  const from = rowAt<T>(pose, row), to = rowAt<T>(pose, row + half);
  if (isVector<T>()) {
    for (let i = 0; i < BONE_LOCAL_ROWS; i++) put<v128>(to, i, get<v128>(from, i));
  } else {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
  }
}

/** `update` of one bone pose, which may be another pose than the applied one. */
export function updateBone(program: usize, pose: usize, bone: usize, index: i32): void {
  validateWorld<f32, i32>(program, pose, bone, index, -1);
}

export function updateBoneWorld(program: usize, pose: usize, bone: usize, index: i32): void {
  updateWorld<f32, i32>(program, pose, bone, index, -1);
}

export function updateBoneLocal(program: usize, pose: usize, bone: usize, index: i32): void {
  updateLocal<f32, i32>(program, pose, bone, index, -1);
}

export function validateBoneLocal(program: usize, pose: usize, bone: usize, index: i32): void {
  validateLocal<f32, i32>(program, pose, bone, index, -1);
}

export function modifyBoneLocal(program: usize, pose: usize, bone: usize, index: i32): void {
  modifyLocal<f32, i32>(program, pose, bone, index, -1);
}

export function modifyBoneWorld(program: usize, pose: usize, bone: usize, index: i32): void {
  modifyWorld<f32, i32>(program, pose, bone, index, -1);
}

/** IK of one bone pose, as `IkConstraint.apply` offers it. */
export function applyOneBoneIk(
  program: usize, pose: usize, bone: usize, index: i32, targetX: f32, targetY: f32, compress: i32, stretch: i32,
  scaleRule: i32, mix: f32,
): void {
  solveOneBone<f32, i32>(program, pose, bone, index, targetX, targetY, -compress, -stretch, scaleRule, mix, -1);
}

/** IK of two bone poses, as `IkConstraint.apply` offers it. */
export function applyTwoBoneIk(
  program: usize, pose: usize, parent: usize, parentIndex: i32, child: usize, childIndex: i32, targetX: f32, targetY: f32,
  bend: i32, stretch: i32, scaleRule: i32, softness: f32, mix: f32,
): void {
  solveTwoBones<f32, i32>(
    program, pose, parent, parentIndex, child, childIndex, targetX, targetY, <f32>bend, -stretch, scaleRule, softness, mix, -1);
}

/** Mixes a value into a property (TransformProperty) of a bone pose, or adds it. */
export function writeBoneProperty(
  pose: usize, bone: usize, property: i32, value: f32, mix: f32, local: i32, additive: i32,
): void {
  if (local != 0) {
    writeLocal<f32, i32>(bone, property, value, mix, additive != 0, -1);
  } else {
    writeWorld<f32, i32>(pose, bone, property, value, mix, additive != 0, -1);
  }
}

/** Reads a property (TransformProperty) of a bone pose and adds `own`; world x and y are read at (x, y) in the bone. */
export function readBoneProperty(pose: usize, bone: usize, property: i32, local: i32, own: f32, x: f32, y: f32): f32 {
  return readPropertyAt<f32, i32>(pose, bone, property, local != 0, own, x, y);
}
