import { BoneRow, ChannelRule, TargetKind } from "../../../assembly/layout/rig2d.js";
import type { ChannelSink } from "../compile/channel-sink.js";
import type { Inherit } from "../enums.js";
import { CurveTimeline } from "./curve-timeline.js";
import { CurveTimeline1 } from "./curve-timeline1.js";
import { Property, TimelineKind } from "./property.js";
import { Timeline } from "./timeline.js";

/** A timeline that changes a bone's properties. */
export interface BoneTimeline {
  /** The index of the bone in `Skeleton.bones` that is changed by this timeline. */
  boneIndex: number;
}

/** Whether a timeline changes a bone. */
export function isBoneTimeline(timeline: object): timeline is Timeline & BoneTimeline {
  return typeof (timeline as { boneIndex?: unknown }).boneIndex === "number";
}

/** The base class for timelines that change 1 bone property with a curve. */
export abstract class BoneTimeline1 extends CurveTimeline1 implements BoneTimeline {
  readonly boneIndex: number;

  constructor(frameCount: number, bezierCount: number, boneIndex: number, property: Property | number) {
    super(frameCount, bezierCount, `${property}|${boneIndex}`);
    this.boneIndex = boneIndex;
    this.additive = true;
  }
}

/** The base class for timelines that change two bone properties with a curve. */
export abstract class BoneTimeline2 extends CurveTimeline implements BoneTimeline {
  static readonly ENTRIES: number = 3;
  readonly boneIndex: number;

  constructor(
    frameCount: number,
    bezierCount: number,
    boneIndex: number,
    property1: Property | number,
    property2: Property | number,
  ) {
    super(frameCount, bezierCount, `${property1}|${boneIndex}`, `${property2}|${boneIndex}`);
    this.boneIndex = boneIndex;
    this.additive = true;
  }

  override getFrameEntries(): number {
    return 3;
  }

  /** Sets the time in seconds and the values of a frame. */
  setFrame(frame: number, time: number, value1: number, value2: number): void {
    this._edit(frame);
    const i = frame * 3;
    this._frames[i] = time;
    this._frames[i + 1] = value1;
    this._frames[i + 2] = value2;
  }
}

/** Changes `BonePose.inherit`. */
export class InheritTimeline extends Timeline implements BoneTimeline {
  static readonly ENTRIES = 2;
  readonly boneIndex: number;

  constructor(frameCount: number, boneIndex: number) {
    super(frameCount, `${Property.INHERIT}|${boneIndex}`);
    this.boneIndex = boneIndex;
    this.instant = true;
  }

  override getFrameEntries(): number {
    return 2;
  }

  /** Sets the inherit mode of a frame. */
  setFrame(frame: number, time: number, inherit: Inherit): void {
    this._edit(frame);
    this._frames[frame * 2] = time;
    this._frames[frame * 2 + 1] = inherit;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    sink.stepped(this, TargetKind.BONE, this.boneIndex, BoneRow.INHERIT, 1, ChannelRule.INHERIT);
  }
}

abstract class Relative1 extends BoneTimeline1 {
  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  abstract get _row(): number;

  override _channels(sink: ChannelSink): void {
    sink.curve(this, TargetKind.BONE, this.boneIndex, this._row, 0, ChannelRule.RELATIVE);
  }
}

abstract class Scale1 extends BoneTimeline1 {
  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  abstract get _row(): number;

  override _channels(sink: ChannelSink): void {
    sink.curve(this, TargetKind.BONE, this.boneIndex, this._row, 0, ChannelRule.SCALE);
  }
}

abstract class Pair extends BoneTimeline2 {
  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  /** Row of the first property; the second one follows. */
  abstract get _row(): number;

  abstract get _rule(): ChannelRule;

  override _channels(sink: ChannelSink): void {
    sink.curve(this, TargetKind.BONE, this.boneIndex, this._row, 0, this._rule);
    sink.curve(this, TargetKind.BONE, this.boneIndex, this._row + 1, 1, this._rule);
  }
}

/** Changes `BonePose.rotation`. Values are degrees relative to the setup rotation; nothing is wrapped here. */
export class RotateTimeline extends Relative1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.ROTATE);
  }

  get _row(): number {
    return BoneRow.ROTATION;
  }
}

/** Changes `BonePose.x` and `BonePose.y`. */
export class TranslateTimeline extends Pair {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.X, Property.Y);
  }

  get _row(): number {
    return BoneRow.X;
  }

  get _rule(): ChannelRule {
    return ChannelRule.RELATIVE;
  }
}

/** Changes `BonePose.x`. */
export class TranslateXTimeline extends Relative1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.X);
  }

  get _row(): number {
    return BoneRow.X;
  }
}

/** Changes `BonePose.y`. */
export class TranslateYTimeline extends Relative1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.Y);
  }

  get _row(): number {
    return BoneRow.Y;
  }
}

/** Changes `BonePose.scaleX` and `BonePose.scaleY`. Values are factors on the setup scale. */
export class ScaleTimeline extends Pair {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SCALE_X, Property.SCALE_Y);
  }

  get _row(): number {
    return BoneRow.SCALE_X;
  }

  get _rule(): ChannelRule {
    return ChannelRule.SCALE;
  }
}

/** Changes `BonePose.scaleX`. */
export class ScaleXTimeline extends Scale1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SCALE_X);
  }

  get _row(): number {
    return BoneRow.SCALE_X;
  }
}

/** Changes `BonePose.scaleY`. */
export class ScaleYTimeline extends Scale1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SCALE_Y);
  }

  get _row(): number {
    return BoneRow.SCALE_Y;
  }
}

/** Changes `BonePose.shearX` and `BonePose.shearY`. */
export class ShearTimeline extends Pair {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SHEAR_X, Property.SHEAR_Y);
  }

  get _row(): number {
    return BoneRow.SHEAR_X;
  }

  get _rule(): ChannelRule {
    return ChannelRule.RELATIVE;
  }
}

/** Changes `BonePose.shearX`. */
export class ShearXTimeline extends Relative1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SHEAR_X);
  }

  get _row(): number {
    return BoneRow.SHEAR_X;
  }
}

/** Changes `BonePose.shearY`. */
export class ShearYTimeline extends Relative1 {
  constructor(frameCount: number, bezierCount: number, boneIndex: number) {
    super(frameCount, bezierCount, boneIndex, Property.SHEAR_Y);
  }

  get _row(): number {
    return BoneRow.SHEAR_Y;
  }
}
