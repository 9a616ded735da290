import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AnimSkeleton, AnimSkin } from "../../../src/anim/index.js";
import { Crowd3D } from "../../../src/crowd/index.js";
import { ArgumentError } from "../../../src/errors.js";
import { serve } from "../../../src/node/start/server.js";
import { Crowd3DRenderer } from "../../../src/render/index.js";
import { figureArrays } from "../../../src/render/crowd3d/figure-mesh.js";
import { frustumPlanes } from "../../../src/render/crowd3d/sphere.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../../browser.js";
import type { Report } from "./crowd3d-page.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const three = join(root, "test/integrations/three/node_modules");
const canRun = chromiumPath !== undefined && existsSync(join(three, "three"));
if (!canRun) console.log("skipped: 3D crowds in Chromium beside three.js (needs Chromium and npm install --prefix test/integrations/three)");

describe.skipIf(!canRun)("a 3D crowd in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-crowd3d-"));
  let browser: Browser, server: Server, report: Report;

  beforeAll(async () => {
    await build({
      entryPoints: [join(root, "test/render/crowd3d/crowd3d-page.ts")], outfile: join(folder, "page.js"), bundle: true, format: "esm", target: "es2022",
      platform: "browser", external: ["node:*"], nodePaths: [three], logLevel: "error",
    });
    writeFileSync(join(folder, "index.html"), "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><script type=module src=page.js></script>");
    let port: number;
    ({ server, port } = await serve([{ prefix: "/", folder }, { prefix: "/assets/", folder: join(root, "examples/assets") }], new Map(), 0));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    const page = await browser.newPage({ viewport: { width: 1020, height: 380 } });
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://localhost:${port}/index.html`);
    await page.waitForFunction(() => "run" in globalThis, undefined, { timeout: 60_000 });
    report = await page.evaluate(async () => await (globalThis as unknown as { run: (url: string) => Promise<Report> }).run("/assets/biped.glb"));
    if (process.env["OSTEON_PICTURES"] !== undefined) await page.screenshot({ path: join(process.env["OSTEON_PICTURES"], "crowd3d.png") });
    expect(problems).toEqual([]);
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("looks in three.js like SkinnedMeshes of three.js, within 1 % of the pixels", () => {
    expect(report.covered).toBeGreaterThan(0.08);
    expect(report.different).toBeLessThan(0.01);
    expect(report.errors).toBe(0);
  });

  it("casts and takes shadows like them", () => {
    expect(report.shadows).toBeLessThan(0.01);
  });

  it("has tints in three.js", () => {
    expect(report.tinted).toBeGreaterThan(0.005);
    expect(report.tinted).toBeLessThan(report.covered);
  });

  it("covers with its own renderer what SkinnedMeshes of three.js cover, in one draw call", () => {
    expect(report.uncovered).toBeLessThan(0.01);
    expect(report.drawCalls).toBe(1);
  });

  it("leaves out what the camera does not see and who is hidden, and nothing else", () => {
    expect(report.drawn).toBe(6);
    expect(report.drawnNear).toBeGreaterThan(0);
    expect(report.drawnNear).toBeLessThan(7);
    expect(report.culledDifference).toBe(0);
  });
});

describe("meshes of a 3D crowd", () => {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("a");
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0], indices = [0, 1, 2];
  const skin = AnimSkin.fromArrays({
    positions, joints: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], weights: [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], jointNames: ["a"], inverseBind: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  }, skeleton);

  it("get normals, white and the first joint where they have none", () => {
    const arrays = figureArrays({ positions, indices }, skin, 5);
    expect([...arrays.normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect([...arrays.colors]).toEqual(Array.from({ length: 12 }, () => 1));
    expect([...arrays.joints].every((joint) => joint === 5)).toBe(true);
    expect([...arrays.weights]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  it("are refused if they do not fit the skin", () => {
    const crowd = new Crowd3D(skeleton, skin), gl = {} as WebGL2RenderingContext;
    expect(() => figureArrays({ positions: [0, 0, 0], indices }, skin, 0)).toThrow(ArgumentError);
    expect(() => figureArrays({ positions, indices: [0, 1, 3] }, skin, 0)).toThrow(ArgumentError);
    expect(() => figureArrays({ positions, indices, uvs: [0] }, skin, 0)).toThrow(ArgumentError);
    expect(() => new Crowd3DRenderer(gl, crowd, [])).toThrow(ArgumentError);
    expect(() => new Crowd3DRenderer(gl, crowd, [{ positions, indices, crowdSkin: 1 }])).toThrow(ArgumentError);
    expect(() => new Crowd3DRenderer(null as never, crowd, [{ positions, indices }])).toThrow(ArgumentError);
    crowd.dispose();
  });

  it("are culled by planes that look inwards", () => {
    // Orthographic, x y z of -1 .. 1.
    const planes = new Float32Array(24);
    frustumPlanes([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1], planes);
    const inside = (x: number, y: number, z: number): boolean => [0, 4, 8, 12, 16, 20].every((p) => planes[p]! * x + planes[p + 1]! * y + planes[p + 2]! * z + planes[p + 3]! >= 0);
    expect(inside(0.9, -0.9, 0.9)).toBe(true);
    for (const outside of [[1.1, 0, 0], [0, -1.1, 0], [0, 0, 1.1], [0, 0, -1.1]] as const) {
      const [x, y, z] = outside;
      expect(inside(x, y, z)).toBe(false);
    }
  });
});
