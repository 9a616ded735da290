import { describe, expect, test } from "vitest";
import { AnimPose } from "../../src/anim/index.js";
import { Crowd, Crowd3D, CrowdVertices } from "../../src/crowd/index.js";
import { ArgumentError, DisposedError, OsteonError, OutOfMemoryError } from "../../src/errors.js";
import { RegionAttachment, Sequence, Skin } from "../../src/spine/index.js";
import { heap } from "../../src/wasm/heap.js";
import { rig } from "./crowd3d-rig.js";
import { builtIn, randoms } from "./rigs.js";

/** Values that no number of a crowd may have. */
const NO_NUMBERS: unknown[] = [Number.NaN, Infinity, -Infinity, 1e39, -1e39, 1e300, "3", {}, [], true];
const NO_POSITIVE_NUMBERS = [...NO_NUMBERS, -1];
const NO_OBJECTS: unknown[] = [1, "text", true, null];
const NO_FLAGS: unknown[] = [0, 1, "false", {}, Number.NaN];

type Call<T> = (crowd: T, id: number, value: never) => unknown;

/** Calls with one value that they refuse. */
const CALLS: [what: string, values: readonly unknown[], call: Call<Crowd>][] = [
  ...(["x", "y", "scaleX", "scaleY"] as const).map((name): [string, readonly unknown[], Call<Crowd>] => [`spawn ${name}`, NO_NUMBERS, (crowd, _id, value) => crowd.spawn({ animation: "walk", [name]: value })]),
  ...(["time", "speed"] as const).flatMap((name): [string, readonly unknown[], Call<Crowd>][] => [
    [`spawn ${name}`, NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.spawn({ animation: "walk", [name]: value })],
    [`spawn ${name} without an animation`, NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.spawn({ [name]: value })],
  ]),
  ...(["time", "speed", "mix"] as const).flatMap((name): [string, readonly unknown[], Call<Crowd>][] => [
    [`play ${name}`, NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.play(id, "run", { [name]: value })],
    [`queue ${name}`, NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.queue(id, "run", { [name]: value })],
    [`playOverlay ${name}`, NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.playOverlay(id, "wave", { [name]: value })],
  ]),
  ["spawn()", NO_OBJECTS, (crowd, _id, value) => crowd.spawn(value)],
  ["spawn loop", NO_FLAGS, (crowd, _id, value) => crowd.spawn({ animation: "walk", loop: value })],
  ["spawn detail", NO_FLAGS, (crowd, _id, value) => crowd.spawn({ detail: value })],
  ["spawn skin", [1, {}, true, "none of that name"], (crowd, _id, value) => crowd.spawn({ skin: value })],
  ["play animation", [1, {}, null, undefined, "none of that name"], (crowd, id, value) => crowd.play(id, value)],
  ["play()", NO_OBJECTS, (crowd, id, value) => crowd.play(id, "run", value)],
  ["queue()", NO_OBJECTS, (crowd, id, value) => crowd.queue(id, "run", value)],
  ["queue delay", NO_NUMBERS, (crowd, id, value) => crowd.queue(id, "run", { delay: value })],
  ["playOverlay()", NO_OBJECTS, (crowd, id, value) => crowd.playOverlay(id, "wave", value)],
  ["playOverlay alpha", [...NO_POSITIVE_NUMBERS, 1.01], (crowd, id, value) => crowd.playOverlay(id, "wave", { alpha: value })],
  ["stopOverlay", NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.stopOverlay(id, value)],
  ["seek", NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.seek(id, value)],
  ["setSpeed", NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.setSpeed(id, value)],
  ["setPosition x", NO_NUMBERS, (crowd, id, value) => crowd.setPosition(id, value, 0)],
  ["setPosition y", NO_NUMBERS, (crowd, id, value) => crowd.setPosition(id, 0, value)],
  ["teleport x", NO_NUMBERS, (crowd, id, value) => crowd.teleport(id, value, 0)],
  ["teleport y", NO_NUMBERS, (crowd, id, value) => crowd.teleport(id, 0, value)],
  ["setScale x", NO_NUMBERS, (crowd, id, value) => crowd.setScale(id, value, 1)],
  ["setScale y", NO_NUMBERS, (crowd, id, value) => crowd.setScale(id, 1, value)],
  ["setTint r", NO_NUMBERS, (crowd, id, value) => crowd.setTint(id, value, 1, 1)],
  ["setTint a", NO_NUMBERS, (crowd, id, value) => crowd.setTint(id, 1, 1, 1, value)],
  ["setSkin", [1, {}, true, undefined, "none of that name"], (crowd, id, value) => crowd.setSkin(id, value)],
  ["setVisible", NO_FLAGS, (crowd, id, value) => crowd.setVisible(id, value)],
  ["setDetail", NO_FLAGS, (crowd, id, value) => crowd.setDetail(id, value)],
  ["setUpdateRate", [0, -1, Number.NaN, "30", null, true], (crowd, id, value) => crowd.setUpdateRate(id, value)],
  ["setUpdateRate between", ["both", 1, null], (crowd, id, value) => crowd.setUpdateRate(id, 30, value)],
  ["levels", [null, 1, "all", {}, [null], [1], [{ within: Number.NaN }], [{ within: "9" }], [{ rate: 0 }], [{ rate: "30" }], [{ between: "" }], [{ detail: 1 }], [{ distance: 9 }]], (crowd, _id, value) => (crowd.levels = value)],
  ["setLevel", [-1, 0.5, 9, "0", null], (crowd, id, value) => crowd.setLevel(id, value)],
  ["chooseLevels x", NO_NUMBERS, (crowd, _id, value) => crowd.chooseLevels(value, 0)],
  ["chooseLevels margin", [Number.NaN, -0.1, 1, "0", null], (crowd, _id, value) => crowd.chooseLevels(0, 0, value)],
  ["setPositions()", [...NO_OBJECTS, {}], (crowd, _id, value) => crowd.setPositions(value)],
  ["setPositions", NO_NUMBERS, (crowd, _id, value) => crowd.setPositions([0, value])],
  ["setPositions length", [[1], [1, 2, 3], [1, 2, 3, 4, 5, 6], new Float32Array(3)], (crowd, _id, value) => crowd.setPositions(value)],
  ["setPositions first row", [-1, 0.5, 2, Number.NaN, "0", null], (crowd, _id, value) => crowd.setPositions([0, 0], value)],
  ["setScales", NO_NUMBERS, (crowd, _id, value) => crowd.setScales([1, value])],
  ["setTints", NO_NUMBERS, (crowd, _id, value) => crowd.setTints([1, 1, value, 1])],
  ["setSpeeds", NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.setSpeeds([1, value])],
  ["update", [...NO_POSITIVE_NUMBERS, undefined], (crowd, _id, value) => crowd.update(value)],
  ["workers", [-1, 0.5, 9, Number.NaN, "1"], (crowd, _id, value) => (crowd.workers = value)],
  ["idAt", [-1, 0.5, 2, Number.NaN, "0"], (crowd, _id, value) => crowd.idAt(value)],
  ["row", [-1, 0.5, 9, Number.NaN, "0", null], (crowd, _id, value) => crowd.row(value)],
  ["bone", [-1, 0.5, 9999, Number.NaN, "0"], (crowd, id, value) => crowd.bone(id, value, [])],
  ["bone out", NO_OBJECTS, (crowd, id, value) => crowd.bone(id, 0, value)],
  ["hitTest", NO_NUMBERS, (crowd, _id, value) => crowd.hitTest(value, 0)],
  ["demote", [...NO_OBJECTS, {}, []], (crowd, id, value) => crowd.demote(id, value)],
  ["restore", [...NO_OBJECTS, {}, [], new ArrayBuffer(3), new Uint8Array(300)], (crowd, _id, value) => crowd.restore(value)],
  ["bake()", NO_OBJECTS, (crowd, _id, value) => crowd.bake(value)],
  ["bake rate", [0, 1001, Number.NaN, "30"], (crowd, _id, value) => crowd.bake({ rate: value })],
  ["bake maxError", NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.bake({ maxError: value })],
  ["bake format", ["int8", 16, {}], (crowd, _id, value) => crowd.bake({ format: value })],
  ["bake animations", ["walk", 1, {}, ["none of that name"]], (crowd, _id, value) => crowd.bake({ animations: value })],
  ["new Crowd", [...NO_OBJECTS, {}, [], undefined], (_crowd, _id, value) => new Crowd(value)],
  ["new Crowd()", NO_OBJECTS, (crowd, _id, value) => new Crowd(crowd.data, value)],
  ["new Crowd capacity", [0, 1.5, -1, Number.NaN, 2 ** 21 + 1, "9"], (crowd, _id, value) => new Crowd(crowd.data, { capacity: value })],
  ["new Crowd defaultMix", NO_POSITIVE_NUMBERS, (crowd, _id, value) => new Crowd(crowd.data, { defaultMix: value })],
  ["new Crowd windX", NO_NUMBERS, (crowd, _id, value) => new Crowd(crowd.data, { windX: value })],
  ["new Crowd grow", NO_FLAGS, (crowd, _id, value) => new Crowd(crowd.data, { grow: value })],
  ["new Crowd slots", NO_FLAGS, (crowd, _id, value) => new Crowd(crowd.data, { slots: value })],
  ["new Crowd detail", [...NO_OBJECTS, { bones: [] }, { slots: "mouth" }, { constraints: [1] }], (crowd, _id, value) => new Crowd(crowd.data, { detail: value })],
  ["new CrowdVertices", [null, undefined, 1], (_crowd, _id, value) => new CrowdVertices(value)],
  ["new CrowdVertices()", [...NO_OBJECTS, { premultiplied: 1 }], (crowd, _id, value) => new CrowdVertices(crowd, value)],
];

