/**
 * How long does loading take, beside the official runtime?
 *
 * Skeleton data from the text of a JSON export or from the bytes of a binary one, with the atlas already read, for the 40
 * exports of 4.3. Ours includes compiling every animation to channels, which the official runtime does not do.
 * Figures: how many times as fast, medians of interleaved rounds.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as official from "@esotericsoftware/spine-core";
import { compiledFor } from "../src/spine/compile/cache.js";
import { AtlasAttachmentLoader, SkeletonBinary, SkeletonJson, TextureAtlas, Timeline, type SkeletonData } from "../src/spine/index.js";
import { builtIn } from "./lib/rigs.js";
import { geometricMean, median } from "./lib/race.js";

const ROUNDS = 9;
/** Milliseconds that a side works per round, at least. */
const ROUND_MS = 12;

const only = process.argv[process.argv.indexOf("--only") + 1];
const files = exports().filter((file) => !process.argv.includes("--only") || file.includes(only!));

function exports(): string[] {
  const folder = "../shared/data/spine/4.3";
  if (!existsSync(folder)) {
    console.log("The real exports are not here; loading the built-in character.");
    return builtIn().map((rig) => rig.json);
  }
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json")).toSorted().map((file) => join(folder, file));
}

/** The atlas whose name is the longest beginning of the skeleton's. */
function atlasText(path: string): string {
  const folder = dirname(path), name = basename(path);
  const fitting = readdirSync(folder).filter((file) => file.endsWith(".atlas") && name.startsWith(file.slice(0, -6)));
  return readFileSync(join(folder, fitting.toSorted((a, b) => b.length - a.length)[0]!), "utf8");
}

function compile(data: SkeletonData): void {
  for (const animation of data.animations) compiledFor(animation, animation.timelines, data, Timeline.prototype.apply);
}

interface Sides {
  own(): SkeletonData;
  peer(): unknown;
}

function sides(path: string, binary: boolean): Sides {
  const text = atlasText(path);
  const own = new AtlasAttachmentLoader(new TextureAtlas(text)), peer = new official.AtlasAttachmentLoader(new official.TextureAtlas(text));
  if (binary) {
    const bytes = new Uint8Array(readFileSync(path.replace(/json$/, "skel")));
    return { own: () => new SkeletonBinary(own).readSkeletonData(bytes), peer: () => new official.SkeletonBinary(peer).readSkeletonData(bytes) };
  }
  const json = readFileSync(path, "utf8");
  return { own: () => new SkeletonJson(own).readSkeletonData(json), peer: () => new official.SkeletonJson(peer).readSkeletonData(json) };
}

/** Milliseconds of one call, from as many as fill the time. */
function period(work: () => void): number {
  const start = performance.now();
  let calls = 0, now = start;
  do {
    work();
    calls++;
    now = performance.now();
  } while (now - start < ROUND_MS);
  return (now - start) / calls;
}

function measure(path: string, binary: boolean): { ratio: number; ownMs: number; peerMs: number; readOnly: number } {
  const { own, peer } = sides(path, binary);
  const complete = (): void => {
    const data = own();
    compile(data);
    data.dispose();
  };
  const read = (): void => void own();
  const theirs = (): void => void peer();
  const owns: number[] = [], peers: number[] = [], ratios: number[] = [], reads: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [complete, read, theirs] : [theirs, read, complete];
    const times = new Map(order.map((work) => [work, period(work)]));
    if (round < 0) continue;
    owns.push(times.get(complete)!);
    peers.push(times.get(theirs)!);
    ratios.push(times.get(theirs)! / times.get(complete)!);
    reads.push(times.get(theirs)! / times.get(read)!);
  }
  return { ratio: median(ratios), ownMs: median(owns), peerMs: median(peers), readOnly: median(reads) };
}

for (const binary of [false, true]) {
  console.log(`\n${binary ? "binary" : "JSON"}: times as fast with channels compiled, and read only`);
  const ratios: number[] = [], reads: number[] = [];
  for (const path of files) {
    if (binary && !existsSync(path.replace(/json$/, "skel"))) continue;
    const { ratio, readOnly, ownMs, peerMs } = measure(path, binary);
    ratios.push(ratio);
    reads.push(readOnly);
    console.log(`${basename(path, ".json").padEnd(36)} ${ratio.toFixed(2).padStart(6)} ${readOnly.toFixed(2).padStart(6)}   (${ownMs.toFixed(2)} ms, official ${peerMs.toFixed(2)} ms)`);
  }
  if (ratios.length > 0) console.log(`${"geometric mean".padEnd(36)} ${geometricMean(ratios).toFixed(2).padStart(6)} ${geometricMean(reads).toFixed(2).padStart(6)}`);
}
