/** Trails. */
export { AnimTrail, type TrailStyle } from "./trail.js";
export type { TrailPlane } from "./bone-point.js";
export type { GradientStop, WidthKey } from "./look.js";
export { createTrailMesh } from "./ribbon.js";
