/** Kernel table of the area flat: what tweens, followers and sprites need beside motions. */
export { version } from "./motion/version";
export { asin, atan2 } from "./math/f64/inverse";
export { exp, exp2, log, pow } from "./math/f64/power";
export { sin } from "./motion/sin";
export { stepSprites } from "./motion/sprite";
