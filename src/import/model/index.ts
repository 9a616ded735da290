/** What every model importer returns, and how it becomes skeletons, clips and skins. */
export { ModelData } from "./model-data.js";
export type {
  ClipNotes, ModelAnimation, ModelChannel, ModelChannelPath, ModelExtras, ModelInterpolation, ModelMesh, ModelMorphTarget, ModelNode, ModelParts, ModelSkin,
} from "./model-data.js";
export type { ImportReport } from "./report.js";
export type { BoneRule } from "./bones.js";
export { newSkeletonFromModel, type SkeletonOptions } from "./skeleton.js";
export { getImportWarnings, newClipFromModel, type ClipOptions } from "./clip.js";
export { newSkinFromModel } from "./skin.js";
