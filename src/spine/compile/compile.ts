import { ANIMATION_BYTES, AnimationField } from "../../../assembly/layout/animation.js";
import { KnotForm } from "../../../assembly/layout/knots.js";
import { BoneRow, CHANNEL_BYTES, ChannelFlag, ChannelRule, TargetKind } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { PhysicsConstraintData } from "../constraints/physics-constraint-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import { TimelineKind } from "../timelines/property.js";
import type { Timeline } from "../timelines/timeline.js";
import { buildBlock, type Channel, type Deform } from "./build-block.js";
import type { ChannelSink } from "./channel-sink.js";
import { CompiledAnimation, Segment, Step } from "./compiled-animation.js";
import { joinDeforms } from "./deform-runs.js";

/** Place of a channel in the order of layout/animation.ts. */
function orderOf(rule: number): number {
  const kind = rule & 0xff;
  if (kind === ChannelRule.RELATIVE) return (rule & ChannelFlag.ROTATES) !== 0 ? 0 : 1;
  return kind === ChannelRule.SCALE ? 2 : kind === ChannelRule.ABSOLUTE ? 3 : kind + 1;
}

/** Fields of AnimationField in the order of `orderOf`, with the rules that end there. */
const GROUP_ENDS = [
  AnimationField.ROTATE_END,
  AnimationField.RELATIVE_END,
  AnimationField.SCALE_END,
  AnimationField.ABSOLUTE_END,
  AnimationField.COLOR_END,
  AnimationField.MASS_END,
  AnimationField.INHERIT_END,
  AnimationField.IK_FLAG_END,
];

class Compiler implements ChannelSink {
  /** Channels of the current part by `orderOf`. */
  groups: Channel[][] = GROUP_ENDS.map(() => []);
  #timeline = 0;

  constructor(readonly data: SkeletonData) {}

  describe(timeline: Timeline, index: number): void {
    this.#timeline = index;
    timeline._channels(this);
  }

  curve(timeline: CurveTimeline, kind: TargetKind, target: number, row: number, value: number, rule: number): void {
    this.#add(timeline, KnotForm.CURVE, value + 1, kind, target, row, rule);
  }

  stepped(timeline: Timeline, kind: TargetKind, target: number, row: number, entry: number, rule: number): void {
    this.#add(timeline, KnotForm.STEPPED, entry, kind, target, row, rule);
  }

  physicsConstraints(test: (data: PhysicsConstraintData) => boolean): number[] {
    const indices: number[] = [];
    // The flags are fields of physics data only, so other constraints fail the test.
    this.data.constraints.forEach((data, index) => {
      if (test(data as unknown as PhysicsConstraintData) === true) indices.push(index);
    });
    return indices;
  }

  /** The channels so far in the order of layout/animation.ts, and where each group ends; begins anew. */
  take(): { channels: Channel[]; ends: number[] } {
    const channels: Channel[] = [], ends: number[] = [];
    for (const group of this.groups) {
      for (const channel of group) channels.push(channel);
      ends.push(channels.length);
      group.length = 0;
    }
    return { channels, ends };
  }

