export type { ChainMethod } from "./chain-ik.js";
export { AnimConstraintStack, type ConstraintStatus } from "./constraint-stack.js";
export { FootIKSolver, type GroundHit, type GroundQuery } from "./foot-ik.js";
