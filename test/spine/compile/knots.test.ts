import { describe, expect, it } from "vitest";
import { DeformField } from "../../../assembly/layout/animation.js";
import { CHANNEL_BYTES, ChannelField, KNOT_BYTES } from "../../../assembly/layout/rig2d.js";
import { Animation } from "../../../src/spine/animation.js";
import { MeshAttachment } from "../../../src/spine/attachments/mesh-attachment.js";
import { Sequence } from "../../../src/spine/attachments/sequence.js";
import { BoneData } from "../../../src/spine/data/bone-data.js";
import { SkeletonData } from "../../../src/spine/data/skeleton-data.js";
import { SlotData } from "../../../src/spine/data/slot-data.js";
import { DeformTimeline, TranslateTimeline, type CurveTimeline } from "../../../src/spine/timelines/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { curveKnots, percentKnots, type Knots } from "./reference-knots.js";
import { makeTable } from "./reference-tables.js";
import fc, { runs } from "../../properties.js";

const data = new SkeletonData();
data.bones.push(new BoneData(0, "root", null));
data.slots.push(new SlotData(0, "slot", data.bones[0]!));

interface Key {
  time: number;
  x: number;
  y: number;
  kind: number;
  handles: number[];
}

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** Keys of random kinds, their handles anywhere within [-1, 2] of the segment; many at the same time. */
const keyLists = (maxKeys: number): fc.Arbitrary<Key[]> =>
  fc
    .array(
      fc.record({
        gap: fc.oneof(number(0.001, 2), number(1e-9, 1e-6), fc.constant(0)),
        x: number(-500, 500),
        y: number(-1e-3, 1e6),
        kind: fc.integer({ min: 0, max: 2 }),
        reach: fc.array(number(-1, 2), { minLength: 8, maxLength: 8 }),
      }),
      { minLength: 1, maxLength: maxKeys },
    )
    .map((raw) => {
      let time = 0;
      return raw.map(({ gap, x, y, kind, reach }) => {
        const start = time;
        time += gap;
        return { time: start, x, y, kind, handles: reach.map((part, i) => (i % 2 === 0 ? start + part * gap : part * 300)) };
      });
    });

/** The same keys set one by one, and as a loader hands them over. */
function timelines(keys: readonly Key[]): [TranslateTimeline, TranslateTimeline] {
  const curved = keys.filter((key, i) => key.kind === 2 && i < keys.length - 1).length;
  const set = new TranslateTimeline(keys.length, curved * 2, 0);
  const frames = new Float32Array(keys.flatMap(({ time, x, y }) => [time, x, y]));
  const read = new TranslateTimeline(frames as unknown as number, curved * 2, 0);
  const handles: number[] = [];
  let bezier = 0;
  keys.forEach(({ time, x, y, kind, handles: both }, i) => {
    const [ax, ay, bx, by, cx, cy, dx, dy] = both;
    set.setFrame(i, time, x, y);
    const next = keys[i + 1];
    if (next === undefined) return;
    if (kind === 1) set.setStepped(i);
    if (kind !== 2) return;
    set.setBezier(bezier++, i, 0, time, x, ax!, ay!, bx!, by!, next.time, next.x);
    set.setBezier(bezier++, i, 1, time, y, cx!, cy!, dx!, dy!, next.time, next.y);
    handles.push(...both);
  });
  read._source = { types: keys.map((key, i) => (i === keys.length - 1 ? 0 : key.kind)), handles: Float64Array.from(handles), keys: Float64Array.from(keys.flatMap(({ time, x, y }) => [time, x, y])) };
  return [set, read];
}

const bits = (values: ArrayLike<number>): number[] => Array.from(new Uint32Array(Float32Array.from(values).buffer));

/** Expects the record's knots and buckets to be those of the obvious way, bit for bit. */
function expectTable(record: number, knots: Knots): void {
  const { u32, f32, u16 } = heap;
  const at = record >> 2;
  const first = u32[at + (ChannelField.KNOTS >> 2)]! >> 2;
  const { buckets, bucketsPerSecond } = makeTable(knots);
  expect(u32[at + (ChannelField.KNOT_COUNT >> 2)]).toBe(knots.count);
  const column = (part: number): Float32Array => Float32Array.from({ length: knots.count }, (_, k) => f32[first + k * (KNOT_BYTES / 4) + part]!);
  expect(bits(column(0))).toEqual(bits(knots.times));
  expect(bits(column(1))).toEqual(bits(knots.values));
  expect(bits(column(2))).toEqual(bits(knots.slopes));
  expect(f32[first + knots.count * (KNOT_BYTES / 4)]).toBe(Infinity);
  expect(f32[at + (ChannelField.BUCKETS_PER_SECOND >> 2)]).toBe(Math.fround(bucketsPerSecond));
  expect(f32[at + (ChannelField.FIRST_TIME >> 2)]).toBe(knots.times[0]);
  expect(u32[at + (ChannelField.LAST_BUCKET >> 2)]).toBe(buckets.length - 1);
  const from = u32[at + (ChannelField.BUCKETS >> 2)]! >> 1;
  expect(Array.from(u16.subarray(from, from + buckets.length))).toEqual(Array.from(buckets));
}

