/** Kernel table of the area motion. */
export { version } from "./motion/version";
export { atan2 } from "./math/f64/inverse";
export { easeRows } from "./motion/ease";
export { finishPage, stepPages } from "./motion/step";
