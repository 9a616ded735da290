export { DynamicBoneSolver, type SubstepTiming } from "./solver.js";
export { DynamicBoneBatch } from "./batch.js";
export type { ChainModel, FreezeAxis, VrmJoint } from "./chain.js";
export { setupHairChain, setupHairHeadCollider } from "./hair.js";
