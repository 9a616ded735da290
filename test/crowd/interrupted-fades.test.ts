import { describe, expect, test } from "vitest";
import { InstanceField } from "../../assembly/layout/crowd.js";
import { Crowd, CrowdVertices } from "../../src/crowd/index.js";
import { FormatError } from "../../src/errors.js";
import { FigureRecords } from "../../src/render/crowd/figure-records.js";
import {
  AtlasAttachmentLoader, DeformTimeline, FakeTexture, Physics, PhysicsConstraintData, ScaleTimeline, ScaleXTimeline, ScaleYTimeline, type Skeleton, SkeletonJson, type SkeletonData,
  TextureAtlas, type Timeline,
} from "../../src/spine/index.js";
import { heap } from "../../src/wasm/heap.js";
import { randoms, rigs } from "./rigs.js";
import { addTextures, corners, difference, type Shown, shownByCrowd, shownBySkeleton, withoutInvisible } from "./shown.js";

/** Everything that a crowd says about a character. */
interface Look {
  palette: Float32Array;
  /** Light, dark, what is shown and the order, per slot. */
  slots: Uint32Array;
  positions: Float32Array;
  light: Uint32Array;
  dark: Uint32Array;
}

function lookAt(crowd: Crowd, vertices: CrowdVertices, id: number): Look {
  const row = crowd.row(id);
  const floats = crowd.boneCount * 6;
  const words = crowd.data.slots.length * 3;
  vertices.compute([row]);
  return {
    palette: crowd.palette.slice(row * floats, (row + 1) * floats), slots: crowd.slots.slice(row * words, (row + 1) * words),
    positions: vertices.positions.slice(0, vertices.vertexCount * 2), light: vertices.light.slice(0, vertices.vertexCount),
    dark: vertices.dark.slice(0, vertices.vertexCount),
  };
}

/** Whether two looks show the same attachments in the same order: those belong to the clip that plays, at once. */
function showSame(a: Look, b: Look): boolean {
  return a.slots.every((word, i) => i % 3 !== 2 || word === b.slots[i]);
}

/** Largest difference of two looks in world units; colours must be the same. Vertices count if both show the same. */
function moved(a: Look, b: Look): number {
  let worst = 0;
  const compare = (x: Float32Array, y: Float32Array): void => {
    expect(x.length).toBe(y.length);
    for (let i = 0; i < x.length; i++) worst = Math.max(worst, Math.abs(x[i]! - y[i]!));
  };
  compare(a.palette, b.palette);
  a.slots.forEach((word, i) => {
    if (i % 3 !== 2) expect(b.slots[i]).toBe(word);
  });
  if (!showSame(a, b)) return worst;
  compare(a.positions, b.positions);
  expect(b.light).toEqual(a.light);
  expect(b.dark).toEqual(a.dark);
  return worst;
}

/** Positions of some thousand units have about four digits behind the point. */
const ROUNDING = 1e-3;

/** Whether deforms are frozen for a character. */
const isDeformed = (crowd: Crowd, id: number): boolean => heap.u32[(crowd._recordOf(crowd.row(id)) + InstanceField.FROZEN_SHAPES) >> 2] !== 0;

/** Whether a timeline takes a scale to 0 or beyond. */
function turnsOver(timeline: Timeline): boolean {
  if (!(timeline instanceof ScaleTimeline || timeline instanceof ScaleXTimeline || timeline instanceof ScaleYTimeline)) return false;
  const entries = timeline.getFrameEntries();
  return Array.from(timeline.frames).some((value, i) => i % entries !== 0 && value <= 0);
}

/** Largest difference between a palette row and a skeleton. */
function fromSkeleton(palette: Float32Array, skeleton: Skeleton): number {
  let worst = 0;
  skeleton.bones.forEach(({ active, appliedPose }, i) => {
    const { a, b, c, d, worldX, worldY } = appliedPose;
    if (active) [a, b, c, d, worldX, worldY].forEach((value, k) => (worst = Math.max(worst, Math.abs(value - palette[i * 6 + k]!))));
  });
  return worst;
}

