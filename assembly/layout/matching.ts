/**
 * Memory layout of motion matching. Compiled by asc and by tsc, so plain numbers and const enums only.
 *
 * Frames stand in slots: every clip range starts on a multiple of BOX_FRAMES, so that no box spans two ranges. Slots without
 * a frame repeat a neighbour and have an infinite penalty. Channels are ordered by importance and padded to a multiple of
 * CHANNEL_PADDING with zeros.
 *
 * Axes: features of one weight group are nearly dependent on each other (a foot moves with its shin), so that the coordinates
 * along a few principal axes tell nearly all of a distance. Axes are orthonormal and stay within one weight group; their
 * coordinates give lower bounds only, costs are made of features. The axis count is a multiple of AXIS_PADDING, at most
 * MAXIMUM_AXES; the axes that tell most come first.
 *
 * Features   blocks of four slots: one row of four floats a channel             (full)
 *                                  one row of four bytes a channel              (quantised)
 * Steps      (quantised) a channel: row of four step sizes, row of four lowest values; value = code * step + lowest
 * Signatures blocks of four slots: one row of four coordinates an axis; 0 where features are as short, or are codes
 * Axes       a channel: its component on every axis, then a row of four times its weight
 * Small boxes   a large box: an axis { lowest, highest coordinate } of its four small boxes, one lane each
 * Large boxes   four large boxes: an axis { lowest, highest }, one lane each; padded to whole groups of four
 * Penalties  float a slot, a small box, a large box (the least of its slots); infinite where a frame must not be chosen
 * Scratch    of one search: bound (float) a large box, padded; then { bound (float), first slot } of small boxes
 */
export const BLOCK_FRAMES = 4;
export const SMALL_BOX_FRAMES = 16;
export const BOX_FRAMES = 64;
export const CHANNEL_PADDING = 4;
/** The axis count is a multiple of this. */
export const AXIS_PADDING = 8;
export const MAXIMUM_AXES = 24;
/** Bytes of a channel's row in a block of features, in a block of quantised features, in a box. */
export const FEATURE_ROW_BYTES = 16;
export const CODE_ROW_BYTES = 4;
export const BOX_ROW_BYTES = 32;
/** Bytes of a small box in the scratch block. */
export const CANDIDATE_BYTES = 8;

/** Byte offsets in the database block; every field is four bytes. */
export const enum Database {
  FEATURES = 0,
  STEPS = 4,
  SMALL_BOXES = 8,
  LARGE_BOXES = 12,
  CHANNELS = 16,
  BOX_COUNT = 20,
  SIGNATURES = 24,
  AXES = 28,
  AXIS_COUNT = 32,
  /** Float: no frame's features, weighted, are longer than this. */
  LENGTH = 36,
}
export const DATABASE_BYTES = 48;

/**
 * Byte offsets in a query block. Behind the header: rows of { query value, weight } (32 bytes), one a channel; then rows of
 * { coordinate, weight } of the axes. The coordinates are written by the search.
 */
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
  SCRATCH = 28,
  /** Results: the best slot (-1: none), its cost, and how many blocks of four frames were looked at. */
  BEST_SLOT = 32,
  BEST_COST = 36,
  BLOCKS_VISITED = 40,
  /** Rank of the best slot among equals; below every slot while the playing frame leads. */
  BEST_RANK = 44,
  /** What rounding may add to the root of a bound by coordinates: written by the search. */
  MARGIN = 48,
}
export const QUERY_HEADER_BYTES = 64;
export const QUERY_ROW_BYTES = 32;

/**
 * Controller block: the simulated object and the animated root of one character, doubles. World space; angles in radians;
 * `…_HALF_LIFE` in seconds.
 */
export const enum Controller {
  /** Seconds of the step, written before `advanceSimulated`, `stepRoot` and `carryOver`. */
  STEP = 0,
  SIM_X = 8,
  SIM_Z = 16,
  SIM_YAW = 24,
  SIM_VX = 32,
  SIM_VZ = 40,
  SIM_AX = 48,
  SIM_AZ = 56,
  SIM_YAW_RATE = 64,
  DESIRED_X = 72,
  DESIRED_Z = 80,
  DESIRED_YAW = 88,
  VELOCITY_HALF_LIFE = 96,
  YAW_HALF_LIFE = 104,
  /** The animated root: place, heading, sine and cosine of the heading. */
  X = 112,
  Z = 120,
  YAW = 128,
  SIN = 136,
  COS = 144,
  /** The clip's motion in the character's frame: x, z, sine and cosine of the turn. */
  DELTA_X = 152,
  DELTA_Z = 160,
  DELTA_SIN = 168,
  DELTA_COS = 176,
  /** What the last step did in the frame at its beginning, and its speed. */
  MOTION_X = 184,
  MOTION_Z = 192,
  MOTION_TURN = 200,
  SPEED = 208,
  /** Velocities of the last step before any pull: x, z, turn. */
  VELOCITY_X = 216,
  VELOCITY_Z = 224,
  VELOCITY_TURN = 232,
  /** Differences of velocities at a switch, dying away, and their rates: x, z, turn. */
  OFFSET_X = 240,
  OFFSET_Z = 248,
  OFFSET_TURN = 256,
  OFFSET_RATE_X = 264,
  OFFSET_RATE_Z = 272,
  OFFSET_RATE_TURN = 280,
  /** Pull towards the simulated object; MAXIMUM_RATIO below 0: none. */
  POSITION_HALF_LIFE = 288,
  HEADING_HALF_LIFE = 296,
  MAXIMUM_RATIO = 304,
  CLAMP_DISTANCE = 312,
  CLAMP_ANGLE = 320,
  RIG_HEIGHT = 328,
  SWITCH_HALF_LIFE = 336,
  /** Share of a released foot's offset that is left after the step, for RELEASE_HALF_LIFE. */
  RELEASE_HALF_LIFE = 344,
  RELEASE_LEFT = 352,
}
export const CONTROLLER_BYTES = 368;

/** A row of a prediction: time from now, place, sine and cosine of the heading, velocity, heading. */
export const enum Prediction {
  TIME = 0,
  X = 8,
  Z = 16,
  SIN = 24,
  COS = 32,
  VX = 40,
  VZ = 48,
  YAW = 56,
}
export const PREDICTION_BYTES = 64;
