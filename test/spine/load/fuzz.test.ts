import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { OsteonError } from "../../../src/errors.js";
import { Physics, Skeleton, type SkeletonData } from "../../../src/spine/index.js";
import { SkeletonBinary, SkeletonJson, TextureAtlas, type SkeletonLoader } from "../../../src/spine/load/index.js";
import { BASE_ELEMENTS, ELEMENTS_PER_BYTE } from "../../../src/spine/load/limits.js";
import { writeBinaryDocument } from "../../../src/spine/load/write/binary-writer.js";
import { writeJsonDocument } from "../../../src/spine/load/write/json-writer.js";
import { heap } from "../../../src/wasm/index.js";
import { exportFiles } from "./export-files.js";
import { mutateBytes, mutateText, mutateTree } from "./mutate.js";
import { Random, randomSkeleton } from "./random-skeleton.js";
import { ATTACHMENTS, CONSTRAINTS, CURVES, OLD, SHEET_ATLAS, TIMELINES } from "./worked-examples.js";

/** OSTEON_FUZZ=from,count runs a part of the nightly cases. */
const part = process.env["OSTEON_FUZZ"]?.split(",").map(Number);
const from = part?.[0] ?? 0;
const total = part?.[1] ?? (process.env["OSTEON_NIGHTLY"] === "1" ? 100_000 : 5_000);
const WATCHDOG_SECONDS = 5;

interface Sources {
  texts: string[];
  trees: object[];
  binaries: Uint8Array[];
  atlases: string[];
}

function sources(): Sources {
  const documents = Array.from({ length: 24 }, (_, seed) => randomSkeleton(seed * 977 + 5));
  const texts = [...[CURVES, CONSTRAINTS, ATTACHMENTS, TIMELINES, OLD].map((example) => JSON.stringify(example)), ...documents.map((document) => writeJsonDocument(document, false))];
  const binaries = documents.map((document) => writeBinaryDocument(document));
  const atlases = [SHEET_ATLAS];
  for (const file of exportFiles("damaged copies of real files")) {
    if (!/goblins-pro|spineboy-pro|vine|coin|stretchyman|mix-and-match/.test(file.name) || /4\.3.*mix/.test(file.name)) continue;
    const bytes = readFileSync(file.path);
    if (bytes.length > 60_000) continue;
    if (file.format === "json") texts.push(bytes.toString("utf8"));
    else binaries.push(new Uint8Array(bytes));
    atlases.push(readFileSync(file.atlas, "utf8").slice(0, 5000));
  }
  return { texts, trees: texts.map((text) => JSON.parse(text) as object), binaries, atlases };
}

