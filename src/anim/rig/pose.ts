import { AnimArgumentError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { requireFinite, requireFinite3, requireObject, requireRotation, show } from "./checks.js";
import { localIndex } from "./layout.js";
import { writeWorldPosition, writeWorldRotation } from "./pose-access.js";
import type { TwoBoneOptions } from "./ik-options.js";
import { type AimOptions, aimBoneBy } from "./pose-aim.js";
import { PoseBlocks } from "./pose-blocks.js";
import { aimBone, solveTwoBoneIK } from "./pose-ik.js";
import { writeSocket } from "./sockets.js";
import type { AnimSkeleton } from "./skeleton.js";

const ARGUMENTS = /* @__PURE__ */ new Float64Array(4);

/**
 * Local transforms of a character's bones and, once computed, their world (model space) matrices.
 *
 * Not tied to a skeleton: only the bone count counts. Rotations are unit quaternions x, y, z, w. Setters make the world
 * stale; reading a stale world throws and names `computeWorld`. Owns its blocks of linear memory; the world block is made
 * by the first `computeWorld`.
 */
export class AnimPose extends PoseBlocks {
  /** Length of the world matrix' first column. */
  getWorldScaleX(bone: number): number { return this.#columnLength("getWorldScaleX", bone, 0); }
  getWorldScaleY(bone: number): number { return this.#columnLength("getWorldScaleY", bone, 4); }
  getWorldScaleZ(bone: number): number { return this.#columnLength("getWorldScaleZ", bone, 8); }

  /** Writes one world matrix, 16 numbers, column-major. */
  getWorldMatrix(bone: number, out: Float32Array | number[], offset = 0): void {
    this.requireWorld("getWorldMatrix", bone);
    requireRoom("AnimPose.getWorldMatrix", out, offset, 16);
    const from = (this.worldPtr >>> 2) + bone * 16;
    for (let i = 0; i < 16; i++) out[offset + i] = heap.f32[from + i]!;
  }

  /** Writes all world matrices, 16 numbers a bone. */
  writeWorldTo(out: Float32Array | number[], offset = 0): void {
    this.requireWorld("writeWorldTo", -1);
    requireRoom("AnimPose.writeWorldTo", out, offset, this.getBoneCount() * 16);
    const from = this.worldPtr >>> 2;
    const f32 = heap.f32;
    for (let i = 0; i < this.getBoneCount() * 16; i++) out[offset + i] = f32[from + i]!;
  }

  /** Writes all local transforms, 10 numbers a bone: px py pz qx qy qz qw sx sy sz. */
  writeLocalTo(out: Float32Array | number[], offset = 0): void {
    this.check("writeLocalTo");
    requireRoom("AnimPose.writeLocalTo", out, offset, this.getBoneCount() * 10);
    const f32 = heap.f32;
    for (let bone = 0; bone < this.getBoneCount(); bone++) {
      const from = localIndex(this.localPtr, bone);
      for (let row = 0; row < 10; row++) out[offset + bone * 10 + row] = f32[from + 4 * row]!;
    }
  }

  /**
   * Reads all local transforms, 10 numbers a bone as `writeLocalTo` writes them; rotations are normalised.
   * @throws AnimArgumentError for numbers that are not finite; then nothing was changed
   */
  readLocalFrom(values: ArrayLike<number>, offset = 0): void {
    this.check("readLocalFrom");
    const count = this.getBoneCount();
    requireObject("AnimPose.readLocalFrom", "values", values, "array");
    if (!(Number.isInteger(offset) && offset >= 0 && values.length - offset >= count * 10)) {
      throw new AnimArgumentError(`AnimPose.readLocalFrom: ${values.length} numbers were given, expected ${count * 10} (10 a bone) from offset ${show(offset)} on.`);
    }
    for (let i = 0; i < count * 10; i += 10) {
      const at = offset + i;
      requireRotation("AnimPose.readLocalFrom", values[at + 3]!, values[at + 4]!, values[at + 5]!, values[at + 6]!);
      requireFinite3("AnimPose.readLocalFrom", "a position", values[at]!, values[at + 1]!, values[at + 2]!);
      requireFinite3("AnimPose.readLocalFrom", "a scale", values[at + 7]!, values[at + 8]!, values[at + 9]!);
    }
    for (let bone = 0; bone < count; bone++) {
      const at = offset + bone * 10;
      this.setLocalPosition(bone, values[at]!, values[at + 1]!, values[at + 2]!);
      this.setLocalRotation(bone, values[at + 3]!, values[at + 4]!, values[at + 5]!, values[at + 6]!);
      this.setLocalScale(bone, values[at + 7]!, values[at + 8]!, values[at + 9]!);
    }
  }

  /** A point of the bone's space in model space. */
  transformPoint(bone: number, x: number, y: number, z: number, out: Float32Array | number[], offset = 0): void {
    this.requireWorld("transformPoint", bone);
    requireFinite3("AnimPose.transformPoint", "the point", x, y, z);
    requireRoom("AnimPose.transformPoint", out, offset, 3);
    const m = (this.worldPtr >>> 2) + bone * 16;
    const f32 = heap.f32;
    for (let i = 0; i < 3; i++) out[offset + i] = f32[m + i]! * x + f32[m + 4 + i]! * y + f32[m + 8 + i]! * z + f32[m + 12 + i]!;
  }

  /**
   * Writes the matrix of a socket in model space, 16 numbers, column-major: what is attached there is drawn with it. Computes
   * the world if it is stale; allocates nothing.
   * @param socket - its index, see `AnimSkeleton.addSocket`
   */
  getSocketMatrix(skeleton: AnimSkeleton, socket: number, out: Float32Array | number[], offset = 0): void {
    requireRoom("AnimPose.getSocketMatrix", out, offset, 16);
    this.computeWorld(skeleton);
    writeSocket(this, skeleton, socket, out, offset);
  }

  /** Turns the bone so that its world rotation is the given one; its subtree's world follows. */
  setWorldRotation(skeleton: AnimSkeleton, bone: number, x: number, y: number, z: number, w: number): void {
    this.requireSkeleton("AnimPose.setWorldRotation", skeleton);
    this.index("setWorldRotation", bone);
    const length = requireRotation("AnimPose.setWorldRotation", x, y, z, w);
    ARGUMENTS[0] = x / length;
    ARGUMENTS[1] = y / length;
    ARGUMENTS[2] = z / length;
    ARGUMENTS[3] = w / length;
    writeWorldRotation(this, skeleton, bone, ARGUMENTS, 0);
  }

  /**
   * Moves the bone to a model space position; its subtree's world follows.
   * @throws AnimStateError if the parent's matrix is flat and cannot be inverted
   */
  setWorldPosition(skeleton: AnimSkeleton, bone: number, x: number, y: number, z: number): void {
    this.requireSkeleton("AnimPose.setWorldPosition", skeleton);
    this.index("setWorldPosition", bone);
    requireFinite3("AnimPose.setWorldPosition", "the position", x, y, z);
    ARGUMENTS[0] = x;
    ARGUMENTS[1] = y;
    ARGUMENTS[2] = z;
    writeWorldPosition(this, skeleton, bone, ARGUMENTS, 0);
  }

  /**
   * Turns a bone so that its own +Z axis points at a target in model space; the world of its subtree follows.
   * @param weight - clamped to 1
   * @param options - another axis, a point beside the joint (a muzzle) to aim through, a roll, a limit
   * @returns false, changing nothing, if the weight is 0 or less or the target lies on the bone (with `offset`: nearer than the line of
   *   sight passes it)
   */
  aimBone(skeleton: AnimSkeleton, bone: number, targetX: number, targetY: number, targetZ: number, weight = 1, options?: AimOptions): boolean {
    this.requireSkeleton("AnimPose.aimBone", skeleton);
    this.index("aimBone", bone);
    if (options === undefined) return aimBone(this, skeleton, bone, targetX, targetY, targetZ, weight);
    requireFinite3("AnimPose.aimBone", "the target", targetX, targetY, targetZ);
    requireFinite("AnimPose.aimBone", "weight", weight);
    return aimBoneBy(this, skeleton, bone, targetX, targetY, targetZ, weight, options);
  }

  /**
   * Bends a chain root - mid - tip so that the tip reaches a target in model space; bones in between stay rigid and the tip
   * keeps its local rotation. The bend points towards the pole; without one, where it points now, else where it does in the
   * bind pose.
   * @param options - `soften`: gives way before it is straight, so that knees do not pop; `twist` of the bend, `stretch`, and the tip's rotation
   * @returns whether the weight is 1 or more and the target was within reach (with `soften`: within the part that is not softened; with
   * `stretch`: within the stretched length)
   * @throws AnimArgumentError if the bones are no chain, or for a pole of one or two numbers
   */
  solveTwoBoneIK(
    skeleton: AnimSkeleton, root: number, mid: number, tip: number, targetX: number, targetY: number, targetZ: number,
    poleX?: number, poleY?: number, poleZ?: number, weight = 1, options?: TwoBoneOptions,
  ): boolean {
    this.requireSkeleton("AnimPose.solveTwoBoneIK", skeleton);
    this.index("solveTwoBoneIK", root);
    this.index("solveTwoBoneIK", mid);
    this.index("solveTwoBoneIK", tip);
    return solveTwoBoneIK(this, skeleton, root, mid, tip, targetX, targetY, targetZ, poleX, poleY, poleZ, weight, options);
  }

  #columnLength(method: string, bone: number, column: number): number {
    return Math.hypot(this.matrix(method, bone, column), this.matrix(method, bone, column + 1), this.matrix(method, bone, column + 2));
  }
}

function requireRoom(method: string, out: ArrayLike<number>, offset: number, count: number): void {
  if (out === null || typeof out !== "object") throw new AnimArgumentError(`${method}: out is ${show(out)}, expected an array to write to.`, { found: out });
  if (!(Number.isInteger(offset) && offset >= 0 && (Array.isArray(out) || out.length - offset >= count))) {
    throw new AnimArgumentError(`${method}: out has ${out.length} entries, expected ${count} from offset ${show(offset)} on.`);
  }
}
