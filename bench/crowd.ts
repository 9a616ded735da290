/**
 * How fast does a crowd pose, beside as many skeletons of the official runtime?
 *
 * 2,000 characters on phases of one clip, apply + world transforms, one thread. "hot" is the ratio to one official skeleton
 * that is posed 2,000 times, which stays in the processor's cache. "bytes each" is the linear memory of a character, its palette
 * row included.
 */
import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import { Crowd } from "../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../src/spine/index.js";
import { heap } from "../src/wasm/heap.js";
import { eachRig, liveliest, plainRigs, realRigs, type RigFile } from "./lib/rigs.js";
import { bytesPerWindow, race } from "./lib/race.js";

const COUNT = 2000;
const DT = 1 / 60;

async function measure(rig: RigFile): Promise<Record<string, number>> {
  const json = JSON.parse(readFileSync(rig.json, "utf8")) as object;
  const atlasText = readFileSync(rig.atlas, "utf8");
  const data = new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(atlasText))).readSkeletonData(json);
  const peerData = new official.SkeletonJson(new official.AtlasAttachmentLoader(new official.TextureAtlas(atlasText))).readSkeletonData(structuredClone(json));
  const animation = liveliest(data);
  const skin = data.skins.length > 1 ? data.skins[1]!.name : null;

  // A small crowd has compiled the animations and the skin.
  const small = new Crowd(data, { capacity: 1 });
  small.spawn({ animation, skin });
  small.update(DT);
  const before = heap.usedBytes;
  const crowd = new Crowd(data, { capacity: COUNT });
  for (let i = 0; i < COUNT; i++) crowd.spawn({ animation, time: i * 0.037, skin });
  crowd.update(DT);
  const bytes = heap.usedBytes - before;
  const stateData = new official.AnimationStateData(peerData);
  const peers = Array.from({ length: COUNT }, (_, i) => {
    const skeleton = new official.Skeleton(peerData);
    if (skin !== null) skeleton.setSkin(skin);
    skeleton.setupPose();
    const state = new official.AnimationState(stateData);
    state.setAnimation(0, animation, true).trackTime = i * 0.037;
    return { skeleton, state };
  });
  const pose = ({ skeleton, state }: (typeof peers)[number]): void => {
    state.update(DT);
    state.apply(skeleton);
    skeleton.update(DT);
    skeleton.updateWorldTransform(official.Physics.update);
  };
  const own = (): void => crowd.update(DT);
  const cold = await race(own, () => peers.forEach(pose), { time: 400 });
  const hot = await race(own, () => {
    for (let i = 0; i < COUNT; i++) pose(peers[0]!);
  }, { time: 400 });
  const reports = crowd.bake({ rate: 60, maxError: 0.01 * Math.max(data.width, data.height), animations: [animation] });
  const baked = await race(own, () => peers.forEach(pose), { time: 400 });
  crowd.unbake();
  return {
    bones: data.bones.length,
    "x crowd": cold.ratio,
    lowest: cold.lowest,
    hot: hot.ratio,
    "x baked": baked.ratio,
    "is baked": reports.every((report) => report.isBaked) ? 1 : 0,
    "bytes each": bytes / COUNT,
    "us each": (cold.ownMs * 1000) / COUNT,
    "ns a bone": (cold.ownMs * 1e6) / COUNT / data.bones.length,
    "bytes a window": process.argv.includes("--bytes") ? bytesPerWindow(own, 300) : 0,
  };
}

await eachRig(import.meta.url, () => (process.argv.includes("--plain") ? plainRigs() : realRigs()), measure);
