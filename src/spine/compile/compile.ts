import { ANIMATION_BYTES, AnimationField, DEFORM_RECORD_BYTES, DeformField } from "../../../assembly/layout/animation.js";
import { CHANNEL_BYTES, ChannelField, ChannelFlag, ChannelRule, BoneRow, TargetKind } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { PhysicsConstraintData } from "../constraints/physics-constraint-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import { TimelineKind } from "../timelines/property.js";
import type { Timeline } from "../timelines/timeline.js";
import type { ChannelSink } from "./channel-sink.js";
import { CompiledAnimation, Segment, Step } from "./compiled-animation.js";
import { joinDeforms } from "./deform-runs.js";
import { curveKnots, type Knots, percentKnots, steppedKnots } from "./knots.js";
import { knotBytes, makeTable, type Table, writeKnots } from "./tables.js";

/** A channel before it is written. */
interface Channel {
  readonly row: number;
  readonly kind: TargetKind;
  readonly target: number;
  readonly rule: number;
  readonly timeline: number;
  readonly table: Table;
}

/** A deform timeline before it is written. */
interface Deform {
  readonly timeline: DeformTimeline;
  readonly table: Table;
  readonly valueCount: number;
  record: number;
}

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
  channels: Channel[] = [];
  #timeline = 0;

  constructor(readonly data: SkeletonData) {}

  describe(timeline: Timeline, index: number): void {
    this.#timeline = index;
    timeline._channels(this);
  }

  curve(timeline: CurveTimeline, kind: TargetKind, target: number, row: number, value: number, rule: number): void {
    this.#add(curveKnots(timeline, value), kind, target, row, rule);
  }

  stepped(timeline: Timeline, kind: TargetKind, target: number, row: number, entry: number, rule: number): void {
    this.#add(steppedKnots(timeline, entry), kind, target, row, rule);
  }

  physicsConstraints(test: (data: PhysicsConstraintData) => boolean): number[] {
    const indices: number[] = [];
    // The flags are fields of physics data only, so other constraints fail the test.
    this.data.constraints.forEach((data, index) => {
      if (test(data as unknown as PhysicsConstraintData) === true) indices.push(index);
    });
    return indices;
  }

  #add(knots: Knots, kind: TargetKind, target: number, row: number, rule: number): void {
    const { shape } = this.data._rig;
    const count =
      kind === TargetKind.BONE ? shape.boneCount : kind === TargetKind.SLOT ? shape.slotCount : shape.constraintCount;
    if (knots.count === 0 || !(target >= 0 && target < count)) return;
    const first =
      kind === TargetKind.BONE ? shape.boneRow(target) : kind === TargetKind.SLOT ? shape.slotRow(target) : shape.constraintRow(target);
    const rotates = kind === TargetKind.BONE && row === BoneRow.ROTATION ? ChannelFlag.ROTATES : 0;
    this.channels.push({ row: first + row, kind, target, rule: rule | rotates, timeline: this.#timeline, table: makeTable(knots) });
  }
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
  const parts: { channels: Channel[]; steps: (() => Step)[]; custom: Step | null }[] = [];
  let steps: (() => Step)[] = [];
  let hasSteps = false;
  const close = (custom: Step | null): void => {
    const channels = compiler.channels.toSorted((a, b) => orderOf(a.rule) - orderOf(b.rule));
    parts.push({ channels, steps, custom });
    compiler.channels = [];
    steps = [];
  };
  timelines.forEach((timeline, index) => {
    const kind = kindOf(timeline, builtIn);
    if (kind === TimelineKind.CHANNELS) {
      compiler.describe(timeline, index);
      return;
    }
    hasSteps = true;
    if (kind === TimelineKind.CUSTOM) {
      close(new Step(kind, timeline, index, 0));
    } else if (kind === TimelineKind.DEFORM) {
      const deform = describeDeform(timeline as DeformTimeline);
      if (deform === undefined) return;
      deforms.push(deform);
      steps.push(() => new Step(kind, timeline, index, deform.record));
    } else if (timeline.getFrameCount() > 0) {
      steps.push(() => new Step(kind, timeline, index, 0));
    }
  });
  close(null);

  const all = parts.flatMap((part) => part.channels);
  const tables = [...all.map((channel) => channel.table), ...deforms.map((deform) => deform.table)];
  const block = allocate(parts.length, all.length, deforms, tables);
  rig.own(block.ptr);
  writeDeforms(deforms, block, all.length);
  all.forEach((channel, i) => writeChannel(block.channels + i * CHANNEL_BYTES, channel, block.places[i]!));

  const segments: Segment[] = [];
  let firstChannel = 0;
  let firstRotation = 0;
  parts.forEach((part, i) => {
    const header = block.ptr + i * ANIMATION_BYTES;
    const rotateCount = writeHeader(header, block.channels + firstChannel * CHANNEL_BYTES, part.channels);
    segments.push(
      new Segment(header, firstChannel, part.channels.length, rotateCount, firstRotation, part.steps.map((make) => make()), part.custom),
    );
    firstChannel += part.channels.length;
    firstRotation += rotateCount;
  });
  const timelineOfChannel = Uint32Array.from(all, (channel) => channel.timeline);
  return new CompiledAnimation(
    rig, block.ptr, revision, segments, block.channels, all.length, firstRotation, timelineOfChannel, joinDeforms(segments), timelines.length, hasSteps,
  );
}

