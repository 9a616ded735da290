/** Left and right exchanged: which bone is the counterpart of which, and poses mirrored about the plane x = 0. @internal */
import { AnimArgumentError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { Local, localIndex } from "../rig/layout.js";
import { AnimPose } from "../rig/pose.js";
import type { AnimSkeleton } from "../rig/skeleton.js";

const ROWS = 10;

/**
 * Mirrors local poses of one skeleton. Rotations are mirrored as deviations from the bind pose in model space, so bones may
 * have any axes; positions as deviations from the bind position.
 */
export class MirrorMap {
  readonly map: Int32Array;
  /** Bind rotations in model space of every bone's parent and of the bone itself: 8 numbers a bone. */
  readonly #frames: Float64Array;
  readonly #values: Float64Array;

  /** @throws AnimArgumentError if the map is not a permutation that undoes itself */
  constructor(map: ArrayLike<number>, skeleton: AnimSkeleton) {
    const count = skeleton.getBoneCount();
    if (map === null || typeof map !== "object" || map.length !== count) {
      throw new AnimArgumentError(`MotionDatabase.setMirror: the map has ${map?.length} entries, expected ${count}, one a bone.`);
    }
    for (let b = 0; b < count; b++) {
      if (!(Number.isInteger(map[b]) && map[b]! >= 0 && map[b]! < count && map[map[b]!] === b)) {
        throw new AnimArgumentError(`MotionDatabase.setMirror: bone ${b} maps to ${map[b]}, which does not map back to it.`, { found: map[b] });
      }
    }
    this.map = Int32Array.from(map);
    this.#frames = bindFrames(skeleton);
    this.#values = new Float64Array(count * ROWS);
  }

  counterpart(bone: number): number {
    return this.map[bone]!;
  }

  /** Mirrors the local pose at `localPtr` in place; bind values are those of the skeleton at `bindPtr`. */
  apply(localPtr: number, bindPtr: number): void {
    const f32 = heap.f32, v = this.#values, map = this.map, frames = this.#frames;
    for (let b = 0; b < map.length; b++) {
      const at = localIndex(localPtr, b);
      for (let row = 0; row < ROWS; row++) v[b * ROWS + row] = f32[at + 4 * row]!;
    }
    for (let b = 0; b < map.length; b++) {
      const m = map[b]!, from = m * ROWS, at = localIndex(localPtr, b), bindM = localIndex(bindPtr, m), bindB = localIndex(bindPtr, b);
      // Deviation of the position, from the counterpart's parent axes to model space, mirrored, into this parent's axes.
      let x = v[from]! - f32[bindM]!, y = v[from + 1]! - f32[bindM + 4]!, z = v[from + 2]! - f32[bindM + 8]!;
      if (x !== 0 || y !== 0 || z !== 0) {
        rotateBy(frames, m * 8, x, y, z, 1);
        x = -scratch[0]!;
        y = scratch[1]!;
        z = scratch[2]!;
        rotateBy(frames, b * 8, x, y, z, -1);
        x = scratch[0]!;
        y = scratch[1]!;
        z = scratch[2]!;
      }
      f32[at] = f32[bindB]! + x;
      f32[at + 4] = f32[bindB + 4]! + y;
      f32[at + 8] = f32[bindB + 8]! + z;
      // P q B^-1 is the bone's turn relative to its parent in model axes.
      multiply(frames, m * 8, v, from + Local.QX, false, product, 0);
      multiply(product, 0, frames, m * 8 + 4, true, product, 0);
      product[1] = -product[1]!;
      product[2] = -product[2]!;
      multiplyConjugate(frames, b * 8, product, 0, product, 0);
      multiply(product, 0, frames, b * 8 + 4, false, product, 0);
      const length = Math.sqrt(product[0]! * product[0]! + product[1]! * product[1]! + product[2]! * product[2]! + product[3]! * product[3]!);
      for (let k = 0; k < 4; k++) f32[at + 4 * (Local.QX + k)] = product[k]! / length;
      for (let k = 0; k < 3; k++) f32[at + 4 * (Local.SX + k)] = v[from + Local.SX + k]!;
    }
  }
}

const scratch = /* @__PURE__ */ new Float64Array(3);
const product = /* @__PURE__ */ new Float64Array(4);

/** The vector turned by the quaternion at q[o], or by its inverse (sign -1), into `scratch`. */
function rotateBy(q: Float64Array, o: number, x: number, y: number, z: number, sign: number): void {
  const qx = sign * q[o]!, qy = sign * q[o + 1]!, qz = sign * q[o + 2]!, w = q[o + 3]!;
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  scratch[0] = x + w * tx + qy * tz - qz * ty;
  scratch[1] = y + w * ty + qz * tx - qx * tz;
  scratch[2] = z + w * tz + qx * ty - qy * tx;
}

/** out = a b, or a b^-1. */
function multiply(a: Float64Array, ai: number, b: Float64Array, bi: number, inverse: boolean, out: Float64Array, o: number): void {
  const s = inverse ? -1 : 1;
  const ax = a[ai]!, ay = a[ai + 1]!, az = a[ai + 2]!, aw = a[ai + 3]!, bx = s * b[bi]!, by = s * b[bi + 1]!, bz = s * b[bi + 2]!, bw = b[bi + 3]!;
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out = a^-1 b */
function multiplyConjugate(a: Float64Array, ai: number, b: Float64Array, bi: number, out: Float64Array, o: number): void {
  const ax = -a[ai]!, ay = -a[ai + 1]!, az = -a[ai + 2]!, aw = a[ai + 3]!, bx = b[bi]!, by = b[bi + 1]!, bz = b[bi + 2]!, bw = b[bi + 3]!;
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

function bindFrames(skeleton: AnimSkeleton): Float64Array {
  const count = skeleton.getBoneCount();
  const frames = new Float64Array(count * 8);
  const pose = new AnimPose(count);
  skeleton.applyBindPose(pose);
  pose.computeWorld(skeleton);
  for (let b = 0; b < count; b++) {
    const parent = skeleton.getParent(b);
    frames.set(parent < 0 ? [0, 0, 0, 1] : rotationOf(pose, parent), b * 8);
    frames.set(rotationOf(pose, b), b * 8 + 4);
  }
  pose.dispose();
  return frames;
}

function rotationOf(pose: AnimPose, bone: number): number[] {
  return [pose.getWorldRotationX(bone), pose.getWorldRotationY(bone), pose.getWorldRotationZ(bone), pose.getWorldRotationW(bone)];
}

/**
 * Map of counterparts by name: `left` in a name is exchanged with `right` (and `l` with `r` where they stand alone); bones
 * without a counterpart map to themselves.
 */
export function mirrorMapByName(skeleton: AnimSkeleton): Int32Array {
  const count = skeleton.getBoneCount();
  const map = new Int32Array(count);
  for (let b = 0; b < count; b++) {
    const other = skeleton.findBone(exchanged(skeleton.getBoneName(b)));
    map[b] = other < 0 ? b : other;
  }
  for (let b = 0; b < count; b++) if (map[map[b]!] !== b) map[b] = b;
  return map;
}

function exchanged(name: string): string {
  return name
    .replace(/left|right/gi, (word) => sameCase(word, word.toLowerCase() === "left" ? "right" : "left"))
    .replace(/(^|[^A-Za-z])([lLrR])(?=$|[^A-Za-z])/g, (_, before: string, letter: string) => before + sameCase(letter, letter.toLowerCase() === "l" ? "r" : "l"));
}

function sameCase(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return model[0] === model[0]!.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word;
}