describe("a crowd refuses what makes no sense, with an error of osteon, and nothing has changed", () => {
  const data = builtIn();
  test.each(CALLS)("%s", (_what, values, call) => {
    for (const value of values) {
      const crowd = new Crowd(data, { capacity: 8, slots: true });
      const twin = new Crowd(data, { capacity: 8, slots: true });
      for (const one of [crowd, twin]) {
        for (let i = 0; i < 2; i++) one.spawn({ animation: "walk", time: i * 0.3 });
        one.update(0.1);
      }
      expect(() => call(crowd, crowd.idAt(0), value as never), String(value)).toThrow(OsteonError);
      crowd.update(0.1);
      twin.update(0.1);
      expect(crowd.palette, String(value)).toEqual(twin.palette);
      expect(crowd.slots, String(value)).toEqual(twin.slots);
      crowd.dispose();
      twin.dispose();
    }
  });
});

const CALLS3D: [what: string, values: readonly unknown[], call: Call<Crowd3D>][] = [
  ...(["x", "y", "z", "scale"] as const).map((name): [string, readonly unknown[], Call<Crowd3D>] => [`spawn ${name}`, NO_NUMBERS, (crowd, _id, value) => crowd.spawn({ [name]: value })]),
  ...(["time", "speed"] as const).map((name): [string, readonly unknown[], Call<Crowd3D>] => [`spawn ${name}`, NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.spawn({ [name]: value })]),
  ...(["time", "speed", "mix"] as const).flatMap((name): [string, readonly unknown[], Call<Crowd3D>][] => [
    [`play ${name}`, NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.play(id, crowd.clip(id)!, { [name]: value })],
    [`queue ${name}`, NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.queue(id, crowd.clip(id)!, { [name]: value })],
  ]),
  ["spawn()", NO_OBJECTS, (crowd, _id, value) => crowd.spawn(value)],
  ["spawn clip", [1, "walk", {}, []], (crowd, _id, value) => crowd.spawn({ clip: value })],
  ["spawn loop", NO_FLAGS, (crowd, _id, value) => crowd.spawn({ loop: value })],
  ["spawn rotation", [1, "none", {}, [], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, Number.NaN], ["0", "0", "0", "1"]], (crowd, _id, value) => crowd.spawn({ rotation: value })],
  ["spawn tint", [1, "red", {}, [], [1, 1], [1, 1, Number.NaN]], (crowd, _id, value) => crowd.spawn({ tint: value })],
  ["spawn lod", [-1, 0.5, 256, Number.NaN, "0"], (crowd, _id, value) => crowd.spawn({ lod: value })],
  ["play clip", [1, "walk", {}, null, undefined], (crowd, id, value) => crowd.play(id, value)],
  ["play()", NO_OBJECTS, (crowd, id, value) => crowd.play(id, crowd.clip(id)!, value)],
  ["queue delay", NO_NUMBERS, (crowd, id, value) => crowd.queue(id, crowd.clip(id)!, { delay: value })],
  ["seek", NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.seek(id, value)],
  ["setSpeed", NO_POSITIVE_NUMBERS, (crowd, id, value) => crowd.setSpeed(id, value)],
  ["setPosition", NO_NUMBERS, (crowd, id, value) => crowd.setPosition(id, 0, 0, value)],
  ["setRotation", [0, Number.NaN, Infinity, "1", null], (crowd, id, value) => crowd.setRotation(id, 0, 0, 0, value)],
  ["setScale", NO_NUMBERS, (crowd, id, value) => crowd.setScale(id, value)],
  ["setTint", NO_NUMBERS, (crowd, id, value) => crowd.setTint(id, 1, value, 1)],
  ["setLod", [-1, 0.5, 256, Number.NaN, "0"], (crowd, id, value) => crowd.setLod(id, value)],
  ["setVisible", NO_FLAGS, (crowd, id, value) => crowd.setVisible(id, value)],
  ["setUpdateRate", [0, -1, Number.NaN, "30", null], (crowd, id, value) => crowd.setUpdateRate(id, value)],
  ["setPositions()", [...NO_OBJECTS, {}], (crowd, _id, value) => crowd.setPositions(value)],
  ["setPositions", NO_NUMBERS, (crowd, _id, value) => crowd.setPositions([0, 0, value])],
  ["setPositions first row", [-1, 0.5, 2, Number.NaN, "0"], (crowd, _id, value) => crowd.setPositions([0, 0, 0], value)],
  ["setRotations", NO_NUMBERS, (crowd, _id, value) => crowd.setRotations([0, 0, 0, value])],
  ["setScales", NO_NUMBERS, (crowd, _id, value) => crowd.setScales([value])],
  ["setSpeeds", NO_POSITIVE_NUMBERS, (crowd, _id, value) => crowd.setSpeeds([value])],
  ["update", [...NO_POSITIVE_NUMBERS, undefined], (crowd, _id, value) => crowd.update(value)],
  ["workers", [-1, 0.5, 9, Number.NaN, "1"], (crowd, _id, value) => (crowd.workers = value)],
  ["idAt", [-1, 0.5, 2, Number.NaN, "0"], (crowd, _id, value) => crowd.idAt(value)],
  ["joint", [-1, 0.5, 9999, Number.NaN, "0"], (crowd, id, value) => crowd.joint(id, value, [])],
  ["pose", [...NO_OBJECTS, {}], (crowd, id, value) => crowd.pose(id, value)],
  ["demote", [...NO_OBJECTS, {}], (crowd, id, value) => crowd.demote(id, value)],
  ["restore", [...NO_OBJECTS, {}, new Uint8Array(300)], (crowd, _id, value) => crowd.restore(value)],
  ["new Crowd3D", [...NO_OBJECTS, {}, undefined], (_crowd, _id, value) => new Crowd3D(value)],
  ["new Crowd3D skins", [1, {}, [null], "skin", null], (crowd, _id, value) => new Crowd3D(crowd.skeleton, value)],
  ["new Crowd3D()", [...NO_OBJECTS, { capacity: 0 }, { grow: 1 }, { clips: {} }, { clips: ["walk"] }, { defaultMix: -1 }, { slots: true }], (crowd, _id, value) => new Crowd3D(crowd.skeleton, crowd.skins, value)],
];

