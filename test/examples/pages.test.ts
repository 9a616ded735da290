import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodePng } from "../../src/node/png.js";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = readdirSync(join(root, "examples")).filter((name) => existsSync(join(root, "examples", name, "index.html")));
const gallery = readFileSync(join(root, "examples/index.html"), "utf8");
if (chromiumPath === undefined) console.log("skipped: the example pages in Chromium (none found; name one in CHROMIUM)");

describe("the gallery of examples", () => {
  it.each(pages)("links %s, with a picture of it", (name) => {
    expect(gallery).toContain(`href="./${name}/"><img src="./shared/pictures/${name}.jpg"`);
    expect(existsSync(join(root, `examples/shared/pictures/${name}.jpg`))).toBe(true);
  });

  it("links nothing that is not there", () => {
    const links = [...gallery.matchAll(/href="\.\/([\w-]+)\/"/g)].map(([, name]) => name);
    expect(links.toSorted()).toEqual(pages.toSorted());
  });
});

describe.skipIf(chromiumPath === undefined)("the example pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-examples-"));
  let browser: Browser;
  // One for all pages: a context of its own takes each page half a second more.
  let context: BrowserContext;
  let server: Server;
  let port = 0;

  beforeAll(async () => {
    // The modules over the sources as they are now, not over what was built last.
    const entries = ["spine", "anim", "crowd", "render", "import/gltf", "import/bvh", "import/fbx"];
    await build({
      entryPoints: Object.fromEntries(entries.map((name) => [`${name}/index`, join(root, "src", name, "index.ts")])),
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*", "@gltf-transform/core"], logLevel: "warning",
    });
    const mounts = [{ prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder }, { prefix: "/node_modules/", folder: join(root, "node_modules") }];
    const fennel = "/examples/assets/fennel/fennel";
    const settings = { skeleton: `${fennel}.json`, atlas: `${fennel}.atlas`, animation: null, count: 200, pages: ["fennel.png"] };
    ({ server, port } = await serve(mounts, new Map([["/crowd.json", JSON.stringify(settings)]]), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    context = await browser.newContext({ viewport: { width: 480, height: 320 } });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(["", ...pages.map((name) => `${name}/`)])("examples/%s shows something and complains of nothing", { timeout: 120_000 }, async (path) => {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    const answer = await page.goto(`http://localhost:${port}/examples/${path}`, { timeout: 90_000 });
    expect(answer!.status()).toBe(200);
    let colors = 0;
    for (let i = 0; i < 60 && colors < 24 && problems.length === 0; i++) {
      if (i > 0) await page.waitForTimeout(100);
      colors = distinctColors(decodePng(await page.screenshot({ timeout: 60_000 })).data);
    }
    expect(problems).toEqual([]);
    expect(colors).toBeGreaterThanOrEqual(24);
    await page.close();
  });
});

function distinctColors(pixels: ArrayLike<number>): number {
  const seen = new Set<number>();
  for (let i = 0; i + 3 < pixels.length; i += 4 * 7) seen.add((pixels[i]! << 16) | (pixels[i + 1]! << 8) | pixels[i + 2]!);
  return seen.size;
}
