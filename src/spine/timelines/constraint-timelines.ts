import { ChannelFlag, ChannelRule, IkRow, PathRow, SliderRow, TargetKind, TransformRow } from "../../../assembly/layout/rig2d.js";
import type { ChannelSink } from "../compile/channel-sink.js";
import { CurveTimeline } from "./curve-timeline.js";
import { CurveTimeline1 } from "./curve-timeline1.js";
import { Property, TimelineKind } from "./property.js";
import type { Timeline } from "./timeline.js";

/** A timeline that changes a constraint. */
export interface ConstraintTimeline {
  /** The index of the constraint in `Skeleton.constraints` that is changed, or -1 if it is not a specific one. */
  constraintIndex: number;
}

/** Whether a timeline changes a constraint. */
export function isConstraintTimeline(timeline: object): timeline is Timeline & ConstraintTimeline {
  return typeof (timeline as { constraintIndex?: unknown }).constraintIndex === "number";
}

/** The base class for timelines that change 1 constraint property with a curve. */
export abstract class ConstraintTimeline1 extends CurveTimeline1 implements ConstraintTimeline {
  readonly constraintIndex: number;

  constructor(frameCount: number, bezierCount: number, constraintIndex: number, property: Property | number) {
    super(frameCount, bezierCount, `${property}|${constraintIndex}`);
    this.constraintIndex = constraintIndex;
  }
}

/** Changes mix, softness, bendDirection, compress and stretch of an IkConstraintPose. */
export class IkConstraintTimeline extends CurveTimeline implements ConstraintTimeline {
  static readonly ENTRIES = 6;
  readonly constraintIndex: number;

  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, `${Property.IK_CONSTRAINT}|${constraintIndex}`);
    this.constraintIndex = constraintIndex;
  }

  override getFrameEntries(): number {
    return 6;
  }

  /** Mix and softness; the others are flags. */
  override get _components(): number {
    return 2;
  }

  /**
   * Sets a frame.
   * @param time - seconds
   * @param mix - 0..1
   * @param softness - world units
   * @param bendDirection - 1 or -1
   */
  setFrame(
    frame: number,
    time: number,
    mix: number,
    softness: number,
    bendDirection: number,
    compress: boolean,
    stretch: boolean,
  ): void {
    this._edit(frame);
    this._frames.set([time, mix, softness, bendDirection, compress ? 1 : 0, stretch ? 1 : 0], frame * 6);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    const index = this.constraintIndex;
    const weighted = ChannelRule.ABSOLUTE | ChannelFlag.IGNORES_ADD;
    sink.curve(this, TargetKind.CONSTRAINT, index, IkRow.MIX, 0, weighted);
    sink.curve(this, TargetKind.CONSTRAINT, index, IkRow.SOFTNESS, 1, weighted);
    sink.stepped(this, TargetKind.CONSTRAINT, index, IkRow.BEND, 3, ChannelRule.IK_FLAG);
    sink.stepped(this, TargetKind.CONSTRAINT, index, IkRow.COMPRESS, 4, ChannelRule.IK_FLAG);
    sink.stepped(this, TargetKind.CONSTRAINT, index, IkRow.STRETCH, 5, ChannelRule.IK_FLAG);
  }
}

/** Changes the six mixes of a TransformConstraintPose. */
export class TransformConstraintTimeline extends CurveTimeline implements ConstraintTimeline {
  static readonly ENTRIES = 7;
  readonly constraintIndex: number;

  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, `${Property.TRANSFORM_CONSTRAINT}|${constraintIndex}`);
    this.constraintIndex = constraintIndex;
    this.additive = true;
  }

  override getFrameEntries(): number {
    return 7;
  }

  /** Sets the time in seconds and the mixes of a frame. */
  setFrame(
    frame: number,
    time: number,
    mixRotate: number,
    mixX: number,
    mixY: number,
    mixScaleX: number,
    mixScaleY: number,
    mixShearY: number,
  ): void {
    this._edit(frame);
    this._frames.set([time, mixRotate, mixX, mixY, mixScaleX, mixScaleY, mixShearY], frame * 7);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    for (let i = 0; i < 6; i++) {
      sink.curve(this, TargetKind.CONSTRAINT, this.constraintIndex, TransformRow.MIX_ROTATE + i, i, ChannelRule.ABSOLUTE);
    }
  }
}

/** Changes mixRotate, mixX and mixY of a PathConstraintPose. Adds when `add` is set, although `additive` is false. */
export class PathConstraintMixTimeline extends CurveTimeline implements ConstraintTimeline {
  static readonly ENTRIES = 4;
  readonly constraintIndex: number;

  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, `${Property.PATH_MIX}|${constraintIndex}`);
    this.constraintIndex = constraintIndex;
  }

  override getFrameEntries(): number {
    return 4;
  }

  /** Sets the time in seconds and the mixes of a frame. */
  setFrame(frame: number, time: number, mixRotate: number, mixX: number, mixY: number): void {
    this._edit(frame);
    this._frames.set([time, mixRotate, mixX, mixY], frame * 4);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    for (let i = 0; i < 3; i++) {
      sink.curve(this, TargetKind.CONSTRAINT, this.constraintIndex, PathRow.MIX_ROTATE + i, i, ChannelRule.ABSOLUTE);
    }
  }
}

abstract class Single extends ConstraintTimeline1 {
  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  /** Row of the property in its constraint. */
  abstract get _row(): number;

  get _flags(): number {
    return 0;
  }

  override _channels(sink: ChannelSink): void {
    sink.curve(this, TargetKind.CONSTRAINT, this.constraintIndex, this._row, 0, ChannelRule.ABSOLUTE | this._flags);
  }
}

/** Changes `PathConstraintPose.position`. */
export class PathConstraintPositionTimeline extends Single {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PATH_POSITION);
    this.additive = true;
  }

  get _row(): number {
    return PathRow.POSITION;
  }
}

/** Changes `PathConstraintPose.spacing`. */
export class PathConstraintSpacingTimeline extends Single {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.PATH_SPACING);
  }

  get _row(): number {
    return PathRow.SPACING;
  }

  override get _flags(): number {
    return ChannelFlag.IGNORES_ADD;
  }
}

/** Changes `SliderPose.time`. Adds when `add` is set, although `additive` is false. */
export class SliderTimeline extends Single {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.SLIDER_TIME);
  }

  get _row(): number {
    return SliderRow.TIME;
  }
}

/** Changes `SliderPose.mix`. */
export class SliderMixTimeline extends Single {
  constructor(frameCount: number, bezierCount: number, constraintIndex: number) {
    super(frameCount, bezierCount, constraintIndex, Property.SLIDER_MIX);
    this.additive = true;
  }

  get _row(): number {
    return SliderRow.MIX;
  }
}
