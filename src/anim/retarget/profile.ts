import { AnimArgumentError } from "../errors.js";
import { requireFinite, requireIndex, requireName, requireObject, requirePositive, show } from "../rig/checks.js";
import type { InteractionSettings } from "./interaction.js";
import { type NeuralRetargetBackend, neuralBackendFactory } from "./neural.js";
import type { RetargetPlan, RetargetSettings } from "./plan.js";
import { explainMatches } from "./matching.js";
import type { MappingReport, RetargetProfileJson } from "./profile-json.js";
import { ProfileReference, requireFlag } from "./profile-reference.js";
import { retire } from "../rig/retire.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

/** Names that `setNeuralBackend` takes. */
export type NeuralBackendName = "tensor" | "onnx";

/**
 * How motion goes from one rig to another: which bone drives which, and how the root's path is scaled.
 *
 * A target bone is matched by an explicit mapping, else by equal name, else (`setNormalizedNameMatching`) by its name
 * without case, punctuation and namespaces, else by its part in the humanoid (names of Mixamo, VRM, CMU BVH, Unreal and
 * Rigify). The counts describe the last bake made with this profile.
 */
export class AnimRetargetProfile extends ProfileReference {
  readonly #mappings = new Map<string, string>();
  #normalized = true;
  #skeletonSpace = true;
  #sourceRoot = "";
  #targetRoot = "";
  #autoScale = true;
  #horizontal = 1;
  #vertical = 1;
  #effectiveHorizontal: number | undefined;
  #effectiveVertical: number | undefined;
  #matched = 0;
  #unmatched: string[] = [];
  #preserve = false;
  #threshold = 0;
  #bakedThreshold = 0;
  #correctionWeight = 1;
  readonly #chains: (readonly [string, string, string])[] = [];
  #corrected = 0;
  #ground = false;
  #neural = false;
  #backendName: NeuralBackendName = "onnx";
  #modelPath = "";
  #backend: NeuralRetargetBackend | undefined;
  #status = "disabled";
  #inferences = 0;

  /**
   * Lets a source bone drive a target bone. A later mapping of the same target replaces this one; a source may drive several.
   * @throws AnimArgumentError for an empty name; names that the skeletons do not have are reported by the bake
   */
  addBoneMapping(sourceName: string, targetName: string): void {
    requireName("AnimRetargetProfile.addBoneMapping", "sourceName", sourceName);
    requireName("AnimRetargetProfile.addBoneMapping", "targetName", targetName);
    this.#mappings.set(targetName, sourceName);
  }

  clearBoneMappings(): void {
    this.#mappings.clear();
  }

  /** Whether names also match without case, punctuation and namespaces, and by humanoid part. Default true. */
  setNormalizedNameMatching(on: boolean): void {
    this.#normalized = requireFlag("setNormalizedNameMatching", on);
  }

  getNormalizedNameMatching(): boolean {
    return this.#normalized;
  }

  /**
   * The bones whose path in model space is transferred. By default the first matched bone with at least 60 % of the matched
   * bones in its subtree; where a bone below it carries all the rest and has moving position keys, that one.
   * @throws AnimArgumentError for an empty name; unknown names are reported by the bake
   */
  setRootBones(sourcePelvis: string, targetPelvis: string): void {
    requireName("AnimRetargetProfile.setRootBones", "sourcePelvis", sourcePelvis);
    requireName("AnimRetargetProfile.setRootBones", "targetPelvis", targetPelvis);
    this.#sourceRoot = sourcePelvis;
    this.#targetRoot = targetPelvis;
  }

  /** Whether the root's path is scaled by the ratio of the rigs' extents. Default true; off, the manual scale holds. */
  setAutoRootScale(on: boolean): void {
    this.#autoScale = requireFlag("setAutoRootScale", on);
    this.#effectiveHorizontal = this.#effectiveVertical = undefined;
  }

  getAutoRootScale(): boolean {
    return this.#autoScale;
  }

  /**
   * Scales the root's path by hand, and turns the automatic scale off.
   * @param horizontal - factor of x and z, above 0
   * @param vertical - factor of y, above 0
   */
  setRootTranslationScale(horizontal: number, vertical: number): void {
    requirePositive("AnimRetargetProfile.setRootTranslationScale", "horizontal", horizontal);
    requirePositive("AnimRetargetProfile.setRootTranslationScale", "vertical", vertical);
    this.#horizontal = horizontal;
    this.#vertical = vertical;
    this.setAutoRootScale(false);
  }

