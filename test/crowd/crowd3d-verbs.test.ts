import { describe, expect, it } from "vitest";
import { type AnimClip, AnimPlayer, AnimSkeleton } from "../../src/anim/index.js";
import { Crowd3D, type Crowd3DListener } from "../../src/crowd/index.js";
import { SEAL3D_WORD } from "../../src/crowd/crowd3d-snapshot.js";
import { StaleIdError } from "../../src/crowd/errors.js";
import { seal } from "../../src/crowd/seal.js";
import { ArgumentError, FormatError, RangeMismatchError } from "../../src/errors.js";
import { heap } from "../../src/wasm/heap.js";
import { seeded } from "../anim/rig/golden.js";
import { paletteOf, rig } from "./crowd3d-rig.js";

/** A listener that writes everything down. */
function recorder(): { listener: Crowd3DListener; log: string[] } {
  const log: string[] = [];
  return {
    log,
    listener: {
      event: (id, name, payload, clip) => log.push(`${id} ${name} ${payload} ${clip.getName()}`),
      complete: (id, clip) => log.push(`${id} complete ${clip.getName()}`),
    },
  };
}

/** Characters that play, fade, wait and stand still. */
function busyCrowd(skeleton: AnimSkeleton, skins: ConstructorParameters<typeof Crowd3D>[1], clips: readonly AnimClip[]): { crowd: Crowd3D; ids: number[] } {
  const crowd = new Crowd3D(skeleton, skins, { capacity: 8, clips });
  const ids = clips.concat(clips).map((clip, i) => crowd.spawn({ clip, time: i * 0.2, speed: 0.5 + i * 0.3, x: i, tint: [i / 6, 1, 0] }));
  ids.push(crowd.spawn());
  crowd.play(ids[0]!, clips[1]!, { mix: 0.5 });
  crowd.update(0.1);
  crowd.play(ids[0]!, clips[2]!, { mix: 0.4 });
  crowd.play(ids[3]!, clips[2]!, { mix: 0.9 });
  crowd.queue(ids[1]!, clips[0]!, { mix: 0.2 });
  crowd.queue(ids[1]!, clips[2]!, { delay: 0.3, loop: false });
  crowd.setUpdateRate(ids[2]!, 15);
  crowd.setVisible(ids[4]!, false);
  crowd.update(0.07);
  return { crowd, ids };
}

describe("Crowd3D tells its listener", () => {
  it("the events that a player with the same calls passes, and completions", () => {
    const random = seeded(71), { skeleton, clips } = rig(random), crowd = new Crowd3D(skeleton), { listener, log } = recorder();
    crowd.listener = listener;
    const players = clips.map((clip, i) => {
      const player = new AnimPlayer(skeleton);
      player.setSpeed(1 + i);
      player.play(clip);
      return { player, id: crowd.spawn({ clip, speed: 1 + i }) };
    });
    let completed = 0;
    for (let frame = 0; frame < 120; frame++) {
      const dt = 0.11 * random(), want: string[] = [];
      if (frame === 50) {
        players[0]!.player.crossFade(clips[1]!, 0.3);
        crowd.play(players[0]!.id, clips[1]!, { mix: 0.3 });
      }
      log.length = 0;
      crowd.update(dt);
      for (const { player, id } of players) {
        player.update(dt);
        for (let i = 0; i < player.getEventCount(); i++) want.push(`${id} ${player.getEventName(i)} ${player.getEventPayload(i)} ${player.getClip()!.getName()}`);
      }
      expect(log.filter((line) => !line.includes("complete"))).toEqual(want);
      completed += log.filter((line) => line.includes("complete")).length;
    }
    expect(players[2]!.player.hasFinished()).toBe(true);
    const loops = players[1]!.player.getLoopCount();
    expect(completed).toBeGreaterThanOrEqual(loops + 1);
    crowd.dispose();
  });

  it("nothing of characters that a callback removes, and none of it after a seek", () => {
    const { skeleton, clips } = rig(seeded(2)), crowd = new Crowd3D(skeleton), seen: number[] = [];
    const a = crowd.spawn({ clip: clips[0]! }), b = crowd.spawn({ clip: clips[0]! });
    crowd.listener = {
      event: (id) => {
        seen.push(id);
        if (crowd.has(b)) crowd.despawn(b);
      },
    };
    crowd.update(0.01);
    expect(seen).toEqual([a]);
    crowd.seek(a, 0.6);
    crowd.update(0.05);
    expect(seen).toEqual([a]);
    crowd.update(0.1);
    expect(seen).toEqual([a, a]);
    expect(() => crowd.queue(b, clips[0]!)).toThrow(StaleIdError);
    crowd.dispose();
  });
});

