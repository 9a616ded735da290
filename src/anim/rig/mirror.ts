import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { MIRROR_GROUP_BYTES, Mirror } from "../../../assembly/layout/rig3d.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, takeBlock } from "./blocks.js";
import { disposed, requireIndex, requireObject, show } from "./checks.js";
import { GROUP_BYTES, JOINTS_PER_GROUP } from "./layout.js";
import { mirrorMapByName } from "./mirror-names.js";
import type { AnimPose } from "./pose.js";
import { readWorldRotation } from "./pose-access.js";
import { restPose } from "./rest-pose.js";
import { retire } from "./retire.js";
import { multiplyRotations } from "./rigid.js";
import type { AnimSkeleton } from "./skeleton.js";

/** Normal of the plane that left and right are mirrored at. */
export type MirrorAxis = "x" | "y" | "z";

const AXES: readonly MirrorAxis[] = ["x", "y", "z"];

/** A quaternion, a vector and a product in the making. */
const Q = /* @__PURE__ */ new Float64Array(12);

/**
 * Left and right exchanged: poses and clips of a skeleton as they look in a mirror.
 *
 * Every bone does on its side what its counterpart did on the other. Rotations are mirrored as turns away from the bind pose in
 * model space, so bones may have any axes and rolls; positions as moves away from the bind position, so limbs keep their
 * lengths. Where the bind pose is symmetric, the result is the mirror image. Owns one block of linear memory.
 */
export class AnimMirror {
  readonly #skeleton: AnimSkeleton;
  readonly #map: Int32Array;
  readonly #axis: number;
  readonly #owned: number[] = [];
  #records = 0;
  /** The pose that is being mirrored, because bones change places. */
  #scratch = 0;
  #bindVersion = -1;
  /** Rotations on the left and on the right of the counterpart's: eight numbers a bone. */
  readonly #turns: Float64Array;

