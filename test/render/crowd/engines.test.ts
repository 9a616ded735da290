import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../../browser.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The packages as their authors made them, installed beside the tests that need them. */
const packages: Record<string, string> = {
  three: join(root, "test/integrations/three/node_modules/three"), "pixi.js": join(root, "test/integrations/spine/node_modules/pixi.js"),
};
const missing = Object.keys(packages).filter((name) => !existsSync(packages[name]!));
const isPossible = chromiumPath !== undefined && missing.length === 0;
if (!isPossible) {
  console.log(`skipped: crowds in other engines (${chromiumPath === undefined ? "no Chromium found; name one in CHROMIUM" : `not installed under test/integrations: ${missing.join(", ")}`})`);
}
/** Where pictures go that somebody wants to look at. */
const pictures = process.env["OSTEON_PICTURES"];

interface Result {
  frames: { different: number; covered: number; square: number[] }[];
  square: number[];
}

describe.skipIf(!isPossible)("crowds in other engines", () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [join(root, "test/render/crowd/engines-page.js")], bundle: true, write: false, format: "esm", target: "es2022", platform: "browser",
      external: ["node:*"], alias: packages, logLevel: "error",
    });
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage({ viewport: { width: 520, height: 700 } });
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.route("http://localhost:9/**", async (route) => {
      const path = decodeURIComponent(new URL(route.request().url()).pathname).slice(1);
      if (path === "") return await route.fulfill({ contentType: "text/html", body: '<meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="page.js"></script>' });
      if (path === "page.js") return await route.fulfill({ contentType: "text/javascript", body: bundle.outputFiles[0]!.text });
      const file = join(root, "examples/assets", path);
      return existsSync(file) ? await route.fulfill({ path: file }) : await route.fulfill({ status: 404 });
    });
    await page.goto("http://localhost:9/");
    await page.waitForFunction(() => "run" in window);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  it.each(["three", "pixi"])("look in %s as CrowdRenderer draws them, over what the engine draws, frame after frame", { timeout: 180_000 }, async (name) => {
    problems.length = 0;
    const result = await page.evaluate(async (engine) => await (window as unknown as { run: (engine: string) => Promise<Result> }).run(engine), name);
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, `crowd-in-${name}.png`), fullPage: true });
      console.log(name, JSON.stringify(result));
    }
    expect(problems).toEqual([]);
    expect(result.frames).toHaveLength(2);
    for (const { different, covered, square } of result.frames) {
      expect(covered).toBeGreaterThan(0.1);
      expect(different).toBeLessThan(0.01);
      square.forEach((value, i) => expect(Math.abs(value - result.square[i]!)).toBeLessThanOrEqual(2));
    }
  });
});
