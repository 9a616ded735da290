import { heap } from "../../wasm/heap.js";
import { AnimArgumentError, AnimIndexError, AnimMismatchError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { atan2, sin } from "../motion/math.js";
import { Local, localIndex } from "../rig/layout.js";
import { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { usableStep } from "./law.js";
import { Follower } from "./parameters.js";
import { ROTATION_VALUES, RotationFollower } from "./rotation-follower.js";

/** Distance between two rows of a joint in heap.f32. */
const ROW = 4;
/** Scalars per bone (position and scale) and values of each: output, velocity, previous target. */
const SCALARS = 6;

/** Row of a scalar: position first, then scale. */
function rowOf(scalar: number): number {
  return scalar < 3 ? Local.PX + scalar : Local.SX + scalar - 3;
}

/**
 * A pose that follows a target pose with inertia, bone by bone. State is in double precision, coefficients are computed
 * once per update; a steady update allocates nothing.
 */
export class ControlPose extends Follower {
  readonly #skeleton: AnimSkeleton;
  readonly #count: number;
  readonly #output: AnimPose;
  readonly #target: AnimPose;
  readonly #weights: Float64Array;
  readonly #y: Float64Array;
  readonly #v: Float64Array;
  readonly #previous: Float64Array;
  readonly #rotations: Float64Array;
  readonly #rotation = new RotationFollower();

  /** Output and target are the bind pose, at rest. @throws AnimArgumentError without a skeleton */
  constructor(skeleton: AnimSkeleton) {
    super(3, 1, 1);
    if (skeleton == null) throw new AnimArgumentError("ControlPose needs a skeleton.");
    this.#skeleton = skeleton;
    this.#count = skeleton.getBoneCount();
    this.#output = new AnimPose(this.#count);
    this.#target = new AnimPose(this.#count);
    skeleton.applyBindPose(this.#output);
    skeleton.applyBindPose(this.#target);
    this.#weights = new Float64Array(this.#count).fill(1);
    this.#y = new Float64Array(this.#count * SCALARS);
    this.#v = new Float64Array(this.#count * SCALARS);
    this.#previous = new Float64Array(this.#count * SCALARS);
    this.#rotations = new Float64Array(this.#count * ROTATION_VALUES);
    this.snapToTarget();
  }

  /**
   * 1 follows, 0 is rigidly on the target; clamped to 0..1.
   * @throws AnimIndexError, AnimArgumentError
   */
  setBoneWeight(bone: number, weight: number): void {
    this.#check(bone);
    this.#weights[bone] = Math.min(1, Math.max(0, checkNumber(weight, "weight")));
  }

  /** @throws AnimIndexError */
  getBoneWeight(bone: number): number {
    this.#check(bone);
    return this.#weights[bone]!;
  }

  /** Copies the local transforms of a pose as the new target; the momentum stays. @throws AnimArgumentError, AnimMismatchError */
  setTargetPose(pose: AnimPose): void {
    if (!(pose instanceof AnimPose)) throw new AnimArgumentError("setTargetPose needs an AnimPose.", { found: pose });
    if (pose.getBoneCount() !== this.#count) throw new AnimMismatchError(`The pose has ${pose.getBoneCount()} bones, the skeleton ${this.#count}.`);
    this.#target.copyFrom(pose);
  }

  /** Puts the output on the target at rest. */
  snapToTarget(): void {
    for (let bone = 0; bone < this.#count; bone++) this.#reset(bone);
    this.#output.copyFrom(this.#target);
  }

  /** The output: always the same pose, local transforms only. Do not modify. */
  getPose(): AnimPose {
    return this.#output;
  }

  /** The target; editing it counts as a new target. */
  getTargetPose(): AnimPose {
    return this.#target;
  }

  getSkeleton(): AnimSkeleton {
    return this.#skeleton;
  }

  /**
   * Advances all bones; any step is fine.
   * @throws AnimArgumentError unless dt is finite and at least 0, AnimMismatchError if the target pose was resized
   */
  update(dt: number): void {
    if (checkNumber(dt, "dt", 0) === 0) return;
    if (this.#target.getBoneCount() !== this.#count) throw new AnimMismatchError(`The target pose has ${this.#target.getBoneCount()} bones, the skeleton ${this.#count}.`);
    const { law } = this;
    const step = usableStep(dt);
    law.prepare(step);
    const f32 = heap.f32;
    for (let bone = 0; bone < this.#count; bone++) {
      const from = localIndex(this.#target.localPtr, bone);
      const to = localIndex(this.#output.localPtr, bone);
      const weight = this.#weights[bone]!;
      if (weight === 0) {
        this.#reset(bone);
        for (let row = 0; row <= Local.SZ; row++) f32[to + row * ROW] = f32[from + row * ROW]!;
        continue;
      }
      for (let scalar = 0; scalar < SCALARS; scalar++) {
        const at = bone * SCALARS + scalar;
        const row = rowOf(scalar) * ROW;
        const target = f32[from + row]!;
        law.solve(this.#y[at]!, this.#v[at]!, target, (target - this.#previous[at]!) / step);
        this.#previous[at] = target;
        this.#y[at] = law.y;
        this.#v[at] = law.v;
        f32[to + row] = target + (law.y - target) * weight;
      }
      const at = bone * ROTATION_VALUES;
      const q = from + Local.QX * ROW;
      this.#rotation.step(law, step, this.#rotations, at, f32[q]!, f32[q + ROW]!, f32[q + 2 * ROW]!, f32[q + 3 * ROW]!);
      this.#writeRotation(f32, to + Local.QX * ROW, q, at, weight);
    }
    this.#output.markStale();
  }

  /** Gives both poses back. */
  dispose(): void {
    this.#output.dispose();
    this.#target.dispose();
  }

  #reset(bone: number): void {
    const f32 = heap.f32;
    const from = localIndex(this.#target.localPtr, bone);
    for (let scalar = 0; scalar < SCALARS; scalar++) {
      const at = bone * SCALARS + scalar;
      this.#y[at] = this.#previous[at] = f32[from + rowOf(scalar) * ROW]!;
      this.#v[at] = 0;
    }
    const q = from + Local.QX * ROW;
    this.#rotation.reset(this.#rotations, bone * ROTATION_VALUES, f32[q]!, f32[q + ROW]!, f32[q + 2 * ROW]!, f32[q + 3 * ROW]!);
  }

  /** The followed rotation, or one between it and the target. */
  #writeRotation(f32: Float32Array, to: number, target: number, at: number, weight: number): void {
    const r = this.#rotations;
    const x = r[at]!, y = r[at + 1]!, z = r[at + 2]!, w = r[at + 3]!;
    let followed = 1;
    let rigid = 0;
    if (weight < 1) {
      const dot = x * f32[target]! + y * f32[target + ROW]! + z * f32[target + 2 * ROW]! + w * f32[target + 3 * ROW]!;
      const cosine = Math.abs(dot);
      const sine = Math.sqrt(Math.max(0, (1 - cosine) * (1 + cosine)));
      const angle = atan2(sine, cosine);
      followed = sine < 1e-6 ? weight : sin(weight * angle) / sine;
      rigid = sine < 1e-6 ? 1 - weight : sin((1 - weight) * angle) / sine;
      if (dot < 0) rigid = -rigid;
    }
    f32[to] = x * followed + f32[target]! * rigid;
    f32[to + ROW] = y * followed + f32[target + ROW]! * rigid;
    f32[to + 2 * ROW] = z * followed + f32[target + 2 * ROW]! * rigid;
    f32[to + 3 * ROW] = w * followed + f32[target + 3 * ROW]! * rigid;
  }

  #check(bone: number): void {
    if (!(Number.isInteger(bone) && bone >= 0 && bone < this.#count)) throw new AnimIndexError(`Bone ${bone} does not exist, the skeleton has ${this.#count}.`, { found: bone });
  }
}
