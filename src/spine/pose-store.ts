/** Where heap-backed poses live: anything with a block of rows in linear memory. @internal */
export interface PoseStore {
  /** Index of row 0 in `heap.f32`; negative once the block is gone, so that reads give undefined and writes nothing. */
  _base: number;
}

/** `_base` of a disposed store. */
export const NO_BASE = -0x10000000;

/**
 * Counts edits of setup poses. A rig copies setup poses to linear memory and compares this number to know whether its
 * copy still holds. @internal
 */
export const setupEdits = { count: 1 };
