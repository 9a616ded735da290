import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.js";
import { SkeletonJson, TextureAtlas } from "../../../src/spine/load/index.js";
import { readBinaryDocument } from "../../../src/spine/load/binary/reader.js";
import { readJsonDocument } from "../../../src/spine/load/json/reader.js";
import { didYouMean, nearNames } from "../../../src/spine/load/near-names.js";
import { writeBinaryDocument } from "../../../src/spine/load/write/binary-writer.js";

type Doc = Record<string, any>;

const base = (): Doc => ({
  skeleton: { spine: "4.3.13" },
  bones: [{ name: "root" }, { name: "b", parent: "root" }],
  slots: [{ name: "s", bone: "b", attachment: "a" }],
  skins: [{ name: "default", attachments: { s: { a: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 1, 0, 0, 1] } } } }],
  events: { e: {} },
  animations: {},
});

function error(json: unknown): FormatError {
  try {
    new SkeletonJson(new TextureAtlas(""), { missing: "warn" }).readSkeletonData(json as object);
  } catch (e) {
    expect(e).toBeInstanceOf(FormatError);
    return e as FormatError;
  }
  throw new Error("nothing was thrown");
}

/** What is wrong, the edit, the pointer of the error and a piece of its message. */
const cases: [string, (d: Doc) => void, string, RegExp][] = [
  ["bone without name", (d) => d.bones.push({}), "/bones/2", /needs 'name'/],
  ["bone with an unknown parent", (d) => (d.bones[1].parent = "zz"), "/bones/1/parent", /no earlier bone 'zz'/],
  ["bone whose parent comes later", (d) => (d.bones = [{ name: "root", parent: "b" }, { name: "b" }]), "/bones/0/parent", /'b'/],
  ["bone with a text for x", (d) => (d.bones[0].x = "1"), "/bones/0/x", /expected a number/],
  ["bone with x beyond single precision", (d) => (d.bones[0].x = 1e300), "/bones/0/x", /single precision/],
  ["unknown inherit mode", (d) => (d.bones[0].inherit = "noscale"), "/bones/0/inherit", /Did you mean 'noScale'/],
  ["slot with an unknown bone", (d) => (d.slots[0].bone = "zz"), "/slots/0/bone", /no bone 'zz'/],
  ["slot with a bad colour", (d) => (d.slots[0].color = "ff00zz"), "/slots/0/color", /colour such as/],
  ["slot with an unknown blend mode", (d) => (d.slots[0].blend = "add"), "/slots/0/blend", /normal, additive/],
  ["IK bone", (d) => (d.constraints = [{ type: "ik", name: "c", bones: ["zz"], target: "b" }]), "/constraints/0/bones/0", /no bone 'zz'/],
  ["IK target", (d) => (d.constraints = [{ type: "ik", name: "c", bones: ["b"], target: "zz" }]), "/constraints/0/target", /no bone 'zz'/],
  ["IK with three bones", (d) => (d.constraints = [{ type: "ik", name: "c", bones: ["b", "b", "b"], target: "b" }]), "/constraints/0/bones", /3 bones, expected 1 or 2/],
  ["transform source", (d) => (d.constraints = [{ type: "transform", name: "c", bones: ["b"], source: "zz" }]), "/constraints/0/source", /no bone 'zz'/],
  ["transform source property", (d) => (d.constraints = [{ type: "transform", name: "c", bones: [], source: "b", properties: { shearX: {} } }]), "/constraints/0/properties/shearX", /'shearX'/],
  ["transform target property", (d) => (d.constraints = [{ type: "transform", name: "c", bones: [], source: "b", properties: { x: { to: { shearX: {} } } } }]), "/constraints/0/properties/x/to/shearX", /'shearX'/],
  ["path slot", (d) => (d.constraints = [{ type: "path", name: "c", bones: [], slot: "zz" }]), "/constraints/0/slot", /no slot 'zz'/],
  ["physics bone", (d) => (d.constraints = [{ type: "physics", name: "c", bone: "zz" }]), "/constraints/0/bone", /no bone 'zz'/],
  ["physics without steps", (d) => (d.constraints = [{ type: "physics", name: "c", bone: "b", fps: 0 }]), "/constraints/0/fps", /above 0/],
  ["physics without mass", (d) => (d.constraints = [{ type: "physics", name: "c", bone: "b", mass: 0 }]), "/constraints/0/mass", /other than 0/],
  ["slider bone", (d) => { d.animations.x = {}; d.constraints = [{ type: "slider", name: "c", animation: "x", bone: "zz", property: "x" }]; }, "/constraints/0/bone", /no bone 'zz'/],
  ["slider property", (d) => { d.animations.x = {}; d.constraints = [{ type: "slider", name: "c", animation: "x", bone: "b", property: "zz" }]; }, "/constraints/0/property", /'zz'/],
  ["slider animation", (d) => (d.constraints = [{ type: "slider", name: "c", animation: "zz" }]), "/constraints/0/animation", /no animation 'zz'/],
  ["unknown constraint type", (d) => (d.constraints = [{ type: "wat", name: "c" }]), "/constraints/0/type", /no constraint type 'wat'/],
  ["constraint without type", (d) => (d.constraints = [{ name: "c" }]), "/constraints/0/type", /needs 'type'/],
  ["skin bone", (d) => (d.skins[0].bones = ["zz"]), "/skins/0/bones/0", /no bone 'zz'/],
  ["skin constraint", (d) => (d.skins[0].ik = ["zz"]), "/skins/0/ik/0", /no ik constraint 'zz'/],
  ["skin slot", (d) => (d.skins[0].attachments.zz = {}), "/skins/0/attachments/zz", /no slot 'zz'/],
  ["linked mesh skin", (d) => (d.skins[0].attachments.s.l = { type: "linkedmesh", source: "a", skin: "zz" }), "/skins/0/attachments/s/l/skin", /no skin 'zz'/],
  ["linked mesh slot", (d) => (d.skins[0].attachments.s.l = { type: "linkedmesh", source: "a", slot: "zz" }), "/skins/0/attachments/s/l/slot", /no slot 'zz'/],
  ["linked mesh source", (d) => (d.skins[0].attachments.s.l = { type: "linkedmesh", source: "zz" }), "/skins/0/attachments/s/l/source", /'zz' in slot 's' of skin 'default'/],
  ["linked mesh of a box", (d) => (d.skins[0].attachments.s.l = { type: "linkedmesh", source: "a" }), "/skins/0/attachments/s/l/source", /is a boundingbox/],
  ["linked meshes in a circle", (d) => Object.assign(d.skins[0].attachments.s, { l: { type: "linkedmesh", source: "m" }, m: { type: "linkedmesh", source: "l" } }), "/skins/0/attachments/s/l/source", /back to itself/],
  ["unknown attachment type", (d) => (d.skins[0].attachments.s.a.type = "wat"), "/skins/0/attachments/s/a/type", /no attachment type 'wat'/],
  ["clipping end", (d) => (d.skins[0].attachments.s.a = { type: "clipping", end: "zz", vertexCount: 0, vertices: [] }), "/skins/0/attachments/s/a/end", /no slot 'zz'/],
  ["mesh without uvs", (d) => (d.skins[0].attachments.s.a = { type: "mesh", triangles: [], vertices: [] }), "/skins/0/attachments/s/a", /needs 'uvs'/],
  ["mesh without triangles", (d) => (d.skins[0].attachments.s.a = { type: "mesh", uvs: [], vertices: [] }), "/skins/0/attachments/s/a", /needs 'triangles'/],
  ["mesh with a triangle out of range", (d) => (d.skins[0].attachments.s.a = { type: "mesh", uvs: [0, 0], triangles: [0, 0, 1], vertices: [0, 0] }), "/skins/0/attachments/s/a/triangles", /uses vertex 1/],
  ["region without a size", (d) => (d.skins[0].attachments.s.a = { width: 1 }), "/skins/0/attachments/s/a", /needs 'height'/],
  ["path with too few lengths", (d) => (d.skins[0].attachments.s.a = { type: "path", vertexCount: 6, vertices: Array.from({ length: 12 }, () => 0), lengths: [1] }), "/skins/0/attachments/s/a/lengths", /expected 2 lengths/],
  ["weights that run past the end", (d) => (d.skins[0].attachments.s.a.vertices = [1, 0, 0, 0, 1, 1, 0, 0, 0]), "/skins/0/attachments/s/a/vertices", /runs past/],
  ["weights of an unknown bone", (d) => (d.skins[0].attachments.s.a.vertices = [1, 2, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1]), "/skins/0/attachments/s/a/vertices", /bone 2/],
  ["sequence of a billion regions", (d) => (d.skins[0].attachments.s.a = { width: 1, height: 1, sequence: { count: 1e9 } }), "/skins/0/attachments/s/a/sequence/count", /1\.\.65536/],
  ["timelines of an unknown slot", (d) => (d.animations.x = { slots: { zz: {} } }), "/animations/x/slots/zz", /no slot 'zz'/],
  ["timelines of an unknown bone", (d) => (d.animations.x = { bones: { zz: {} } }), "/animations/x/bones/zz", /no bone 'zz'/],
  ["timelines of an unknown IK constraint", (d) => (d.animations.x = { ik: { zz: [] } }), "/animations/x/ik/zz", /no ik constraint 'zz'/],
  ["timelines of an unknown transform constraint", (d) => (d.animations.x = { transform: { zz: [] } }), "/animations/x/transform/zz", /no transform constraint/],
  ["timelines of an unknown path constraint", (d) => (d.animations.x = { path: { zz: {} } }), "/animations/x/path/zz", /no path constraint/],
  ["timelines of an unknown physics constraint", (d) => (d.animations.x = { physics: { zz: {} } }), "/animations/x/physics/zz", /no physics constraint/],
  ["timelines of an unknown slider", (d) => (d.animations.x = { slider: { zz: {} } }), "/animations/x/slider/zz", /no slider constraint/],
  ["attachment timelines of an unknown skin", (d) => (d.animations.x = { attachments: { zz: {} } }), "/animations/x/attachments/zz", /no skin 'zz'/],
  ["attachment timelines of an unknown slot", (d) => (d.animations.x = { attachments: { default: { zz: {} } } }), "/animations/x/attachments/default/zz", /no slot 'zz'/],
  ["attachment timelines of an unknown attachment", (d) => (d.animations.x = { attachments: { default: { s: { zz: {} } } } }), "/animations/x/attachments/default/s/zz", /no attachment/],
  ["unknown slot timeline", (d) => (d.animations.x = { slots: { s: { rgbaa: [] } } }), "/animations/x/slots/s/rgbaa", /Did you mean 'rgba'/],
  ["unknown bone timeline", (d) => (d.animations.x = { bones: { b: { rotation: [] } } }), "/animations/x/bones/b/rotation", /no bone timeline 'rotation'/],
  ["two colours without a dark one", (d) => (d.animations.x = { slots: { s: { rgb2: [{ light: "ffffff", dark: "000000" }] } } }), "/animations/x/slots/s/rgb2", /no setup 'dark' colour/],
  ["colour key without colour", (d) => (d.animations.x = { slots: { s: { rgba: [{}] } } }), "/animations/x/slots/s/rgba/0", /needs 'color'/],
  ["draw order of an unknown slot", (d) => (d.animations.x = { drawOrder: [{ offsets: [{ slot: "zz", offset: 0 }] }] }), "/animations/x/drawOrder/0/offsets/0/slot", /no slot 'zz'/],
  ["draw order out of range", (d) => (d.animations.x = { drawOrder: [{ offsets: [{ slot: "s", offset: 1 }] }] }), "/animations/x/drawOrder/0/offsets", /place 1, expected 0\.\.0/],
  ["draw order out of order", (d) => { d.slots.push({ name: "s2", bone: "b" }); d.animations.x = { drawOrder: [{ offsets: [{ slot: "s2", offset: -1 }, { slot: "s", offset: 1 }] }] }; }, "/animations/x/drawOrder/0/offsets", /ascending/],
  ["folder with an unknown slot", (d) => (d.animations.x = { drawOrderFolder: [{ slots: ["zz"], keys: [] }] }), "/animations/x/drawOrderFolder/0/slots/0", /no slot 'zz'/],
  ["folder offset of a slot outside", (d) => { d.slots.push({ name: "s2", bone: "b" }); d.animations.x = { drawOrderFolder: [{ slots: ["s"], keys: [{ offsets: [{ slot: "s2", offset: 0 }] }] }] }; }, "/animations/x/drawOrderFolder/0/keys/0/offsets/0/slot", /not in this draw order folder/],
  ["event key of an unknown event", (d) => (d.animations.x = { events: [{ name: "zz" }] }), "/animations/x/events/0/name", /no event 'zz'/],
  ["unknown curve text", (d) => (d.animations.x = { bones: { b: { rotate: [{ curve: "wat" }, { time: 1 }] } } }), "/animations/x/bones/b/rotate/0/curve", /"stepped" or an array of 4/],
  ["short curve", (d) => (d.animations.x = { bones: { b: { translate: [{ curve: [0, 0, 0, 0, 0, 0, 0] }, { time: 1 }] } } }), "/animations/x/bones/b/translate/0/curve", /array of 8 numbers, found an array of 7/],
  ["keys out of order", (d) => (d.animations.x = { bones: { b: { rotate: [{ time: 1 }, { time: 0.5 }] } } }), "/animations/x/bones/b/rotate/1/time", /key before is at 1/],
  ["negative time", (d) => (d.animations.x = { bones: { b: { rotate: [{ time: -1 }] } } }), "/animations/x/bones/b/rotate/0/time", /0 or later/],
  ["deform beyond the attachment", (d) => (d.animations.x = { attachments: { default: { s: { a: { deform: [{ offset: 5, vertices: [1, 2] }] } } } } }), "/animations/x/attachments/default/s/a/deform/0/vertices", /outside the attachment's 0\.\.5/],
  ["deform of a region", (d) => { d.skins[0].attachments.s.r = { width: 1, height: 1 }; d.animations.x = { attachments: { default: { s: { r: { deform: [{}] } } } } }; }, "/animations/x/attachments/default/s/r/deform", /no vertices to deform/],
  ["sequence of a box", (d) => (d.animations.x = { attachments: { default: { s: { a: { sequence: [{}] } } } } }), "/animations/x/attachments/default/s/a/sequence", /no sequence/],
  ["a list where an object belongs", (d) => (d.animations = []), "/animations", /expected an object/],
  ["an object where a list belongs", (d) => (d.bones = {}), "/bones", /expected an array/],
];

describe("errors of JSON skeletons", () => {
  it.each(cases)("%s", (_name, edit, pointer, message) => {
    const json = base();
    edit(json);
    const e = error(json);
    expect([e.pointer, e.message.startsWith(`${pointer}: `)]).toEqual([pointer, true]);
    expect(e.message).toMatch(message);
  });

  it("escapes names in pointers", () => {
    const json = base();
    json.animations["a/b~c"] = { bones: { zz: {} } };
    expect(error(json).pointer).toBe("/animations/a~1b~0c/bones/zz");
  });

  it.each([
    ["empty lists of keys", { bones: { b: { rotate: [] } }, slots: { s: { attachment: [], rgba: [] } }, drawOrder: [], events: [] }],
    ["unknown timelines of path, physics and sliders", { physics: { "": { wat: [] } } }],
  ])("ignores %s", (_name, animation) => {
    const json = base();
    json.animations.x = animation;
    const data = new SkeletonJson(new TextureAtlas("")).readSkeletonData(json);
    expect(data.animations[0]!.timelines).toEqual([]);
  });

  it.each([
    ["3.6.53", /3\.7 to 4\.3/, /newer editor/],
    ["2.1.27", /3\.7 to 4\.3/, /newer editor/],
    ["4.4.1", /3\.7 to 4\.3/, /update osteon/],
    ["5.0", /3\.7 to 4\.3/, /update osteon/],
    ["3.8.75", /3\.8\.75/, /defective/],
  ])("looks at the version before anything else (%s)", (spine, range, hint) => {
    const e = error({ skeleton: { spine }, bones: [{}] });
    expect([e.code, e.pointer, e.found]).toEqual(["unsupported-version", "/skeleton/spine", spine]);
    expect(e.message).toMatch(range);
    expect(e.message).toMatch(hint);
  });

  it("says which loader reads the file", () => {
    expect(error("\u0001\u0002").message).toContain("SkeletonBinary");
    const bytes = new TextEncoder().encode(JSON.stringify(base()));
    expect(() => readBinaryDocument(bytes)).toThrow(/SkeletonJson/);
  });

  it("notes duplicate names and goes on", () => {
    const json = base();
    json.bones.push({ name: "b", parent: "root" });
    const { document, report } = readJsonDocument(json);
    expect(document.slots[0]!.bone).toBe(1);
    expect(report.notes).toEqual([{ code: "duplicate-name", message: "More than one bone is called 'b'; references mean the first.", count: 1 }]);
  });
});

describe("errors of binary skeletons", () => {
  const bytes = writeBinaryDocument(readJsonDocument(base()).document);

  it("carry the offset at which a truncated file ends", () => {
    for (let length = 0; length < bytes.length; length++) {
      try {
        readBinaryDocument(bytes.subarray(0, length), "hero.skel");
        expect.unreachable(`length ${length}`);
      } catch (e) {
        expect(e).toBeInstanceOf(FormatError);
        expect((e as FormatError).byteOffset).toBeLessThanOrEqual(length);
        expect((e as FormatError).file).toBe("hero.skel");
      }
    }
  });

  it("count what is left over", () => {
    expect(() => readBinaryDocument(new Uint8Array([...bytes, 0]))).toThrow(/1 bytes are left over/);
  });

  it("read a view into a larger buffer from where it begins", () => {
    const padded = new Uint8Array(bytes.length + 7);
    padded.set(bytes, 5);
    expect(readBinaryDocument(padded.subarray(5, 5 + bytes.length)).document).toEqual(readBinaryDocument(bytes).document);
  });
});

describe("near names", () => {
  it("finds misspelt, miscased and moved names, best first", () => {
    const names = ["arm-left", "arm-right", "images/head", "torso", "Hip"];
    expect(nearNames("arm-lft", names)).toEqual(["arm-left"]);
    expect(nearNames("head", names)).toEqual(["images/head"]);
    expect(nearNames("hip", names)).toEqual(["Hip"]);
    expect(nearNames("zebra", names)).toEqual([]);
    expect(didYouMean("torsp", names)).toBe(" Did you mean 'torso'?");
    expect(didYouMean("q", names)).toBe("");
  });
});
