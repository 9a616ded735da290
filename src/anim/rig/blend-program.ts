/**
 * A list of pose blends that one kernel call runs in order. @internal
 *
 * Poses are addresses of local transforms (`AnimPose.localPtr` or a slot of one's own block); masks are addresses of lane
 * weights (one float a bone in whole groups), 0 for none. An out pose may be an operand of its own command. Nothing is
 * allocated once the program has had its largest size.
 *
 *   program.reset();
 *   program.blend(out, a, b, 0.3, mask);
 *   program.add(out, out, delta, 1);
 *   program.beginWeighted(out2, skeleton.bindPtr); program.input(a, 0.2); program.input(b, 0.5); program.input(c, 0.3);
 *   program.run(groupCount);
 */
import { BLEND_COMMAND_BYTES, BLEND_INPUT_BYTES, BlendOp } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock, takeBlock } from "./blocks.js";

export class BlendProgram {
  readonly #owned: number[] = [];
  #commands = 0;
  #commandCapacity = 0;
  #commandCount = 0;
  #inputs = 0;
  #inputCapacity = 0;
  #inputCount = 0;

  constructor() {
    freeWhenCollected(this, this.#owned);
  }

  /** Number of commands. */
  get commandCount(): number {
    return this.#commandCount;
  }

  /** Empties the program. */
  reset(): void {
    this.#commandCount = 0;
    this.#inputCount = 0;
  }

  /** out = a */
  copy(out: number, a: number): void {
    this.#command(BlendOp.COPY, out, a, 0, 0, 0, 1, 0);
  }

  /** out = a towards b: positions and scales lerp, rotations slerp, by weight (clamped to 0..1) x mask. */
  blend(out: number, a: number, b: number, weight: number, mask = 0): void {
    this.#command(BlendOp.BLEND, out, a, b, mask, 0, Math.min(1, Math.max(0, weight)), 0);
  }

  /** out = a with the delta pose added by weight x mask (clamped to >= 0, may exceed 1). */
  add(out: number, a: number, delta: number, weight: number, mask = 0): void {
    this.#command(BlendOp.ADD, out, a, delta, mask, 0, Math.max(0, weight), 0);
  }

  /** out = a with the difference of b to `reference` (for example the bind pose) added by weight x mask. */
  addDifference(out: number, a: number, b: number, reference: number, weight: number, mask = 0): void {
    this.#command(BlendOp.ADD_DIFFERENCE, out, a, b, mask, reference, Math.max(0, weight), 0);
  }

  /** out = the delta pose that leads from `reference` to a. */
  difference(out: number, a: number, reference: number): void {
    this.#command(BlendOp.DIFFERENCE, out, a, 0, 0, reference, 1, 0);
  }

  /** out = a mirrored about the bind pose by the records of a mirror; `out` is not a. */
  mirror(out: number, a: number, bind: number, records: number): void {
    this.#command(BlendOp.MIRROR, out, a, 0, records, bind, 1, 0);
  }

  /**
   * out = weighted mean of the inputs that follow; weights are normalised per bone, bones without weight take `fallback`.
   * Exactly two inputs with weight blend as in `blend`; more as a normalised sum aligned to the heaviest.
   */
  beginWeighted(out: number, fallback: number): void {
    // The address of the inputs is written by `run`, because the list may still move.
    this.#command(BlendOp.WEIGHTED, out, this.#inputCount, 0, 0, fallback, 1, 0);
  }

  /** One input of the mean begun last. @param weight - >= 0 */
  input(pose: number, weight: number, mask = 0): void {
    if (this.#inputCount === this.#inputCapacity) {
      this.#inputCapacity = Math.max(16, this.#inputCapacity * 2);
      this.#inputs = moved(this.#owned, this.#inputs, this.#inputCount * BLEND_INPUT_BYTES, this.#inputCapacity * BLEND_INPUT_BYTES);
    }
    const at = (this.#inputs + this.#inputCount++ * BLEND_INPUT_BYTES) >>> 2;
    heap.u32[at] = pose;
    heap.u32[at + 1] = mask;
    heap.f32[at + 2] = weight;
    heap.i32[((this.#commands + (this.#commandCount - 1) * BLEND_COMMAND_BYTES) >>> 2) + 7]!++;
  }

  /** Gives the last command the holder's weight. From a field, because doubles in arguments are boxed. */
  weighLast(holder: { weight: number }): void {
    heap.f32[((this.#commands + (this.#commandCount - 1) * BLEND_COMMAND_BYTES) >>> 2) + 6] = holder.weight;
  }

  /** Gives the last command the weight weights[i]: clamped by the caller. */
  weighLastBy(weights: Float64Array, i: number): void {
    heap.f32[((this.#commands + (this.#commandCount - 1) * BLEND_COMMAND_BYTES) >>> 2) + 6] = weights[i]!;
  }

  /** Gives the last input the weight weights[i]. */
  weighLastInput(weights: Float64Array, i: number): void {
    heap.f32[((this.#inputs + (this.#inputCount - 1) * BLEND_INPUT_BYTES) >>> 2) + 2] = weights[i]!;
  }

  /** Runs all commands over `groupCount` groups of joints; the program stays and may be run again. */
  run(groupCount: number): void {
    const u32 = heap.u32;
    for (let i = 0; i < this.#commandCount; i++) {
      const at = (this.#commands + i * BLEND_COMMAND_BYTES) >>> 2;
      if (u32[at] === BlendOp.WEIGHTED && u32[at + 3] === 0) {
        u32[at + 2] = this.#inputs + u32[at + 2]! * BLEND_INPUT_BYTES;
        u32[at + 3] = 1;
      }
    }
    rig3d.kernels.runBlendProgram(this.#commands, this.#commandCount, groupCount);
  }

  /** Frees the lists. Safe to call twice. */
  dispose(): void {
    dropAll(this, this.#owned);
    this.#commands = this.#inputs = this.#commandCapacity = this.#inputCapacity = 0;
    this.reset();
  }

  #command(op: number, out: number, a: number, b: number, mask: number, reference: number, weight: number, count: number): void {
    if (this.#commandCount === this.#commandCapacity) {
      this.#commandCapacity = Math.max(8, this.#commandCapacity * 2);
      this.#commands = moved(this.#owned, this.#commands, this.#commandCount * BLEND_COMMAND_BYTES, this.#commandCapacity * BLEND_COMMAND_BYTES);
    }
    const at = (this.#commands + this.#commandCount++ * BLEND_COMMAND_BYTES) >>> 2;
    const u32 = heap.u32;
    u32[at] = op;
    u32[at + 1] = out;
    u32[at + 2] = a;
    u32[at + 3] = b;
    u32[at + 4] = mask;
    u32[at + 5] = reference;
    heap.f32[at + 6] = weight;
    u32[at + 7] = count;
  }
}

function moved(owned: number[], old: number, usedBytes: number, bytes: number): number {
  const ptr = takeBlock(owned, bytes);
  if (old !== 0) {
    heap.u8.copyWithin(ptr, old, old + usedBytes);
    dropBlock(owned, old);
  }
  return ptr;
}
