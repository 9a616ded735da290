import { readFileSync } from "node:fs";
import * as official from "@esotericsoftware/spine-core";
import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { AnimationState, AnimationStateData, AtlasAttachmentLoader, Physics, Skeleton, SkeletonBounds, SkeletonJson, TextureAtlas } from "../../src/spine/index.js";
import { builtIn, randoms, rigs } from "./rigs.js";

const KEYS = ["x", "y", "width", "height"] as const;

describe.each(rigs("bounds of characters of real exports"))("bounds of characters of $name", ({ data: load }) => {
  test.each([true, false])("are those of skeletons in the same situation: attachments, sequences and deforms of the moment, in any skin", (slots) => {
    const data = load();
    const names = data.animations.map(({ name }) => name);
    const random = randoms(12);
    const crowd = new Crowd(data, { slots, capacity: 4 });
    const members = Array.from({ length: 16 }, (_, i) => {
      const skin = data.skins[i % data.skins.length]!;
      const time = random() * 2;
      const x = i * 60 - 300;
      const id = crowd.spawn({ animation: names[i % names.length]!, time, x, skin });
      const skeleton = new Skeleton(data);
      skeleton.setSkin(skin);
      skeleton.setupPose();
      skeleton.x = x;
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, names[i % names.length]!, true).trackTime = time;
      return { id, skeleton, state };
    });
    const boxes = new SkeletonBounds();
    let seen = 0;
    for (let frame = 0; frame < 12; frame++) {
      if (frame === 4) {
        members.forEach(({ id, state }, i) => {
          crowd.play(id, names[(i + 1) % names.length]!, { mix: 0.2 });
          state.setAnimation(0, names[(i + 1) % names.length]!, true).mixDuration = 0.2;
        });
      }
      crowd.update(0.03);
      for (const { id, skeleton, state } of members) {
        state.update(0.03);
        state.apply(skeleton);
        skeleton.update(0.03);
        skeleton.updateWorldTransform(Physics.update);
        const box = crowd.bounds(id);
        const expected = skeleton.getBoundsRect();
        for (const key of KEYS) expect(Math.abs(box[key] - expected[key]) < 0.01 || box[key] === expected[key], `frame ${frame}, ${key}: ${box[key]}, ${expected[key]}`).toBe(true);
        if (expected.width < 0) continue;
        seen++;
        if (frame % 4 !== 0) continue;
        boxes.update(skeleton, true);
        for (let i = 0; i < 5; i++) {
          const x = expected.x + (random() * 1.4 - 0.2) * expected.width;
          const y = expected.y + (random() * 1.4 - 0.2) * expected.height;
          const isIn = boxes.boundingBoxes.length > 0
            ? boxes.containsPoint(x, y) !== null
            : x >= expected.x && y >= expected.y && x <= expected.x + expected.width && y <= expected.y + expected.height;
          expect(crowd.hitTest(x, y).includes(id), `frame ${frame}, ${x}, ${y}`).toBe(isIn);
        }
      }
    }
    expect(seen).toBeGreaterThan(20);
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });
});

/** A rig whose boxes are shown, hidden and deformed by animations; one shares its slot with nothing, one hangs on a bone that turns. */
function boxRig(): object {
  const box = (size: number): object => ({ type: "boundingbox", vertexCount: 4, vertices: [-size, -size, -size, size, size, size, size, -size] });
  return {
    skeleton: { spine: "4.3.0", hash: "x" },
    bones: [{ name: "root" }, { name: "arm", parent: "root", x: 40, rotation: 20 }],
    slots: [{ name: "body", bone: "root", attachment: "small" }, { name: "fist", bone: "arm" }],
    skins: [{ name: "default", attachments: { body: { small: box(10), large: box(30) }, fist: { fist: box(8) } } }],
    animations: {
      grow: { slots: { body: { attachment: [{ time: 0.2, name: "large" }, { time: 0.6, name: null }] } } },
      punch: {
        slots: { fist: { attachment: [{ time: 0.3, name: "fist" }, { time: 0.8, name: null }] } },
        bones: { arm: { rotate: [{ time: 0, value: 0 }, { time: 1, value: 90 }], translate: [{ time: 0 }, { time: 1, x: 50, y: 20 }] } },
      },
      swell: {
        slots: { fist: { attachment: [{ time: 0, name: "fist" }] } },
        attachments: { default: { fist: { fist: { deform: [{ time: 0 }, { time: 1, vertices: [-20, -20, -20, 20, 20, 20, 20, -20] }] } } } },
      },
    },
  };
}

