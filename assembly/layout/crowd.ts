/**
 * Layout of crowds of 2D rigs in linear memory. Read by both compilers.
 *
 * Instance   INSTANCE_BYTES, dense: place i of the instance table is row i of the palette.
 * Clip       CLIP_BYTES per animation of the rig, in the order of SkeletonData.animations.
 * Order      u32 per place, four to a group: the row of an instance, or NO_INSTANCE for a lane that only pads its group.
 *            All lanes of a group share one update program.
 * Palette    per instance boneCount x 6 f32: a b c d worldX worldY, one after the other; zeros for inactive bones.
 * Event      EVENT_BYTES in a ring: what fired in the latest update.
 */

export const INSTANCE_BYTES = 224;
export const NO_INSTANCE = 0xffffffff;
export const NO_CLIP = -1;
/** What fades out is not a clip but a pose that was frozen when a fade interrupted a fade. */
export const FROZEN_CLIP = -2;
export const PALETTE_FLOATS = 6;

/** Byte offsets in an instance. Times in seconds, f64. */
export const enum InstanceField {
  /** f64: track time of the clip that plays. */
  TIME = 0,
  /** f64: animation time at the latest pose, -1 before the first: events lie between it and the new time. */
  LAST_TIME = 8,
  /** f64: track time at the latest pose, -1 before the first. */
  LAST_TRACK = 16,
  /** f64: track time of the clip that fades out. */
  FADE_TIME = 24,
  /** f64: time since the fade began. */
  MIX_TIME = 32,
  /** f64: length of the fade. */
  MIX_DURATION = 40,
  /** f64: track time of the overlay clip. */
  OVERLAY_TIME = 48,
  /** f64: time that was not posed yet (update rate below the frame rate). */
  PENDING = 56,
  /** f32: track seconds per second. */
  SPEED = 64,
  FADE_SPEED = 68,
  OVERLAY_SPEED = 72,
  OVERLAY_ALPHA = 76,
  /** f32: placement, the skeleton's own x, y and scale. */
  X = 80,
  Y = 84,
  SCALE_X = 88,
  SCALE_Y = 92,
  /** f32: tint, the skeleton's own colour. */
  R = 96,
  G = 100,
  B = 104,
  A = 108,
  /** i32: clip index, NO_CLIP for none; FADE_CLIP also FROZEN_CLIP. */
  CLIP = 112,
  FADE_CLIP = 116,
  OVERLAY_CLIP = 120,
  /** u32: index into the crowd's variants (skin + update program). */
  VARIANT = 124,
  /** u32: InstanceFlag bits. */
  FLAGS = 128,
  /** u32: address of the remembered rotation directions of a running fade, 0 for none. */
  ROTATIONS = 132,
  /** u32: address of the physics state, 0 for none. */
  PHYSICS = 136,
  /** u32: slot of the instance's id. */
  ID_SLOT = 140,
  /** f64: seconds between poses, 0 for every update. */
  INTERVAL = 144,
  /** f64: skeleton time, what physics sees. */
  SKELETON_TIME = 152,
  /** u32: address of the overlay's remembered rotation directions, 0 for none. */
  OVERLAY_ROTATIONS = 160,
  /** f64: seconds left of an overlay that fades in or out; unused while OVERLAY_MIX_DURATION is 0. */
  OVERLAY_MIX_TIME = 168,
  /** f64 */
  OVERLAY_MIX_DURATION = 176,
  /** f32: alpha at the start of the overlay's fade. */
  OVERLAY_ALPHA_FROM = 184,
  /** f64: id of the character. */
  ID = 192,
  /** u32: address of the frozen pose that fades out, 0 for none. */
  FROZEN = 200,
  /** u32: address of the two latest poses that this instance is shown between (BetweenField), 0 if it holds the latest one. */
  BETWEEN = 204,
  /** f64: seconds since the latest pose. */
  AGE = 208,
  /** u32: number of the level of detail that was chosen by distance, plus one; 0 before one was. */
  LEVEL = 216,
  /** u32: address of the deforms that were frozen with the pose, 0 if there were none. */
  FROZEN_SHAPES = 220,
}

/**
 * The two latest poses of an instance: this header, the older palette row, the newer one, then the slot states of the newer
 * one (those of the older one are shown), then u8 per bone, 1 if it or a bone above it turns so far between them that its matrix must
 * be turned on the way. Rows are padded to 16 bytes.
 */
export const enum BetweenField {
  /** u32: poses so far, 2 at most. */
  POSES = 0,
  /** u32: bones that are marked as turning. */
  TURNS = 4,
}
export const BETWEEN_HEADER_BYTES = 16;