/** A skeleton draws what a character does. */
function expectDrawn(drawn: Shown, skeleton: Skeleton, pageOf: (texture: unknown) => string): void {
  const everything = shownBySkeleton(skeleton, pageOf);
  const expected = corners(everything, withoutInvisible(everything, drawn));
  const shown = corners(drawn);
  expect(shown.pages).toEqual(expected.pages);
  expect(difference(shown.positions, expected.positions)).toBeLessThan(0.1);
  expect(difference(shown.light, expected.light)).toBeLessThanOrEqual(2);
}

interface Situation {
  rate?: number;
  between?: "hold" | "interpolate";
  bake?: boolean;
}

/** Characters that fade, and are interrupted up to four times in a row. @param each - is called after every interruption of one */
function interrupt(
  data: SkeletonData, seed: number, rounds: number, { rate, between, bake }: Situation,
  each: (crowd: Crowd, vertices: CrowdVertices, id: number, before: Look, atOnce: Look) => void,
): void {
  const random = randoms(seed);
  const names = data.animations.map((animation) => animation.name);
  const pick = (): string => names[Math.floor(random() * names.length)]!;
  const crowd = new Crowd(data, { slots: true });
  const vertices = new CrowdVertices(crowd);
  const frame = (time: number): void => {
    for (let left = time; left > 0; left -= 0.02) crowd.update(Math.min(left, 0.02));
  };
  for (let round = 0; round < rounds; round++) {
    const id = crowd.spawn({ animation: pick(), time: random() * 2, skin: data.skins[round % data.skins.length]!.name, x: 10, scaleX: round % 4 === 2 ? -1 : 1 });
    if (bake === true && round === 0) crowd.bake();
    if (rate !== undefined) crowd.setUpdateRate(id, rate, between);
    frame(random() * 0.3);
    if (round % 3 === 1) crowd.playOverlay(id, pick(), { alpha: 0.2 + random() * 0.8, mix: random() * 0.4 });
    frame(random() * 0.3);
    crowd.play(id, pick(), { mix: 0.2 + random() * 0.4 });
    frame(random() * 0.15);
    for (let k = 0; k < 4; k++) {
      // Physics shows something between two steps; an update of no time moves on to the latest.
      if (rate === undefined) crowd.update(0);
      const before = lookAt(crowd, vertices, id);
      crowd.play(id, pick(), { mix: 0.2 + random() * 0.4, time: random() });
      each(crowd, vertices, id, before, lookAt(crowd, vertices, id));
      frame(random() * 0.12);
      if (round % 5 === 3 && k === 1) crowd.stopOverlay(id, 0.2);
    }
    crowd.despawn(id);
  }
  vertices.dispose();
  crowd.dispose();
}

