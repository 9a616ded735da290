/** The animation module: tweens, motions, sprites, 3D characters, procedural animation. Entry `osteon/anim`. */
export * from "./errors.js";

export { AnimSkeleton, LOD_ALWAYS } from "./rig/skeleton.js";
export { AnimClip, type AnimChannel, type AnimInterpolation } from "./rig/clip.js";
export { AnimPose } from "./rig/pose.js";
export { AnimPlayer, type AnimEventListener, type FadeCurve } from "./rig/player.js";
export type { RootMotionMode } from "./rig/root-motion.js";
export type { InertialCurve } from "./rig/inertializer.js";
