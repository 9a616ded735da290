import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { decode } from "fast-png";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.log(`skipped: the page of skeletons (no browser at ${executablePath})`);

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".png": "image/png" };

describe.skipIf(!hasBrowser)("the page of skeletons", () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "osteon-"));
    await build({
      entryPoints: { "spine/index": join(root, "src/spine/index.ts"), "render/index": join(root, "src/render/index.ts") },
      outdir: folder, bundle: true, splitting: true, format: "esm", target: "es2022", platform: "browser",
    });
    server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url!, "http://localhost").pathname);
      const file = path.startsWith("/dist/") ? join(folder, path.slice(6)) : join(root, path);
      if (path.includes("..") || !existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    browser = await chromium.launch({
      executablePath,
      args: [
        "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
        "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ],
    });
    page = await browser.newPage({ viewport: { width: 700, height: 420 } });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${(server.address() as { port: number }).port}/examples/spine/index.html`);
    await frames(1);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const frames = async (more: number): Promise<void> => {
    const before = await page.evaluate(() => (window as any).shown ?? 0);
    await page.waitForFunction((until) => ((window as any).shown ?? 0) >= until, before + more, { timeout: 50_000 });
  };

  /** Number of colours to the right of the panel. */
  const colors = async (): Promise<number> => {
    const image = decode(await page.screenshot({ clip: { x: 280, y: 0, width: 420, height: 420 } }));
    const seen = new Set<number>();
    for (let i = 0; i < image.data.length; i += image.channels) seen.add((image.data[i]! << 16) | (image.data[i + 1]! << 8) | image.data[i + 2]!);
    return seen.size;
  };

  it("shows the built-in character with WebGL2, with all layers, and with Canvas2D", { timeout: 120_000 }, async () => {
    expect(await colors()).toBeGreaterThan(500);
    expect(Number(await page.textContent("#calls"))).toBeGreaterThan(0);
    expect(Number(await page.textContent("#vertices"))).toBeGreaterThan(100);
    for (const box of await page.$$("#layers input")) await box.check();
    await frames(1);
    expect(await colors()).toBeGreaterThan(500);
    await page.click("#renderer");
    await frames(1);
    expect(await page.textContent("#calls")).toBe("–");
    expect(await colors()).toBeGreaterThan(500);
    await page.selectOption("#animation", "run");
    await page.selectOption("#skin", { index: 2 });
    await frames(1);
    expect(problems).toEqual([]);
    expect(await page.isHidden("#message")).toBe(true);
  });
});
