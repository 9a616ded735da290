import { HeaderRow } from "../../../assembly/layout/rig2d.js";
import { PHYSICS_STATE_ROWS, PhysicsStateRow, UpdateOp } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import type { CodeWriter } from "../update/code-writer.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import { boneOf, indicesOf, KernelConstraint } from "./kernel-constraint.js";
import { PhysicsConstraintData } from "./physics-constraint-data.js";
import type { PhysicsConstraintPose } from "./physics-constraint-pose.js";

/**
 * Makes a bone lag behind, swing and stretch. The simulation runs in fixed steps of `data.step` seconds of skeleton time, at most
 * 36,000 an update (ten minutes at 60 steps a second); time beyond that is dropped.
 */
export class PhysicsConstraint extends KernelConstraint<PhysicsConstraint, PhysicsConstraintData, PhysicsConstraintPose> {
  #bone: BonePose;
  /** Index of the state among those of the skeleton. @internal */
  readonly _stateIndex: number;

  constructor(data: PhysicsConstraintData, skeleton: Skeleton) {
    super(data, skeleton);
    this.#bone = boneOf(skeleton, data.bone, `The bone of physics constraint "${data.name}"`)._constrained;
    this._stateIndex = ensureStates(skeleton, this._index);
  }

  /** The pose that physics move. */
  get bone(): BonePose {
    return this.#bone;
  }
  set bone(value: BonePose) {
    this.#bone = value;
    this._changed();
  }

  override copy(skeleton: Skeleton): PhysicsConstraint {
    const copy = new PhysicsConstraint(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override isSourceActive(): boolean {
    return this.#bone.bone.active;
  }

  override sort(skeleton: Skeleton): void {
    const { bone } = this.#bone;
    placeBone(skeleton, bone);
    skeleton._updateCache.push(this);
    unplaceBones(bone.children);
    markConstrained(skeleton, bone);
  }

  /** @internal */
  override _emit(code: CodeWriter): void {
    code.op(UpdateOp.PHYSICS);
    code.constraint(this);
    code.word(this.#bone.bone.data.index);
    code.word(this._stateIndex);
  }

  /** @internal */
  override _modifiedBones(): readonly number[] {
    return indicesOf([this.#bone]);
  }

  /** Forgets all movement. Call it after placing a skeleton elsewhere, so that physics do not react to that. */
  reset(skeleton: Skeleton): void {
    const at = this.#at();
    heap.i32[at + PhysicsStateRow.PENDING] = 1;
    for (let row = PhysicsStateRow.X_OFFSET as number; row <= PhysicsStateRow.SCALE_VELOCITY; row++) heap.f32[at + row] = 0;
    heap.f64[(at + PhysicsStateRow.REMAINING) >> 1] = 0;
    heap.f64[(at + PhysicsStateRow.LAST_TIME) >> 1] = skeleton.time;
  }

  /** Makes the next update react as if the bone had moved by (x, y) more in world space. */
  translate(x: number, y: number): void {
    rig2d.kernels.translatePhysics(this.#at() * 4, x, y);
  }

  /** Makes the next update react as if the bone had been rotated about a point of the world. */
  rotate(x: number, y: number, degrees: number): void {
    rig2d.kernels.rotatePhysics(this.#at() * 4, x, y, degrees);
  }

  /** Index of the state in `heap.f32`. */
  #at(): number {
    this._skeleton._assertAlive();
    const store = this._skeleton;
    return (heap.u32[store._base + HeaderRow.PHYSICS]! >>> 2) + this._stateIndex * PHYSICS_STATE_ROWS;
  }

  #get(row: PhysicsStateRow): number {
    return heap.f32[this.#at() + row]!;
  }

  /** What the simulation has come to: offsets from the unconstrained values and their speeds. */
  get xOffset(): number {
    return this.#get(PhysicsStateRow.X_OFFSET);
  }
  get yOffset(): number {
    return this.#get(PhysicsStateRow.Y_OFFSET);
  }
  get rotateOffset(): number {
    return this.#get(PhysicsStateRow.ROTATE_OFFSET);
  }
  get scaleOffset(): number {
    return this.#get(PhysicsStateRow.SCALE_OFFSET);
  }
  get xVelocity(): number {
    return this.#get(PhysicsStateRow.X_VELOCITY);
  }
  get yVelocity(): number {
    return this.#get(PhysicsStateRow.Y_VELOCITY);
  }
  get rotateVelocity(): number {
    return this.#get(PhysicsStateRow.ROTATE_VELOCITY);
  }
  get scaleVelocity(): number {
    return this.#get(PhysicsStateRow.SCALE_VELOCITY);
  }

  /** Seconds that were not simulated yet, less than a step. */
  get remaining(): number {
    return heap.f64[(this.#at() + PhysicsStateRow.REMAINING) >> 1]!;
  }

  /** Skeleton time of the last update that simulated. */
  get lastTime(): number {
    return heap.f64[(this.#at() + PhysicsStateRow.LAST_TIME) >> 1]!;
  }
}

/** Makes the block of all states of a skeleton with its first physics constraint. @returns index of the constraint's state */
function ensureStates(skeleton: Skeleton, constraintIndex: number): number {
  const { constraints } = skeleton.data;
  let count = 0;
  let index = 0;
  for (let i = 0; i < constraints.length; i++) {
    if (i === constraintIndex) index = count;
    if (constraints[i] instanceof PhysicsConstraintData) count++;
  }
  if (heap.u32[skeleton._base + HeaderRow.PHYSICS] !== 0) return index;
  const block = heap.alloc(count * PHYSICS_STATE_ROWS * 4);
  skeleton._blocks.push(block);
  heap.u32[skeleton._base + HeaderRow.PHYSICS] = block;
  for (let i = 0; i < count; i++) heap.i32[(block >> 2) + i * PHYSICS_STATE_ROWS + PhysicsStateRow.PENDING] = 1;
  return index;
}