describe("a 3D crowd refuses what makes no sense, with an error of osteon, and nothing has changed", () => {
  const { skeleton, skins, clips } = rig(randoms(3));
  test.each(CALLS3D)("%s", (_what, values, call) => {
    for (const value of values) {
      const [crowd, twin] = [0, 1].map(() => {
        const one = new Crowd3D(skeleton, skins, { capacity: 4, clips });
        for (let i = 0; i < 2; i++) one.spawn({ clip: clips[i]!, time: i * 0.3 });
        one.update(0.1);
        return one;
      }) as [Crowd3D, Crowd3D];
      expect(() => call(crowd, crowd.idAt(0), value as never), String(value)).toThrow(OsteonError);
      crowd.update(0.1);
      twin.update(0.1);
      expect(crowd.palette, String(value)).toEqual(twin.palette);
      crowd.dispose();
      twin.dispose();
    }
  });
});

describe("options", () => {
  const data = builtIn();
  const { skeleton, skins, clips } = rig(randoms(3));
  test("options that nobody would read are refused, with those that there are", () => {
    const crowd = new Crowd(data, { slots: true });
    const id = crowd.spawn();
    const crowd3d = new Crowd3D(skeleton, skins, { clips });
    const id3d = crowd3d.spawn({ clip: clips[0] });
    const any = (options: object): never => options as never;
    const calls: [() => unknown, RegExp][] = [
      [() => crowd.spawn(any({ anim: "walk" })), /spawn has no option "anim"\. Did you mean "animation"\? Its options are: animation, x, y/],
      [() => crowd.spawn(any({ mix: 0.2 })), /no option "mix"/],
      [() => crowd.play(id, "run", any({ Loop: true })), /play has no option "Loop"\. Did you mean "loop"\?/],
      [() => crowd.play(id, "run", any({ delay: 1 })), /play has no option "delay"/],
      [() => crowd.queue(id, "run", any({ at: 1 })), /queue has no option "at"/],
      [() => crowd.playOverlay(id, "wave", any({ weight: 1 })), /playOverlay has no option "weight"/],
      [() => crowd.bake(any({ fps: 30 })), /bake has no option "fps"/],
      [() => (crowd.levels = [any({ rates: 30 })]), /"rates"\. Did you mean "rate"\?/],
      [() => new Crowd(data, any({ count: 5 })), /new Crowd has no option "count"/],
      [() => new Crowd(data, { detail: any({ slot: [] }) }), /detail has no option "slot"\. Did you mean "slots"\?/],
      [() => new CrowdVertices(crowd, any({ pma: true })), /no option "pma"/],
      [() => crowd3d.spawn(any({ animation: clips[0] })), /spawn has no option "animation"\. .*clip, x, y, z/],
      [() => crowd3d.play(id3d, clips[1]!, any({ blend: 1 })), /no option "blend"/],
      [() => crowd3d.queue(id3d, clips[1]!, any({ blend: 1 })), /no option "blend"/],
      [() => new Crowd3D(skeleton, skins, any({ slots: true })), /new Crowd3D has no option "slots"/],
    ];
    for (const [call, message] of calls) {
      expect(call).toThrow(ArgumentError);
      expect(call).toThrow(message);
    }
    expect([crowd.count, crowd3d.count]).toEqual([1, 1]);
    crowd.dispose();
    crowd3d.dispose();
  });
});

