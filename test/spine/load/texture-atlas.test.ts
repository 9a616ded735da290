import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.js";
import { TextureFilter, TextureWrap } from "../../../src/spine/enums.js";
import { Format, TextureAtlas } from "../../../src/spine/load/texture-atlas.js";
import { FakeTexture } from "../../../src/spine/texture.js";
import { sharedData } from "../../shared-data.js";
import fc, { runs } from "../../properties.js";

const old = `
sheet.png
size: 64,32
format: RGBA8888
filter: Linear,MipMapLinearLinear
repeat: xy
card
  rotate: false
  xy: 0, 0
  size: 16, 8
  orig: 16, 8
  offset: 0, 0
  index: -1
walk/07
  rotate: true
  xy: 16, 0
  size: 10, 6
  split: 1, 2, 3, 4
  pad: -1, -1, 0, 0
  orig: 12, 10
  offset: 1, 2
  index: 3

two.png
size: 8, 8
format: RGB565
filter: Nearest, Nearest
repeat: none
dot
  rotate: false
  xy: 1, 1
  size: 2, 2
  orig: 2, 2
  offset: 0, 0
  index: -1
`;
const recent = `tool: x, y
note: ignored

a.png
size: 64, 32
pma: true
scale: 0.5
r0
bounds: 0, 0, 16, 8
r1
  bounds : 20 ,4, 10, 6
  offsets:1,2,12,10
  rotate: 270
  custom: 1, 2, 3, 4, 5, 6
r2
bounds: 40, 4, 10, 6
rotate: 180
`;

function region(atlas: TextureAtlas, name: string) {
  const r = atlas.findRegion(name)!;
  return {
    bounds: [r.x, r.y, r.width, r.height],
    offset: [r.offsetX, r.offsetY],
    original: [r.originalWidth, r.originalHeight],
    degrees: r.degrees,
    index: r.index,
    uv: [r.u, r.v, r.u2, r.v2],
  };
}

