import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodePng } from "../../src/node/png.js";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
if (chromiumPath === undefined) console.log("skipped: the crowd page in Chromium (none found; name one in CHROMIUM)");

const folder = mkdtempSync(join(tmpdir(), "osteon-page-"));
let browser: Browser | undefined;

/** The page's modules over the sources as they are now, not over what was built last. */
async function bundlePage(): Promise<void> {
  await build({
    entryPoints: [join(root, "examples/crowd/main.js")], outfile: join(folder, "main.js"), bundle: true, format: "esm", target: "es2022", platform: "browser", logLevel: "warning",
    external: ["node:*"],
    plugins: [{
      name: "sources",
      setup(on) {
        on.onResolve({ filter: /\/dist\/[a-z]+\/index\.js$/ }, ({ path }) => ({ path: join(root, "src", /dist\/([a-z]+)\//.exec(path)![1]!, "index.ts") }));
      },
    }],
  });
}

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  await bundlePage();
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: CHROMIUM_ARGUMENTS,
  });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Drops an export on the page as a visitor does, first an incomplete one, and tries the switches. */
async function dropAndSwitch(page: Page): Promise<void> {
  const drop = (names: string[]) => page.evaluate(async (list) => {
    const transfer = new DataTransfer();
    for (const name of list) transfer.items.add(new File([await (await fetch(`/assets/fennel/${name}`)).blob()], name.replace("fennel.json", "copy.json")));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, names);
  await drop(["fennel.json", "fennel.png"]);
  await page.waitForFunction(() => document.getElementById("message")!.textContent!.includes(".atlas"), undefined, { timeout: 30_000 });
  await drop(["fennel.json", "fennel.atlas", "fennel.png"]);
  await page.waitForFunction(() => document.getElementById("message")!.hidden, undefined, { timeout: 60_000 });
  await page.evaluate(() => {
    document.getElementById("panel")!.style.display = "";
    for (const button of document.querySelectorAll<HTMLButtonElement>("#switches button")) button.click();
  });
  const before = Number(await page.evaluate(() => document.body.dataset["frames"]));
  await page.waitForFunction((frames) => Number(document.body.dataset["frames"]) !== frames, before, { timeout: 60_000 });
  expect(await page.locator("#message").textContent()).toBe("");
  expect(await page.locator("#counters").textContent()).toMatch(/baked, \d+ of 14 clips/);
}

describe.skipIf(chromiumPath === undefined)("the crowd page", () => {
  it.each([[true], [false]])("moves a crowd without a console message, cross-origin isolated: %s", async (isolated) => {
    const settings = { skeleton: "/assets/fennel/fennel.json", atlas: "/assets/fennel/fennel.atlas", animation: null, count: 24 };
    const { server, port } = await serve(
      [{ prefix: "/page/", folder: join(root, "examples/crowd") }, { prefix: "/assets/", folder: join(root, "examples/assets") }],
      new Map([["/crowd.json", JSON.stringify(settings)]]), 0, isolated,
    );
    const page = await browser!.newPage({ viewport: { width: 640, height: 360 } });
    try {
      const messages: string[] = [];
      page.on("console", (message) => {
        // Software drawing makes the browser complain about read-backs; that is about the machine, not about the page.
        if (!/GPU stall|GL Driver Message/.test(message.text())) messages.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => messages.push(error.message));
      await page.route("**/page/main.js", (route) => route.fulfill({ path: join(folder, "main.js"), contentType: "text/javascript" }));
      await page.goto(`http://localhost:${port}/page/index.html`);
      await page.waitForFunction(() => Number(document.body.dataset["frames"] ?? 0) >= 3, undefined, { timeout: 90_000 });
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated);
      expect(await page.locator("#shown").textContent()).toBe("24");
      expect(await page.locator("#message").isHidden()).toBe(true);

      await page.evaluate(() => (document.getElementById("panel")!.style.display = "none"));
      const shot = async () => decodePng(await page.screenshot()).data;
      const crowded = await shot();
      await page.waitForTimeout(400);
      const later = await shot();
      await page.evaluate(() => (document.getElementById("crowd")!.style.display = "none"));
      const empty = await shot();
      const changed = (a: Uint8Array, b: Uint8Array) => a.reduce((count, v, i) => count + (Math.abs(v - b[i]!) > 24 ? 1 : 0), 0) / a.length;
      // The characters cover a good part of the meadow, and they do not stand still.
      expect(changed(crowded, empty)).toBeGreaterThan(0.03);
      expect(changed(crowded, later)).toBeGreaterThan(0.002);
      if (isolated) await dropAndSwitch(page);
      expect(messages).toEqual([]);
    } finally {
      await page.close();
      server.close();
    }
  }, 240_000);
});