test("a skin with a picture that the data do not have is refused, one that a program put together is worn", () => {
  const data = builtIn();
  const crowd = new Crowd(data, { slots: true });
  const mixed = new Skin("mixed");
  mixed.addSkin(data.findSkin("frost")!);
  const ids = [crowd.spawn({ skin: "frost" }), crowd.spawn({ skin: mixed })];
  crowd.update(0);
  const words = data.slots.length * 3;
  const [named, made] = ids.map((id) => [...crowd.slots.subarray(crowd.row(id) * words, (crowd.row(id) + 1) * words)]);
  expect(made).toEqual(named);
  const strange = new Skin("strange");
  strange.setAttachment(0, "picture", new RegionAttachment("picture", new Sequence(1, false)));
  expect(() => crowd.setSkin(ids[0]!, strange)).toThrow(/"strange" has an attachment "picture"/);
  expect(() => crowd.spawn({ skin: strange })).toThrow(ArgumentError);
  expect(crowd.count).toBe(2);
  crowd.dispose();
});

test("a crowd for which there is no memory takes none", () => {
  const data = builtIn();
  const { skeleton, skins } = rig(randoms(3));
  new Crowd(data).dispose();
  new Crowd3D(skeleton, skins).dispose();
  const before = heap.usedBytes;
  const most = 2 ** 21;
  for (let i = 0; i < 2; i++) {
    expect(() => new Crowd(data, { capacity: most, slots: true })).toThrow(OutOfMemoryError);
    expect(heap.usedBytes).toBe(before);
    expect(() => new Crowd3D(skeleton, skins, { capacity: most })).toThrow(OutOfMemoryError);
    expect(heap.usedBytes).toBe(before);
  }
  data.dispose();
});

