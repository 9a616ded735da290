import { describe, expect, test } from "vitest";
import { Crowd, CrowdVertices } from "../../src/crowd/index.js";
import {
  AnimationState, AnimationStateData, AtlasAttachmentLoader, Physics, PhysicsConstraintData, Skeleton, type SkeletonData, SkeletonJson, TextureAtlas,
} from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { builtIn, rigs } from "./rigs.js";

const DT = 1 / 60;

/** Half of the constraints of every kind, and some slots. */
function someDetail(data: ReturnType<typeof builtIn>): { constraints: string[]; slots: string[] } {
  return { constraints: data.constraints.filter((_, i) => i % 2 === 0).map(({ name }) => name), slots: data.slots.filter((_, i) => i % 3 === 0).map(({ name }) => name) };
}

/** The built-in rig without physics, which sees other movements at another rate. */
function still(): ReturnType<typeof builtIn> {
  const data = builtIn();
  for (const constraint of data.constraints) if (constraint instanceof PhysicsConstraintData) constraint.setupPose.mix = 0;
  return data;
}

describe.each(rigs("levels of detail of real exports"))("reduced detail of $name", ({ data: load }) => {
  test("is a skeleton whose detail constraints do not act; everybody else is as exact as ever", { timeout: 120_000 }, () => {
    const data = load();
    const detail = someDetail(data);
    const crowd = new Crowd(data, { slots: true, detail });
    const plain = new Crowd(data, { slots: true });
    const members = Array.from({ length: 14 }, (_, i) => {
      const animation = data.animations[i % data.animations.length]!.name;
      const time = i * 0.31;
      const isReduced = i % 2 === 1;
      const skeleton = new Skeleton(data);
      skeleton.setupPose();
      if (isReduced) for (const constraint of skeleton.constraints) if (detail.constraints.includes(constraint.data.name)) constraint.isSourceActive = () => false;
      skeleton.updateCache();
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, animation, true).trackTime = time;
      const id = crowd.spawn({ animation, time, detail: !isReduced });
      expect(crowd.hasDetail(id)).toBe(!isReduced);
      return { id, other: plain.spawn({ animation, time }), skeleton, state, isReduced };
    });
    for (let frame = 0; frame < 8; frame++) {
      crowd.update(DT);
      plain.update(DT);
      const stride = crowd.boneCount * 6;
      for (const { id, other, skeleton, state, isReduced } of members) {
        state.update(DT);
        state.apply(skeleton);
        skeleton.update(DT);
        skeleton.updateWorldTransform(Physics.update);
        expect(distance(crowd, id, skeleton)).toBeLessThan(2e-4);
        const row = crowd.row(id);
        if (!isReduced) {
          const own = plain.row(other);
          expect(crowd.palette.subarray(row * stride, (row + 1) * stride)).toEqual(plain.palette.subarray(own * stride, (own + 1) * stride));
        }
        data.slots.forEach((slot, i) => {
          const shown = crowd.slots[(row * data.slots.length + i) * 3 + 2]! & 0xffff;
          const full = plain.slots[(plain.row(other) * data.slots.length + i) * 3 + 2]! & 0xffff;
          expect(shown).toBe(isReduced && detail.slots.includes(slot.name) ? 0 : full);
        });
      }
    }
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
    plain.dispose();
  });
});

