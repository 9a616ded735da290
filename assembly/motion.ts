/** Kernel table of the area motion. */
export { version } from "./motion/version";
export { easeRows } from "./motion/ease";
export { finishPage, stepPages } from "./motion/step";
