import { TransformProperty } from "../../../assembly/layout/update.js";
import { edits } from "../edits.js";
import type { BonePose } from "../model/bone-pose.js";
import type { Skeleton } from "../model/skeleton.js";
import { writeProperty } from "../update/write-property.js";
import type { TransformConstraintPose } from "./transform-constraint-pose.js";

/** A property of the bones of a transform constraint. */
export abstract class ToProperty {
  #offset = 0;
  #max = 0;
  #scale = 0;

  /** The value of this property that corresponds to `FromProperty.offset`. */
  get offset(): number {
    return this.#offset;
  }
  set offset(value: number) {
    this.#offset = value;
    edits.properties++;
  }

  /** The other end of the range if the constraint clamps. */
  get max(): number {
    return this.#max;
  }
  set max(value: number) {
    this.#max = value;
    edits.properties++;
  }

  /** Units of this property per unit of the source's. */
  get scale(): number {
    return this.#scale;
  }
  set scale(value: number) {
    this.#scale = value;
    edits.properties++;
  }

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
