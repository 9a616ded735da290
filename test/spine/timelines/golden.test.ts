import { describe, expect, it } from "vitest";
import { MixFrom, Physics } from "../../../src/spine/enums.js";
import type { Event } from "../../../src/spine/model/event.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import type { CurveTimeline } from "../../../src/spine/timelines/index.js";
import { golden } from "../../golden.js";
import { agree, loadWithoutAtlas, magnitude, readPath, type Value, writePath } from "../paths.js";

interface Rows<R> {
  animation: string;
  columns: string[];
  rows: R[];
}

interface Golden {
  rowCount: number;
  skeleton: object;
  appliedPoseSkeleton: object;
  groups: (Rows<[number, number, keyof typeof MixFrom, boolean, boolean, ...Value[]]> & { id: string; start: Record<string, Value> })[];
  eventRows: Rows<[string, number, number, boolean, string[]]>;
  physicsResetRows: Rows<[string, number, number, boolean, [boolean, boolean]]>;
  loopRows: Rows<[number, boolean, number]>;
  appliedPoseRows: Rows<[number, number, keyof typeof MixFrom, boolean, boolean, ...Value[]]>;
  curveStorage: { animation: string; frames: number[]; curves: number[] }[];
  timelineFacts: {
    animation: string;
    timeline: string;
    propertyIds: string[];
    frameEntries: number;
    frameCount: number;
    duration: number;
    additive: boolean;
    instant: boolean;
  }[];
}

const data = golden<Golden>("timeline-golden.json.gz");
const skeletonData = loadWithoutAtlas(data.skeleton);

/** Single precision: 1e-6 of the largest magnitude in the column, at least 1e-6. */
function toleranceOf(rows: readonly Value[][], column: number): number {
  return 1e-6 * Math.max(1, ...rows.map((row) => magnitude(row[column]!)));
}

describe("every row of timeline-golden.json", () => {
  let total = 0;
  for (const group of data.groups) {
    it(`agrees for ${group.id}`, () => {
      const tolerances = group.columns.map((_, i) => (i < 5 ? 0 : toleranceOf(group.rows as Value[][], i)));
      const failures: string[] = [];
      const skeleton = new Skeleton(skeletonData);
      for (const row of group.rows) {
        const [time, alpha, from, add, out] = row;
        skeleton.setupPose();
        for (const path in group.start) writePath(skeleton, path, group.start[path]!);
        skeletonData.findAnimation(group.animation)!.apply(skeleton, -1, time, false, null, alpha, MixFrom[from], add, out, false);
        for (let i = 5; i < row.length; i++) {
          const got = readPath(skeleton, group.columns[i]!);
          if (!agree(got, row[i]! as Value, tolerances[i]!)) {
            failures.push(`${JSON.stringify(row.slice(0, 5))} ${group.columns[i]}: ${JSON.stringify(got)}, expected ${JSON.stringify(row[i])}`);
          }
        }
        total++;
      }
      skeleton.dispose();
      expect(failures).toEqual([]);
    });
  }

  it("agrees for events fired by Animation.apply", () => {
    const skeleton = new Skeleton(skeletonData);
    for (const [animation, lastTime, time, loop, fired] of data.eventRows.rows) {
      const events: Event[] = [];
      skeletonData.findAnimation(animation)!.apply(skeleton, lastTime, time, loop, events, 1, MixFrom.setup, false, false, false);
      expect(events.map((event) => event.data.name), `${animation} ${lastTime} ${time} ${loop}`).toEqual(fired);
      total++;
    }
    skeleton.dispose();
  });

  it("agrees for physics resets", () => {
    for (const [animation, lastTime, time, loop, wanted] of data.physicsResetRows.rows) {
      const skeleton = new Skeleton(skeletonData);
      const calls: string[] = [];
      for (const constraint of skeleton.physics) {
        (constraint as unknown as { reset: () => void }).reset = () => calls.push(constraint.data.name);
      }
      skeletonData.findAnimation(animation)!.apply(skeleton, lastTime, time, loop, null, 0, MixFrom.current, false, true, true);
      expect([calls.includes("ph1"), calls.includes("ph2")], `${animation} ${lastTime} ${time} ${loop}`).toEqual(wanted);
      skeleton.dispose();
      total++;
    }
  });

  it("agrees for looping", () => {
    const skeleton = new Skeleton(skeletonData);
    for (const [time, loop, wanted] of data.loopRows.rows) {
      skeleton.setupPose();
      skeletonData.findAnimation("rotate")!.apply(skeleton, -1, time, loop, null, 1, true, false, false, false);
      expect(readPath(skeleton, "bone/b/pose/rotation"), `${time} ${loop}`).toBeCloseTo(wanted, 3);
      total++;
    }
    skeleton.dispose();
  });

  it("agrees for applied poses", () => {
    const appliedData = loadWithoutAtlas(data.appliedPoseSkeleton);
    const { columns, rows, animation } = data.appliedPoseRows;
    const tolerances = columns.map((_, i) => (i < 5 ? 0 : toleranceOf(rows as Value[][], i)));
    for (const row of rows) {
      const [time, alpha, from, add, appliedPose] = row;
      const skeleton = new Skeleton(appliedData);
      skeleton.updateWorldTransform(Physics.none);
      appliedData.findAnimation(animation)!.apply(skeleton, -1, time, false, null, alpha, MixFrom[from], add, false, appliedPose);
      for (let i = 5; i < row.length; i++) {
        const got = readPath(skeleton, columns[i]!);
        expect(agree(got, row[i]! as Value, tolerances[i]!), `${JSON.stringify(row.slice(0, 5))} ${columns[i]} ${JSON.stringify(got)}`).toBe(true);
      }
      skeleton.dispose();
      total++;
    }
  });

  it("is covered: no row is left out", () => {
    expect(total).toBe(data.rowCount);
  });
});

