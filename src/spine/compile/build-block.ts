import { DEFORM_RECORD_BYTES, DeformField } from "../../../assembly/layout/animation.js";
import {
  CURVE_KNOTS, CURVE_TABLE_BYTES, CurveForm, FrameType, KNOT_JOB_BYTES, KNOT_SCRATCH_BYTES, KnotForm, KnotJob,
} from "../../../assembly/layout/knots.js";
import { CHANNEL_BYTES, ChannelField, KNOT_BYTES, type TargetKind } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import type { Timeline } from "../timelines/timeline.js";

/** `CurveTimeline.BEZIER`; a value from that module, whose base class comes to this one, would close a circle of modules. */
const BEZIER = 2;

/** A channel before it is written. */
export interface Channel {
  readonly row: number;
  readonly kind: TargetKind;
  readonly target: number;
  readonly rule: number;
  readonly timelineIndex: number;
  readonly timeline: Timeline;
  readonly form: KnotForm;
  /** Index of the value in a frame, the time counted. */
  readonly entry: number;
}

/** A deform timeline. */
export interface Deform {
  readonly timeline: DeformTimeline;
  readonly valueCount: number;
  /** Address of the record, once it is there. */
  record: number;
}

/** Where the parts of a compiled animation came to lie. */
export interface Block {
  ptr: number;
  channels: number;
}

const align16 = (bytes: number): number => (bytes + 15) & ~15;
const TABLE_FLOATS = CURVE_TABLE_BYTES / 4;

/** A timeline whose frames and curves are needed: how large they are, and where they were put. */
interface Input {
  readonly timeline: Timeline;
  /** Whether its curves were asked for. */
  readonly isCurve: boolean;
  /** The timeline, if it has curves. */
  readonly curved: CurveTimeline | null;
  readonly asRead: boolean;
  readonly frameCount: number;
  readonly curveCount: number;
  /** Knots that one value can come to. */
  readonly knotCount: number;
  frames: number;
  types: number;
  curves: number;
  keys: number;
}

/**
 * Builds the one block of a compiled animation: `head` bytes for the caller, channel records, deform records, their knots,
 * buckets and frame numbers, and the vertices of deform timelines. One kernel call makes the knots.
 */
export function buildBlock(head: number, channels: readonly Channel[], deforms: readonly Deform[]): Block {
  const inputs: Input[] = [];
  let inputBytes = 0, roomBytes = 0, scratchBytes = KNOT_SCRATCH_BYTES, vertexBytes = 0;
  const inputOf = (timeline: Timeline, isCurve: boolean): Input => {
    const last = inputs[inputs.length - 1];
    // Channels of one timeline that share a rule come one after the other.
    if (last?.timeline === timeline && (last.isCurve || !isCurve)) return last;
    const input = measure(timeline, isCurve);
    // What a file says of a curve takes less than a table.
    inputBytes += align16(timeline._frames.length * 4) + align16(input.frameCount * 4) + align16(input.curveCount * CURVE_TABLE_BYTES);
    if (input.asRead) inputBytes += align16(timeline._frames.length * 8);
    inputs.push(input);
    return input;
  };
  const jobs: Input[] = [];
  for (const { timeline, form } of channels) {
    const input = inputOf(timeline, form === KnotForm.CURVE);
    jobs.push(input);
    roomBytes += input.knotCount * (KNOT_BYTES + 8) + 64;
  }
  for (const { timeline, valueCount } of deforms) {
    const input = inputOf(timeline, true);
    jobs.push(input);
    roomBytes += input.knotCount * (KNOT_BYTES + 10) + 80;
    scratchBytes = Math.max(scratchBytes, KNOT_SCRATCH_BYTES + input.knotCount * 2);
    vertexBytes += align16(valueCount * 4) * input.frameCount;
  }

  const channelsAt = align16(head);
  const deformsAt = channelsAt + align16(channels.length * CHANNEL_BYTES);
  const tablesAt = deformsAt + align16(deforms.length * DEFORM_RECORD_BYTES);
  const scratchAt = align16(jobs.length * KNOT_JOB_BYTES);
  const inputsAt = scratchAt + align16(scratchBytes);
  const outAt = inputsAt + inputBytes;
  const work = heap.allocDirty(outAt + tablesAt + roomBytes);
  try {
    let at = work + inputsAt;
    for (const input of inputs) at = writeInput(input, at);
    const out = work + outAt;
    heap.u8.fill(0, out, out + tablesAt);
    for (let i = 0; i < channels.length; i++) {
      const { form, entry } = channels[i]!;
      writeJob(work + i * KNOT_JOB_BYTES, jobs[i]!, form, entry, out + channelsAt + i * CHANNEL_BYTES);
      writeTarget(out + channelsAt + i * CHANNEL_BYTES, channels[i]!);
    }
    for (let i = 0; i < deforms.length; i++) {
      const k = channels.length + i;
      writeJob(work + k * KNOT_JOB_BYTES, jobs[k]!, KnotForm.PERCENT, 0, out + deformsAt + i * DEFORM_RECORD_BYTES);
    }
    const end = rig2d.kernels.makeKnots(work, jobs.length, out + tablesAt, work + scratchAt);

    const bytes = end - out;
    const ptr = heap.allocDirty(bytes + vertexBytes);
    rig2d.kernels.moveKnots(out, ptr, bytes, ptr + channelsAt, channels.length, CHANNEL_BYTES);
    rig2d.kernels.moveKnots(out, ptr, 0, ptr + deformsAt, deforms.length, DEFORM_RECORD_BYTES);
    writeDeforms(deforms, ptr + deformsAt, ptr + bytes);
    return { ptr, channels: ptr + channelsAt };
  } finally {
    heap.free(work);
  }
}

