/**
 * Memory layout of crowds of 3D characters. Compiled by asc and by tsc, so plain numbers and const enums only.
 *
 * Crowd      what all characters share (fields below, u32 or i32 unless said otherwise).
 * Character  one record a row; no pose is kept.
 * Clips      u32 a registered clip: address of its descriptor. Character records name clips by index + 1, 0 is none.
 * Live       u32 a level of detail (256): address of the lane masks of the bones that live there, 0 for all.
 * Joints     of all skins, one after the other: bone index (i32), inverse bind matrix as three rows of four floats.
 * Palette    instance-major: a character's joints, three rows of four floats each (the upper part of a 4x4 matrix).
 */
export const CROWD3D_BYTES = 64;

export const enum Crowd3DField {
  BIND = 0,
  PARENTS = 4,
  GROUP_COUNT = 8,
  CLIPS = 12,
  LIVE = 16,
  JOINT_COUNT = 20,
  JOINT_BONES = 24,
  JOINT_INVERSE_BIND = 28,
  CHARACTERS = 32,
  PALETTE = 36,
  /** f64: seconds of the update. */
  STEP = 40,
  /** Address of the palette that is shown while another is written, 0 if they are the same. */
  SHOWN_PALETTE = 48,
}

export const CHARACTER_BYTES = 112;

export const enum CharacterField {
  /** f64: unwrapped clip times, seconds. */
  TIME = 0,
  OUTGOING_TIME = 8,
  /** f64: clip seconds a second. */
  SPEED = 16,
  /** f64: cross-fade clock and length, real seconds; length 0: none runs. */
  FADE_ELAPSED = 24,
  FADE_SECONDS = 32,
  /** f64: seconds between poses (0: every update) and seconds since the last. */
  INTERVAL = 40,
  WAITED = 48,
  CLIP = 56,
  OUTGOING_CLIP = 60,
  FLAGS = 64,
  /** Address of the pose that was shown when a fade began during a fade, or 0. */
  FROZEN = 68,
  LOD = 72,
  /** u32: light of the character, 0xAABBGGRR. */
  TINT = 76,
  /** f32: x y z, uniform scale, rotation x y z w. */
  PLACEMENT = 80,
}

export const enum CharacterFlag {
  LOOP = 1,
  OUTGOING_LOOP = 2,
  HIDDEN = 4,
  /** The clip does not loop and has reached its end. */
  ENDED = 8,
  /** Placement or clip were changed: pose at the next update, whatever the interval. */
  FRESH = 16,
  /** No clip time has passed since the clip began: an event at its start is still to come. */
  UNPASSED = 32,
}

/** Levels of detail. */
export const LEVELS = 256;

/** Floats of one joint in the palette. */
export const PALETTE3D_FLOATS = 12;
export const ROWS_BYTES = 48;
