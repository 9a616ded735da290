/**
 * How fast are `AnimationState.update` and `apply`, beside the official runtime?
 *
 * 50 states with a skeleton each, on phases of their clips: one track; two tracks; three entries of one track that are mixed
 * (two cross-fades run at once). No world transforms. Ratios are medians of interleaved rounds; every rig in a process of its own.
 * Also what 10,000 frames of one state leave behind on the heap.
 */
import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import * as spine from "../src/spine/index.js";
import { eachRig, realRigs, type RigFile } from "./lib/rigs.js";
import { bytesPerWindow, race } from "./lib/race.js";

const COUNT = 50;
const DT = 1 / 60;
const CLIPS: Record<string, [string, string, string]> = {
  "spineboy-pro": ["walk", "run", "shoot"],
  "raptor-pro": ["walk", "roar", "gun-grab"],
  fennel: ["walk", "run", "wave"],
};

type Core = typeof official;

interface Side {
  frame(): void;
  one(): void;
  sum(): number;
}

function sideOf(core: Core, rig: RigFile, setUp: (state: official.AnimationState, skeleton: official.Skeleton, phase: number) => void): Side {
  const loader = new core.AtlasAttachmentLoader(new core.TextureAtlas(readFileSync(rig.atlas, "utf8")));
  const data = new core.SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(rig.json, "utf8")));
  const stateData = new core.AnimationStateData(data);
  const list = Array.from({ length: COUNT }, (_, i) => {
    const skeleton = new core.Skeleton(data);
    skeleton.setupPose();
    const state = new core.AnimationState(stateData);
    setUp(state, skeleton, i * 0.037);
    return { state, skeleton };
  });
  const step = ({ state, skeleton }: (typeof list)[number]): void => {
    state.update(DT);
    state.apply(skeleton);
  };
  return {
    frame: () => {
      for (let i = 0; i < COUNT; i++) step(list[i]!);
    },
    one: () => step(list[0]!),
    sum: () => list.reduce((total, { skeleton }) => total + skeleton.bones.reduce((sum, bone) => sum + Math.abs(bone.pose.rotation) + Math.abs(bone.pose.x), 0), 0),
  };
}

function cases([a, b, c]: [string, string, string]): Record<string, (state: official.AnimationState, skeleton: official.Skeleton, phase: number) => void> {
  return {
    "1 track": (state, _skeleton, phase) => {
      state.setAnimation(0, a, true).trackTime = phase;
    },
    "2 tracks": (state, _skeleton, phase) => {
      state.setAnimation(0, a, true).trackTime = phase;
      state.setAnimation(1, c, true).trackTime = phase * 2;
    },
    "3-deep mix": (state, skeleton, phase) => {
      for (const [i, name] of [a, b, c].entries()) {
        const entry = state.setAnimation(0, name, true);
        entry.trackTime = phase * (i + 1);
        if (i > 0) {
          // So long that the mix runs all through the race.
          entry.mixDuration = 1e9;
          entry.mixTime = 4e8;
        }
        state.update(0);
        state.apply(skeleton);
      }
    },
  };
}

async function measure(rig: RigFile): Promise<Record<string, number>> {
  const row: Record<string, number> = {};
  for (const [name, setUp] of Object.entries(cases(CLIPS[rig.name]!))) {
    const own = sideOf(spine as unknown as Core, rig, setUp);
    const peer = sideOf(official, rig, setUp);
    for (let i = 0; i < 30; i++) {
      own.frame();
      peer.frame();
    }
    if (Math.abs(own.sum() - peer.sum()) > 1e-3 * Math.abs(peer.sum())) throw new Error(`${rig.name}, ${name}: the poses differ: ${own.sum()} ${peer.sum()}`);
    const result = await race(own.frame, peer.frame, { time: 300, rounds: 7 });
    row[`x ${name}`] = result.ratio;
    row[`${name} us`] = (result.ownMs * 1000) / COUNT;
    row[`${name} bytes`] = bytesPerWindow(own.one);
  }
  return row;
}

await eachRig(import.meta.url, () => realRigs().filter((rig) => rig.name in CLIPS), measure);
