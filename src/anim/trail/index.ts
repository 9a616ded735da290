/** Trails. */
export { AnimTrail, type TrailPlane, type TrailStyle } from "./trail.js";
export type { GradientStop, WidthKey } from "./look.js";
export { createTrailMesh } from "./ribbon.js";
