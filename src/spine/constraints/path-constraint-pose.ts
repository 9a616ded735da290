import { PathRow } from "../../../assembly/layout/rig2d.js";
import type { Pose } from "../model/posed.js";
import type { PoseStore } from "../pose-store.js";
import { RowPose } from "./row-pose.js";

/** Values of a path constraint. */
export class PathConstraintPose extends RowPose implements Pose {
  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    super(store, row, 5);
  }

  /** Where the first bone is on the path: a distance, or 0..1 of its length, as `PathConstraintData.positionMode` says. */
  get position(): number {
    return this._float(PathRow.POSITION);
  }
  set position(value: number) {
    this._setFloat(PathRow.POSITION, value);
  }

  /** Distance between bones, as `PathConstraintData.spacingMode` says. */
  get spacing(): number {
    return this._float(PathRow.SPACING);
  }
  set spacing(value: number) {
    this._setFloat(PathRow.SPACING, value);
  }

  /** Mix of rotation, 0..1. */
  get mixRotate(): number {
    return this._float(PathRow.MIX_ROTATE);
  }
  set mixRotate(value: number) {
    this._setFloat(PathRow.MIX_ROTATE, value);
  }

  /** Mix of world x, 0..1. */
  get mixX(): number {
    return this._float(PathRow.MIX_X);
  }
  set mixX(value: number) {
    this._setFloat(PathRow.MIX_X, value);
  }

  /** Mix of world y, 0..1. */
  get mixY(): number {
    return this._float(PathRow.MIX_Y);
  }
  set mixY(value: number) {
    this._setFloat(PathRow.MIX_Y, value);
  }

  /** Takes over the values of another pose. */
  set(pose: PathConstraintPose): void {
    this.position = pose.position;
    this.spacing = pose.spacing;
    this.mixRotate = pose.mixRotate;
    this.mixX = pose.mixX;
    this.mixY = pose.mixY;
  }
}
