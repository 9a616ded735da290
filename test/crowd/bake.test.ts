import { describe, expect, test } from "vitest";
import { type BakeOptions, Crowd } from "../../src/crowd/index.js";
import { ArgumentError, NameError, RangeMismatchError } from "../../src/errors.js";
import { AtlasAttachmentLoader, SkeletonData, SkeletonJson, TextureAtlas, TransformConstraintData } from "../../src/spine/index.js";
import { randoms, rigs } from "./rigs.js";

/** Largest distance of bone origins and tips between two crowds. */
function distance(a: Crowd, b: Crowd): number {
  const [p, q] = [a.palette, b.palette];
  const bones = a.boneCount;
  let worst = 0;
  for (let i = 0; i < a.count * bones; i++) {
    const at = i * 6;
    const { length } = a.data.bones[i % bones]!;
    const x = p[at + 4]! - q[at + 4]!;
    const y = p[at + 5]! - q[at + 5]!;
    worst = Math.max(worst, Math.hypot(x, y), Math.hypot(x + (p[at]! - q[at]!) * length, y + (p[at + 2]! - q[at + 2]!) * length));
  }
  return worst;
}

describe.each(rigs("baked crowds of real exports"))("baked clips of $name", ({ data: load }) => {
  test.each(["float32", "int16"] as const)("stay within the error that their report states, as %s", { timeout: 120_000 }, (format) => {
    const data = load();
    const random = randoms(31);
    const exact = new Crowd(data);
    const baked = new Crowd(data);
    // Transform constraints may read world positions, which a baked clip has at the origin.
    const isAnchored = data.constraints.some((constraint) => constraint instanceof TransformConstraintData);
    for (let i = 0; i < 60; i++) {
      const options = {
        animation: data.animations[i % data.animations.length]!.name, time: random() * 3, speed: 0.5 + random(), loop: random() < 0.7,
        x: isAnchored ? 0 : random() * 100, y: isAnchored ? 0 : random() * 100, scaleX: i % 3 === 0 ? -1 : 1, scaleY: 1,
      };
      exact.spawn(options);
      baked.spawn(options);
    }
    const maxError = 0.01 * Math.max(data.width, data.height);
    const reports = baked.bake({ rate: 60, maxError, format });
    expect(reports.length).toBe(data.animations.length);
    for (const report of reports) expect(report.isBaked, report.animation).toBe(report.error <= maxError);
    // With physics the two move apart: a baked clip has the physics of the origin.
    if (data.constraints.some((constraint) => "inertiaGlobal" in constraint)) return;
    // Between the middles of intervals a curve may be somewhat further off; a jump inside an interval all the more.
    const bound = 2 * Math.max(0, ...reports.filter((report) => report.isBaked).map((report) => report.error)) + 0.02;
    for (let frame = 0; frame < 6; frame++) {
      exact.update(1 / 60);
      baked.update(1 / 60);
      expect(distance(exact, baked)).toBeLessThan(bound);
    }
    baked.unbake();
    exact.update(0);
    baked.update(0);
    expect(baked.palette).toEqual(exact.palette);
    exact.dispose();
    baked.dispose();
  });
});

