import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.js";
import type { MeshAttachment, RegionAttachment } from "../../../src/spine/attachments/index.js";
import type {
  IkConstraintData, PathConstraintData, PhysicsConstraintData, SliderData, TransformConstraintData,
} from "../../../src/spine/constraints/index.js";
import { BlendMode, Inherit, SequenceMode } from "../../../src/spine/enums.js";
import { SkeletonJson, TextureAtlas } from "../../../src/spine/load/index.js";
import type { CurveTimeline, DeformTimeline, DrawOrderFolderTimeline, DrawOrderTimeline, EventTimeline, RotateTimeline } from "../../../src/spine/timelines/index.js";
import { ATTACHMENTS, CONSTRAINTS, CURVES, SHEET_ATLAS, TIMELINES } from "./worked-examples.js";

function load(json: object, scale = 1, atlas = new TextureAtlas("")) {
  return new SkeletonJson(atlas, { missing: "warn", scale }).readSkeletonData(json);
}

/** Rounds to the six decimals of the tables. */
const six = (values: ArrayLike<number>) => Array.from(values, (value) => Number(value.toFixed(6)));

function samples(timeline: CurveTimeline, curve = 0) {
  const start = timeline.getFrameCount() + curve * 18;
  return Array.from(timeline.curves.subarray(start, start + 18));
}

