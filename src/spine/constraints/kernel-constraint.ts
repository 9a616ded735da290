import { ArgumentError } from "../../errors.js";
import type { BoneData } from "../data/bone-data.js";
import type { Physics } from "../enums.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Bone } from "../model/bone.js";
import { Constraint } from "../model/constraint.js";
import type { Pose } from "../model/posed.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import type { CodeWriter } from "../update/code-writer.js";
import { recompileSkeleton, runConstraint } from "../update/update.js";
import type { KernelConstraintData } from "./kernel-constraint-data.js";

/** Base of the constraints that kernels solve as operations of the skeleton's update program. */
export abstract class KernelConstraint<
  T extends KernelConstraint<T, D, P> = any,
  D extends KernelConstraintData<T, P> = any,
  P extends Pose = any,
> extends Constraint<T, D, P> {
  /** The skeleton whose rows hold the poses. @internal */
  readonly _skeleton: Skeleton;
  /** Index in the constraints of the data. @internal */
  readonly _index: number;

  /** @internal */
  constructor(data: D, skeleton: Skeleton) {
    if (data == null) throw new ArgumentError("The data of a constraint are missing.");
    if (skeleton == null) throw new ArgumentError(`The skeleton of constraint "${data.name}" is missing.`);
    const index = indexOf(data, skeleton);
    const row = skeleton._shape.constraintRow(index);
    super(data, poseOf(data, skeleton, row), poseOf(data, skeleton, row + skeleton._shape.rows));
    this._skeleton = skeleton;
    this._index = index;
  }

  /** Applies the constraint alone. `Skeleton.updateWorldTransform` does it for all in one kernel call. */
  override update(skeleton: Skeleton, physics: Physics): void {
    runConstraint(skeleton, this, physics);
  }

  /** Whether kernels solve this constraint; a class that overrides `update` is called instead. @internal */
  get _isKernel(): boolean {
    return this.update === KernelConstraint.prototype.update;
  }

  /** Writes the operation of this constraint. @internal */
  abstract _emit(code: CodeWriter): void;

  /** Whether the constraint does in TypeScript what follows its operation. @internal */
  get _needsCall(): boolean {
    return false;
  }

  /** What TypeScript does behind the operation. @internal */
  _call(_skeleton: Skeleton): void {}

  /** Indices of the bones that the constraint may modify. @internal */
  abstract _modifiedBones(): readonly number[];

  /** What the constraint refers to was replaced: the program follows, the order of updates stays. @internal */
  protected _changed(): void {
    recompileSkeleton(this._skeleton);
  }
}

function indexOf(data: KernelConstraintData, skeleton: Skeleton): number {
  const { constraints } = skeleton.data;
  const next = skeleton.constraints.length;
  const index = constraints[next] === data ? next : constraints.indexOf(data);
  if (index < 0) {
    throw new ArgumentError(
      `Constraint "${data.name}" is not among the constraints of the skeleton's data. Add it to SkeletonData.constraints before the first skeleton is made.`,
      { found: data.name },
    );
  }
  return index;
}

function poseOf<P extends Pose>(data: KernelConstraintData<any, P>, store: PoseStore, row: number): P {
  return data._poseIn(store, row)!;
}

/** The bone of a skeleton that belongs to data. @throws ArgumentError if there is none @internal */
export function boneOf(skeleton: Skeleton, data: BoneData | null | undefined, what: string): Bone {
  const bone = data == null ? undefined : skeleton.bones[data.index];
  if (bone === undefined) throw new ArgumentError(`${what} is ${data == null ? "missing" : `"${data.name}", which is not a bone of the skeleton`}.`);
  return bone;
}

/** The poses that a constraint may modify. @internal */
export function constrainedPoses(skeleton: Skeleton, bones: readonly BoneData[], name: string): BonePose[] {
  return bones.map((data) => boneOf(skeleton, data, `A bone of constraint "${name}"`)._constrained);
}

/** @internal */
export function indicesOf(poses: readonly BonePose[]): number[] {
  return poses.map((pose) => pose.bone.data.index);
}