test("are for the skins that are asked for, whether characters have them yet or not; by default for those that there are", () => {
  const data = rigs("nothing")[0]!.data();
  const animations = [data.animations[1]!.name];
  const skinsOf = (crowd: Crowd, options: BakeOptions): (string | null)[] => crowd.bake({ animations, maxError: 100, ...options }).map(({ skin }) => skin);
  const crowd = new Crowd(data);
  expect(skinsOf(crowd, {})).toEqual([null]);
  expect(skinsOf(crowd, { skins: ["ember", data.findSkin("frost")!] })).toEqual(["ember", "frost"]);
  crowd.spawn({ skin: "default" });
  expect(skinsOf(crowd, {})).toEqual([null, "ember", "frost", "default"]);
  expect(skinsOf(crowd, { skins: [] })).toEqual([]);
  expect(() => crowd.bake({ skins: ["none of that name"] })).toThrow(NameError);
  expect(() => crowd.bake({ skins: "ember" as never })).toThrow(ArgumentError);
  // Rows that wait for somebody are what he plays: coarse ones differ from the exact pose.
  const plain = new Crowd(data);
  crowd.bake({ animations, maxError: 100, rate: 4, skins: ["frost"] });
  for (const each of [crowd, plain]) {
    while (each.count > 0) each.despawn(each.idAt(0));
    for (const skin of ["frost", "ember"]) for (let i = 0; i < 4; i++) each.spawn({ animation: animations[0], skin, time: 0.1 + i / 9 });
    each.update(0);
  }
  const half = plain.palette.length / 2;
  expect([...crowd.palette.subarray(0, half)]).not.toEqual([...plain.palette.subarray(0, half)]);
  expect([...crowd.palette.subarray(half)]).toEqual([...plain.palette.subarray(half)]);
  crowd.dispose();
  plain.dispose();
});

test("a bound that cannot be met leaves the clip exact", () => {
  const data = rigs("nothing")[0]!.data();
  const crowd = new Crowd(data);
  const plain = new Crowd(data);
  const { name } = data.animations[1]!;
  for (const each of [crowd, plain]) each.spawn({ animation: name, time: 0.123 });
  const [report] = crowd.bake({ rate: 2, maxError: 1e-6, animations: [name] });
  expect(report!.isBaked).toBe(false);
  expect(report!.bytes).toBe(0);
  expect(report!.error).toBeGreaterThan(1e-6);
  crowd.update(0.01);
  plain.update(0.01);
  expect(crowd.palette).toEqual(plain.palette);
  expect(() => crowd.bake({ rate: 0 })).toThrow(RangeMismatchError);
  expect(() => crowd.bake({ animations: ["nothing like it"] })).toThrow(NameError);
  crowd.dispose();
  plain.dispose();
});

describe.each(["float32", "int16"] as const)("jumps, as %s", (format) => {
  /** One bone that moves along and jumps by 100 units at a time that no row has. */
  const jumper = (jump: number): SkeletonData => new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(""))).readSkeletonData({
    skeleton: { spine: "4.3.00", width: 200, height: 200 },
    bones: [{ name: "root" }, { name: "box", parent: "root", length: 10 }],
    animations: {
      jump: { bones: { box: {
        translatex: [{ value: 0 }, { time: jump, value: 30, curve: "stepped" }, { time: jump + 1e-5, value: 130 }, { time: 1, value: 150 }],
        rotate: [{ value: 0 }, { time: 1, value: 10 }],
      } } },
      still: { bones: { box: { translatex: [{ value: 40 }] } } },
    },
  });

  test.each([0.3017, 0.5, 0.98])("a bone that jumps at %s s does so in one step, wherever rows lie", (jump) => {
    const data = jumper(jump);
    const exact = new Crowd(data, { capacity: 200 });
    const baked = new Crowd(data, { capacity: 200 });
    for (let i = 0; i < 200; i++) for (const crowd of [exact, baked]) crowd.spawn({ animation: "jump", time: (i + 0.5) / 200, loop: false });
    const [report] = baked.bake({ rate: 30, maxError: 0.1, animations: ["jump"], format });
    expect(report).toMatchObject({ isBaked: true });
    expect(report!.error).toBeLessThan(0.05);
    for (const crowd of [exact, baked]) crowd.update(0);
    expect(distance(exact, baked)).toBeLessThan(0.05);
    exact.dispose();
    baked.dispose();
  });

  test("a clip without length is one pose", () => {
    const crowd = new Crowd(jumper(0.5));
    crowd.spawn({ animation: "still" });
    const [report] = crowd.bake({ rate: 30, maxError: 0.01, animations: ["still"], format });
    expect(report).toMatchObject({ isBaked: true, error: 0 });
    crowd.update(0.1);
    expect(crowd.palette[6 + 4]).toBe(40);
    crowd.dispose();
  });
});
