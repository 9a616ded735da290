export { AnimConstraintStack, type ConstraintStatus } from "./constraint-stack.js";
export { FootIKSolver, type GroundHit, type GroundQuery } from "./foot-ik.js";
