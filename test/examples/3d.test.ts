import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodePng } from "../../src/node/png.js";
import { serve } from "../../src/node/start/server.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../browser.js";
import { smallBvh } from "../import/small-bvh.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
if (chromiumPath === undefined) console.log("skipped: the page of 3D characters in Chromium (none found; name one in CHROMIUM)");

const BVH = smallBvh("0 1 0 0 0 0 0 0 0", "0 1 0.1 20 0 0 0 30 0", "0 1 0.2 0 0 0 0 0 0");

describe.skipIf(chromiumPath === undefined)("the page of 3D characters", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-3d-"));
  let browser: Browser, server: Server, page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    // As the package is built: the glTF decoder stays outside, the page's import map finds it.
    const entries = ["anim", "crowd", "render", "import/gltf", "import/bvh", "import/fbx"];
    await build({
      entryPoints: Object.fromEntries(entries.map((name) => [`${name}/index`, join(root, "src", name, "index.ts")])),
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*", "@gltf-transform/core"], logLevel: "error",
    });
    const mounts = [{ prefix: "/examples/", folder: join(root, "examples") }, { prefix: "/dist/", folder }, { prefix: "/node_modules/", folder: join(root, "node_modules") }];
    let port: number;
    ({ server, port } = await serve(mounts, new Map(), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    page = await browser.newPage({ viewport: { width: 900, height: 560 } });
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${port}/examples/3d/`, { timeout: 90_000 });
    await frames(2).catch((error: Error) => expect.fail(`${error.message} ${problems.join("\n")}`));
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const frames = async (more: number): Promise<void> => {
    const before = await page.evaluate(() => (globalThis as any).shown ?? 0);
    await page.waitForFunction((count) => ((globalThis as any).shown ?? 0) >= count, before + more, { timeout: 90_000 });
  };
  const text = (id: string): Promise<string> => page.evaluate((name) => document.getElementById(name)!.textContent!, id);
  const drop = (name: string, bytes: number[]): Promise<void> => page.evaluate(([file, list]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(list)], file));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [name, bytes] as const);
  const picture = async (name: string): Promise<Uint8Array> => {
    const png = await page.screenshot({ timeout: 90_000, ...(process.env["OSTEON_PICTURES"] === undefined ? {} : { path: join(process.env["OSTEON_PICTURES"], `${name}.png`) }) });
    return Uint8Array.from(decodePng(png).data);
  };
  /** Colours right of the panel, coarsely. */
  const colors = (pixels: Uint8Array): number => {
    const seen = new Set<number>();
    for (let y = 0; y < 560; y += 2) {
      for (let x = 300; x < 900; x += 2) {
        const i = (y * 900 + x) * 4;
        seen.add((pixels[i]! >> 3 << 10) | (pixels[i + 1]! >> 3 << 5) | (pixels[i + 2]! >> 3));
      }
    }
    return seen.size;
  };

  it("shows 2,000 bipeds", { timeout: 120_000 }, async () => {
    await page.fill("#count", "2000");
    await frames(2);
    const pixels = await picture("3d-crowd");
    expect(problems).toEqual([]);
    expect(await text("population")).toBe("2,000");
    expect(Number((await text("seen")).replace(",", ""))).toBeGreaterThan(100);
    // The ground; shadows and characters at up to three distances.
    expect(Number(await text("calls"))).toBeLessThanOrEqual(7);
    expect(colors(pixels)).toBeGreaterThan(200);
    await page.fill("#count", "300");
    await page.click("#compiled");
    await frames(2);
    expect(await text("population")).toBe("300");
    expect(problems).toEqual([]);
  });

  it("shows one with its skeleton, fades to other clips, moves by root motion", { timeout: 120_000 }, async () => {
    await page.click("#one");
    await frames(3);
    const first = await picture("3d-one");
    expect(colors(first)).toBeGreaterThan(40);
    await page.selectOption("#clip", { label: "run" });
    await frames(4);
    const second = await picture("3d-run");
    expect(second.some((value, i) => Math.abs(value - first[i]!) > 40)).toBe(true);
    await page.waitForFunction(() => document.getElementById("event")!.textContent!.includes("step"), undefined, { timeout: 60_000 });
    for (const id of ["#root", "#bones", "#skin"]) await page.click(id);
    await frames(2);
    for (const id of ["#root", "#bones", "#skin"]) await page.click(id);
    expect(problems).toEqual([]);
  });

  it("takes files that are dropped on it, and says what is wrong with others", { timeout: 120_000 }, async () => {
    await drop("own.bvh", [...new TextEncoder().encode(BVH)]);
    await page.waitForFunction(() => document.getElementById("joints")!.textContent === "3", undefined, { timeout: 60_000 });
    await frames(2);
    await drop("again.glb", [...readFileSync(join(root, "examples/assets/biped.glb"))]);
    await page.waitForFunction(() => document.getElementById("joints")!.textContent !== "3", undefined, { timeout: 60_000 });
    await frames(2);
    expect(problems).toEqual([]);
    await drop("broken.glb", [1, 2, 3]);
    await page.waitForFunction(() => !document.getElementById("message")!.hidden, undefined, { timeout: 60_000 });
    expect(await text("message")).toContain("broken.glb");
    await drop("own.bvh", [...new TextEncoder().encode(BVH)]);
    await page.waitForFunction(() => document.getElementById("message")!.hidden, undefined, { timeout: 60_000 });
  });
});
