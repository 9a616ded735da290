/**
 * glTF 2.0 and GLB. Entry `osteon/gltf`.
 *
 * `@gltf-transform/core` is an optional peer dependency of this entry alone.
 */
export { loadGltf, type GltfOptions } from "./load.js";
export type { ResourceResolver } from "./buffers.js";
export type { DracoDecoder, DracoMesh } from "./draco.js";
export type { MeshoptDecoder } from "./extensions.js";
export * from "../model/index.js";
