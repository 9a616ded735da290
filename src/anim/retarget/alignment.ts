/** What is compared of two rigs: their axes, and the scale of their roots' paths. @internal */
import type { AnimSkeleton } from "../rig/skeleton.js";
import { humanoidRoles } from "./roles.js";
import type { RigFrames } from "./rig-frames.js";

/**
 * The turn from the axes of one rig to those of the other, x y z w; undefined where one of them does not say which they are.
 * Axes: pelvis to head, and across it from right to left.
 */
export function alignmentOf(source: AnimSkeleton, target: AnimSkeleton, from: RigFrames, to: RigFrames): Float64Array | undefined {
  const a = axesOf(source, from), b = axesOf(target, to);
  if (a === undefined || b === undefined) return undefined;
  // Rows of the axes are orthonormal, so that the turn is B^T A.
  const m: number[] = [];
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) m.push(b[0]![r]! * a[0]![c]! + b[1]![r]! * a[1]![c]! + b[2]![r]! * a[2]![c]!);
  return rotationOf(m);
}

function axesOf(skeleton: AnimSkeleton, frames: RigFrames): number[][] | undefined {
  const roles = humanoidRoles(skeleton), at = (role: string): number[] | undefined => {
    const bone = roles.get(role);
    return bone === undefined ? undefined : [...frames.position.subarray(bone * 3, bone * 3 + 3)];
  };
  const hips = at("hips"), head = at("head") ?? at("neck");
  const legs = [at("leftUpperLeg"), at("rightUpperLeg")], [left, right] = legs.includes(undefined) ? [at("leftUpperArm"), at("rightUpperArm")] : legs;
  if (hips === undefined || head === undefined || left === undefined || right === undefined) return undefined;
  const up = unit(head.map((v, k) => v - hips[k]!));
  if (up === undefined) return undefined;
  const across = left.map((v, k) => v - right[k]!), along = across[0]! * up[0]! + across[1]! * up[1]! + across[2]! * up[2]!;
  const side = unit(across.map((v, k) => v - along * up[k]!));
  if (side === undefined) return undefined;
  return [side, up, [side[1]! * up[2]! - side[2]! * up[1]!, side[2]! * up[0]! - side[0]! * up[2]!, side[0]! * up[1]! - side[1]! * up[0]!]];
}

function unit(v: number[]): number[] | undefined {
  const length = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
  return length > 1e-6 ? v.map((x) => x / length) : undefined;
}

/** Quaternion of an orthonormal matrix in rows, by its largest diagonal term. */
function rotationOf(m: readonly number[]): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = m as [number, number, number, number, number, number, number, number, number];
  const q = Float64Array.of(h - f, c - g, d - b, 1 + a + e + i);
  if (a > e && a > i && a + e + i < 0) q.set([1 + a - e - i, b + d, c + g, h - f]);
  else if (e > i && a + e + i < 0) q.set([b + d, 1 + e - a - i, f + h, c - g]);
  else if (a + e + i < 0) q.set([c + g, f + h, 1 + i - a - e, d - b]);
  const length = Math.sqrt(q[0]! ** 2 + q[1]! ** 2 + q[2]! ** 2 + q[3]! ** 2);
  return q.map((v) => v / length);
}

/** Height of a bone over the lowest one, in the rest pose. */
export function heightOf(frames: RigFrames, bone: number): number {
  let lowest = Infinity;
  for (let i = 1; i < frames.position.length; i += 3) lowest = Math.min(lowest, frames.position[i]!);
  return frames.position[bone * 3 + 1]! - lowest;
}

/** Mean length of the legs, thigh to ankle; 0 where there are none. */
export function legLengthOf(skeleton: AnimSkeleton, frames: RigFrames): number {
  const roles = humanoidRoles(skeleton);
  let sum = 0, legs = 0;
  for (const side of ["left", "right"]) {
    const bones = ["UpperLeg", "LowerLeg", "Foot"].map((part) => roles.get(side + part));
    if (bones.includes(undefined)) continue;
    const [thigh, knee, foot] = bones as [number, number, number];
    sum += distance(frames, thigh, knee) + distance(frames, knee, foot);
    legs++;
  }
  return legs === 0 ? 0 : sum / legs;
}

function distance({ position }: RigFrames, a: number, b: number): number {
  const x = position[a * 3]! - position[b * 3]!, y = position[a * 3 + 1]! - position[b * 3 + 1]!, z = position[a * 3 + 2]! - position[b * 3 + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}
