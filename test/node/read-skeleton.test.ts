import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { FormatError } from "../../src/errors.js";
import { PngTexture } from "../../src/node/png-texture.js";
import { findAtlas, readSkeleton } from "../../src/node/read-skeleton.js";

const assets = fileURLToPath(new URL("../../examples/assets/fennel/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "osteon-read-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with empty files. */
function files(name: string, ...names: string[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const file of names) writeFileSync(join(path, file), "");
  return path;
}

describe("findAtlas", () => {
  it("takes the longest beginning of the skeleton's name", () => {
    const path = files("many", "spineboy.atlas", "spineboy-pro.atlas", "spine.atlas", "spineboy-pma.atlas");
    const pick = (name: string) => basename(findAtlas(join(path, name)));
    expect(pick("spineboy-pro.json")).toBe("spineboy-pro.atlas");
    expect(pick("spineboy-ess.skel")).toBe("spineboy.atlas");
    expect(pick("spineboy.json")).toBe("spineboy.atlas");
    expect(pick("SPINE_2.json")).toBe("spine.atlas");
  });

  it("takes the only one, whatever its name, and .atlas.txt too", () => {
    expect(basename(findAtlas(join(files("one", "pack.atlas.txt"), "hero.json")))).toBe("pack.atlas.txt");
  });

  it("says what is there when none fits", () => {
    expect(() => findAtlas(join(files("none"), "hero.json"))).toThrow(FormatError);
    expect(() => findAtlas(join(files("other", "a.atlas", "b.atlas"), "hero.json"))).toThrow(/a\.atlas, b\.atlas/);
    // "spineboyish" does not belong to "spineboy".
    expect(() => findAtlas(join(files("ish", "spineboy.atlas", "x.atlas"), "spineboyish.json"))).toThrow(FormatError);
  });
});

describe("readSkeleton", () => {
  it("reads the built-in character with its picture", () => {
    const { data, atlas, atlasPath } = readSkeleton(join(assets, "fennel.json"));
    expect(basename(atlasPath)).toBe("fennel.atlas");
    expect(data.name).toBe("fennel");
    expect(data.bones.length).toBeGreaterThan(30);
    expect(data.animations.map((animation) => animation.name)).toContain("walk");
    const texture: unknown = atlas.pages[0]!.texture;
    expect(texture).toBeInstanceOf(PngTexture);
    expect((texture as PngTexture).pixels.width).toBe(atlas.pages[0]!.width);
    expect((texture as PngTexture).raster.nearest).toBe(false);
  });

  it("can leave the pictures out and scale", () => {
    const { data, atlas } = readSkeleton(join(assets, "fennel.json"), { textures: false, scale: 0.5 });
    expect(atlas.pages[0]!.texture).toBeNull();
    expect(data.findBone("hip")!.setupPose.y).toBeCloseTo(76, 3);
  });

  it("names a file that is missing", () => {
    expect(() => readSkeleton(join(assets, "nobody.json"))).toThrow(/nobody\.json/);
    const path = files("nopage");
    copyFileSync(join(assets, "fennel.json"), join(path, "fennel.json"));
    copyFileSync(join(assets, "fennel.atlas"), join(path, "fennel.atlas"));
    expect(() => readSkeleton(join(path, "fennel.json"))).toThrow(/fennel\.png/);
  });
});
