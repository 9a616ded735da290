import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import { ArgumentError } from "../../src/errors.js";
import { drawCommands, drawSkeleton } from "../../src/node/draw-skeleton.js";
import { PngTexture } from "../../src/node/png-texture.js";
import { readPng } from "../../src/node/png.js";
import { Rasterizer } from "../../src/node/rasterizer.js";
import { readSkeleton } from "../../src/node/read-skeleton.js";
import { MixFrom, Physics } from "../../src/spine/enums.js";
import { Skeleton } from "../../src/spine/model/skeleton.js";

const folder = fileURLToPath(new URL("../../examples/assets/fennel/", import.meta.url));
const VIEW = { scaleX: 0.5, scaleY: -0.5, offsetX: 120, offsetY: 320 };
const { data } = readSkeleton(`${folder}fennel.json`);

function ours(skin: string, animation: string, time: number): Rasterizer {
  const skeleton = new Skeleton(data);
  skeleton.setSkin(skin);
  skeleton.setupPose();
  data.findAnimation(animation)!.apply(skeleton, 0, time, true, null, 1, MixFrom.setup, false, false, false);
  skeleton.updateWorldTransform(Physics.reset);
  const raster = new Rasterizer(240, 340);
  drawSkeleton(raster, skeleton, VIEW);
  skeleton.dispose();
  return raster;
}

function theirs(skin: string, animation: string, time: number): Rasterizer {
  const atlas = new official.TextureAtlas(readFileSync(`${folder}fennel.atlas`, "utf8"));
  for (const page of atlas.pages) page.setTexture(new PngTexture(readPng(`${folder}fennel.png`)) as never);
  const json: unknown = JSON.parse(readFileSync(`${folder}fennel.json`, "utf8"));
  const loaded = new official.SkeletonJson(new official.AtlasAttachmentLoader(atlas)).readSkeletonData(json);
  const skeleton = new official.Skeleton(loaded);
  skeleton.setSkin(skin);
  skeleton.setupPose();
  loaded.findAnimation(animation)!.apply(skeleton, 0, time, true, null, 1, official.MixFrom.setup, false, false, false);
  skeleton.updateWorldTransform(official.Physics.reset);
  const raster = new Rasterizer(240, 340);
  drawCommands(raster, new official.SkeletonRendererCore().render(skeleton), VIEW);
  return raster;
}

describe("drawSkeleton", () => {
  it.each([["ember", "walk", 0.3], ["frost", "jump", 0.6], ["ember", "wave", 0.8], ["frost", "run", 0.1], ["ember", "blink", 0.06], ["ember", "idle", 0.8]] as const)(
    "shows %s in %s at %f like the official runtime does", (skin, animation, time) => {
      const a = ours(skin, animation, time).toPixels().data, b = theirs(skin, animation, time).toPixels().data;
      expect(a.filter((v, i) => i % 4 === 3 && v === 255).length).toBeGreaterThan(12_000);
      let different = 0;
      for (let i = 0; i < a.length; i++) if (Math.abs(a[i]! - b[i]!) > 24) different++;
      expect(different / a.length).toBeLessThan(0.001);
    },
  );

  it("gives the same bytes twice", () => {
    expect(Buffer.compare(Buffer.from(ours("ember", "run", 0.2).pixels.buffer), Buffer.from(ours("ember", "run", 0.2).pixels.buffer))).toBe(0);
  });

  it("mixes haze into every colour by its share", () => {
    const raster = ours("ember", "idle", 0);
    const skeleton = new Skeleton(data);
    skeleton.setSkin("ember");
    skeleton.setupPose();
    data.findAnimation("idle")!.apply(skeleton, 0, 0, true, null, 1, MixFrom.setup, false, false, false);
    skeleton.updateWorldTransform(Physics.reset);
    const hazy = new Rasterizer(240, 340);
    drawSkeleton(hazy, skeleton, VIEW, { haze: [0.2, 0.4, 0.6, 0.5] });
    skeleton.dispose();
    let checked = 0;
    for (let i = 0; i < raster.pixels.length; i += 4) {
      if (raster.pixels[i + 3]! < 0.999) continue;
      checked++;
      [0.2, 0.4, 0.6].forEach((haze, c) => expect(Math.abs(hazy.pixels[i + c]! - (raster.pixels[i + c]! * 0.5 + haze * 0.5))).toBeLessThan(0.012));
    }
    expect(checked).toBeGreaterThan(12_000);
  });

  it("asks for textures that it knows", () => {
    expect(() => drawCommands(new Rasterizer(4, 4), { ...batch(), texture: {} }, VIEW)).toThrow(ArgumentError);
  });

  it("draws nothing without pictures", () => {
    const skeleton = new Skeleton(readSkeleton(`${folder}fennel.json`, { textures: false }).data);
    skeleton.setSkin("ember");
    skeleton.setupPose();
    skeleton.updateWorldTransform(Physics.reset);
    const raster = new Rasterizer(240, 340);
    drawSkeleton(raster, skeleton, VIEW);
    skeleton.dispose();
    expect(raster.pixels.every((v) => v === 0)).toBe(true);
  });
});

const batch = () => ({ positions: [0, 0, 1, 0, 0, 1], uvs: [0, 0, 0, 0, 0, 0], colors: [1, 1, 1], darkColors: [0, 0, 0], indices: [0, 1, 2], numIndices: 3, blendMode: 0 });
