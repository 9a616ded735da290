import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.js";
import { MeshAttachment, RegionAttachment, type Attachment } from "../../../src/spine/attachments/index.js";
import { AtlasAttachmentLoader, SkeletonBinary, SkeletonJson, TextureAtlas, TextureAtlasRegion, type AttachmentLoader, type MissingRegions } from "../../../src/spine/load/index.js";
import { readJsonDocument } from "../../../src/spine/load/json/reader.js";
import { writeBinaryDocument } from "../../../src/spine/load/write/binary-writer.js";

const json = {
  bones: [{ name: "root" }],
  slots: [{ name: "body", bone: "root" }, { name: "hand", bone: "root" }],
  skins: [
    { name: "default", attachments: { body: { torso: { width: 10, height: 20 } }, hand: { fist: { path: "hands/fits", width: 4, height: 4 } } } },
    { name: "knight", attachments: { hand: { wave: { path: "wave", width: 4, height: 4, sequence: { count: 2, digits: 1 } } } } },
  ],
};
const bytes = writeBinaryDocument(readJsonDocument(json).document);
const atlas = () => new TextureAtlas("p.png\nsize: 64, 64\ntorso\nbounds: 0, 0, 8, 16\nhands/fist\nbounds: 16, 0, 4, 4\nwave1\nbounds: 32, 0, 4, 4\n");

function errorOf(load: () => unknown): FormatError {
  try {
    load();
  } catch (e) {
    return e as FormatError;
  }
  throw new Error("nothing was thrown");
}

describe("missing atlas regions", () => {
  it("are collected into one error, the same for both formats (B01)", () => {
    const fromJson = errorOf(() => new SkeletonJson(atlas()).readSkeletonData(json));
    const fromBinary = errorOf(() => new SkeletonBinary(atlas()).readSkeletonData(bytes));
    expect(fromJson).toBeInstanceOf(FormatError);
    expect(fromJson.code).toBe("missing-region");
    expect(fromJson.found).toEqual([
      { path: "hands/fits", attachment: "fist", slot: "hand", skin: "default" },
      { path: "wave2", attachment: "wave", slot: "hand", skin: "knight" },
    ]);
    expect(fromJson.message).toContain("'hands/fits' (attachment 'fist' in slot 'hand' of skin 'default'). Did you mean 'hands/fist'?");
    expect({ ...fromBinary, message: fromBinary.message }).toEqual({ ...fromJson, message: fromJson.message });
  });

  it.each<[string, boolean | MissingRegions]>([["true", true], ["warn", "warn"]])("are left null with %s, and noted", (_name, missing) => {
    const loader = new SkeletonJson(new AtlasAttachmentLoader(atlas(), missing));
    const fist = loader.readSkeletonData(json).defaultSkin!.getAttachment(1, "fist") as RegionAttachment;
    expect(fist.sequence.regions).toEqual([null]);
    expect(Array.from(fist.sequence.getOffsets(0))).toEqual([-2, -2, -2, 2, 2, 2, 2, -2]);
    expect(Array.from(fist.sequence.getUVs(0))).toEqual([0, 1, 0, 0, 1, 0, 1, 1]);
    expect(loader.report!.notes.map((note) => note.code)).toEqual(["missing-region", "missing-region"]);
    expect(loader.report!.notes[1]!.message).toContain("'wave2'");
  });

  it("become placeholders that cover the attachment", () => {
    const attachmentLoader = new AtlasAttachmentLoader(atlas(), "placeholder");
    const fist = new SkeletonJson(attachmentLoader).readSkeletonData(json).defaultSkin!.getAttachment(1, "fist") as RegionAttachment;
    const region = fist.sequence.regions[0] as TextureAtlasRegion;
    expect([region.page, region.u, region.v2]).toEqual([attachmentLoader.placeholderPage, 0, 1]);
    expect(Array.from(fist.sequence.getOffsets(0))).toEqual([-2, -2, -2, 2, 2, 2, 2, -2]);
    const texture = { setFilters() {}, setWraps() {}, getImage: () => null, dispose() {} };
    attachmentLoader.placeholderPage.setTexture(texture as never);
    expect(region.texture).toBe(texture);
  });

  it("throw at once where findRegion is called directly, unless allowed", () => {
    expect(errorOf(() => new AtlasAttachmentLoader(atlas()).findRegion("att", "torsp")).message).toContain("'torsp' (attachment 'att'). Did you mean 'torso'?");
    expect(new AtlasAttachmentLoader(atlas(), true).findRegion("att", "torsp")).toBeNull();
    expect([new AtlasAttachmentLoader(atlas()).allowMissingRegions, new AtlasAttachmentLoader(atlas(), true).allowMissingRegions]).toEqual([false, true]);
    expect(() => new AtlasAttachmentLoader(atlas(), "ignore" as never)).toThrow(/'error', 'warn' or 'placeholder'/);
    expect(() => new AtlasAttachmentLoader(null as never)).toThrow(/expected a TextureAtlas/);
    expect(() => new SkeletonJson(undefined as never)).toThrow(/expected a TextureAtlas or an AttachmentLoader/);
  });

  it("are told from pages without a size", () => {
    expect(errorOf(() => new SkeletonJson(new TextureAtlas("p.png\ntorso\nbounds: 0, 0, 8, 16\n")).readSkeletonData(json)).message).toMatch(/page 'p\.png'.*no size/);
  });
});

