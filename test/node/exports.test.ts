import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawSkeleton } from "../../src/node/draw-skeleton.js";
import { Rasterizer } from "../../src/node/rasterizer.js";
import { readSkeleton } from "../../src/node/read-skeleton.js";
import { MixFrom, Physics } from "../../src/spine/enums.js";
import { Skeleton } from "../../src/spine/model/skeleton.js";
import { sharedData } from "../shared-data.js";

const folder = sharedData("spine/4.3", "drawing of real exports");
/** A few always; with OSTEON_NIGHTLY one of every folder, since large pages take their time. */
const FEW = ["spineboy", "goblins", "coin", "owl"];
const names = folder === undefined ? [] : readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  .filter((name) => process.env["OSTEON_NIGHTLY"] === "1" || FEW.includes(name));

describe.skipIf(folder === undefined)("real exports", () => {
  it.each(names)("%s is read with its atlas and drawn", (name) => {
    const files = readdirSync(join(folder!, name)).filter((file) => /\.(json|skel)$/.test(file)).toSorted();
    const { data } = readSkeleton(join(folder!, name, files[0]!));
    const skeleton = new Skeleton(data);
    skeleton.setSkin(data.skins.find((skin) => skin !== data.defaultSkin)?.name ?? null);
    skeleton.setupPose();
    const animation = data.animations.reduce((a, b) => (b.duration > a.duration ? b : a));
    animation.apply(skeleton, 0, animation.duration * 0.4, true, null, 1, MixFrom.setup, false, false, false);
    skeleton.updateWorldTransform(Physics.reset);
    const { x, y, width, height } = skeleton.getBoundsRect();
    const scale = 120 / Math.max(width, height);
    const raster = new Rasterizer(128, 128);
    drawSkeleton(raster, skeleton, { scaleX: scale, scaleY: -scale, offsetX: 4 - x * scale, offsetY: 124 + y * scale });
    skeleton.dispose();
    expect(raster.pixels.every(Number.isFinite)).toBe(true);
    const { data: bytes } = raster.toPixels();
    const colors = new Set<number>();
    for (let i = 0; i < bytes.length; i += 4) if (bytes[i + 3]! > 200) colors.add((bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!);
    expect(colors.size).toBeGreaterThan(100);
  });
});
