import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
if (chromiumPath === undefined) console.log("skipped: the pages of sprites, trails, motions and eases on a phone (no Chromium found; name one in CHROMIUM)");

/** What is done on each page, and what it shows then. */
const PAGES: Record<string, (page: Page) => Promise<void>> = {
  sprites: async (page) => {
    await page.fill("#count", "60");
    expect(await page.textContent("#players")).toBe("60");
    await page.click("#once");
    await page.fill("#speed", "-1");
    await page.click("#curve");
    await page.fill("#count", "90");
    await page.waitForFunction(() => Number(document.getElementById("steps")!.textContent!.replace(",", "")) > 0, undefined, { timeout: 60_000 });
    expect(await page.getAttribute("#curve", "aria-pressed")).toBe("true");
  },
  trails: async (page) => {
    for (const law of ["spring", "pd", "secondOrder"]) await page.selectOption("#law", law);
    await page.fill("#z", "0");
    await page.fill("#r", "-2");
    await page.click("#rate");
    await page.click("#punch");
    await page.mouse.click(120, 160);
    await page.mouse.move(260, 240, { steps: 4 });
  },
  motions: async (page) => {
    await page.selectOption("#ease", "outBounce");
    await page.fill("#speed", "0.2");
    await page.click("#again");
    await page.waitForFunction(() => document.getElementById("count")!.textContent === "64,000", undefined, { timeout: 60_000 });
  },
  easings: async (page) => {
    expect(await page.locator("figure").count()).toBe(35);
    await page.hover("figure:nth-child(5)");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    // All cards are of one size, and the last one is painted, too.
    const widths = await page.evaluate(() => [...document.querySelectorAll("figure")].map((figure) => Math.round(figure.getBoundingClientRect().width)));
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    await page.waitForFunction(() => {
      const canvas = [...document.querySelectorAll("canvas")].at(-1)!;
      return canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
    }, undefined, { timeout: 60_000 });
  },
};

describe.skipIf(chromiumPath === undefined)("on a phone", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-flat-"));
  let browser: Browser, server: Server, port = 0;

  beforeAll(async () => {
    await build({
      entryPoints: Object.fromEntries(["anim", "render"].map((name) => [`${name}/index`, join(root, "src", name, "index.ts")])),
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*"], logLevel: "error",
    });
    ({ server, port } = await serve([{ prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder }], new Map(), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(PAGES))("examples/%s has its stage above its sheet, nothing at the sides, and answers", { timeout: 180_000 }, async (name) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true });
    const page = await context.newPage(), problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${port}/examples/${name}/`, { timeout: 90_000 });
    await PAGES[name]!(page);
    await page.waitForTimeout(300);
    expect(problems).toEqual([]);
    const layout = await page.evaluate(() => {
      const panel = document.getElementById("panel")?.getBoundingClientRect(), stage = document.getElementById("stage")?.getBoundingClientRect();
      return { width: document.documentElement.scrollWidth, panelTop: panel?.top ?? Infinity, panelBottom: panel?.bottom ?? 0, stageBottom: stage?.bottom ?? 0, stageWidth: stage?.width ?? 390 };
    });
    expect(layout.width).toBe(390);
    expect(layout.stageWidth).toBe(390);
    expect(layout.stageBottom).toBeLessThanOrEqual(layout.panelTop + 4);
    expect(layout.panelBottom).toBeLessThanOrEqual(700);
    await context.close();
  });
});
