import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SkeletonBinary, SkeletonJson, TextureAtlas } from "../../../src/spine/load/index.js";
import { readBinaryDocument } from "../../../src/spine/load/binary/reader.js";
import type { SkeletonDocument, TimelineDocument } from "../../../src/spine/load/document.js";
import { readJsonDocument } from "../../../src/spine/load/json/reader.js";
import { absoluteCurves, unwrapRotations } from "../../../src/spine/load/upgrade.js";
import { sharedData } from "../../shared-data.js";
import { exportFiles } from "./export-files.js";
import { OLD, UPGRADED } from "./worked-examples.js";

describe("upgrading older data", () => {
  it("turns the 3.8 example into the 4.3 example", () => {
    const { document, report } = readJsonDocument(OLD);
    // The same text with a 4.3 version is read by the rules of 4.3.
    const want = readJsonDocument({ ...UPGRADED, skeleton: { ...UPGRADED.skeleton, spine: "4.3.13" } }).document;
    expect({ ...document, version: "4.3.13" }).toEqual(want);
    expect([report.readAs, report.upgraded, report.version]).toEqual(["3.8", true, "3.8.99"]);
    expect(document.constraints.map((c) => [c.type, c.name])).toEqual([["transform", "copy"], ["ik", "reach"]]);
  });

  it("unwraps rotations to the shorter way, half a turn to the negative side", () => {
    const keys = [0, 170, 1, -170, 2, 20, 3, 200, 4, 20];
    unwrapRotations(keys);
    // 190 -> 20 is -170; 20 -> 200 is exactly half a turn and goes back; from -160 it is +180 again, so another -180.
    expect(keys).toEqual([0, 170, 1, 190, 2, 20, 3, -160, 4, -340]);
  });

  it("makes normalised curves absolute for every component", () => {
    const { types, controls } = absoluteCurves({ types: [2, 1, 0], points: [0.25, 0, 0.75, 1] }, [0, 10, -4, 2, 20, 4, 3, 0, 0], 3, 2);
    expect(types).toEqual([2, 1, 0]);
    expect(Array.from(controls)).toEqual([0.5, 10, 1.5, 20, 0.5, -4, 1.5, 4]);
    expect(Array.from(absoluteCurves({ types: [2, 0], points: [0.25, 0.1, 0.75, 0.9] }, [1, 3], 1, 0).controls)).toEqual([1.5, 0.1, 2.5, 0.9]);
  });

  it("merges constraints by their order and says which ones old runtimes never updated", () => {
    const ik = (name: string, order: number) => ({ name, order, bones: ["a"], target: "r" });
    const { document, report } = readJsonDocument({
      skeleton: { spine: "4.1.2" },
      bones: [{ name: "r" }, { name: "a", parent: "r" }],
      ik: [ik("second", 1), ik("same", 1), ik("far", 9)],
      transform: [{ name: "first", order: 0, bones: ["a"], target: "r" }],
    });
    expect(document.constraints.map((c) => c.name)).toEqual(["first", "second", "same", "far"]);
    expect(report.notes.filter((note) => note.code === "constraint-order").map((note) => /'(\w+)'/.exec(note.message)![1])).toEqual(["same", "far"]);
  });

  it("takes the defaults of physics from the version", () => {
    const json = (spine: string) => ({ skeleton: { spine }, bones: [{ name: "r" }], [spine.startsWith("4.2") ? "physics" : "constraints"]: [{ type: "physics", name: "p", bone: "r" }] });
    const [old, recent] = ["4.2.40", "4.3.1"].map((spine) => readJsonDocument(json(spine)).document.constraints[0]);
    expect(old).toMatchObject({ inertia: 1, damping: 1, scaleY: 0 });
    expect(recent).toMatchObject({ inertia: 0.5, damping: 0.85 });
  });

  it("notes what cannot be kept exactly", () => {
    const { report } = readJsonDocument({
      skeleton: { spine: "3.8.99" },
      bones: [{ name: "r" }, { name: "a", parent: "r" }],
      transform: [{ name: "t", bones: ["a"], target: "r", local: true }],
    });
    const notes = report.notes.filter((note) => note.code === "inexact-upgrade").map((note) => note.message);
    expect(notes.some((message) => message.includes("scale is mixed without dividing"))).toBe(true);
    expect(notes.some((message) => message.includes("no longer wrapped"))).toBe(true);
  });

  it("accepts old keys in betas of a newer version", () => {
    const { document } = readJsonDocument({ skeleton: { spine: "4.2.06-beta" }, bones: [{ name: "r", transform: "noScale" }] });
    expect(document.bones[0]!.inherit).toBe(3);
  });

  it.each([
    ["a constraints list", { constraints: [] }, "4.3"],
    ["an object of skins", { skins: {} }, "3.7"],
    ["angles in keys", { bones: [{ name: "r" }], animations: { x: { bones: { r: { rotate: [{ angle: 1 }] } } } } }, "3.8"],
    ["numeric curves", { bones: [{ name: "r" }], animations: { x: { bones: { r: { translate: [{ curve: 0.5 }, { time: 1 }] } } } } }, "3.8"],
    ["a deform section", { animations: { x: { deform: {} } } }, "4.0"],
    ["inherit", { bones: [{ name: "r", inherit: "noScale" }], ik: [] }, "4.2"],
    ["lists per type", { ik: [] }, "4.1"],
  ])("guesses the version of files without one from %s", (_name, json, version) => {
    expect(readJsonDocument(json).report.readAs).toBe(version);
  });

  const all = exportFiles("every file of 3.7 to 4.3");
  it.skipIf(all.length === 0)("loads every example of every version in both formats, with its atlas", () => {
    const counts: Record<string, number> = {};
    for (const file of all) {
      const atlas = new TextureAtlas(readFileSync(file.atlas, "utf8"));
      const loader = file.format === "json" ? new SkeletonJson(atlas, { file: file.name }) : new SkeletonBinary(atlas, { file: file.name });
      const contents = file.format === "json" ? readFileSync(file.path, "utf8") : new Uint8Array(readFileSync(file.path));
      const data = (loader as { readSkeletonData(data: unknown): { bones: unknown[] } }).readSkeletonData(contents);
      expect(data.bones.length).toBeGreaterThan(0);
      expect(loader.report!.readAs, file.name).toBe(file.version);
      const key = `${file.version} ${file.format}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    expect(counts).toEqual({
      "3.7 json": 8, "3.7 skel": 8, "3.8 json": 8, "3.8 skel": 8, "4.0 json": 9, "4.0 skel": 9, "4.1 json": 9, "4.1 skel": 9, "4.2 json": 22, "4.2 skel": 22,
      "4.3 json": 40, "4.3 skel": 40,
    });
  });

  it.skipIf(all.length === 0)("gives the same document for both formats of one export, but for rounding in the text", () => {
    let compared = 0;
    for (const file of all) {
      if (file.format === "json") continue;
      const binary = readBinaryDocument(new Uint8Array(readFileSync(file.path)), file.name).document;
      const json = readJsonDocument(readFileSync(file.path.replace(/skel$/, "json"), "utf8"), file.name).document;
      if (binary.hash !== json.hash) continue; // two exports
      compared++;
      const want = outline(json), got = outline(binary);
      expect(got.length).toBe(want.length);
      const wrong = want.findIndex((a, i) => {
        const b = got[i];
        return typeof a === "number" && typeof b === "number" ? Math.abs(a - b) > 0.0051 + 1e-3 * Math.abs(a) : a !== b;
      });
      expect(wrong < 0 ? "" : `${file.name} ${wrong}: ${want[wrong]} and ${got[wrong]}`).toBe("");
    }
    expect(compared).toBeGreaterThan(70);
  });

  it.skipIf(all.length === 0)("reads the binary exports of one unchanged project alike from every version", () => {
    const tank = (version: string) => readBinaryDocument(new Uint8Array(readFileSync(all.find((file) => file.name === `${version}/tank/tank-pro.skel`)!.path))).document;
    const newest = tank("4.3");
    for (const version of ["3.7", "3.8", "4.0", "4.1", "4.2"]) {
      const old = tank(version);
      // Editor data came with later versions.
      const setup = (d: SkeletonDocument) => d.bones.map((b) => [b.name, b.parent, b.length, b.x, b.y, b.rotation, b.scaleX, b.scaleY, b.shearX, b.shearY, b.inherit]);
      expect(setup(old), version).toEqual(setup(newest));
      const constraints = (d: SkeletonDocument) => d.constraints.map((c) => (c.type === "transform" ? { ...c, properties: [] } : c));
      expect(constraints(old), version).toEqual(constraints(newest));
      let worst = 0, compared = 0;
      for (const animation of old.animations) {
        const other = newest.animations.find((item) => item.name === animation.name)!;
        for (const timeline of animation.timelines) {
          if (timeline.kind !== "rotate" && timeline.kind !== "translate" && timeline.kind !== "scale") continue;
          const same = other.timelines.find((item) => item.kind === timeline.kind && item.target === timeline.target) as typeof timeline;
          expect(same.keys.length).toBe(timeline.keys.length);
          compared++;
          for (let i = 0; i < same.keys.length; i++) worst = Math.max(worst, Math.abs(same.keys[i]! - timeline.keys[i]!));
        }
      }
      expect(compared).toBeGreaterThan(50);
      expect(worst, version).toBeLessThan(1e-4);
    }
  });

  const upgradedFolder = sharedData("spine/4.3-upgraded", "comparison with documents upgraded independently");
  it.skipIf(upgradedFolder === undefined)("upgrades 4.2 exports to what an independent upgrade of them is read as", () => {
    let compared = 0;
    for (const file of all) {
      if (file.version !== "4.2" || file.format !== "json") continue;
      const name = file.name.slice(file.name.lastIndexOf("/") + 1);
      const want = readJsonDocument(readFileSync(join(upgradedFolder!, name), "utf8")).document;
      const got = readJsonDocument(readFileSync(file.path, "utf8")).document;
      expect(plain(got), name).toEqual(plain(want));
      compared++;
    }
    expect(compared).toBe(22);
  });
});

/** A document without what an upgrade is free to choose. */
function plain(document: SkeletonDocument): unknown {
  for (const constraint of document.constraints) {
    // A property whose mix is 0 may be left out.
    if (constraint.type === "transform") constraint.properties = [];
  }
  return { ...document, version: null, hash: null };
}

/** The parts of a document that exports of both formats share, as one list. */
function outline(document: SkeletonDocument): (string | number)[] {
  const out: (string | number)[] = [];
  for (const b of document.bones) out.push(b.name, b.parent, b.length, b.x, b.y, b.rotation, b.scaleX, b.scaleY, b.shearX, b.shearY, b.inherit, String(b.skinRequired));
  for (const s of document.slots) out.push(s.name, s.bone, s.color, String(s.dark), String(s.attachment), s.blend);
  for (const c of document.constraints) {
    out.push(c.type, c.name);
    if (c.type === "ik") out.push(c.bones.join(), c.target, c.mix, c.softness, String(c.stretch));
    if (c.type === "transform") out.push(c.bones.join(), c.source, ...c.offsets, ...c.mixes);
    if (c.type === "path") out.push(c.slot, c.positionMode, c.spacingMode, c.rotateMode, c.position, c.spacing, c.mixRotate, c.mixX, c.mixY);
    if (c.type === "physics") out.push(c.bone, c.x, c.y, c.rotate, c.scaleX, c.shearX, c.fps, c.inertia, c.strength, c.damping, c.massInverse, c.wind, c.gravity, c.mix);
  }
  for (const skin of document.skins) {
    out.push(skin.name);
    const lines = skin.entries.map(({ slot, placeholder, attachment }) => `${slot} ${placeholder} ${attachment.type} ${attachment.name}`);
    out.push(...lines.toSorted());
  }
  for (const animation of document.animations) {
    out.push(animation.name, animation.timelines.length);
    for (const timeline of animation.timelines) out.push(timeline.kind, keyCount(timeline));
  }
  return out;
}

function keyCount(timeline: TimelineDocument): number {
  return "times" in timeline ? timeline.times.length : timeline.keys.length;
}