describe("SkeletonJson", () => {
  it.each([1, 0.5])("reads bones, slots, regions and curves at scale %d", (scale) => {
    const data = load(CURVES, scale);
    expect([data.x, data.y, data.width, data.height, data.referenceScale, data.fps, data.imagesPath, data.version, data.hash]).toEqual([
      -8, 0, 16, 40, 100 * scale, 30, null, "4.3.13", "AAAAAAAAAAE",
    ]);
    const arm = data.findBone("arm")!;
    const { x, y, rotation, scaleX, scaleY, shearX, shearY, inherit } = arm.setupPose;
    expect([arm.index, arm.parent!.name, inherit, x, y, rotation, scaleX, scaleY, shearX, shearY, arm.length]).toEqual([
      1, "root", Inherit.NoScale, 3 * scale, 5 * scale, 30, 2, 1, 0, 0, 40 * scale,
    ]);
    const slot = data.slots[0]!;
    const { color, darkColor } = slot.setupPose;
    expect(six([color.r, color.g, color.b, color.a, darkColor!.r, darkColor!.g, darkColor!.b])).toEqual([1, 0.501961, 0, 0.752941, 0.062745, 0.12549, 0.188235]);
    expect([slot.attachmentName, slot.blendMode, slot.visible]).toEqual(["card", BlendMode.Additive, true]);
    const card = data.defaultSkin!.getAttachment(0, "card") as RegionAttachment;
    expect([card.x, card.y, card.scaleX, card.scaleY, card.rotation, card.width, card.height, card.name, card.path]).toEqual([
      10 * scale, -4 * scale, 0.5, 1, 90, 16 * scale, 8 * scale, "card", "card",
    ]);
    expect(six([card.color.r, card.color.g, card.color.b, card.color.a])).toEqual([0.501961, 1, 0, 1]);
    expect([card.sequence.regions.length, card.sequence.hasPathSuffix()]).toEqual([1, false]);

    const wave = data.findAnimation("wave")!;
    expect([wave.duration, wave.bones, wave.timelines.length]).toEqual([2, [1], 3]);
    const [rotate, translate, scaleTimeline] = wave.timelines as [RotateTimeline, CurveTimeline, CurveTimeline];
    expect(Array.from(rotate.frames)).toEqual([0, 0, 1, 90, 1.5, -30]);
    expect(Array.from(translate.frames)).toEqual([0, 2 * scale, 0, 2, 6 * scale, -8 * scale]);
    expect(Array.from(scaleTimeline.frames)).toEqual([0.5, 1.5, 1, 1]);
    expect(rotate.getCurveType(1)).toBe(1);
    const want = [0.082, 2.52, 0.176, 9.36, 0.279, 19.44, 0.388, 31.68, 0.5, 45, 0.612, 58.32, 0.721, 70.56, 0.824, 80.64, 0.918, 87.48];
    samples(rotate).forEach((value, i) => expect(value).toBeCloseTo(want[i]!, 4));
    const times = [0.1505, 0.304, 0.4635, 0.632, 0.8125, 1.008, 1.2215, 1.456, 1.7145];
    const xs = [2.112, 2.416, 2.864, 3.408, 4, 4.592, 5.136, 5.584, 5.888], ys = [-0.224, -0.832, -1.728, -2.816, -4, -5.184, -6.272, -7.168, -7.776];
    samples(translate).forEach((value, i) => expect(value).toBeCloseTo(i % 2 === 0 ? times[i >> 1]! : xs[i >> 1]! * scale, 4));
    samples(translate, 1).forEach((value, i) => expect(value).toBeCloseTo(i % 2 === 0 ? times[i >> 1]! : ys[i >> 1]! * scale, 4));
    for (const [time, value] of [[0.1, 3.829787], [0.25, 16.601942], [0.5, 45], [0.9, 86.170216], [1.2, 90], [1.5, -30], [2, -30]]) {
      expect(rotate.getCurveValue(time!)).toBeCloseTo(value!, 3);
    }
  });

  it.each([1, 0.5])("reads every constraint at scale %d", (scale) => {
    const data = load(CONSTRAINTS, scale);
    expect(data.referenceScale).toBe(80 * scale);
    expect(data.constraints.map((c) => c.name)).toEqual(["reach", "look", "onlyY", "follow", "jiggle", "dial", "timer"]);
    const [reach, look, onlyY, follow, jiggle, dial, timer] = data.constraints as unknown as [
      IkConstraintData, TransformConstraintData, TransformConstraintData, PathConstraintData, PhysicsConstraintData, SliderData, SliderData,
    ];
    const index = (bones: { index: number }[]) => bones.map((bone) => bone.index);
    const ik = reach.setupPose;
    expect([index(reach.bones), reach.target.index, ik.bendDirection, ik.stretch, ik.compress, ik.mix, ik.softness, reach.scaleYMode, reach.skinRequired]).toEqual([
      [1, 2], 3, -1, true, false, 1, 6 * scale, 2, false,
    ]);
    expect([index(look.bones), look.source.index, look.localSource, look.clamp, look.localTarget, look.additive, look.offsets]).toEqual([
      [1], 3, true, true, false, false, [12, 7 * scale, 0, 0, 0, 0],
    ]);
    const maps = (c: TransformConstraintData) => c.properties.map((from) => [from.constructor.name, from.offset, from.to.map((to) => [to.constructor.name, to.offset, to.max, to.scale])]);
    const mixes = ({ setupPose: p }: TransformConstraintData) => [p.mixRotate, p.mixX, p.mixY, p.mixScaleX, p.mixScaleY, p.mixShearY];
    expect(maps(look)).toEqual([["FromX", 4 * scale, [["ToRotate", -10, 50, 3 / scale], ["ToY", 0, 20 * scale, 1]]]]);
    expect(mixes(look)).toEqual([1, 0, 0, 0, 0, 0]);
    expect(maps(onlyY)).toEqual([["FromY", 0, [["ToY", 0, scale, 1]]]]);
    expect(mixes(onlyY)).toEqual([0, 0, 0, 0, 0, 0]);
    const path = follow.setupPose;
    expect([index(follow.bones), follow.slot.index, follow.positionMode, follow.spacingMode, follow.rotateMode, follow.offsetRotation]).toEqual([[2], 0, 0, 0, 0, 0]);
    expect([path.position, path.spacing, path.mixRotate, path.mixX, path.mixY]).toEqual([9 * scale, 4 * scale, 1, 0.25, 0.25]);
    const physics = jiggle.setupPose;
    expect([jiggle.bone.index, jiggle.x, jiggle.y, jiggle.rotate, jiggle.scaleX, jiggle.shearX, jiggle.scaleYMode, jiggle.step, jiggle.limit]).toEqual([
      2, 0, 0, 1, 0.5, 0, 1, 1 / 30, 5000 * scale,
    ]);
    expect([physics.inertia, physics.strength, physics.damping, physics.massInverse, physics.wind, physics.gravity, physics.mix]).toEqual([
      0.5, 100, Math.fround(0.85), 0.25, 0, 0, 1,
    ]);
    expect([jiggle.windGlobal, jiggle.inertiaGlobal, jiggle.strengthGlobal, jiggle.dampingGlobal, jiggle.massGlobal, jiggle.gravityGlobal, jiggle.mixGlobal]).toEqual([
      true, false, false, false, false, false, false,
    ]);
    expect([dial.animation.name, dial.bone!.index, dial.property!.constructor.name, dial.property!.offset, dial.offset, dial.max, dial.loop, dial.additive, dial.local]).toEqual([
      "spin", 3, "FromX", 2 * scale, 0.5, 3, true, false, false,
    ]);
    expect(dial.scale).toBe(Math.fround(0.1 / scale));
    expect([dial.setupPose.time, dial.setupPose.mix]).toEqual([0, 1]);
    expect([timer.skinRequired, timer.additive, timer.loop, timer.setupPose.time, timer.setupPose.mix, timer.bone, timer.property]).toEqual([
      true, true, false, 0.75, 0.5, null, null,
    ]);
    const curve = data.defaultSkin!.getAttachment(0, "curve") as unknown as { vertices: ArrayLike<number>; lengths: number[]; bones: null; closed: boolean; constantSpeed: boolean; worldVerticesLength: number };
    expect(Array.from(curve.vertices)).toEqual([-10, 0, 0, 0, 10, 0, 20, 0, 30, 0, 40, 0].map((value) => value * scale));
    expect([curve.lengths, curve.bones, curve.closed, curve.constantSpeed, curve.worldVerticesLength]).toEqual([[30 * scale, 60 * scale], null, false, true, 12]);
    const extra = data.findSkin("extra")!;
    expect([extra.bones.map((b) => b.name), extra.constraints.map((c) => c.name)]).toEqual([["t"], ["reach", "timer"]]);
  });

  it("reads meshes, linked meshes, sequences and helper attachments", () => {
    const data = load(ATTACHMENTS, 1, new TextureAtlas(SHEET_ATLAS));
    const skin = data.defaultSkin!;
    const flag = skin.getAttachment(0, "flag") as MeshAttachment, linked = skin.getAttachment(1, "flag") as MeshAttachment;
    expect(flag.bones).toEqual([1, 0, 2, 0, 1, 1, 1]);
    expect(Array.from(flag.vertices)).toEqual([-8, 0, 1, 8, 0, 0.25, 0, 0, 0.75, 0, 6, 1]);
    expect([flag.worldVerticesLength, flag.hullLength, flag.edges, flag.timelineSlots]).toEqual([6, 6, [], [1]]);
    expect(Array.from(flag.sequence.getUVs(0))).toEqual([0, 0.25, 0.25, 0.25, 0.125, 0]);
    expect(linked.vertices).toBe(flag.vertices);
    expect([linked.getSourceMesh(), linked.timelineAttachment, linked.width, linked.height, linked.timelineSlots]).toEqual([flag, flag, 16, 8, []]);
    expect(Array.from(linked.sequence.getUVs(0))).toEqual(Array.from(flag.sequence.getUVs(0)));
    const steps = skin.getAttachment(1, "steps") as RegionAttachment;
    const { sequence } = steps;
    expect([sequence.regions.map((r) => (r as { name?: string } | null)?.name), sequence.start, sequence.digits, sequence.setupIndex, steps.name, steps.path]).toEqual([
      ["walk07", "walk08"], 7, 2, 1, "steps", "walk",
    ]);
    expect(six(sequence.getOffsets(0))).toEqual([-5, -3, -5, 3, 5, 3, 5, -3]);
    expect(six(sequence.getUVs(0))).toEqual([0.34375, 0.3125, 0.25, 0.3125, 0.25, 0, 0.34375, 0]);
    expect(six(sequence.getOffsets(1))).toEqual([-6, -5, -6, 5, 6, 5, 6, -5]);
    expect(six(sequence.getUVs(1))).toEqual([0.5, 0.3125, 0.5, 0, 0.6875, 0, 0.6875, 0.3125]);
    const mask = skin.getAttachment(1, "mask") as unknown as { endSlot: { name: string }; inverse: boolean; convex: boolean; vertices: ArrayLike<number> };
    expect([mask.endSlot.name, mask.inverse, mask.convex, Array.from(mask.vertices)]).toEqual(["back", true, false, [0, 0, 4, 0, 0, 4]]);
    expect(skin.getAttachment(1, "dot")).toMatchObject({ x: 1, y: 2, rotation: 45 });
  });

  it("reads every other kind of timeline", () => {
    const data = load(TIMELINES);
    const busy = data.findAnimation("busy")!;
    expect([busy.duration, data.findAnimation("quiet")!.duration, busy.timelines.length]).toEqual([2, 0, 10]);
    const frames = busy.timelines.map((timeline) => six(timeline.frames));
    expect(frames.slice(0, 8)).toEqual([
      [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0.501961, 0, 0, 1],
      [0.5, 1],
      [0, 0, 1, 5],
      [0, 1],
      [0, 0.5],
      [0, 1, 2, 3],
      [0, 0.5, 1],
      [0.25, 0.5],
    ]);
    const of = <T>(i: number) => busy.timelines[i] as unknown as T;
    expect(of<CurveTimeline>(0).getCurveType(0)).toBe(1);
    expect(of<{ attachmentNames: unknown[] }>(1).attachmentNames).toEqual([null, "tri"]);
    expect([2, 3, 4, 5].map((i) => of<{ constraintIndex: number }>(i).constraintIndex)).toEqual([-1, 0, 0, 1]);
    const deform = of<DeformTimeline>(6);
    expect(deform.vertices.map((v) => Array.from(v))).toEqual([[0, 0, 10, 0, 0, 10], [0, 0, 11, -1, 0, 10], [1, 2, 13, 4, 5, 16]]);
    const want = [0.5356, 0.0496, 0.5808, 0.1328, 0.6332, 0.2412, 0.6904, 0.3664, 0.75, 0.5, 0.8096, 0.6336, 0.8668, 0.7588, 0.9192, 0.8672, 0.9644, 0.9504];
    samples(deform).forEach((value, i) => expect(value).toBeCloseTo(want[i]!, 5));
    expect(of<DrawOrderTimeline>(7).drawOrders).toEqual([[1, 3, 0, 2, 4], null]);
    const folder = of<DrawOrderFolderTimeline>(8);
    expect([Array.from(folder.slots), Array.from(folder.frames), folder.drawOrders]).toEqual([[1, 2, 4], [0, 1], [[2, 0, 1], null]]);
    const { events } = of<EventTimeline>(9);
    expect(events.map((e) => [e.data.name, e.time, e.intValue, e.floatValue, e.stringValue])).toEqual([
      ["step", 0, 3, 0, "left"], ["step", Math.fround(0.4), 9, 0, "right"], ["boom", Math.fround(0.4), 0, 0, ""],
    ]);
    expect([events[2]!.volume, events[2]!.balance]).toEqual([0.25, -0.5]);
    expect(data.findEvent("boom")).toMatchObject({ audioPath: "boom.ogg", setupPose: { volume: 0.8, balance: -0.5 } });
    expect((data.constraints[1] as unknown as SliderData).animation).toBe(data.findAnimation("quiet"));
  });

  it("takes text as well as objects and changes neither", () => {
    for (const example of [CURVES, CONSTRAINTS, ATTACHMENTS, TIMELINES]) {
      const copy = structuredClone(example);
      const frozen = deepFreeze(structuredClone(example));
      expect(load(frozen).bones.length).toBe(example.bones.length);
      expect(frozen).toEqual(copy);
      expect(new SkeletonJson(new TextureAtlas(""), { missing: "warn" }).readSkeletonData(`\ufeff${JSON.stringify(example)}`).bones.length).toBe(example.bones.length);
    }
  });

  it("reads sequence modes, delays that carry on, and inherit keys", () => {
    const data = load({
      bones: [{ name: "r" }],
      slots: [{ name: "s", bone: "r" }],
      skins: [{ name: "default", attachments: { s: { a: { width: 1, height: 1, sequence: { count: 2 } } } } }],
      animations: {
        x: {
          bones: { r: { inherit: [{ inherit: "noScale" }, { time: 1 }] } },
          attachments: { default: { s: { a: { sequence: [{ mode: "loop", delay: 0.25 }, { time: 1, index: 1, mode: "pingpongReverse" }] } } } },
        },
      },
    });
    const [inherit, sequence] = data.animations[0]!.timelines;
    expect(Array.from(inherit!.frames)).toEqual([0, Inherit.NoScale, 1, 0]);
    expect(Array.from(sequence!.frames)).toEqual([0, SequenceMode.loop, 0.25, 1, SequenceMode.pingpongReverse + 16, 0.25]);
  });

  it("names a skeleton after its file", () => {
    expect(new SkeletonJson(new TextureAtlas(""), { file: "art/hero.json" }).readSkeletonData({}).name).toBe("hero");
  });

  it("refuses a scale of 0 and what is not a skeleton", () => {
    expect(() => load(CURVES, 0)).toThrow(/scale is 0/);
    const loader = new SkeletonJson(new TextureAtlas(""));
    expect(() => loader.readSkeletonData("{")).toThrow(FormatError);
    expect(() => loader.readSkeletonData("[]")).toThrow(/an array, expected/);
    expect(() => loader.readSkeletonData(null as unknown as object)).toThrow(/null, expected/);
  });
});

function deepFreeze<T extends object>(o: T): T {
  for (const value of Object.values(o)) if (typeof value === "object" && value !== null) deepFreeze(value as object);
  return Object.freeze(o);
}