describe("Crowd3D.queue", () => {
  it("starts a clip at the end of the one before, with the time that is left over", () => {
    const { skeleton, clips } = rig(seeded(3)), crowd = new Crowd3D(skeleton), player = new AnimPlayer(skeleton), duration = clips[0]!.getDuration();
    const id = crowd.spawn({ clip: clips[0]!, loop: true });
    crowd.queue(id, clips[2]!);
    crowd.queue(id, clips[1]!, { delay: 0.25, time: 0.5 });
    crowd.update(duration - 0.05);
    expect(crowd.clip(id)).toBe(clips[0]);
    crowd.update(0.1);
    // The clock is looked at before it advances, as by an animation state.
    expect(crowd.clip(id)).toBe(clips[0]);
    crowd.update(0.1);
    expect(crowd.clip(id)).toBe(clips[2]);
    expect(crowd.time(id)).toBeCloseTo(0.15, 6);
    crowd.update(0.11);
    crowd.update(0.01);
    expect(crowd.clip(id)).toBe(clips[1]);
    expect(crowd.time(id)).toBeCloseTo(0.5 + 0.02, 6);
    // `play` forgets what waits; without a clip nothing is waited for.
    crowd.queue(id, clips[0]!);
    crowd.play(id, clips[1]!);
    for (let i = 0; i < 10; i++) crowd.update(0.5);
    expect(crowd.clip(id)).toBe(clips[1]);
    const idle = crowd.spawn();
    crowd.queue(idle, clips[0]!, { delay: 9 });
    expect(crowd.clip(idle)).toBe(clips[0]);
    player.dispose();
    crowd.dispose();
  });

  it("never waits longer than a clip that does not loop", () => {
    const { skeleton, clips } = rig(seeded(3)), crowd = new Crowd3D(skeleton), id = crowd.spawn({ clip: clips[2]! });
    crowd.queue(id, clips[0]!, { delay: 100 });
    for (let i = 0; i < 20; i++) crowd.update(0.1);
    expect(crowd.clip(id)).toBe(clips[0]);
    crowd.dispose();
  });
});

describe("bulk setters of Crowd3D", () => {
  it("do what the setters of one character do, and change nothing when they refuse", () => {
    const { skeleton, skins, clips } = rig(seeded(8)), random = seeded(9), a = new Crowd3D(skeleton, skins), b = new Crowd3D(skeleton, skins), COUNT = 9;
    const positions: number[] = [], rotations: number[] = [], scales: number[] = [], speeds: number[] = [];
    for (let i = 0; i < COUNT; i++) {
      const id = a.spawn({ clip: clips[i % 3]!, time: 0.1 * i }), position = [random(), random(), random()] as const, q = [random(), random(), random(), random()] as const;
      b.spawn({ clip: clips[i % 3]!, time: 0.1 * i });
      a.setPosition(id, ...position);
      a.setRotation(id, ...q);
      a.setScale(id, 1 + i);
      a.setSpeed(id, i * 0.2);
      positions.push(...position);
      rotations.push(...q);
      scales.push(1 + i);
      speeds.push(i * 0.2);
    }
    b.setPositions(positions);
    b.setRotations(rotations);
    b.setScales(scales.slice(2), 2);
    b.setScales(scales.slice(0, 2));
    b.setSpeeds(speeds);
    a.update(0.1);
    b.update(0.1);
    expect([...b.palette]).toEqual([...a.palette]);
    expect(() => b.setPositions([1, 2])).toThrow(RangeMismatchError);
    expect(() => b.setPositions([1, 2, NaN])).toThrow(RangeMismatchError);
    expect(() => b.setScales([1], COUNT)).toThrow(RangeMismatchError);
    expect(() => b.setSpeeds([1, -1])).toThrow(RangeMismatchError);
    expect(() => b.setRotations([0, 0, 0, 1, 0, 0, 0, 0])).toThrow(ArgumentError);
    b.update(0);
    a.update(0);
    expect([...b.palette]).toEqual([...a.palette]);
    a.dispose();
    b.dispose();
  });
});

