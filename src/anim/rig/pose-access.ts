/**
 * Places and rotations of a pose's bones, between linear memory and Float64Arrays, for the solvers of this package: numbers
 * that pass through arguments and results are boxed wherever the engine does not inline the call, these never are. Bones are
 * valid indices, or -1 for the model where that is said; worlds are valid where they are read. @internal
 */
import { AnimStateError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { requireFinite3, requireRotation } from "./checks.js";
import { Local, localIndex } from "./layout.js";
import type { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";

const P = /* @__PURE__ */ new Float64Array(4);
const LOCAL = /* @__PURE__ */ new Float64Array(4);

/** out (three numbers at o) = place of a bone in model space. */
export function readWorldPosition(pose: AnimPose, bone: number, out: Float64Array, o: number): void {
  const f32 = heap.f32, m = (pose.worldPtr >>> 2) + bone * 16 + 12;
  out[o] = f32[m]!;
  out[o + 1] = f32[m + 1]!;
  out[o + 2] = f32[m + 2]!;
}

/** out (four numbers at o) = rotation of a bone in model space; of bone -1: none. */
export function readWorldRotation(pose: AnimPose, bone: number, out: Float64Array, o: number): void {
  if (bone < 0) {
    out[o] = out[o + 1] = out[o + 2] = 0;
    out[o + 3] = 1;
    return;
  }
  const q = (pose.rotationsPtr >>> 2) + bone * 4, f32 = heap.f32;
  out[o] = f32[q]!;
  out[o + 1] = f32[q + 1]!;
  out[o + 2] = f32[q + 2]!;
  out[o + 3] = f32[q + 3]!;
}

/** out (four numbers at o) = local rotation of a bone. */
export function readLocalRotation(pose: AnimPose, bone: number, out: Float64Array, o: number): void {
  const f32 = heap.f32, q = localIndex(pose.localPtr, bone) + 4 * Local.QX;
  out[o] = f32[q]!;
  out[o + 1] = f32[q + 4]!;
  out[o + 2] = f32[q + 8]!;
  out[o + 3] = f32[q + 12]!;
}

/** Sets the local rotation to that at q[i], normalised. @throws AnimArgumentError if it has no length or is not finite */
export function writeLocalRotation(pose: AnimPose, bone: number, q: Float64Array, i: number): void {
  const x = q[i]!, y = q[i + 1]!, z = q[i + 2]!, w = q[i + 3]!, length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length >= 1e-8 && length < Infinity)) requireRotation("AnimPose.setLocalRotation", x, y, z, w);
  const f32 = heap.f32, to = localIndex(pose.localPtr, bone) + 4 * Local.QX;
  f32[to] = x / length;
  f32[to + 4] = y / length;
  f32[to + 8] = z / length;
  f32[to + 12] = w / length;
  pose.markBoneStale(bone);
}

/** Turns a bone so that its rotation in model space is the unit quaternion at q[i]; its subtree's world follows. */
export function writeWorldRotation(pose: AnimPose, skeleton: AnimSkeleton, bone: number, q: Float64Array, i: number): void {
  pose.computeWorld(skeleton);
  readWorldRotation(pose, skeleton.getParent(bone), P, 0);
  const px = -P[0]!, py = -P[1]!, pz = -P[2]!, pw = P[3]!, x = q[i]!, y = q[i + 1]!, z = q[i + 2]!, w = q[i + 3]!;
  LOCAL[0] = pw * x + px * w + py * z - pz * y;
  LOCAL[1] = pw * y + py * w + pz * x - px * z;
  LOCAL[2] = pw * z + pz * w + px * y - py * x;
  LOCAL[3] = pw * w - px * x - py * y - pz * z;
  writeLocalRotation(pose, bone, LOCAL, 0);
  pose.computeWorld(skeleton);
}

/**
 * Moves a bone to the place v[i] in model space; its subtree's world follows.
 * @throws AnimStateError if the parent's matrix is flat and cannot be inverted
 */
export function writeWorldPosition(pose: AnimPose, skeleton: AnimSkeleton, bone: number, v: Float64Array, i: number): void {
  pose.computeWorld(skeleton);
  const parent = skeleton.getParent(bone), f32 = heap.f32;
  LOCAL[0] = v[i]!;
  LOCAL[1] = v[i + 1]!;
  LOCAL[2] = v[i + 2]!;
  if (parent >= 0) {
    const m = (pose.worldPtr >>> 2) + parent * 16;
    const a = f32[m]!, b = f32[m + 1]!, c = f32[m + 2]!, d = f32[m + 4]!, e = f32[m + 5]!, f = f32[m + 6]!;
    const g = f32[m + 8]!, h = f32[m + 9]!, k = f32[m + 10]!;
    const bx = e * k - f * h, by = f * g - d * k, bz = d * h - e * g;
    const determinant = a * bx + b * by + c * bz;
    if (!(Math.abs(determinant) > 1e-20)) {
      throw new AnimStateError(`AnimPose.setWorldPosition: the matrix of parent bone ${parent} is flat (scale 0). Give it a scale first.`);
    }
    // Rows of the inverse are cross products of the columns.
    const rx = LOCAL[0]! - f32[m + 12]!, ry = LOCAL[1]! - f32[m + 13]!, rz = LOCAL[2]! - f32[m + 14]!;
    LOCAL[0] = (rx * bx + ry * by + rz * bz) / determinant;
    LOCAL[1] = (rx * (c * h - b * k) + ry * (a * k - c * g) + rz * (b * g - a * h)) / determinant;
    LOCAL[2] = (rx * (b * f - c * e) + ry * (c * d - a * f) + rz * (a * e - b * d)) / determinant;
  }
  const x = LOCAL[0]!, y = LOCAL[1]!, z = LOCAL[2]!;
  if (!(Math.abs(x) < Infinity && Math.abs(y) < Infinity && Math.abs(z) < Infinity)) requireFinite3("AnimPose.setLocalPosition", "the position", x, y, z);
  const to = localIndex(pose.localPtr, bone) + 4 * Local.PX;
  f32[to] = x;
  f32[to + 4] = y;
  f32[to + 8] = z;
  pose.markBoneStale(bone);
  pose.computeWorld(skeleton);
}
