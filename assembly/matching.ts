/** Kernel table of the area matching. */
export { version } from "./matching/version";
export { costOfSlot, search, searchMany, searchQuantized } from "./matching/search";
export { advanceSimulated, carryOver, placeRoot, predictSimulated, resolveHeadings, stepRoot } from "./matching/controller";
