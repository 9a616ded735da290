/**
 * Memory layout of the 3D rig. Compiled by asc and by tsc, so plain numbers and const enums only.
 *
 * Local pose    groups of four joints; a group is ten rows of four floats, one lane a joint:
 *                 px py pz  qx qy qz qw  sx sy sz        160 bytes
 *               Joint j is lane j & 3 of group j >> 2. Unused lanes of the last group hold the identity.
 * World         one matrix a joint, 16 floats, column-major, 64 bytes. The matrix in front of joint 0 (index -1, the parent
 *               of roots) is the identity. Padded to whole groups.
 * Rotations     one quaternion x y z w a joint, 16 bytes; index -1 is the identity. Padded likewise.
 * Parents       i32 a joint, -1 for roots; padded with -1.
 * Lane weights  (masks of layers) one float a joint in the grouping of the pose: 16 bytes a group.
 */
export const JOINTS_PER_GROUP = 4;
export const GROUP_BYTES = 160;
export const GROUP_FLOATS = 40;
export const MATRIX_BYTES = 64;
export const QUATERNION_BYTES = 16;

/** Rows of a group. */
export const enum Local {
  PX = 0,
  PY = 1,
  PZ = 2,
  QX = 3,
  QY = 4,
  QZ = 5,
  QW = 6,
  SX = 7,
  SY = 8,
  SZ = 9,
}

/**
 * Clip. Every form starts with a descriptor, which is what samplers are given:
 *
 *   { form: i32, time tables, table count, groups, group count, rows, bytes a row, last frame: i32,
 *     duration: f64, frames a second: f64, time of frame 0: f64, flags: i32, unused }                    64 bytes
 *
 * KEYED    tracks of their own times: groups are key groups.
 * TABLE    all animated tracks have one time table: a row holds everything that moves at one time; groups are table groups.
 * QUANTISED  evenly spaced frames in blocks of bits; `rows` are the blocks' byte offsets (u32 each) from `rows` on, bytes a row are
 *          those of the heads of a block; groups are quantised groups.
 * KEYFRAMED  few keys, in the order in which playing needs them: table 0 are all key times (f32), `rows` are the three key streams;
 *          groups are table groups.
 */
export const CLIP_BYTES = 64;
export const CLIP_FORM = 0;
export const CLIP_TABLES = 4;
export const CLIP_TABLE_COUNT = 8;
export const CLIP_GROUPS = 12;
export const CLIP_GROUP_COUNT = 16;
export const CLIP_ROWS = 20;
export const CLIP_ROW_BYTES = 24;
export const CLIP_LAST_FRAME = 28;
export const CLIP_DURATION = 32;
export const CLIP_RATE = 40;
export const CLIP_START = 48;
export const CLIP_FLAGS = 56;

export const enum ClipForm {
  KEYED = 0,
  TABLE = 1,
  QUANTISED = 2,
  KEYFRAMED = 3,
}

/** Flag of a clip: neighbouring rotation keys are at most 30 degrees apart. */
export const CLIP_NEAR = 1;

/**
 * Table group: { flags: u32, unused x 3 }, then three lane masks (lanes with keys) of position, rotation, scale, then the
 * constant registers in the order position, rotation, scale (of channels that have keys but do not move).
 * A row holds the registers of the channels that move, group after group, in the same order.
 */
export const TABLE_GROUP_BYTES = 224;
export const TABLE_GROUP_MASKS = 16;
export const TABLE_GROUP_CONSTANTS = 64;

/** Flags of a table group. A channel moves, or is constant, or (neither) has no keys; partial: some lanes have none. */
export const enum TableGroup {
  POSITION_MOVES = 1,
  ROTATION_MOVES = 2,
  SCALE_MOVES = 4,
  POSITION_CONSTANT = 8,
  ROTATION_CONSTANT = 16,
  SCALE_CONSTANT = 32,
  PARTIAL = 64,
}

/**
 * Keyed clip.
 *
 * Time table    { address of the f32 key times: u32, key count: i32 }; table 0 is the table of tracks without keys.
 * Segment       where a time lies in a table, written by `locateSegments`:
 *                 { key index: i32, weight in the segment: f32, segment length in seconds: f32, unused }
 * Channel       four tracks, then two lane masks:
 *                 track { address of key 0's value: u32, byte offset of its segment: u32, bytes from key to key: u32, mode: u32 }
 *                 present  lanes that have keys         linear  lanes whose weight counts (not stepped)
 * Key group     { flags: u32, unused x 3 }, then the channels position, rotation, scale of four joints.
 * Key           a value of four floats (x y z 0 or x y z w); in cubic tracks { in tangent, value, out tangent }.
 *               The last key of a track is stored twice, so that "the next key" always exists.
 */
