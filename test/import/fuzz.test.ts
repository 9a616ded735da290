import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importBvh } from "../../src/import/bvh/index.js";
import { loadFbx } from "../../src/import/fbx/load.js";
import { importEva } from "../../src/import/fixture/import.js";
import { loadGltf } from "../../src/import/gltf/load.js";
import { newClipFromModel } from "../../src/import/model/clip.js";
import type { ModelData } from "../../src/import/model/model-data.js";
import { newSkeletonFromModel } from "../../src/import/model/skeleton.js";
import { newSkinFromModel } from "../../src/import/model/skin.js";
import { sharedData } from "../shared-data.js";
import { fuzz, mutateBytes, mutateJson, mutateText } from "./fuzz.js";
import { smallBvh } from "./small-bvh.js";

/** The nightly run tries ten times as many. */
const FACTOR = process.env.OSTEON_NIGHTLY === "1" ? 10 : 1;
/** No mutated file of these sizes may take longer, however busy the machine is. */
const SLOWEST = 5000;

/** Everything that a program does with a model after loading it. */
function useModel(model: ModelData): void {
  const skeleton = newSkeletonFromModel(model);
  try {
    for (let a = 0; a < model.getAnimationCount(); a++) newClipFromModel(model, skeleton, a).dispose();
    for (let m = 0; m < model.getMeshCount(); m++) if (model.hasBones(m)) newSkinFromModel(model, m, skeleton).dispose();
  } finally {
    skeleton.dispose();
  }
}

const gltf = sharedData("gltf", "mutated glTF files");
describe.skipIf(gltf === undefined)("mutated glTF", () => {
  test.each([["RiggedFigure/RiggedFigure.glb", 200], ["AnimatedMorphSphere/AnimatedMorphSphere.glb", 100], ["GreenMan/greenman.glb", 100]])("%s ends in a result or an OsteonError", async (name, cases) => {
    const bytes = new Uint8Array(readFileSync(join(gltf!, name)));
    const jsonLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    const result = await fuzz(cases * FACTOR, 11, async (next) => {
      const within = next() < 0.7 ? 20 + jsonLength : bytes.length;
      useModel(await loadGltf(mutateBytes(bytes, next, within)));
    });
    expect(result.rejected).toBeGreaterThan(0);
    expect(result.slowestMilliseconds).toBeLessThan(SLOWEST);
  }, 240_000);

  test.each([["SimpleSkin/SimpleSkin.gltf", 1500], ["RiggedSimple/rigged_simple.gltf", 700], ["InterpolationTest/interpolation_test.gltf", 500], ["SimpleMorph/SimpleMorph.gltf", 700]])("the document of %s, mutated, ends in a result or an OsteonError", async (name, cases) => {
    const document = JSON.parse(readFileSync(join(gltf!, name), "utf8")) as unknown;
    const folder = join(gltf!, name.replace(/[^/]*$/, ""));
    const result = await fuzz(cases * FACTOR, 13, async (next) => {
      useModel(await loadGltf(mutateJson(document, next) as object, {
        resolve: (uri) => (/^[\w.-]+$/.test(uri) && uri.endsWith(".bin") ? new Uint8Array(readFileSync(join(folder, uri))) : undefined),
      }));
    });
    expect(result.rejected).toBeGreaterThan(0);
    expect(result.slowestMilliseconds).toBeLessThan(SLOWEST);
  }, 240_000);
});

const fbx = sharedData("fbx", "mutated FBX files");
describe.skipIf(fbx === undefined)("mutated FBX", () => {
  test.each([["huesitos.fbx", 60], ["multiple_animations_test.fbx", 200], ["boxWithCompressedCTypeArray.FBX", 400], ["anims_with_full_rotations_between_keys.fbx", 20]])("%s ends in a result or an OsteonError", async (name, cases) => {
    const bytes = new Uint8Array(readFileSync(join(fbx!, name)));
    const result = await fuzz(cases * FACTOR, 17, (next) => useModel(loadFbx(mutateBytes(bytes, next))));
    expect(result.rejected).toBeGreaterThan(0);
    expect(result.slowestMilliseconds).toBeLessThan(SLOWEST);
  }, 240_000);
});

const BVH = smallBvh("0 1 0 90 0 0 0 0 0", "1 1 2 90 0 0 0 90 0");

const EVA = `EVA 1
skeleton 2
bone 0 -1 hips
bind 0 0 1 0 0 0 0 1 1 1 1
bone 1 0 left leg
bind 1 0.1 0 0 0 0 0 1 1 1 1
lod 1 2
clip walk cycle
duration 1
loop 1
rate 30
event 0.5 step left foot
sync 0.25 left_plant
track 0 2 1 0
p 0 0 1 0
p 1 0 1 2
r 0 0 0 0 1
track 1 0 0 2
s 0 1 1 1
s 1 2 2 2
interp 0 p cubic
curve contact
c 0 1
c 0.5 0
end
`;

describe("mutated texts", () => {
  test("BVH ends in a result or an OsteonError", async () => {
    const result = await fuzz(4000 * FACTOR, 19, (next) => {
      const { skeleton, clip } = importBvh(mutateText(BVH, next));
      skeleton.dispose();
      clip.dispose();
    });
    expect(result.rejected).toBeGreaterThan(1000);
    expect(result.accepted).toBeGreaterThan(100);
    expect(result.slowestMilliseconds).toBeLessThan(SLOWEST);
  });

  test("fixtures end in a result or an OsteonError", async () => {
    const result = await fuzz(4000 * FACTOR, 23, (next) => {
      const { skeleton, clip } = importEva(mutateText(EVA, next));
      skeleton.dispose();
      clip.dispose();
    });
    expect(result.rejected).toBeGreaterThan(1000);
    expect(result.accepted).toBeGreaterThan(100);
    expect(result.slowestMilliseconds).toBeLessThan(SLOWEST);
  });
});
