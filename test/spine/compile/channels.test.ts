import { describe, expect, it } from "vitest";
import { KNOT_BYTES } from "../../../assembly/layout/rig2d.js";
import { curveKnots, Knots } from "./reference-knots.js";
import { makeTable } from "./reference-tables.js";
import { BoneData } from "../../../src/spine/data/bone-data.js";
import { SkeletonData } from "../../../src/spine/data/skeleton-data.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { Animation } from "../../../src/spine/animation.js";
import { RotateTimeline, TranslateXTimeline } from "../../../src/spine/timelines/index.js";
import { heap } from "../../../src/wasm/heap.js";
import fc, { runs } from "../../properties.js";

function boneRig(boneCount: number): SkeletonData {
  const data = new SkeletonData();
  for (let i = 0; i < boneCount; i++) data.bones.push(new BoneData(i, `b${i}`, i === 0 ? null : data.bones[0]!));
  return data;
}

/** Value of the knots at a time, the obvious way. */
function valueAt({ times, values, slopes }: Knots, time: number): number {
  let k = 0;
  while (k + 1 < times.length && times[k + 1]! <= time) k++;
  return values[k]! + (time - times[k]!) * slopes[k]!;
}

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** A timeline with ordered keys of random kinds, its handles anywhere within [-reach, 1 + reach] of the segment. */
const timelines = (reach: number, maxKeys = 12): fc.Arbitrary<TranslateXTimeline> =>
  fc
    .array(
      fc.record({
        gap: fc.oneof(number(0.001, 2), fc.constant(0)),
        value: number(-500, 500),
        kind: fc.integer({ min: 0, max: 2 }),
        cx: fc.tuple(number(-reach, 1 + reach), number(-reach, 1 + reach)),
        cy: fc.tuple(number(-600, 600), number(-600, 600)),
      }),
      { minLength: 1, maxLength: maxKeys },
    )
    .map((keys) => {
      const timeline = new TranslateXTimeline(keys.length, keys.length, 0);
      let time = 0;
      let beziers = 0;
      keys.forEach((key, i) => {
        timeline.setFrame(i, time, key.value);
        const next = keys[i + 1];
        const end = next === undefined ? time : time + key.gap;
        if (next !== undefined && key.kind === 1) timeline.setStepped(i);
        if (next !== undefined && key.kind === 2) {
          const span = end - time;
          timeline.setBezier(beziers++, i, 0, time, key.value, time + key.cx[0] * span, key.cy[0], time + key.cx[1] * span, key.cy[1], end, next.value);
        }
        time = end;
      });
      timeline.shrink(beziers);
      return timeline;
    });

