import { describe, expect, test } from "vitest";
import { Crowd, CrowdVertices } from "../../src/crowd/index.js";
import {
  AnimationState, AnimationStateData, BlendMode, ClippingAttachment, Physics, Skeleton,
} from "../../src/spine/index.js";
import { builtIn, randoms, rigs } from "./rigs.js";
import { addTextures, corners, difference, shownByCrowd, shownBySkeleton, takeMatrices, withoutInvisible } from "./shown.js";

const DT = 1 / 60;

interface Member {
  id: number;
  skeleton: Skeleton;
  state: AnimationState;
}

function spawn(crowd: Crowd, animation: string, time: number, skin: string | null, place: { x: number; y: number; scaleX: number }): Member {
  const skeleton = new Skeleton(crowd.data);
  if (skin !== null) skeleton.setSkin(skin);
  skeleton.setupPose();
  skeleton.setPosition(place.x, place.y);
  skeleton.scaleX = place.scaleX;
  const state = new AnimationState(new AnimationStateData(crowd.data));
  state.setAnimation(0, animation, true).trackTime = time;
  return { id: crowd.spawn({ animation, time, skin, ...place }), skeleton, state };
}

function step({ skeleton, state }: Member): void {
  state.update(DT);
  state.apply(skeleton);
  skeleton.update(DT);
  skeleton.updateWorldTransform(Physics.update);
}

/** Compares what a crowd draws with what as many skeletons do. */
function expectSame(crowd: Crowd, vertices: CrowdVertices, members: readonly Member[], pageOf: (texture: unknown) => string, premultiplied = false): number {
  const rows = members.map(({ id }) => crowd.row(id));
  vertices.compute(rows);
  let triangles = 0;
  members.forEach(({ skeleton }, k) => {
    takeMatrices(skeleton, crowd, rows[k]!);
    const drawn = shownByCrowd(vertices, k);
    const everything = shownBySkeleton(skeleton, pageOf, premultiplied);
    const expected = corners(everything, withoutInvisible(everything, drawn));
    const shown = corners(drawn);
    expect(shown.indices.length).toBe(expected.indices.length);
    expect(shown.pages).toEqual(expected.pages);
    const size = Math.max(1, ...expected.positions.map(Math.abs));
    const error = difference(shown.positions, expected.positions) / size;
    if (!(error < 1e-5)) throw new Error(`${error} ${k} ${shown.positions.findIndex((v, i) => Math.abs(v - expected.positions[i]!) > 1)} ${members[k]!.state.tracks.map((e) => [e?.animation?.name, e?.mixingFrom?.animation?.name, e?.mixTime, e?.mixDuration])}`);
    expect(difference(shown.uvs, expected.uvs)).toBeLessThan(1e-4);
    expect(difference(shown.light, expected.light)).toBeLessThanOrEqual(2);
    const darks = (list: readonly number[]): number[] => list.filter((_, i) => i % 4 !== 3);
    expect(difference(darks(shown.dark), darks(expected.dark))).toBeLessThanOrEqual(2);
    triangles += shown.indices.length / 3;
  });
  return triangles;
}

