import type { RetargetAlignment, RootScaleMode } from "./profile-reference.js";

/** How a target bone found its source, from the surest to the least sure. */
export type MappingReason = "mapping" | "name" | "normalizedName" | "role";

/** What `AnimRetargetProfile.autoMap` found. */
export interface MappingReport {
  /** In the order of the target's bones. `confidence`: 1 for mappings and equal names, 0.9 for normalised names, 0.7 for parts of the humanoid. */
  readonly pairs: readonly { readonly source: string; readonly target: string; readonly by: MappingReason; readonly confidence: number }[];
  /** Target bones that nothing drives. */
  readonly unmatchedTargets: readonly string[];
  /** Source bones that drive nothing. */
  readonly unusedSources: readonly string[];
}

/** An `AnimRetargetProfile` as plain data. What is left out has its default. */
export interface RetargetProfileJson {
  version: 1;
  /** [source name, target name] */
  mappings?: readonly (readonly [string, string])[];
  normalizedNameMatching?: boolean;
  /** [source name, target name] */
  rootBones?: readonly [string, string];
  autoRootScale?: boolean;
  /** [horizontal, vertical] */
  rootTranslationScale?: readonly [number, number];
  rootScaleMode?: RootScaleMode;
  useSkeletonSpaceRotation?: boolean;
  autoAlignReference?: boolean;
  alignment?: RetargetAlignment;
  transferScale?: boolean;
  /** Ten numbers a bone: px py pz qx qy qz qw sx sy sz. */
  sourceReferencePose?: readonly number[];
  targetReferencePose?: readonly number[];
  skinnedInteractionPreserve?: boolean;
  interactionContactThreshold?: number;
  interactionCorrectionWeight?: number;
  interactionIkChains?: readonly (readonly [string, string, string])[];
  groundContact?: boolean;
  neuralRetargetEnabled?: boolean;
  neuralBackend?: "tensor" | "onnx";
  neuralModelPath?: string;
}
