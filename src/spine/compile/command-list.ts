import {
  CLEAR_DEFORM_BYTES,
  CommandField,
  CommandFlag,
  CommandOp,
  DEFORM_RECORD_BYTES,
  POSE_BYTES,
} from "../../../assembly/layout/animation.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { Skeleton } from "../model/skeleton.js";
import type { ApplyContext } from "./apply-context.js";
import { makeDeformRoom } from "./deform-room.js";

const FIRST_CAPACITY = 4096;

/**
 * What is going to happen to a skeleton, written to linear memory and carried out by one kernel call.
 *
 * Weights are stored as 32-bit floats; one that is less than 1 never becomes 1 by rounding, because exactly 1 has rules of
 * its own.
 */
export class CommandList {
  #ptr = 0;
  #end = 0;
  #capacity = 0;

  /** Whether anything has been written since the last run. */
  get isEmpty(): boolean {
    return this.#end === this.#ptr;
  }

  /** An animation at full weight over the setup pose. */
  pose(animation: number, at: ApplyContext): void {
    const ptr = this.#take(CommandOp.POSE, POSE_BYTES);
    heap.u32[(ptr + CommandField.SUBJECT) >> 2] = animation;
    heap.f64[(ptr + CommandField.TIME) >> 3] = at.time;
  }

  /** An animation whose channels all have one base mode and weight. */
  mix(animation: number, at: ApplyContext): void {
    const index = this.mixWeights(animation, at, flagsOf(at), 0, 0, 1);
    heap.f32[index] = at.weight;
    if (at.weight < 1 && at.weight > BELOW_ONE) heap.f32[index] = BELOW_ONE;
  }

  /**
   * An animation whose channels have weight words.
   * @returns index in `heap.f32` of the weights, for the caller to fill (see BELOW_ONE)
   */
  mixWeights(animation: number, at: ApplyContext, flags: number, words: number, memory: number, weightCount: number): number {
    return this.#weighted(CommandOp.MIX, animation, at, flags, words, memory, weightCount);
  }

  #weighted(op: CommandOp, subject: number, at: ApplyContext, flags: number, words: number, more: number, weightCount: number): number {
    const ptr = this.#take(op, (CommandField.WEIGHTS + weightCount * 4 + 7) & ~7);
    const { u32 } = heap;
    u32[(ptr + CommandField.SUBJECT) >> 2] = subject;
    u32[(ptr + CommandField.FLAGS) >> 2] = flags;
    u32[(ptr + CommandField.WORDS) >> 2] = words;
    u32[(ptr + CommandField.MEMORY) >> 2] = more;
    heap.f64[(ptr + CommandField.TIME) >> 3] = at.time;
    return (ptr + CommandField.WEIGHTS) >> 2;
  }

  /** Deform timelines whose records follow each other, all with one base mode and weight. */
  deforms(first: number, count: number, at: ApplyContext): void {
    const index = this.deformWeights(first, count, at, flagsOf(at), 0, 1);
    heap.f32[index] = at.weight;
    if (at.weight < 1 && at.weight > BELOW_ONE) heap.f32[index] = BELOW_ONE;
  }

  /**
   * Deform timelines whose records follow each other and have weight words.
   * @returns index in `heap.f32` of the weights, for the caller to fill (see BELOW_ONE)
   */
  deformWeights(first: number, count: number, at: ApplyContext, flags: number, words: number, weightCount: number): number {
    return this.#weighted(CommandOp.DEFORM, first, at, flags, words, first + count * DEFORM_RECORD_BYTES, weightCount);
  }

  /** Empties the deform of a slot, after what the commands so far have put there. */
  clearDeform(slotRow: number): void {
    const at = this.#take(CommandOp.CLEAR_DEFORM, CLEAR_DEFORM_BYTES);
    heap.u32[(at + CommandField.SUBJECT) >> 2] = slotRow;
  }

  /** Carries everything out and starts anew. */
  run(skeleton: Skeleton): void {
    if (this.#end === this.#ptr) return;
    const end = this.#end;
    this.#end = this.#ptr;
    const setup = skeleton.data._rig.setupPtr;
    let at = rig2d.kernels.applyCommands(this.#ptr, end, skeleton._block, setup, skeleton._program);
    while (at !== end) {
      // The records of deform timelines may be larger than what slots had to hold before.
      makeDeformRoom(skeleton, heap.u32[(at + CommandField.SUBJECT) >> 2]!);
      at = rig2d.kernels.applyCommands(at, end, skeleton._block, setup, skeleton._program);
    }
  }

  /** Forgets everything written, for a caller that failed half-way. */
  clear(): void {
    this.#end = this.#ptr;
  }

  #take(op: CommandOp, bytes: number): number {
    if (this.#end + bytes > this.#ptr + this.#capacity) this.#grow(bytes);
    const at = this.#end;
    heap.i32[(at + CommandField.OP) >> 2] = op;
    heap.i32[(at + CommandField.BYTES) >> 2] = bytes;
    this.#end = at + bytes;
    return at;
  }

  #grow(bytes: number): void {
    const used = this.#end - this.#ptr;
    const capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2, used + bytes);
    this.#ptr = this.#ptr === 0 ? heap.alloc(capacity) : heap.realloc(this.#ptr, capacity);
    this.#capacity = capacity;
    this.#end = this.#ptr + used;
  }
}

/**
 * The largest 32-bit float below 1, which weights between it and 1 become. Written out where weights are stored: a function
 * that is not inlined would cost an object for its argument.
 */
export const BELOW_ONE = 1 - 2 ** -24;

/** Flags of a command. */
export function flagsOf(at: ApplyContext): number {
  return (
    (at.mode & CommandFlag.MODE) |
    (at.add ? CommandFlag.ADD : 0) |
    (at.out ? CommandFlag.OUT : 0) |
    (at.appliedPose ? CommandFlag.APPLIED : 0)
  );
}

/** The one list that animations, timelines and animation states write to; it is empty whenever foreign code runs. */
export const commands = /* @__PURE__ */ new CommandList();