  /** Factor of the last bake; the manual one before. */
  getRootHorizontalScale(): number {
    return this.#effectiveHorizontal ?? this.#horizontal;
  }

  /** Factor of the last bake; the manual one before. */
  getRootVerticalScale(): number {
    return this.#effectiveVertical ?? this.#vertical;
  }

  /**
   * true (the default): model space rotations away from the bind pose are transferred; local axes and extra joints of the
   * rigs do not matter. false: local rotations, right only where both rigs share their axes.
   */
  setUseSkeletonSpaceRotation(on: boolean): void {
    this.#skeletonSpace = requireFlag("setUseSkeletonSpaceRotation", on);
  }

  getUseSkeletonSpaceRotation(): boolean {
    return this.#skeletonSpace;
  }

  /**
   * Whether contacts of hands and feet with other body parts are kept on a body of another shape, after the bake. Default
   * false; without contacts in the source the result is the same bit for bit.
   */
  setSkinnedInteractionPreserve(on: boolean): void {
    this.#preserve = requireFlag("setSkinnedInteractionPreserve", on);
  }

  getSkinnedInteractionPreserve(): boolean {
    return this.#preserve;
  }

  /** Distance, in the target's units, below which a tip touches. Default: 0.08 of the target's height. */
  setInteractionContactThreshold(d: number): void {
    requirePositive("AnimRetargetProfile.setInteractionContactThreshold", "d", d);
    this.#threshold = d;
  }

  /** The threshold that was set, else that of the last bake, else 0. */
  getInteractionContactThreshold(): number {
    return this.#threshold > 0 ? this.#threshold : this.#bakedThreshold;
  }

  /** Share of the correction that is applied. Default 1; clamped to 0..1. */
  setInteractionCorrectionWeight(w: number): void {
    requireFinite("AnimRetargetProfile.setInteractionCorrectionWeight", "w", w);
    this.#correctionWeight = Math.min(1, Math.max(0, w));
  }

  getInteractionCorrectionWeight(): number {
    return this.#correctionWeight;
  }

  /** A limb of the target that is corrected, by names. Without any, arms and legs of the humanoid. */
  addInteractionIkChain(root: string, mid: string, tip: string): void {
    for (const [what, name] of [["root", root], ["mid", mid], ["tip", tip]] as const) requireName("AnimRetargetProfile.addInteractionIkChain", what, name);
    this.#chains.push([root, mid, tip]);
  }

  clearInteractionIkChains(): void {
    this.#chains.length = 0;
  }

  /** Frames that were corrected, in the last bake. */
  getInteractionCorrectionCount(): number {
    return this.#corrected;
  }

  /**
   * Whether a bake puts feet on the ground: the lowest foot is as high over the target's ground as the source's is over the lowest
   * level of the clip, in the scale of the root's path, and feet with contact are brought there by two-bone IK. Default false.
   * Needs legs by their parts in both rigs; the target stands on y = 0, or on its lowest foot joint.
   */
  setGroundContact(on: boolean): void {
    this.#ground = requireFlag("setGroundContact", on);
  }

  getGroundContact(): boolean {
    return this.#ground;
  }

  /**
   * Whether a learned model may replace the transfer of rotations. Default false. Without a backend, without a model, or when
   * anything fails, the bake is what it would be without: `getNeuralStatus` says why.
   */
  setNeuralRetargetEnabled(on: boolean): void {
    this.#neural = requireFlag("setNeuralRetargetEnabled", on);
  }

  getNeuralRetargetEnabled(): boolean {
    return this.#neural;
  }

  /**
   * Which registered backend runs the model (see `registerNeuralBackend`). Default "onnx". A loaded model is dropped.
   * @throws AnimArgumentError for other names
   */
  setNeuralBackend(name: NeuralBackendName): void {
    if (name !== "onnx" && name !== "tensor") throw new AnimArgumentError(`AnimRetargetProfile.setNeuralBackend: name is ${show(name)}, expected "onnx" or "tensor".`, { found: name });
    this.#backendName = name;
    this.#dropBackend();
  }

  getNeuralBackend(): string {
    return this.#backendName;
  }