  #add(timeline: Timeline, form: KnotForm, entry: number, kind: TargetKind, target: number, row: number, rule: number): void {
    const { shape } = this.data._rig;
    const count =
      kind === TargetKind.BONE ? shape.boneCount : kind === TargetKind.SLOT ? shape.slotCount : shape.constraintCount;
    if (!hasKnots(timeline) || !(target >= 0 && target < count)) return;
    const first =
      kind === TargetKind.BONE ? shape.boneRow(target) : kind === TargetKind.SLOT ? shape.slotRow(target) : shape.constraintRow(target);
    if (kind === TargetKind.BONE && row === BoneRow.ROTATION) rule |= ChannelFlag.ROTATES;
    this.groups[orderOf(rule)]!.push({ row: first + row, kind, target, rule, timelineIndex: this.#timeline, timeline, form, entry });
  }
}

/** Whether any frame has a time that can be reached. */
function hasKnots(timeline: Timeline): boolean {
  const { _frames: frames } = timeline;
  const entries = timeline.getFrameEntries();
  for (let i = 0; i < frames.length; i += entries) if (Math.abs(frames[i]!) < Infinity) return true;
  return false;
}

/** Whether a timeline applies itself, because its class or its `apply` comes from outside. */
function kindOf(timeline: Timeline, builtIn: Timeline["apply"]): TimelineKind {
  return timeline.apply === builtIn ? timeline._kind : TimelineKind.CUSTOM;
}

/**
 * Compiles timelines for the rig of skeleton data.
 * @param builtIn - `Timeline.prototype.apply`, by which timelines of the library are told from others
 */
export function compileTimelines(
  data: SkeletonData,
  timelines: readonly Timeline[],
  revision: number,
  builtIn: Timeline["apply"],
): CompiledAnimation {
  const rig = data._rig;
  const compiler = new Compiler(data);
  const deforms: Deform[] = [];
  const parts: { channels: Channel[]; ends: number[]; steps: PendingStep[]; custom: Step | null }[] = [];
  let steps: PendingStep[] = [];
  let hasSteps = false;
  const close = (custom: Step | null): void => {
    parts.push({ ...compiler.take(), steps, custom });
    steps = [];
  };
  for (let index = 0; index < timelines.length; index++) {
    const timeline = timelines[index]!;
    const kind = kindOf(timeline, builtIn);
    if (kind === TimelineKind.CHANNELS) {
      compiler.describe(timeline, index);
      continue;
    }
    hasSteps = true;
    if (kind === TimelineKind.CUSTOM) {
      close(new Step(kind, timeline, index, 0));
    } else if (kind === TimelineKind.DEFORM) {
      if (!hasKnots(timeline)) continue;
      const deform: Deform = { timeline: timeline as DeformTimeline, valueCount: (timeline as DeformTimeline).vertices[0]!.length, record: 0 };
      deforms.push(deform);
      steps.push({ kind, timeline, index, deform });
    } else if (timeline.getFrameCount() > 0) {
      steps.push({ kind, timeline, index, deform: null });
    }
  }
  close(null);

  const all = parts.length === 1 ? parts[0]!.channels : parts.flatMap((part) => part.channels);
  const block = buildBlock(parts.length * ANIMATION_BYTES, all, deforms);
  rig.own(block.ptr);

  const segments: Segment[] = [];
  let firstChannel = 0;
  let firstRotation = 0;
  for (let i = 0; i < parts.length; i++) {
    const { channels, ends, steps: pending, custom } = parts[i]!;
    const header = block.ptr + i * ANIMATION_BYTES;
    writeHeader(header, block.channels + firstChannel * CHANNEL_BYTES, ends);
    const made = pending.map(({ kind, timeline, index, deform }) => new Step(kind, timeline, index, deform?.record ?? 0));
    segments.push(new Segment(header, firstChannel, channels.length, ends[0]!, firstRotation, made, custom));
    firstChannel += channels.length;
    firstRotation += ends[0]!;
  }
  const timelineOfChannel = new Uint32Array(all.length);
  for (let i = 0; i < all.length; i++) timelineOfChannel[i] = all[i]!.timelineIndex;
  return new CompiledAnimation(
    rig, block.ptr, revision, segments, block.channels, all.length, firstRotation, timelineOfChannel, joinDeforms(segments), timelines.length, hasSteps,
  );
}

/** A step whose record has no address yet. */
interface PendingStep {
  kind: TimelineKind;
  timeline: Timeline;
  index: number;
  deform: Deform | null;
}

/** @param ends - per group the number of channels up to its end */
function writeHeader(header: number, channels: number, ends: readonly number[]): void {
  const { u32 } = heap;
  u32[(header + AnimationField.CHANNELS) >> 2] = channels;
  for (let i = 0; i < GROUP_ENDS.length; i++) u32[(header + GROUP_ENDS[i]!) >> 2] = channels + ends[i]! * CHANNEL_BYTES;
}
