/* What bundlers take of the package as it is published: one module per source file. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";

const isBuilt = existsSync("dist/modules/src/index.js");
if (!isBuilt) console.log("skipped: tree shaking of the package (npm run build)");

describe.skipIf(!isBuilt)("a bundle of the published package", () => {
  const folder = mkdtempSync(join(tmpdir(), "osteon-shake-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(process.cwd(), join(folder, "node_modules/osteon"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const bundle = (contents: string): string =>
    buildSync({
      stdin: { contents, resolveDir: folder }, bundle: true, minify: true, format: "esm", target: "es2022", platform: "browser", external: ["node:*"], write: false,
    }).outputFiles[0]!.text;
  const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;

  it("with motions alone takes at most 14 KB", () => {
    const text = bundle('import { MotionStore, MotionBuilder } from "osteon/anim"; console.log(MotionStore, MotionBuilder);');
    expect(gzipped(text)).toBeLessThanOrEqual(14 * 1024);
    expect(text).not.toMatch(/spine|skeleton|rig2d|rig3d/i);
  });

  it("with an atlas alone has no kernels, with flat skeletons alone none of 3D", () => {
    expect(gzipped(bundle('import { TextureAtlas } from "osteon/spine"; console.log(TextureAtlas);'))).toBeLessThan(5000);
    const skeleton = bundle('import { Skeleton } from "osteon/spine"; console.log(Skeleton);');
    expect(skeleton).not.toMatch(/AnimClip|MotionDatabase|rig3d/);
    const player = bundle('import { AnimPlayer } from "osteon/anim"; console.log(AnimPlayer);');
    expect(player).not.toMatch(/SkeletonJson|MotionDatabase|rig2d/);
  });

  it("shares one heap between entries and works, packages that it carries included", () => {
    const text = bundle(`
      import { MotionStore, SpriteSheet } from "osteon/anim";
      import { BoneData, Inherit, Skeleton, SkeletonData } from "osteon/spine";
      import { Crowd } from "osteon/crowd";
      const data = new SkeletonData();
      data.bones.push(new BoneData(0, "root", null));
      const skeleton = new Skeleton(data);
      skeleton.bones[0].pose.x = 7;
      skeleton.updateWorldTransform(0);
      const store = new MotionStore();
      let seen = 0;
      store.motion(0, 10, 1).bind((value) => { seen = value; });
      store.update(0.5);
      console.log(JSON.stringify([skeleton.bones[0].appliedPose.worldX, seen, typeof Crowd, Inherit.normal, skeleton.bones[0].constructor.name.length > 0, typeof SpriteSheet]));
    `);
    const file = join(folder, "page.mjs");
    writeFileSync(file, text);
    expect(JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }))).toEqual([7, 5, "function", 0, true, "function"]);
  });
});
