import { basename, dirname, join, resolve } from "node:path";
import { Crowd } from "../crowd/index.js";
import { OsteonError } from "../errors.js";
import { writePng } from "./png.js";
import { Rasterizer } from "./rasterizer.js";
import { readSkeleton } from "./read-skeleton.js";
import { parseArguments } from "./start/arguments.js";
import { makeCast } from "./start/cast.js";
import { FRAME, measure, spawnCast } from "./start/measure.js";
import { officialCrowd } from "./start/official.js";
import { drawCrowd, paintBackdrop } from "./start/picture.js";
import { serve } from "./start/server.js";

export { serve };

/** The frame that the picture shows. */
const PICTURE_FRAME = 84;

/**
 * The program behind `npm start`: poses a crowd, says how fast, writes a picture, and serves the page on which it moves.
 * @param words - the command line, see `parseArguments`
 * @param root - folder of the repository
 * @returns the exit code, or null while the page is being served
 */
export async function start(words: readonly string[], root: string): Promise<number | null> {
  try {
    return await run(words, root);
  } catch (error) {
    if (!(error instanceof OsteonError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function run(words: readonly string[], root: string): Promise<number | null> {
  const wanted = parseArguments(words);
  const path = resolve(wanted.skeleton ?? join(root, "examples/assets/fennel/fennel.json"));
  const { data, atlas, atlasPath } = readSkeleton(path);
  const width = wanted.width, height = Math.round((width * 9) / 16);
  const cast = makeCast(data, wanted.count, width, height, wanted.animation);
  const bones = data.bones.length;
  const title = wanted.skeleton === null ? "fennel, the built-in character" : basename(path);
  console.log(`${title}: ${bones} bones, ${data.slots.length} slots, ${data.constraints.length} constraints, ${data.animations.length} animations`);

  const racing = new Crowd(data, { capacity: wanted.count });
  const official = wanted.compare ? await officialCrowd(path, atlasPath, cast) : "not asked for";
  const result = measure(data, racing, spawnCast(racing, cast), typeof official === "string" ? null : official, 9);
  racing.dispose();
  report(wanted.count, bones, result.crowdMs);
  if (result.officialMs === null) console.log(`  (no comparison: ${official as string})`);
  else {
    console.log(`  official runtime, ${text(wanted.count)} skeletons, same run: ${milliseconds(result.officialMs)} a frame; osteon is ${(result.officialMs / result.crowdMs).toFixed(1)} times as fast`);
    console.log(`  checked: bones of both agree within ${result.difference!.toPrecision(2)} units`);
  }

  // The picture shows one moment, whatever the race took: the same pixels on every machine.
  const crowd = new Crowd(data, { capacity: wanted.count });
  const ids = spawnCast(crowd, cast);
  for (let i = 0; i < PICTURE_FRAME; i++) crowd.update(FRAME);
  const raster = new Rasterizer(width, height);
  paintBackdrop(raster);
  drawCrowd(raster, data, crowd, ids, cast, PICTURE_FRAME * FRAME);
  writePng(wanted.picture, raster.toPixels());
  console.log(`  wrote ${wanted.picture}: all ${text(wanted.count)} of them`);
  crowd.dispose();
  if (wanted.once) return 0;

  const settings = {
    skeleton: `/export/${basename(path)}`, atlas: `/export-atlas/${basename(atlasPath)}`, animation: wanted.animation,
    count: wanted.count, pages: atlas.pages.map((page) => page.name),
  };
  const { port } = await serve(
    [
      { prefix: "/", folder: join(root, "examples/crowd") }, { prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder: join(root, "dist") },
      { prefix: "/export/", folder: dirname(path) }, { prefix: "/export-atlas/", folder: dirname(atlasPath) },
      { prefix: "/node_modules/", folder: join(root, "node_modules") },
    ],
    new Map([
      ["/crowd.json", JSON.stringify(settings)],
      ["/", `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/examples/crowd/index.html"><a href="/examples/crowd/index.html">The crowd</a>`],
    ]),
    wanted.port,
  );
  console.log(`  see them move: http://localhost:${port}/`);
  console.log(`  and all the other pages: http://localhost:${port}/examples/  (Ctrl-C ends)`);
  return null;
}

function report(count: number, bones: number, ms: number): void {
  const perSkeleton = (ms * 1000) / count, perBone = (perSkeleton * 1000) / bones;
  console.log(
    `  posed ${text(count)} of them in ${milliseconds(ms)} a frame, on one thread: ${text(Math.round((1000 / ms) * count))} poses a second, ` +
      `${perSkeleton.toFixed(2)} µs a skeleton, ${perBone.toFixed(1)} ns a bone`,
  );
}

const text = (value: number) => value.toLocaleString("en-US");
const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
