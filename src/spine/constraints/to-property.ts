import { TransformProperty } from "../../../assembly/layout/update.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import { writeProperty } from "../update/write-property.js";
import type { TransformConstraintPose } from "./transform-constraint-pose.js";

/** A property of the bones of a transform constraint. */
export abstract class ToProperty {
  /** The value of this property that corresponds to `FromProperty.offset`. */
  offset = 0;
  /** The other end of the range if the constraint clamps. */
  max = 0;
  /** Units of this property per unit of the source's. */
  scale = 0;

  /** @internal */
  abstract readonly _property: TransformProperty;

  /** The mix of this property. */
  abstract mix(pose: TransformConstraintPose): number;

  /**
   * Applies a value to a bone.
   * @param local - whether the local value is changed instead of the world value
   * @param additive - whether the value is added
   */
  apply(
    skeleton: Skeleton,
    pose: TransformConstraintPose,
    bone: BonePose,
    value: number,
    local: boolean,
    additive: boolean,
  ): void {
    writeProperty(skeleton, bone, this._property, value, this.mix(pose), local, additive);
  }
}

/** Changes rotation. */
export class ToRotate extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.ROTATE;

  mix(pose: TransformConstraintPose): number {
    return pose.mixRotate;
  }
}

/** Changes x. */
export class ToX extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.X;

  mix(pose: TransformConstraintPose): number {
    return pose.mixX;
  }
}

/** Changes y. */
export class ToY extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.Y;

  mix(pose: TransformConstraintPose): number {
    return pose.mixY;
  }
}

/** Changes scaleX. */
export class ToScaleX extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_X;

  mix(pose: TransformConstraintPose): number {
    return pose.mixScaleX;
  }
}

/** Changes scaleY. */
export class ToScaleY extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.SCALE_Y;

  mix(pose: TransformConstraintPose): number {
    return pose.mixScaleY;
  }
}

/** Changes shearY. */
export class ToShearY extends ToProperty {
  /** @internal */
  readonly _property = TransformProperty.SHEAR_Y;

  mix(pose: TransformConstraintPose): number {
    return pose.mixShearY;
  }
}
