/** Loading and writing of skeletons and atlases. */
export { SkeletonLoader, type SkeletonLoaderOptions } from "./skeleton-loader.js";
export { SkeletonJson } from "./skeleton-json.js";
export { SkeletonBinary } from "./skeleton-binary.js";
export { TextureAtlas, TextureAtlasPage, TextureAtlasRegion, Format, type TextureLoader } from "./texture-atlas.js";
export type { AttachmentLoader } from "./attachment-loader.js";
export { AtlasAttachmentLoader, type MissingRegion, type MissingRegions } from "./atlas-attachment-loader.js";
export { LoadReport, type LoadNote } from "./report.js";
export { SUPPORTED_VERSIONS } from "./version.js";
export { writeSkeletonJson, writeSkeletonBinary } from "./write/write-skeleton.js";
