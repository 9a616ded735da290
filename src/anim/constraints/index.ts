export { AnimConstraintStack, type ConstraintStatus } from "./constraint-stack.js";
