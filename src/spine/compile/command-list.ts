import {
  CLEAR_DEFORM_BYTES,
  CommandField,
  CommandFlag,
  CommandOp,
  DEFORM_BYTES,
  POSE_BYTES,
} from "../../../assembly/layout/animation.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { Skeleton } from "../model/skeleton.js";

const FIRST_CAPACITY = 4096;
/** Times beyond this are held: no key lies there, and an infinite distance times a slope of 0 would be no number. */
const LARGEST_TIME = 1e30;

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
  pose(animation: number, time: number): void {
    const at = this.#take(CommandOp.POSE, POSE_BYTES);
    heap.u32[(at + CommandField.SUBJECT) >> 2] = animation;
    heap.f64[(at + CommandField.TIME) >> 3] = finite(time);
  }

  /** An animation whose channels all have one base mode and weight. */
  mix(animation: number, time: number, flags: number, weight: number): void {
    const at = this.mixWeights(animation, time, flags, 0, 0, 1);
    heap.f32[at] = narrow(weight);
  }

  /**
   * An animation whose channels have weight words.
   * @returns index in `heap.f32` of the weights, for the caller to fill (with `narrow`)
   */
  mixWeights(animation: number, time: number, flags: number, words: number, memory: number, weightCount: number): number {
    const at = this.#take(CommandOp.MIX, (CommandField.WEIGHTS + weightCount * 4 + 7) & ~7);
    const { u32 } = heap;
    u32[(at + CommandField.SUBJECT) >> 2] = animation;
    u32[(at + CommandField.FLAGS) >> 2] = flags;
    u32[(at + CommandField.WORDS) >> 2] = words;
    u32[(at + CommandField.MEMORY) >> 2] = memory;
    heap.f64[(at + CommandField.TIME) >> 3] = finite(time);
    return (at + CommandField.WEIGHTS) >> 2;
  }

  /**
   * A deform timeline on one slot.
   * @param slotRow - first row of the slot pose
   * @param setup - address of the setup vertices, 0 for a weighted attachment
   */
  deform(record: number, slotRow: number, setup: number, time: number, flags: number, weight: number): void {
    const at = this.#take(CommandOp.DEFORM, DEFORM_BYTES);
    const { u32 } = heap;
    u32[(at + CommandField.SUBJECT) >> 2] = record;
    u32[(at + CommandField.FLAGS) >> 2] = flags;
    u32[(at + CommandField.WORDS) >> 2] = slotRow;
    u32[(at + CommandField.MEMORY) >> 2] = setup;
    heap.f64[(at + CommandField.TIME) >> 3] = finite(time);
    heap.f32[(at + CommandField.WEIGHTS) >> 2] = narrow(weight);
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
    rig2d.kernels.applyCommands(this.#ptr, end, skeleton._block, setup, skeleton._program);
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

/** The largest 32-bit float below 1. */
const BELOW_ONE = 1 - 2 ** -24;

/** A weight as a 32-bit float. */
export function narrow(weight: number): number {
  return weight < 1 && weight > BELOW_ONE ? BELOW_ONE : weight;
}

function finite(time: number): number {
  return time > LARGEST_TIME ? LARGEST_TIME : time >= -LARGEST_TIME ? time : -LARGEST_TIME;
}

/** Flags of a command. */
export function commandFlags(mode: number, add: boolean, out: boolean, appliedPose: boolean): number {
  return (
    (mode & CommandFlag.MODE) |
    (add ? CommandFlag.ADD : 0) |
    (out ? CommandFlag.OUT : 0) |
    (appliedPose ? CommandFlag.APPLIED : 0)
  );
}

/** The one list that animations, timelines and animation states write to; it is empty whenever foreign code runs. */
export const commands = /* @__PURE__ */ new CommandList();
