import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";

/** What 10,000 frames of 24 characters look like, on every engine. Made by this very scene. */
const LONG = { characters: 24, frames: 10_000, hash: "e13c2c14" };
/** Enough characters to be shared among workers. */
const WIDE = { characters: 132, frames: 240, hash: "43c1637b" };

const folder = mkdtempSync(join(tmpdir(), "osteon-hash-"));
const bundle = join(folder, "hash-scene.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("hash-scene.ts", import.meta.url))], outfile: bundle, bundle: true, format: "esm", target: "es2022",
    platform: "neutral", loader: { ".atlas": "text" }, mainFields: ["module", "main"], logLevel: "warning",
  });
  // Pages are served modules by the name of script files.
  copyFileSync(bundle, join(folder, "hash-scene.js"));
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module">import { run } from "/hash-scene.js"; window.run = run;</script>');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inNode(scene: typeof LONG, workers: number, shared: boolean): { hash: string; shared: boolean } {
  const program = `import { run } from ${JSON.stringify(bundle)}; console.log(JSON.stringify(await run(${scene.characters}, ${scene.frames}, ${workers}, ${shared}))); process.exit(0);`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })) as { hash: string; shared: boolean };
}

test("10,000 frames have the committed hash", { timeout: 300_000 }, () => {
  expect(inNode(LONG, 0, true)).toEqual({ hash: LONG.hash, shared: true });
});

test.each([
  [0, false], [0, true], [1, true], [2, true], [4, true],
] as const)("%s workers, shared memory %s: the same bits", { timeout: 300_000 }, (workers, shared) => {
  expect(inNode(WIDE, workers, shared)).toEqual({ hash: WIDE.hash, shared });
});

if (chromiumPath === undefined) console.log("skipped: the hash of a crowd in Chromium (none found; name one in CHROMIUM)");
test.skipIf(chromiumPath === undefined).each([
  [false, 0, LONG], [true, 0, WIDE], [true, 1, WIDE],
] as const)("Chromium, cross-origin isolated %s, %s workers: the same bits", { timeout: 300_000 }, async (isolated, workers, scene) => {
  const { server, port } = await serve([{ prefix: "/", folder }], new Map(), 0, isolated);
  const browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/index.html`);
    await page.waitForFunction("window.run !== undefined");
    const result = await page.evaluate(
      ([characters, frames, count]) => (window as unknown as { run: (...args: number[]) => Promise<unknown> }).run(characters!, frames!, count!),
      [scene.characters, scene.frames, workers],
    );
    expect(result).toEqual({ hash: scene.hash, shared: isolated });
  } finally {
    await browser.close();
    server.close();
  }
});