describe("after dispose", () => {
  test("a crowd has nobody, and everything else is an error", () => {
    const crowd = new Crowd(builtIn(), { slots: true });
    const id = crowd.spawn({ animation: "walk" });
    crowd.update(0.1);
    crowd.dispose();
    crowd.dispose();
    expect([crowd.count, crowd.has(id)]).toEqual([0, false]);
    const calls: (() => unknown)[] = [
      () => crowd.palette, () => crowd.slots, () => crowd.row(id), () => crowd.idAt(0), () => crowd.bone(id, 0, []), () => crowd.bounds(id), () => crowd.hitTest(0, 0),
      () => crowd.hasDetail(id), () => crowd.spawn(), () => crowd.despawn(id), () => crowd.play(id, "run"), () => crowd.queue(id, "run"), () => crowd.seek(id, 0),
      () => crowd.setPosition(id, 0, 0), () => crowd.setPositions([]), () => crowd.promote(id), () => crowd.snapshot(), () => crowd.update(0), () => crowd.bake(),
      () => (crowd.workers = 1), () => crowd.chooseLevels(0, 0),
    ];
    for (const call of calls) expect(call, String(call)).toThrow(DisposedError);
  });

  test("a 3D crowd has nobody, and everything else is an error", () => {
    const { skeleton, skins, clips } = rig(randoms(3));
    const crowd = new Crowd3D(skeleton, skins);
    const id = crowd.spawn({ clip: clips[0] });
    crowd.update(0.1);
    crowd.dispose();
    crowd.dispose();
    expect([crowd.count, crowd.has(id)]).toEqual([0, false]);
    const calls: (() => unknown)[] = [
      () => crowd.palette, () => crowd.row(id), () => crowd.idAt(0), () => crowd.joint(id, 0, []), () => crowd.time(id), () => crowd.clip(id), () => crowd.hasEnded(id),
      () => crowd.spawn(), () => crowd.despawn(id), () => crowd.play(id, clips[1]!), () => crowd.queue(id, clips[1]!), () => crowd.seek(id, 0), () => crowd.setSpeed(id, 1),
      () => crowd.setPosition(id, 0, 0, 0), () => crowd.setRotation(id, 0, 0, 0, 1), () => crowd.setScale(id, 1), () => crowd.setTint(id, 1, 1, 1), () => crowd.setLod(id, 1),
      () => crowd.setVisible(id, false), () => crowd.setUpdateRate(id, 30), () => crowd.setPositions([]), () => crowd.pose(id, new AnimPose(skeleton.getBoneCount())), () => crowd.promote(id),
      () => crowd.snapshot(), () => crowd.update(0), () => (crowd.workers = 1),
    ];
    for (const call of calls) expect(call, String(call)).toThrow(DisposedError);
  });
});
