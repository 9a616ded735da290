import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as spine from "../../../src/spine/index.js";
import { MIXED_KINDS, outputs } from "./outputs.js";

/** One case of constraint-golden.json: a small skeleton, and what it gives after each step. */
export interface GoldenCase {
  id: string;
  group: string;
  about: string;
  json: object;
  scale?: number;
  atlas?: string;
  yDown?: boolean;
  noise?: number;
  want?: Want[];
  steps: { ops: [string, ...any[]][]; want?: Want[]; expect: Record<string, any> }[];
}
export type Want = string | [string, ...any[]];

interface Golden {
  atlases: Record<string, string>;
  cases: GoldenCase[];
}

const golden = JSON.parse(
  gunzipSync(readFileSync(new URL("../../golden/constraint-golden.json.gz", import.meta.url))).toString("utf8"),
) as Golden;

export function casesOf(...groups: string[]): GoldenCase[] {
  return golden.cases.filter((c) => groups.includes(c.group));
}

/** Everything that differs from the recorded numbers, as readable lines. */
export function replay(golden: GoldenCase): string[] {
  spine.Skeleton.yDown = golden.yDown === true;
  try {
    return replayCase(golden);
  } finally {
    spine.Skeleton.yDown = false;
  }
}

function replayCase(testCase: GoldenCase): string[] {
  const loader = testCase.atlas === undefined ? plainLoader() : atlasLoader(testCase.atlas);
  const json = new spine.SkeletonJson(loader);
  json.scale = testCase.scale ?? 1;
  const data = json.readSkeletonData(structuredClone(testCase.json));
  const skeleton = new spine.Skeleton(data);
  const differences: string[] = [];
  const tolerance = Math.max(1e-3, 30 * (testCase.noise ?? 0));
  testCase.steps.forEach((step, index) => {
    for (const [op, ...args] of step.ops) perform(skeleton, op, args);
    for (const want of step.want ?? testCase.want ?? ["bones"]) {
      const [name, ...options] = typeof want === "string" ? [want] : want;
      const found = outputs[name]!(skeleton, options, testCase);
      const expected = step.expect[name];
      compare(`${testCase.id} step ${index} ${name}`, found, expected, tolerance, angleKeys(name), differences);
    }
  });
  skeleton.dispose();
  data.dispose();
  return differences;
}

/** Gives every image a plain region that is not on an atlas page. */
function plainLoader(): spine.AttachmentLoader {
  const region = (): spine.TextureRegion =>
    Object.assign(new spine.TextureRegion(), {
      u2: 1, v2: 1, width: 64, height: 64, originalWidth: 64, originalHeight: 64, texture: { name: "plain" },
    });
  const fill = (sequence: spine.Sequence): void => {
    for (let i = 0; i < sequence.regions.length; i++) sequence.regions[i] = region();
  };
  return {
    newRegionAttachment(_skin, _placeholder, name, _path, sequence) {
      fill(sequence);
      return new spine.RegionAttachment(name, sequence);
    },
    newMeshAttachment(_skin, _placeholder, name, _path, sequence) {
      fill(sequence);
      return new spine.MeshAttachment(name, sequence);
    },
    newBoundingBoxAttachment: (_skin, _placeholder, name) => new spine.BoundingBoxAttachment(name),
    newPathAttachment: (_skin, _placeholder, name) => new spine.PathAttachment(name),
    newPointAttachment: (_skin, _placeholder, name) => new spine.PointAttachment(name),
    newClippingAttachment: (_skin, _placeholder, name) => new spine.ClippingAttachment(name),
  };
}

class NamedTexture extends spine.FakeTexture {
  constructor(readonly name: string) {
    super({});
  }
}

function atlasLoader(name: string): spine.AttachmentLoader {
  const atlas = new spine.TextureAtlas(golden.atlases[name]!);
  for (const page of atlas.pages) page.setTexture(new NamedTexture(page.name));
  return new spine.AtlasAttachmentLoader(atlas);
}

