/**
 * How fast are world transforms and constraints alone, beside the official runtime?
 *
 * 100 skeletons on phases of one clip, `update` and `updateWorldTransform` with physics, one after the other (`x world`); one of
 * them again and again, so that memory does not count (`x one`); the same poses four to a register, as crowds pose them,
 * from a sampled pose to the applied one (`x group`, an instance beside a skeleton of the official runtime).
 * Figures: how many times as fast, medians of interleaved rounds; every rig in a process of its own.
 */
import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import { HeaderRow } from "../assembly/layout/rig2d.js";
import { PHYSICS_STATE_ROWS } from "../assembly/layout/update.js";
import * as spine from "../src/spine/index.js";
import { crowdProgramOf } from "../src/spine/update/program.js";
import { growScratch, updateScratch } from "../src/spine/update/update.js";
import { heap } from "../src/wasm/heap.js";
import { rig2d } from "../src/wasm/rig2d.js";
import { eachRig, realRigs, type RigFile } from "./lib/rigs.js";
import { median } from "./lib/race.js";

const COUNT = 100;
const LANES = 4;
const DT = 1 / 60;
const ROUNDS = 9;
const FRAMES = 12;
const CLIPS: Record<string, string> = {
  "spineboy-pro": "walk", "raptor-pro": "walk", "tank-pro": "drive", "vine-pro": "grow", "stretchyman-pro": "idle",
  "celestial-circus-pro": "swing", "owl-pro": "idle", "goblins-pro": "walk", "mix-and-match-pro": "walk", "snowglobe-pro": "shake",
  "alien-pro": "run", "coin-pro": "animation",
};
const NEEDS_SKIN = /goblins|mix-and-match/;

type Core = typeof official;

function sideOf(core: Core, rig: RigFile) {
  const loader = new core.AtlasAttachmentLoader(new core.TextureAtlas(readFileSync(rig.atlas, "utf8")));
  const data = new core.SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(rig.json, "utf8")));
  const animation = data.findAnimation(CLIPS[rig.name] ?? "walk") ?? data.animations[0]!;
  const list = Array.from({ length: COUNT }, (_, i) => {
    const skeleton = new core.Skeleton(data);
    if (NEEDS_SKIN.test(rig.name)) skeleton.setSkin(data.skins[1]!);
    skeleton.setupPose();
    animation.apply(skeleton, -1, i * 0.037, true, null, 1, core.MixFrom.setup, false, false, false);
    return skeleton;
  });
  return {
    list,
    bones: data.bones.length,
    world(): void {
      for (const skeleton of list) {
        skeleton.update(DT);
        skeleton.updateWorldTransform(core.Physics.update);
      }
    },
    one(): void {
      const skeleton = list[0]!;
      for (let i = 0; i < COUNT; i++) {
        skeleton.update(DT);
        skeleton.updateWorldTransform(core.Physics.update);
      }
    },
  };
}

/** The poses of the list in groups of four; undefined if an operation needs TypeScript. */
function groupsOf(list: readonly spine.Skeleton[]): { update: () => void; copies: () => void } | undefined {
  const program = crowdProgramOf(list[0]!);
  if (program.calls) return undefined;
  const { rows } = list[0]!._shape;
  const physicsBytes = list[0]!.physics.length * PHYSICS_STATE_ROWS * 4 * LANES;
  const sampled: number[] = [];
  const states: number[] = [];
  for (let first = 0; first < COUNT; first += LANES) {
    const group = heap.alloc(rows * 4 * LANES);
    const { u32, f64 } = heap;
    for (let lane = 0; lane < LANES; lane++) {
      const { _base: base } = list[first + lane]!;
      for (let row = 0; row < rows; row++) u32[(group >> 2) + row * LANES + lane] = u32[base + row]!;
    }
    f64.fill(0, ((group >> 2) + HeaderRow.TIME * LANES) >> 1, ((group >> 2) + (HeaderRow.TIME + 2) * LANES) >> 1);
    sampled.push(group);
    const state = heap.alloc(physicsBytes);
    for (let i = 0; i < list[0]!.physics.length; i++) heap.i32.fill(1, (state >> 2) + i * PHYSICS_STATE_ROWS * LANES, (state >> 2) + i * PHYSICS_STATE_ROWS * LANES + LANES);
    states.push(state);
  }
  const pose = heap.alloc(rows * 4 * LANES);
  // Slots do not change: bones and constraints are copied.
  heap.u8.copyWithin(pose, sampled[0]!, sampled[0]! + rows * 4 * LANES);
  const shape = list[0]!._shape;
  const slots = shape.slotRow(0) * 4 * LANES;
  const constraints = shape.constraintRow(0) * 4 * LANES;
  const copyPose = (from: number, to: number): void => {
    heap.u8.copyWithin(to, from, from + slots);
    heap.u8.copyWithin(to + constraints, from + constraints, from + rows * 4 * LANES);
  };
  let time = 0;
  const copies = (): void => {
    for (let g = 0; g < sampled.length; g++) copyPose(sampled[g]!, pose);
  };
  const update = (): void => {
    time += DT;
    for (let g = 0; g < sampled.length; g++) {
      copyPose(sampled[g]!, pose);
      heap.u32[(pose >> 2) + HeaderRow.PHYSICS * LANES] = states[g]!;
      const times = ((pose >> 2) + HeaderRow.TIME * LANES) >> 1;
      heap.f64.fill(time, times, times + LANES);
      let at = rig2d.kernels.updateGroup(program.address, pose, spine.Physics.update, updateScratch());
      while (at < 0) {
        growScratch();
        at = rig2d.kernels.resumeGroup(program.address, pose, spine.Physics.update, updateScratch(), -at - 1);
      }
    }
  };
  return { update, copies };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function measure(rig: RigFile): Promise<Record<string, number>> {
  const own = sideOf(spine as unknown as Core, rig);
  const peer = sideOf(official, rig);
  const group = groupsOf(own.list as unknown as spine.Skeleton[]);
  const steps: Record<string, readonly [() => void, () => void]> = { world: [own.world, peer.world], one: [own.one, peer.one] };
  if (group !== undefined) {
    steps.group = [group.update, peer.world];
    steps.copies = [group.copies, group.copies];
  }
  for (let i = 0; i < 40; i++) for (const pair of Object.values(steps)) for (const work of pair) work();

  const times: Record<string, [number[], number[]]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const sums: Record<string, [number, number]> = {};
    for (let frame = 0; frame < FRAMES; frame++) {
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        for (const [name, pair] of Object.entries(steps)) (sums[name] ??= [0, 0])[side]! += timed(pair[side]!);
      }
    }
    for (const [name, [a, b]] of Object.entries(sums)) {
      (times[name] ??= [[], []])[0].push(a);
      times[name]![1].push(b);
    }
  }
  const us = (name: string, side: 0 | 1): number => (median(times[name]![side]) * 1000) / FRAMES / COUNT;
  const result: Record<string, number> = { bones: own.bones };
  result["x world"] = us("world", 1) / us("world", 0);
  result["x one"] = us("one", 1) / us("one", 0);
  result["us own"] = us("world", 0);
  if (group !== undefined) {
    // What resets the poses is no part of an update.
    const own = us("group", 0) - us("copies", 0);
    result["x group"] = us("group", 1) / own;
    result["us group"] = own;
  }
  result["us peer"] = us("world", 1);
  return result;
}

await eachRig(import.meta.url, realRigs, measure);
