import { IkRow } from "../../../assembly/layout/rig2d.js";
import type { Pose } from "../model/posed.js";
import type { PoseStore } from "../pose-store.js";
import { RowPose } from "./row-pose.js";

/** Values of an IK constraint. */
export class IkConstraintPose extends RowPose implements Pose {
  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    super(store, row, 5);
  }

  /**
   * 0..1: how much of the constrained rotation is taken. With two bones whose parent has two different scales the child's
   * local y becomes 0.
   */
  get mix(): number {
    return this._float(IkRow.MIX);
  }
  set mix(value: number) {
    this._setFloat(IkRow.MIX, value);
  }

  /**
   * Two bones: distance from full reach, in world units, at which the bones begin to slow down. They are straight only
   * that far beyond it.
   */
  get softness(): number {
    return this._float(IkRow.SOFTNESS);
  }
  set softness(value: number) {
    this._setFloat(IkRow.SOFTNESS, value);
  }

  /** Two bones: 1 or -1. */
  get bendDirection(): number {
    return this._int(IkRow.BEND);
  }
  set bendDirection(value: number) {
    this._setInt(IkRow.BEND, value);
  }

  /** One bone: whether the bone is scaled down to end at a target that is too close. */
  get compress(): boolean {
    return this._int(IkRow.COMPRESS) !== 0;
  }
  set compress(value: boolean) {
    this._setInt(IkRow.COMPRESS, value ? 1 : 0);
  }

  /**
   * Whether the (parent) bone is scaled up to reach a target that is too far. With two bones the child's local y becomes
   * 0, and nothing is stretched if softness is above 0 or the parent has two different scales.
   */
  get stretch(): boolean {
    return this._int(IkRow.STRETCH) !== 0;
  }
  set stretch(value: boolean) {
    this._setInt(IkRow.STRETCH, value ? 1 : 0);
  }

  /** Takes over the values of another pose. */
  set(pose: IkConstraintPose): void {
    this.mix = pose.mix;
    this.softness = pose.softness;
    this.bendDirection = pose.bendDirection;
    this.compress = pose.compress;
    this.stretch = pose.stretch;
  }
}