function measure(timeline: Timeline, isCurve: boolean): Input {
  const frameCount = timeline.getFrameCount();
  const curved = isCurve && !(timeline as CurveTimeline)._isLinear ? (timeline as CurveTimeline) : null;
  const asRead = curved?._isAsRead === true;
  let curveCount = 0, knotCount = frameCount;
  if (curved !== null) {
    curveCount = asRead ? curved._bezierCount : Math.floor((curved.curves.length - frameCount) / TABLE_FLOATS);
    knotCount += Math.min(curveCount, frameCount) * (CURVE_KNOTS - 1);
  }
  return { timeline, isCurve, curved, asRead, frameCount, curveCount, knotCount, frames: 0, types: 0, curves: 0, keys: 0 };
}

/** Puts frames, types and curves from `at` on. @returns the end */
function writeInput(input: Input, at: number): number {
  const { timeline, curved, asRead, frameCount, curveCount } = input;
  const { _frames: frames } = timeline;
  const { f32 } = heap;
  input.frames = at;
  for (let i = 0, to = at >> 2; i < frames.length; i++) f32[to + i] = frames[i]!;
  at += align16(frames.length * 4);
  if (curved === null) return at;
  input.types = at;
  const { i32 } = heap;
  const types = at >> 2;
  at += align16(frameCount * 4);
  input.curves = at;
  if (asRead) {
    const { types: kinds, handles, keys } = curved._source!;
    const components = curved._components;
    let curve = 0;
    for (let i = 0; i < frameCount; i++) {
      const type = i < kinds.length ? kinds[i]! : FrameType.LINEAR;
      if (type === FrameType.CURVED && i < frameCount - 1) {
        i32[types + i] = FrameType.CURVED + curve;
        curve += components;
      } else i32[types + i] = type === FrameType.STEPPED ? FrameType.STEPPED : FrameType.LINEAR;
    }
    if (handles instanceof Float32Array) {
      for (let i = 0, to = at >> 2; i < handles.length; i++) f32[to + i] = handles[i]!;
      return at + align16(handles.length * 4);
    }
    const { f64 } = heap;
    for (let i = 0, to = at >> 3; i < handles.length; i++) f64[to + i] = handles[i]!;
    at += align16(handles.length * 8);
    input.keys = at;
    for (let i = 0, to = at >> 3; i < keys.length; i++) f64[to + i] = keys[i]!;
    return at + align16(keys.length * 8);
  }
  const { curves } = curved;
  for (let i = 0; i < frameCount; i++) {
    const type = curves[i]!;
    i32[types + i] = type < BEZIER ? type : FrameType.CURVED + (type - BEZIER - frameCount) / TABLE_FLOATS;
  }
  for (let i = 0, to = at >> 2; i < curveCount * TABLE_FLOATS; i++) f32[to + i] = curves[frameCount + i]!;
  return at + align16(curveCount * CURVE_TABLE_BYTES);
}

function writeJob(job: number, input: Input, form: KnotForm, entry: number, record: number): void {
  const { u32 } = heap;
  const at = job >> 2;
  u32[at + (KnotJob.FORM >> 2)] = form;
  u32[at + (KnotJob.FRAME_COUNT >> 2)] = input.frameCount;
  u32[at + (KnotJob.ENTRIES >> 2)] = input.timeline.getFrameEntries();
  u32[at + (KnotJob.ENTRY >> 2)] = entry;
  u32[at + (KnotJob.FRAMES >> 2)] = input.frames;
  u32[at + (KnotJob.TYPES >> 2)] = input.types;
  u32[at + (KnotJob.CURVES >> 2)] = input.curves;
  u32[at + (KnotJob.CURVE_FORM >> 2)] = !input.asRead ? CurveForm.TABLE : input.keys === 0 ? CurveForm.SINGLE : CurveForm.DOUBLE;
  u32[at + (KnotJob.KEYS >> 2)] = input.keys;
  u32[at + (KnotJob.RECORD >> 2)] = record;
}

function writeTarget(record: number, channel: Channel): void {
  const { u32 } = heap;
  const at = record >> 2;
  u32[at + (ChannelField.ROW >> 2)] = channel.row;
  u32[at + (ChannelField.RULE >> 2)] = channel.rule;
  u32[at + (ChannelField.TARGET >> 2)] = channel.target;
  u32[at + (ChannelField.TARGET_KIND >> 2)] = channel.kind;
}

/** Writes what follows the tables in deform records, and the vertices from `vertices` on. */
function writeDeforms(deforms: readonly Deform[], records: number, vertices: number): void {
  const { u32, f32 } = heap;
  for (let i = 0; i < deforms.length; i++) {
    const deform = deforms[i]!;
    const { timeline, valueCount } = deform;
    const record = records + i * DEFORM_RECORD_BYTES;
    const frameBytes = align16(valueCount * 4);
    deform.record = record;
    u32[(record + DeformField.FRAMES) >> 2] = vertices;
    u32[(record + DeformField.FRAME_BYTES) >> 2] = frameBytes;
    u32[(record + DeformField.VALUE_COUNT) >> 2] = valueCount;
    for (const values of timeline.vertices) {
      const at = vertices >> 2;
      const { length } = values;
      for (let v = 0; v < valueCount; v++) f32[at + v] = v < length ? values[v]! : 0;
      for (let v = valueCount; v < frameBytes >> 2; v++) f32[at + v] = 0;
      vertices += frameBytes;
    }
  }
}
