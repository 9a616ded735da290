import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodePng } from "../../src/node/png.js";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";
import { sharedData } from "../shared-data.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const shared = sharedData("spine/4.3", "an export dropped on the page of crowds");
if (chromiumPath === undefined) console.log("skipped: the page of crowds (no Chromium found; name one in CHROMIUM)");
/** Where pictures go that somebody wants to look at. */
const pictures = process.env["OSTEON_PICTURES"];
const WIDTH = 800;
const HEIGHT = 500;

describe.skipIf(chromiumPath === undefined)("the page of crowds", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-crowd-page-"));
  let browser: Browser;
  let server: Server;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    await build({
      entryPoints: Object.fromEntries(["spine", "crowd", "render"].map((name) => [`${name}/index`, join(root, "src", name, "index.ts")])),
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*"], logLevel: "warning",
    });
    const fennel = "/examples/assets/fennel/fennel";
    const settings = { skeleton: `${fennel}.json`, atlas: `${fennel}.atlas`, animation: null, count: 2000, pages: ["fennel.png"] };
    const mounts = [{ prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder }];
    let port = 0;
    ({ server, port } = await serve(mounts, new Map([["/crowd.json", JSON.stringify(settings)]]), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    page.setDefaultTimeout(90_000);
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${port}/examples/crowd/`);
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until the page has reported after so many more frames. A picture of 2,000 takes seconds without a graphics card. */
  const frames = async (more: number): Promise<void> => {
    const before = Number(await page.evaluate("document.body.dataset.frames ?? 0"));
    await page.waitForFunction(`Number(document.body.dataset.frames ?? 0) >= ${before + more} || Number(document.body.dataset.frames ?? 0) < ${before}`);
  };
  const picture = async (name: string): Promise<Uint8Array | Uint8ClampedArray> => {
    const path = pictures === undefined ? undefined : join(pictures, `page-${name}.png`);
    const image = decodePng(await page.screenshot({ timeout: 240_000, ...(path === undefined ? {} : { path }) }));
    return image.data as Uint8Array;
  };
  const press = async (name: RegExp): Promise<void> => await page.getByRole("button", { name }).click();
  const counters = async (): Promise<string> => await page.locator("#counters").innerText();

  it("runs with 2,000 characters and complains of nothing", { timeout: 300_000 }, async () => {
    await frames(3);
    expect(problems).toEqual([]);
    expect(await page.locator("#shown").innerText()).toBe("2,000");
    const text = await counters();
    for (const name of ["frames a second", "posing", "a bone", "threads", "handing to the GPU"]) expect(text).toContain(name);
    expect(text).toMatch(/\d ns/);
    // The meadow, and a crowd in front of it: colours by the hundred.
    const pixels = await picture("live");
    const colors = new Set<number>();
    for (let i = 0; i + 3 < pixels.length; i += 4) colors.add((pixels[i]! << 16) | (pixels[i + 1]! << 8) | pixels[i + 2]!);
    expect(colors.size).toBeGreaterThan(2000);
  });

  it("changes what is going on when it is asked to: baked clips, physics, far ones, threads", { timeout: 300_000 }, async () => {
    await press(/baked/);
    await frames(2);
    expect(await counters()).toMatch(/baked, \d+ of \d+ clips/);
    await press(/baked/);
    await press(/spare the far ones/);
    await frames(2);
    expect(await page.locator("header").innerText()).toContain("less often");
    await press(/physics/);
    await press(/threads/);
    await frames(2);
    await picture("spared");
    await page.waitForFunction(`/threads\\s+[2-9]/.test(document.getElementById("counters").innerText)`);
    await press(/threads/);
    await press(/spare the far ones/);
    expect(problems).toEqual([]);
  });

  it("shows as many as the slider says, 100 to 20,000", { timeout: 300_000 }, async () => {
    const slide = async (value: number): Promise<string> => {
      await page.locator("#count").fill(String(value));
      return await page.locator("#count-text").innerText();
    };
    expect(await slide(1000)).toBe("20,000");
    expect(await slide(0)).toBe("100");
    await page.waitForFunction(`document.getElementById("shown").textContent === "100"`);
    await frames(3);
    await picture("hundred");
    expect(problems).toEqual([]);
  });

  it.skipIf(shared === undefined || !existsSync(join(shared, "spineboy")))("shows an export that is dropped on it, and says what is wrong with one", { timeout: 300_000 }, async () => {
    const drop = async (names: readonly string[]): Promise<void> => {
      const files = names.map((name) => ({ name, base64: readFileSync(join(shared!, "spineboy", name)).toString("base64") }));
      await page.evaluate((given) => {
        const transfer = new DataTransfer();
        for (const { name, base64 } of given) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true, bubbles: true }));
      }, files);
    };
    await drop(["spineboy-pro.json"]);
    await page.locator("#message").waitFor({ state: "visible" });
    expect(await page.locator("#message").innerText()).toContain("together");
    const pngs = readdirSync(join(shared!, "spineboy")).filter((name) => /^spineboy\d*\.png$/.test(name));
    await drop(["spineboy-pro.json", "spineboy.atlas", ...pngs]);
    await page.waitForFunction(`document.getElementById("rig").textContent.startsWith("67 bones")`);
    await frames(3);
    expect(await page.locator("#message").isHidden()).toBe(true);
    await picture("dropped");
    expect(problems).toEqual([]);
  });

  it.skipIf(shared === undefined || !existsSync(join(shared, "mix-and-match")))("shows files that are chosen, in skins that dress a whole character", { timeout: 300_000 }, async () => {
    await page.locator("#files").setInputFiles(["mix-and-match-pro.json", "mix-and-match.atlas", "mix-and-match.png"].map((name) => join(shared!, "mix-and-match", name)));
    await page.waitForFunction(`document.getElementById("rig").textContent.startsWith("143 bones")`);
    await frames(2);
    await picture("chosen");
    expect(await page.locator("#message").isHidden()).toBe(true);
    // Nothing swings on this rig.
    expect(await page.getByRole("button", { name: /physics/ }).isDisabled()).toBe(true);
    await page.setViewportSize({ width: 390, height: 700 });
    await frames(3);
    expect(await counters()).toMatch(/frames a second\s*[\d.]+\s*posing\s*[\d.]+ ms$/);
    await picture("phone");
    expect(problems).toEqual([]);
  });
});
