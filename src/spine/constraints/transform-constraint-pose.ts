import { TransformRow } from "../../../assembly/layout/rig2d.js";
import type { Pose } from "../model/posed.js";
import type { PoseStore } from "../pose-store.js";
import { RowPose } from "./row-pose.js";

/** Values of a transform constraint. A mix of 0 leaves a property alone; values outside 0..1 go beyond. */
export class TransformConstraintPose extends RowPose implements Pose {
  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    super(store, row, 6);
  }

  /** Mix of rotation. */
  get mixRotate(): number {
    return this._float(TransformRow.MIX_ROTATE);
  }
  set mixRotate(value: number) {
    this._setFloat(TransformRow.MIX_ROTATE, value);
  }

  /** Mix of x. */
  get mixX(): number {
    return this._float(TransformRow.MIX_X);
  }
  set mixX(value: number) {
    this._setFloat(TransformRow.MIX_X, value);
  }

  /** Mix of y. */
  get mixY(): number {
    return this._float(TransformRow.MIX_Y);
  }
  set mixY(value: number) {
    this._setFloat(TransformRow.MIX_Y, value);
  }

  /** Mix of scaleX. */
  get mixScaleX(): number {
    return this._float(TransformRow.MIX_SCALE_X);
  }
  set mixScaleX(value: number) {
    this._setFloat(TransformRow.MIX_SCALE_X, value);
  }

  /** Mix of scaleY. */
  get mixScaleY(): number {
    return this._float(TransformRow.MIX_SCALE_Y);
  }
  set mixScaleY(value: number) {
    this._setFloat(TransformRow.MIX_SCALE_Y, value);
  }

  /** Mix of shearY. */
  get mixShearY(): number {
    return this._float(TransformRow.MIX_SHEAR_Y);
  }
  set mixShearY(value: number) {
    this._setFloat(TransformRow.MIX_SHEAR_Y, value);
  }

  /** Takes over the values of another pose. */
  set(pose: TransformConstraintPose): void {
    this.mixRotate = pose.mixRotate;
    this.mixX = pose.mixX;
    this.mixY = pose.mixY;
    this.mixScaleX = pose.mixScaleX;
    this.mixScaleY = pose.mixScaleY;
    this.mixShearY = pose.mixShearY;
  }
}