describe.each(rigs("fades that interrupt fades, of real exports"))("a fade that interrupts a fade of $name", ({ data: load }) => {
  test("does not jump: bones, colours, deforms and constraints", { timeout: 120_000 }, () => {
    const data = load();
    let compared = 0;
    let deformed = 0;
    for (const bake of [false, true]) {
      interrupt(data, 5, bake ? 8 : 40, { bake }, (crowd, vertices, id, before, atOnce) => {
        expect(moved(before, atOnce)).toBe(0);
        crowd.update(0);
        const after = lookAt(crowd, vertices, id);
        expect(moved(before, after)).toBeLessThan(ROUNDING);
        if (showSame(before, after)) compared++;
        if (isDeformed(crowd, id)) deformed++;
      });
    }
    expect(compared).toBeGreaterThan(10);
    const deforms = data.animations.some(({ timelines }) => timelines.some((timeline) => timeline instanceof DeformTimeline));
    if (deforms && data.animations.length > 1) expect(deformed).toBeGreaterThan(0);
  });

  test("does not jump where poses are rarer than updates, held or interpolated", { timeout: 120_000 }, () => {
    const data = load();
    interrupt(data, 7, 16, { rate: 10, between: "interpolate" }, (crowd, vertices, id, before, atOnce) => {
      expect(moved(before, atOnce)).toBe(0);
      crowd.update(0);
      expect(moved(before, lookAt(crowd, vertices, id))).toBeLessThan(ROUNDING);
    });
    const hasPhysics = data.constraints.some((constraint) => constraint instanceof PhysicsConstraintData);
    interrupt(data, 7, 16, { rate: 10, between: "hold" }, (crowd, vertices, id, before, atOnce) => {
      // The next update shows the frozen pose, a pose of this very moment; until then nothing moves.
      expect(moved(before, atOnce)).toBe(0);
      crowd.update(0);
      if (hasPhysics) return;
      const shown = lookAt(crowd, vertices, id);
      crowd.setUpdateRate(id, Infinity);
      crowd.update(0);
      expect(moved(shown, lookAt(crowd, vertices, id))).toBeLessThan(ROUNDING);
      crowd.setUpdateRate(id, 10, "hold");
    });
  });

  test("goes on bit for bit after a snapshot, in this crowd and in another", { timeout: 120_000 }, () => {
    const data = load();
    let round = 0;
    interrupt(data, 11, 6, {}, (crowd, vertices, id) => {
      if (round++ % 3 !== 1) return;
      crowd.update(0.03);
      const saved = crowd.snapshot();
      const run = (who: Crowd, of: CrowdVertices): Look[] => [0.01, 0.05, 0.3].map((dt) => {
        who.update(dt);
        return lookAt(who, of, id);
      });
      const first = run(crowd, vertices);
      crowd.restore(saved);
      expect(run(crowd, vertices)).toEqual(first);
      const other = new Crowd(data, { slots: true });
      const seen = new CrowdVertices(other);
      other.restore(saved);
      expect(run(other, seen)).toEqual(first);
      seen.dispose();
      other.dispose();
      crowd.restore(saved);
    });
  });

  test("does not jump when the character is promoted in the middle of it, nor when it is demoted", { timeout: 120_000 }, () => {
    const data = load();
    const pageOf = addTextures(data);
    // A state gives a scale that changes its sign the new sign at once.
    const flips = data.animations.some(({ timelines }) => timelines.some(turnsOver));
    let round = 0;
    interrupt(data, 13, 16, {}, (crowd, seen, id) => {
      const at = crowd._recordOf(crowd.row(id));
      // IK flags and inherit modes change half-way, in a state at once.
      crowd.update(heap.f64[(at + InstanceField.MIX_DURATION) >> 3]! * 0.6);
      crowd.update(0);
      seen.compute([crowd.row(id)]);
      const before = shownByCrowd(seen, 0);
      const palette = lookAt(crowd, seen, id).palette;
      const promoted = crowd.promote(id);
      const { skeleton, state } = promoted;
      if (!flips) {
        expect(fromSkeleton(palette, skeleton), "promoted").toBeLessThan(0.05);
        expectDrawn(before, skeleton, pageOf);
      }
      // The second update takes no time: physics shows something between two steps, and then the latest.
      for (const dt of round++ % 2 === 0 || skeleton.physics.length > 0 ? [0.02, 0] : []) {
        state.update(dt);
        state.apply(skeleton);
        skeleton.update(dt);
        skeleton.updateWorldTransform(Physics.update);
      }
      crowd.demote(id, promoted);
      crowd.update(0);
      expect(fromSkeleton(lookAt(crowd, seen, id).palette, skeleton), "demoted").toBeLessThan(0.05);
      expectDrawn(shownByCrowd(seen, 0), skeleton, pageOf);
      skeleton.dispose();
    });
  });
});

const ATLAS = `page.png
size: 64, 64
filter: Linear, Linear
m
bounds: 0, 16, 32, 32
`;

