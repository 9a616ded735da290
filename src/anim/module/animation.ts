import {
  newClipFromAnimationFixtureText, newClipFromAnimationFixtureTextAsync, newSkeletonFromAnimationFixtureText, newSkeletonFromAnimationFixtureTextAsync,
} from "../../import/fixture/import.js";
import { type ClipOptions, newClipFromModel } from "../../import/model/clip.js";
import type { ModelData } from "../../import/model/model-data.js";
import { newSkeletonFromModel, type SkeletonOptions } from "../../import/model/skeleton.js";
import { AnimBoneMask } from "../graph/bone-mask.js";
import { AnimGraph } from "../graph/graph.js";
import { AnimLayerMixer } from "../graph/layer-mixer.js";
import { AnimStateMachine } from "../graph/state-machine.js";
import { AnimSyncGroup } from "../graph/sync-group.js";
import { MotionDatabase } from "../matching/database.js";
import { MotionMatcher } from "../matching/matcher.js";
import { AnimConstraintStack } from "../constraints/constraint-stack.js";
import { FootIKSolver } from "../constraints/foot-ik.js";
import { setupHairChain, setupHairHeadCollider } from "../dynamic-bone/hair.js";
import { DynamicBoneSolver } from "../dynamic-bone/solver.js";
import { AnimRetargetProfile } from "../retarget/profile.js";
import { AnimBatch } from "../rig/batch.js";
import { AnimClip } from "../rig/clip.js";
import { AnimPlayer } from "../rig/player.js";
import { AnimPose } from "../rig/pose.js";
import { AnimSkeleton } from "../rig/skeleton.js";
import type { SkinModel } from "../rig/skin-model.js";
import { AnimSkin } from "../rig/skin.js";
import { SpineAnim } from "../spine-facade/spine-anim.js";
import { SpineAtlas } from "../spine-facade/spine-atlas.js";
import { SpineSkeleton } from "../spine-facade/spine-skeleton.js";
import { SpineSkeletonData } from "../spine-facade/spine-skeleton-data.js";
import { AnimClipRegistry } from "./clip-registry.js";
import { now, readBytes, readText } from "./files.js";
import { FlatModule, later } from "./flat-module.js";
import { chain, type Maybe } from "./maybe-promise.js";

/**
 * The animation module: makes everything, and pumps tweens, motions, sprite players and Spine players in `update`.
 *
 * Each instance is a world with registries, a clock and caches of its own. Its factories reach every part of the module, so
 * importing this class imports all of it; every class can also be used without it.
 */
export class Animation extends FlatModule {
  // Spine

  newSpineAtlas(): SpineAtlas {
    this.alive();
    return new SpineAtlas(this.host);
  }

  /** @throws AnimFormatError */
  newSpineAtlasFromText(text: string): SpineAtlas {
    const atlas = this.newSpineAtlas();
    atlas.loadFromText(text);
    return atlas;
  }

