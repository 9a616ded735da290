import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadGltf } from "../../src/import/gltf/load.js";
import type { ModelData } from "../../src/import/model/model-data.js";

/** Every glTF test model: path below data/gltf, joints of its skins, bones of its skeleton, animations. */
export const MODELS: readonly (readonly [path: string, joints: number, bones: number, animations: number])[] = [
  ["AnimatedMorphCube/AnimatedMorphCube.gltf", 0, 1, 1],
  ["AnimatedMorphSphere/AnimatedMorphSphere.glb", 0, 1, 1],
  ["AnimatedTriangle/AnimatedTriangle.gltf", 0, 1, 1],
  ["BoxAnimated/box_animated.gltf", 0, 4, 1],
  ["CesiumMan/CesiumMan.gltf", 19, 21, 1],
  ["Fox/Fox.glb", 24, 25, 3],
  ["GreenMan/greenman.glb", 12, 13, 4],
  ["GreenMan/greenman_sword.glb", 0, 1, 0],
  ["InterpolationTest/interpolation_test.gltf", 0, 12, 9],
  ["MorphPrimitivesTest/MorphPrimitivesTest.gltf", 0, 2, 0],
  ["MorphStressTest/MorphStressTest.gltf", 0, 1, 3],
  ["RiggedFigure/RiggedFigure.glb", 19, 21, 1],
  ["RiggedSimple/rigged_simple.gltf", 2, 4, 1],
  ["RobotExpressive/robot.glb", 43, 44, 14],
  ["SimpleMorph/SimpleMorph.gltf", 0, 1, 1],
  ["SimpleSkin/SimpleSkin.gltf", 2, 3, 1],
];

/** Loads a file with the buffers beside it. */
export function loadModelFile(path: string): Promise<ModelData> {
  return loadGltf(new Uint8Array(readFileSync(path)), {
    file: path.replace(/^.*[/\\]/, ""),
    resolve: (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
  });
}
