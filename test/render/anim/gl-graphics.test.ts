import { build } from "esbuild";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "../../browser.js";

if (chromiumPath === undefined) console.log("skipped: GlGraphics against CanvasGraphics (no Chromium found; name one in CHROMIUM)");

describe.skipIf(chromiumPath === undefined)("GlGraphics", () => {
  it("draws what CanvasGraphics draws, but for edges and seams", { timeout: 120_000 }, async () => {
    const { outputFiles } = await build({ entryPoints: ["test/render/anim/gl-scene.ts"], bundle: true, format: "iife", target: "es2022", platform: "browser", external: ["node:*"], write: false });
    const browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_ARGUMENTS });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: outputFiles[0]!.text });
      const scenes = await page.evaluate(() => (globalThis as unknown as { compare(): Record<string, { mean: number; far: number; drawn: number }> }).compare());
      expect(Object.keys(scenes)).toHaveLength(12);
      for (const [name, { mean, far, drawn }] of Object.entries(scenes)) {
        expect(drawn, `${name}: share of the picture that is drawn on`).toBeGreaterThan(0.15);
        // A quad of 96 x 72 pixels on 160 x 120 has edges and seams on 3 % of the picture.
        expect(far, `${name}: share of pixels that differ`).toBeLessThan(0.04);
        expect(mean, `${name}: mean difference of a channel`).toBeLessThan(2);
      }
    } finally {
      await browser.close();
    }
  });
});
