import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { encode } from "fast-png";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../../browser.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
if (chromiumPath === undefined) console.log("skipped: files and pictures in Chromium (none found; name one in CHROMIUM)");

/** Every alpha with colours that a canvas, which multiplies by it and back, does not keep. */
const PIXELS = Uint8Array.from({ length: 256 * 4 }, (_, i) => (i % 4 === 3 ? i >> 2 : (i * 37) & 255));

/** What runs in the page and in a worker: the pixels of the atlas, the frames, the names of errors. */
const PROBE = `
import { Animation, AnimIOError } from "/dist/anim.js";
export async function probe(base) {
  const anim = new Animation(), textures = [];
  const gfx = { newTextureFromImage: (image) => (textures.push(image), { getWidth: () => image.width, getHeight: () => image.height }) };
  const picture = await anim.newSpriteSheetFromSequence(gfx, { pattern: base + "wide{n}.png", count: 1, extrude: 0 });
  const atlas = await anim.newSpriteSheetFromAtlasJson(gfx, base + "wide0.png", base + "sheet.json");
  const spine = await anim.newSpineAtlasFromFile(base + "p.atlas");
  const errors = [];
  for (const load of [() => anim.newSpineAtlasFromFile(base + "nothing.atlas"), () => anim.newSpriteSheetFromSequence(gfx, base + "nothing{n}.png", 0, 1), () => anim.newSpriteSheetFromSequence(gfx, base + "text{n}.png", 0, 1)]) {
    await load().then(() => errors.push("none"), (error) => errors.push(error instanceof AnimIOError ? error.path.slice(base.length) : String(error)));
  }
  return { pixels: [...textures[1].data], visible: picture.getFrameWidth(0), frames: atlas.getFrameCount(), regions: spine.getRegionCount(), errors };
}`;

describe.skipIf(chromiumPath === undefined)("the host of a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-host-"));
  let browser: Browser, server: Server, page: Page;
  let base = "";

  beforeAll(async () => {
    await build({ entryPoints: { anim: join(root, "src/anim/index.ts") }, outdir: folder, bundle: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*"], logLevel: "error" });
    writeFileSync(join(folder, "probe.js"), PROBE);
    writeFileSync(join(folder, "worker.js"), `import { probe } from "./probe.js"; onmessage = async ({ data }) => postMessage(await probe(data).catch(String));`);
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>host</title>");
    writeFileSync(join(folder, "wide0.png"), encode({ width: 256, height: 1, channels: 4, depth: 8, data: PIXELS }));
    writeFileSync(join(folder, "text0.png"), "no picture");
    writeFileSync(join(folder, "sheet.json"), JSON.stringify({ frames: { a: { frame: { x: 0, y: 0, w: 256, h: 1 } } }, meta: { size: { w: 256, h: 1 } } }));
    writeFileSync(join(folder, "p.atlas"), "p.png\nsize: 4, 4\nr\nbounds: 0, 0, 1, 1\n");
    let port: number;
    ({ server, port } = await serve([{ prefix: "/dist/", folder }], new Map(), 0));
    base = `http://localhost:${port}/dist/`;
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage();
    await page.goto(`${base}index.html`, { timeout: 90_000 });
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const where of ["page", "worker"] as const) {
    it(`reads files, and pictures to the last bit of every alpha, in a ${where}`, { timeout: 120_000 }, async () => {
      const run = where === "page"
        ? `import(${JSON.stringify(`${base}probe.js`)}).then(({ probe }) => probe(${JSON.stringify(base)}))`
        : `new Promise((resolve) => { const worker = new Worker(${JSON.stringify(`${base}worker.js`)}, { type: "module" }); worker.onmessage = ({ data }) => resolve(data); worker.postMessage(${JSON.stringify(base)}); })`;
      const result = (await page.evaluate(run)) as { pixels: number[]; visible: number; frames: number; regions: number; errors: string[] };
      expect(result).toEqual({ pixels: [...PIXELS], visible: 255, frames: 1, regions: 1, errors: ["nothing.atlas", "nothing0.png", "text0.png"] });
    });
  }
});
