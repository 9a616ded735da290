/** Biovision hierarchies (BVH motion capture). Entry `osteon/bvh`. */
export { importBvh, type BvhImport, type BvhOptions } from "./import.js";
export { exportBvh, type BvhExportOptions } from "./export.js";
export { parseBvh, type BvhChannel, type BvhFile, type BvhJoint } from "./parse.js";
export type { ImportReport } from "../model/report.js";
