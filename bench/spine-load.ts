/**
 * How long does loading take, beside the official runtime?
 *
 * Skeleton data from the text of a JSON export or from the bytes of a binary one, with the atlas already read, for the 40
 * exports of 4.3. Ours includes compiling every animation to channels, which the official runtime does not do.
 * Figures: how many times as fast, from the medians of interleaved rounds, after a warm-up.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as official from "@esotericsoftware/spine-core";
import { compiledFor } from "../src/spine/compile/cache.js";
import { AtlasAttachmentLoader, SkeletonBinary, SkeletonJson, TextureAtlas, Timeline, type SkeletonData, writeSkeletonBinary } from "../src/spine/index.js";
import { builtIn } from "./lib/rigs.js";
import { geometricMean, median } from "./lib/race.js";

const ROUNDS = 15;
const WARM_UP = 6;
/** Milliseconds that a side works per round, about. */
const ROUND_MS = 20;
/** Loads that a round keeps, at most. */
const MOST_CALLS = 20;

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

/** The binary export beside a JSON one; one that osteon writes where there is none. */
function binaryOf(path: string, loader: AtlasAttachmentLoader): Uint8Array {
  const file = path.replace(/json$/, "skel");
  if (existsSync(file)) return new Uint8Array(readFileSync(file));
  return writeSkeletonBinary(new SkeletonJson(loader).readSkeletonData(readFileSync(path, "utf8")));
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
    const bytes = binaryOf(path, own);
    return { own: () => new SkeletonBinary(own).readSkeletonData(bytes), peer: () => new official.SkeletonBinary(peer).readSkeletonData(bytes) };
  }
  const json = readFileSync(path, "utf8");
  return { own: () => new SkeletonJson(own).readSkeletonData(json), peer: () => new official.SkeletonJson(peer).readSkeletonData(json) };
}

/** Milliseconds of one call. What is loaded is kept meanwhile, as it is by whoever loads it, and dropped after. */
function period(work: () => unknown, calls: number): number {
  const kept: unknown[] = [];
  const start = performance.now();
  for (let i = 0; i < calls; i++) kept.push(work());
  const ms = (performance.now() - start) / calls;
  for (const item of kept) (item as { dispose?: () => void }).dispose?.();
  return ms;
}

/**
 * Medians of interleaved rounds.
 *
 * The collector runs when it likes and is paid by whom it interrupts. Forced before each round it would find none of the
 * loaded objects alive and throw away, with their shapes, the optimised code of both sides.
 */
async function measure(path: string, binary: boolean): Promise<{ complete: number; read: number; peer: number }> {
  const { own, peer } = sides(path, binary);
  const complete = (): SkeletonData => {
    const data = own();
    compile(data);
    return data;
  };
  const work = { complete, read: own, peer };
  const times = { complete: [] as number[], read: [] as number[], peer: [] as number[] };
  const calls = { complete: 4, read: 4, peer: 4 };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const names = (round % 2 === 0 ? ["complete", "read", "peer"] : ["peer", "read", "complete"]) as (keyof typeof work)[];
    for (const name of names) {
      // Weak references keep their targets until the job ends, so each measurement is a job of its own.
      await new Promise(setImmediate);
      const ms = period(work[name], calls[name]);
      if (round >= 0) times[name].push(ms);
      else calls[name] = Math.max(2, Math.min(MOST_CALLS, Math.ceil(ROUND_MS / ms)));
    }
  }
  return { complete: median(times.complete), read: median(times.read), peer: median(times.peer) };
}

for (const binary of [false, true]) {
  console.log(`\n${binary ? "binary" : "JSON"}: times as fast with channels compiled, and read only`);
  const ratios: number[] = [], reads: number[] = [];
  for (const path of files) {
    const { complete, read, peer } = await measure(path, binary);
    ratios.push(peer / complete);
    reads.push(peer / read);
    console.log(`${basename(path, ".json").padEnd(36)} ${(peer / complete).toFixed(2).padStart(6)} ${(peer / read).toFixed(2).padStart(6)}   (${complete.toFixed(2)} ms, official ${peer.toFixed(2)} ms)`);
  }
  if (ratios.length > 0) console.log(`${"geometric mean".padEnd(36)} ${geometricMean(ratios).toFixed(2).padStart(6)} ${geometricMean(reads).toFixed(2).padStart(6)}`);
}