describe.each(rigs("vertices of crowds of real exports"))("vertices of $name", ({ data: load }) => {
  test("are those of skeletons: attachments, deforms, clips, draw orders, colours, fades and overlays", { timeout: 240_000 }, () => {
    const data = load();
    const pageOf = addTextures(data);
    const random = randoms(7);
    const names = data.animations.map((animation) => animation.name);
    const pick = (): string => names[Math.floor(random() * names.length)]!;
    const skins = data.skins.length > 1 ? data.skins.slice(1).map((skin) => skin.name) : [null];
    const crowd = new Crowd(data, { slots: true });
    const members = Array.from({ length: 30 }, (_, i) => ({
      ...spawn(crowd, pick(), random() * 2, skins[i % skins.length]!, { x: i * 30, y: (i % 4) * 10, scaleX: i % 3 === 1 ? -1 : 1 }),
      kind: i % 3, at: 1 + (i % 4),
    }));
    for (const { id, skeleton, kind } of members) {
      if (kind !== 2) continue;
      crowd.setTint(id, 1, 0.5, 0.25, 0.75);
      skeleton.color.set(1, 0.5, 0.25, 0.75);
    }
    const vertices = new CrowdVertices(crowd);
    let triangles = 0;
    for (let frame = 0; frame < 10; frame++) {
      for (const { id, state, kind, at } of members) {
        if (kind === 0 && at === frame) {
          const next = pick();
          crowd.play(id, next, { mix: 0.1 });
          state.setAnimation(0, next, true).mixDuration = 0.1;
        } else if (kind === 1 && frame === 2) {
          const over = pick();
          crowd.playOverlay(id, over, { alpha: 0.6 });
          state.setAnimation(1, over, true).alpha = 0.6;
        }
      }
      crowd.update(DT);
      for (const member of members) step(member);
      if (frame % 3 === 0) triangles += expectSame(crowd, vertices, members, pageOf);
    }
    expect(triangles).toBeGreaterThan(0);
    for (const { skeleton } of members) skeleton.dispose();
    vertices.dispose();
    crowd.dispose();
  });
});

