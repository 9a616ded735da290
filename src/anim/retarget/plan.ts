/** How poses of one rig become poses of another: matches, rest rotations, root scale. @internal */
import { AnimMismatchError } from "../errors.js";
import { multiplyRotations, rotationDifference } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { matchBones, requireBone } from "./matching.js";
import { alignRest } from "./reference.js";
import { LOCAL, RigFrames } from "./rig-frames.js";

/** What a profile asks for. */
export interface RetargetSettings {
  /** Source name by target name. */
  readonly mappings: ReadonlyMap<string, string>;
  readonly normalized: boolean;
  readonly sourceRoot: string;
  readonly targetRoot: string;
  readonly autoScale: boolean;
  readonly horizontal: number;
  readonly vertical: number;
  readonly skeletonSpace: boolean;
  /** Whether limbs of the target are thought of as pointing where the source's do in its rest pose. */
  readonly align: boolean;
}

/** Share of the matched bones that a root bone has in its subtree. */
const ROOT_SHARE = 0.6;

export class RetargetPlan {
  readonly source: RigFrames;
  readonly target: RigFrames;
  /** Source bone of every target bone, or -1. */
  readonly matches: Int32Array;
  readonly matchedCount: number;
  readonly sourceRoot: number;
  readonly targetRoot: number;
  readonly horizontal: number;
  readonly vertical: number;
  readonly #skeletonSpace: boolean;
  readonly #sourceRest: Float64Array;
  readonly #targetRest: Float64Array;
  readonly #sourceStart: Float64Array;
  readonly #targetStart: Float64Array;
  readonly #goal = new Float64Array(3);
  readonly #turn = new Float64Array(8);