function perform(skeleton: spine.Skeleton, op: string, args: any[]): void {
  const find = <T extends { data: { name: string } }>(list: readonly T[], name: string): T => list.find((o) => o.data.name === name)!;
  const bone = (): spine.Bone => find(skeleton.bones, args[0]);
  const slot = (): spine.Slot => find(skeleton.slots, args[0]);
  switch (op) {
    case "skel": return void Object.assign(skeleton, args[0]);
    case "bone": return void Object.assign(bone().pose, args[1]);
    case "constraint": return void Object.assign(find(skeleton.constraints, args[0]).pose, args[1]);
    case "attach": return skeleton.setAttachment(args[0], args[1]);
    case "deform": return void (slot().pose.deform = args[1]);
    case "sequence": return void (slot().pose.sequenceIndex = args[1]);
    case "slotColor": return void slot().pose.color.set(...(args[1] as [number, number, number, number]));
    case "skelColor": return void skeleton.color.set(...(args[0] as [number, number, number, number]));
    case "skin": return skeleton.setSkin(args[0]);
    case "comboSkin": {
      const skin = new spine.Skin("combo");
      for (const name of args) skin.addSkin(skeleton.data.findSkin(name)!);
      return skeleton.setSkin(skin);
    }
    case "setup": return skeleton.setupPose();
    case "setupSlots": return skeleton.setupPoseSlots();
    case "anim": {
      const [name, time, alpha = 1, add = false] = args;
      return skeleton.data.findAnimation(name)!.apply(skeleton, time, time, false, null, alpha, spine.MixFrom.setup, add, false, false);
    }
    case "order":
      return (args[0] as string[]).forEach((name, i) => {
        skeleton.drawOrder.pose[i] = find(skeleton.slots, name);
      });
    case "advance": return skeleton.update(args[0]);
    case "ptranslate": return skeleton.physicsTranslate(args[0], args[1]);
    case "protate": return skeleton.physicsRotate(args[0], args[1], args[2]);
    case "preset": return skeleton.physics.forEach((p) => (p as any).reset(skeleton));
    case "world": return skeleton.updateWorldTransform(spine.Physics[args[0] as keyof typeof spine.Physics]);
    case "rotateWorld": return bone().appliedPose.rotateWorld(args[1]);
    case "setWorld": return void Object.assign(bone().appliedPose, args[1]);
    case "updateCache": return skeleton.updateCache();
    default: throw new Error(`unknown operation ${op}`);
  }
}

/** Places of angles in the seven numbers of `local` and `inverse`. */
function angleKeys(name: string): readonly number[] {
  return name === "local" || name === "inverse" ? [2, 5, 6] : [];
}

function compare(path: string, found: any, expected: any, tolerance: number, angles: readonly number[], out: string[]): void {
  if (typeof expected === "number" || expected === "Inf" || expected === "-Inf" || expected === "NaN") {
    const e = expected === "Inf" ? Infinity : expected === "-Inf" ? -Infinity : expected === "NaN" ? NaN : expected;
    let difference = Math.abs(found - e);
    if (found === e) difference = 0;
    if (angles.includes(Number(path.slice(path.lastIndexOf(".") + 1)))) difference = Math.min(difference % 360, 360 - (difference % 360));
    if (Number.isNaN(e)) {
      if (!Number.isFinite(found)) out.push(`${path}: ${found} where any finite number is expected`);
    } else if (!(difference <= tolerance)) {
      out.push(`${path}: ${found}, expected ${e}`);
    }
    return;
  }
  if (expected === null || typeof expected !== "object") {
    if (found !== expected) out.push(`${path}: ${String(found)}, expected ${String(expected)}`);
    return;
  }
  if (found === null || typeof found !== "object") {
    out.push(`${path}: ${String(found)}, expected ${JSON.stringify(expected).slice(0, 80)}`);
    return;
  }
  if (Array.isArray(expected) && found.length !== expected.length) {
    out.push(`${path}: ${found.length} elements, expected ${expected.length}`);
    return;
  }
  for (const key of Object.keys(expected)) compare(`${path}.${key}`, found[key], expected[key], tolerance, angles, out);
  if (!Array.isArray(expected)) {
    for (const key of Object.keys(found)) if (!(key in expected)) out.push(`${path}.${key}: unexpected`);
  }
}

export { MIXED_KINDS };
