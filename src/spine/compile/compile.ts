import { ANIMATION_BYTES, AnimationField } from "../../../assembly/layout/animation.js";
import { CHANNEL_BYTES } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import { TimelineKind } from "../timelines/property.js";
import type { Timeline } from "../timelines/timeline.js";
import { buildBlock, type Deform } from "./build-block.js";
import { CHANNEL_PARTS, ChannelList, ChannelPart, GROUPS, hasKnots } from "./channel-list.js";
import { CompiledAnimation, Segment, Step } from "./compiled-animation.js";
import { joinDeforms } from "./deform-runs.js";

/** Where each group of channels ends. */
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

const channels = /* @__PURE__ */ new ChannelList();

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
  const deforms: Deform[] = [];
  const parts: Part[] = [];
  let steps: PendingStep[] = [];
  let hasSteps = false;
  channels.begin(data);
  for (let index = 0; index < timelines.length; index++) {
    const timeline = timelines[index]!;
    const kind = kindOf(timeline, builtIn);
    if (kind === TimelineKind.CHANNELS) {
      channels.describe(timeline, index);
      continue;
    }
    hasSteps = true;
    if (kind === TimelineKind.CUSTOM) {
      parts.push({ ends: channels.sort(), steps, custom: new Step(kind, timeline, index, 0) });
      steps = [];
    } else if (kind === TimelineKind.DEFORM) {
      if (!hasKnots(timeline)) continue;
      const deform: Deform = { timeline: timeline as DeformTimeline, valueCount: (timeline as DeformTimeline).vertices[0]!.length, record: 0 };
      deforms.push(deform);
      steps.push({ kind, timeline, index, deform });
    } else if (timeline.getFrameCount() > 0) {
      steps.push({ kind, timeline, index, deform: null });
    }
  }
  parts.push({ ends: channels.sort(), steps, custom: null });
  channels.end();

  const block = buildBlock(parts.length * ANIMATION_BYTES, channels, timelines, deforms);
  rig.own(block.ptr);

  const segments: Segment[] = [];
  let firstChannel = 0;
  let firstRotation = 0;
  for (let i = 0; i < parts.length; i++) {
    const { ends, steps: pending, custom } = parts[i]!;
    const header = block.ptr + i * ANIMATION_BYTES;
    writeHeader(header, block.channels + firstChannel * CHANNEL_BYTES, ends);
    const made: Step[] = [];
    for (const { kind, timeline, index, deform } of pending) made.push(new Step(kind, timeline, index, deform?.record ?? 0));
    const channelCount = ends[GROUPS - 1]!;
    segments.push(new Segment(header, firstChannel, channelCount, ends[0]!, firstRotation, made, custom));
    firstChannel += channelCount;
    firstRotation += ends[0]!;
  }
  const { count } = channels;
  const timelineOfChannel = new Uint32Array(count);
  for (let i = 0; i < count; i++) timelineOfChannel[i] = channels.parts[channels.order[i]! * CHANNEL_PARTS + ChannelPart.TIMELINE]!;
  return new CompiledAnimation(
    rig, block.ptr, revision, segments, block.channels, count, firstRotation, timelineOfChannel, joinDeforms(segments), timelines.length, hasSteps,
  );
}

/** Timelines up to the next one that applies itself. */
interface Part {
  readonly ends: readonly number[];
  readonly steps: readonly PendingStep[];
  readonly custom: Step | null;
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
