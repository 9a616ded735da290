export type { ChainMethod } from "./chain-ik.js";
export { type ConstraintStatus } from "./constraint-entry.js";
export { AnimConstraintStack, type LookAtOptions } from "./constraint-stack.js";
export { FootIKSolver, type GroundHit, type GroundQuery } from "./foot-ik.js";
