import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as official from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import { readPng } from "../../src/node/png.js";
import { Rasterizer } from "../../src/node/rasterizer.js";
import { RasterTexture } from "../../src/node/raster-texture.js";

const folder = fileURLToPath(new URL("../../examples/assets/fennel/", import.meta.url));

function picture(skin: string, animation: string, time: number, pma: boolean) {
  const pixels = readPng(`${folder}fennel.png`);
  const atlas = new official.TextureAtlas(readFileSync(`${folder}fennel.atlas`, "utf8"));
  for (const page of atlas.pages) page.setTexture(new official.FakeTexture(pixels as never));
  const json: unknown = JSON.parse(readFileSync(`${folder}fennel.json`, "utf8"));
  const data = new official.SkeletonJson(new official.AtlasAttachmentLoader(atlas)).readSkeletonData(json);
  const skeleton = new official.Skeleton(data);
  skeleton.setSkin(skin);
  skeleton.setupPose();
  data.findAnimation(animation)!.apply(skeleton, 0, time, true, null, 1, official.MixFrom.setup, false, false, false);
  skeleton.updateWorldTransform(official.Physics.reset);
  const raster = new Rasterizer(150, 170);
  const texture = new RasterTexture(pixels);
  for (let command = new official.SkeletonRendererCore().render(skeleton, pma); command; command = command.next) {
    raster.draw(command, texture, { scaleX: 0.28, scaleY: -0.28, offsetX: 78, offsetY: 160 }, { premultipliedColors: pma });
  }
  return raster.toPixels();
}

const opaque = (data: Uint8Array) => data.filter((v, i) => i % 4 === 3 && v > 128).length;
const difference = (a: Uint8Array, b: Uint8Array) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]!), 0) / a.length;

describe("commands of a Spine renderer core", () => {
  it("draw the built-in character, alike with straight and premultiplied colours", () => {
    const straight = picture("ember", "idle", 0.4, false);
    expect(opaque(straight.data)).toBeGreaterThan(4000);
    // Packed colours are floored differently; one step of 255 is the most that may show.
    expect(difference(straight.data, picture("ember", "idle", 0.4, true).data)).toBeLessThan(0.5);
  });

  it("show looks and poses", () => {
    const ember = picture("ember", "idle", 0.4, false).data;
    expect(difference(ember, picture("frost", "idle", 0.4, false).data)).toBeGreaterThan(8);
    expect(difference(ember, picture("ember", "run", 0.4, false).data)).toBeGreaterThan(8);
  });

  it("clip: a closing blink hides part of the eyes", () => {
    const open = picture("ember", "blink", 0, false).data, half = picture("ember", "blink", 0.06, false).data;
    const changed = open.reduce((count, v, i) => count + (Math.abs(v - half[i]!) > 40 ? 1 : 0), 0);
    expect(changed).toBeGreaterThan(20);
  });
});
