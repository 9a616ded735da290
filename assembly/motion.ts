/** Kernel table of the area motion. */
export { version } from "./motion/version";
export { finishPage, stepPages } from "./motion/step";