  /**
   * @param map - counterpart of every bone, itself for bones in the middle. Default: by names, see `mirrorMapByName`
   * @param axis - normal of the plane; default "x", the side of a character that looks along z
   * @throws AnimArgumentError if the map has not one entry a bone, or a bone's counterpart has another one
   */
  constructor(skeleton: AnimSkeleton, map?: ArrayLike<number>, axis: MirrorAxis = "x") {
    requireObject("AnimMirror", "skeleton", skeleton, "AnimSkeleton");
    if (!AXES.includes(axis)) throw new AnimArgumentError(`AnimMirror: axis is ${show(axis)}, expected "x", "y" or "z".`, { found: axis });
    this.#skeleton = skeleton;
    this.#map = checkedMap(map ?? mirrorMapByName(skeleton), skeleton.getBoneCount());
    this.#axis = AXES.indexOf(axis);
    this.#turns = new Float64Array(this.#map.length * 8);
    skeleton.freeze("AnimMirror");
    freeWhenCollected(this, this.#owned);
    const groups = Math.max(1, skeleton.groupCount);
    this.#records = takeBlock(this.#owned, groups * MIRROR_GROUP_BYTES);
    this.#scratch = takeBlock(this.#owned, groups * GROUP_BYTES);
  }

  getSkeleton(): AnimSkeleton { return this.#skeleton; }
  getAxis(): MirrorAxis { return AXES[this.#axis]!; }

  /** The bone on the other side, or the bone itself. @throws AnimIndexError */
  getCounterpart(bone: number): number {
    requireIndex("AnimMirror.getCounterpart", "bone", bone, this.#map.length);
    return this.#map[bone]!;
  }

  /**
   * Mirrors a pose in place; its world becomes stale. Allocates nothing.
   * @throws AnimMismatchError if the pose does not have the bones of the skeleton
   */
  apply(pose: AnimPose): void {
    requireObject("AnimMirror.apply", "pose", pose, "AnimPose");
    if (pose.getBoneCount() !== this.#map.length) {
      throw new AnimMismatchError(`AnimMirror.apply: the pose has ${pose.getBoneCount()} bones, expected ${this.#map.length}. Give a pose of the mirror's skeleton.`);
    }
    this.applyAt(pose.localPtr);
    pose.markStale();
  }

  /** The map, one entry a bone. @internal */
  get map(): Int32Array { return this.#map; }

  /** Address of the records for the kernel, up to date with the bind pose. @internal */
  get recordsPtr(): number {
    if (this.#owned.length === 0) throw disposed("AnimMirror", "AnimMirror");
    this.#refresh();
    return this.#records;
  }

  /**
   * The step of a root motion bone (translation, rotation at delta[o..o+6]) in the mirror: d' = -m d m*, q' = m q m* with m the half turn
   * about the normal; in the bone's own frame (`local`) the half turn as the bone's bind rotation B has it, B* m B. @internal
   */
  mirrorDelta(bone: number, local: boolean, delta: Float64Array, o: number): void {
    half(Q, 0, this.#axis);
    if (local) {
      readWorldRotation(restPose(this.#skeleton), bone, Q, 4);
      multiplyRotations(Q, 0, Q, 4, Q, 0);
      conjugate(Q, 4);
      multiplyRotations(Q, 4, Q, 0, Q, 0);
    }
    // m is a half turn, so that m v m* = 2 (m v) m - v.
    const x = Q[0]!, y = Q[1]!, z = Q[2]!, along = 2 * (x * delta[o]! + y * delta[o + 1]! + z * delta[o + 2]!);
    delta[o] = delta[o]! - x * along;
    delta[o + 1] = delta[o + 1]! - y * along;
    delta[o + 2] = delta[o + 2]! - z * along;
    const turn = 2 * (x * delta[o + 3]! + y * delta[o + 4]! + z * delta[o + 5]!);
    delta[o + 3] = x * turn - delta[o + 3]!;
    delta[o + 4] = y * turn - delta[o + 4]!;
    delta[o + 5] = z * turn - delta[o + 5]!;
  }

  /** `apply` on local transforms at an address. @internal */
  applyAt(localPtr: number): void {
    const groups = this.#skeleton.groupCount;
    this.#refresh();
    heap.u8.copyWithin(this.#scratch, localPtr, localPtr + groups * GROUP_BYTES);
    rig3d.kernels.mirrorPose(this.#scratch, localPtr, this.#skeleton.bindPtr, this.#records, groups);
  }

  /**
   * The rotation of a bone's counterpart in q[i..i+3], or a slope of it, becomes that of the bone. @internal
   */
  mirrorRotation(bone: number, q: Float64Array, i: number): void {
    this.#refresh();
    // Products of rotations are made unit; a slope keeps its length.
    const length = Math.sqrt(q[i]! ** 2 + q[i + 1]! ** 2 + q[i + 2]! ** 2 + q[i + 3]! ** 2);
    if (length === 0) return;
    multiplyRotations(this.#turns, bone * 8, q, i, q, i);
    multiplyRotations(q, i, this.#turns, bone * 8 + 4, q, i);
    for (let k = i; k < i + 4; k++) q[k]! *= length;
  }

  /** The same for a move away from the bind position in v[j..j+2]. @internal */
  mirrorMove(bone: number, v: Float64Array, j: number): void {
    this.#refresh();
    const t = this.#turns, o = bone * 8, x = t[o]!, y = t[o + 1]!, z = t[o + 2]!, w = t[o + 3]!, a = v[j]!, b = v[j + 1]!, c = v[j + 2]!;
    const cx = y * c - z * b + w * a, cy = z * a - x * c + w * b, cz = x * b - y * a + w * c;
    v[j] = -(a + 2 * (y * cz - z * cy));
    v[j + 1] = -(b + 2 * (z * cx - x * cz));
    v[j + 2] = -(c + 2 * (x * cy - y * cx));
  }

  /** Frees the block; the skeleton stays. Safe to call twice. */
  dispose(): void {
    if (this.#owned.length === 0) return;
    dropAll(this, this.#owned);
    retire(this, "AnimMirror");
  }

  /** Brings rotations and records up to date with the bind pose. */
  #refresh(): void {
    const skeleton = this.#skeleton;
    if (this.#bindVersion === skeleton.bindVersion) return;
    const rest = restPose(skeleton), turns = this.#turns, map = this.#map;
    for (let bone = 0; bone < map.length; bone++) {
      const other = map[bone]!;
      // P* i P_m and B_m* i* B
      half(Q, 0, this.#axis);
      readWorldRotation(rest, skeleton.getParent(other), Q, 4);
      multiplyRotations(Q, 0, Q, 4, Q, 0);
      readWorldRotation(rest, skeleton.getParent(bone), Q, 4);
      conjugate(Q, 4);
      multiplyRotations(Q, 4, Q, 0, turns, bone * 8);
      half(Q, 0, this.#axis);
      conjugate(Q, 0);
      readWorldRotation(rest, other, Q, 4);
      conjugate(Q, 4);
      multiplyRotations(Q, 4, Q, 0, Q, 0);
      readWorldRotation(rest, bone, Q, 4);
      multiplyRotations(Q, 0, Q, 4, turns, bone * 8 + 4);
    }
    this.#writeRecords();
    this.#bindVersion = skeleton.bindVersion;
  }

  #writeRecords(): void {
    const { u32, f32 } = heap, lanes = this.#skeleton.groupCount * JOINTS_PER_GROUP;
    for (let lane = 0; lane < lanes; lane++) {
      // Lanes beyond the last bone stay the identity, which they are in every pose.
      const from = this.#map[lane] ?? lane, at = (this.#records + (lane >> 2) * MIRROR_GROUP_BYTES >>> 2) + (lane & 3);
      u32[at + Mirror.FROM * 4] = (from >> 2) * GROUP_BYTES + (from & 3) * 4;
      for (let k = 0; k < 8; k++) f32[at + (Mirror.LX + k) * 4] = lane < this.#map.length ? this.#turns[lane * 8 + k]! : k % 4 === 3 ? 1 : 0;
    }
  }
}

/** The half turn about an axis. */
function half(q: Float64Array, o: number, axis: number): void {
  q[o] = q[o + 1] = q[o + 2] = q[o + 3] = 0;
  q[o + axis] = 1;
}

function conjugate(q: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) q[o + k] = -q[o + k]!;
}

/** @throws AnimArgumentError if the map is not a permutation that undoes itself */
function checkedMap(map: ArrayLike<number>, count: number): Int32Array {
  if (map === null || typeof map !== "object" || map.length !== count) {
    throw new AnimArgumentError(`AnimMirror: the map has ${(map as ArrayLike<number> | null)?.length} entries, expected ${count}, one a bone.`);
  }
  for (let bone = 0; bone < count; bone++) {
    const other = map[bone]!;
    if (!(Number.isInteger(other) && other >= 0 && other < count && map[other] === bone)) {
      throw new AnimArgumentError(`AnimMirror: bone ${bone} maps to ${show(other)}, which does not map back to it.`, { found: other });
    }
  }
  return Int32Array.from(map);
}
