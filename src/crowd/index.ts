/** Thousands of characters at once. Entry `osteon/crowd`. */
export type { BakedClip, BakeOptions } from "./bake.js";
export { Crowd } from "./crowd.js";
export { CrowdFullError, StaleIdError } from "./errors.js";
export type { Drawable } from "./drawable-table.js";
export type { Box } from "./probe.js";
export type { Promoted } from "./promotion.js";
export type { CrowdListener } from "./event-ring.js";
export type { CrowdOptions, OverlayOptions, PlayOptions, QueueOptions, SpawnOptions } from "./options.js";
export { CrowdVertices, type CrowdVerticesOptions, RANGE_WORDS } from "./crowd-vertices.js";
export type { CrowdPage } from "./piece-table.js";
export type { DetailOptions } from "./detail.js";
export type { Between, DetailLevel } from "./levels.js";
export { Crowd3D } from "./crowd3d.js";
export type { Crowd3DListener, Crowd3DOptions, Play3DOptions, Queue3DOptions, Spawn3DOptions } from "./crowd3d-options.js";