export const TIME_TABLE_BYTES = 8;
export const SEGMENT_BYTES = 16;
export const TRACK_BYTES = 16;
export const CHANNEL_BYTES = 96;
export const CHANNEL_PRESENT = 64;
export const CHANNEL_LINEAR = 80;
export const KEY_GROUP_HEADER_BYTES = 16;
export const KEY_GROUP_BYTES = 304;
export const KEY_BYTES = 16;
export const CUBIC_KEY_BYTES = 48;

/** Flags of a key group: which channels have keys in some lane, which have cubic tracks. */
export const enum KeyGroup {
  POSITION = 1,
  ROTATION = 2,
  SCALE = 4,
  CUBIC_POSITION = 8,
  CUBIC_ROTATION = 16,
  CUBIC_SCALE = 32,
}

/** How a track goes from key to key. */
export const enum TrackMode {
  LINEAR = 0,
  STEP = 1,
  CUBIC = 2,
}

/**
 * Mirror. A record of nine rows a group of joints: byte offsets (u32 a lane) of the counterparts' first floats in a pose, and
 * the rotations on the left and on the right of the counterpart's.
 */
export const MIRROR_GROUP_BYTES = 144;

export const enum Mirror {
  FROM = 0,
  LX = 1,
  LY = 2,
  LZ = 3,
  LW = 4,
  RX = 5,
  RY = 6,
  RZ = 7,
  RW = 8,
}

/**
 * Blend program: commands that a kernel runs in order, each over all groups of its poses.
 *
 *   command  { op, out pose, a, b, lane weights or 0, reference pose, weight: f32, count: i32 }         32 bytes
 *   input    (of WEIGHTED, `count` of them at `a`) { pose, lane weights or 0, weight: f32, unused }      16 bytes
 */
export const BLEND_COMMAND_BYTES = 32;
export const BLEND_INPUT_BYTES = 16;

export const enum BlendOp {
  /** out = a */
  COPY = 0,
  /** out = a towards b by weight x lane weight: lerp, slerp */
  BLEND = 1,
  /** out = a with the delta pose b added, weight x lane weight */
  ADD = 2,
  /** out = a with the difference of b to `reference` added */
  ADD_DIFFERENCE = 3,
  /** out = the difference of a to `reference` */
  DIFFERENCE = 4,
  /** out = weighted mean of `count` inputs; lanes without any weight take `reference` */
  WEIGHTED = 5,
  /** out = a mirrored about `reference`, the bind pose; the mirror's records (see "Mirror") in place of lane weights; `out` is not `a` */
  MIRROR = 6,
}

/**
 * Inertialisation: what is left of the jump at a switch, fifteen rows of four floats a group of joints.
 *   decay    offset and velocity of the position, then of the rotation vector
 *   quintic  axis, length, speed and end time of the position offset, then of the rotation offset
 *   both     offset of the scale in the last three rows
 */
export const INERTIA_GROUP_BYTES = 240;
export const INERTIA_ROTATION_ROW = 6;
export const INERTIA_SCALE_ROW = 12;

/**
 * Skin. Vertices lie in the order of their influence count (0, 1, 2, 3, 4); within a count in the mesh's order.
 *
 *   place       u32 a vertex: its index in the mesh
 *   vectors     (positions, normals, tangents) four floats a vertex, the fourth is padding; a tangent's is its sign
 *   influences  { four joints, as byte offsets into the palette: u16 x 4, padding, weights: f32 x 4 }     32 bytes
 *   palette     one 4x4 matrix a joint, column-major; for normals the inverse transposes in the same places
 *   output      three floats a vertex, in the mesh's order
 */
export const SKIN_VECTOR_BYTES = 16;
export const SKIN_INFLUENCE_BYTES = 32;
export const SKIN_WEIGHTS = 16;
/** Bytes of a 3x4 palette entry: three rows of four. */
export const PALETTE_ROWS_BYTES = 48;

/** Sampling job: { unwrapped time: f64, clip or 0, bind pose, live lane masks or 0, out pose, group count: i32, loops: i32 }. */
export const JOB_BYTES = 32;

/**
 * What a sampler needs at least for itself: a segment and two sets of slerp coefficients, or what decodes a quantised group;
 * tables of keyed clips need 16 each, lanes of keyframed ones 8.
 */
export const SAMPLE_SCRATCH_BYTES = 304;