/** Kills the process if no case ends within the limit, and says which case it was. */
function watch(): { next(seed: number): void; stop(): Promise<number> } {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
     let last = -1, since = Date.now();
     const timer = setInterval(() => {
       const now = Atomics.load(workerData.shared, 0);
       if (now !== last) { last = now; since = Date.now(); }
       else if (Date.now() - since > workerData.limit) {
         require("node:fs").writeSync(2, "case " + last + " does not end\\n");
         process.kill(process.pid, "SIGKILL");
       }
     }, 250);
     parentPort.once("message", () => clearInterval(timer));`,
    { eval: true, workerData: { shared, limit: WATCHDOG_SECONDS * 1000 } },
  );
  return {
    next: (seed) => void Atomics.store(shared, 0, seed),
    stop: () => worker.terminate(),
  };
}

/** Poses what was loaded: a file that passed the loader must also be safe to use. */
function pose(data: SkeletonData): void {
  if (data.bones.length === 0) return;
  const skeleton = new Skeleton(data);
  try {
    skeleton.setupPose();
    for (const animation of data.animations.slice(0, 3)) {
      animation.apply(skeleton, -1, animation.duration / 2, false, [], 1, true, false, false, false);
      skeleton.update(1 / 60);
      skeleton.updateWorldTransform(Physics.update);
    }
  } finally {
    skeleton.dispose();
  }
}

describe("damaged files", () => {
  it(`${total} of them end in a skeleton or an OsteonError, with bounded work and no memory kept`, async () => {
    const { texts, trees, binaries, atlases } = sources();
    const atlas = new TextureAtlas("");
    let loaded = 0, refused = 0;
    // Scratch that all skeletons share is made by the first that are posed.
    for (const tree of trees) {
      const data = new SkeletonJson(atlas, { missing: "warn" }).readSkeletonData(tree);
      pose(data);
      data.dispose();
    }
    const mark = heap.usedBytes;
    const watchdog = watch();
    try {
      for (let seed = from; seed < from + total; seed++) {
        watchdog.next(seed);
        const r = new Random(seed);
        let loader: SkeletonLoader | undefined, bytes = 0;
        let data: SkeletonData | undefined;
        try {
          switch (r.int(4)) {
            case 0: {
              const text = mutateText(r, r.pick(texts));
              bytes = text.length;
              loader = new SkeletonJson(atlas, { missing: "warn" });
              data = (loader as SkeletonJson).readSkeletonData(text);
              break;
            }
            case 1: {
              const text = JSON.stringify(mutateTree(r, r.pick(trees)));
              bytes = text.length;
              loader = new SkeletonJson(atlas, { missing: "placeholder" });
              data = (loader as SkeletonJson).readSkeletonData(text);
              break;
            }
            case 2: {
              const damaged = mutateBytes(r, r.pick(binaries));
              bytes = damaged.length;
              loader = new SkeletonBinary(atlas, { missing: "warn" });
              data = (loader as SkeletonBinary).readSkeletonData(damaged);
              break;
            }
            default:
              expect(new TextureAtlas(mutateText(r, r.pick(atlases))).pages.length).toBeGreaterThanOrEqual(0);
          }
          loaded++;
          if (data !== undefined) pose(data);
        } catch (e) {
          if (!(e instanceof OsteonError)) throw new Error(`case ${seed}`, { cause: e });
          refused++;
        }
        data?.dispose();
        if (loader?.report != null) expect(loader.report.elements, `elements of case ${seed}`).toBeLessThanOrEqual(BASE_ELEMENTS + bytes * ELEMENTS_PER_BYTE);
        expect(heap.usedBytes, `bytes in use after case ${seed}`).toBe(mark);
      }
    } finally {
      await watchdog.stop();
    }
    expect(loaded + refused).toBe(total);
    expect(loaded).toBeGreaterThan(total / 10);
    expect(refused).toBeGreaterThan(total / 10);
  }, 3_600_000);

  it("small ones that ask for much are refused before the work is done", () => {
    const mesh = { type: "boundingbox", vertexCount: 5000, vertices: Array.from({ length: 10_000 }, () => 0) };
    const json = {
      bones: [{ name: "r" }],
      slots: [{ name: "s", bone: "r" }],
      skins: [{ name: "default", attachments: { s: { m: mesh } } }],
      // 13 bytes a key for 10,000 numbers each.
      animations: { x: { attachments: { default: { s: { m: { deform: Array.from({ length: 20_000 }, () => ({ vertices: [1] })) } } } } } },
    };
    const before = process.memoryUsage().rss;
    expect(() => new SkeletonJson(new TextureAtlas("")).readSkeletonData(JSON.stringify(json))).toThrow(/deform keys need too many elements/);
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  });

  it("deeply nested ones are no trouble", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const loader = new SkeletonJson(new TextureAtlas(""));
    expect(loader.readSkeletonData(`{"bones": [], "other": ${deep}}`).bones).toEqual([]);
    expect(() => loader.readSkeletonData(`{"bones": ${deep}}`)).toThrow(OsteonError);
    expect(() => loader.readSkeletonData("[".repeat(200_000))).toThrow(OsteonError);
  });
});
