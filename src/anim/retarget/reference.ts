/** Rest poses that differ, such as a T and an A: limbs of the target as they would lie in the source's. @internal */
import { multiplyRotations } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { shortestArc } from "../dynamic-bone/rotation.js";
import type { RigFrames } from "./rig-frames.js";
import { humanoidRoles } from "./roles.js";

/** Bones that are turned, and the one that each points to. */
const LIMBS: readonly (readonly [string, string])[] = [["UpperArm", "LowerArm"], ["LowerArm", "Hand"], ["UpperLeg", "LowerLeg"], ["LowerLeg", "Foot"]];

/**
 * Turns the target's rest rotations (model space, four numbers a bone) of arms and legs by the shortest way to the directions
 * that they have in the source's rest pose. What lies below an arm goes along; feet stay as they are, for they stand.
 */
export function alignRest(source: AnimSkeleton, target: AnimSkeleton, from: RigFrames, to: RigFrames, matches: Int32Array, rest: Float64Array): void {
  const sources = humanoidRoles(source), targets = humanoidRoles(target), a = new Float64Array(3), b = new Float64Array(3), arcs = new Map<number, Float64Array>();
  for (const side of ["left", "right"]) {
    for (const [part, next] of LIMBS) {
      const bone = targets.get(side + part), end = targets.get(side + next), sourceBone = sources.get(side + part), sourceEnd = sources.get(side + next);
      if (bone === undefined || end === undefined || sourceBone === undefined || sourceEnd === undefined || matches[bone] !== sourceBone) continue;
      for (let k = 0; k < 3; k++) {
        a[k] = to.position[end * 3 + k]! - to.position[bone * 3 + k]!;
        b[k] = from.position[sourceEnd * 3 + k]! - from.position[sourceBone * 3 + k]!;
      }
      if (Math.hypot(a[0]!, a[1]!, a[2]!) < 1e-6 || Math.hypot(b[0]!, b[1]!, b[2]!) < 1e-6) continue;
      const arc = new Float64Array(4);
      shortestArc(a, 0, b, 0, arc, 0);
      arcs.set(bone, arc);
    }
  }
  const feet = ["left", "right"].map((side) => targets.get(`${side}Foot`));
  for (let bone = 0; bone < to.boneCount; bone++) {
    // Of a bone without a direction of its own: that of the limb above it.
    let arc = arcs.get(bone), above = bone;
    while (arc === undefined && above >= 0 && !feet.includes(above)) {
      above = to.parents[above]!;
      arc = arcs.get(above);
    }
    if (arc !== undefined) multiplyRotations(arc, 0, rest, bone * 4, rest, bone * 4);
  }
}
