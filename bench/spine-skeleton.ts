/**
 * How fast is one skeleton at a time, beside the official runtime?
 *
 * 100 skeletons on phases of one clip, one after the other: state.update and apply, skeleton.update and world transforms with
 * physics, vertices of everything that is shown. Vertices are raced in both ways: attachment by attachment as renderers of
 * the official runtime do (`x each`), and all of a skeleton by one call (`x vertices`). Frames take turns between the two, so
 * that either way begins with what the world update has left in the caches; the official runtime has one way only.
 * Figures: how many times as fast, medians of five interleaved rounds of 60 frames; every rig in a process of its own.
 */
import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import * as spine from "../src/spine/index.js";
import { eachRig, plainRigs, realRigs, type RigFile } from "./lib/rigs.js";
import { bytesPerWindow, median } from "./lib/race.js";

const COUNT = 100;
const DT = 1 / 60;
const ROUNDS = 5;
/** Frames of one side in a round. */
const FRAMES = 60;
/** Frames before anything is timed, so that both sides run optimised code on a busy machine, too. */
const WARM_UP = 150;
const CLIPS: Record<string, string> = {
  "spineboy-pro": "walk", "raptor-pro": "walk", "tank-pro": "drive", "vine-pro": "grow", "stretchyman-pro": "idle",
  "celestial-circus-pro": "swing", "owl-pro": "idle", "goblins-pro": "walk", "mix-and-match-pro": "walk", "snowglobe-pro": "shake",
  "alien-pro": "run", "coin-pro": "animation",
};
/** Rigs whose default skin shows little. */
const NEEDS_SKIN = /goblins|mix-and-match/;

type Core = typeof official;

/** The same calls for either runtime. */
function sideOf(core: Core, rig: RigFile) {
  const loader = new core.AtlasAttachmentLoader(new core.TextureAtlas(readFileSync(rig.atlas, "utf8")));
  const data = new core.SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(rig.json, "utf8")));
  const stateData = new core.AnimationStateData(data);
  const animation = data.findAnimation(CLIPS[rig.name] ?? "walk") ?? data.animations[0]!;
  const list = Array.from({ length: COUNT }, (_, i) => {
    const skeleton = new core.Skeleton(data);
    if (NEEDS_SKIN.test(rig.name)) skeleton.setSkin(data.skins[1]!);
    skeleton.setupPose();
    const state = new core.AnimationState(stateData);
    state.setAnimation(0, animation, true).trackTime = i * 0.037;
    return { skeleton, state };
  });
  const out = new Float32Array(32768);
  return {
    data,
    list,
    apply(): void {
      for (const { state, skeleton } of list) {
        state.update(DT);
        state.apply(skeleton);
      }
    },
    world(): void {
      for (const { skeleton } of list) {
        skeleton.update(DT);
        skeleton.updateWorldTransform(core.Physics.update);
      }
    },
    each(): void {
      for (const { skeleton } of list) eachAttachment(core, skeleton, out);
    },
    out,
  };
}

function eachAttachment(core: Core, skeleton: official.Skeleton, out: Float32Array): void {
  for (const slot of skeleton.drawOrder.appliedPose) {
    if (!slot.bone.active) continue;
    const attachment = slot.appliedPose.attachment;
    if (attachment instanceof core.RegionAttachment) attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), out, 0, 2);
    else if (attachment instanceof core.MeshAttachment) attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, out, 0, 2);
  }
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function measure(rig: RigFile): Promise<Record<string, number>> {
  const own = sideOf(spine as unknown as Core, rig);
  const peer = sideOf(official, rig);
  const vertices = new spine.SkeletonVertices();
  const all = (): void => {
    for (const { skeleton } of own.list) vertices.compute(skeleton as unknown as spine.Skeleton);
  };
  const steps = {
    apply: [own.apply, peer.apply],
    world: [own.world, peer.world],
    vertices: [all, peer.each],
    each: [own.each, peer.each],
  } as const;
  for (let i = 0; i < WARM_UP; i++) for (const pair of Object.values(steps)) for (const work of pair) work();
  verify(own.list[7]!.skeleton, peer.list[7]!.skeleton, rig.name);

  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [0, 1] as const : [1, 0] as const;
    const us: [Record<string, number>, Record<string, number>] = [{}, {}];
    for (const side of order) us[side] = frames(steps, side);
    const total = (side: 0 | 1, last: string): number => us[side]["apply"]! + us[side]["world"]! + us[side][last]!;
    rounds.push({
      ...Object.fromEntries(Object.keys(steps).map((name) => [`x ${name}`, us[1][name]! / us[0][name]!])),
      "x total": total(1, "vertices") / total(0, "vertices"),
      "x total each": total(1, "each") / total(0, "each"),
      "us own": total(0, "vertices"),
      "us peer": total(1, "vertices"),
    });
  }
  const frame = (): void => {
    own.apply();
    own.world();
    all();
  };
  return {
    bones: own.data.bones.length,
    ...Object.fromEntries(Object.keys(rounds[0]!).map((name) => [name, median(rounds.map((row) => row[name]!))])),
    ...(process.argv.includes("--bytes") ? { "bytes a window": bytesPerWindow(frame, 100) } : {}),
  };
}

/** Frames of one side, one after the other, as a program runs them: microseconds of each step for one skeleton, by the median frame. */
function frames(steps: Record<string, readonly [() => void, () => void]>, side: 0 | 1): Record<string, number> {
  const times: Record<string, number[]> = {};
  for (let frame = 0; frame < FRAMES; frame++) {
    for (const [name, pair] of Object.entries(steps)) {
      if (name === (frame % 2 === 0 ? "each" : "vertices")) continue;
      (times[name] ??= []).push(timed(pair[side]));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, (median(list) * 1000) / COUNT]));
}

/** Both sides must show the same before they are timed. */
function verify(own: official.Skeleton, peer: official.Skeleton, name: string): void {
  for (let i = 0; i < peer.bones.length; i++) {
    const a = own.bones[i]!.appliedPose;
    const b = peer.bones[i]!.appliedPose;
    if (!(Math.abs(a.worldX - b.worldX) < 0.5 && Math.abs(a.worldY - b.worldY) < 0.5)) {
      throw new Error(`${name}: bone ${peer.bones[i]!.data.name} is at ${a.worldX}, ${a.worldY}; the official runtime has ${b.worldX}, ${b.worldY}`);
    }
  }
}

await eachRig(import.meta.url, () => (process.argv.includes("--plain") ? plainRigs() : realRigs()), measure);
