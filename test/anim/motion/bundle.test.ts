import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";

/** What a page carries that imports only the motion store and the builders from the module's entry. */
function bundle(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: 'import { MotionStore, MotionBuilder } from "./src/anim/index.js"; console.log(MotionStore, MotionBuilder);', resolveDir: process.cwd(), loader: "ts" },
    bundle: true, minify: true, format: "esm", target: "es2022", platform: "browser", mainFields: ["module", "main"], external: ["node:*"], write: false,
  });
  return outputFiles[0]!.text;
}

describe("a page that only moves numbers", () => {
  const text = bundle();

  it("carries no rig, no Spine, no sprites: not their kernels, not their names", () => {
    for (const word of ["Skeleton", "skeleton", "Spine", "spine", "AnimPose", "AnimClip", "Skin", "skin", "Sprite", "quaternions of", "Mesh", "Joint", "joint", "rig3d", "rig2d", "matching"]) {
      expect(text.includes(word), `the bundle contains "${word}"`).toBe(false);
    }
  });

  it("takes at most 14 KB, kernels included", () => {
    // The kernels are embedded as text.
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(14 * 1024);
  });
});