describe("attachment loaders", () => {
  const meshes = {
    bones: [{ name: "root" }],
    slots: [{ name: "s", bone: "root" }],
    skins: [{ name: "default", attachments: { s: {
      c: { type: "linkedmesh", source: "b" },
      b: { type: "linkedmesh", source: "a" },
      a: { type: "mesh", hull: 3, uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], vertices: [0, 0, 4, 0, 4, 4] },
    } } }],
    animations: { x: { attachments: { default: { s: { a: { deform: [{ vertices: [1] }] } } } } } },
  };

  it("get linked meshes that lead to one mesh over others, in any order (B04)", () => {
    const skin = new SkeletonJson(new TextureAtlas(""), { missing: "warn" }).readSkeletonData(meshes).defaultSkin!;
    const [a, b, c] = ["a", "b", "c"].map((name) => skin.getAttachment(0, name) as MeshAttachment);
    for (const linked of [b!, c!]) {
      expect([linked.vertices, linked.triangles, linked.getSourceMesh(), linked.timelineAttachment]).toEqual([a!.vertices, a!.triangles, a, a]);
      expect(linked.sequence.getUVs(0)).toHaveLength(6);
    }
  });

  it("may leave attachments out, with linked meshes and timelines that need them", () => {
    const asked: string[] = [];
    const attachmentLoader: AttachmentLoader = {
      newRegionAttachment: (_skin, _placeholder, name, _path, sequence) => new RegionAttachment(name, sequence),
      newMeshAttachment: (skin, placeholder, name, path, sequence) => {
        asked.push(`${skin.name} ${placeholder} ${name} ${path} ${sequence.regions.length}`);
        return name === "a" ? null : new MeshAttachment(name, sequence);
      },
      newBoundingBoxAttachment: () => null,
      newPathAttachment: () => null,
      newPointAttachment: () => null,
      newClippingAttachment: () => null,
    };
    const loader = new SkeletonJson(attachmentLoader);
    const data = loader.readSkeletonData(meshes);
    expect(asked).toEqual(["default c c c 1", "default b b b 1", "default a a a 1"]);
    expect(data.defaultSkin!.getAttachments().map((entry: { attachment: Attachment }) => entry.attachment.name)).toEqual([]);
    expect(data.animations[0]!.timelines).toEqual([]);
    expect(loader.report!.notes.filter((note) => note.code === "left-out").length).toBe(4);
  });
});
