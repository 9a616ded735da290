/** How far compiled forms of a clip are off, and how far they may be. @internal */
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { type ClipData, sharedContext } from "./clip-data.js";
import { GROUP_BYTES, identityGroup, localIndex } from "./layout.js";
import { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";

export const DEGREES = 180 / Math.PI;

/** Distances, an angle in degrees, and a distance in model space. */
export interface Errors {
  position: number;
  rotation: number;
  scale: number;
  model: number;
}

/** Samples a form within the clip. */
export function sampleInto(data: ClipData, time: number, bone: AnimPose, skeleton: AnimSkeleton | undefined): void {
  rig3d.kernels.sampleClip(
    data.ptr, time, sharedContext().scratch(data.scratchBytes), skeleton?.bindPtr ?? identityGroup(), skeleton === undefined ? 0 : GROUP_BYTES, 0,
    bone.localPtr, bone.groupCount);
  bone.markStale();
}

/** Longest way from every bone to the end of a chain below it, in the bind pose, plus the shell. */
export function leversOf(skeleton: AnimSkeleton, shell: number): Float64Array {
  const count = skeleton.getBoneCount(), levers = new Float64Array(count).fill(shell);
  for (let bone = count - 1; bone > 0; bone--) {
    const parent = skeleton.getParent(bone);
    if (parent < 0) continue;
    const length = Math.hypot(skeleton.getBindPositionX(bone), skeleton.getBindPositionY(bone), skeleton.getBindPositionZ(bone));
    levers[parent] = Math.max(levers[parent]!, levers[bone]! + length);
  }
  return levers;
}

/** Largest errors of a form against the raw keys at some times. */
export function measure(raw: ClipData, data: ClipData, trackCount: number, times: Float64Array, skeleton: AnimSkeleton | undefined, shell: number): Errors {
  const boneCount = skeleton === undefined ? trackCount : skeleton.getBoneCount(), a = new AnimPose(boneCount), b = new AnimPose(boneCount);
  const errors: Errors = { position: 0, rotation: 0, scale: 0, model: 0 };
  for (const time of times) {
    sampleInto(raw, time, a, skeleton);
    sampleInto(data, time, b, skeleton);
    const { f32 } = heap;
    for (let bone = 0; bone < boneCount; bone++) {
      const i = localIndex(a.localPtr, bone), j = localIndex(b.localPtr, bone);
      const d = (row: number): number => f32[i + 4 * row]! - f32[j + 4 * row]!;
      errors.position = Math.max(errors.position, Math.hypot(d(0), d(1), d(2)));
      errors.scale = Math.max(errors.scale, Math.hypot(d(7), d(8), d(9)));
      let minus = 0, plus = 0;
      for (let row = 3; row < 7; row++) {
        minus += (f32[i + 4 * row]! - f32[j + 4 * row]!) ** 2;
        plus += (f32[i + 4 * row]! + f32[j + 4 * row]!) ** 2;
      }
      errors.rotation = Math.max(errors.rotation, 4 * Math.asin(Math.min(1, Math.sqrt(Math.min(minus, plus)) / 2)) * DEGREES);
    }
    if (skeleton === undefined) continue;
    a.computeWorld(skeleton);
    b.computeWorld(skeleton);
    errors.model = Math.max(errors.model, modelError(a, b, boneCount, shell));
  }
  a.dispose();
  b.dispose();
  return errors;
}

/** Largest distance between two poses of joints and of points at `shell` along the joints' axes. */
function modelError(a: AnimPose, b: AnimPose, boneCount: number, shell: number): number {
  const { f32 } = heap;
  let worst = 0;
  for (let bone = 0; bone < boneCount; bone++) {
    const i = (a.worldPtr >>> 2) + bone * 16, j = (b.worldPtr >>> 2) + bone * 16;
    const dx = f32[i + 12]! - f32[j + 12]!, dy = f32[i + 13]! - f32[j + 13]!, dz = f32[i + 14]! - f32[j + 14]!;
    worst = Math.max(worst, dx * dx + dy * dy + dz * dz);
    for (let axis = 0; axis < 12; axis += 4) {
      const ax = (f32[i + axis]! - f32[j + axis]!) * shell, ay = (f32[i + axis + 1]! - f32[j + axis + 1]!) * shell, az = (f32[i + axis + 2]! - f32[j + axis + 2]!) * shell;
      worst = Math.max(worst, (dx + ax) ** 2 + (dy + ay) ** 2 + (dz + az) ** 2, (dx - ax) ** 2 + (dy - ay) ** 2 + (dz - az) ** 2);
    }
  }
  return Math.sqrt(worst);
}