test.each([true, false])("hit tests are those of the official runtime's bounding boxes, which clips show, hide, move and deform", (slots) => {
  const data = new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(""))).readSkeletonData(boxRig());
  const peerData = new official.SkeletonJson(new official.AtlasAttachmentLoader(new official.TextureAtlas(""))).readSkeletonData(boxRig());
  const random = randoms(4);
  const crowd = new Crowd(data, { slots });
  let hits = 0;
  const cases = [
    ["grow", null, null], ["punch", null, null], ["swell", null, null], ["grow", "punch", null], ["punch", "swell", null],
    ["swell", null, "punch"], ["punch", null, "swell"], ["swell", null, "swell"], ["grow", "swell", "punch"],
  ] as const;
  for (const [base, over, next] of cases) {
    for (const rate of [Infinity, 10]) {
      const id = crowd.spawn({ animation: base });
      if (rate !== Infinity) crowd.setUpdateRate(id, rate);
      if (over !== null) crowd.playOverlay(id, over);
      const skeleton = new official.Skeleton(peerData);
      const state = new official.AnimationState(new official.AnimationStateData(peerData));
      state.setAnimation(0, base, true);
      if (over !== null) state.setAnimation(1, over, true);
      const bounds = new official.SkeletonBounds();
      for (let frame = 0; frame < 24; frame++) {
        if (frame === 12 && next !== null) {
          crowd.play(id, next, { mix: 0.4 });
          state.setAnimation(0, next, true).mixDuration = 0.4;
        }
        crowd.update(0.05);
        state.update(0.05);
        // Every second frame is a pose of the slow one, from the first on.
        if (rate === Infinity || frame % 2 === 0) {
          state.apply(skeleton);
          skeleton.updateWorldTransform(official.Physics.update);
        }
        bounds.update(skeleton, true);
        for (let i = 0; i < 20; i++) {
          const x = random() * 160 - 50;
          const y = random() * 120 - 50;
          const isIn = bounds.containsPoint(x, y) !== null;
          if (isIn) hits++;
          expect(crowd.hitTest(x, y), `${base}, ${over}, ${next}, rate ${rate}, frame ${frame}, ${x}, ${y}`).toEqual(isIn ? [id] : []);
        }
      }
      crowd.despawn(id);
    }
  }
  expect(hits).toBeGreaterThan(300);
  crowd.dispose();
});

test("characters that are hidden or were not posed yet have no bounds and are not hit, with and without slot states", () => {
  const data = builtIn();
  for (const slots of [true, false]) {
    const crowd = new Crowd(data, { slots });
    const id = crowd.spawn({ animation: "walk", x: 500 });
    const isNowhere = (): void => {
      expect(crowd.bounds(id)).toMatchObject({ width: -Infinity, height: -Infinity });
      expect([...crowd.hitTest(0, 0), ...crowd.hitTest(500, 100)]).toEqual([]);
    };
    isNowhere();
    crowd.update(0.1);
    const { x, y, width, height } = crowd.bounds(id);
    expect([x < 500, y < 100, width > 50, height > 100]).toEqual([true, true, true, true]);
    crowd.setVisible(id, false);
    crowd.update(0.1);
    isNowhere();
    crowd.setVisible(id, true);
    isNowhere();
    crowd.update(0);
    expect(crowd.bounds(id).width).toBeGreaterThan(50);
    crowd.dispose();
  }
});

test("the official runtime finds the same bounds of the built-in character", () => {
  const folder = "examples/assets/fennel";
  const atlasText = readFileSync(`${folder}/fennel.atlas`, "utf8");
  const json = JSON.parse(readFileSync(`${folder}/fennel.json`, "utf8")) as object;
  const atlas = new official.TextureAtlas(atlasText);
  const peerData = new official.SkeletonJson(new official.AtlasAttachmentLoader(atlas)).readSkeletonData(json);
  const data = builtIn();
  const crowd = new Crowd(data, { slots: true });
  for (const { name } of data.animations) {
    const id = crowd.spawn({ animation: name });
    const skeleton = new official.Skeleton(peerData);
    const state = new official.AnimationState(new official.AnimationStateData(peerData));
    state.setAnimation(0, name, true);
    for (let frame = 0; frame < 30; frame++) {
      crowd.update(1 / 30);
      state.update(1 / 30);
      state.apply(skeleton);
      skeleton.update(1 / 30);
      skeleton.updateWorldTransform(official.Physics.update);
      const box = crowd.bounds(id);
      const expected = skeleton.getBoundsRect();
      for (const key of KEYS) expect(Math.abs(box[key] - expected[key]), `${name}, frame ${frame}, ${key}`).toBeLessThan(0.02);
    }
    crowd.despawn(id);
  }
  crowd.dispose();
});
