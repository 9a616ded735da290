import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../../browser.js";
import { sharedData } from "../../shared-data.js";
import type { Comparison, Scene } from "./crowd-page.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const shared = sharedData("spine/4.3", "crowds of real exports against skeletons");
if (chromiumPath === undefined) console.log("skipped: crowds in WebGL2 (no Chromium found; name one in CHROMIUM)");

/** Where pictures go that somebody wants to look at. */
const pictures = process.env["OSTEON_PICTURES"];

const FENNEL: Scene = {
  folder: "fennel", skeleton: "fennel.json", atlas: "fennel.atlas", animations: ["idle", "walk", "run", "jump", "wave", "blink"],
  skins: ["ember", "frost"], count: 12, frames: 9,
};
const REAL: Scene[] = [
  { folder: "spineboy", skeleton: "spineboy-pro.json", atlas: "spineboy.atlas", animations: ["walk", "shoot", "portal", "hoverboard", "death"], skins: [null], count: 12, frames: 16 },
  { folder: "goblins", skeleton: "goblins-pro.json", atlas: "goblins.atlas", animations: ["walk"], skins: ["goblin", "goblingirl"], count: 12, frames: 9 },
  { folder: "raptor", skeleton: "raptor-pro.json", atlas: "raptor.atlas", animations: ["walk", "roar", "jump"], skins: [null], count: 8, frames: 12 },
  { folder: "tank", skeleton: "tank-pro.json", atlas: "tank.atlas", animations: ["drive", "shoot"], skins: [null], count: 6, frames: 9 },
  { folder: "alien", skeleton: "alien-pro.json", atlas: "alien.atlas", animations: ["death", "run", "hit"], skins: [null], count: 9, frames: 9, fadeTo: "jump" },
  { folder: "snowglobe", skeleton: "snowglobe-pro.json", atlas: "snowglobe.atlas", animations: ["idle", "shake"], skins: [null], count: 4, frames: 9 },
  { folder: "alien", skeleton: "alien-pro.json", atlas: "alien.atlas", animations: ["death"], skins: [null], count: 9, frames: 9, fadeTo: "death", interrupt: true },
  // Its slider keys colours and deforms.
  { folder: "diamond", skeleton: "diamond-pro.json", atlas: "diamond.atlas", animations: ["idle-rotating", "idle-rotating-alt-shape", "appear"], skins: [null], count: 6, frames: 9 },
  { folder: "owl", skeleton: "owl-pro.json", atlas: "owl.atlas", animations: ["idle", "left", "up"], skins: [null], count: 8, frames: 9, overlay: "blink" },
];

describe.skipIf(chromiumPath === undefined)("CrowdRenderer", () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [join(root, "test/render/crowd/crowd-page.ts")], bundle: true, write: false, format: "esm", target: "es2022", platform: "browser", external: ["node:*"],
    });
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage({ viewport: { width: 760, height: 1100 } });
    page.on("console", (message) => {
      if (!/GPU stall|GL Driver Message/.test(message.text())) problems.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.route("http://localhost:9/**", async (route) => {
      const path = decodeURIComponent(new URL(route.request().url()).pathname).slice(1);
      if (path === "") return await route.fulfill({ contentType: "text/html", body: '<meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="page.js"></script>' });
      if (path === "page.js") return await route.fulfill({ contentType: "text/javascript", body: bundle.outputFiles[0]!.text });
      const file = path.startsWith("fennel/") ? join(root, "examples/assets", path) : join(shared ?? root, path);
      return existsSync(file) ? await route.fulfill({ path: file }) : await route.fulfill({ status: 404 });
    });
    await page.goto("http://localhost:9/");
    await page.waitForFunction(() => "compare" in window);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  const compare = async (scene: Scene, name: string): Promise<Comparison> => {
    problems.length = 0;
    const result = await page.evaluate(async (given) => await (window as unknown as { compare: (scene: Scene) => Promise<Comparison> }).compare(given), scene);
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, `${name}.png`) });
      console.log(name, JSON.stringify(result));
    }
    expect(problems).toEqual([]);
    return result;
  };

  const SCENES: [string, Scene][] = [
    ["attachments, draw orders, deforms and clips of both skins", FENNEL],
    ["cross-fades", { ...FENNEL, fadeTo: "wave", animations: ["idle", "run", "jump"], frames: 7 }],
    ["fades that interrupt fades", { ...FENNEL, fadeTo: "wave", animations: ["jump", "run", "mood"], frames: 9, interrupt: true }],
    ["overlays", { ...FENNEL, overlay: "blink", animations: ["idle", "run", "walk"], frames: 5 }],
    ["slots that multiply and screen", { ...FENNEL, blends: { coat: 2, hair: 3 } }],
  ];

  it.each(SCENES)("shows what skeletons show: %s", { timeout: 120_000 }, async (name, scene) => {
    const { different, covered, drawn } = await compare(scene, name);
    expect(drawn).toBe(12);
    expect(covered).toBeGreaterThan(0.1);
    expect(different).toBeLessThan(0.01);
  });

  it("shares one call between characters of all looks", { timeout: 120_000 }, async () => {
    const { drawCalls } = await compare(FENNEL, "calls");
    expect(drawCalls).toBe(1);
  });

  it("shows what skeletons show: more draw orders than one mesh can tell apart", { timeout: 120_000 }, async () => {
    const { different, covered, drawCalls } = await compare({ ...FENNEL, orders: 24 }, "orders");
    expect(covered).toBeGreaterThan(0.1);
    expect(different).toBeLessThan(0.01);
    // Some have one that the mesh knows, others are drawn slot by slot.
    expect(drawCalls).toBeGreaterThan(30);
    expect(drawCalls).toBeLessThan(12 * 32);
  });

  it("leaves out what lies outside the rectangle, and nothing that reaches into it", { timeout: 120_000 }, async () => {
    const { different, covered, drawn } = await compare({ ...FENNEL, cull: true }, "cull");
    expect(drawn).toBeLessThan(12);
    expect(covered).toBeGreaterThan(0.05);
    expect(different).toBeLessThan(0.01);
  });

  it.skipIf(shared === undefined).each(REAL.map((scene) => [`${scene.skeleton}${scene.interrupt === true ? ", interrupted" : ""}`, scene] as const))("shows what skeletons show: %s", { timeout: 120_000 }, async (name, scene) => {
    const { different, covered } = await compare(scene, name);
    expect(covered).toBeGreaterThan(0.03);
    expect(different).toBeLessThan(0.01);
  });
});