describe("levels of detail", () => {
  test("come and go: full detail again is what it would have been, physics starts anew", () => {
    const data = builtIn();
    const physics = data.constraints.filter((constraint) => constraint instanceof PhysicsConstraintData).map(({ name }) => name);
    const others = data.constraints.map(({ name }) => name).filter((name) => !physics.includes(name));
    expect(physics.length).toBeGreaterThan(0);
    const crowd = new Crowd(data, { slots: true, detail: { constraints: others, slots: data.slots.map(({ name }) => name) } });
    const plain = new Crowd(data, { slots: true });
    const id = crowd.spawn({ animation: "walk" });
    plain.spawn({ animation: "walk" });
    for (let frame = 0; frame < 12; frame++) {
      if (frame === 3) crowd.setDetail(id, false);
      if (frame === 7) crowd.setDetail(id, true);
      crowd.update(DT);
      plain.update(DT);
      if (frame >= 3 && frame < 7) expect(crowd.slots.every((word, i) => i % 3 !== 2 || (word & 0xffff) === 0)).toBe(true);
    }
    // Nothing but physics remembers, and that was not left out.
    expect(crowd.slots).toEqual(plain.slots);
    const other = new Crowd(data, { detail: { constraints: physics } });
    const swinging = other.spawn({ animation: "run" });
    for (let frame = 0; frame < 30; frame++) other.update(DT);
    other.setDetail(swinging, false);
    for (let frame = 0; frame < 600; frame++) other.update(DT);
    other.setDetail(swinging, true);
    other.update(DT);
    expect(other.palette.every(Number.isFinite)).toBe(true);
    // At rest physics leaves bones where the clip has them: the first pose is that of a crowd without it.
    const without = new Crowd(data, { detail: { constraints: physics } });
    without.spawn({ animation: "run", detail: false });
    for (let frame = 0; frame < 631; frame++) without.update(DT);
    expect(Math.max(...other.palette.map((value, i) => Math.abs(value - without.palette[i]!)))).toBeLessThan(0.01);
    for (const each of [crowd, plain, other, without]) each.dispose();
  });

  test("refuse names that the rig does not have", () => {
    const data = builtIn();
    expect(() => new Crowd(data, { detail: { constraints: ["nothing"] } })).toThrow(/no constraint "nothing"/);
    expect(() => new Crowd(data, { detail: { slots: ["nothing"] } })).toThrow(/no slot "nothing"/);
    const crowd = new Crowd(data);
    const id = crowd.spawn({ animation: "walk" });
    crowd.setDetail(id, false);
    expect(crowd.hasDetail(id)).toBe(true);
    crowd.dispose();
  });

  test("are chosen by distance, with a margin against flicker", () => {
    const data = builtIn();
    const crowd = new Crowd(data, { detail: { slots: [data.slots[0]!.name] } });
    const ids = [0, 90, 104, 160, 500].map((x) => crowd.spawn({ animation: "walk", x }));
    expect(crowd.chooseLevels(0, 0)).toBe(0);
    crowd.levels = [{ within: 100 }, { within: 200, rate: 30 }, { rate: 10, between: "interpolate", detail: false }];
    expect(crowd.chooseLevels(0, 0)).toBe(5);
    expect(ids.map((id) => crowd.hasDetail(id))).toEqual([true, true, true, true, false]);
    expect(crowd.chooseLevels(0, 0)).toBe(0);
    // 104 is beyond 100 by less than the margin: from 90 it stays near, from further away it stays far.
    crowd.setPosition(ids[1]!, 104, 0);
    expect(crowd.chooseLevels(0, 0)).toBe(0);
    crowd.setPosition(ids[1]!, 106, 0);
    expect(crowd.chooseLevels(0, 0)).toBe(1);
    crowd.setPosition(ids[1]!, 96, 0);
    expect(crowd.chooseLevels(0, 0)).toBe(0);
    expect(crowd.chooseLevels(0, 0, 0)).toBe(1);
    // The viewpoint moves: near is far, far is near.
    expect(crowd.chooseLevels(500, 0)).toBe(5);
    expect(ids.map((id) => crowd.hasDetail(id))).toEqual([false, false, false, false, true]);
    crowd.setLevel(ids[0]!, 0);
    expect(crowd.hasDetail(ids[0]!)).toBe(true);
    expect(() => crowd.setLevel(ids[0]!, 3)).toThrow(/level/);
    expect(() => (crowd.levels = [{ within: 10 }, { within: 5 }])).toThrow(/near to far/);
    expect(() => (crowd.levels = [{ rate: 0 }])).toThrow(/levels\[0\].rate/);
    expect(() => crowd.chooseLevels(NaN, 0)).toThrow(/x is/);
    expect(() => crowd.chooseLevels(0, 0, 1)).toThrow(/margin/);
    crowd.dispose();
  });

  test("hold the latest pose between two, or go from one to the next", () => {
    const data = still();
    const crowd = new Crowd(data, { slots: true });
    const every = crowd.spawn({ animation: "walk", speed: 1 });
    const held = crowd.spawn({ animation: "walk" });
    const between = crowd.spawn({ animation: "walk" });
    // Whole numbers of frames in binary: four frames to an interval.
    const dt = 1 / 64;
    crowd.setUpdateRate(held, 16);
    crowd.setUpdateRate(between, 16, "interpolate");
    const pose = (id: number): number[] => {
      const row = crowd.row(id) * crowd.boneCount * 6;
      return [...crowd.palette.subarray(row, row + crowd.boneCount * 6)];
    };
    const states = (id: number): number[] => {
      const row = crowd.row(id) * data.slots.length * 3;
      return [...crowd.slots.subarray(row, row + data.slots.length * 3)];
    };
    const exact: number[][] = [];
    const shown: number[][] = [];
    for (let frame = 0; frame < 24; frame++) {
      crowd.update(dt);
      exact.push(pose(every));
      shown.push(states(every));
      // Posed in the first update, and whenever an interval has passed since.
      const latest = Math.floor(frame / 4) * 4;
      const before = Math.max(0, latest - 4);
      expect(pose(held)).toEqual(exact[latest]);
      const age = frame - latest;
      const part = latest === 0 ? 1 : age / 4;
      const expected = exact[before]!.map((value, i) => value + (exact[latest]![i]! - value) * part);
      const largest = Math.max(...expected.map(Math.abs));
      expect(Math.max(...pose(between).map((value, i) => Math.abs(value - expected[i]!))) / largest, `frame ${frame}`).toBeLessThan(1e-6);
      expect(states(between)).toEqual(shown[before]);
    }
    // Hidden and shown again: posed at once, with nothing of before.
    crowd.setVisible(between, false);
    crowd.update(dt);
    expect(pose(between).every((value) => value === 0)).toBe(true);
    crowd.setVisible(between, true);
    crowd.update(dt);
    expect(pose(between)).toEqual(pose(every));
    // And back to every update.
    crowd.setUpdateRate(between, Infinity);
    crowd.update(dt);
    expect(pose(between)).toEqual(pose(every));
    expect(() => crowd.setUpdateRate(between, 0)).toThrow(/posesPerSecond/);
    expect(() => crowd.setUpdateRate(between, 10, "guess" as never)).toThrow(/between/);
    crowd.dispose();
  });

  test("do not show a character on its way when it is teleported, and its physics comes along", () => {
    const data = builtIn();
    const stay = new Crowd(data);
    const go = new Crowd(data);
    const flung = new Crowd(data);
    const ids = [stay, go, flung].map((crowd) => crowd.spawn({ animation: "run" }));
    for (let frame = 0; frame < 40; frame++) {
      if (frame === 20) {
        go.teleport(ids[1]!, 4096, -256);
        flung.setPosition(ids[2]!, 4096, -256);
      }
      for (const crowd of [stay, go, flung]) crowd.update(DT);
      if (frame < 20) continue;
      const error = (crowd: Crowd): number => Math.max(...crowd.palette.map((value, i) => Math.abs(value - stay.palette[i]! - (i % 6 === 4 ? 4096 : i % 6 === 5 ? -256 : 0))));
      expect(error(go)).toBeLessThan(0.05);
      if (frame === 20) expect(error(flung)).toBeGreaterThan(1);
    }
    for (const crowd of [stay, go, flung]) crowd.dispose();

    const crowd = new Crowd(still());
    const id = crowd.spawn({ animation: "idle" });
    crowd.setUpdateRate(id, 10, "interpolate");
    for (let frame = 0; frame < 9; frame++) crowd.update(DT);
    crowd.teleport(id, 1000, 0);
    crowd.update(DT);
    expect(crowd.palette[4]).toBe(1000);
    expect(() => crowd.teleport(id, NaN, 0)).toThrow(/x is/);
    crowd.dispose();
  });

  test("give the same poses with a second palette, and after a snapshot", async () => {
    const data = builtIn();
    const make = (): Crowd => {
      const crowd = new Crowd(data, { slots: true, detail: someDetail(data) });
      for (let i = 0; i < 11; i++) {
        const id = crowd.spawn({ animation: i % 2 === 0 ? "walk" : "run", time: i * 0.1, detail: i % 3 !== 0 });
        if (i % 4 !== 0) crowd.setUpdateRate(id, 7 + i, i % 4 === 1 ? "hold" : "interpolate");
      }
      return crowd;
    };
    const one = make();
    const two = make();
    const three = make();
    for (let frame = 0; frame < 30; frame++) {
      one.update(DT);
      await two.updateAsync(DT);
      expect(two.palette).toEqual(one.palette);
      expect(two.slots).toEqual(one.slots);
      if (frame === 14) three.restore(one.snapshot());
      if (frame > 14) {
        three.update(DT);
        expect(three.palette).toEqual(one.palette);
        expect(three.slots).toEqual(one.slots);
        expect(three.hasDetail(three.idAt(3))).toBe(false);
      }
    }
    for (const crowd of [one, two, three]) crowd.dispose();
  });

  test("are what vertices are made of: deforms are those of the pose that is shown", () => {
    const data = still();
    const deformed = data.animations.find(({ timelines }) => timelines.some((timeline) => "attachment" in timeline && "vertices" in timeline))!;
    const crowd = new Crowd(data, { slots: true });
    const dt = 1 / 64;
    const ids = [crowd.spawn({ animation: deformed.name }), crowd.spawn({ animation: deformed.name }), crowd.spawn({ animation: deformed.name })];
    crowd.setUpdateRate(ids[1]!, 16);
    crowd.setUpdateRate(ids[2]!, 16, "interpolate");
    const vertices = new CrowdVertices(crowd);
    const exact: number[][] = [];
    for (let frame = 0; frame < 20; frame++) {
      crowd.update(dt);
      const shown = ids.map((id) => {
        vertices.compute([crowd.row(id)]);
        return [...vertices.positions.subarray(0, vertices.vertexCount * 2)];
      });
      exact.push(shown[0]!);
      const latest = Math.floor(frame / 4) * 4;
      expect(shown[1]).toEqual(exact[latest]);
      // At the moment of a pose the one before is shown.
      if (frame === latest && frame > 4) expect(shown[2]).toEqual(exact[latest - 4]);
    }
    vertices.dispose();
    crowd.dispose();
  });
});

