import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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
if (chromiumPath === undefined) console.log("skipped: the inspector page in Chromium (none found; name one in CHROMIUM)");

describe.skipIf(chromiumPath === undefined)("the inspector page", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-inspector-")), problems: string[] = [];
  let browser: Browser, server: Server, page: Page;

  beforeAll(async () => {
    await build({
      entryPoints: { "anim/index": join(root, "src/anim/index.ts"), "import/gltf/index": join(root, "src/import/gltf/index.ts") },
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*"], logLevel: "warning",
    });
    let port: number;
    ({ server, port } = await serve([{ prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder }], new Map(), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${port}/examples/inspector/`, { timeout: 90_000 });
    await until(() => ((window as any).shown ?? 0) > 2);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const until = (what: () => boolean): Promise<unknown> => page.waitForFunction(what, undefined, { timeout: 60_000 });
  const state = (): Promise<string> => page.evaluate(() => (window as any).inspected().state);

  /** Gives the page a file, as the button for files does. */
  const open = (name: string, text: string): Promise<void> => page.setInputFiles("#file", { name, mimeType: "application/json", buffer: Buffer.from(text) });

  it("walks off by itself, and follows its sliders and buttons", { timeout: 120_000 }, async () => {
    await until(() => (window as any).inspected().state === "move");
    await page.fill("#float-speed", "2.8");
    const before = await page.evaluate(() => (window as any).inspected().place);
    await until(() => (window as any).shown > 0 && (window as any).inspected().place.z > 1);
    expect(before).toBeDefined();
    await page.click("#parameters button:text('jump')");
    await until(() => (window as any).inspected().state === "jump");
    await until(() => (window as any).inspected().state === "move");
    await page.uncheck("#parameters input[type=checkbox]");
    await until(() => (window as any).inspected().state === "idle");
    expect(problems).toEqual([]);
  });

  it("takes JSON of machines and graphs, and says what is wrong with it", { timeout: 120_000 }, async () => {
    const json = JSON.parse(readFileSync(join(root, "examples/inspector/locomotion.json"), "utf8"));
    const graph = structuredClone(json.states.find((one: any) => one.graph !== undefined).graph);
    await open("graph.json", JSON.stringify(graph));
    await until(() => document.getElementById("note")!.textContent!.includes("graph.json runs"));
    expect(await state()).toBe("");
    graph.nodes[0].points[0].node = 77;
    await open("broken.json", JSON.stringify(graph));
    await until(() => document.getElementById("note")!.textContent!.includes("/nodes/0/points/0/node"));
    await open("machine.json", JSON.stringify(json));
    await until(() => document.getElementById("note")!.textContent!.includes("machine.json runs"));
    await until(() => (window as any).inspected().state !== "");
    expect(problems).toEqual([]);
  });
});