  /** @param moves - whether the source animates the position of a bone */
  constructor(method: string, source: AnimSkeleton, target: AnimSkeleton, settings: RetargetSettings, moves: (sourceBone: number) => boolean) {
    this.matches = matchBones(method, source, target, settings.mappings, settings.normalized);
    let matched = 0;
    for (const from of this.matches) if (from >= 0) matched++;
    this.matchedCount = matched;
    if (matched === 0) {
      throw new AnimMismatchError(`${method}: no bone of the target matches one of the source. Map some with AnimRetargetProfile.addBoneMapping(sourceName, targetName).`);
    }
    this.source = new RigFrames(source);
    this.target = new RigFrames(target);
    this.#skeletonSpace = settings.skeletonSpace;
    this.#sourceRest = this.source.rotation.slice();
    this.#targetRest = this.target.rotation.slice();
    if (settings.align) alignRest(source, target, this.source, this.target, this.matches, this.#targetRest);
    if (settings.sourceRoot !== "") {
      this.sourceRoot = requireBone(method, source, "source", settings.sourceRoot);
      this.targetRoot = requireBone(method, target, "target", settings.targetRoot);
    } else {
      this.targetRoot = this.#findRoot(moves);
      this.sourceRoot = this.matches[this.targetRoot]!;
    }
    const auto = settings.autoScale ? this.#extentRatio() : 1;
    this.horizontal = settings.autoScale ? auto : settings.horizontal;
    this.vertical = settings.autoScale ? auto : settings.vertical;
    this.#sourceStart = this.source.position.slice(this.sourceRoot * 3, this.sourceRoot * 3 + 3);
    this.#targetStart = this.target.position.slice(this.targetRoot * 3, this.targetRoot * 3 + 3);
  }

  /** Rest rotations in model space, four numbers a bone. */
  get sourceRest(): Float64Array { return this.#sourceRest; }
  get targetRest(): Float64Array { return this.#targetRest; }

  /** Place of the source's root in the rest pose. */
  get sourceStart(): Float64Array { return this.#sourceStart; }

  /** Place of the target's root in the rest pose. */
  get targetStart(): Float64Array { return this.#targetStart; }

  /** From the source's frames as they stand to the target's. */
  transfer(): void {
    const { source, target, matches } = this, turn = this.#turn;
    target.local.set(target.bind);
    for (let bone = 0; bone < target.boneCount; bone++) {
      const from = matches[bone]!, at = bone * LOCAL + 3, parent = target.parents[bone]!;
      if (from >= 0 && this.#skeletonSpace) {
        rotationDifference(source.rotation, from * 4, this.#sourceRest, from * 4, turn, 0);
        multiplyRotations(turn, 0, this.#targetRest, bone * 4, target.rotation, bone * 4);
        if (parent < 0) for (let k = 0; k < 4; k++) target.local[at + k] = target.rotation[bone * 4 + k]!;
        else {
          for (let k = 0; k < 3; k++) turn[k] = -target.rotation[parent * 4 + k]!;
          turn[3] = target.rotation[parent * 4 + 3]!;
          multiplyRotations(turn, 0, target.rotation, bone * 4, target.local, at);
        }
      } else {
        if (from >= 0) {
          rotationDifference(target.bind, at, source.bind, from * LOCAL + 3, turn, 0);
          multiplyRotations(turn, 0, source.local, from * LOCAL + 3, target.local, at);
        }
        target.composeRotation(bone);
      }
      if (bone === this.targetRoot) {
        const from = this.sourceRoot * 3, goal = this.#goal;
        for (let k = 0; k < 3; k++) goal[k] = this.#targetStart[k]! + (k === 1 ? this.vertical : this.horizontal) * (source.position[from + k]! - this.#sourceStart[k]!);
        target.placeAt(bone, goal);
      }
      target.composePlace(bone);
    }
  }

  /**
   * The first matched bone with most of the matched bones below it. Where bones under it carry all the others and move by
   * themselves (a pelvis below a root bone), the last of these: its model space position contains both motions.
   */
  #findRoot(moves: (sourceBone: number) => boolean): number {
    const { parents, boneCount } = this.target, below = new Int32Array(boneCount);
    for (let bone = boneCount - 1; bone >= 0; bone--) {
      if (this.matches[bone]! >= 0) below[bone]!++;
      if (parents[bone]! >= 0) below[parents[bone]!]! += below[bone]!;
    }
    let root = this.matches.findIndex((from, bone) => from >= 0 && below[bone]! >= ROOT_SHARE * this.matchedCount);
    if (root < 0) root = this.matches.findIndex((from) => from >= 0);
    let passed = root;
    for (let bone = root + 1; bone < boneCount; bone++) {
      const from = this.matches[bone]!;
      if (from < 0 || below[bone] !== below[passed]! - 1 || !isBelow(parents, bone, passed)) continue;
      passed = bone;
      if (moves(from)) root = bone;
    }
    return root;
  }

  /** Target's extent by source's extent: diagonals of the boxes around the matched bones, around all if fewer than two match. */
  #extentRatio(): number {
    const targets: number[] = [], sources: number[] = [];
    this.matches.forEach((from, bone) => {
      if (from < 0) return;
      targets.push(bone);
      sources.push(from);
    });
    const few = targets.length < 2;
    const t = extentOf(this.target, few ? undefined : targets), s = extentOf(this.source, few ? undefined : sources);
    return t < 1e-6 || s < 1e-6 ? 1 : t / s;
  }
}

function isBelow(parents: Int32Array, bone: number, ancestor: number): boolean {
  let up = parents[bone]!;
  while (up > ancestor) up = parents[up]!;
  return up === ancestor;
}

function extentOf(frames: RigFrames, bones: number[] | undefined): number {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const bone of bones ?? Array.from({ length: frames.boneCount }, (_, i) => i)) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, frames.position[bone * 3 + k]!);
      high[k] = Math.max(high[k]!, frames.position[bone * 3 + k]!);
    }
  }
  return Math.sqrt((high[0]! - low[0]!) ** 2 + (high[1]! - low[1]!) ** 2 + (high[2]! - low[2]!) ** 2);
}
