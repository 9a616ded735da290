/** Kernel table of the area motion. */
export { version } from "./motion/version";
export { asin, atan2, exp, exp2, log, pow, sin } from "./motion/math";
export { easeRows } from "./motion/ease";
export { finishPage, stepPages } from "./motion/step";
export { stepSprites } from "./motion/sprite";
