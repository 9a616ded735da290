import { describe, expect, test } from "vitest";
import * as official from "@esotericsoftware/spine-core";
import { Crowd, CrowdVertices } from "../../src/crowd/index.js";
import {
  AnimationState, AnimationStateData, AtlasAttachmentLoader, FakeTexture, Physics, Skeleton, SkeletonJson, type SkeletonData, TextureAtlas,
} from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { corners, difference, shownByCrowd, shownBySkeleton, takeMatrices } from "./shown.js";

const DT = 1 / 60;

const ATLAS = `page.png
size: 64, 64
filter: Linear, Linear
a
bounds: 0, 0, 16, 16
b
bounds: 16, 0, 16, 16
c
bounds: 32, 0, 16, 16
m
bounds: 0, 16, 32, 32
`;

/**
 * A rig whose sliders key everything that is not a number: attachments, a sequence, a mesh's deform, draw order, colours, and the
 * attachment and deform of a path that bones follow. One slider has a keyed time, one is driven by a bone, one adds.
 */
function json(): object {
  const square = [-8, -8, -8, 8, 8, 8, 8, -8];
  const mesh = { type: "mesh", uvs: [0, 1, 0, 0, 1, 0, 1, 1], triangles: [0, 1, 2, 2, 3, 0], vertices: square, hull: 4, width: 16, height: 16 };
  const path = (height: number): object => ({
    type: "path", vertexCount: 6, lengths: [100, 200],
    vertices: [-30, 0, 0, 0, 30, height, 70, height, 100, 0, 130, 0],
  });
  return {
    skeleton: { spine: "4.3.0", hash: "x" },
    bones: [{ name: "root" }, { name: "dial", parent: "root" }, { name: "rail", parent: "root", y: 50 }, { name: "walker", parent: "root" }, { name: "tip", parent: "walker", x: 10 }],
    slots: [
      { name: "one", bone: "root", attachment: "a" }, { name: "two", bone: "tip", attachment: "b" }, { name: "three", bone: "dial", attachment: "m" },
      { name: "way", bone: "rail", attachment: "flat" }, { name: "four", bone: "walker", attachment: "c" },
    ],
    constraints: [
      { type: "slider", name: "keyed", animation: "change" },
      { type: "slider", name: "driven", animation: "bend", bone: "dial", property: "rotate", from: 0, to: 0, scale: 0.01, loop: true },
      { type: "slider", name: "added", animation: "swell", additive: true, mix: 0.5 },
      { type: "path", name: "follow", slot: "way", bones: ["walker"], position: 0.3 },
    ],
    skins: [{ name: "default", attachments: {
      one: { a: { width: 16, height: 16 }, b: { width: 16, height: 16 } }, two: { b: { width: 16, height: 16 }, c: { width: 16, height: 16 } },
      three: { m: mesh }, four: { c: { width: 16, height: 16 } }, way: { flat: path(0), steep: path(90) },
    } }],
    animations: {
      change: {
        slots: {
          one: { attachment: [{ time: 0, name: "a" }, { time: 0.5, name: "b" }, { time: 1, name: null }], rgba: [{ time: 0, color: "ffffffff" }, { time: 1, color: "80ff40c0" }] },
          way: { attachment: [{ time: 0.4, name: "steep" }, { time: 0.9, name: "flat" }] },
        },
        drawOrder: [{ time: 0.25 }, { time: 0.6, offsets: [{ slot: "one", offset: 3 }] }],
        bones: { tip: { rotate: [{ value: 0 }, { time: 1, value: 40 }] } },
      },
      bend: {
        attachments: { default: {
          three: { m: { deform: [{ time: 0.1 }, { time: 0.6, vertices: [0, 0, -5, 9, 4, 3, 2, -6] }, { time: 1, vertices: [3, 3, 3, 3, 3, 3, 3, 3] }] } },
          way: { flat: { deform: [{ time: 0 }, { time: 1, offset: 4, vertices: [0, 60, 0, 60] }] } },
        } },
      },
      swell: { attachments: { default: { three: { m: { deform: [{ time: 0, vertices: [-4, -4, -4, 4, 4, 4, 4, -4] }] } } } } },
      walk: {
        bones: { dial: { rotate: [{ value: 0 }, { time: 1, value: 100 }, { time: 2, value: 260 }] }, walker: { rotate: [{ value: 0 }, { time: 2, value: 90 }] } },
        slider: { keyed: { time: [{ value: 0 }, { time: 2, value: 1.2 }], mix: [{ value: 1 }, { time: 1.8, value: 0.4 }, { time: 1.9, value: 0 }] } },
        path: { follow: { position: [{ value: 0 }, { time: 2, value: 1 }] } },
      },
      other: {
        slots: { one: { attachment: [{ time: 0, name: "b" }] }, two: { attachment: [{ time: 0.3, name: "c" }] } },
        bones: { dial: { rotate: [{ value: 30 }] } },
        attachments: { default: { three: { m: { deform: [{ time: 0, vertices: [1, 2, 3, 4, 5, 6, 7, 8] }, { time: 1, vertices: [9, 2, -3, 4, 0, 6, 7, -8] }] } } } },
      },
    },
  };
}

