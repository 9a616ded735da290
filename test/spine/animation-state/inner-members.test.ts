import * as official from "@esotericsoftware/spine-core";
import { expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";

const text = JSON.stringify({
  skeleton: { spine: "4.3.00" }, bones: [{ name: "root" }], slots: [{ name: "slot", bone: "root" }],
  skins: [{ name: "default", attachments: { slot: { box: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 1, 0, 0, 1] } } } }],
  animations: { a: { slots: { slot: { attachment: [{ name: "box" }] } } }, b: { bones: { root: { rotate: [{ time: 1, value: 9 }] } } } },
});

/** What a program sees that builds its own entries, as schedulers over AnimationState do. */
function entriesByHand(core: typeof official): unknown[] {
  const data = new core.SkeletonJson(new core.AtlasAttachmentLoader(new core.TextureAtlas(""))).readSkeletonData(text);
  const mixes = new core.AnimationStateData(data);
  mixes.defaultMix = 0.25;
  const state = new core.AnimationState(mixes), skeleton = new core.Skeleton(data);
  const heard: string[] = [];
  state.addListener({ start: (entry) => heard.push(`start ${entry.animation!.name}`), interrupt: (entry) => heard.push(`interrupt ${entry.animation!.name}`) });
  const seen: unknown[] = [state.expandToIndex(2), state.tracks.length, state.events.length];
  const first = state.trackEntry(2, data.findAnimation("a")!, true, null);
  state.setTrack(2, first, true);
  const second = state.trackEntry(2, data.findAnimation("b")!, false, first);
  state.setTrack(2, second, false);
  seen.push(first.mixDuration, second.mixDuration, second.loop, second.mixingFrom === first, state.expandToIndex(2) === second);
  state.update(0.1);
  state.apply(skeleton);
  seen.push(heard.join(", "));
  const timeline = data.findAnimation("a")!.timelines[0] as official.AttachmentTimeline, { pose } = skeleton.slots[0]!;
  timeline.setAttachment(skeleton, pose, null);
  seen.push(pose.attachment);
  timeline.setAttachment(skeleton, pose, "box");
  seen.push(pose.attachment?.name);
  const spare = state.trackEntryPool.obtain();
  seen.push(spare.animation ?? null);
  return seen;
}

it("entries made and set by hand behave as in the official runtime", () => {
  const ours = entriesByHand(spine as unknown as typeof official);
  expect(ours).toEqual(entriesByHand(official));
  expect(ours).toContain("start a, start b");
});