  /** Where `loadNeuralModel` finds the model: what the backend takes, a URL or a file. Default empty. A loaded model is dropped. */
  setNeuralModelPath(path: string): void {
    if (typeof path !== "string") throw new AnimArgumentError(`AnimRetargetProfile.setNeuralModelPath: path is ${show(path)}, expected a text.`, { found: path });
    this.#modelPath = path;
    this.#dropBackend();
  }

  getNeuralModelPath(): string {
    return this.#modelPath;
  }

  /**
   * Makes the backend and loads the model. To be awaited before a bake; never rejects.
   * @param bytes - the model itself, instead of the path
   * @returns whether it is ready; if not, `getNeuralStatus` says why
   */
  async loadNeuralModel(bytes?: Uint8Array): Promise<boolean> {
    this.#dropBackend();
    const factory = neuralBackendFactory(this.#backendName);
    if (factory === undefined) {
      this.#status = "backend missing";
      return false;
    }
    try {
      const backend = factory();
      if (!backend.ready) await backend.load(bytes ?? this.#modelPath);
      this.#backend = backend;
      this.#status = "ok";
      return true;
    } catch (error) {
      this.#status = `failed: ${error instanceof Error ? error.message : String(error)}`;
      return false;
    }
  }

  /** Frames that took the model's answer, in the last bake; 0 after a fallback. */
  getNeuralInferenceCount(): number {
    return this.#inferences;
  }

  /**
   * How the last bake or load went: "ok", "disabled", "backend missing", "model not loaded", "asynchronous in synchronous call"
   * (use `AnimClip.retargetWithProfileAsync`) or "failed: ...".
   */
  getNeuralStatus(): string {
    return this.#status;
  }

  /** The backend once a model is loaded. @internal */
  get neuralBackend(): NeuralRetargetBackend | undefined {
    // A backend that needs no loading is used without being asked to.
    if (this.#backend === undefined) {
      try {
        this.#backend = neuralBackendFactory(this.#backendName)?.();
      } catch {
        this.#backend = undefined;
      }
    }
    return this.#backend;
  }

  /** @internal */
  noteNeural(status: string, inferences: number): void {
    this.#status = status;
    this.#inferences = inferences;
  }

  #dropBackend(): void {
    this.#backend?.dispose();
    this.#backend = undefined;
  }

  /** Target bones with a source, in the last bake. */
  getMatchedBoneCount(): number {
    return this.#matched;
  }

  /** Target bones without a source, in the last bake. */
  getUnmatchedBoneCount(): number {
    return this.#unmatched.length;
  }

  /** Name of a target bone without a source, in the order of the hierarchy. @throws AnimIndexError */
  getUnmatchedTargetBone(i: number): string {
    requireIndex("AnimRetargetProfile.getUnmatchedTargetBone", "i", i, this.#unmatched.length);
    return this.#unmatched[i]!;
  }

  /** Ends the use: every later call throws. It holds no memory of its own. Safe to call twice. */
  dispose(): void {
    retire(this, "AnimRetargetProfile");
  }

  /**
   * Writes what matching finds for two rigs into the mappings, so that it can be looked at and corrected; bones without a source stay
   * unmapped. Mappings that are there already stay.
   * @returns every pair with the reason for it
   * @throws AnimNameError for mappings of bones that the rigs do not have
   */
  autoMap(source: AnimSkeleton, target: AnimSkeleton): MappingReport {
    requireObject("AnimRetargetProfile.autoMap", "source", source, "AnimSkeleton");
    requireObject("AnimRetargetProfile.autoMap", "target", target, "AnimSkeleton");
    const report = explainMatches("AnimRetargetProfile.autoMap", source, target, this.#mappings, this.#normalized);
    for (const pair of report.pairs) this.addBoneMapping(pair.source, pair.target);
    return report;
  }

  /** All settings as plain data; results of bakes and a loaded model are not part of it. */
  toJSON(): RetargetProfileJson {
    return {
      version: 1, mappings: [...this.#mappings].map(([target, source]) => [source, target]), normalizedNameMatching: this.#normalized,
      ...(this.#sourceRoot === "" ? {} : { rootBones: [this.#sourceRoot, this.#targetRoot] as const }), rootTranslationScale: [this.#horizontal, this.#vertical],
      autoRootScale: this.#autoScale, useSkeletonSpaceRotation: this.#skeletonSpace, ...this.referenceJson(), skinnedInteractionPreserve: this.#preserve,
      ...(this.#threshold > 0 ? { interactionContactThreshold: this.#threshold } : {}), interactionCorrectionWeight: this.#correctionWeight,
      interactionIkChains: [...this.#chains], groundContact: this.#ground, neuralRetargetEnabled: this.#neural, neuralBackend: this.#backendName, neuralModelPath: this.#modelPath,
    };
  }

  /** A profile with the settings that `toJSON` gave. @throws AnimArgumentError for anything else, as the setters do */
  static fromJSON(json: RetargetProfileJson): AnimRetargetProfile {
    const method = "AnimRetargetProfile.fromJSON", profile = new AnimRetargetProfile();
    requireObject(method, "json", json, "object as toJSON() gives it");
    if (json.version !== 1) throw new AnimArgumentError(`${method}: version is ${show(json.version)}, expected 1.`, { found: json.version });
    const listOf = <T>(name: keyof RetargetProfileJson, list: readonly T[] | undefined): readonly T[] => {
      if (list !== undefined && !Array.isArray(list)) throw new AnimArgumentError(`${method}: ${name} is ${show(list)}, expected a list.`, { found: list });
      return list ?? [];
    };
    for (const pair of listOf("mappings", json.mappings)) profile.addBoneMapping(pair?.[0], pair?.[1]);
    for (const chain of listOf("interactionIkChains", json.interactionIkChains)) profile.addInteractionIkChain(chain?.[0], chain?.[1], chain?.[2]);
    if (json.rootBones !== undefined) profile.setRootBones(json.rootBones?.[0], json.rootBones?.[1]);
    if (json.rootTranslationScale !== undefined) profile.setRootTranslationScale(json.rootTranslationScale?.[0], json.rootTranslationScale?.[1]);
    profile.setAutoRootScale(json.autoRootScale ?? true);
    profile.setNormalizedNameMatching(json.normalizedNameMatching ?? true);
    profile.setUseSkeletonSpaceRotation(json.useSkeletonSpaceRotation ?? true);
    profile.readReference(method, json);
    profile.setSkinnedInteractionPreserve(json.skinnedInteractionPreserve ?? false);
    if (json.interactionContactThreshold !== undefined) profile.setInteractionContactThreshold(json.interactionContactThreshold);
    profile.setInteractionCorrectionWeight(json.interactionCorrectionWeight ?? 1);
    profile.setGroundContact(json.groundContact ?? false);
    profile.setNeuralRetargetEnabled(json.neuralRetargetEnabled ?? false);
    profile.setNeuralBackend(json.neuralBackend ?? "onnx");
    if (json.neuralModelPath !== undefined) profile.setNeuralModelPath(json.neuralModelPath);
    return profile;
  }

  /** What the bake reads. @internal */
  get settings(): RetargetSettings {
    return {
      mappings: this.#mappings, normalized: this.#normalized, sourceRoot: this.#sourceRoot, targetRoot: this.#targetRoot,
      autoScale: this.#autoScale, horizontal: this.#horizontal, vertical: this.#vertical, skeletonSpace: this.#skeletonSpace, align: this.getAutoAlignReference(),
      sourceReference: this.sourceReference, targetReference: this.targetReference, alignment: this.getAlignment(), scaleMode: this.getRootScaleMode(),
      transferScale: this.getTransferScale(),
    };
  }

  /** What the correction reads; undefined while it is off. @internal */
  get interaction(): InteractionSettings | undefined {
    return this.#preserve ? { chains: this.#chains, threshold: this.#threshold, weight: this.#correctionWeight } : undefined;
  }

  /** Takes over what a bake found. @internal */
  report(plan: RetargetPlan, target: AnimSkeleton, corrected: number, threshold: number | undefined): void {
    this.#corrected = corrected;
    if (threshold !== undefined) this.#bakedThreshold = threshold;
    this.#matched = plan.matchedCount;
    this.#unmatched = Array.from(plan.matches).flatMap((from, bone) => (from < 0 ? [target.getBoneName(bone)] : []));
    this.#effectiveHorizontal = plan.horizontal;
    this.#effectiveVertical = plan.vertical;
  }
}
