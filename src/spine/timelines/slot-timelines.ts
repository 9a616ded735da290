import { ChannelFlag, ChannelRule, SlotRow, TargetKind } from "../../../assembly/layout/rig2d.js";
import type { ChannelSink } from "../compile/channel-sink.js";
import type { Skeleton } from "../model/skeleton.js";
import type { SlotPose } from "../model/slot-pose.js";
import { CurveTimeline } from "./curve-timeline.js";
import { CurveTimeline1 } from "./curve-timeline1.js";
import { Property, TimelineKind } from "./property.js";
import { type PropertyId, Timeline } from "./timeline.js";

/** A timeline that changes a slot's properties. */
export interface SlotTimeline {
  /** The index of the slot in `Skeleton.slots` that is changed by this timeline. */
  slotIndex: number;
}

/** Whether a timeline changes a slot. */
export function isSlotTimeline(timeline: object): timeline is Timeline & SlotTimeline {
  return typeof (timeline as { slotIndex?: unknown }).slotIndex === "number";
}

/** The base class for timelines that change any number of slot properties with a curve. */
export abstract class SlotCurveTimeline extends CurveTimeline implements SlotTimeline {
  readonly slotIndex: number;

  constructor(frameCount: number, bezierCount: number, slotIndex: number, ...propertyIds: PropertyId[]) {
    super(frameCount, bezierCount, ...propertyIds);
    this.slotIndex = slotIndex;
  }
}

/** Changes `SlotPose.color`. Components are 0..1. */
export class RGBATimeline extends SlotCurveTimeline {
  static readonly ENTRIES = 5;

  constructor(frameCount: number, bezierCount: number, slotIndex: number) {
    super(frameCount, bezierCount, slotIndex, `${Property.RGB}|${slotIndex}`, `${Property.ALPHA}|${slotIndex}`);
  }

  override getFrameEntries(): number {
    return 5;
  }

  /** Sets the time in seconds and the colour of a frame. */
  setFrame(frame: number, time: number, r: number, g: number, b: number, a: number): void {
    this._edit(frame);
    this._frames.set([time, r, g, b, a], frame * 5);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    colors(this, sink, SlotRow.R, 0, 4, ChannelFlag.CLAMPS_BEFORE);
  }
}

/** Changes RGB of a slot's `SlotPose.color`. */
export class RGBTimeline extends SlotCurveTimeline {
  static readonly ENTRIES = 4;

  constructor(frameCount: number, bezierCount: number, slotIndex: number) {
    super(frameCount, bezierCount, slotIndex, `${Property.RGB}|${slotIndex}`);
  }

  override getFrameEntries(): number {
    return 4;
  }

  /** Sets the time in seconds and the colour of a frame. */
  setFrame(frame: number, time: number, r: number, g: number, b: number): void {
    this._edit(frame);
    this._frames.set([time, r, g, b], frame * 4);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    colors(this, sink, SlotRow.R, 0, 3, 0);
  }
}

/** Changes alpha of a slot's `SlotPose.color`. */
export class AlphaTimeline extends CurveTimeline1 implements SlotTimeline {
  readonly slotIndex: number;

  constructor(frameCount: number, bezierCount: number, slotIndex: number) {
    super(frameCount, bezierCount, `${Property.ALPHA}|${slotIndex}`);
    this.slotIndex = slotIndex;
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    colors(this, sink, SlotRow.A, 0, 1, 0);
  }
}

/** Changes `SlotPose.color` and `SlotPose.darkColor` for two-colour tinting. */
export class RGBA2Timeline extends SlotCurveTimeline {
  static readonly ENTRIES = 8;

  constructor(frameCount: number, bezierCount: number, slotIndex: number) {
    super(
      frameCount,
      bezierCount,
      slotIndex,
      `${Property.RGB}|${slotIndex}`,
      `${Property.ALPHA}|${slotIndex}`,
      `${Property.RGB2}|${slotIndex}`,
    );
  }

  override getFrameEntries(): number {
    return 8;
  }

  /** Sets the time in seconds, the light and the dark colour of a frame. */
  setFrame(
    frame: number,
    time: number,
    r: number,
    g: number,
    b: number,
    a: number,
    r2: number,
    g2: number,
    b2: number,
  ): void {
    this._edit(frame);
    this._frames.set([time, r, g, b, a, r2, g2, b2], frame * 8);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    colors(this, sink, SlotRow.R, 0, 4, ChannelFlag.CLAMPS_BEFORE);
    colors(this, sink, SlotRow.DARK_R, 4, 3, 0);
  }
}

/** Changes RGB of `SlotPose.color` and `SlotPose.darkColor` for two-colour tinting. */
export class RGB2Timeline extends SlotCurveTimeline {
  static readonly ENTRIES = 7;

  constructor(frameCount: number, bezierCount: number, slotIndex: number) {
    super(frameCount, bezierCount, slotIndex, `${Property.RGB}|${slotIndex}`, `${Property.RGB2}|${slotIndex}`);
  }

  override getFrameEntries(): number {
    return 7;
  }

  /** Sets the time in seconds, the light and the dark colour of a frame. */
  setFrame(frame: number, time: number, r: number, g: number, b: number, r2: number, g2: number, b2: number): void {
    this._edit(frame);
    this._frames.set([time, r, g, b, r2, g2, b2], frame * 7);
  }

  override get _kind(): TimelineKind {
    return TimelineKind.CHANNELS;
  }

  override _channels(sink: ChannelSink): void {
    colors(this, sink, SlotRow.R, 0, 3, 0);
    colors(this, sink, SlotRow.DARK_R, 3, 3, 0);
  }
}

/** Changes `SlotPose.attachment`. */
export class AttachmentTimeline extends Timeline implements SlotTimeline {
  static readonly ENTRIES = 1;
  readonly slotIndex: number;
  /** The attachment name for each frame, null to clear the attachment. */
  readonly attachmentNames: (string | null)[];

  constructor(frameCount: number, slotIndex: number) {
    super(frameCount, `${Property.ATTACHMENT}|${slotIndex}`);
    this.slotIndex = slotIndex;
    this.attachmentNames = Array.from({ length: frameCount }, () => null);
    this.instant = true;
  }

  /** Sets the time in seconds and the attachment name of a frame. */
  setFrame(frame: number, time: number, attachmentName: string | null): void {
    this._edit(frame);
    this._frames[frame] = time;
    this.attachmentNames[frame] = attachmentName;
  }

  /** Shows an attachment of the skeleton's skins by its name, null for none, in a pose of this timeline's slot. */
  setAttachment(skeleton: Skeleton, pose: SlotPose, attachmentName: string | null): void {
    pose.setAttachment(attachmentName === null ? null : skeleton.getAttachment(this.slotIndex, attachmentName));
  }

  override get _kind(): TimelineKind {
    return TimelineKind.ATTACHMENT;
  }
}

function colors(
  timeline: CurveTimeline & SlotTimeline,
  sink: ChannelSink,
  row: number,
  value: number,
  count: number,
  flags: number,
): void {
  for (let i = 0; i < count; i++) {
    sink.curve(timeline, TargetKind.SLOT, timeline.slotIndex, row + i, value + i, ChannelRule.COLOR | flags);
  }
}