export const enum InstanceFlag {
  LOOP = 1,
  FADE_LOOP = 2,
  OVERLAY_LOOP = 4,
  HIDDEN = 8,
  /** The clip was posed at least once since it was played. */
  POSED = 16,
  /** Must be posed in this update even if its interval has not passed. */
  DUE = 64,
  /** The overlay fades out and leaves when its fade is over. */
  OVERLAY_OUT = 128,
  /** Listed among the characters whose fade or overlay holds memory. */
  MIXING = 256,
  /** The overlay starts at time 0 and no update has passed: a key at 0 has not fired. */
  OVERLAY_UNPASSED = 512,
}

export const CLIP_BYTES = 64;

/** Byte offsets in a clip. */
export const enum ClipField {
  /** f64: seconds. */
  DURATION = 0,
  /** u32: address of the compiled animation's header (layout/animation.ts). */
  ANIMATION = 8,
  /** u32: address of f64 event times, ascending. */
  EVENT_TIMES = 16,
  EVENT_COUNT = 20,
  /** u32: number of rotate channels; each has two f32 of memory in a fade. */
  ROTATE_COUNT = 24,
  /** u32: address of the deform tracks (DeformTrackField), those of slots whose vertices matter to the palette first: paths. */
  DEFORMS = 28,
  DEFORM_COUNT = 32,
  /** u32: address of the slot tracks (SlotTrackField): attachments first, then sequences, draw order, folders. */
  SLOT_TRACKS = 36,
  SLOT_TRACK_COUNT = 40,
  /** u32: address of physics resets (ResetField). */
  RESETS = 44,
  RESET_COUNT = 48,
  /** Number of deform tracks of all slots; the first DEFORM_COUNT of them are those of paths. */
  SHAPE_COUNT = 52,
  /** f32: time of the latest first key of any channel: from here on no channel is before its first key. */
  LATEST_FIRST = 56,
  /** u32: 1 if a slot that a path constraint follows changes its attachment. */
  PATH_TRACKS = 60,
}

export const VARIANT_BYTES = 48;

/** Byte offsets in a variant: what instances of one skin share. */
export const enum VariantField {
  /** u32: address of the update program (applied rows = pose rows). */
  PROGRAM = 0,
  /** u32: address of the setup pose of four lanes (attachments of this skin in place). */
  SETUP_LANES = 4,
  /** u32: address of u32 pairs (first row, row count) that the program changes besides its channels. */
  RESETS = 12,
  RESET_COUNT = 16,
  /** u32: address of u16 per slot: drawable shown in the setup pose. */
  SETUP_DRAWABLES = 20,
  /** u32: address of u16 per placeholder number: the drawable that this skin has for it. */
  PLACEHOLDERS = 24,
  /** u32: address of u32 per placeholder number: the attachment record that this skin has for it. */
  RECORDS = 28,
  /** u32: address of u32 per clip: its baked form (BakedField), 0 for exact sampling. Address 0: none is baked. */
  BAKED = 32,
  /** u32: 1 if sliders decide what slots show, so that rows alone do not tell. */
  SLIDERS_SHOW = 36,
}

export const CROWD_BYTES = 144;