  /** @throws AnimIOError, AnimFormatError */
  newSpineAtlasFromFile(path: string): Promise<SpineAtlas> {
    return later(() => this.#atlasFile(path));
  }

  /** The synchronous twin. @throws as the other, AnimStateError if the host answers with promises */
  newSpineAtlasFromFileSync(path: string): SpineAtlas {
    return now(this.#atlasFile(path));
  }

  newSpineSkeletonData(): SpineSkeletonData {
    this.alive();
    return new SpineSkeletonData(this.host);
  }

  /** @throws AnimFormatError */
  newSpineSkeletonDataFromJson(json: string | object): SpineSkeletonData {
    const data = this.newSpineSkeletonData();
    data.loadFromJson(json);
    return data;
  }

  /** From a `.json` or `.skel` file. @throws AnimIOError, AnimFormatError */
  newSpineSkeletonDataFromFile(path: string): Promise<SpineSkeletonData> {
    return later(() => this.#skeletonFile(path));
  }

  /** The synchronous twin. @throws as the other, AnimStateError if the host answers with promises */
  newSpineSkeletonDataFromFileSync(path: string): SpineSkeletonData {
    return now(this.#skeletonFile(path));
  }

  /** @throws AnimArgumentError, AnimStateError */
  newSpineSkeleton(data: SpineSkeletonData): SpineSkeleton {
    this.alive();
    return new SpineSkeleton(data);
  }

  /** A Spine player that the pump advances until it is disposed. @throws AnimArgumentError */
  newSpineAnim(skeleton: SpineSkeleton): SpineAnim {
    this.alive();
    const anim = new SpineAnim(skeleton);
    anim.onActivate = () => this.spines.add(anim);
    anim.onDispose = () => this.spines.remove(anim);
    this.spines.add(anim);
    return anim;
  }

  /** Spine players in the registry. */
  getSpineAnimCount(): number {
    this.alive();
    return this.spines.size;
  }

  // 3D, updated by their owner

  newSkeleton(): AnimSkeleton {
    this.alive();
    return new AnimSkeleton();
  }

  newClip(name = ""): AnimClip {
    this.alive();
    return new AnimClip(name);
  }

  /** Clips by path, for hot reload by the module's host. */
  newClipRegistry(): AnimClipRegistry {
    this.alive();
    return new AnimClipRegistry(this.host);
  }

  newPose(boneCount = 0): AnimPose {
    this.alive();
    return new AnimPose(boneCount);
  }

  newPlayer(skeleton: AnimSkeleton): AnimPlayer {
    this.alive();
    return new AnimPlayer(skeleton);
  }

  newConstraintStack(skeleton: AnimSkeleton): AnimConstraintStack {
    this.alive();
    return new AnimConstraintStack(skeleton);
  }

  newFootIKSolver(skeleton: AnimSkeleton): FootIKSolver {
    this.alive();
    return new FootIKSolver(skeleton);
  }

  newDynamicBoneSolver(skeleton: AnimSkeleton): DynamicBoneSolver {
    this.alive();
    return new DynamicBoneSolver(skeleton);
  }

  /** A chain with settings for hair. @returns its handle. @throws AnimArgumentError for unknown names */
  setupHairChain(solver: DynamicBoneSolver, rootName: string, tipName: string): number {
    this.alive();
    return setupHairChain(solver, rootName, tipName);
  }

  /** A sphere on the head for hair to lie on. @returns its id. @throws AnimArgumentError for an unknown name */
  setupHairHeadCollider(solver: DynamicBoneSolver, headName: string, radius: number): number {
    this.alive();
    return setupHairHeadCollider(solver, headName, radius);
  }

  newRetargetProfile(): AnimRetargetProfile {
    this.alive();
    return new AnimRetargetProfile();
  }

  newGraph(skeleton: AnimSkeleton): AnimGraph {
    this.alive();
    return new AnimGraph(skeleton);
  }

  newStateMachine(skeleton: AnimSkeleton): AnimStateMachine {
    this.alive();
    return new AnimStateMachine(skeleton);
  }

  newLayerMixer(skeleton: AnimSkeleton): AnimLayerMixer {
    this.alive();
    return new AnimLayerMixer(skeleton);
  }

  newSyncGroup(): AnimSyncGroup {
    this.alive();
    return new AnimSyncGroup();
  }

  /** @param initial - the weight of every bone, 0..1 */
  newBoneMask(skeleton: AnimSkeleton, initial = 0): AnimBoneMask {
    this.alive();
    return new AnimBoneMask(skeleton, initial);
  }

  newBatch(): AnimBatch {
    this.alive();
    return new AnimBatch();
  }

  newMotionDatabase(skeleton: AnimSkeleton): MotionDatabase {
    this.alive();
    return new MotionDatabase(skeleton);
  }

  newMotionMatcher(skeleton: AnimSkeleton, database: MotionDatabase): MotionMatcher {
    this.alive();
    return new MotionMatcher(skeleton, database);
  }

  /** Bones of an imported model. @throws AnimArgumentError, AnimCapacityError */
  newSkeletonFromModel(model: ModelData, options?: SkeletonOptions): AnimSkeleton {
    this.alive();
    return newSkeletonFromModel(model, options);
  }

  /** One animation of an imported model, its channels matched to bones by name. @throws AnimIndexError */
  newClipFromModel(model: ModelData, skeleton: AnimSkeleton, animIndex = 0, options?: ClipOptions): AnimClip {
    this.alive();
    return newClipFromModel(model, skeleton, animIndex, options);
  }

  /** The skeleton of a fixture: its text, or a path that the host reads at once. @throws AnimFormatError, AnimStateError, AnimIOError */
  newSkeletonFromAnimationFixtureText(textOrPath: string): AnimSkeleton {
    this.alive();
    return newSkeletonFromAnimationFixtureText(textOrPath, this.host);
  }

  /** The clip of a fixture. @throws as `newSkeletonFromAnimationFixtureText` */
  newClipFromAnimationFixtureText(textOrPath: string): AnimClip {
    this.alive();
    return newClipFromAnimationFixtureText(textOrPath, this.host);
  }

  /** For hosts that answer with promises. */
  newSkeletonFromAnimationFixtureTextAsync(textOrPath: string): Promise<AnimSkeleton> {
    this.alive();
    return newSkeletonFromAnimationFixtureTextAsync(textOrPath, this.host);
  }

  /** For hosts that answer with promises. */
  newClipFromAnimationFixtureTextAsync(textOrPath: string): Promise<AnimClip> {
    this.alive();
    return newClipFromAnimationFixtureTextAsync(textOrPath, this.host);
  }

  /** Older name of `newSkeletonFromAnimationFixtureText`. */
  newSkeletonFromEvaFile(textOrPath: string): AnimSkeleton {
    return this.newSkeletonFromAnimationFixtureText(textOrPath);
  }

  /** Older name of `newClipFromAnimationFixtureText`. */
  newClipFromEvaFile(textOrPath: string): AnimClip {
    return this.newClipFromAnimationFixtureText(textOrPath);
  }

  newSkinFromModel(model: SkinModel, meshIndex: number, skeleton: AnimSkeleton): AnimSkin {
    this.alive();
    return AnimSkin.fromModel(model, meshIndex, skeleton);
  }

  #atlasFile(path: string): Maybe<SpineAtlas> {
    this.alive();
    return chain(readText(this.host, path), (text) => this.newSpineAtlasFromText(text));
  }

  #skeletonFile(path: string): Maybe<SpineSkeletonData> {
    this.alive();
    return chain(readBytes(this.host, path), (bytes) => {
      const data = this.newSpineSkeletonData();
      data.loadFromBytes(bytes);
      return data;
    });
  }
}

let shared: Animation | undefined;

/** The entry of scripts: `eve.Animation()` is always the same object, made when it is first asked for. */
export const eve = {
  /** The shared module object. */
  Animation(): Animation {
    return (shared ??= new Animation());
  },
};
