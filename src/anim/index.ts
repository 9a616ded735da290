/** The animation module: tweens, motions, sprites, 3D characters, procedural animation. Entry `osteon/anim`. */
// First, so that the text of their kernels is where a page that has nothing else packs best.
export * from "./motion/index.js";
export * from "./errors.js";

export { AnimSkeleton, LOD_ALWAYS } from "./rig/skeleton.js";
export { AnimClip, type AnimChannel, type AnimInterpolation } from "./rig/clip.js";
export type { CompressReport } from "./rig/compress.js";
export type { CompileOptions, CompileReport } from "./rig/compile.js";
export { AnimPose } from "./rig/pose.js";
export type { AimOptions } from "./rig/pose-aim.js";
export type { TwoBoneOptions } from "./rig/ik-options.js";
export { AnimPlayer, type AnimEventListener, type FadeCurve } from "./rig/player.js";
export type { RootMotionMode } from "./rig/root-motion.js";
export type { InertialCurve } from "./rig/inertializer.js";
export { AnimSkin } from "./rig/skin.js";
export type { SkinHit } from "./rig/skin-raycast.js";
export type { SkinningMode } from "./rig/skin-dual.js";
export type { OrphanPolicy, SkinDesc, SkinMorphTarget } from "./rig/skin-build.js";
export type { SkinModel } from "./rig/skin-model.js";
export { MAX_GPU_JOINTS, skinAttributes, splitForPalette, type SkinGraphicsLike, type SkinMeshLike, type SkinDraw } from "./rig/skin-gpu.js";
export { AnimBatch } from "./rig/batch.js";
export { AnimBudget, type BudgetLevel, type BudgetOptions, type BudgetSource } from "./rig/budget.js";
export { AnimGraph, type GraphState } from "./graph/graph.js";
export type { ClipResolver, GraphJson, MaskJson, NodeJson, RootMotionJson } from "./graph/graph-json.js";
export type { BlendSpaceMode, BlendSpaceSync } from "./graph/node.js";
export { AnimGraphBatch } from "./graph/graph-batch.js";
export { AnimLayerMixer, type LayerMode } from "./graph/layer-mixer.js";
export { AnimSyncGroup } from "./graph/sync-group.js";
export { AnimStateMachine } from "./graph/state-machine.js";
export type { Interruption, TransitionMode } from "./graph/machine-definition.js";
export type { ConditionJson, MachineJson, StateJson, TransitionJson } from "./graph/machine-json.js";
export type { TransitionRecord } from "./graph/machine-record.js";
export type { MachineStateJson } from "./graph/machine-state.js";
export type { BlendPoint1D, BlendPoint2D } from "./graph/machine-structure.js";
export { AnimBoneMask } from "./graph/bone-mask.js";
export { AnimRetargetProfile, type NeuralBackendName } from "./retarget/profile.js";
export type { RetargetAlignment, RootScaleMode } from "./retarget/profile-reference.js";
export type { MappingReason, MappingReport, RetargetProfileJson } from "./retarget/profile-json.js";
export { AnimPoseRetargeter } from "./retarget/pose-retargeter.js";
export {
  type NeuralRetargetBackend, type NeuralRetargetBatch, type NeuralRetargetResult, type NeuralTensor, onnxBackend, type OnnxRuntime, type OnnxSession,
  registerNeuralBackend,
} from "./retarget/neural.js";
export { AnimSmrSensorCloud, type SensorPart } from "./retarget/sensor-cloud.js";
export * from "./dynamic-bone/index.js";
export * from "./constraints/index.js";

export * from "./module/index.js";
export { Tween, type TweenOutcome } from "./tween/tween.js";
export * from "./sprite/index.js";
export type { SequenceOptions as SpriteSequenceOptions } from "./sprite/sequence-loader.js";
export * from "./control/index.js";
export * from "./trail/index.js";
export * from "./spine-facade/index.js";
export { extractRootMotion, makeAdditiveClip, makeLoopable, reverseClip, ROOT_MOTION_CURVES, scaleClipTime, trimClip } from "./rig/clip-edit.js";
export { mirrorClip } from "./rig/clip-mirror.js";
export { resampleClip } from "./rig/clip-resample.js";
export { AnimMirror, type MirrorAxis } from "./rig/mirror.js";
export { mirrorMapByName } from "./rig/mirror-names.js";
export * from "./matching/index.js";
export * from "../import/fixture/index.js";
export { AnimImporter, registerModelLoader, type ModelLoader, type ModelOptions } from "../import/anim-importer.js";
export { ModelData } from "../import/model/model-data.js";
