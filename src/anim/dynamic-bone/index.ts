export { DynamicBoneSolver, type SubstepTiming } from "./solver.js";
export type { FreezeAxis } from "./chain.js";
export { setupHairChain, setupHairHeadCollider } from "./hair.js";
