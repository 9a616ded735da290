import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Animation } from "../../src/anim/module/animation.js";
import { AnimArgumentError, AnimFormatError, AnimStateError } from "../../src/anim/errors.js";
import { AnimImporter, registerModelLoader } from "../../src/import/anim-importer.js";
import { ModelData } from "../../src/import/model/model-data.js";

const biped = new Uint8Array(readFileSync(resolve(fileURLToPath(import.meta.url), "../../../examples/assets/biped.glb")));
const EVA = "EVA 1\nskeleton 1\nbone 0 -1 hips\nclip walk\nduration 1\ntrack 0 1 0 0\np 0 1 2 3\nend\n";

describe("AnimImporter", () => {
  test("finds the format out from the data", async () => {
    expect((await AnimImporter.loadModel(biped)).format).toBe("gltf");
    expect((await AnimImporter.loadModel('{ "asset": { "version": "2.0" } }')).nodes).toHaveLength(0);
    expect((await AnimImporter.loadModel({ asset: { version: "2.0" } })).format).toBe("gltf");
    const fbx = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n";
    expect((await AnimImporter.loadModel(fbx)).format).toBe("fbx");
    expect((await AnimImporter.loadModel(new TextEncoder().encode(fbx))).format).toBe("fbx");
    await expect(AnimImporter.loadModel("hello")).rejects.toThrow(AnimFormatError);
    await expect(AnimImporter.loadModel(new Uint8Array(0), { file: "x.obj" })).rejects.toThrow(/x\.obj/);
  });

  test("registered loaders come first", async () => {
    const model = await AnimImporter.loadModel(biped);
    registerModelLoader("obj", () => model);
    expect(await AnimImporter.loadModel("v 0 0 0", { file: "a.OBJ" })).toBe(model);
    expect(await AnimImporter.loadModel("v 0 0 0", { format: "obj" })).toBe(model);
    expect(() => registerModelLoader("", () => model)).toThrow(AnimArgumentError);
  });

  test("reads and writes fixtures and motion capture", () => {
    const { skeleton, clip } = AnimImporter.importEva(EVA);
    const again = AnimImporter.importBvh(AnimImporter.exportBvh(skeleton, clip));
    expect(again.skeleton.findBone("hips")).toBe(0);
    expect(AnimImporter.exportEva(skeleton, clip)).toContain("bone 0 -1 hips");
  });
});

describe("the factories of Animation", () => {
  test("make skeletons, clips and skins of a model", async () => {
    const anim = new Animation();
    const model = await AnimImporter.loadModel(biped);
    expect(model).toBeInstanceOf(ModelData);
    const skeleton = anim.newSkeletonFromModel(model);
    const clip = anim.newClipFromModel(model, skeleton, 1);
    expect([skeleton.getBoneCount(), clip.getName(), anim.newSkinFromModel(model, 0, skeleton).getVertexCount()]).toEqual([24, "walk", model.getVertexCount(0)]);
    anim.dispose();
  });

  test("make skeletons and clips of fixture text, or of the file that the host reads", async () => {
    const anim = new Animation({ readText: (path) => (path === "walk.anim.txt" ? EVA : "") });
    expect(anim.newSkeletonFromAnimationFixtureText(EVA).getBoneCount()).toBe(1);
    expect(anim.newClipFromAnimationFixtureText("walk.anim.txt").getName()).toBe("walk");
    expect(anim.newSkeletonFromEvaFile("walk.anim.txt").getBoneName(0)).toBe("hips");
    const later = new Animation({ readText: async () => EVA });
    expect(() => later.newClipFromEvaFile("walk.anim.txt")).toThrow(AnimStateError);
    expect((await later.newClipFromAnimationFixtureTextAsync("walk.anim.txt")).getDuration()).toBe(1);
    expect((await later.newSkeletonFromAnimationFixtureTextAsync("walk.anim.txt")).getBoneCount()).toBe(1);
    anim.dispose();
    later.dispose();
  });
});