describe("TextureAtlas", () => {
  it("reads the older syntax", () => {
    const atlas = new TextureAtlas(old);
    expect(atlas.pages.map((p) => [p.name, p.width, p.height, p.regions.length, p.pma])).toEqual([
      ["sheet.png", 64, 32, 2, false],
      ["two.png", 8, 8, 1, false],
    ]);
    const [sheet, two] = atlas.pages;
    expect([sheet!.minFilter, sheet!.magFilter]).toEqual([TextureFilter.Linear, TextureFilter.MipMapLinearLinear]);
    expect([sheet!.uWrap, sheet!.vWrap, two!.uWrap]).toEqual([TextureWrap.Repeat, TextureWrap.Repeat, TextureWrap.ClampToEdge]);
    expect([sheet!.format, two!.format]).toEqual([Format.RGBA8888, Format.RGB565]);
    expect(region(atlas, "card")).toEqual({
      bounds: [0, 0, 16, 8], offset: [0, 0], original: [16, 8], degrees: 0, index: -1, uv: [0, 0, 0.25, 0.25],
    });
    expect(region(atlas, "walk/07")).toEqual({
      bounds: [16, 0, 10, 6], offset: [1, 2], original: [12, 10], degrees: 90, index: 3, uv: [0.25, 0, 0.34375, 0.3125],
    });
    expect(region(atlas, "dot").uv).toEqual([0.125, 0.125, 0.375, 0.375]);
    const walk = atlas.findRegion("walk/07")!;
    expect([walk.names, walk.values, walk.splits, walk.pads, walk.rotate]).toEqual([
      ["split", "pad"], [[1, 2, 3, 4], [-1, -1, 0, 0]], [1, 2, 3, 4], [-1, -1, 0, 0], true,
    ]);
    expect([atlas.findRegion("card")!.names, atlas.findRegion("card")!.splits]).toEqual([null, null]);
  });

  it("reads the newer syntax with a header, loose spaces and every rotation", () => {
    const atlas = new TextureAtlas(recent);
    expect(atlas.pages.map((p) => [p.name, p.width, p.height, p.pma, p.scale, p.minFilter])).toEqual([
      ["a.png", 64, 32, true, 0.5, TextureFilter.Nearest],
    ]);
    expect(region(atlas, "r0").uv).toEqual([0, 0, 0.25, 0.25]);
    expect(region(atlas, "r1")).toEqual({
      bounds: [20, 4, 10, 6], offset: [1, 2], original: [12, 10], degrees: 270, index: -1, uv: [0.3125, 0.125, 0.40625, 0.4375],
    });
    expect(atlas.findRegion("r1")!.values).toEqual([[1, 2, 3, 4]]);
    expect(region(atlas, "r2").uv).toEqual([0.625, 0.125, 0.78125, 0.3125]);
    expect(region(atlas, "r2").original).toEqual([10, 6]);
  });

  it.each(["", "\n\n \n", "head: 1\n"])("reads text without pages (%j)", (text) => {
    expect(new TextureAtlas(text).pages).toEqual([]);
  });

  it("reads the same with other line ends, a byte order mark, more blank lines and no final newline", () => {
    const want = describeAtlas(new TextureAtlas(old));
    for (const text of [old.replaceAll("\n", "\r\n"), old.replaceAll("\n", "\r"), `\ufeff${old}`, old.replaceAll("\n\n", "\n\n\n"), old.trimEnd(), old.replaceAll("\n  ", "\n\t")]) {
      expect(describeAtlas(new TextureAtlas(text))).toEqual(want);
    }
    expect(describeAtlas(new TextureAtlas(recent.replace("ignored\n\n", "ignored\n")))).toEqual(describeAtlas(new TextureAtlas(recent)));
    expect(describeAtlas(new TextureAtlas(`\n${recent}`))).toEqual(describeAtlas(new TextureAtlas(recent)));
  });

  it("reads regions and pages the same whatever the order of their keys (B02)", () => {
    const entries = ["index: 4", "rotate: true", "bounds: 3, 4, 5, 6", "offsets: 1, 2, 8, 9", "split: 1, 2, 3, 4", "pad: 0, 0, 1, 1", "other: 7"];
    const pageEntries = ["size: 64, 32", "filter: Linear, Nearest", "pma: true", "repeat: x", "scale: 0.5", "format: RGB888"];
    const text = (page: string[], own: string[]) => `p.png\n${page.join("\n")}\nfirst\n${own.join("\n")}\nsecond\nbounds: 0,0,1,1\n`;
    const plain = (atlas: TextureAtlas) => describeAtlas(atlas).map((p) => ({ ...p, regions: p.regions.map((r) => ({ ...r, extra: r.extra.toSorted() })) }));
    const want = plain(new TextureAtlas(text(pageEntries, entries)));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), fc.shuffledSubarray(pageEntries, { minLength: pageEntries.length }), (own, page) => {
        expect(plain(new TextureAtlas(text(page, own)))).toEqual(want);
      }),
      { numRuns: runs(200) },
    );
  });

  it("counts stripped rows from the bottom in either syntax, packed rotated or not (B03)", () => {
    for (const rotate of ["false", "true"]) {
      const newer = new TextureAtlas(`p\nsize: 128,128\nr\nbounds: 2,2,20,30\noffsets: 10,55,100,100\nrotate: ${rotate}\n`).findRegion("r")!;
      const older = new TextureAtlas(`p\nsize: 128,128\nr\n  rotate: ${rotate}\n  xy: 2, 2\n  size: 20, 30\n  orig: 100, 100\n  offset: 10, 55\n  index: -1\n`).findRegion("r")!;
      for (const r of [newer, older]) {
        // From the top left of the image: x = 10 .. 30, y = 100 - 55 - 30 .. 100 - 55.
        const left = r.offsetX, top = r.originalHeight - r.offsetY - r.height;
        expect([left, top, left + r.width, top + r.height]).toEqual([10, 15, 30, 45]);
        expect([(r.u2 - r.u) * 128, (r.v2 - r.v) * 128]).toEqual(rotate === "true" ? [30, 20] : [20, 30]);
      }
    }
  });

  it("takes the page's size from its texture if the file has none", () => {
    const atlas = new TextureAtlas("p\nr\nbounds: 10, 20, 5, 5\n");
    const r = atlas.findRegion("r")!;
    expect([r.u, r.v2]).toEqual([0, 0]);
    const texture = new FakeTexture({ width: 100, height: 50 });
    atlas.pages[0]!.setTexture(texture);
    expect([r.u, r.v, r.u2, r.v2, r.texture]).toEqual([0.1, 0.4, 0.15, 0.5, texture]);
  });

  it("hands pages to a loader and gives them back on dispose", () => {
    const calls: string[] = [];
    const atlas = new TextureAtlas(old, {
      load: (page, path) => { page.rendererObject = path; calls.push(`load ${path}`); },
      unload: (object) => { calls.push(`unload ${String(object)}`); },
    });
    atlas.dispose();
    expect(calls).toEqual(["load sheet.png", "load two.png", "unload sheet.png", "unload two.png"]);
  });

  it("finds the first region of a name, also after the list was edited", () => {
    const atlas = new TextureAtlas("a\nsize: 8, 8\nr\nbounds: 1,1,1,1\n\nb\nsize: 8, 8\nr\nbounds: 2,2,1,1\n");
    expect(atlas.findRegion("r")!.x).toBe(1);
    expect(atlas.findRegion("R")).toBeNull();
    atlas.regions[0]!.name = "q";
    expect(atlas.findRegion("r")!.x).toBe(2);
  });

  it("names line, page and choices for an unknown filter or rotation", () => {
    const error = (text: string) => {
      let atlas: TextureAtlas;
      try {
        atlas = new TextureAtlas(text);
      } catch (e) {
        return e as FormatError;
      }
      throw new Error(`read ${atlas.pages.length} pages`);
    };
    const filter = error("p.png\nsize: 8, 8\nfilter: Liner, Linear\n");
    expect(filter).toBeInstanceOf(FormatError);
    expect([filter.line, filter.found]).toEqual([3, "Liner"]);
    expect(filter.message).toContain("page 'p.png'");
    expect(filter.message).toContain("Did you mean 'Linear'");
    expect(error("p\nsize: 8, 8\nr\nrotate: 45\n").line).toBe(4);
    expect(() => new TextureAtlas(undefined as unknown as string)).toThrow(/expected the text/);
  });

  const folder = sharedData("spine", "real atlases");
  it.skipIf(folder === undefined)("reads every real atlas without a region of no size", () => {
    let files = 0;
    for (const version of readdirSync(folder!, { withFileTypes: true })) {
      if (!version.isDirectory()) continue;
      for (const file of readdirSync(join(folder!, version.name), { recursive: true, encoding: "utf8" })) {
        if (!file.endsWith(".atlas")) continue;
        files++;
        const atlas = new TextureAtlas(readFileSync(join(folder!, version.name, file), "utf8"));
        expect(atlas.pages.length, file).toBeGreaterThan(0);
        for (const r of atlas.regions) expect(r.width * r.height * r.page.width * r.originalWidth, `${file} ${r.name}`).toBeGreaterThan(0);
      }
    }
    expect(files).toBeGreaterThan(20);
  });
});

function describeAtlas(atlas: TextureAtlas) {
  return atlas.pages.map((p) => ({
    name: p.name, size: [p.width, p.height], filters: [p.minFilter, p.magFilter], wraps: [p.uWrap, p.vWrap], pma: p.pma, scale: p.scale, format: p.format,
    regions: p.regions.map((r) => ({ ...region(atlas, r.name), name: r.name, extra: r.names?.map((name, i) => `${name}: ${r.values![i]}`) ?? [] })),
  }));
}
