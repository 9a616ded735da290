import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FigureRecords } from "../../src/render/crowd/figure-records.js";
import { AnimPose } from "../../src/anim/index.js";
import { Crowd, Crowd3D } from "../../src/crowd/index.js";
import { RangeMismatchError, StateError } from "../../src/errors.js";
import { heap } from "../../src/wasm/heap.js";
import { heapScript } from "../heap.js";
import { rig } from "./crowd3d-rig.js";
import { builtIn, randoms } from "./rigs.js";

function hashOf(data: Float32Array | Uint32Array | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** A crowd with everything going on, and the hash of what it looked like in every frame. */
async function run(workers: number, frames: number): Promise<string> {
  const data = builtIn();
  const names = data.animations.map((animation) => animation.name);
  const crowd = new Crowd(data, { capacity: 300, slots: true });
  crowd.workers = workers;
  while (crowd.readyWorkers < workers) await new Promise((resolve) => setTimeout(resolve, 5));
  const ids = Array.from({ length: 300 }, (_, i) =>
    crowd.spawn({ animation: names[i % names.length]!, time: (i * 37) % 11 / 7, x: i, scaleX: i % 3 === 0 ? -1 : 1, skin: data.skins[i % data.skins.length]!.name }),
  );
  const hash = createHash("sha256");
  for (let frame = 0; frame < frames; frame++) {
    for (let i = frame % 17; i < ids.length; i += 17) crowd.play(ids[i]!, names[(i + frame) % names.length]!, { mix: 0.2 });
    crowd.update(1 / 60);
    expect(crowd.palette.every(Number.isFinite)).toBe(true);
    hash.update(crowd.palette).update(crowd.slots);
  }
  crowd.dispose();
  return hash.digest("hex");
}

test("a crowd has the same bits with no, one, two and four workers", { timeout: 60_000 }, async () => {
  const alone = await run(0, 40);
  for (const workers of [1, 2, 4]) expect(await run(workers, 40), `${workers} workers`).toBe(alone);
});

test("an asynchronous update shows the same as a synchronous one, once it has ended", { timeout: 60_000 }, async () => {
  const data = builtIn();
  const crowds = [new Crowd(data, { slots: true }), new Crowd(data, { slots: true })] as const;
  for (const crowd of crowds) {
    for (let i = 0; i < 150; i++) {
      const id = crowd.spawn({ animation: data.animations[i % data.animations.length]!.name, time: i / 50 });
      if (i % 5 === 0) crowd.setUpdateRate(id, 20);
      if (i % 7 === 0) crowd.setVisible(id, false);
    }
  }
  crowds[1].workers = 2;
  while (crowds[1].readyWorkers < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let frame = 0; frame < 12; frame++) {
    crowds[0].update(1 / 60);
    const shown = crowds[1].palette.slice();
    const running = crowds[1].updateAsync(1 / 60);
    expect(crowds[1].palette).toEqual(shown);
    expect(() => crowds[1].despawn(crowds[1].idAt(0))).toThrow(StateError);
    await running;
    expect(crowds[1].palette).toEqual(crowds[0].palette);
    expect(crowds[1].slots).toEqual(crowds[0].slots);
  }
  for (const crowd of crowds) crowd.dispose();
});

test("an asynchronous crowd goes through growth, despawning, hiding, looks and fades as a synchronous one does", { timeout: 60_000 }, async () => {
  const data = builtIn();
  const names = data.animations.map(({ name }) => name);
  const crowds = [new Crowd(data, { slots: true, capacity: 4 }), new Crowd(data, { slots: true, capacity: 4 })] as const;
  crowds[1].workers = 1;
  const random = randoms(41);
  for (let frame = 0; frame < 60; frame++) {
    const dice = Array.from({ length: 8 }, () => ({ verb: Math.floor(random() * 10), who: random(), what: random() }));
    for (const crowd of crowds) {
      for (let i = 0; i < 4; i++) crowd.spawn({ animation: names[(frame + i) % names.length]!, x: frame, time: i / 3 });
      for (const { verb, who, what } of dice) {
        const id = crowd.idAt(Math.floor(who * crowd.count));
        const name = names[Math.floor(what * names.length)]!;
        if (verb === 0) crowd.despawn(id);
        else if (verb === 1) crowd.setVisible(id, what < 0.5);
        else if (verb === 2) crowd.setUpdateRate(id, 5 + what * 20, what < 0.5 ? "hold" : "interpolate");
        else if (verb === 3) crowd.setSkin(id, data.skins[Math.floor(what * data.skins.length)]!);
        else if (verb === 4) crowd.playOverlay(id, name, { alpha: what, mix: 0.1 });
        else if (verb === 5) crowd.queue(id, name, { mix: 0.1 });
        else if (verb === 6) crowd.teleport(id, what * 100, 0);
        else crowd.play(id, name, { mix: 0.2 });
      }
    }
    const dt = random() * 0.05;
    crowds[0].update(dt);
    await crowds[1].updateAsync(dt);
    expect(hashOf(crowds[1].palette), `frame ${frame}`).toBe(hashOf(crowds[0].palette));
    expect(hashOf(crowds[1].slots), `frame ${frame}`).toBe(hashOf(crowds[0].slots));
    // Equal crowds have equal snapshots, whatever memory they got.
    expect(hashOf(new Uint8Array(crowds[1].snapshot())), `frame ${frame}`).toBe(hashOf(new Uint8Array(crowds[0].snapshot())));
  }
  for (const crowd of crowds) crowd.dispose();
});

test("while an asynchronous update runs, changes, questions about poses and another update are refused, and the palette stays", { timeout: 60_000 }, async () => {
  const crowd = new Crowd(builtIn(), { slots: true });
  for (let i = 0; i < 200; i++) crowd.spawn({ animation: "walk", time: i / 50 });
  crowd.workers = 1;
  while (crowd.readyWorkers < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const id = crowd.idAt(0);
  const running = crowd.updateAsync(0.1);
  for (const call of [
    () => crowd.play(id, "run"), () => crowd.spawn(), () => crowd.setPosition(id, 1, 1), () => crowd.setPositions([1, 1]), () => crowd.snapshot(), () => crowd.promote(id), () => crowd.bounds(id),
    () => crowd.hitTest(0, 0), () => crowd.update(0), () => crowd.dispose(), () => (crowd.workers = 0), () => crowd.bake(), () => crowd.chooseLevels(0, 0),
  ]) {
    expect(call, String(call)).toThrow(StateError);
  }
  await expect(crowd.updateAsync(0.1)).rejects.toThrow(StateError);
  expect(crowd.row(id)).toBe(0);
  await running;
  crowd.play(id, "run");
  await crowd.updateAsync(0.1);
  crowd.dispose();
  await expect(crowd.updateAsync(0.1)).rejects.toThrow(/dispose/);
});

test("while an asynchronous update runs, meshes are deformed as they were shown before", { timeout: 60_000 }, async () => {
  const crowd = new Crowd(builtIn(), { slots: true });
  const names = crowd.data.animations.map(({ name }) => name);
  for (let i = 0; i < 400; i++) {
    const id = crowd.spawn({ animation: names[i % names.length]!, time: i / 50 });
    if (i % 3 === 0) crowd.playOverlay(id, names[(i + 1) % names.length]!, { mix: 0.5 });
  }
  crowd.workers = 1;
  while (crowd.readyWorkers < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const records = new FigureRecords(crowd);
  const slots = (): Uint32Array => new Uint32Array(crowd.slots.buffer, crowd.slots.byteOffset, crowd.slots.byteLength / 4);
  const shown = (): number[][] =>
    Array.from({ length: crowd.count }, (_, row) => {
      records.begin();
      const count = records.write(row, crowd._recordOf(row), slots(), crowd.palette);
      return Array.from(records.texels.subarray(records.firstRecord * 4, (records.firstRecord + count) * 4));
    });
  let seen = 0;
  for (let frame = 0; frame < 20; frame++) {
    if (frame === 8) for (let row = 0; row < crowd.count; row++) crowd.play(crowd.idAt(row), names[(row + 2) % names.length]!, { mix: 0.3 });
    const before = shown();
    const running = crowd.updateAsync(0.03);
    const during = shown();
    // A clip that has begun, or left, since the last pose is not what was shown then.
    if (frame !== 8 && frame > 0) {
      for (let row = 0; row < before.length; row++) {
        const [a, b] = [before[row]!, during[row]!];
        if (a.length !== b.length) continue;
        seen += a.length;
        for (let i = 0; i < a.length; i++) expect(Math.abs(a[i]! - b[i]!), `frame ${frame}, row ${row}`).toBeLessThan(1e-5);
      }
    }
    await running;
  }
  expect(seen).toBeGreaterThan(10_000);
  crowd.dispose();
});

describe("Crowd3D.updateAsync", () => {
  /** Two crowds of one rig in which much goes on, the second with workers. */
  const make = (workers: number): { crowds: [Crowd3D, Crowd3D]; act: (frame: number) => void } => {
    const { skeleton, skins, clips } = rig(randoms(17));
    const crowds = [0, 1].map(() => new Crowd3D(skeleton, skins, { capacity: 4, clips })) as [Crowd3D, Crowd3D];
    crowds[1].workers = workers;
    const random = randoms(29);
    const act = (frame: number): void => {
      const dice = Array.from({ length: 6 }, () => ({ verb: Math.floor(random() * 7), who: random(), what: random() }));
      for (const crowd of crowds) {
        for (let i = 0; i < 4; i++) crowd.spawn({ clip: clips[(frame + i) % 3], time: i / 3, x: frame });
        for (const { verb, who, what } of dice) {
          const id = crowd.idAt(Math.floor(who * crowd.count));
          if (verb === 0) crowd.despawn(id);
          else if (verb === 1) crowd.setVisible(id, what < 0.5);
          else if (verb === 2) crowd.setUpdateRate(id, 5 + what * 20);
          else if (verb === 3) crowd.queue(id, clips[1]!, { mix: 0.1 });
          else crowd.play(id, clips[Math.floor(what * 3)]!, { mix: 0.2 });
        }
      }
    };
    return { crowds, act };
  };

  test("shows, tells and keeps the same as update, once it has ended, with workers and without", { timeout: 60_000 }, async () => {
    for (const workers of [0, 1, 2]) {
      const { crowds, act } = make(workers);
      const told: string[][] = [[], []];
      crowds.forEach((crowd, i) => {
        crowd.listener = { event: (id, name, payload) => told[i]!.push(`${id} ${name} ${payload}`), complete: (id, clip) => told[i]!.push(`${id} ${clip.getName()}`) };
      });
      for (let frame = 0; frame < 60; frame++) {
        act(frame);
        const shown = hashOf(crowds[1].palette);
        crowds[0].update(0.02);
        const running = crowds[1].updateAsync(0.02);
        if (workers > 0 && crowds[1].readyWorkers > 0) expect(hashOf(crowds[1].palette), `frame ${frame}`).toBe(shown);
        await running;
        expect(hashOf(crowds[1].palette), `${workers} workers, frame ${frame}`).toBe(hashOf(crowds[0].palette));
        expect(told[1], `frame ${frame}`).toEqual(told[0]);
        expect(hashOf(new Uint8Array(crowds[1].snapshot())), `frame ${frame}`).toBe(hashOf(new Uint8Array(crowds[0].snapshot())));
        // Both kinds of updates may take turns.
        if (frame % 5 === 0) for (const crowd of crowds) crowd.update(0.01);
        expect(hashOf(crowds[1].palette), `frame ${frame}`).toBe(hashOf(crowds[0].palette));
        while (frame === 10 && crowds[1].readyWorkers < workers) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(told[0]!.length).toBeGreaterThan(100);
      for (const crowd of crowds) crowd.dispose();
    }
  });

  test("lets nobody change the crowd while it runs", { timeout: 60_000 }, async () => {
    const { crowds: [spare, crowd], act } = make(1);
    for (let frame = 0; frame < 40; frame++) act(frame);
    while (crowd.readyWorkers < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    crowd.update(0.01);
    const id = crowd.idAt(0);
    const running = crowd.updateAsync(0.1);
    for (const call of [
      () => crowd.spawn(), () => crowd.despawn(id), () => crowd.setPosition(id, 1, 1, 1), () => crowd.setPositions([1, 1, 1]), () => crowd.time(id), () => crowd.snapshot(),
      () => crowd.promote(id), () => crowd.update(0), () => crowd.dispose(), () => (crowd.workers = 0), () => crowd.pose(id, new AnimPose()),
    ]) {
      expect(call, String(call)).toThrow(StateError);
    }
    await expect(crowd.updateAsync(0.1)).rejects.toThrow(StateError);
    await running;
    crowd.setVisible(id, false);
    crowd.dispose();
    await expect(crowd.updateAsync(0.1)).rejects.toThrow(/dispose/);
    spare.dispose();
  });

  test("gives its second palette back", { timeout: 60_000 }, async () => {
    const round = async (): Promise<void> => {
      const { crowds, act } = make(0);
      for (let frame = 0; frame < 5; frame++) {
        act(frame);
        for (const crowd of crowds) await crowd.updateAsync(0.01);
      }
      for (const crowd of crowds) crowd.dispose();
    };
    const { skeleton, skins, clips } = rig(randoms(17));
    const one = async (): Promise<void> => {
      const crowd = new Crowd3D(skeleton, skins, { capacity: 2, clips });
      for (let frame = 0; frame < 5; frame++) {
        for (let i = 0; i < 4; i++) crowd.spawn({ clip: clips[i % 3] });
        await crowd.updateAsync(0.01);
      }
      crowd.dispose();
    };
    await round();
    await one();
    const before = heap.usedBytes;
    for (let i = 0; i < 20; i++) await one();
    expect(heap.usedBytes).toBe(before);
  });
});

test("workers come and go while a crowd lives", { timeout: 60_000 }, async () => {
  const crowd = new Crowd(builtIn());
  for (let i = 0; i < 200; i++) crowd.spawn({ animation: crowd.data.animations[0]!.name, time: i / 100 });
  crowd.workers = 1;
  crowd.update(0.01);
  crowd.workers = 2;
  crowd.update(0.01);
  while (crowd.readyWorkers < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  crowd.update(0.01);
  crowd.workers = 0;
  crowd.update(0.01);
  expect(crowd.palette.every(Number.isFinite)).toBe(true);
  expect(() => (crowd.workers = -1)).toThrow(RangeMismatchError);
  expect(() => (crowd.workers = 9)).toThrow(RangeMismatchError);
  crowd.dispose();
});

test("without shared memory crowds say so and run on one thread", { timeout: 60_000 }, async () => {
  const said = await heapScript<{ workers: number[]; warnings: string[]; same: boolean }>(new URL("unshared-scene.ts", import.meta.url));
  expect(said.workers).toEqual([0, 0]);
  expect(said.warnings).toHaveLength(2);
  for (const warning of said.warnings) expect(warning).toMatch(/^osteon: the crowd runs on one thread, because linear memory is not shared: .*cross-origin isolation/);
  expect(said.same).toBe(true);
});
