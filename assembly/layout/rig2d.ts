/**
 * Layout of 2D rigs in linear memory. Read by both compilers.
 *
 * A *row* is one property of LANES instances side by side: 4 bytes in an ordinary skeleton (one lane), 16 bytes in a
 * crowd group (four lanes). Every table stores row numbers, never byte offsets, so that one compiled rig serves both;
 * a kernel turns a row into an address with `pose + (row << shift)`, shift 2 or 4.
 *
 * Pose block   HEADER_ROWS | bones x BONE_ROWS | slots x SLOT_ROWS | constraints x CONSTRAINT_ROWS     (`rows` in all)
 *              then the same once more: the constrained poses. The constrained copy of row r is row r + rows
 *              (the second header is unused). A crowd group has no second half: nothing reads its unconstrained values.
 * Shown        behind the pose block of an ordinary skeleton: u32 per slot the address of the attachment's record in its pose,
 *              then the same in its constrained pose. What SlotRow.ATTACHMENT says, in fewer cache lines.
 * Setup block  one pose block of one lane with the setup values (world rows 0).
 */

export const HEADER_ROWS = 16;
export const BONE_ROWS = 16;
export const SLOT_ROWS = 16;
export const CONSTRAINT_ROWS = 8;

/** Rows of the skeleton itself. f32 unless stated. */
export const enum HeaderRow {
  X = 0,
  Y = 1,
  /** Skeleton scale as read: scaleY is already multiplied by the y direction. */
  SCALE_X = 2,
  SCALE_Y = 3,
  WIND_X = 4,
  WIND_Y = 5,
  GRAVITY_X = 6,
  GRAVITY_Y = 7,
  R = 8,
  G = 9,
  B = 10,
  A = 11,
  /** i32: number of the current world update; tags compare with it. */
  UPDATE = 12,
  /** i32 (lane 0): address of the physics state block, 0 without physics. */
  PHYSICS = 13,
  /** f64 per lane: skeleton time in seconds (two rows). */
  TIME = 14,
}

/** Rows of one bone pose. Angles in degrees. */
export const enum BoneRow {
  X = 0,
  Y = 1,
  ROTATION = 2,
  SCALE_X = 3,
  SCALE_Y = 4,
  SHEAR_X = 5,
  SHEAR_Y = 6,
  /** i32, Inherit */
  INHERIT = 7,
  A = 8,
  B = 9,
  C = 10,
  D = 11,
  WORLD_X = 12,
  WORLD_Y = 13,
  /** i32: update in which the world values became valid. */
  WORLD_TAG = 14,
  /** i32: update in which the world values were edited, so that the local ones are stale. */
  LOCAL_TAG = 15,
}
/** Rows that "copy a bone pose" copies: everything before the world matrix. */
export const BONE_LOCAL_ROWS = 8;

export const enum InheritMode {
  NORMAL = 0,
  ONLY_TRANSLATION = 1,
  NO_ROTATION_OR_REFLECTION = 2,
  NO_SCALE = 3,
  NO_SCALE_OR_REFLECTION = 4,
}

/** Rows of one slot pose. */
export const enum SlotRow {
  R = 0,
  G = 1,
  B = 2,
  A = 3,
  DARK_R = 4,
  DARK_G = 5,
  DARK_B = 6,
  /** i32: sequence index, -1 for the attachment's setup index. */
  SEQUENCE = 7,
  /** u32: address of the attachment's record (AttachmentField), 0 for none or for a kind without one. */
  ATTACHMENT = 8,
  /** u32: address of the deform values (f32), meaningful while DEFORM_COUNT > 0. */
  DEFORM = 9,
  /** i32: number of deform values. */
  DEFORM_COUNT = 10,
  /** i32: capacity of the deform block in values. */
  DEFORM_CAPACITY = 11,
  /** u32: number of the attachment (AttachmentField.KEY), of whatever kind; 0 for none. For TypeScript only. */
  ATTACHMENT_KEY = 12,
}

/** Rows of one constraint pose, by kind. */
export const enum IkRow {
  MIX = 0,
  SOFTNESS = 1,
  /** i32: +1 or -1 */
  BEND = 2,
  /** i32: 0 or 1 */
  COMPRESS = 3,
  /** i32: 0 or 1 */
  STRETCH = 4,
}
export const enum TransformRow {
  MIX_ROTATE = 0,
  MIX_X = 1,
  MIX_Y = 2,
  MIX_SCALE_X = 3,
  MIX_SCALE_Y = 4,
  MIX_SHEAR_Y = 5,
}
export const enum PathRow {
  POSITION = 0,
  SPACING = 1,
  MIX_ROTATE = 2,
  MIX_X = 3,
  MIX_Y = 4,
}
export const enum PhysicsRow {
  INERTIA = 0,
  STRENGTH = 1,
  DAMPING = 2,
  MASS_INVERSE = 3,
  WIND = 4,
  GRAVITY = 5,
  MIX = 6,
}
export const enum SliderRow {
  TIME = 0,
  MIX = 1,
}

export const enum ConstraintKind {
  IK = 0,
  TRANSFORM = 1,
  PATH = 2,
  PHYSICS = 3,
  SLIDER = 4,
}