/**
 * Quantised clip. A block covers QUANTISED_SEGMENTS segments and holds one frame more, so that both ends of a segment lie in
 * one block. A channel (position, rotation, scale) of a group has three components; every component of every lane that moves
 * is a cubic in Chebyshev form plus what is left at every frame, all in units of the lane's step:
 *
 *   value(frame) / step = i0 + i1 T1(x) + i2 T2(x) + i3 T3(x) + r(frame),   x = frame / 8 - 1
 *
 * Block      heads of all channels that move (u32 each, CLIP_ROW_BYTES in all), then their payloads, byte-aligned, in the same order.
 * Head       bits 0..1: number of coefficients 0, 1, 2 or 4; bit 2: between frames the values may be blended (else rotations are slerped);
 *            bit 3: everything has 32 bits, else coefficients have 16 and r as bits 16..20, 21..25, 26..30 say for x, y, z: 0 .. 24.
 * Payload    rotations: bases of roaming lanes. Then per component: i0 of the moving lanes, i1 of the moving lanes, ...; r of the
 *            moving lanes at frame 0, at frame 1, ..., padded to a byte. Two's complement, lowest bit first.
 * Fields     (CLIP_TABLES; one table for all clips) how to take up to four neighbouring fields of `width` bits from 16 bytes, the first
 *            beginning at bit 0 .. 7: per width 0 .. 24 and bit the bytes for each lane, then the powers of two that bring the
 *            fields to the top of their lanes.
 *
 * Positions and scales are the lane's constant plus the value. A rotation is base x the quaternion of the modified Rodrigues
 * parameters p (axis x tan of a quarter of the angle): (2p, 1 - p.p) / (1 + p.p). The base is the lane's constant, or for lanes that
 * roam (turn far) a quaternion of 48 bits: largest component 2 bits, its sign 1, three others 15 each.
 *
 * Group { present lanes x 3 masks, constants: 10 rows, steps: 3 rows, places x 3, flags: u32, unused x 3 }. Places say for the bytes
 * of a channel's lanes in which moving lane they are found (beyond the last: nowhere). Flag bits 0..3: lanes whose position moves,
 * 4..7 rotation, 8..11 scale, 12..15 rotations that roam.
 */
export const QUANTISED_SEGMENTS = 16;
export const QUANTISED_GROUP_BYTES = 320;
export const QUANTISED_CONSTANTS = 48;
export const QUANTISED_STEPS = 208;
export const QUANTISED_PLACES = 256;
export const QUANTISED_FLAGS = 304;
/**
 * Keyframed clip. One stream of keys a channel kind (position, rotation, scale), sorted by the time at which a key is first needed
 * as the right end of a segment: that of the key before it on its track; two keys of every track come first. Walking the
 * stream up to a time gives every lane its two keys; snapshots of the walk say where to begin.
 *
 * Stream    { keys, bytes a key, keys that come first, keys, snapshots, snapshots, their times, ranges or 0, lanes, keys a snapshot,
 *             unused x 2 }: addresses and counts of four bytes each                                                48 bytes
 * Lane      a track of a group whose channel moves, four a group in the order of the groups; lanes without keys stand on key 0.
 * Key       { index of its time: u16, lane: u16, value }. With ranges the value has three u16: coordinates in steps from the lowest,
 *           or a smallest-three quaternion, 15 bits each, whose top bits are bit 0 and bit 1 of the index of the largest component
 *           and its sign. Without: three floats, or four.
 * Ranges    of every four lanes: lowest x y z, steps x y z (of rotations: nothing, any address but 0)
 * Snapshot  { left key: u32, right key: u32 } a lane after `keys that come first` + s x `keys a snapshot` keys; its time is when the
 *           last of them is needed (-1 for s = 0).
 * Group     a table group; flag bits 8..11 are the lanes whose position is stepped, 12..15 rotation, 16..19 scale.
 */
export const KEY_STREAM_BYTES = 48;
export const KEYFRAMED_STEPPED = 8;
export const KEYFRAMED_RANGE_BYTES = 96;
/** Readable bytes behind the last key. */
export const KEYFRAMED_PADDING = 16;
/** Scratch a lane: the keys it stands on. */
export const KEYFRAMED_LANE_BYTES = 8;

export const enum KeyStream {
  KEYS = 0,
  KEY_BYTES = 4,
  FIRST = 8,
  COUNT = 12,
  SNAPSHOTS = 16,
  SNAPSHOT_COUNT = 20,
  SNAPSHOT_TIMES = 24,
  RANGES = 28,
  LANES = 32,
  EVERY = 36,
}

/** Bit of a head: values between frames may be blended. */
export const HEAD_BLENDS = 4;
/** Bit of a head: all numbers have 32 bits. */
export const HEAD_WIDE = 8;
/** Widest field that the table knows. */
export const WIDEST_FIELD = 24;
/** Bytes of the table for one width and bit, and of all. */
export const FIELD_BYTES = 32;
export const FIELDS_BYTES = 6400;
/** Readable bytes behind the last block. */
export const QUANTISED_PADDING = 16;
