import * as official from "@esotericsoftware/spine-core";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Physics, Skeleton, type SkeletonData } from "../../../src/spine/index.js";
import { AtlasAttachmentLoader, TextureAtlas, writeSkeletonJson } from "../../../src/spine/load/index.js";
import { readBinaryDocument } from "../../../src/spine/load/binary/reader.js";
import { buildSkeleton } from "../../../src/spine/load/construct/build-skeleton.js";
import type { SkeletonDocument } from "../../../src/spine/load/document.js";
import { readJsonDocument } from "../../../src/spine/load/json/reader.js";
import { LoadReport } from "../../../src/spine/load/report.js";
import { sharedData } from "../../shared-data.js";
import { Random } from "./random-skeleton.js";

/*
 * Golden poses of 3.7 to 4.2 were recorded from the JSON exports, whose numbers are rounded to two to five places; the binary
 * exports have them in single precision. So binaries differ from the golden poses by what that rounding does to a rig. Most
 * stay within the tolerance for binaries; three rigs do not, since chains of constraints and large factors magnify it. That
 * this is the rounding, and nothing of the loader, is shown in three ways:
 *   1. the reference runtime poses the same (binary) data, converted to 4.3, as osteon does;
 *   2. with every number that differs taken from the JSON export, the binary gives the golden poses like JSON does;
 *   3. moving every number the same distance to a random side of the JSON value moves the poses as far.
 */

interface Golden {
  skeleton: string;
  atlas: string;
  bones: string[];
  physics?: boolean;
  poses: { animation: string; skin: string; samples: { t: number; bones: (number[] | null)[] }[] }[];
}
interface Case {
  name: string;
  golden: Golden;
  json: string;
  bytes: Uint8Array;
  atlas: string;
}

interface Distance {
  axis: number;
  position: number;
}

/** Of binaries below 4.3. */
const TOLERANCE: Distance = { axis: 0.006, position: 2.52 };
/** For rigs whose IK is at full reach the axes have more. */
const AT_REACH: Distance = { axis: 0.015, position: 2.6 };
/** Exports beyond, and how far they are off at most. */
const SENSITIVE: Readonly<Record<string, Distance>> = {
  "spineboy-pro": { axis: 0.03, position: 2.52 }, "stretchyman-pro": { axis: 0.02, position: 2.52 }, "tank-pro": { axis: 0.1, position: 2.7 },
};

const root = sharedData("", "golden poses of old binaries");
const cases = root === undefined ? [] : readdirSync(join(root, "golden")).filter((file) => /^(3|4\.[0-2])/.test(file)).toSorted().flatMap((file): Case[] => {
  const golden = JSON.parse(gunzipSync(readFileSync(join(root, "golden", file))).toString("utf8")) as Golden;
  const path = join(root, golden.skeleton), binary = path.replace(/json$/, "skel");
  // Physics of 4.2 differs by design.
  if (!existsSync(binary) || golden.physics === true) return [];
  return [{ name: file.replace(".json.gz", ""), golden, json: readFileSync(path, "utf8"), bytes: new Uint8Array(readFileSync(binary)), atlas: readFileSync(join(root, golden.atlas), "utf8") }];
});

function build(document: SkeletonDocument, atlas: string): SkeletonData {
  return buildSkeleton(document, new AtlasAttachmentLoader(new TextureAtlas(atlas)), 1, new LoadReport("json", undefined));
}

/** World transforms of all bones (null: inactive) in all samples of the golden poses. */
function pose(runtime: { Skeleton: any; Physics: any }, data: any, { poses }: Golden): (number[] | null)[][] {
  return poses.flatMap(({ animation, skin, samples }) => {
    const skeleton = new runtime.Skeleton(data);
    if (skin !== "default") skeleton.setSkin(skin);
    skeleton.setupPose();
    const result = samples.map(({ t }) => {
      data.findAnimation(animation).apply(skeleton, -1, t, false, null, 1, official.MixFrom.setup, false, false, false);
      skeleton.updateWorldTransform(runtime.Physics.none);
      return skeleton.bones.map(({ active, appliedPose: p }: any) => (active ? [p.a, p.b, p.c, p.d, p.worldX, p.worldY] : null));
    });
    skeleton.dispose?.();
    return result;
  });
}

const goldenPoses = ({ poses }: Golden): (number[] | null)[][] => poses.flatMap(({ samples }) => samples.map(({ bones }) => bones));

