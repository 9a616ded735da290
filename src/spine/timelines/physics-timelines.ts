import { ChannelFlag, ChannelRule, PhysicsRow, TargetKind } from "../../../assembly/layout/rig2d.js";
import type { ChannelSink } from "../compile/channel-sink.js";
import type { PhysicsConstraintData } from "../constraints/physics-constraint-data.js";
import type { PhysicsConstraintPose } from "../constraints/physics-constraint-pose.js";
import { type ConstraintTimeline, ConstraintTimeline1 } from "./constraint-timelines.js";
import { Property, TimelineKind } from "./property.js";
import { Timeline } from "./timeline.js";

/**
 * The base class for most PhysicsConstraint timelines. With constraintIndex -1 it changes every active physics constraint
 * whose data has the property's "global" flag.
 */
export abstract class PhysicsConstraintTimeline extends ConstraintTimeline1 {
  /** The property of a pose, in the unit of the timeline's values. */
  abstract get(pose: PhysicsConstraintPose): number;

  abstract set(pose: PhysicsConstraintPose, value: number): void;

  /** Whether a timeline for all constraints changes the ones with this data. */
  abstract global(data: PhysicsConstraintData): boolean;

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  abstract get _row(): number;

  get _rule(): number {
    return ChannelRule.ABSOLUTE;
  }

  override _channels(sink: ChannelSink): void {
    const rule = this._rule | (this.additive ? 0 : ChannelFlag.IGNORES_ADD);
    if (this.constraintIndex >= 0) {
      sink.curve(this, TargetKind.CONSTRAINT, this.constraintIndex, this._row, 0, rule);
      return;
    }
    for (const index of sink.physicsConstraints((data) => this.global(data))) {
      sink.curve(this, TargetKind.CONSTRAINT, index, this._row, 0, rule);
    }
  }
}

/** Changes `PhysicsConstraintPose.inertia`. */
export class PhysicsConstraintInertiaTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_INERTIA);
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.inertia;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.inertia = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.inertiaGlobal;
  }

  get _row(): number {
    return PhysicsRow.INERTIA;
  }
}

/** Changes `PhysicsConstraintPose.strength`. */
export class PhysicsConstraintStrengthTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_STRENGTH);
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.strength;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.strength = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.strengthGlobal;
  }

  get _row(): number {
    return PhysicsRow.STRENGTH;
  }
}

/** Changes `PhysicsConstraintPose.damping`. */
export class PhysicsConstraintDampingTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_DAMPING);
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.damping;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.damping = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.dampingGlobal;
  }

  get _row(): number {
    return PhysicsRow.DAMPING;
  }
}

/** Changes `PhysicsConstraintPose.massInverse`. The timeline values are not inverted. */
export class PhysicsConstraintMassTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_MASS);
  }

  get(pose: PhysicsConstraintPose): number {
    return 1 / pose.massInverse;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.massInverse = 1 / value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.massGlobal;
  }

  get _row(): number {
    return PhysicsRow.MASS_INVERSE;
  }

  override get _rule(): number {
    return ChannelRule.MASS;
  }
}

/** Changes `PhysicsConstraintPose.wind`. */
export class PhysicsConstraintWindTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_WIND);
    this.additive = true;
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.wind;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.wind = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.windGlobal;
  }

  get _row(): number {
    return PhysicsRow.WIND;
  }
}

/** Changes `PhysicsConstraintPose.gravity`. */
export class PhysicsConstraintGravityTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_GRAVITY);
    this.additive = true;
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.gravity;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.gravity = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.gravityGlobal;
  }

  get _row(): number {
    return PhysicsRow.GRAVITY;
  }
}

/** Changes `PhysicsConstraintPose.mix`. */
export class PhysicsConstraintMixTimeline extends PhysicsConstraintTimeline {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PHYSICS_MIX);
  }

  get(pose: PhysicsConstraintPose): number {
    return pose.mix;
  }

  set(pose: PhysicsConstraintPose, value: number): void {
    pose.mix = value;
  }

  global(data: PhysicsConstraintData): boolean {
    return data.mixGlobal;
  }

  get _row(): number {
    return PhysicsRow.MIX;
  }
}

/** Resets a physics constraint, or with index -1 all of them, when specific animation times are reached. */
export class PhysicsConstraintResetTimeline extends Timeline implements ConstraintTimeline {
  static readonly ENTRIES = 1;
  static readonly propertyIds: readonly string[] = ["28"];
  readonly constraintIndex: number;

  constructor(frameCount: number, constraintIndex: number) {
    super(frameCount, String(Property.PHYSICS_RESET));
    this.constraintIndex = constraintIndex;
    this.instant = true;
  }

  /** Sets the time of a frame, in seconds. */
  setFrame(frame: number, time: number): void {
    this._edit(frame);
    this._frames[frame] = time;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.RESET;
  }
}