/** Byte offsets in the block that describes a crowd; u32 unless stated. */
export const enum CrowdField {
  INSTANCES = 0,
  COUNT = 4,
  ORDER = 8,
  GROUP_COUNT = 12,
  PALETTE = 16,
  /** Bytes of one instance's palette row. */
  PALETTE_STRIDE = 20,
  CLIPS = 24,
  VARIANTS = 28,
  EVENTS = 32,
  EVENT_CAPACITY = 36,
  /** i32: events written in this update, also those that found no room. */
  EVENT_COUNT = 40,
  /** Rows of one pose half. */
  ROWS = 44,
  BONE_COUNT = 48,
  SLOT_COUNT = 52,
  CLIP_COUNT = 56,
  /** Physics constraints of the rig. */
  PHYSICS_COUNT = 60,
  /** f32: wind and gravity of every skeleton. */
  WIND_X = 64,
  WIND_Y = 68,
  GRAVITY_X = 72,
  GRAVITY_Y = 76,
  /** Address of the slot rows, 0 if nobody asked for them: per instance one SLOT_STATE_BYTES record per slot. */
  SLOTS = 80,
  /** Bytes of one instance's slot rows. */
  SLOTS_STRIDE = 84,
  /** Address of per pair-of-clips fade plans: u32 addresses, CLIP_COUNT x CLIP_COUNT, 0 where not made yet. */
  FADE_PLANS = 88,
  /** Address of DrawableField records; number 0 is "nothing". */
  DRAWABLES = 92,
  /** Bytes of deform values of one lane. */
  DEFORM_BYTES = 96,
  CONSTRAINT_COUNT = 100,
  /** Address of the palette and slot rows that are shown while others are written, 0 if they are the same. */
  SHOWN_PALETTE = 104,
  SHOWN_SLOTS = 108,
  /** Address of u32 per constraint: address of a SliderUseField record, 0 unless the constraint is a slider that keys more than numbers. */
  SLIDERS = 112,
  /** Address of the slider states, 0 if nobody asked for them: per instance SLIDER_STATE_BYTES for each such slider. */
  SLIDER_STATES = 116,
  /** Bytes of one instance's slider states. */
  SLIDER_STRIDE = 120,
  /** 1 if clips or sliders change attachments or vertices of paths. */
  HAS_PATHS = 124,
  /** Address of what can be deformed (ShapeTargetField), paths first. */
  SHAPE_TARGETS = 128,
  SHAPE_TARGET_COUNT = 132,
  /** Number of those that are paths. */
  PATH_TARGET_COUNT = 136,
}

/** Sliders that key attachments, deforms, sequences or draw orders. */
export const SLIDER_USE_BYTES = 32;

/** Byte offsets in what a crowd knows of such a slider. */
export const enum SliderUseField {
  /** i32: index of the clip. */
  CLIP = 0,
  /** i32: 0 or 1 */
  LOOP = 4,
  ADDITIVE = 8,
  /** i32: index of the bone that drives it, -1 for none. */
  BONE = 12,
  /** i32: place among the slider states. */
  STATE = 16,
}

/** The state of a slider in the latest pose: f32 animation time, f32 mix (0: it did nothing). */
export const SLIDER_STATE_BYTES = 8;

export const EVENT_BYTES = 16;

/** Byte offsets in an event of the ring. */
export const enum EventField {
  /** u32: clip index. */
  CLIP = 0,
  /** i32: index of the event key in the clip, or EVENT_COMPLETE. */
  KEY = 4,
  /** f64: id of the character. */
  ID = 8,
}
/** The key of "the clip completed" (once per update at most). */
export const EVENT_COMPLETE = -1;

/** One byte per channel of a clip that is mixed: the base mode, and whether an older clip's value is held. */
export const enum PlanBit {
  /** Mask of the base mode (MixMode). */
  MODE = 3,
  HOLD = 4,
}

/** Byte offsets in the plan of a fade from one clip to another; u32 addresses of one PlanBit byte per channel. */
export const enum FadePlanField {
  /** For the clip that leaves. */
  FROM = 0,
  /** For the clip that comes. */
  TO = 4,
  /** For the second clip as an overlay on the first. */
  OVER = 8,
  /** The same for deform tracks. */
  FROM_DEFORMS = 12,
  TO_DEFORMS = 16,
  OVER_DEFORMS = 20,
}
export const FADE_PLAN_BYTES = 32;

/** Remembered directions: header, then 8 bytes per rotate channel. */
export const ROTATION_MEMORY_HEADER_BYTES = 8;
export const ROTATION_MEMORY_BYTES = 8;

/*
 * Slots: what an instance shows. A drawable is an attachment with one number per frame of its sequence; 0 shows nothing.
 */

export const SLOT_STATE_BYTES = 12;

/** Byte offsets in the state of one slot of one instance. */
export const enum SlotStateField {
  /** u32: slot colour times the instance's tint, 0xAABBGGRR. */
  LIGHT = 0,
  /** u32: dark colour, 0x00BBGGRR. */
  DARK = 4,
  /** u16: drawable, 0 for nothing. */
  DRAWABLE = 8,
  /** u16: index of the slot that is drawn at this place of the draw order. */
  ORDER = 10,
}

export const DRAWABLE_BYTES = 16;

/** Byte offsets in a drawable; but for RECORD only those of frame 0 are looked at. */
export const enum DrawableField {
  /** u16: frames of the sequence, at least 1. */
  FRAMES = 0,
  /** u16: frame that is shown while no sequence is keyed. */
  SETUP_FRAME = 2,
  /** u16: number of the attachment whose timelines move this one. */
  TIMELINE = 4,
  /** u32: address of the attachment's record. */
  RECORD = 8,
}

export const SLOT_TRACK_BYTES = 32;