/** A mesh that "left" and "up" deform, a path that "up" bends and a bone follows, and a clip that does nothing. */
function square(): SkeletonData {
  const atlas = new TextureAtlas(ATLAS);
  for (const page of atlas.pages) page.setTexture(new FakeTexture({}));
  const vertices = [-8, -8, -8, 8, 8, 8, 8, -8];
  const deform = (...values: number[]): object => ({ m: { deform: [{ time: 0, vertices: values }] } });
  return new SkeletonJson(new AtlasAttachmentLoader(atlas)).readSkeletonData({
    skeleton: { spine: "4.3.0", hash: "x" },
    bones: [{ name: "root" }, { name: "walker", parent: "root" }],
    slots: [{ name: "one", bone: "root", attachment: "m" }, { name: "way", bone: "root", attachment: "way" }],
    constraints: [{ type: "path", name: "follow", slot: "way", bones: ["walker"], position: 0.5 }],
    skins: [{ name: "default", attachments: {
      one: { m: { type: "mesh", uvs: [0, 1, 0, 0, 1, 0, 1, 1], triangles: [0, 1, 2, 2, 3, 0], vertices, hull: 4, width: 16, height: 16 } },
      way: { way: { type: "path", vertexCount: 6, lengths: [100, 200], vertices: [-30, 0, 0, 0, 30, 0, 70, 0, 100, 0, 130, 0] } },
    } }],
    animations: {
      left: { attachments: { default: { one: deform(-40, 0, -40, 0) } } },
      up: { attachments: { default: { one: deform(0, 20), way: { way: { deform: [{ time: 0, offset: 4, vertices: [0, 60, 0, 60] }] } } } } },
      still: { bones: { root: { rotate: [{ value: 0 }] } } },
    },
  });
}

describe("frozen deforms", () => {
  const open = (): { crowd: Crowd; vertices: CrowdVertices; id: number; corner: () => number[]; walker: () => number } => {
    const crowd = new Crowd(square(), { slots: true });
    const vertices = new CrowdVertices(crowd);
    const id = crowd.spawn({ animation: "left" });
    crowd.update(0);
    const corner = (): number[] => {
      vertices.compute();
      return [...vertices.positions.subarray(0, 4)].map((value) => Math.round(value * 1e3) / 1e3);
    };
    return { crowd, vertices, id, corner, walker: () => crowd.palette[11]! };
  };

  test("fade to the setup shape, and stay underneath what the clip that comes deforms, too", () => {
    const { crowd, vertices, id, corner, walker } = open();
    expect(corner()).toEqual([-48, -8, -48, 8]);
    crowd.play(id, "up", { mix: 1 });
    crowd.update(0.5);
    // Half of both: "left" is held, and "up" goes from it half-way to its own.
    expect(corner()).toEqual([-28, 2, -28, 8]);
    const height = walker();
    expect(height).toBeGreaterThan(5);
    crowd.play(id, "still", { mix: 1 });
    crowd.update(0);
    expect(corner()).toEqual([-28, 2, -28, 8]);
    expect(walker()).toBe(height);
    crowd.update(0.25);
    expect(corner()).toEqual([-23, -0.5, -23, 8]);
    expect(walker()).toBeLessThan(height);
    // Again, and now by a clip that deforms the mesh itself: what was frozen stays at full weight.
    crowd.play(id, "up", { mix: 1 });
    crowd.update(0);
    expect(corner()).toEqual([-23, -0.5, -23, 8]);
    crowd.update(0.5);
    expect(corner()).toEqual([-15.5, 5.75, -15.5, 8]);
    crowd.update(0.5);
    crowd.update(0.1);
    expect(corner()).toEqual([-8, 12, -8, 8]);
    vertices.dispose();
    crowd.dispose();
  });

  test("take memory while they fade and give it back, also when the character leaves, and none where nothing is deformed", () => {
    const { crowd, vertices, id } = open();
    const fade = (who: number): void => {
      crowd.play(who, "up", { mix: 1 });
      crowd.update(0.2);
      crowd.play(who, "still", { mix: 0.2 });
      crowd.update(0.1);
      expect(isDeformed(crowd, who)).toBe(true);
    };
    fade(id);
    const used = heap.usedBytes;
    for (let i = 0; i < 200; i++) {
      const other = crowd.spawn({ animation: "left" });
      crowd.update(0.01);
      fade(other);
      if (i % 2 === 0) for (let k = 0; k < 5; k++) crowd.update(0.1);
      expect(isDeformed(crowd, other)).toBe(i % 2 !== 0);
      crowd.despawn(other);
    }
    expect(heap.usedBytes).toBe(used);
    const calm = crowd.spawn({ animation: "still" });
    crowd.update(0);
    for (let i = 0; i < 3; i++) {
      crowd.play(calm, "still", { mix: 1 });
      crowd.update(0.1);
    }
    expect(heap.u32[(crowd._recordOf(crowd.row(calm)) + InstanceField.FROZEN) >> 2]).not.toBe(0);
    expect(isDeformed(crowd, calm)).toBe(false);
    vertices.dispose();
    crowd.dispose();
  });

  test("of a damaged snapshot that do not fit are a FormatError", () => {
    const { crowd, vertices, id } = open();
    crowd.play(id, "up", { mix: 1 });
    crowd.update(0.2);
    crowd.play(id, "still", { mix: 0.2 });
    const saved = crowd.snapshot();
    const shapes = heap.u32[(crowd._recordOf(0) + InstanceField.FROZEN_SHAPES) >> 2]!;
    const block = heap.u8.slice(shapes, shapes + 64);
    const bytes = new Uint8Array(saved);
    const at = bytes.findIndex((_, i) => i > 300 && block.every((value, k) => bytes[i + k] === value));
    expect(at).toBeGreaterThan(0);
    const damaged = saved.slice(0);
    new DataView(damaged).setUint32(at, 1e6, true);
    expect(() => crowd.restore(damaged)).toThrow(FormatError);
    const lacking = saved.slice(0);
    const record = bytes.findIndex((_, i) => i > 64 && new DataView(saved).getInt32(i + InstanceField.FADE_CLIP, true) === -2 && i % 8 === 0);
    new DataView(lacking).setUint32(record + InstanceField.FROZEN, 0, true);
    expect(() => crowd.restore(lacking)).toThrow(FormatError);
    crowd.restore(saved);
    vertices.dispose();
    crowd.dispose();
  });
});

