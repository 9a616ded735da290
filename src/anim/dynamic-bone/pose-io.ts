/** From the pose to chains and colliders in world space, and back. @internal */
import { heap } from "../../wasm/heap.js";
import { Local, localIndex } from "../rig/layout.js";
import type { AnimPose } from "../rig/pose.js";
import { multiplyRotations } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { slerp } from "../rig/track-sample.js";
import type { Chain } from "./chain.js";
import type { Collider } from "./colliders.js";
import { inverseMultiply, rotateVector } from "./rotation.js";

/** From the model to the world. */
export interface ObjectTransform {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

const P = /* @__PURE__ */ new Float64Array(3);
const Q = /* @__PURE__ */ new Float64Array(4);
const PARENT = /* @__PURE__ */ new Float64Array(4);

/** Numbers of `placePoint` are in arrays, because doubles in arguments are boxed where a call is not inlined. */
const ORIGIN = /* @__PURE__ */ new Float64Array(3);
const END = /* @__PURE__ */ new Float64Array(3);

/** The point at from[f] of a bone's space in the world. */
function placePoint(pose: AnimPose, bone: number, from: Float64Array, f: number, object: ObjectTransform, out: Float64Array, o: number): void {
  const f32 = heap.f32, m = (pose.worldPtr >>> 2) + bone * 16, x = from[f]!, y = from[f + 1]!, z = from[f + 2]!;
  for (let k = 0; k < 3; k++) P[k] = f32[m + k]! * x + f32[m + 4 + k]! * y + f32[m + 8 + k]! * z + f32[m + 12 + k]!;
  rotateVector(object.rotation, 0, P, 0, out, o);
  for (let k = 0; k < 3; k++) out[o + k] = out[o + k]! + object.position[k]!;
}

function readRotation(pose: AnimPose, bone: number, object: ObjectTransform, out: Float64Array, o: number): void {
  if (bone < 0) {
    for (let k = 0; k < 4; k++) out[o + k] = object.rotation[k]!;
    return;
  }
  const f32 = heap.f32, q = (pose.rotationsPtr >>> 2) + bone * 4;
  for (let k = 0; k < 4; k++) Q[k] = f32[q + k]!;
  multiplyRotations(object.rotation, 0, Q, 0, out, o);
}

/** Animated positions and rotations of a chain. The world of the pose is valid. */
export function readChain(chain: Chain, pose: AnimPose, object: ObjectTransform): void {
  const { bones, A, R, end } = chain;
  if (chain.center >= 0) {
    placePoint(pose, chain.center, ORIGIN, 0, object, chain.C, 0);
    readRotation(pose, chain.center, object, chain.C, 3);
  }
  for (let i = 0; i < bones.length; i++) {
    placePoint(pose, bones[i]!, ORIGIN, 0, object, A, i * 3);
    readRotation(pose, bones[i]!, object, R, i * 4);
  }
  if (end === undefined) return;
  const last = bones.length - 1;
  for (let k = 0; k < 3; k++) END[k] = end[k]!;
  placePoint(pose, bones[last]!, END, 0, object, A, (last + 1) * 3);
  for (let k = 0; k < 4; k++) R[(last + 1) * 4 + k] = R[last * 4 + k]!;
}

export function readCollider(collider: Collider, pose: AnimPose, object: ObjectTransform): void {
  const { bone, ends, now } = collider;
  collider.worldRadius = collider.radius;
  if (bone < 0) now.set(ends);
  else {
    for (let k = 0; k < 6; k += 3) placePoint(pose, bone, ends, k, object, now, k);
    // By the longest column of the bone's matrix.
    const f32 = heap.f32, m = (pose.worldPtr >>> 2) + bone * 16;
    let square = 0;
    for (let c = 0; c < 12; c += 4) square = Math.max(square, f32[m + c]! * f32[m + c]! + f32[m + c + 1]! * f32[m + c + 1]! + f32[m + c + 2]! * f32[m + c + 2]!);
    collider.worldRadius = collider.radius * Math.sqrt(square);
  }
  if (!collider.started) collider.from.set(now);
  collider.started = true;
}

/** Turns the heads of a chain in the pose, by a weight between the animation and the simulation. */
export function writeChain(chain: Chain, pose: AnimPose, skeleton: AnimSkeleton, object: ObjectTransform, weight: number): void {
  if (weight <= 0) return;
  const { bones, S } = chain, f32 = heap.f32;
  readRotation(pose, skeleton.getParent(bones[0]!), object, PARENT, 0);
  for (let j = 0; j < chain.count - 1; j++) {
    if (j === 0) inverseMultiply(PARENT, 0, S, 0, Q, 0);
    else inverseMultiply(S, (j - 1) * 4, S, j * 4, Q, 0);
    const at = localIndex(pose.localPtr, bones[j]!) + 4 * Local.QX;
    if (weight < 1) {
      for (let k = 0; k < 4; k++) PARENT[k] = f32[at + 4 * k]!;
      slerp(PARENT, 0, Q, 0, weight, Q, 0);
    }
    for (let k = 0; k < 4; k++) f32[at + 4 * k] = Q[k]!;
  }
}

/** To be called when all chains that do not hang on each other are written. */
export function finishWriting(pose: AnimPose): void {
  pose.markStale();
}
