/**
 * Layout of update programs: code words, constraint records and physics state. Read by both compilers.
 *
 * Code     i32 words. A word with an operation in its low byte (UpdateOp) and a count above it, then the operands of the
 *          operation. Rows are rows of the pose block; bones, slots and constraints are indices.
 * Record   what a constraint's data says, shared by all programs; written by TypeScript, read by kernels.
 */

/** Operations of an update program. `n` is the count in the upper 24 bits of the word. */
export const enum UpdateOp {
  END = 0,
  /** n words: row. Copies the eight rows of a bone's or a constraint's pose to the constrained pose. */
  COPY = 1,
  /** n pairs: row, parent row. World transforms of bones whose tags nobody reads. */
  BONES = 2,
  /** n pairs: row, parent row. World transforms of bones met for the first time; sets their world tags. */
  FIRST_BONES = 3,
  /** n triples: bone, row, parent row or -1. World transforms of bones that may be valid already: reads and sets tags. */
  CHECKED_BONES = 4,
  /** n words: row. World transforms of bones without a parent. Sets tags. */
  ROOTS = 5,
  /** Words: record, constraint row, target bone, bone, second bone or -1. */
  IK = 6,
  /** Words: record, constraint row, source bone, then n bones. */
  TRANSFORM = 7,
  /** Words: record, constraint row, slot, then n bones. */
  PATH = 8,
  /** Words: record, constraint row, bone, index of the physics state. */
  PHYSICS = 9,
  /** Words: record, constraint row, bone or -1, then n bones that the animation keys. */
  SLIDER = 10,
  /** Word: constraint. Returns to TypeScript, which runs the constraint and resumes behind this operation. */
  CALL = 11,
}
export const OP_BITS = 8;

/** How scaleY follows when a constraint multiplies scaleX. */
export const enum ScaleYRule {
  NONE = 0,
  UNIFORM = 1,
  VOLUME = 2,
}

/** Byte offsets in the record of an IK constraint. */
export const enum IkField {
  /** i32: ScaleYRule */
  SCALE_Y = 0,
}
export const IK_RECORD_BYTES = 16;

/** Properties of a bone that a transform constraint or a slider reads and writes. */
export const enum TransformProperty {
  ROTATE = 0,
  X = 1,
  Y = 2,
  SCALE_X = 3,
  SCALE_Y = 4,
  SHEAR_Y = 5,
}

/**
 * Byte offsets in the record of a transform constraint. From PROPERTIES on: per source property a word TransformProperty, f32
 * offset, word count of destinations; per destination a word TransformProperty, f32 offset, f32 scale, f32 lower limit,
 * f32 upper limit.
 */
export const enum TransformField {
  /** i32 0 or 1 each */
  LOCAL_SOURCE = 0,
  LOCAL_TARGET = 4,
  ADDITIVE = 8,
  CLAMP = 12,
  /** Six f32 in the order of TransformProperty. */
  OFFSETS = 16,
  /** i32: number of source properties. */
  COUNT = 40,
  PROPERTIES = 44,
}
export const FROM_BYTES = 12;
export const TO_BYTES = 20;

/** Byte offsets in the record of a path constraint. */
export const enum PathField {
  /** i32: PositionRule */
  POSITION = 0,
  /** i32: SpacingRule */
  SPACING = 4,
  /** i32: RotateRule */
  ROTATE = 8,
  /** f32: degrees */
  OFFSET_ROTATION = 12,
}
export const PATH_RECORD_BYTES = 16;
export const enum PositionRule {
  FIXED = 0,
  PERCENT = 1,
}
export const enum SpacingRule {
  LENGTH = 0,
  FIXED = 1,
  PERCENT = 2,
  PROPORTIONAL = 3,
}
export const enum RotateRule {
  TANGENT = 0,
  CHAIN = 1,
  CHAIN_SCALE = 2,
}

