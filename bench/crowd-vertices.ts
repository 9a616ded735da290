/**
 * How fast are the finished vertices of a crowd made, beside the official runtime?
 *
 * 1,000 characters, posed once; only vertices are timed. "positions" is the ratio to `computeWorldVertices` of all that as many
 * official skeletons show, which is less work: positions only, no clipping. "all" is the ratio to the official renderer's core,
 * which makes the same as CrowdVertices: positions, texture coordinates, two colours and indices, clipped.
 */
import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import { Crowd, CrowdVertices } from "../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../src/spine/index.js";
import { eachRig, liveliest, realRigs, type RigFile } from "./lib/rigs.js";
import { race } from "./lib/race.js";

const COUNT = 1000;
const DT = 1 / 60;

async function measure(rig: RigFile): Promise<Record<string, number>> {
  const json = JSON.parse(readFileSync(rig.json, "utf8")) as object;
  const atlasText = readFileSync(rig.atlas, "utf8");
  const data = new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(atlasText))).readSkeletonData(json);
  const peerAtlas = new official.TextureAtlas(atlasText);
  for (const page of peerAtlas.pages) page.setTexture(new official.FakeTexture({} as never));
  const peerData = new official.SkeletonJson(new official.AtlasAttachmentLoader(peerAtlas)).readSkeletonData(structuredClone(json));
  const animation = liveliest(data);
  const skin = data.skins.length > 1 ? data.skins[1]!.name : null;

  const crowd = new Crowd(data, { capacity: COUNT, slots: true });
  for (let i = 0; i < COUNT; i++) crowd.spawn({ animation, time: i * 0.037, skin });
  crowd.update(DT);
  const vertices = new CrowdVertices(crowd);
  const stateData = new official.AnimationStateData(peerData);
  const peers = Array.from({ length: COUNT }, (_, i) => {
    const skeleton = new official.Skeleton(peerData);
    if (skin !== null) skeleton.setSkin(skin);
    skeleton.setupPose();
    const state = new official.AnimationState(stateData);
    state.setAnimation(0, animation, true).trackTime = i * 0.037;
    state.update(DT);
    state.apply(skeleton);
    skeleton.update(DT);
    skeleton.updateWorldTransform(official.Physics.update);
    return skeleton;
  });
  const buffer = new Float32Array(1 << 16);
  const positions = (): void => {
    for (const skeleton of peers) {
      let at = 0;
      for (const slot of skeleton.drawOrder.appliedPose) {
        const { attachment } = slot.appliedPose;
        if (!slot.bone.active) continue;
        if (attachment instanceof official.RegionAttachment) {
          attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), buffer, at, 2);
          at += 8;
        } else if (attachment instanceof official.MeshAttachment) {
          attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, buffer, at, 2);
          at += attachment.worldVerticesLength;
        }
      }
    }
  };
  const core = new official.SkeletonRendererCore();
  const all = (): void => {
    for (const skeleton of peers) core.render(skeleton, false);
  };
  const own = (): void => void vertices.compute();
  const first = await race(own, positions, { time: 250 });
  const second = await race(own, all, { time: 250 });
  const count = vertices.vertexCount / COUNT;
  return {
    vertices: count, "x positions": first.ratio, "x all": second.ratio, lowest: second.lowest, "us each": (second.ownMs * 1000) / COUNT,
    "ns a vertex": (second.ownMs * 1e6) / COUNT / count,
  };
}

await eachRig(import.meta.url, realRigs, measure);
