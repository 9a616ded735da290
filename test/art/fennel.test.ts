import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as official from "@esotericsoftware/spine-core";
import { beforeAll, describe, expect, it } from "vitest";
import { CHARACTER, generate, skeletonText } from "../../scripts/art/generate.mjs";

const folder = fileURLToPath(new URL(`../../examples/assets/${CHARACTER}/`, import.meta.url));
const file = (extension: string) => readFileSync(`${folder}${CHARACTER}.${extension}`);

type Json = Record<string, any>;
let made: ReturnType<typeof generate>;
let json: Json;

beforeAll(() => {
  made = generate();
  json = JSON.parse(file("json").toString()) as Json;
});

function loadOfficially(): official.SkeletonData {
  const atlas = new official.TextureAtlas(file("atlas").toString());
  for (const page of atlas.pages) page.setTexture(new official.FakeTexture({ width: page.width, height: page.height } as never));
  return new official.SkeletonJson(new official.AtlasAttachmentLoader(atlas)).readSkeletonData(json);
}

const attachments = () =>
  (json["skins"] as Json[]).flatMap((skin) =>
    Object.entries(skin["attachments"] as Json).flatMap(([slot, entries]) =>
      Object.entries(entries as Json).map(([key, value]) => ({ skin: skin["name"] as string, slot, key, value: value as Json })),
    ),
  );
const ofType = (type: string) => attachments().filter(({ value }) => (value["type"] ?? "region") === type);
const animations = () => Object.entries(json["animations"] as Json) as [string, Json][];

describe("the committed files", () => {
  it("are what the script makes", () => {
    expect(file("json").toString()).toBe(skeletonText(made.skeleton));
    expect(file("atlas").toString()).toBe(made.page.atlas);
    expect(Buffer.compare(file("png"), made.png)).toBe(0);
  });

  it("are made alike a second time", () => {
    const again = generate();
    expect(Buffer.compare(Buffer.from(again.page.data), Buffer.from(made.page.data))).toBe(0);
    expect(skeletonText(again.skeleton)).toBe(skeletonText(made.skeleton));
  });
});

describe("the official runtime", () => {
  it("loads them and plays every animation to finite poses", () => {
    const data = loadOfficially();
    expect(data.bones.length).toBeGreaterThanOrEqual(30);
    for (const skin of ["ember", "frost"]) {
      for (const animation of data.animations) {
        const skeleton = new official.Skeleton(data);
        skeleton.setSkin(skin);
        skeleton.setupPose();
        const state = new official.AnimationState(new official.AnimationStateData(data));
        state.setAnimation(0, animation.name, true);
        for (let frame = 0; frame < 120; frame++) {
          state.update(1 / 60);
          state.apply(skeleton);
          skeleton.update(1 / 60);
          skeleton.updateWorldTransform(official.Physics.update);
        }
        for (const bone of skeleton.bones) {
          const { a, b, c, d, worldX, worldY } = bone.appliedPose;
          expect([a, b, c, d, worldX, worldY].every(Number.isFinite), `${skin} ${animation.name} ${bone.data.name}`).toBe(true);
          expect(Math.hypot(worldX, worldY), `${animation.name} ${bone.data.name}`).toBeLessThan(900);
        }
      }
    }
  });

  it("keeps planted feet on the ground and moving at one speed while walking", () => {
    const data = loadOfficially();
    const skeleton = new official.Skeleton(data);
    skeleton.setSkin("ember");
    const walk = data.findAnimation("walk")!;
    const foot = skeleton.findBone("foot-near")!;
    const xs: number[] = [];
    for (let i = 1; i <= 8; i++) {
      skeleton.setupPose();
      walk.apply(skeleton, 0, walk.duration * (0.1 + i * 0.038), false, null, 1, official.MixFrom.setup, false, false, false);
      skeleton.updateWorldTransform(official.Physics.reset);
      xs.push(foot.appliedPose.worldX);
      expect(foot.appliedPose.worldY).toBeGreaterThan(28.5);
      expect(foot.appliedPose.worldY).toBeLessThan(32);
    }
    const steps = xs.slice(1).map((x, i) => x - xs[i]!);
    for (const step of steps) expect(step).toBeCloseTo(steps[0]!, 0);
    expect(steps[0]).toBeLessThan(-3);
  });
});

