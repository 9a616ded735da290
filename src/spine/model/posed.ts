import type { Physics } from "../enums.js";
import type { Skeleton } from "./skeleton.js";

/** The values of a posed object. */
export interface Pose {
  /** Takes over the values of another pose of the same kind. */
  set(pose: this): void;
}

/** Something that `Skeleton.updateWorldTransform` updates. */
export interface Update {
  update(skeleton: Skeleton, physics: Physics): void;
}

/** Base of setup data. Shared by all instances. */
export abstract class PosedData<P extends Pose = Pose> {
  /** Unique within the skeleton, among objects of its kind. */
  readonly name: string;
  /** The values of the setup pose, which most animations are relative to. */
  readonly setupPose: P;
  /** True if the object is only active while the skeleton's skin contains it. */
  skinRequired = false;

  constructor(name: string, setupPose: P) {
    this.name = name;
    this.setupPose = setupPose;
  }
}

/**
 * Base of objects with several poses: `data.setupPose`, the unconstrained `pose` that animations and applications write,
 * and the `appliedPose` that is rendered.
 */
export abstract class Posed<D extends PosedData<P> = any, P extends Pose = any> {
  readonly data: D;
  /** The unconstrained pose, set by animations and application code. */
  readonly pose: P;
  /** @internal Copy of `pose` that constraints may modify. */
  readonly _constrained: P;
  /** The pose to render: `pose` itself, or its constrained copy if a constraint can modify it. */
  appliedPose: P;

  constructor(data: D, pose: P, constrained: P) {
    if (data == null) throw new TypeError("data cannot be null.");
    this.data = data;
    this.pose = pose;
    this._constrained = constrained;
    this.appliedPose = pose;
  }

  /** Sets the unconstrained pose to the setup pose. */
  setupPose(): void {
    this.pose.set(this.data.setupPose);
  }

  getData(): D {
    return this.data;
  }

  getPose(): P {
    return this.pose;
  }

  getAppliedPose(): P {
    return this.appliedPose;
  }

  /** The constrained copy. */
  get constrainedPose(): P {
    return this._constrained;
  }

  /** Makes `pose` the applied pose. @internal */
  unconstrained(): void {
    this.appliedPose = this.pose;
  }

  /** Makes the constrained copy the applied pose. @internal */
  constrained(): void {
    this.appliedPose = this._constrained;
  }

  /** Copies `pose` to the constrained copy. @internal */
  resetConstrained(): void {
    this._constrained.set(this.pose);
  }
}

/** A posed object that may be active or not. */
export abstract class PosedActive<D extends PosedData<P> = any, P extends Pose = any> extends Posed<D, P> {
  /** False while a skin is required that the skeleton's skin does not contain. Set by `Skeleton.updateCache`. */
  active = false;

  constructor(data: D, pose: P, constrained: P) {
    super(data, pose, constrained);
    this.setupPose();
  }

  /** See `active`. */
  isActive(): boolean {
    return this.active;
  }
}
