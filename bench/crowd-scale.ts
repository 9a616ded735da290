/**
 * How does a crowd scale? Cost and memory of a character from 100 to 20,000 of them, and what one worker adds on two cores.
 *
 * Ratios only: "cost" is the time of a character relative to the cheapest size; "one worker" the time of the caller alone by that
 * of the caller and one worker, median of five, alternating.
 */
import { readFileSync } from "node:fs";
import { Crowd } from "../src/crowd/index.js";
import { AtlasAttachmentLoader, SkeletonJson, TextureAtlas } from "../src/spine/index.js";
import { heap } from "../src/wasm/heap.js";
import { median } from "./lib/race.js";
import { builtIn, realRigs } from "./lib/rigs.js";

const SIZES = [100, 1000, 5000, 20_000];
/** Characters posed in one timing. */
const POSED = 200_000;
const DT = 1 / 60;

const rig = realRigs().find(({ name }) => name.includes("spineboy")) ?? builtIn()[0]!;
const loader = new AtlasAttachmentLoader(new TextureAtlas(readFileSync(rig.atlas, "utf8")));
const data = new SkeletonJson(loader).readSkeletonData(JSON.parse(readFileSync(rig.json, "utf8")) as object);

/** Milliseconds of a character. */
function time(crowd: Crowd): number {
  const frames = Math.max(1, Math.round(POSED / crowd.count));
  for (let i = 0; i < 20; i++) crowd.update(DT);
  const start = performance.now();
  for (let i = 0; i < frames; i++) crowd.update(DT);
  return (performance.now() - start) / frames / crowd.count;
}

/** Sets the number of workers and waits until they have started, or ended: neither is to be timed. */
async function setWorkers(crowd: Crowd, count: number): Promise<void> {
  crowd.workers = count;
  do await new Promise((resolve) => setTimeout(resolve, 100)); while (crowd.readyWorkers < count);
}

const results: { size: number; cost: number; bytes: number; worker: number }[] = [];
for (const size of SIZES) {
  const before = heap.usedBytes;
  const crowd = new Crowd(data, { capacity: size });
  for (let i = 0; i < size; i++) crowd.spawn({ animation: "walk", time: i * 0.037 });
  crowd.update(DT);
  const bytes = (heap.usedBytes - before) / size;
  const alone: number[] = [];
  const gains: number[] = [];
  for (let round = 0; round < 5; round++) {
    await setWorkers(crowd, 0);
    const one = time(crowd);
    await setWorkers(crowd, 1);
    alone.push(one);
    gains.push(one / time(crowd));
  }
  results.push({ size, cost: median(alone), bytes, worker: median(gains) });
  crowd.dispose();
}
const cheapest = Math.min(...results.map(({ cost }) => cost));
console.log(`${rig.name}, ${data.bones.length} bones`);
for (const { size, cost, bytes, worker } of results) {
  console.log(`${String(size).padStart(6)} characters   cost ${(cost / cheapest).toFixed(2)}   ${bytes.toFixed(0)} bytes each   one worker ${worker.toFixed(2)} times as fast`);
}
process.exit(0);
