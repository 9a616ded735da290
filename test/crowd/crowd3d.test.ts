import { describe, expect, it } from "vitest";
import { AnimClip, AnimPlayer, AnimPose, AnimSkeleton } from "../../src/anim/index.js";
import { Crowd3D } from "../../src/crowd/crowd3d.js";
import { CrowdFullError, StaleIdError } from "../../src/crowd/errors.js";
import { heap } from "../../src/wasm/heap.js";
import { seeded } from "../anim/rig/golden.js";
import { BONES, paletteOf, rig } from "./crowd3d-rig.js";

function expectRow(crowd: Crowd3D, id: number, want: readonly number[], label = ""): void {
  const row = crowd.row(id), got = crowd.palette;
  want.forEach((value, i) => {
    const is = got[row * crowd.jointCount * 12 + i]!;
    // == and not Object.is: zeros may differ in sign.
    if (is !== value) expect(is, `${label} float ${i}`).toBe(value);
  });
}

describe("Crowd3D", () => {
  it("gives every character the palette bits of a player that got the same calls", () => {
    const random = seeded(5150), { skeleton, skins, clips } = rig(random);
    const crowd = new Crowd3D(skeleton, skins, { capacity: 8 });
    const pairs = Array.from({ length: 23 }, (_, i) => {
      const player = new AnimPlayer(skeleton), clip = clips[i % 3]!, speed = 0.5 + random(), time = random();
      player.setSpeed(speed);
      player.play(clip);
      player.setTime(time);
      return { player, id: crowd.spawn({ clip, speed, time }) };
    });
    expect(crowd.capacity).toBeGreaterThanOrEqual(23);
    for (let frame = 0; frame < 90; frame++) {
      for (const { player, id } of pairs) {
        if (random() < 0.06) {
          const clip = clips[Math.floor(random() * 3)]!, mix = random() < 0.2 ? 0 : random() * 0.6;
          player.crossFade(clip, mix);
          crowd.play(id, clip, { mix });
        }
        if (random() < 0.02) {
          const speed = random() * 2;
          player.setSpeed(speed);
          crowd.setSpeed(id, speed);
        }
      }
      const dt = random() * 0.05;
      crowd.update(dt);
      for (const { player, id } of pairs) {
        player.update(dt);
        expectRow(crowd, id, paletteOf(player.getPose(), skins), `frame ${frame}`);
        expect(crowd.hasEnded(id)).toBe(player.hasFinished());
      }
    }
  });

  it("places characters in the world", () => {
    const random = seeded(4), { skeleton, clips } = rig(random), crowd = new Crowd3D(skeleton), pose = new AnimPose();
    const s = Math.SQRT1_2, id = crowd.spawn({ clip: clips[0]!, x: 10, y: 20, z: 30, scale: 2, rotation: [0, s, 0, s] });
    expect(crowd.jointCount).toBe(BONES);
    crowd.update(0.2);
    crowd.pose(id, pose);
    pose.computeWorld(skeleton);
    const out = new Float32Array(16);
    for (let bone = 0; bone < BONES; bone++) {
      crowd.joint(id, bone, out);
      // A quarter turn about +Y takes (x, y, z) to (z, y, -x).
      expect(out[12]).toBeCloseTo(10 + 2 * pose.getWorldPositionZ(bone), 4);
      expect(out[13]).toBeCloseTo(20 + 2 * pose.getWorldPositionY(bone), 4);
      expect(out[14]).toBeCloseTo(30 - 2 * pose.getWorldPositionX(bone), 4);
      expect(out[15]).toBe(1);
    }
    crowd.setPosition(id, 0, 0, 0);
    crowd.setRotation(id, 0, 0, 0, 3);
    crowd.setScale(id, 1);
    crowd.update(0);
    crowd.joint(id, 5, out);
    expect(out[12]).toBe(pose.getWorldPositionX(5));
  });

  it("keeps rows dense and ids unique", () => {
    const random = seeded(6), { skeleton, clips } = rig(random), crowd = new Crowd3D(skeleton, [], { capacity: 4, grow: false });
    const ids = Array.from({ length: 4 }, (_, i) => crowd.spawn({ clip: clips[i % 2]!, time: i * 0.1 }));
    expect(() => crowd.spawn()).toThrow(CrowdFullError);
    crowd.update(0);
    const last = Array.from(crowd.palette.subarray(3 * BONES * 12));
    crowd.despawn(ids[1]!);
    expect(crowd.count).toBe(3);
    expect(crowd.row(ids[3]!)).toBe(1);
    expect(crowd.idAt(1)).toBe(ids[3]);
    expectRow(crowd, ids[3]!, last);
    expect(crowd.has(ids[1]!)).toBe(false);
    expect(() => crowd.play(ids[1]!, clips[0]!)).toThrow(StaleIdError);
    const again = crowd.spawn({ clip: clips[0]! });
    expect(ids).not.toContain(again);
    crowd.update(0.1);
    expect(crowd.time(again)).toBeCloseTo(0.1, 12);
  });

  it("hides, throttles and simplifies characters without losing time", () => {
    const random = seeded(7), { skeleton, clips } = rig(random), crowd = new Crowd3D(skeleton), clip = clips[0]!;
    const id = crowd.spawn({ clip }), other = crowd.spawn({ clip, lod: 2 }), pose = new AnimPose();
    crowd.setUpdateRate(id, 10);
    crowd.update(0.02);
    const first = Array.from(crowd.palette.subarray(0, BONES * 12));
    crowd.update(0.05);
    expect(Array.from(crowd.palette.subarray(0, BONES * 12))).toEqual(first);
    crowd.update(0.06);
    expect(Array.from(crowd.palette.subarray(0, BONES * 12))).not.toEqual(first);
    expect(crowd.time(id)).toBeCloseTo(0.13, 12);
    crowd.pose(other, pose);
    expect(pose.getLocalPositionX(8)).toBe(skeleton.getBindPositionX(8));
    expect(pose.getLocalPositionX(2)).not.toBe(skeleton.getBindPositionX(2));
    crowd.setVisible(id, false);
    crowd.update(0.2);
    expect(Math.max(...crowd.palette.slice(0, BONES * 12))).toBe(0);
    crowd.setVisible(id, true);
    crowd.update(0.02);
    expect(crowd.time(id)).toBeCloseTo(0.35, 12);
    expect(Math.max(...crowd.palette.slice(0, BONES * 12))).toBeGreaterThan(0);
  });

  it("sees edits of clips", () => {
    const skeleton = new AnimSkeleton(), clip = new AnimClip();
    skeleton.addBone("b");
    clip.addPositionKey(0, 0, 1, 0, 0);
    clip.addPositionKey(0, 1, 1, 0, 0);
    const crowd = new Crowd3D(skeleton), id = crowd.spawn({ clip }), out = new Float32Array(16);
    crowd.update(0.1);
    clip.setPositionKey(0, 0, 0, 5, 0, 0);
    clip.setPositionKey(0, 1, 1, 5, 0, 0);
    crowd.update(0.1);
    crowd.joint(id, 0, out);
    expect(out[12]).toBe(5);
  });

  it("gives the same bits for any number of workers", async () => {
    const run = async (workers: number): Promise<Float32Array> => {
      const random = seeded(99), { skeleton, skins, clips } = rig(random), crowd = new Crowd3D(skeleton, skins, { capacity: 300 });
      crowd.workers = workers;
      for (let i = 0; i < 400 && crowd.readyWorkers < crowd.workers; i++) await new Promise((resolve) => setTimeout(resolve, 5));
      const ids = Array.from({ length: 300 }, (_, i) => crowd.spawn({ clip: clips[i % 3]!, time: i * 0.01, x: i }));
      for (let frame = 0; frame < 40; frame++) {
        for (let i = frame; i < 300; i += 7) crowd.play(ids[i]!, clips[(i + frame) % 3]!, { mix: 0.3 });
        crowd.update(0.016);
      }
      const palette = crowd.palette.slice();
      crowd.dispose();
      return palette;
    };
    const alone = await run(0);
    expect(alone.some((v) => v !== 0)).toBe(true);
    for (const workers of [1, 2, 7]) expect(await run(workers)).toEqual(alone);
  });

  it("refuses what makes no sense and gives all memory back", () => {
    const random = seeded(8), { skeleton, skins, clips } = rig(random), other = rig(random);
    expect(() => new Crowd3D(null as never)).toThrow();
    expect(() => new Crowd3D(skeleton, other.skins)).toThrow(/another skeleton/);
    expect(() => new Crowd3D(skeleton, [], { capacity: 0 })).toThrow();
    for (const clip of clips) clip.data();
    skeleton.liveMasks(1);
    const before = heap.usedBytes;
    for (let round = 0; round < 10; round++) {
      const crowd = new Crowd3D(skeleton, skins, { capacity: 2 });
      const ids = Array.from({ length: 9 }, (_, i) => crowd.spawn({ clip: clips[i % 3]! }));
      for (let i = 0; i < 30; i++) {
        crowd.play(ids[i % 9]!, clips[i % 3]!, { mix: 0.5 });
        crowd.update(0.01);
      }
      expect(() => crowd.update(-1)).toThrow();
      expect(() => crowd.update(NaN)).toThrow();
      expect(() => crowd.spawn({ x: NaN })).toThrow();
      expect(() => crowd.spawn({ rotation: [0, 0, 0, 0] })).toThrow();
      expect(() => crowd.setLod(ids[0]!, 256)).toThrow();
      expect(() => crowd.play(ids[0]!, null as never)).toThrow();
      crowd.dispose();
      crowd.dispose();
      expect(() => crowd.update(0)).toThrow();
    }
    expect(heap.usedBytes).toBe(before);
  });
});