function describeDeform(timeline: DeformTimeline): Deform | undefined {
  const frameCount = timeline.getFrameCount();
  if (frameCount === 0) return undefined;
  const valueCount = timeline.vertices[0]!.length;
  const knots = percentKnots(timeline);
  if (knots.count === 0) return undefined;
  return { timeline, table: makeTable(knots), valueCount, record: 0 };
}

interface Place {
  knots: number;
  buckets: number;
}

interface Block {
  ptr: number;
  channels: number;
  records: number;
  /** Per table where its parts lie. */
  places: Place[];
  /** Per deform timeline where the frames of knots and the vertices lie. */
  deforms: { knotFrames: number; vertices: number; frameBytes: number }[];
}

const align16 = (bytes: number): number => (bytes + 15) & ~15;

function allocate(partCount: number, channelCount: number, deforms: readonly Deform[], tables: readonly Table[]): Block {
  let bytes = partCount * ANIMATION_BYTES;
  const take = (size: number): number => {
    const at = bytes;
    bytes += align16(size);
    return at;
  };
  const channels = take(channelCount * CHANNEL_BYTES);
  const records = take(deforms.length * DEFORM_RECORD_BYTES);
  const places = tables.map((table) => ({ knots: take(knotBytes(table)), buckets: take(table.buckets.length * 2) }));
  const frames = deforms.map(({ timeline, table, valueCount }) => {
    const frameBytes = align16(valueCount * 4);
    return { knotFrames: take(table.knots.count * 2), vertices: take(timeline.getFrameCount() * frameBytes), frameBytes };
  });
  const ptr = heap.alloc(bytes);
  tables.forEach((table, i) => {
    const place = places[i]!;
    place.knots += ptr;
    place.buckets += ptr;
    writeKnots(table, place.knots);
    heap.u16.set(table.buckets, place.buckets >> 1);
  });
  for (const frame of frames) {
    frame.knotFrames += ptr;
    frame.vertices += ptr;
  }
  return { ptr, channels: channels + ptr, records: records + ptr, places, deforms: frames };
}

function writeTable(record: number, table: Table, place: Place): void {
  const { u32, f32 } = heap;
  u32[(record + ChannelField.KNOTS) >> 2] = place.knots;
  u32[(record + ChannelField.BUCKETS) >> 2] = place.buckets;
  f32[(record + ChannelField.BUCKETS_PER_SECOND) >> 2] = table.bucketsPerSecond;
  f32[(record + ChannelField.FIRST_TIME) >> 2] = table.knots.times[0]!;
  u32[(record + ChannelField.LAST_BUCKET) >> 2] = table.buckets.length - 1;
  u32[(record + ChannelField.KNOT_COUNT) >> 2] = table.knots.count;
}

function writeChannel(record: number, channel: Channel, place: Place): void {
  writeTable(record, channel.table, place);
  const { u32 } = heap;
  u32[(record + ChannelField.ROW) >> 2] = channel.row;
  u32[(record + ChannelField.RULE) >> 2] = channel.rule;
  u32[(record + ChannelField.TARGET) >> 2] = channel.target;
  u32[(record + ChannelField.TARGET_KIND) >> 2] = channel.kind;
}

function writeDeforms(deforms: readonly Deform[], block: Block, firstTable: number): void {
  const { u16, u32, f32 } = heap;
  deforms.forEach((deform, i) => {
    const { knotFrames, vertices, frameBytes } = block.deforms[i]!;
    const { timeline, table, valueCount } = deform;
    const record = block.records + i * DEFORM_RECORD_BYTES;
    deform.record = record;
    writeTable(record, table, block.places[firstTable + i]!);
    u32[(record + DeformField.KNOT_FRAMES) >> 2] = knotFrames;
    u32[(record + DeformField.FRAMES) >> 2] = vertices;
    u32[(record + DeformField.FRAME_BYTES) >> 2] = frameBytes;
    u32[(record + DeformField.VALUE_COUNT) >> 2] = valueCount;
    table.knots.frames.forEach((frame, k) => {
      u16[(knotFrames >> 1) + k] = frame;
    });
    timeline.vertices.forEach((values, frame) => {
      const at = (vertices + frame * frameBytes) >> 2;
      for (let v = 0; v < valueCount; v++) f32[at + v] = values[v] ?? 0;
    });
  });
}

/** @returns the number of rotations */
function writeHeader(header: number, channels: number, sorted: readonly Channel[]): number {
  const { u32 } = heap;
  u32[(header + AnimationField.CHANNELS) >> 2] = channels;
  GROUP_ENDS.forEach((field, order) => {
    const count = sorted.filter((channel) => orderOf(channel.rule) <= order).length;
    u32[(header + field) >> 2] = channels + count * CHANNEL_BYTES;
  });
  return sorted.filter((channel) => orderOf(channel.rule) === 0).length;
}