function expectChannels(timeline: CurveTimeline, wanted: CurveTimeline): void {
  const compiled = new Animation("a", [timeline])._compiledFor(data);
  expect(compiled.channelCount).toBe(2);
  expectTable(compiled.channels, curveKnots(wanted, 0));
  expectTable(compiled.channels + CHANNEL_BYTES, curveKnots(wanted, 1));
  compiled.rig.release(compiled.block);
}

describe("knots and buckets that the kernel makes", () => {
  it("are those of the obvious way, bit for bit, for tables and for curves as they were read", () => {
    fc.assert(
      fc.property(keyLists(14), (keys) => {
        const [set, read] = timelines(keys);
        expectChannels(read, set);
        expectChannels(set, set);
        expect(bits(read.curves)).toEqual(bits(set.curves));
        // An edit makes the tables count.
        for (const timeline of [set, read]) timeline.setFrame(0, keys[0]!.time, 1, 2);
        expectChannels(read, set);
      }),
      { numRuns: runs(300) },
    );
  });

  it("are right for 1 to 9 frames and for a long timeline, stepped, linear and curved", () => {
    for (const count of [1, 2, 3, 4, 5, 8, 9, 701]) {
      for (const kind of [0, 1, 2]) {
        const keys = Array.from({ length: count }, (_, i): Key => ({ time: i / 30, x: i * i, y: -i, kind, handles: [0.01, 3, 0.02, 4, 0.005, 1, 0.03, 2].map((v, k) => (k % 2 === 0 ? i / 30 + v : v)) }));
        const [set, read] = timelines(keys);
        expectChannels(read, set);
        expectChannels(set, set);
      }
    }
  });

  it("hold how far a deform timeline has gone, with the frame of each knot and the vertices", () => {
    const mesh = new MeshAttachment("mesh", new Sequence(1, false));
    mesh.vertices = [0, 0, 1, 0, 1];
    fc.assert(
      fc.property(keyLists(10), (keys) => {
        const [, read] = timelines(keys);
        const curved = keys.filter((key, i) => key.kind === 2 && i < keys.length - 1).length;
        const deform = new DeformTimeline(keys.length, curved, 0, mesh);
        let bezier = 0;
        keys.forEach(({ time, kind, handles }, i) => {
          deform.setFrame(i, time, [i, 2, 3, 4, 5]);
          if (i === keys.length - 1) return;
          if (kind === 1) deform.setStepped(i);
          if (kind === 2) deform.setBezier(bezier++, i, 0, time, 0, handles[0]!, handles[1]! / 300, handles[2]!, handles[3]! / 300, keys[i + 1]!.time, 1);
        });
        const compiled = new Animation("a", [read, deform])._compiledFor(data);
        const record = compiled.segments[0]!.steps[0]!.deform;
        const knots = percentKnots(deform);
        expectTable(record, knots);
        const { u32, u16, f32 } = heap;
        const frames = u32[(record + DeformField.KNOT_FRAMES) >> 2]! >> 1;
        expect(Array.from(u16.subarray(frames, frames + knots.count))).toEqual(knots.frames);
        expect([u32[(record + DeformField.FRAME_BYTES) >> 2], u32[(record + DeformField.VALUE_COUNT) >> 2]]).toEqual([32, 5]);
        const vertices = u32[(record + DeformField.FRAMES) >> 2]! >> 2;
        for (let i = 0; i < keys.length; i++) expect(Array.from(f32.subarray(vertices + i * 8, vertices + i * 8 + 8))).toEqual([i, 2, 3, 4, 5, 0, 0, 0]);
        compiled.rig.release(compiled.block);
      }),
      { numRuns: runs(200) },
    );
  });

  it("are left out, channel and all, where no frame has a time that can be reached", () => {
    const timeline = new TranslateTimeline(2, 0, 0);
    timeline.setFrame(0, Number.NaN, 1, 2);
    timeline.setFrame(1, Infinity, 1, 2);
    expect(new Animation("a", [timeline])._compiledFor(data).channelCount).toBe(0);
  });
});
