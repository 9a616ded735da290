import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { RangeMismatchError } from "../../src/errors.js";
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