describe("records of deforms for CrowdRenderer", () => {
  test("add up to the values that finished vertices have, under a frozen pose, too", () => {
    const crowd = new Crowd(square(), { slots: true });
    const vertices = new CrowdVertices(crowd);
    const records = new FigureRecords(crowd);
    const id = crowd.spawn({ animation: "left" });
    const names = ["up", "still", "left", "up", "up", "still"];
    const setup = [-8, -8, -8, 8, 8, 8, 8, -8];
    for (const name of names) {
      for (const [dt, overlay] of [[0.1, false], [0, true], [0.2, true], [0.05, false]] as const) {
        if (overlay) crowd.playOverlay(id, "up", { alpha: 0.3 });
        else crowd.stopOverlay(id);
        crowd.update(dt);
        records.begin();
        const count = records.write(0, crowd._recordOf(0), crowd.slots, crowd.palette);
        const sum = [...setup];
        for (let i = records.firstRecord; i < records.firstRecord + count; i++) {
          const [slot, first, weight, kind] = records.texels.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
          if (slot !== 0 || kind !== 0) continue;
          for (let k = 0; k < 8; k++) {
            const source = first < 0 ? records.texels[(-1 - first + (k >> 1)) * 4 + (k & 1)]! : records.keys[first * 2 + k]!;
            sum[k] = sum[k]! + weight * source;
          }
        }
        vertices.compute();
        sum.forEach((value, k) => expect(Math.abs(value - vertices.positions[k]!), `${name} ${dt}`).toBeLessThan(1e-4));
      }
      crowd.play(id, name, { mix: 1 });
    }
    vertices.dispose();
    crowd.dispose();
  });
});
