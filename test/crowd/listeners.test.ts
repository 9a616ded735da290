import { describe, expect, test } from "vitest";
import { Crowd, Crowd3D } from "../../src/crowd/index.js";
import { StateError } from "../../src/errors.js";
import { AnimationState, AnimationStateData, Skeleton } from "../../src/spine/index.js";
import { rig } from "./crowd3d-rig.js";
import { builtIn, randoms } from "./rigs.js";

/** What a crowd tells, in words. */
function record(crowd: Crowd, told: string[]): void {
  crowd.listener = {
    event: (id, event, animation) => told.push(`${id} event ${animation.name} ${event.data.name} ${event.time}`),
    complete: (id, animation) => told.push(`${id} complete ${animation.name}`),
  };
}

describe("what a crowd tells", () => {
  test("events of an overlay are those of a second track: loops, starts, long steps, until it leaves", () => {
    const data = builtIn();
    const names = data.animations.map(({ name }) => name);
    const random = randoms(31);
    let total = 0;
    for (let round = 0; round < 40; round++) {
      const crowd = new Crowd(data, { capacity: 2 });
      const base = names[round % names.length]!;
      const over = names[Math.floor(random() * names.length)]!;
      const loop = random() < 0.6;
      const mix = random() < 0.5 ? 0 : random();
      const speed = random() < 0.2 ? 0 : random() * 2;
      const id = crowd.spawn({ animation: base });
      if (round % 3 === 0) crowd.setUpdateRate(id, 7);
      const skeleton = new Skeleton(data);
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, base, true);
      const told: string[] = [];
      const expected: string[] = [];
      record(crowd, told);
      state.addListener({
        event: (entry, event) => entry.isEmptyAnimation() || expected.push(`${id} event ${entry.animation!.name} ${event.data.name} ${event.time}`),
        complete: (entry) => entry.isEmptyAnimation() || expected.push(`${id} complete ${entry.animation!.name}`),
      });
      for (let frame = 0; frame < 90; frame++) {
        if (frame === 10) {
          crowd.playOverlay(id, over, { loop, mix, speed });
          if (mix > 0) state.setEmptyAnimation(1, 0);
          const entry = state.setAnimation(1, over, loop);
          entry.mixDuration = mix;
          entry.timeScale = speed;
        }
        // What leaves tells nothing; a state would still tell when it completes.
        if (frame === 70) {
          crowd.stopOverlay(id);
          state.clearTrack(1);
        }
        const dt = random() < 0.1 ? random() * 1.5 : random() * 0.05;
        crowd.update(dt);
        state.update(dt);
        state.apply(skeleton);
        expect(told, `${base}, ${over}, frame ${frame}`).toEqual(expected);
      }
      total += told.length;
      skeleton.dispose();
      crowd.dispose();
    }
    expect(total).toBeGreaterThan(300);
  });

  test("events of clips that are played and queued at random are those of an AnimationState, but for what fades out", () => {
    const data = builtIn();
    const names = data.animations.map(({ name }) => name);
    const random = randoms(15);
    let total = 0;
    for (let round = 0; round < 60; round++) {
      const pick = (): string => names[Math.floor(random() * names.length)]!;
      const crowd = new Crowd(data, { capacity: 1 });
      const first = pick();
      const id = crowd.spawn({ animation: first });
      const skeleton = new Skeleton(data);
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, first, true);
      const told: string[] = [];
      const expected: string[] = [];
      record(crowd, told);
      state.addListener({
        event: (entry, event) => entry.mixingTo === null && expected.push(`${id} event ${entry.animation!.name} ${event.data.name} ${event.time}`),
        complete: (entry) => entry.mixingTo === null && expected.push(`${id} complete ${entry.animation!.name}`),
      });
      for (let frame = 0; frame < 100; frame++) {
        const entry = state.getTrack(0)!;
        const [animation, mix, loop] = [pick(), random() < 0.4 ? 0 : random() * 0.3, random() < 0.5];
        // A state keeps a chain of fades where a character freezes them.
        if (random() < 0.06 && entry.mixingFrom === null) {
          if (random() < 0.5 || entry.next !== null) {
            crowd.play(id, animation, { mix, loop });
            state.setAnimation(0, animation, loop).mixDuration = mix;
          } else {
            crowd.queue(id, animation, { mix, loop });
            state.addAnimation(0, animation, loop, 0).setMixDuration(mix, 0);
          }
        }
        const dt = random() < 0.05 ? random() * 1.5 : random() * 0.05;
        crowd.update(dt);
        state.update(dt);
        state.apply(skeleton);
        expect(told, `round ${round}, frame ${frame}`).toEqual(expected);
      }
      total += told.length;
      skeleton.dispose();
      crowd.dispose();
    }
    expect(total).toBeGreaterThan(400);
  });

  test("events are the same whatever the update rate, baked or not, with workers or without, synchronous or not", async () => {
    const data = builtIn();
    const run = async (prepare: (crowd: Crowd) => void, isAsync: boolean): Promise<string[]> => {
      const crowd = new Crowd(data);
      const random = randoms(5);
      for (let i = 0; i < 300; i++) crowd.spawn({ animation: i % 2 === 0 ? "walk" : "run", time: i * 0.013, speed: i % 7 === 0 ? 0 : 1 + (i % 3) * 0.4, loop: i % 5 !== 0 });
      prepare(crowd);
      const told: string[] = [];
      record(crowd, told);
      for (let frame = 0; frame < 60; frame++) {
        const id = crowd.idAt(Math.floor(random() * 300));
        if (frame % 4 === 0) crowd.play(id, "jump", { mix: 0.2, loop: false });
        if (frame % 4 === 1) crowd.queue(id, "run", { mix: 0.1 });
        if (frame % 4 === 2) crowd.seek(id, random() * 2);
        if (frame % 4 === 3) crowd.playOverlay(id, "wave", { mix: 0.3 });
        const dt = random() * 0.08;
        if (isAsync) await crowd.updateAsync(dt);
        else crowd.update(dt);
      }
      crowd.dispose();
      return told;
    };
    const everyone = (crowd: Crowd, what: (id: number) => void): void => {
      for (let row = 0; row < crowd.count; row++) what(crowd.idAt(row));
    };
    const plain = await run(() => {}, false);
    expect(plain.length).toBeGreaterThan(500);
    expect(await run((crowd) => everyone(crowd, (id) => crowd.setUpdateRate(id, 9, "hold")), false), "held").toEqual(plain);
    expect(await run((crowd) => everyone(crowd, (id) => crowd.setUpdateRate(id, 9, "interpolate")), false), "interpolated").toEqual(plain);
    expect(await run((crowd) => everyone(crowd, (id) => crowd.setVisible(id, false)), false), "hidden").toEqual(plain);
    expect(await run((crowd) => void crowd.bake({ animations: ["walk", "run"], maxError: 10 }), false), "baked").toEqual(plain);
    expect(await run((crowd) => (crowd.workers = 1), false), "with a worker").toEqual(plain);
    expect(await run((crowd) => (crowd.workers = 1), true), "asynchronous").toEqual(plain);
  });

  test("events do not fire on the way of a seek, and once each afterwards", () => {
    const data = builtIn();
    const walk = data.findAnimation("walk")!;
    const crowd = new Crowd(data);
    const id = crowd.spawn({ animation: "walk" });
    const told: string[] = [];
    record(crowd, told);
    crowd.seek(id, walk.duration * 3.001);
    crowd.update(0);
    crowd.update(0);
    expect(told).toEqual([]);
    for (let i = 0; i < 10; i++) crowd.update(walk.duration / 10);
    const first = told.length;
    expect(told.filter((line) => line.includes("complete"))).toHaveLength(1);
    for (let i = 0; i < 10; i++) crowd.update(walk.duration / 10);
    expect(told.length).toBe(first * 2);
    crowd.setSpeed(id, 0);
    for (let i = 0; i < 10; i++) crowd.update(walk.duration);
    expect(told.length).toBe(first * 2);
    crowd.dispose();
  });
});

