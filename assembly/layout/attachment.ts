/**
 * Record of an attachment: what kernels need to place its vertices. Read by both compilers.
 *
 * A record keeps its address as long as its attachment lives; its arrays may move when the attachment is edited.
 *
 * Unweighted  VERTICES: f32 x, y per vertex, in the space of the slot's bone.
 * Weighted    VERTICES: INFLUENCE_BYTES per influence { f32 x * weight, f32 y * weight, f32 weight, u32 bone index }, all
 *             influences of vertex 0, then those of vertex 1, ...
 *             STARTS: u32 per vertex and one more: index of the vertex's first influence.
 *             Deform values are dx, dy per influence; they are not multiplied by the weight.
 * Region      VERTICES: REGION_BYTES per frame of its sequence: the corners bottom left, top left, top right, bottom right.
 * Path        as unweighted or weighted; LENGTHS: f32 per curve, cumulative setup lengths.
 * Every array is 16-byte aligned and padded to 16 bytes.
 */
export const ATTACHMENT_BYTES = 80;
export const INFLUENCE_BYTES = 16;
export const REGION_BYTES = 32;

export const enum AttachmentKind {
  REGION = 0,
  MESH = 1,
  PATH = 2,
  BOUNDING_BOX = 3,
  CLIPPING = 4,
  POINT = 5,
}

export const enum AttachmentFlag {
  WEIGHTED = 1,
  /** Path: the last curve leads back to the start. */
  CLOSED = 2,
  /** Path: positions are measured along the real curve. */
  CONSTANT_SPEED = 4,
}

/** Byte offsets in a record; u32 unless stated. */
export const enum AttachmentField {
  /** AttachmentKind */
  KIND = 0,
  /** AttachmentFlag bits */
  FLAGS = 4,
  /** Number of vertices (half of worldVerticesLength); 4 for a region. */
  VERTEX_COUNT = 8,
  /** Number of influences, 0 if unweighted. */
  INFLUENCE_COUNT = 12,
  VERTICES = 16,
  STARTS = 20,
  LENGTHS = 24,
  LENGTH_COUNT = 28,
  /** Region, mesh: number of frames of the sequence. */
  FRAME_COUNT = 32,
  /** i32: frame shown while the sequence index is -1. */
  SETUP_FRAME = 36,
  /** Number of deform values that fit: twice the vertices, or twice the influences. */
  DEFORM_LENGTH = 40,
  /** Point: f32 x, y, rotation. */
  POINT_X = 44,
  POINT_Y = 48,
  POINT_ROTATION = 52,
  /** One more than the highest bone index in the influences; a skeleton with fewer bones cannot show the attachment. */
  BONE_LIMIT = 56,
  /** Number of the attachment, unique while the program runs. */
  KEY = 60,
  /** KEY of the attachment whose timelines also drive this one, 0 for none. */
  TIMELINE = 64,
  /** Address of u32 slots: further slots whose attachments may follow this attachment's timelines. */
  TIMELINE_SLOTS = 68,
  TIMELINE_SLOT_COUNT = 72,
}