/*
 * Channels: one property of one target in one animation, a piecewise-linear function of time.
 *
 * Channel   CHANNEL_BYTES, see ChannelField.
 * Knot      KNOT_BYTES: f32 start time, f32 value, f32 slope. Sorted; a sentinel with time +Infinity follows the last.
 *           Value at t (f64) >= first time: the last knot with time <= t gives value + slope * f32(t - time).
 *           Comparisons are made in f64 with the knot time widened.
 * Bucket    u16 per bucket: index of a knot that is not after the one wanted for any t in the bucket.
 *           bucket = min(lastBucket, trunc((t - firstTime) * bucketsPerSecond)); the tables hold for this formula in f64 and,
 *           with t rounded down to f32 first, in f32. Comparing knot times with t rounded down to f32 is exact, too.
 */
export const CHANNEL_BYTES = 40;
export const KNOT_BYTES = 12;

/** Byte offsets in a channel record. */
export const enum ChannelField {
  /** u32: destination row (of the unconstrained half). */
  ROW = 0,
  /** u32: address of the knots. */
  KNOTS = 4,
  /** u32: address of the buckets. */
  BUCKETS = 8,
  /** f32 */
  BUCKETS_PER_SECOND = 12,
  /** f32: time of the first knot. Before it the base mode decides. */
  FIRST_TIME = 16,
  /** u32: index of the last bucket. */
  LAST_BUCKET = 20,
  /** u32: ChannelRule in the low byte, ChannelFlag bits above. */
  RULE = 24,
  /** u32: index of the bone, slot or constraint that must be active (see TargetKind). */
  TARGET = 28,
  /** u32: TargetKind. */
  TARGET_KIND = 32,
  /** u32: number of knots, the sentinel left out. */
  KNOT_COUNT = 36,
}

/** How a sampled value meets setup and current value (timelines.md section 8). */
export const enum ChannelRule {
  /** Offset from setup: rotate, translate, shear. */
  RELATIVE = 0,
  /** Replaces setup: constraint values. */
  ABSOLUTE = 1,
  /** Factor on setup with the sign rules of mixing in and out. */
  SCALE = 2,
  /** Absolute, clamped to 0..1 after the first key, `add` ignored. */
  COLOR = 3,
  /** Like ABSOLUTE on 1 / row: physics mass, stored inverted. */
  MASS = 4,
  /** i32 key, instant: inherit. */
  INHERIT = 5,
  /** i32 key, instant with the rule of IK flags: bend direction, compress, stretch. */
  IK_FLAG = 6,
}
export const enum ChannelFlag {
  /** The timeline drops `add`. */
  IGNORES_ADD = 0x100,
  /** Before the first key in FIRST mode the result is clamped to 0..1 (rgba parts of RGBA and RGBA2). */
  CLAMPS_BEFORE = 0x200,
  /**
   * Rotation of a bone, for which mixing remembers directions. The channels of an animation are sorted by rule (stable,
   * rotations first, see layout/animation.ts), so that the k-th rotation of an animation is its k-th channel.
   */
  ROTATES = 0x400,
}
export const enum TargetKind {
  BONE = 0,
  SLOT = 1,
  CONSTRAINT = 2,
}

/** Base mode of apply: what alpha mixes from. */
export const enum MixMode {
  CURRENT = 0,
  SETUP = 1,
  FIRST = 2,
}

/*
 * Update program: everything about posing that depends on the rig and on which bones and constraints are active.
 * Immutable; shared by all skeletons and crowd groups in the same situation.
 */
export const PROGRAM_BYTES = 96;

/** Byte offsets in a program's header; all u32. Tables of applied rows hold the row of the pose that is rendered. */
export const enum ProgramField {
  BONE_COUNT = 0,
  SLOT_COUNT = 4,
  CONSTRAINT_COUNT = 8,
  /** Rows of one half of the pose block. */
  ROWS = 12,
  /** u8 per bone: 1 if active; address 0 if all are. */
  ACTIVE_BONES = 16,
  /** u8 per constraint: 1 if active; address 0 if all are. */
  ACTIVE_CONSTRAINTS = 20,
  /** i32 per bone: row of the applied bone pose. */
  BONE_APPLIED = 24,
  /** i32 per slot */
  SLOT_APPLIED = 28,
  /** i32 per constraint */
  CONSTRAINT_APPLIED = 32,
  /** i32 per bone: index of the parent, -1 for a root. */
  PARENTS = 36,
  /** i32 per bone + 1: start of the bone's children in CHILDREN. */
  CHILD_START = 40,
  /** i32 per child link: bone index. */
  CHILDREN = 44,
  /** f32 per bone: data length. */
  BONE_LENGTHS = 48,
  /** u32 per slot: bone index. */
  SLOT_BONES = 52,
  /** Address of the code words. */
  CODE = 56,
  CODE_WORDS = 60,
  /** Address of the setup block (one lane). */
  SETUP = 64,
  /** Bytes of scratch that running the code needs, for one lane / for four. */
  SCRATCH_BYTES = 68,
}
