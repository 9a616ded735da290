/**
 * Layout of compiled animations and of the command lists that pose a skeleton. Read by both compilers.
 *
 * Channels of an animation are records of layout/rig2d.ts, contiguous and sorted by rule: rotations, other relative ones,
 * scales, absolute ones, colours, masses, inherit modes, IK flags. The sort is stable and a row has one rule only, so
 * channels of one row keep their order.
 *
 * Weights  A mixed animation has one u16 per channel and one per deform record (WORD bits): base mode and index of the
 *          weight, both fixed until the timelines are classified anew, and per apply a few f32 weights in its command.
 * Memory   Per rotation that remembers its direction two f32: total, difference (animation-state section 10).
 */

/** Byte offsets in the header of a compiled animation; all u32 addresses: each group ends where the next one begins. */
export const enum AnimationField {
  CHANNELS = 0,
  ROTATE_END = 4,
  RELATIVE_END = 8,
  SCALE_END = 12,
  ABSOLUTE_END = 16,
  COLOR_END = 20,
  MASS_END = 24,
  INHERIT_END = 28,
  IK_FLAG_END = 32,
}
export const ANIMATION_BYTES = 48;

/** Bits of a weight word. */
export const WORD_MODE_MASK = 3;
export const WORD_WEIGHT_SHIFT = 2;
/** Weights of one command, at most. */
export const MAXIMUM_WEIGHTS = 16383;

export const ROTATION_MEMORY_BYTES = 8;

/** Operations of a command list. */
export const enum CommandOp {
  /** Poses an animation at full weight over the setup pose. */
  POSE = 0,
  /** Mixes an animation with the pose. */
  MIX = 1,
  /** Samples deform timelines for the slots that show what they deform. */
  DEFORM = 2,
  /** Empties the deform of one slot. */
  CLEAR_DEFORM = 3,
}

/** Byte offsets in a command; commands start at multiples of 8. */
export const enum CommandField {
  /** i32: CommandOp */
  OP = 0,
  /** i32: bytes of this command. */
  BYTES = 4,
  /** u32: address of the animation (POSE, MIX) or of the first deform record (DEFORM); row of the slot pose (CLEAR_DEFORM). */
  SUBJECT = 8,
  /** u32: CommandFlag bits, the base mode in the low two. */
  FLAGS = 12,
  /** f64: seconds. */
  TIME = 16,
  /** MIX, DEFORM: u32 address of the weight words, 0: all channels or records have the mode of FLAGS and the first weight. */
  WORDS = 24,
  /** MIX: u32 address of the rotation memory, 0 for none. */
  MEMORY = 28,
  /** DEFORM: u32 address behind the last record. */
  END = 28,
  /** MIX, DEFORM: f32 weights. */
  WEIGHTS = 32,
}
export const POSE_BYTES = 24;
export const CLEAR_DEFORM_BYTES = 16;

export const enum CommandFlag {
  MODE = 3,
  ADD = 4,
  OUT = 8,
  /** Write the applied pose. */
  APPLIED = 16,
  /** The rotation memory is fresh. */
  FIRST_FRAME = 32,
}

/**
 * Byte offsets in a deform record: a channel record (its row and rule unused) whose value is how far the vertices have gone
 * from the frame of the knot to the next one, then these.
 */
export const enum DeformField {
  /** u32: address of u16 per knot: the knot's frame. */
  KNOT_FRAMES = 40,
  /** u32: address of the vertices of frame 0. */
  FRAMES = 44,
  /** u32: bytes from one frame's vertices to the next; a multiple of 16. */
  FRAME_BYTES = 48,
  /** u32: values per frame. */
  VALUE_COUNT = 52,
  /** u32: index of the slot. */
  SLOT = 56,
  /** u32: address of the record of the attachment that is deformed (layout/attachment.ts). */
  ATTACHMENT = 60,
}
export const DEFORM_RECORD_BYTES = 64;