describe("Crowd3D.snapshot", () => {
  it("goes on bit for bit, in the same crowd and in another one", () => {
    const { skeleton, skins, clips } = rig(seeded(12)), { crowd, ids } = busyCrowd(skeleton, skins, clips), snapshot = crowd.snapshot();
    const run = (subject: Crowd3D): number[] => {
      const out: number[] = [];
      for (let i = 0; i < 25; i++) {
        subject.update(0.06);
        out.push(...subject.palette);
      }
      return out;
    };
    const want = run(crowd);
    crowd.despawn(ids[2]!);
    for (let i = 0; i < 20; i++) crowd.spawn({ clip: clips[0]! });
    crowd.restore(snapshot);
    expect(crowd.count).toBe(7);
    expect(run(crowd)).toEqual(want);
    // Another order of clips, another capacity.
    const other = new Crowd3D(skeleton, skins, { capacity: 1, clips: [clips[2]!, clips[1]!, clips[0]!] });
    other.restore(snapshot);
    expect(other.has(ids[2]!)).toBe(true);
    expect(run(other)).toEqual(want);
    crowd.dispose();
    other.dispose();
  });

  it("refuses what is none, and then nothing has changed", () => {
    const { skeleton, skins, clips } = rig(seeded(12)), { crowd } = busyCrowd(skeleton, skins, clips), snapshot = crowd.snapshot(), random = seeded(44);
    const before = [...new Uint8Array(snapshot)];
    const stranger = new Crowd3D(skeleton, skins);
    expect(() => stranger.restore(snapshot)).toThrow(/option "clips"/);
    expect(() => new Crowd3D(skeleton, skins[0], { clips }).restore(snapshot)).toThrow(FormatError);
    expect(() => crowd.restore(new ArrayBuffer(3))).toThrow(FormatError);
    expect(() => crowd.restore(snapshot.slice(0, snapshot.byteLength - 1))).toThrow(FormatError);
    for (let i = 0; i < 300; i++) {
      const damaged = snapshot.slice(0), bytes = new Uint8Array(damaged);
      for (let k = 0; k < 3; k++) bytes[Math.floor(random() * Math.min(bytes.length, 900))] = Math.floor(random() * 256);
      if (bytes.some((byte, at) => byte !== before[at])) expect(() => crowd.restore(damaged)).toThrow(FormatError);
      try {
        // As one that is whole, but makes no sense.
        crowd.restore(seal(damaged, SEAL3D_WORD));
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        expect([...new Uint8Array(crowd.snapshot())]).toEqual(before);
        continue;
      }
      crowd.update(0.01);
      crowd.restore(snapshot);
    }
    crowd.dispose();
    stranger.dispose();
  });
});

describe("Crowd3D.promote and demote", () => {
  it("hand a character over to a player and back without a difference", () => {
    const { skeleton, skins, clips } = rig(seeded(21)), { crowd, ids } = busyCrowd(skeleton, skins, clips), twin = busyCrowd(skeleton, skins, clips);
    crowd.play(ids[1]!, clips[0]!, { mix: 0.3, speed: 1.25 });
    twin.crowd.play(twin.ids[1]!, clips[0]!, { mix: 0.3, speed: 1.25 });
    for (const i of [0, 1, 3, 5]) {
      const id = ids[i]!, player = crowd.promote(id);
      crowd.setPosition(id, 0, 0, 0);
      twin.crowd.setPosition(twin.ids[i]!, 0, 0, 0);
      for (let frame = 0; frame < 6; frame++) {
        crowd.update(0.04);
        twin.crowd.update(0.04);
        player.update(0.04);
        const row = twin.crowd.row(twin.ids[i]!) * twin.crowd.jointCount * 12;
        paletteOf(player.getPose(), skins).forEach((value, k) => expect(twin.crowd.palette[row + k]! === value, `character ${i} frame ${frame} float ${k}`).toBe(true));
        expect(crowd.palette[crowd.row(id) * crowd.jointCount * 12]).toBe(0);
      }
      crowd.demote(id, player);
      player.dispose();
    }
    for (let frame = 0; frame < 10; frame++) {
      crowd.update(0.05);
      twin.crowd.update(0.05);
      expect([...crowd.palette]).toEqual([...twin.crowd.palette]);
    }
    const used = heap.usedBytes, other = new AnimPlayer(new AnimSkeleton());
    expect(() => crowd.demote(ids[0]!, other)).toThrow(ArgumentError);
    other.dispose();
    crowd.dispose();
    twin.crowd.dispose();
    expect(heap.usedBytes).toBeLessThan(used);
  });
});
