import { UpdateOp } from "../../../assembly/layout/update.js";
import { ArgumentError } from "../../errors.js";
import { rig2d } from "../../wasm/rig2d.js";
import { ScaleYMode } from "../enums.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Bone } from "../model/bone.js";
import type { Skeleton } from "../model/skeleton.js";
import { addressOfBone } from "../update/bone-address.js";
import type { CodeWriter } from "../update/code-writer.js";
import { markConstrained, placeBone, unplaceBones } from "../update/sort.js";
import type { IkConstraintData } from "./ik-constraint-data.js";
import type { IkConstraintPose } from "./ik-constraint-pose.js";
import { boneOf, constrainedPoses, indicesOf, KernelConstraint } from "./kernel-constraint.js";

/** Turns one or two bones so that the tip of the last comes as close to the target as it can. */
export class IkConstraint extends KernelConstraint<IkConstraint, IkConstraintData, IkConstraintPose> {
  /** The poses of the one or two bones that are turned. */
  readonly bones: BonePose[];
  #target: Bone;

  constructor(data: IkConstraintData, skeleton: Skeleton) {
    super(data, skeleton);
    this.bones = constrainedPoses(skeleton, data.bones, data.name);
    this.#target = boneOf(skeleton, data.target, `The target of IK constraint "${data.name}"`);
  }

  /** The bone whose world position is aimed at. */
  get target(): Bone {
    return this.#target;
  }
  set target(value: Bone) {
    this.#target = value;
    this._changed();
  }

  override copy(skeleton: Skeleton): IkConstraint {
    const copy = new IkConstraint(this.data, skeleton);
    copy.pose.set(this.pose);
    return copy;
  }

  override isSourceActive(): boolean {
    return this.#target.active;
  }

  override sort(skeleton: Skeleton): void {
    const parent = this.bones[0]?.bone;
    if (parent === undefined) return;
    placeBone(skeleton, this.#target);
    placeBone(skeleton, parent);
    skeleton._updateCache.push(this);
    parent.sorted = false;
    unplaceBones(parent.children);
    markConstrained(skeleton, parent);
    if (this.bones.length > 1) markConstrained(skeleton, this.bones[1]!.bone);
  }

  /** @internal */
  override _emit(code: CodeWriter): void {
    const { bones } = this;
    if (bones.length !== 1 && bones.length !== 2) return;
    code.op(UpdateOp.IK);
    code.constraint(this);
    code.word(this.#target.data.index);
    code.word(bones[0]!.bone.data.index);
    code.word(bones.length === 2 ? bones[1]!.bone.data.index : -1);
  }

  /** @internal */
  override _modifiedBones(): readonly number[] {
    return indicesOf(this.bones);
  }

  /**
   * Turns one bone towards a point of the world.
   * @param compress - scale the bone down if the point is too close
   * @param stretch - scale the bone up if the point is too far
   * @param scaleY - how scaleY follows; a boolean says whether both axes are scaled alike
   * @param mix - 0..1
   */
  static override apply(
    skeleton: Skeleton,
    bone: BonePose,
    targetX: number,
    targetY: number,
    compress: boolean,
    stretch: boolean,
    scaleY: ScaleYMode | boolean,
    mix: number,
  ): void;
  /**
   * Turns two bones so that the child's tip comes as close to a point of the world as it can.
   * @param child - a child of `parent`
   * @param bendDir - 1 or -1
   * @param stretch - scale the parent up if the point is too far
   * @param scaleY - how scaleY follows; a boolean says whether both axes are scaled alike
   * @param softness - distance from full reach, in world units, at which the bones begin to slow down
   * @param mix - 0..1
   */
  static override apply(
    skeleton: Skeleton,
    parent: BonePose,
    child: BonePose,
    targetX: number,
    targetY: number,
    bendDir: number,
    stretch: boolean,
    scaleY: ScaleYMode | boolean,
    softness: number,
    mix: number,
  ): void;
  static override apply(skeleton: Skeleton, bone: BonePose, third: number | BonePose, ...rest: (number | boolean)[]): void {
    skeleton._assertAlive();
    skeleton._writeScale();
    const first = addressOfBone(skeleton, bone);
    if (typeof third === "number") {
      const [targetY, compress, stretch, scaleY, mix] = rest;
      checkPoint(third, targetY as number);
      rig2d.kernels.applyOneBoneIk(
        skeleton._program, skeleton._block, first, bone.bone.data.index, third, targetY as number, compress ? 1 : 0,
        stretch ? 1 : 0, Number(scaleY), mix as number,
      );
      return;
    }
    const [targetX, targetY, bendDir, stretch, scaleY, softness, mix] = rest;
    checkPoint(targetX as number, targetY as number);
    rig2d.kernels.applyTwoBoneIk(
      skeleton._program, skeleton._block, first, bone.bone.data.index, addressOfBone(skeleton, third), third.bone.data.index,
      targetX as number, targetY as number, bendDir as number, stretch ? 1 : 0, Number(scaleY), softness as number,
      mix as number,
    );
  }
}

function checkPoint(x: number, y: number): void {
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    throw new ArgumentError(`The target is (${x}, ${y}), expected finite numbers.`, { found: [x, y] });
  }
}