describe("compiled channels", () => {
  it("equal the timeline's own curve at every time, for handles inside their segment", () => {
    fc.assert(
      fc.property(timelines(0), fc.array(number(0, 1), { maxLength: 40 }), (timeline, fractions) => {
        const knots = curveKnots(timeline, 0);
        const end = timeline.getDuration();
        for (const time of [...fractions.map((f) => f * end * 1.1), ...knots.times]) {
          expect(valueAt(knots, time)).toBeCloseTo(timeline.getCurveValue(time), 6);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("equal the timeline's own curve where handles make the x values run backwards", () => {
    fc.assert(
      fc.property(timelines(2), fc.array(number(0, 1), { maxLength: 40 }), (timeline, fractions) => {
        const knots = curveKnots(timeline, 0);
        const end = timeline.getDuration();
        for (const fraction of fractions) {
          const time = fraction * end;
          const wanted = timeline.getCurveValue(time);
          // Extended lines can be very steep; what counts is the relative error.
          expect(Math.abs(valueAt(knots, time) - wanted)).toBeLessThanOrEqual(1e-6 * Math.max(1000, Math.abs(wanted)));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("are never NaN where several x values fall on one 32-bit float", () => {
    const timeline = new RotateTimeline(2, 1, 0);
    timeline.setFrame(0, 1000, 10);
    timeline.setFrame(1, 1000.0001, 20);
    timeline.setBezier(0, 0, 0, 1000, 10, 1000.00002, 30, 1000.00006, 0, 1000.0001, 20);
    const knots = curveKnots(timeline, 0);
    for (const time of [1000, 1000.00003, 1000.0001, ...knots.times]) {
      expect(Number.isFinite(valueAt(knots, time))).toBe(true);
      expect(Number.isFinite(timeline.getCurveValue(time))).toBe(true);
    }
  });

  it("keep strictly ascending times and finite numbers for any frames", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.float(), fc.float()), { minLength: 1, maxLength: 20 }), (frames) => {
        const timeline = new RotateTimeline(frames.length, 0, 0);
        frames.forEach(([time, value], i) => timeline.setFrame(i, time, value));
        const { times, slopes } = curveKnots(timeline, 0);
        for (let k = 0; k < times.length; k++) {
          expect(Number.isFinite(times[k]!) && Number.isFinite(slopes[k]!)).toBe(true);
          if (k > 0) expect(times[k]! > times[k - 1]!).toBe(true);
        }
      }),
    );
  });

  it("lead from every bucket to a knot that is not after the wanted one, in 32-bit and 64-bit arithmetic", () => {
    fc.assert(
      fc.property(fc.array(number(0, 100), { minLength: 2, maxLength: 60 }), fc.array(number(0, 1), { maxLength: 40 }), (raw, fractions) => {
        const knots = new Knots();
        for (const time of raw.map(Math.fround).toSorted((a, b) => a - b)) knots.push(time, 0, 0, 0);
        const { buckets, bucketsPerSecond: rate } = makeTable(knots);
        const { times } = knots;
        const first = times[0]!;
        for (const time of [...fractions.map((f) => first + f * (times.at(-1)! - first)), ...times]) {
          if (time < first) continue;
          const narrow = Math.fround(time) <= time ? Math.fround(time) : Math.fround(time - Math.abs(time) * 6e-8);
          const wanted = times.findLastIndex((t) => t <= time);
          for (const passed of [(time - first) * rate, Math.fround(Math.fround(narrow - first) * rate)]) {
            const bucket = Math.min(buckets.length - 1, Math.max(0, Math.trunc(passed)));
            expect(buckets[bucket]!).toBeLessThanOrEqual(wanted);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("lead the kernel to the knot of a key at its 32-bit time, and to the one before just below it", () => {
    const data = boneRig(1);
    data.bones[0]!.setupPose.x = 0;
    const timeline = new TranslateXTimeline(40, 0, 0);
    for (let i = 0; i < 40; i++) {
      timeline.setFrame(i, i / 10 + 0.1, i);
      timeline.setStepped(i);
    }
    const animation = new Animation("steps", [timeline]);
    const skeleton = new Skeleton(data);
    for (let i = 0; i < 40; i++) {
      const key = timeline.frames[i * 2]!;
      animation.apply(skeleton, -1, key, false, null, 1, true, false, false, false);
      expect(skeleton.bones[0]!.pose.x).toBe(i);
      animation.apply(skeleton, -1, key - 1e-12, false, null, 1, true, false, false, false);
      expect(skeleton.bones[0]!.pose.x).toBe(Math.max(0, i - 1));
      // 0.1 is stored as 0.10000000149: not reached at 0.1; 0.7 as 0.69999998808: reached at 0.7.
      const nominal = i / 10 + 0.1;
      animation.apply(skeleton, -1, nominal, false, null, 1, true, false, false, false);
      expect(skeleton.bones[0]!.pose.x).toBe(nominal >= key ? i : Math.max(0, i - 1));
    }
    skeleton.dispose();
  });

  it("equal the timeline's own curve in the kernel within 32-bit rounding", () => {
    const data = boneRig(1);
    const skeleton = new Skeleton(data);
    const { pose } = skeleton.bones[0]!;
    fc.assert(
      fc.property(timelines(0, 30), fc.array(number(0, 1.2), { maxLength: 60 }), (timeline, fractions) => {
        const animation = new Animation("a", [timeline]);
        for (const fraction of fractions) {
          const time = fraction * Math.max(1, timeline.getDuration());
          animation.apply(skeleton, -1, time, false, null, 1, true, false, false, false);
          // Three roundings at up to 600 units, and the slope's own over a segment of up to 1100 units.
          expect(Math.abs(pose.x - timeline.getCurveValue(time))).toBeLessThan(1100 * 4 * 2 ** -24);
        }
      }),
      { numRuns: runs(300) },
    );
    skeleton.dispose();
  });

  it("stay finite at infinite and absurd times", () => {
    const data = boneRig(1);
    const skeleton = new Skeleton(data);
    const timeline = new RotateTimeline(2, 0, 0);
    timeline.setFrame(0, 0, 1);
    timeline.setFrame(1, 1, 2);
    for (const time of [Infinity, -Infinity, 1e300, -1e300, NaN]) {
      timeline.apply(skeleton, -1, time, null, 1, true, false, false, false);
      expect([0, 2]).toContain(skeleton.bones[0]!.pose.rotation);
    }
    skeleton.dispose();
  });

  it("write a sentinel behind the last knot, and nothing outside their block", () => {
    const data = boneRig(2);
    const timeline = new RotateTimeline(3, 0, 1);
    for (let i = 0; i < 3; i++) timeline.setFrame(i, i, i);
    const animation = new Animation("a", [timeline]);
    const before = heap.alloc(16);
    const compiled = animation._compiledFor(data);
    const after = heap.alloc(16);
    expect(heap.u32[before >> 2]).toBe(0);
    expect(heap.u32[after >> 2]).toBe(0);
    const knots = heap.u32[(compiled.channels + 4) >> 2]!;
    expect(heap.f32[(knots + 3 * KNOT_BYTES) >> 2]).toBe(Infinity);
    heap.free(before);
    heap.free(after);
  });

  it("are compiled again after setTimelines or an edit, and the old block is freed", () => {
    const data = boneRig(1);
    const skeleton = new Skeleton(data);
    const timeline = new RotateTimeline(1, 0, 0);
    timeline.setFrame(0, 0, 10);
    const animation = new Animation("a", [timeline]);
    const apply = (): number => {
      animation.apply(skeleton, -1, 0, false, null, 1, true, false, false, false);
      return skeleton.bones[0]!.pose.rotation;
    };
    expect(apply()).toBe(10);
    const blocks = heap.blockCount;
    for (let i = 0; i < 100; i++) {
      timeline.setFrame(0, 0, i);
      expect(apply()).toBe(i);
    }
    timeline.setFrame(0, 0, 20);
    for (let i = 0; i < 100; i++) {
      animation.setTimelines([timeline]);
      expect(apply()).toBe(20);
    }
    expect(heap.blockCount).toBe(blocks);
    skeleton.dispose();
  });
});