describe("poses in between", () => {
  /** Two bones of an arm; "swing" turns the first by `degrees` in 0.1 seconds, "flip" mirrors it. */
  const arm = (degrees: number): SkeletonData => new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(""))).readSkeletonData({
    skeleton: { spine: "4.3.0", hash: "x" },
    bones: [{ name: "root" }, { name: "upper", parent: "root", x: 10, scaleX: 2 }, { name: "lower", parent: "upper", x: 50, y: 5, rotation: 20, inherit: "noScale" }],
    animations: {
      swing: { bones: { upper: { rotate: [{ value: 10 }, { time: 0.1, value: 10 + degrees }, { time: 0.2, value: 10 + degrees }] } } },
      flip: { bones: { upper: { scale: [{ x: 1, y: 1 }, { time: 0.1, x: 1, y: -1 }, { time: 0.2, x: 1, y: -1 }] } } },
    },
  });

  test.each([20, 60, 100, 150, -170, 179])("keep lengths and joints while a bone turns by %s degrees", (degrees) => {
    const crowd = new Crowd(arm(degrees));
    const id = crowd.spawn({ animation: "swing", loop: false, x: 30, scaleX: -1 });
    crowd.setUpdateRate(id, 10, "interpolate");
    const out = [0, 0, 0, 0, 0, 0];
    const child = [0, 0, 0, 0, 0, 0];
    crowd.update(0);
    const angles: number[] = [];
    for (let frame = 0; frame < 19; frame++) {
      crowd.update(frame === 0 ? 0.1 : 0.01);
      crowd.bone(id, 1, out);
      crowd.bone(id, 2, child);
      const [a, b, c, d, x, y] = out as [number, number, number, number, number, number];
      const shrink = Math.cos((((Math.abs(degrees) > 90 ? 0 : Math.abs(degrees)) / 2) * Math.PI) / 180) - 1e-4;
      expect(Math.hypot(a, c) / 2).toBeGreaterThan(shrink);
      expect(Math.hypot(a, c) / 2).toBeLessThan(1.001);
      expect(Math.hypot(b, d)).toBeGreaterThan(shrink);
      // The joint of the lower bone lies on the upper one; bones that turn less are drawn together on the way.
      const tipX = a * 50 + b * 5 + x;
      const tipY = c * 50 + d * 5 + y;
      if (Math.abs(degrees) > 90) expect(Math.hypot(tipX - child[4]!, tipY - child[5]!)).toBeLessThan(1e-3);
      angles.push(Math.atan2(c, a));
    }
    // The shorter way, without a turn back.
    const steps = angles.slice(1).map((angle, i) => Math.atan2(Math.sin(angle - angles[i]!), Math.cos(angle - angles[i]!)) * -Math.sign(degrees));
    expect(Math.min(...steps)).toBeGreaterThan(-1e-4);
    expect((steps.reduce((sum, step) => sum + step, 0) * 180) / Math.PI).toBeCloseTo(Math.abs(degrees), 1);
    crowd.dispose();
  });

  test("that are mirrored on the way go through a line, and all values stay finite", () => {
    const crowd = new Crowd(arm(0));
    const id = crowd.spawn({ animation: "flip", loop: false });
    crowd.setUpdateRate(id, 10, "interpolate");
    crowd.update(0);
    crowd.update(0.1);
    const heights: number[] = [];
    for (let frame = 0; frame < 10; frame++) {
      crowd.update(0.01);
      heights.push(crowd.palette[6 + 3]!);
      expect(crowd.palette.every(Number.isFinite)).toBe(true);
    }
    expect(heights[0]).toBeGreaterThan(0.5);
    expect(heights.at(-1)).toBeLessThan(-0.5);
    crowd.dispose();
  });
});
