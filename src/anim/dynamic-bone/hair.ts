import { requireName, requireObject } from "../rig/checks.js";
import { unknownBone } from "../rig/unknown-bone.js";
import type { DynamicBoneSolver } from "./solver.js";

/**
 * Adds a chain with settings for hair: an end as long as its last segment, self-collision, soft springs.
 * @returns the chain's handle
 * @throws AnimNameError for unknown names
 */
export function setupHairChain(solver: DynamicBoneSolver, rootName: string, tipName: string): number {
  requireObject("setupHairChain", "solver", solver, "DynamicBoneSolver");
  const skeleton = solver.getSkeleton(), chain = solver.addChainByName(rootName, tipName);
  const lengthOf = (bone: number): number => {
    const x = skeleton.getBindPositionX(bone), y = skeleton.getBindPositionY(bone), z = skeleton.getBindPositionZ(bone);
    return Math.sqrt(x * x + y * y + z * z);
  };
  const root = skeleton.findBone(rootName);
  let last = 0, sum = 0, segments = 0;
  for (let bone = solver.getChainTip(chain); bone !== root; bone = skeleton.getParent(bone)) {
    const length = lengthOf(bone);
    if (segments === 0) last = length;
    sum += length;
    segments++;
  }
  // A single bone is as long as its own distance from its parent.
  if (segments === 0) {
    last = sum = lengthOf(root);
    segments = 1;
  }
  if (last > 0) solver.setChainEndLength(chain, last);
  solver.setChainSelfCollision(chain, true);
  solver.setChainParticleParameters(chain, 0.12, 0.06, 0.15, (0.25 * sum) / segments, 0.1);
  return chain;
}

/**
 * Adds a sphere for hair to lie on, its centre half a radius up the head bone's +Y axis.
 * @returns the collider's id
 * @throws AnimNameError for an unknown name
 */
export function setupHairHeadCollider(solver: DynamicBoneSolver, headName: string, radius: number): number {
  requireObject("setupHairHeadCollider", "solver", solver, "DynamicBoneSolver");
  requireName("setupHairHeadCollider", "headName", headName);
  const head = solver.getSkeleton().findBone(headName);
  if (head < 0) throw unknownBone("setupHairHeadCollider", "headName", headName, solver.getSkeleton());
  return solver.addBoneColliderSphere(head, 0, 0.5 * radius, 0, radius);
}