function load(): SkeletonData {
  const atlas = new TextureAtlas(ATLAS);
  for (const page of atlas.pages) page.setTexture(new FakeTexture({}));
  return new SkeletonJson(new AtlasAttachmentLoader(atlas)).readSkeletonData(json());
}

interface Official {
  skeleton: official.Skeleton;
  state: official.AnimationState;
}

function makeOfficial(): { data: official.SkeletonData; make: () => Official } {
  const atlas = new official.TextureAtlas(ATLAS);
  for (const page of atlas.pages) page.setTexture(new official.FakeTexture({} as never));
  const data = new official.SkeletonJson(new official.AtlasAttachmentLoader(atlas)).readSkeletonData(json());
  return {
    data,
    make: () => {
      const skeleton = new official.Skeleton(data);
      skeleton.setupPose();
      return { skeleton, state: new official.AnimationState(new official.AnimationStateData(data)) };
    },
  };
}

describe("sliders in crowds that key more than numbers", () => {
  test("act as on a Skeleton and in the official runtime: attachments, colours, draw order, deforms, paths", { timeout: 60_000 }, () => {
    const data = load();
    const peer = makeOfficial();
    const crowd = new Crowd(data, { slots: true });
    const vertices = new CrowdVertices(crowd);
    const seen = { orders: new Set<string>(), drawables: new Set<string>(), deforms: 0 };
    const members = Array.from({ length: 23 }, (_, i) => {
      const time = (i * 0.37) % 2;
      const animation = i % 5 === 4 ? "other" : "walk";
      const skeleton = new Skeleton(data);
      skeleton.setupPose();
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, animation, true).trackTime = time;
      const own = peer.make();
      own.state.setAnimation(0, animation, true).trackTime = time;
      return { id: crowd.spawn({ animation, time }), skeleton, state, official: own, i };
    });
    for (let frame = 0; frame < 60; frame++) {
      for (const { id, state, official: own, i } of members) {
        if (frame === 10 && i % 4 === 1) {
          crowd.play(id, "other", { mix: 0.2 });
          state.setAnimation(0, "other", true).mixDuration = 0.2;
          own.state.setAnimation(0, "other", true).mixDuration = 0.2;
        } else if (frame === 5 && i % 4 === 2) {
          crowd.playOverlay(id, "other", { alpha: 0.5 });
          state.setAnimation(1, "other", true).alpha = 0.5;
          own.state.setAnimation(1, "other", true).alpha = 0.5;
        }
      }
      crowd.update(DT);
      vertices.compute(members.map(({ id }) => crowd.row(id)));
      members.forEach(({ id, skeleton, state, official: own, i }, k) => {
        state.update(DT);
        state.apply(skeleton);
        skeleton.update(DT);
        skeleton.updateWorldTransform(Physics.update);
        own.state.update(DT);
        own.state.apply(own.skeleton);
        own.skeleton.update(DT);
        own.skeleton.updateWorldTransform(official.Physics.update);
        expect(distance(crowd, id, skeleton), `frame ${frame} of ${i}`).toBeLessThan(2e-4);
        const row = crowd.row(id) * data.slots.length * 3;
        const { slots } = crowd;
        const order: string[] = [];
        skeleton.drawOrder.appliedPose.forEach((slot, place) => {
          const shown = slots[row + slot.data.index * 3 + 2]! & 0xffff;
          const name = shown === 0 ? null : crowd.drawables[shown - 1]!.attachment.name;
          const peerSlot = own.skeleton.slots[slot.data.index]!;
          if (slot.data.name !== "way") expect(name).toBe(slot.appliedPose.attachment?.name ?? null);
          expect(slot.appliedPose.attachment?.name ?? null).toBe(peerSlot.appliedPose.attachment?.name ?? null);
          expect(slots[row + place * 3 + 2]! >>> 16).toBe(slot.data.index);
          expect(own.skeleton.drawOrder.appliedPose[place]!.data.name).toBe(slot.data.name);
          const light = slots[row + slot.data.index * 3]!;
          expect(Math.abs((light & 255) - peerSlot.appliedPose.color.r * 255)).toBeLessThan(1);
          expect(Math.abs((light >>> 24) - peerSlot.appliedPose.color.a * 255)).toBeLessThan(1);
          expect(difference([...slot.appliedPose.deform], [...peerSlot.appliedPose.deform])).toBeLessThan(1e-3);
          if (slot.appliedPose.deform.length > 0) seen.deforms++;
          seen.drawables.add(`${slot.data.name} ${name}`);
          order.push(slot.data.name);
        });
        seen.orders.add(order.join());
        takeMatrices(skeleton, crowd, crowd.row(id));
        const expected = corners(shownBySkeleton(skeleton, () => "page.png"));
        const shown = corners(shownByCrowd(vertices, k));
        expect(difference(shown.positions, expected.positions), `frame ${frame} of ${i}`).toBeLessThan(2e-3);
        expect(difference(shown.uvs, expected.uvs)).toBeLessThan(1e-5);
      });
    }
    // The scene has what it is about.
    expect(seen.orders.size).toBe(2);
    expect(seen.deforms).toBeGreaterThan(500);
    for (const shown of ["one a", "one b", "one null", "two c"]) expect(seen.drawables).toContain(shown);
    for (const { skeleton } of members) skeleton.dispose();
    vertices.dispose();
    crowd.dispose();
  });

  test("are not lost when clips are baked, characters move to other rows, or a crowd is restored", () => {
    const data = load();
    const make = (): Crowd => {
      const crowd = new Crowd(data, { slots: true });
      for (let i = 0; i < 9; i++) crowd.spawn({ animation: "walk", time: i * 0.2 });
      return crowd;
    };
    const exact = make();
    const baked = make();
    baked.bake({ maxError: 1000 });
    for (let frame = 0; frame < 20; frame++) {
      exact.update(DT);
      baked.update(DT);
      expect(baked.slots).toEqual(exact.slots);
    }
    baked.unbake();
    const vertices = new CrowdVertices(exact);
    const others = new CrowdVertices(baked);
    const positions = (of: CrowdVertices): number[] => {
      of.compute();
      return [...of.positions.subarray(0, of.vertexCount * 2)];
    };
    const snapshot = exact.snapshot();
    baked.restore(snapshot);
    expect(positions(others)).toEqual(positions(vertices));
    // Who moves to another row takes what sliders did along.
    const last = exact.idAt(exact.count - 1);
    vertices.compute([exact.count - 1]);
    const before = [...vertices.positions.subarray(0, vertices.vertexCount * 2)];
    exact.despawn(exact.idAt(0));
    vertices.compute([exact.row(last)]);
    expect([...vertices.positions.subarray(0, vertices.vertexCount * 2)]).toEqual(before);
    vertices.dispose();
    others.dispose();
    exact.dispose();
    baked.dispose();
  });
});
