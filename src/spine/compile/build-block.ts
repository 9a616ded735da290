import { DEFORM_RECORD_BYTES, DeformField } from "../../../assembly/layout/animation.js";
import {
  CURVE_KNOTS, CURVE_TABLE_BYTES, CurveForm, FrameType, KNOT_JOB_BYTES, KNOT_SCRATCH_BYTES, KnotForm, KnotJob,
} from "../../../assembly/layout/knots.js";
import { CHANNEL_BYTES, ChannelField, KNOT_BYTES } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import { rig2d } from "../../wasm/rig2d.js";
import { CHANNEL_PARTS, ChannelPart, type ChannelList } from "./channel-list.js";
import type { CurveTimeline } from "../timelines/curve-timeline.js";
import type { DeformTimeline } from "../timelines/deform-timeline.js";
import type { Timeline } from "../timelines/timeline.js";

/** `CurveTimeline.BEZIER`; a value from that module, whose base class comes to this one, would close a circle of modules. */
const BEZIER = 2;

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
  /** The timeline, if it has curves. */
  readonly curved: CurveTimeline | null;
  readonly form: CurveForm;
  readonly frameCount: number;
  readonly entries: number;
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
export function buildBlock(head: number, channels: ChannelList, timelines: readonly Timeline[], deforms: readonly Deform[]): Block {
  const { parts, order, count } = channels;
  const inputs: Input[] = [];
  const inputOf: (Input | undefined)[] = [];
  let inputBytes = 0, roomBytes = 0, scratchBytes = KNOT_SCRATCH_BYTES, vertexBytes = 0;
  const take = (timeline: Timeline): Input => {
    const input = measure(timeline);
    inputBytes += inputSize(input);
    inputs.push(input);
    return input;
  };
  // In the order in which they were described, those of a timeline one after the other.
  for (let i = 0, last = -1, input: Input | undefined; i < count; i++) {
    const timeline = parts[i * CHANNEL_PARTS + ChannelPart.TIMELINE]!;
    if (timeline !== last) {
      last = timeline;
      input = inputOf[timeline] = take(timelines[timeline]!);
    }
    roomBytes += input!.knotCount * (KNOT_BYTES + 8) + 64;
  }
  const firstDeform = inputs.length;
  for (const { timeline, valueCount } of deforms) {
    const input = take(timeline);
    roomBytes += input.knotCount * (KNOT_BYTES + 10) + 80;
    scratchBytes = Math.max(scratchBytes, KNOT_SCRATCH_BYTES + input.knotCount * 2);
    vertexBytes += align16(valueCount * 4) * input.frameCount;
  }

  const jobCount = count + deforms.length;
  const channelsAt = align16(head);
  const deformsAt = channelsAt + align16(count * CHANNEL_BYTES);
  const tablesAt = deformsAt + align16(deforms.length * DEFORM_RECORD_BYTES);
  const scratchAt = align16(jobCount * KNOT_JOB_BYTES);
  const inputsAt = scratchAt + align16(scratchBytes);
  const work = heap.allocDirty(inputsAt + inputBytes);
  try {
    // As large as it can become; what is left over goes back.
    const ptr = heap.allocDirty(tablesAt + roomBytes + vertexBytes);
    let at = work + inputsAt;
    for (const input of inputs) at = writeInput(input, at);
    heap.f64.fill(0, ptr >> 3, (ptr + tablesAt) >> 3);
    const { u32 } = heap;
    for (let i = 0; i < count; i++) {
      const channel = order[i]! * CHANNEL_PARTS;
      const record = ptr + channelsAt + i * CHANNEL_BYTES;
      writeJob(
        work + i * KNOT_JOB_BYTES, inputOf[parts[channel + ChannelPart.TIMELINE]!]!, parts[channel + ChannelPart.FORM]!, parts[channel + ChannelPart.ENTRY]!, record,
      );
      u32[(record + ChannelField.ROW) >> 2] = parts[channel + ChannelPart.ROW]!;
      u32[(record + ChannelField.RULE) >> 2] = parts[channel + ChannelPart.RULE]!;
      u32[(record + ChannelField.TARGET) >> 2] = parts[channel + ChannelPart.TARGET]!;
      u32[(record + ChannelField.TARGET_KIND) >> 2] = parts[channel + ChannelPart.KIND]!;
    }
    for (let i = 0; i < deforms.length; i++) {
      writeJob(work + (count + i) * KNOT_JOB_BYTES, inputs[firstDeform + i]!, KnotForm.PERCENT, 0, ptr + deformsAt + i * DEFORM_RECORD_BYTES);
    }
    const end = rig2d.kernels.makeKnots(work, jobCount, ptr + tablesAt, work + scratchAt);
    writeDeforms(deforms, ptr + deformsAt, end);
    heap.shrink(ptr, end + vertexBytes - ptr);
    return { ptr, channels: ptr + channelsAt };
  } finally {
    heap.free(work);
  }
}

function measure(timeline: Timeline): Input {
  const entries = timeline.getFrameEntries();
  const frameCount = timeline._frames.length / entries;
  const curved = (timeline as Partial<CurveTimeline>)._isLinear === false ? (timeline as CurveTimeline) : null;
  let form = CurveForm.TABLE, curveCount = 0, knotCount = frameCount;
  if (curved !== null) {
    if (curved._isAsRead) {
      form = curved._source!.handles instanceof Float32Array ? CurveForm.SINGLE : CurveForm.DOUBLE;
      curveCount = curved._source!.handles.length >> 2;
    } else curveCount = Math.floor((curved.curves.length - frameCount) / TABLE_FLOATS);
    knotCount += Math.min(curveCount, frameCount) * (CURVE_KNOTS - 1);
  }
  return { timeline, curved, form, frameCount, entries, curveCount, knotCount, frames: 0, types: 0, curves: 0, keys: 0 };
}

/** Bytes that `writeInput` writes. */
function inputSize({ timeline, curved, form, frameCount, curveCount }: Input): number {
  const { length } = timeline._frames;
  const plain = align16(length * 4);
  if (curved === null) return plain;
  const types = plain + align16(frameCount * 4);
  if (form === CurveForm.TABLE) return types + align16(curveCount * CURVE_TABLE_BYTES);
  return form === CurveForm.SINGLE ? types + curveCount * 16 : types + curveCount * 32 + align16(length * 8);
}

/** Puts frames, types and curves from `at` on. @returns the end */
function writeInput(input: Input, at: number): number {
  const { timeline, curved, form, frameCount, curveCount } = input;
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
  if (form !== CurveForm.TABLE) {
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
    if (form === CurveForm.SINGLE) {
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
  u32[at + (KnotJob.ENTRIES >> 2)] = input.entries;
  u32[at + (KnotJob.ENTRY >> 2)] = entry;
  u32[at + (KnotJob.FRAMES >> 2)] = input.frames;
  u32[at + (KnotJob.TYPES >> 2)] = input.types;
  u32[at + (KnotJob.CURVES >> 2)] = input.curves;
  u32[at + (KnotJob.CURVE_FORM >> 2)] = input.form;
  u32[at + (KnotJob.KEYS >> 2)] = input.keys;
  u32[at + (KnotJob.RECORD >> 2)] = record;
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