/** Both kinds of crowds with three characters that will tell at least nine things in a second and a half. */
function crowds(): { name: string; crowd: Crowd | Crowd3D; listen(call: (id: number) => void): void; spawn(): void }[] {
  const data = builtIn();
  const { skeleton, skins, clips } = rig(randoms(3));
  const flat = new Crowd(data);
  const solid = new Crowd3D(skeleton, skins, { clips });
  const list = [
    { name: "Crowd", crowd: flat, listen: (call: (id: number) => void) => (flat.listener = { event: call, complete: call }), spawn: () => void flat.spawn({ animation: "walk" }) },
    { name: "Crowd3D", crowd: solid, listen: (call: (id: number) => void) => (solid.listener = { event: call, complete: call }), spawn: () => void solid.spawn({ clip: clips[0] }) },
  ];
  for (const { spawn } of list) for (let i = 0; i < 3; i++) spawn();
  return list;
}

describe("a listener", () => {
  test("a listener that throws keeps nobody from being told: everything is told once, then the first error is thrown", () => {
    for (const { name, crowd, listen } of crowds()) {
      let expected = 0;
      const snapshot = crowd.snapshot();
      listen(() => void expected++);
      crowd.update(1.2);
      expect(expected, name).toBeGreaterThan(5);
      crowd.restore(snapshot);
      let told = 0;
      listen(() => {
        told++;
        throw new Error(`number ${told}`);
      });
      expect(() => crowd.update(1.2), name).toThrow("number 1");
      expect(told, name).toBe(expected);
      listen(() => void told++);
      crowd.update(0);
      expect(told, name).toBe(expected);
      crowd.dispose();
    }
  });

  test("a listener may spawn, despawn and play, but not update", async () => {
    for (const { name, crowd, listen, spawn } of crowds()) {
      const errors: unknown[] = [];
      const despawned = new Set<number>();
      let asynchronous: Promise<void> | null = null;
      listen((id) => {
        expect(despawned.has(id), name).toBe(false);
        if (despawned.size < 2) {
          for (let i = 0; i < 50; i++) spawn();
          despawned.add(id);
          crowd.despawn(id);
        }
        try {
          crowd.update(0.1);
        } catch (error) {
          errors.push(error);
        }
        asynchronous ??= crowd.updateAsync(0.1).catch((error: unknown) => void errors.push(error));
      });
      crowd.update(1.2);
      await asynchronous;
      expect(errors.length, name).toBeGreaterThan(3);
      for (const error of errors) expect(error, name).toBeInstanceOf(StateError);
      expect(crowd.count, name).toBe(3 + 2 * 50 - 2);
      crowd.listener = null;
      crowd.update(0.1);
      crowd.dispose();
    }
  });

  test("a listener that disposes the crowd or restores another state of it is told no more", () => {
    for (const { name, crowd, listen } of crowds()) {
      const snapshot = crowd.snapshot();
      let told = 0;
      listen(() => {
        told++;
        crowd.restore(snapshot);
      });
      crowd.update(1.2);
      expect(told, name).toBe(1);
      listen(() => {
        told++;
        crowd.dispose();
      });
      crowd.update(1.2);
      expect(told, name).toBe(2);
      expect(crowd.count, name).toBe(0);
    }
  });
});