/** The curves of a loaded timeline made again from the numbers of the file. */
function fromFile(animation: string, loaded: CurveTimeline): CurveTimeline {
  interface Key {
    time?: number;
    value?: number;
    x?: number;
    y?: number;
    curve?: "stepped" | number[];
  }
  const file = data.skeleton as { animations: Record<string, { bones?: object; attachments?: object }> };
  // The one list of keys, whatever it is called.
  let node: unknown = file.animations[animation]!.bones ?? file.animations[animation]!.attachments;
  while (!Array.isArray(node)) node = Object.values(node as object)[0];
  const keys = node as Key[];
  const copy = Object.create(Object.getPrototypeOf(loaded)) as CurveTimeline;
  Object.assign(copy, loaded, { _source: null, _tables: loaded.curves.slice() });
  const components = loaded.getFrameEntries() - 1 || 1;
  let bezier = 0;
  keys.forEach((key, i) => {
    if (!Array.isArray(key.curve)) return;
    const next = keys[i + 1]!;
    const values = (k: Key): number[] => (k.value !== undefined ? [k.value] : k.x !== undefined ? [k.x, k.y!] : [0]);
    for (let c = 0; c < components; c++, bezier++) {
      const [cx1, cy1, cx2, cy2] = key.curve.slice(c * 4, c * 4 + 4) as [number, number, number, number];
      copy.setBezier(bezier, i, c, key.time!, values(key)[c]!, cx1, cy1, cx2, cy2, next.time!, values(next)[c]!);
    }
  });
  return copy;
}

describe("what timelines store", () => {
  it("has the reference's frames and Bezier tables: bit for bit, as loaded and made again", () => {
    for (const { animation, frames, curves } of data.curveStorage) {
      const timeline = skeletonData.findAnimation(animation)!.timelines[0] as CurveTimeline;
      expect(Array.from(timeline.frames), animation).toEqual(frames);
      expect(Array.from(timeline.curves), animation).toEqual(curves);
      const copy = fromFile(animation, timeline);
      expect(Array.from(copy.curves), animation).toEqual(curves);
    }
  });

  it("has the reference's ids, sizes and flags", () => {
    const seen = new Map<string, number>();
    for (const fact of data.timelineFacts) {
      const nth = seen.get(fact.animation) ?? 0;
      seen.set(fact.animation, nth + 1);
      const timeline = skeletonData.findAnimation(fact.animation)!.timelines[nth]!;
      expect(timeline.constructor.name, fact.animation).toBe(fact.timeline);
      const { frameEntries, frameCount, duration, additive, instant } = timeline;
      expect({ frameEntries, frameCount, duration, additive, instant }, fact.animation).toEqual({
        frameEntries: fact.frameEntries,
        frameCount: fact.frameCount,
        duration: fact.duration,
        additive: fact.additive,
        instant: fact.instant,
      });
      // The last number of deform and sequence ids counts objects in the process.
      const stable = (id: unknown): string => String(id).replace(/^((?:12|29)\|\d+)\|\d+$/, "$1");
      expect(timeline.propertyIds.map(stable), fact.animation).toEqual(fact.propertyIds.map(stable));
    }
  });
});