describe("features", () => {
  it("has meshes of every kind, two different looks and all helper attachments", () => {
    const meshes = ofType("mesh");
    const weighted = meshes.filter(({ value }) => value["vertices"].length !== value["uvs"].length);
    expect(weighted.length).toBeGreaterThan(4);
    expect(meshes.length - weighted.length).toBeGreaterThanOrEqual(1);
    expect(ofType("linkedmesh").length).toBeGreaterThan(4);
    for (const type of ["region", "clipping", "boundingbox", "point", "path"]) expect(ofType(type).length, type).toBeGreaterThanOrEqual(1);
    expect((json["skins"] as Json[]).map((skin) => skin["name"])).toEqual(["default", "ember", "frost"]);
    expect((json["slots"] as Json[]).filter((slot) => slot["dark"] !== undefined).length).toBeGreaterThanOrEqual(2);
  });

  it("has constraints of every kind", () => {
    const count = (type: string) => (json["constraints"] as Json[]).filter((c) => c["type"] === type).length;
    expect(count("ik")).toBe(4);
    expect(count("transform")).toBeGreaterThanOrEqual(1);
    expect(count("path")).toBe(1);
    expect(count("physics")).toBeGreaterThanOrEqual(4);
    expect(count("slider")).toBe(1);
  });

  it("keys everything that the format can key", () => {
    const names = animations().map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["idle", "walk", "run", "jump", "wave", "blink"]));
    const text = JSON.stringify(json["animations"]);
    for (const needle of ['"curve":[', '"curve":"stepped"', '"deform"', '"sequence"', '"drawOrder"', '"drawOrderFolder"', '"rgba2"', '"rgb2"', '"rgba"', '"alpha"', '"physics"', '"ik"']) {
      expect(text, needle).toContain(needle);
    }
    const events = animations().flatMap(([, animation]) => (animation["events"] ?? []) as Json[]);
    expect(events.filter((event) => event["name"] === "footstep").length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(json["events"])).not.toContain("audio");
  });

  it("packs trimmed and turned regions on one page", () => {
    const text = file("atlas").toString();
    expect(text.match(/^\trotate: 90$/gm)?.length).toBeGreaterThan(3);
    expect(text.match(/^\toffsets:/gm)?.length).toBeGreaterThan(3);
    expect(text.match(/\.png$/gm)?.length).toBe(1);
  });

  it("covers every visible pixel of a mesh's picture with triangles", () => {
    const sources = new Map(ofType("mesh").map(({ skin, slot, key, value }) => [`${skin}/${slot}/${key}`, value]));
    const uncovered: string[] = [];
    for (const { slot, value } of [...ofType("mesh"), ...ofType("linkedmesh")]) {
      const mesh = value["source"] ? sources.get(`${value["skin"]}/${slot}/${value["source"]}`)! : value;
      const { canvas } = made.pictures.get(value["path"] as string)!;
      const covered = coverage(mesh["uvs"] as number[], mesh["triangles"] as number[], canvas.width, canvas.height);
      const bytes = canvas.toBytes();
      let bare = 0;
      for (let i = 0; i < covered.length; i++) if (bytes[i * 4 + 3]! > 24 && !covered[i]) bare++;
      if (bare > 0) uncovered.push(`${value["path"]} in slot ${slot}: ${bare} pixels`);
    }
    expect(uncovered).toEqual([]);
  });
});

function coverage(uvs: number[], triangles: number[], width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = triangles[t + k]!;
      return [uvs[v * 2]! * width, uvs[v * 2 + 1]! * height] as const;
    }) as [readonly [number, number], readonly [number, number], readonly [number, number]];
    const side = (p: readonly [number, number], q: readonly [number, number], x: number, y: number) => (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [p, q, r] = [side(a, b, x + 0.5, y + 0.5), side(b, c, x + 0.5, y + 0.5), side(c, a, x + 0.5, y + 0.5)];
        if ((p >= 0 && q >= 0 && r >= 0) || (p <= 0 && q <= 0 && r <= 0)) out[y * width + x] = 1;
      }
    }
  }
  return out;
}