/** The farthest axis and position, less what the size of the number allows. */
function distance(found: (number[] | null)[][], wanted: (number[] | null)[][]): Distance {
  const worst = { axis: 0, position: 0 };
  expect(found.length).toBe(wanted.length);
  wanted.forEach((bones, i) => bones.forEach((want, bone) => {
    const got = found[i]![bone]!;
    expect(got === null).toBe(want === null);
    want?.forEach((value, k) => {
      const off = Math.abs(got![k]! - value) - 1e-5 * Math.abs(value);
      const key = k < 4 ? "axis" : "position";
      worst[key] = Math.max(worst[key], Number.isFinite(off) ? off : Infinity);
    });
  }));
  return worst;
}

/** What tells an item of a list from the others, since the formats have timelines and attachments in different orders. */
const identity = (item: any): string =>
  typeof item === "object" && item !== null ? ["kind", "type", "name", "skin", "target", "slot", "placeholder"].map((key) => JSON.stringify(item[key])).join() : "";

/** Replaces every number of `target` that differs from its place in `other` by what `choose` gives. */
function blend(target: any, other: any, choose: (mine: number, its: number) => number): void {
  let places = (key: string): string => key;
  if (Array.isArray(target) && Array.isArray(other)) {
    const index = new Map<string, string[]>();
    other.forEach((item, i) => index.set(identity(item), [...(index.get(identity(item)) ?? []), String(i)]));
    const used = new Map<string, number>();
    places = (key) => {
      const id = identity(target[Number(key)]), nth = used.get(id) ?? 0;
      used.set(id, nth + 1);
      return id === "" ? key : index.get(id)?.[nth] ?? "none";
    };
  }
  for (const key of Object.keys(target)) {
    const mine = target[key], its = other?.[places(key)];
    if (typeof mine === "number" && typeof its === "number") {
      // Two whole numbers are indices or counts.
      if (mine !== its && !(Number.isInteger(mine) && Number.isInteger(its))) target[key] = choose(mine, its);
    } else if (typeof mine === "object" && mine !== null) blend(mine, its, choose);
  }
}

describe.skipIf(cases.length === 0)("binaries of 3.7 to 4.2 and the golden poses of their JSON twins", () => {
  it.each(cases.map((item) => [item.name, item] as const))("%s: poses are those of the reference for the same data", (_, { bytes, atlas, golden }) => {
    const data = build(readBinaryDocument(bytes).document, atlas);
    const loader = new official.AtlasAttachmentLoader(new official.TextureAtlas(atlas));
    const theirs = new official.SkeletonJson(loader).readSkeletonData(writeSkeletonJson(data));
    const off = distance(pose({ Skeleton, Physics }, data, golden), pose(official, theirs, golden));
    // Single against double precision, magnified where IK is at full reach.
    expect(off.axis).toBeLessThan(6e-4);
    expect(off.position).toBeLessThan(0.02);
    data.dispose();
  });

  it.each(cases.map((item) => [item.name, item] as const))("%s: differ from the golden poses by no more than the rounding in JSON explains", (name, { json, bytes, atlas, golden }) => {
    const want = goldenPoses(golden);
    const measure = (document: SkeletonDocument): Distance => {
      const data = build(document, atlas);
      const off = distance(pose({ Skeleton, Physics }, data, golden), want);
      data.dispose();
      return off;
    };
    const binary = measure(readBinaryDocument(bytes).document);
    const sensitive = SENSITIVE[name.replace(/^.*--/, "")];
    const limit = sensitive ?? (name.includes("chibi-stickers") ? AT_REACH : TOLERANCE);
    expect(binary.axis).toBeLessThan(limit.axis);
    expect(binary.position).toBeLessThan(limit.position);
    if (sensitive === undefined) return;

    const numbersOfJson = readBinaryDocument(bytes).document;
    const differences: number[] = [];
    blend(numbersOfJson, readJsonDocument(json).document, (mine, its) => {
      differences.push(Math.abs(mine - its));
      return its;
    });
    expect(differences.length).toBeGreaterThan(100);
    const asJson = measure(numbersOfJson);
    expect(asJson.axis).toBeLessThan(TOLERANCE.axis / 10);
    expect(asJson.position).toBeLessThan(name.includes("stretchy-ik") ? 0.1 : 0.02);

    // Random sides: some of them move the poses at least half as far as the binary does.
    let farthest = 0;
    for (let seed = 0; seed < 8 && farthest < binary.axis / 2; seed++) {
      const random = new Random(seed);
      const moved = readJsonDocument(json).document;
      blend(moved, readBinaryDocument(bytes).document, (mine, its) => mine + (random.bool() ? its - mine : mine - its));
      farthest = Math.max(farthest, measure(moved).axis);
    }
    expect(farthest).toBeGreaterThan(binary.axis / 2);
  });
});
