/** How poses of one rig become poses of another: matches, rest rotations, root scale. @internal */
import { AnimMismatchError } from "../errors.js";
import { multiplyRotations, rotationDifference } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { matchBones, requireBone } from "./matching.js";
import { alignmentOf, heightOf, legLengthOf } from "./alignment.js";
import type { RetargetAlignment, RootScaleMode } from "./profile-reference.js";
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
  /** Poses whose rotations stand for the rest pose, ten numbers a bone; undefined: the bind pose. */
  readonly sourceReference: Float32Array | undefined;
  readonly targetReference: Float32Array | undefined;
  readonly alignment: RetargetAlignment;
  readonly scaleMode: RootScaleMode;
  readonly transferScale: boolean;
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
  readonly #transferScale: boolean;
  /** From the source's axes to the target's; undefined: the same. */
  readonly #alignment: Float64Array | undefined;
  readonly #sourceRest: Float64Array;
  readonly #targetRest: Float64Array;
  readonly #sourceStart: Float64Array;
  readonly #targetStart: Float64Array;
  readonly #goal = new Float64Array(3);
  readonly #turn = new Float64Array(8);
  readonly #work = new Float64Array(8);

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
    this.#transferScale = settings.transferScale;
    this.source.stand(method, "source", settings.sourceReference);
    this.target.stand(method, "target", settings.targetReference);
    this.#sourceRest = this.source.rotation.slice();
    this.#targetRest = this.target.rotation.slice();
    if (settings.align) alignRest(source, target, this.source, this.target, this.matches, this.#targetRest);
    this.source.stand(method, "source", undefined);
    this.target.stand(method, "target", undefined);
    this.#alignment = settings.alignment === "auto" ? alignmentOf(source, target, this.source, this.target) : undefined;
    if (settings.sourceRoot !== "") {
      this.sourceRoot = requireBone(method, source, "source", settings.sourceRoot);
      this.targetRoot = requireBone(method, target, "target", settings.targetRoot);
    } else {
      this.targetRoot = this.#findRoot(moves);
      this.sourceRoot = this.matches[this.targetRoot]!;
    }
    const auto = settings.autoScale ? this.#rootScale(source, target, settings.scaleMode) : 1;
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
        if (this.#alignment !== undefined) this.#align(turn);
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
      if (from >= 0 && this.#transferScale) {
        for (let k = 7; k < LOCAL; k++) {
          const bind = source.bind[from * LOCAL + k]!;
          target.local[bone * LOCAL + k] = target.bind[bone * LOCAL + k]! * (bind === 0 ? 1 : source.local[from * LOCAL + k]! / bind);
        }
      }
      if (bone === this.targetRoot) {
        const from = this.sourceRoot * 3, goal = this.#goal;
        for (let k = 0; k < 3; k++) goal[k] = source.position[from + k]! - this.#sourceStart[k]!;
        if (this.#alignment !== undefined) rotateBy(this.#alignment, goal);
        for (let k = 0; k < 3; k++) goal[k] = this.#targetStart[k]! + (k === 1 ? this.vertical : this.horizontal) * goal[k]!;
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

  /** turn = C turn C^-1 */
  #align(turn: Float64Array): void {
    const c = this.#alignment!, work = this.#work;
    multiplyRotations(c, 0, turn, 0, work, 0);
    for (let k = 0; k < 3; k++) work[4 + k] = -c[k]!;
    work[7] = c[3]!;
    multiplyRotations(work, 0, work, 4, turn, 0);
  }

  #rootScale(source: AnimSkeleton, target: AnimSkeleton, mode: RootScaleMode): number {
    if (mode === "extent") return this.#extentRatio();
    const [t, s] = mode === "pelvisHeight"
      ? [heightOf(this.target, this.targetRoot), heightOf(this.source, this.sourceRoot)] : [legLengthOf(target, this.target), legLengthOf(source, this.source)];
    return t < 1e-6 || s < 1e-6 ? this.#extentRatio() : t / s;
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

/** v = q v */
function rotateBy(q: Float64Array, v: Float64Array): void {
  const x = q[0]!, y = q[1]!, z = q[2]!, w = q[3]!, a = v[0]!, b = v[1]!, c = v[2]!;
  const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
  v[0] = a + 2 * (y * cz - z * cy);
  v[1] = b + 2 * (z * cx - x * cz);
  v[2] = c + 2 * (x * cy - y * cx);
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