/** Byte offsets in the record of a physics constraint; f32 unless stated. */
export const enum PhysicsField {
  X = 0,
  Y = 4,
  ROTATE = 8,
  SCALE_X = 12,
  SHEAR_X = 16,
  LIMIT = 20,
  REFERENCE_SCALE = 24,
  /** i32: ScaleYRule */
  SCALE_Y = 28,
  /** f64: seconds */
  STEP = 32,
  /** f64: 60 x step, the power of damping in one step. */
  DAMPING_POWER = 40,
  /** f32: step */
  STEP_F32 = 48,
  /** f32: damping of the setup pose, and what it is in one step. */
  SETUP_DAMPING = 52,
  SETUP_DAMPING_OF_STEP = 56,
  /** f64: 1 / step */
  STEPS_PER_SECOND = 64,
}
export const PHYSICS_RECORD_BYTES = 80;
/** Steps that one update may run; what exceeds them is dropped. */
export const MAXIMUM_PHYSICS_STEPS = 36000;

/** Bit of the kernels' physics argument: the y axis points down, so world forces on rotation turn round. */
export const PHYSICS_Y_DOWN = 8;
/** How an update treats physics; low bits of the kernels' physics argument. */
export const enum PhysicsMode {
  NONE = 0,
  RESET = 1,
  UPDATE = 2,
  POSE = 3,
}

/**
 * Rows of the state of one physics constraint: 4 bytes in an ordinary skeleton, 16 in a group of four. The states of a
 * skeleton follow one another in the order of its physics constraints. f32 unless stated.
 */
export const enum PhysicsStateRow {
  /** i32: 0 or 1; set: the next update only records positions. Zeroed memory is not a valid state: pending must be 1. */
  PENDING = 0,
  LAST_X = 1,
  LAST_Y = 2,
  PIVOT_X = 3,
  PIVOT_Y = 4,
  TIP_X = 5,
  TIP_Y = 6,
  X_OFFSET = 7,
  X_LAG = 8,
  X_VELOCITY = 9,
  Y_OFFSET = 10,
  Y_LAG = 11,
  Y_VELOCITY = 12,
  ROTATE_OFFSET = 13,
  ROTATE_LAG = 14,
  ROTATE_VELOCITY = 15,
  SCALE_OFFSET = 16,
  SCALE_LAG = 17,
  SCALE_VELOCITY = 18,
  /** f64 per lane (two rows). */
  REMAINING = 20,
  /** f64 per lane (two rows). */
  LAST_TIME = 22,
}
export const PHYSICS_STATE_ROWS = 24;

/** Byte offsets in the record of a slider. */
export const enum SliderField {
  /** i32 0 or 1: time is wrapped at the duration. */
  LOOP = 0,
  /** i32 0 or 1 */
  ADDITIVE = 4,
  /** i32 0 or 1: the bone's property is read in local space. */
  LOCAL = 8,
  /** i32: TransformProperty of the bone. */
  PROPERTY = 12,
  /** f32: the property's own offset. */
  PROPERTY_OFFSET = 16,
  /** f32: time at that offset. */
  OFFSET = 20,
  /** f32: seconds per unit of the property. */
  SCALE = 24,
  /** u32: address of the animation's channels. */
  CHANNELS = 28,
  /** u32: the same for crowds, which leave out what the animation keys besides numbers: never 0 if there are channels. */
  CROWD_CHANNELS = 32,
  /** f64: duration of the animation in seconds. */
  DURATION = 40,
}
export const SLIDER_RECORD_BYTES = 48;

/** Byte offsets in a scratch block. The rest of the block is the kernels'. */
export const enum ScratchField {
  /** i32: bytes of the block. */
  CAPACITY = 0,
  /** i32: written by a kernel that needs a larger block and returns a negative position: bytes it needs. */
  NEEDED = 4,
  /** What physics constraints have worked out of an update; see assembly/rig2d/physics-clock.ts. */
  CLOCK = 16,
}
export const SCRATCH_HEADER_BYTES = 256;
