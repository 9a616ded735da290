/* The kernels behind command lists, called directly with literal numbers. */
import { describe, expect, it } from "vitest";
import {
  CLEAR_DEFORM_BYTES, CommandField, CommandFlag, CommandOp, DEFORM_RECORD_BYTES, DeformField,
} from "../../../assembly/layout/animation.js";
import { ATTACHMENT_BYTES, AttachmentField, AttachmentFlag } from "../../../assembly/layout/attachment.js";
import { ChannelField, HEADER_ROWS, KNOT_BYTES, MixMode, ProgramField, SLOT_ROWS, SlotRow } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../../src/wasm/heap.js";
import { rig2d } from "../../../src/wasm/rig2d.js";

const GUARD = 12345;
/** A command with one weight. */
const DEFORM_BYTES = CommandField.WEIGHTS + 8;
/** Room behind the values for the padding to four, then guards. */
const roomFor = (count: number): number => ((count + 3) & ~3) + 4;

interface Deform {
  count: number;
  a: number[];
  b: number[];
  setup: number[] | null;
  current: number[];
}

/** Runs one DEFORM command halfway between two frames at 0 and 1. @returns the values after it */
function run(deform: Deform, mode: MixMode, weight: number, add: boolean, time = 0.5, capacity = deform.count): number[] {
  const { count } = deform;
  const blocks: number[] = [];
  const block = (bytes: number): number => {
    const ptr = heap.alloc(bytes);
    blocks.push(ptr);
    return ptr;
  };
  const record = block(DEFORM_RECORD_BYTES);
  const knots = block(3 * KNOT_BYTES);
  const buckets = block(4);
  const knotFrames = block(4);
  const frameBytes = (count * 4 + 15) & ~15;
  const frames = block(frameBytes * 2);
  const setup = block(roomFor(count) * 4);
  const values = block(roomFor(count) * 4);
  const pose = block((HEADER_ROWS + SLOT_ROWS) * 4);
  const slot = pose + HEADER_ROWS * 4;
  const attachment = block(ATTACHMENT_BYTES);
  const list = block(DEFORM_BYTES);
  const program = block(96);
  const { f32, u16, u32, i32, f64 } = heap;
  f32.set([0, 0, 1, 1, 0, 0, Infinity], knots >> 2);
  u16.set([0, 1], knotFrames >> 1);
  u32[(record + ChannelField.KNOTS) >> 2] = knots;
  u32[(record + ChannelField.BUCKETS) >> 2] = buckets;
  u32[(record + DeformField.KNOT_FRAMES) >> 2] = knotFrames;
  u32[(record + DeformField.FRAMES) >> 2] = frames;
  u32[(record + DeformField.FRAME_BYTES) >> 2] = frameBytes;
  u32[(record + DeformField.VALUE_COUNT) >> 2] = count;
  f32.set(deform.a, frames >> 2);
  f32.set(deform.b, (frames + frameBytes) >> 2);
  if (deform.setup !== null) f32.set(deform.setup, setup >> 2);
  f32.set(deform.current, values >> 2);
  f32.fill(GUARD, (values >> 2) + ((count + 3) & ~3), (values >> 2) + roomFor(count));
  u32[(record + DeformField.ATTACHMENT) >> 2] = attachment;
  u32[(attachment + AttachmentField.KEY) >> 2] = 7;
  u32[(attachment + AttachmentField.TIMELINE) >> 2] = 7;
  u32[(attachment + AttachmentField.FLAGS) >> 2] = deform.setup === null ? AttachmentFlag.WEIGHTED : 0;
  u32[(attachment + AttachmentField.VERTICES) >> 2] = setup;
  u32[(attachment + AttachmentField.DEFORM_LENGTH) >> 2] = count;
  u32[(program + ProgramField.SLOT_COUNT) >> 2] = 1;
  u32[(slot >> 2) + SlotRow.ATTACHMENT] = attachment;
  u32[(slot >> 2) + SlotRow.DEFORM] = values;
  i32[(slot >> 2) + SlotRow.DEFORM_COUNT] = deform.current.length;
  i32[(slot >> 2) + SlotRow.DEFORM_CAPACITY] = capacity;
  i32[(list + CommandField.OP) >> 2] = CommandOp.DEFORM;
  i32[(list + CommandField.BYTES) >> 2] = DEFORM_BYTES;
  u32[(list + CommandField.SUBJECT) >> 2] = record;
  u32[(list + CommandField.FLAGS) >> 2] = mode | (add ? CommandFlag.ADD : 0);
  u32[(list + CommandField.END) >> 2] = record + DEFORM_RECORD_BYTES;
  f64[(list + CommandField.TIME) >> 3] = time;
  f32[(list + CommandField.WEIGHTS) >> 2] = weight;
  const end = rig2d.kernels.applyCommands(list, list + DEFORM_BYTES, pose, pose, program);
  expect(end).toBe(capacity < count ? list : list + DEFORM_BYTES);
  // + 0: whether a zero is negative is of no account.
  const after = Array.from(f32.subarray(values >> 2, (values >> 2) + i32[(slot >> 2) + SlotRow.DEFORM_COUNT]!), (value) => value + 0);
  for (let i = (count + 3) & ~3; i < roomFor(count); i++) expect(f32[(values >> 2) + i]).toBe(GUARD);
  for (const ptr of blocks) heap.free(ptr);
  return after;
}

