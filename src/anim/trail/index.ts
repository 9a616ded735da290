/** Trails. */
export { AnimTrail, type GradientStop, type TrailPlane, type TrailStyle } from "./trail.js";
export { createTrailMesh } from "./ribbon.js";
