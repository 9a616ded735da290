import { importBvh } from "../../../src/import/bvh/index.js";
import { loadGltf } from "../../../src/import/gltf/index.js";
import { biped, silentGl } from "./shared.js";

export const { bytes, skeleton, clips, skin } = await biped();
export const model = await loadGltf(bytes);
export const gl = silentGl();
export const viewProjection = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
export const draw = (positions: Float32Array): void => {
  if (!positions.every(Number.isFinite)) throw new Error("positions are no numbers");
};
void importBvh;
