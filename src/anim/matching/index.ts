/** Motion matching: a database of frames, and a controller that always plays the frame that fits best. */
export { MotionDatabase, type BakeOptions } from "./database.js";
export type { MotionFeature, MotionFeatureDescriptor, MotionFeatureKind } from "./layout.js";
export type { NormalizationMode } from "./normalization.js";
export type { MotionDatabaseReport } from "./report.js";
export { MotionMatcher, type MotionDebugCosts } from "./matcher.js";
export type { RootAdjustment } from "./matcher-settings.js";
export type { TrajectoryPoint } from "./trajectory.js";
export { MotionMatcherGroup } from "./group.js";
