import { PhysicsRow } from "../../../assembly/layout/rig2d.js";
import type { Pose } from "../model/posed.js";
import type { PoseStore } from "../pose-store.js";
import { RowPose } from "./row-pose.js";

/** Values of a physics constraint. */
export class PhysicsConstraintPose extends RowPose implements Pose {
  constructor();
  /** @internal */
  constructor(store: PoseStore, row: number);
  constructor(store?: PoseStore, row = 0) {
    super(store, row, 7);
  }

  /** How much of the bone's movement becomes physics movement. */
  get inertia(): number {
    return this._float(PhysicsRow.INERTIA);
  }
  set inertia(value: number) {
    this._setFloat(PhysicsRow.INERTIA, value);
  }

  /** Force that pulls back to the unconstrained value. */
  get strength(): number {
    return this._float(PhysicsRow.STRENGTH);
  }
  set strength(value: number) {
    this._setFloat(PhysicsRow.STRENGTH, value);
  }

  /** Share of the speed that is left after 1/60 of a second. */
  get damping(): number {
    return this._float(PhysicsRow.DAMPING);
  }
  set damping(value: number) {
    this._setFloat(PhysicsRow.DAMPING, value);
  }

  /** 1 / mass: how easily the bone accelerates. */
  get massInverse(): number {
    return this._float(PhysicsRow.MASS_INVERSE);
  }
  set massInverse(value: number) {
    this._setFloat(PhysicsRow.MASS_INVERSE, value);
  }

  /** Constant force along the skeleton's wind vector. */
  get wind(): number {
    return this._float(PhysicsRow.WIND);
  }
  set wind(value: number) {
    this._setFloat(PhysicsRow.WIND, value);
  }

  /** Constant force along the skeleton's gravity vector. */
  get gravity(): number {
    return this._float(PhysicsRow.GRAVITY);
  }
  set gravity(value: number) {
    this._setFloat(PhysicsRow.GRAVITY, value);
  }

  /** How much of the physics pose is applied; 0 stops the simulation. */
  get mix(): number {
    return this._float(PhysicsRow.MIX);
  }
  set mix(value: number) {
    this._setFloat(PhysicsRow.MIX, value);
  }

  /** Takes over the values of another pose. */
  set(pose: PhysicsConstraintPose): void {
    this.inertia = pose.inertia;
    this.strength = pose.strength;
    this.damping = pose.damping;
    this.massInverse = pose.massInverse;
    this.wind = pose.wind;
    this.gravity = pose.gravity;
    this.mix = pose.mix;
  }
}
