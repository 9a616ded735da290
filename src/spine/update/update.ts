import { PROGRAM_BYTES, ProgramField } from "../../../assembly/layout/rig2d.js";
import { PHYSICS_Y_DOWN, SCRATCH_HEADER_BYTES, ScratchField, UpdateOp } from "../../../assembly/layout/update.js";
import { ArgumentError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { CompiledAnimation } from "../compile/compiled-animation.js";
import type { KernelConstraint } from "../constraints/kernel-constraint.js";
import type { Slider } from "../constraints/slider.js";
import { edits } from "../edits.js";
import { Physics } from "../enums.js";
import type { Posed } from "../model/posed.js";
import type { Skeleton } from "../model/skeleton.js";
import { CodeWriter } from "./code-writer.js";
import { isKernel, programOf, resetsByHand, slidersOf, type UpdateProgram } from "./program.js";
import { sortItems } from "./sort.js";

/** What a skeleton keeps about its updates. */
export interface UpdateState {
  /** Holds the program's memory. */
  readonly program: UpdateProgram;
  /** Constrained objects that the program does not copy. */
  readonly resets: readonly Posed[];
  readonly copiesDrawOrder: boolean;
  readonly sliders: readonly Slider[];
  /** Compiled forms of the sliders' animations that the program refers to. */
  readonly animations: readonly CompiledAnimation[];
  /** Count of changes of properties that the records hold. */
  properties: number;
}

/** Sorts bones and constraints into the order of updates and makes the update program. */
export function sortSkeleton(skeleton: Skeleton): void {
  sortItems(skeleton);
  compileSkeleton(skeleton);
}

/** Makes the program anew without sorting. */
export function recompileSkeleton(skeleton: Skeleton): void {
  if (skeleton._updates !== null) compileSkeleton(skeleton);
}

function compileSkeleton(skeleton: Skeleton): void {
  const program = programOf(skeleton);
  const sliders = slidersOf(skeleton._updateCache);
  skeleton._program = program.address;
  skeleton._updates = {
    program,
    resets: resetsByHand(skeleton),
    copiesDrawOrder: skeleton.drawOrder.appliedPose !== skeleton.drawOrder.pose,
    sliders,
    animations: sliders.map((slider) => slider.data.animation._compiledFor(skeleton.data)),
    properties: edits.properties,
  };
}

/** Computes all world transforms and applies constraints. */
export function updateSkeleton(skeleton: Skeleton, physics: Physics): void {
  const mode = modeOf(skeleton, physics);
  skeleton._writeScale();
  if (edits.arrays > 0) skeleton._noticeEdits();
  if (skeleton._updates!.sliders.length > 0) refreshSliders(skeleton);
  if (skeleton._updates!.properties !== edits.properties) refreshProperties(skeleton);
  const { program, resets, copiesDrawOrder } = skeleton._updates!;
  if (copiesDrawOrder) skeleton.drawOrder.resetConstrained();
  for (let i = 0; i < resets.length; i++) resets[i]!.resetConstrained();
  const scratch = updateScratch();
  const at = rig2d.kernels.updateSkeleton(program.address, skeleton._block, mode, scratch);
  if (at !== 0) finish(skeleton, program, physics, mode, at);
}

/** Serves the program's wishes until it ends. */
function finish(skeleton: Skeleton, program: UpdateProgram, physics: Physics, mode: number, at: number): void {
  while (at !== 0) {
    if (at < 0) {
      growScratch();
      at = -at - 1;
    } else {
      const constraint = skeleton.constraints[heap.i32[(program.code >> 2) + at - 1]!]!;
      if (isKernel(constraint)) constraint._call(skeleton);
      else constraint.update(skeleton, physics);
      skeleton._assertAlive();
    }
    at = rig2d.kernels.resumeSkeleton(program.address, skeleton._block, mode, updateScratch(), at);
  }
}

/** The kernels' physics argument. */
function modeOf(skeleton: Skeleton, physics: Physics): number {
  if (!(physics >= Physics.none && physics <= Physics.pose)) {
    throw new ArgumentError(`physics is ${String(physics)}, expected a value of Physics.`, { found: physics });
  }
  return (skeleton.constructor as typeof Skeleton).yDown ? physics | PHYSICS_Y_DOWN : physics;
}

/** What transform constraints and sliders map was changed, here or in another skeleton's data. */
function refreshProperties(skeleton: Skeleton): void {
  const { constraints } = skeleton;
  for (let i = 0; i < constraints.length; i++) {
    const constraint = constraints[i]!;
    if (isKernel(constraint)) constraint.data._refresh();
  }
  skeleton._updates!.properties = edits.properties;
}

/** Setup values are part of what sliders apply; an animation that was changed needs its channels again. */
function refreshSliders(skeleton: Skeleton): void {
  const { sliders, animations } = skeleton._updates!;
  for (let i = 0; i < sliders.length; i++) {
    if (sliders[i]!.data.animation._compiledFor(skeleton.data) !== animations[i]) {
      sortSkeleton(skeleton);
      break;
    }
  }
  void skeleton._rig.setupPtr;
}

/** Applies one constraint alone, in the present update. */
export function runConstraint(skeleton: Skeleton, constraint: KernelConstraint, physics: Physics): void {
  skeleton._assertAlive();
  const mode = modeOf(skeleton, physics);
  skeleton._writeScale();
  const code = new CodeWriter(skeleton.data, true);
  constraint._emit(code);
  code.op(UpdateOp.END);
  const program = heap.alloc(PROGRAM_BYTES + code.words.length * 4);
  try {
    heap.u8.copyWithin(program, skeleton._program, skeleton._program + PROGRAM_BYTES);
    heap.i32.set(code.words, (program + PROGRAM_BYTES) >> 2);
    heap.u32[(program + ProgramField.CODE) >> 2] = program + PROGRAM_BYTES;
    let at = rig2d.kernels.resumeSkeleton(program, skeleton._block, mode, updateScratch(), 0);
    while (at < 0) {
      growScratch();
      at = rig2d.kernels.resumeSkeleton(program, skeleton._block, mode, updateScratch(), -at - 1);
    }
  } finally {
    heap.free(program);
  }
  if (constraint._needsCall) constraint._call(skeleton);
}

const FIRST_SCRATCH_BYTES = 4096;
let scratchPtr = 0;

/** Address of the scratch block of updates on this thread. */
export function updateScratch(): number {
  if (scratchPtr === 0) takeScratch(FIRST_SCRATCH_BYTES);
  return scratchPtr;
}

/** Replaces the scratch block by one of the size that a kernel asked for. */
export function growScratch(): void {
  const needed = heap.i32[(scratchPtr + ScratchField.NEEDED) >> 2]!;
  heap.free(scratchPtr);
  takeScratch(needed * 2);
}

function takeScratch(bytes: number): void {
  scratchPtr = heap.alloc(Math.max(bytes, SCRATCH_HEADER_BYTES + 64));
  heap.i32[(scratchPtr + ScratchField.CAPACITY) >> 2] = bytes;
}
