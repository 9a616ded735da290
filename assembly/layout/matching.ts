/**
 * Memory layout of motion matching. Compiled by asc and by tsc, so plain numbers and const enums only.
 *
 * Frames stand in slots: every clip range starts on a multiple of BOX_FRAMES, so that no box spans two ranges. Slots without
 * a frame repeat a neighbour and have an infinite penalty. Channels are ordered by importance and padded to a multiple of
 * CHANNEL_PADDING with zeros.
 *
 * Features   blocks of four slots: one row of four floats a channel             (full)
 *                                  one row of four bytes a channel              (quantised)
 * Steps      (quantised) a channel: row of four step sizes, row of four lowest values; value = code * step + lowest
 * Small boxes   a 64-slot box: a channel { lowest value, highest value } of its four 16-slot boxes, one lane each
 * Large boxes   four 64-slot boxes: a channel { lowest, highest }, one lane each; padded to whole groups of four
 * Penalties  float a slot, a small box, a large box (the least of its slots); infinite where a frame must not be chosen
 * Bounds     float a large box, padded: scratch of one search
 */
export const BLOCK_FRAMES = 4;
export const SMALL_BOX_FRAMES = 16;
export const BOX_FRAMES = 64;
export const CHANNEL_PADDING = 4;
/** Bytes of a channel's row in a block of features, in a block of quantised features, in a box. */
export const FEATURE_ROW_BYTES = 16;
export const CODE_ROW_BYTES = 4;
export const BOX_ROW_BYTES = 32;

/** Byte offsets in the database block; every field is four bytes. */
export const enum Database {
  FEATURES = 0,
  STEPS = 4,
  SMALL_BOXES = 8,
  LARGE_BOXES = 12,
  CHANNELS = 16,
  BOX_COUNT = 20,
}
export const DATABASE_BYTES = 32;

/** Byte offsets in a query block; the rows of { query value, weight } (32 bytes a channel) follow the header. */
export const enum Query {
  /** Slot of the frame that is playing, or -1. */
  CONTINUING = 0,
  /** Slots first..last that are left out (too close to the playing frame); last < first: none. */
  SKIP_FIRST = 4,
  SKIP_LAST = 8,
  TRANSITION_COST = 12,
  PENALTIES = 16,
  SMALL_PENALTIES = 20,
  LARGE_PENALTIES = 24,
  BOUNDS = 28,
  /** Results: the best slot (-1: none), its cost, and how many blocks of four frames were looked at. */
  BEST_SLOT = 32,
  BEST_COST = 36,
  BLOCKS_VISITED = 40,
  /** Rank of the best slot among equals; below every slot while the playing frame leads. */
  BEST_RANK = 44,
}
export const QUERY_HEADER_BYTES = 48;
export const QUERY_ROW_BYTES = 32;
