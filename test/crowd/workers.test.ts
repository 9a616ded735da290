import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { RangeMismatchError, StateError } from "../../src/errors.js";
import { builtIn } from "./rigs.js";

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