describe("vertices of a crowd", () => {
  test("are clipped by polygons of any shape, deformed ones and inverse ones too", () => {
    const shapes: [string, number[], Partial<ClippingAttachment>][] = [
      ["convex", [-200, 100, 0, 500, 200, 100], {}],
      ["concave", [-300, 0, -300, 600, 0, 250, 300, 600, 300, 0], {}],
      ["hull", [-300, 0, -300, 600, 0, 250, 300, 600, 300, 0], { convex: true }],
      ["inverse", [-150, 100, -150, 400, 0, 250, 150, 400, 150, 100], { inverse: true }],
      ["spiral", [-250, 0, -250, 550, 250, 550, 250, 100, -100, 100, -100, 400, 120, 400, 120, 250, 0, 250, 0, 320, -40, 320, -40, 180, 180, 180, 180, 480, -180, 480, -180, 0], {}],
      ["too small", [0, 0, 10, 10], {}],
    ];
    for (const [name, vertices, settings] of shapes) {
      const data = builtIn();
      const pageOf = addTextures(data);
      const clip = Object.assign(new ClippingAttachment(name), settings);
      clip.vertices = vertices;
      clip.worldVerticesLength = vertices.length;
      // The first slot clips everything but what is behind the end slot.
      const first = data.slots[0]!;
      clip.endSlot = data.slots[data.slots.length - 3]!;
      data.defaultSkin!.setAttachment(0, "clip", clip);
      first.attachmentName = "clip";
      const crowd = new Crowd(data, { slots: true });
      const members = Array.from({ length: 6 }, (_, i) => spawn(crowd, "run", i * 0.13, data.skins[1]!.name, { x: i * 40, y: 0, scaleX: i % 2 === 0 ? 1 : -1 }));
      const vertices0 = new CrowdVertices(crowd);
      crowd.update(DT);
      for (const member of members) step(member);
      const triangles = expectSame(crowd, vertices0, members, pageOf);
      expect(triangles, name).toBeGreaterThan(10);
      vertices0.dispose();
      crowd.dispose();
      for (const { skeleton } of members) skeleton.dispose();
    }
  });

  test("come in one range per page and blend mode, in the order that was asked for", () => {
    const data = builtIn();
    const pageOf = addTextures(data);
    const crowd = new Crowd(data, { slots: true });
    const members = Array.from({ length: 3 }, (_, i) => spawn(crowd, "walk", i * 0.2, data.skins[1]!.name, { x: i * 300, y: 0, scaleX: 1 }));
    crowd.update(DT);
    for (const member of members) step(member);
    const vertices = new CrowdVertices(crowd);
    vertices.compute();
    expect(vertices.rangeCount).toBe(1);
    expect([...vertices.ranges.subarray(0, 4)]).toEqual([0, BlendMode.Normal, 0, vertices.indexCount]);
    expect(vertices.pages).toHaveLength(1);
    expect(vertices.characterCount).toBe(3);
    expect([...vertices.starts.subarray(6, 8)]).toEqual([vertices.vertexCount, vertices.indexCount]);
    const forwards = shownByCrowd(vertices, 0);
    vertices.compute([crowd.row(members[2]!.id), crowd.row(members[0]!.id)]);
    expect(vertices.characterCount).toBe(2);
    expect(shownByCrowd(vertices, 1)).toEqual(forwards);
    expectSame(crowd, vertices, [members[2]!, members[0]!], pageOf);
    vertices.dispose();
    crowd.dispose();

    // A slot that is drawn additively in the middle splits the range of each character.
    const blended = builtIn();
    addTextures(blended);
    blended.slots[Math.floor(blended.slots.length / 2)]!.blendMode = BlendMode.Additive;
    const other = new Crowd(blended, { slots: true });
    other.spawn({ animation: "walk", skin: blended.skins[1]!.name });
    other.update(DT);
    const split = new CrowdVertices(other);
    split.compute();
    const modes = Array.from({ length: split.rangeCount }, (_, i) => split.ranges[i * 4 + 1]!);
    expect(modes).toEqual([BlendMode.Normal, BlendMode.Additive, BlendMode.Normal]);
    let next = 0;
    for (let i = 0; i < split.rangeCount; i++) {
      expect(split.ranges[i * 4 + 2]).toBe(next);
      next += split.ranges[i * 4 + 3]!;
    }
    expect(next).toBe(split.indexCount);
    split.dispose();
    other.dispose();
    for (const { skeleton } of members) skeleton.dispose();
  });

  test("have premultiplied colours on demand", () => {
    const data = builtIn();
    const pageOf = addTextures(data);
    const crowd = new Crowd(data, { slots: true });
    const member = spawn(crowd, "idle", 0.3, data.skins[1]!.name, { x: 0, y: 0, scaleX: 1 });
    crowd.setTint(member.id, 0.5, 1, 0.75, 0.5);
    member.skeleton.color.set(0.5, 1, 0.75, 0.5);
    crowd.update(DT);
    step(member);
    const vertices = new CrowdVertices(crowd, { premultiplied: true });
    expectSame(crowd, vertices, [member], pageOf, true);
    expect([...vertices.dark.subarray(0, vertices.vertexCount)].every((word) => word >>> 24 === 255)).toBe(true);
    expect([...vertices.light.subarray(0, vertices.vertexCount)].some((word) => word >>> 24 !== 255)).toBe(true);
    vertices.dispose();
    crowd.dispose();
    member.skeleton.dispose();
  });

  test("leave out the hidden, and nobody is nothing", () => {
    const data = builtIn();
    const crowd = new Crowd(data, { slots: true });
    const vertices = new CrowdVertices(crowd);
    expect(vertices.compute()).toBe(0);
    expect(vertices.characterCount).toBe(0);
    const ids = [crowd.spawn({ animation: "walk" }), crowd.spawn({ animation: "walk", skin: data.skins[1]!.name })];
    crowd.setVisible(ids[0]!, false);
    crowd.update(DT);
    expect(vertices.compute()).toBeGreaterThan(20);
    expect([...vertices.starts.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
    expect(Math.max(...vertices.indices.subarray(0, vertices.indexCount))).toBe(vertices.vertexCount - 1);
    vertices.dispose();
    vertices.dispose();
    expect(() => vertices.compute()).toThrow(/dispose/);
    expect(() => vertices.positions).toThrow(/dispose/);
    crowd.dispose();
  });

  test("cannot be had of rows that do not exist or of a crowd without slot states", () => {
    const crowd = new Crowd(builtIn(), { slots: true });
    crowd.spawn({ animation: "walk" });
    crowd.update(DT);
    const vertices = new CrowdVertices(crowd);
    for (const row of [-1, 1, 0.5, NaN]) expect(() => vertices.compute([row])).toThrow(/rows\[0\]/);
    vertices.dispose();
    crowd.dispose();
    const plain = new Crowd(builtIn());
    expect(() => new CrowdVertices(plain)).toThrow(/slots: true/);
    plain.dispose();
    expect(() => new CrowdVertices(null as never)).toThrow(/crowd whose vertices are wanted is null/);
  });
});
