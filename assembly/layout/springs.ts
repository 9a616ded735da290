/**
 * Memory layout of batched spring bones. Compiled by asc and by tsc, so plain numbers and const enums only.
 *
 * Four characters of one rig stand in the four lanes of a register. All lengths and directions are in the model space of the
 * character at the end of the update ("here"); what was known before is brought here first when the object has moved.
 *
 * Settings  of a batch, i32 and f32, 96 bytes (enum Springs).
 * Chain     of the rig, 64 bytes (enum SpringChain). Particle i hangs on particle i - 1; 0 is the anchor.
 * Joint     of a chain in VRM mode, one a head, 32 bytes (enum SpringJoint).
 * Collider  of the rig, 48 bytes (enum SpringCollider).
 * Group     of four characters: a header of rows (enum SpringGroup; a row is 16 bytes, one lane a character), then
 *           SPRING_COLLIDER_ROWS rows a collider, then per chain three rows (the anchor of the last update) and
 *           SPRING_PARTICLE_ROWS rows a particle.
 */
export const SPRINGS_BYTES = 96;
export const SPRING_CHAIN_BYTES = 64;
export const SPRING_JOINT_BYTES = 32;
export const SPRING_COLLIDER_BYTES = 48;

/** Byte offsets in the settings. */
export const enum Springs {
  CHAINS = 0,
  CHAIN_COUNT = 4,
  COLLIDERS = 8,
  COLLIDER_COUNT = 12,
  PARENTS = 16,
  BONE_COUNT = 20,
  /** Lowest bone that a chain turns; what lies before it keeps its world. */
  FIRST_BONE = 24,
  /** Whether responses below 1 ask for particles to be carried along. */
  CARRY = 28,
  GRAVITY = 32,
  FORCE = 44,
  STEP_SQUARED = 56,
  POSITION_RESPONSE = 60,
  ROTATION_RESPONSE = 64,
  OBJECT_RESPONSE = 68,
  /** 0: eight lengths of the chain. */
  TELEPORT = 72,
  /** Particles of the longest chain. */
  LONGEST = 76,
}

/** Byte offsets in a chain. */
export const enum SpringChain {
  COUNT = 0,
  /** i32 a particle: its bone; -1 for the end. */
  BONES = 4,
  PARENT = 8,
  /** 0 none, 1 x, 2 y, 3 z. */
  FREEZE = 12,
  /** Joints in VRM mode, or 0. */
  JOINTS = 16,
  KEEP = 20,
  KEEP_TOUCHED = 24,
  /** Share of the deviation from rest that a step leaves. */
  SLACK = 28,
  /** Deviation allowed, in lengths of the bone. */
  LIMIT = 32,
  RADIUS = 36,
  GRAVITY_SCALE = 40,
  END = 44,
}

/** Byte offsets in a joint: what a step adds, in the units of a step. */
export const enum SpringJoint {
  PULL = 0,
  KEEP = 4,
  GRAVITY = 8,
  RADIUS = 20,
}

/** A plane has a point, and a point one normal further. */
export const enum SpringShape {
  SPHERE = 0,
  CAPSULE = 1,
  PLANE = 2,
}

/** Byte offsets in a collider. */
export const enum SpringCollider {
  /** -1: in the world; its rows are written from outside. */
  BONE = 0,
  SHAPE = 4,
  INSIDE = 8,
  ENABLED = 12,
  RADIUS = 16,
  ENDS = 20,
}

/** Rows of a group's header. */
export const enum SpringGroup {
  /** Addresses of the local poses, world matrices and world rotations. */
  LOCAL = 0,
  WORLD = 1,
  ROTATIONS = 2,
  FLAGS = 3,
  WEIGHT = 4,
  /** From the model space of the last update to here: rotation, then shift. */
  TURN = 5,
  SHIFT = 9,
  /** Rotation of the object in the world. */
  OBJECT = 12,
  /** Motion of the object since the last step, seen here. */
  MOVE = 16,
  END = 19,
}

/** Flags of a lane. */
export const enum SpringFlag {
  /** The world of the pose is valid already. */
  WORLD = 1,
  /** Starts on the animation. */
  START = 2,
  /** The object has moved since the last update. */
  MOVED = 4,
}

export const SPRING_COLLIDER_ROWS = 13;
export const SPRING_ANCHOR_ROWS = 3;
export const SPRING_PARTICLE_ROWS = 25;
export const SPRING_PARTICLE_BYTES = 400;
export const SPRING_COLLIDER_ROW_BYTES = 208;

/** Byte offsets of a particle's rows: place, place a step ago, simulated rotation of the head, touch, animated place and rotation, both at the last step. */
export const enum Particle {
  X = 0,
  OLD = 48,
  S = 96,
  TOUCHED = 160,
  A = 176,
  R = 224,
  FROM_A = 288,
  FROM_R = 336,
}

/** Byte offsets of a collider's rows: both ends now, both at the last step, the radius with the bone's scale. */
export const enum ColliderRow {
  NOW = 0,
  FROM = 96,
  RADIUS = 192,
}
