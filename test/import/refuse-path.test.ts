import { expect, test } from "vitest";
import { AnimArgumentError, AnimFormatError } from "../../src/anim/index.js";
import { importBvh } from "../../src/import/bvh/index.js";
import { loadFbx } from "../../src/import/fbx/index.js";
import { loadGltf } from "../../src/import/gltf/index.js";

const PATHS = [
  "model.fbx", "./models/My Robot.glb", "C:\\models\\robot.gltf", "https://example.com/robot.glb?v=2", "file:///models/walk.bvh", "../a/b.BVH", "assets/x.json\n", "blob:null/1234",
  "data:model/gltf-binary;base64,Z2xURg==",
];

test("loaders that are given the name of a file say that they want its content", async () => {
  for (const path of PATHS) {
    expect(() => loadFbx(path), path).toThrow(AnimArgumentError);
    expect(() => loadFbx(path), path).toThrow(/loadFbx: data is the text .*name of a file.*readFile/);
    expect(() => importBvh(path), path).toThrow(/importBvh: data is the text .*name of a file/);
    await expect(loadGltf(path), path).rejects.toThrow(AnimArgumentError);
    await expect(loadGltf(path), path).rejects.toThrow(/loadGltf: data is the text .*name of a file/);
  }
});

test("texts that are no names of files are read as before", async () => {
  for (const text of ["", "nonsense", "HIERARCHY", "{}", '{"asset":{"version":"2.0","generator":"a.glb"}, "b": "robot.glb"}x', `; robot.fbx\n; robot.fbx`]) {
    expect(() => loadFbx(text), text).toThrow(AnimFormatError);
    await expect(loadGltf(text), text).rejects.toThrow(AnimFormatError);
    expect(() => importBvh(text), text).toThrow(AnimFormatError);
  }
});