export const enum SlotTrackKind {
  /** VALUES: u16 placeholder number per key, 0 for nothing. */
  ATTACHMENT = 0,
  /** VALUES: per key i32 `mode | index << 4`, f32 delay. */
  SEQUENCE = 1,
  /** VALUES: per key u16 per place: slot index. */
  ORDER = 2,
  /** VALUES: per key u16 per slot of the folder: slot index in the new order. */
  FOLDER = 3,
}

/** Byte offsets in a slot track; u32. */
export const enum SlotTrackField {
  /** SlotTrackKind */
  KIND = 0,
  SLOT = 4,
  COUNT = 8,
  /** Address of f32 key times. */
  TIMES = 12,
  VALUES = 16,
  /** SEQUENCE: number of the attachment that is keyed. FOLDER: address of u8 per slot, 1 in the folder. */
  SUBJECT = 20,
  /** FOLDER: number of slots. */
  SIZE = 24,
  /** ATTACHMENT: row of the slot pose if a path constraint follows this slot, else 0. */
  PATH_ROW = 28,
}

/** Bytes of the lists of one lane, per slot: drawable u16, frame i16, order u16, padding. */
export const SLOT_SCRATCH_BYTES = 8;

export const DEFORM_TRACK_BYTES = 32;

/** Byte offsets in a deform track; u32. */
export const enum DeformTrackField {
  /** Address of the deform record (layout/animation.ts). */
  RECORD = 0,
  /** Row of the slot pose. */
  SLOT_ROW = 4,
  /** Address of the records of the attachments that this track moves. */
  MATCHES = 8,
  MATCH_COUNT = 12,
  /** Byte offset of the slot's values in a lane's deform values. */
  BUFFER = 16,
  /** Index of the slot. */
  SLOT = 20,
  /** Address of the slot track by which the same clip decides the slot's attachment, 0 for none. */
  OWNER = 24,
  /** Index of what it moves among the crowd's targets. */
  TARGET = 28,
}

export const SHAPE_TARGET_BYTES = 32;

/**
 * Byte offsets in a target: an attachment in a slot that tracks of any clip deform; u32. Fields that deform tracks have too lie at
 * the same places.
 */
export const enum ShapeTargetField {
  /** Byte offset of its values in a block of frozen deforms; targets in one slot share them. */
  FROZEN = 0,
  SLOT_ROW = 4,
  MATCHES = 8,
  MATCH_COUNT = 12,
  BUFFER = 16,
  SLOT = 20,
}
/** Bytes of scratch for one call of the deform kernel: a slot pose of one lane. */
export const DEFORM_CALL_BYTES = 64;

/**
 * Frozen pose: one lane of the bones', slots' and constraints' poses without the header, FROZEN_ROWS rows each (the first ones:
 * local values, colours, constraint values). Frozen deforms: i32 per target its number of values, 0 if it was not deformed; then
 * the values.
 */
export const FROZEN_ROWS = 8;

/*
 * Baked clips: palette rows of one variant at a fixed rate, the skeleton at the origin with scale 1. Between two rows values
 * are interpolated; where something jumps at a row's time, the interval before it ends in the value before the jump. An interval
 * in which something jumps is two parts.
 */
export const BAKED_BYTES = 32;

/** Byte offsets in a baked clip. */
export const enum BakedField {
  /** f64: intervals per second. */
  RATE = 0,
  /** i32: number of intervals, at least 1. */
  INTERVALS = 8,
  /** u32: address of the intervals (IntervalField). */
  LIST = 12,
  /** u32: address of f32 scales and, behind them, offsets of a row of 16-bit values, 0 for rows of f32. */
  SCALES = 16,
}

export const INTERVAL_BYTES = 32;

/** Byte offsets in an interval of a baked clip. */
export const enum IntervalField {
  /** f32: share of the interval that is its first part; 1 where nothing jumps. */
  SHARE = 0,
  /** f32: reciprocals of the shares of its two parts. */
  FACTOR = 4,
  LATER_FACTOR = 8,
  /** u32: addresses of the rows between which the first part lies. */
  FROM = 12,
  TO = 16,
  /** u32: the same of the second part. */
  LATER_FROM = 20,
  LATER_TO = 24,
}

export const RESET_BYTES = 16;

/** Byte offsets in a list of keys that reset physics. */
export const enum ResetField {
  /** i32: number of the physics constraint among those of the rig, -1 for all. */
  CONSTRAINT = 0,
  /** u32: address of f32 key times, ascending. */
  TIMES = 4,
  COUNT = 8,
}