/** What timelines.md says, value by value. */
function expected({ count, a, b, setup, current }: Deform, mode: MixMode, weight: number, add: boolean): number[] {
  return Array.from({ length: count }, (_, i) => {
    const value = a[i]! + (b[i]! - a[i]!) * 0.5;
    const base = setup === null ? 0 : setup[i]!;
    const now = i < current.length ? current[i]! : base;
    if (mode === MixMode.SETUP || current.length === 0) return (weight === 1 ? value : base + (value - base) * weight) + 0;
    if (add) return now + (value - base) * weight + 0;
    return (weight === 1 ? value : now + (value - now) * weight) + 0;
  });
}

describe("a deform command", () => {
  const sequence = (count: number, factor: number): number[] => Array.from({ length: count }, (_, i) => (i - 2) * factor);

  it("equals the rule value by value, for every count, mode, weight and kind of attachment, and writes nothing behind", () => {
    for (const count of [1, 3, 4, 5, 8, 9, 101]) {
      for (const setup of [null, sequence(count, 7)]) {
        for (const held of [0, count, Math.max(0, count - 2)]) {
          const deform: Deform = { count, a: sequence(count, 2), b: sequence(count, -4), setup, current: sequence(held, 16) };
          for (const mode of [MixMode.CURRENT, MixMode.SETUP, MixMode.FIRST]) {
            for (const weight of [0, 0.25, 1]) {
              for (const add of [false, true]) {
                expect(run(deform, mode, weight, add), JSON.stringify({ count, held, mode, weight, add })).toEqual(expected(deform, mode, weight, add));
              }
            }
          }
        }
      }
    }
  });

  it("before the first key empties, keeps or fades the deform by mode", () => {
    const deform: Deform = { count: 2, a: [0, 0], b: [0, 0], setup: [10, 20], current: [30, 40] };
    expect(run(deform, MixMode.SETUP, 0.5, false, -1)).toEqual([]);
    expect(run(deform, MixMode.CURRENT, 0.5, false, -1)).toEqual([30, 40]);
    expect(run(deform, MixMode.FIRST, 1, false, -1)).toEqual([]);
    expect(run(deform, MixMode.FIRST, 0.5, false, -1)).toEqual([20, 30]);
    expect(run({ ...deform, setup: null }, MixMode.FIRST, 0.25, false, -1)).toEqual([22.5, 30]);
  });

  it("does nothing and asks for room where the slot has too little", () => {
    const deform: Deform = { count: 3, a: [1, 2, 3], b: [1, 2, 3], setup: null, current: [5, 6] };
    expect(run(deform, MixMode.SETUP, 1, false, 0.5, 2)).toEqual([5, 6]);
  });

  it("with a record of no values leaves an empty deform", () => {
    expect(run({ count: 0, a: [], b: [], setup: [], current: [] }, MixMode.SETUP, 1, false)).toEqual([]);
  });
});

describe("a list", () => {
  it("clears a slot's deform and does nothing when empty", () => {
    const pose = heap.alloc(64);
    const list = heap.alloc(CLEAR_DEFORM_BYTES);
    heap.i32[(pose >> 2) + SlotRow.DEFORM_COUNT] = 6;
    rig2d.kernels.applyCommands(list, list, pose, pose, pose);
    expect(heap.i32[(pose >> 2) + SlotRow.DEFORM_COUNT]).toBe(6);
    heap.i32[(list + CommandField.OP) >> 2] = CommandOp.CLEAR_DEFORM;
    heap.i32[(list + CommandField.BYTES) >> 2] = CLEAR_DEFORM_BYTES;
    rig2d.kernels.applyCommands(list, list + CLEAR_DEFORM_BYTES, pose, pose, pose);
    expect(heap.i32[(pose >> 2) + SlotRow.DEFORM_COUNT]).toBe(0);
    heap.free(pose);
    heap.free(list);
  });
});
