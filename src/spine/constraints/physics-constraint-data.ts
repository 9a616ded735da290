import { PHYSICS_RECORD_BYTES, PhysicsField } from "../../../assembly/layout/update.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { BoneData } from "../data/bone-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import { ScaleYMode } from "../enums.js";
import type { Skeleton } from "../model/skeleton.js";
import type { PoseStore } from "../pose-store.js";
import { KernelConstraintData } from "./kernel-constraint-data.js";
import { PhysicsConstraint } from "./physics-constraint.js";
import { PhysicsConstraintPose } from "./physics-constraint-pose.js";

/** The setup of a physics constraint. */
export class PhysicsConstraintData extends KernelConstraintData<PhysicsConstraint, PhysicsConstraintPose> {
  /** The bone that physics move. */
  bone: BoneData = null!;
  /** Whether timelines for all physics constraints change inertia. */
  inertiaGlobal = false;
  /** Whether timelines for all physics constraints change strength. */
  strengthGlobal = false;
  /** Whether timelines for all physics constraints change damping. */
  dampingGlobal = false;
  /** Whether timelines for all physics constraints change mass. */
  massGlobal = false;
  /** Whether timelines for all physics constraints change wind. */
  windGlobal = false;
  /** Whether timelines for all physics constraints change gravity. */
  gravityGlobal = false;
  /** Whether timelines for all physics constraints change mix. */
  mixGlobal = false;
  #x = 0;
  #y = 0;
  #rotate = 0;
  #scaleX = 0;
  #shearX = 0;
  #limit = 0;
  #step = 0;
  #scaleYMode = ScaleYMode.none;

  constructor(name: string) {
    super(name, new PhysicsConstraintPose()._asSetup());
  }

  /** Influence on world x, 0..1. */
  get x(): number {
    return this.#x;
  }
  set x(value: number) {
    this.#x = value;
    this._touch();
  }

  /** Influence on world y, 0..1. */
  get y(): number {
    return this.#y;
  }
  set y(value: number) {
    this.#y = value;
    this._touch();
  }

  /** Influence on rotation, 0..1. */
  get rotate(): number {
    return this.#rotate;
  }
  set rotate(value: number) {
    this.#rotate = value;
    this._touch();
  }

  /** Influence on scaleX, 0..1. */
  get scaleX(): number {
    return this.#scaleX;
  }
  set scaleX(value: number) {
    this.#scaleX = value;
    this._touch();
  }

  /** Influence on shearX, 0..1. */
  get shearX(): number {
    return this.#shearX;
  }
  set shearX(value: number) {
    this.#shearX = value;
    this._touch();
  }

  /** World units per second: faster movement has no greater effect. */
  get limit(): number {
    return this.#limit;
  }
  set limit(value: number) {
    this.#limit = value;
    this._touch();
  }

  /** Seconds of one step of the simulation. */
  get step(): number {
    return this.#step;
  }
  set step(value: number) {
    this.#step = value;
    this._touch();
  }

  /** How scaleY follows scaleX. */
  get scaleYMode(): ScaleYMode {
    return this.#scaleYMode;
  }
  set scaleYMode(value: ScaleYMode) {
    this.#scaleYMode = Number(value);
    this._touch();
  }

  override create(skeleton: Skeleton): PhysicsConstraint {
    return new PhysicsConstraint(this, skeleton);
  }

  /** @internal */
  override _poseIn(store: PoseStore, row: number): PhysicsConstraintPose {
    return new PhysicsConstraintPose(store, row);
  }

  /** @internal */
  protected override _recordBytes(): number {
    return PHYSICS_RECORD_BYTES;
  }

  /** @internal */
  protected override _writeRecord(record: number, skeletonData: SkeletonData): void {
    const { f32, f64, i32 } = heap;
    // A step that is not positive would never end; 1/60 is the default of the file format.
    const step = this.#step > 0 ? this.#step : 1 / 60;
    f32[(record + PhysicsField.X) >> 2] = this.#x;
    f32[(record + PhysicsField.Y) >> 2] = this.#y;
    f32[(record + PhysicsField.ROTATE) >> 2] = this.#rotate;
    f32[(record + PhysicsField.SCALE_X) >> 2] = this.#scaleX;
    f32[(record + PhysicsField.SHEAR_X) >> 2] = this.#shearX;
    f32[(record + PhysicsField.LIMIT) >> 2] = this.#limit;
    f32[(record + PhysicsField.REFERENCE_SCALE) >> 2] = skeletonData.referenceScale;
    i32[(record + PhysicsField.SCALE_Y) >> 2] = this.#scaleYMode;
    f64[(record + PhysicsField.STEP) >> 3] = step;
    f64[(record + PhysicsField.DAMPING_POWER) >> 3] = 60 * step;
    f32[(record + PhysicsField.STEP_F32) >> 2] = step;
    f64[(record + PhysicsField.STEPS_PER_SECOND) >> 3] = 1 / step;
    // Poses mostly keep the damping of the setup pose, whose power is taken once.
    const { damping } = this.setupPose;
    f32[(record + PhysicsField.SETUP_DAMPING) >> 2] = damping;
    f32[(record + PhysicsField.SETUP_DAMPING_OF_STEP) >> 2] = rig2d.kernels.dampingPower(damping, 60 * step);
  }
}
