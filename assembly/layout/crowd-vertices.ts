/**
 * Layout of finished vertices of a crowd. Read by both compilers.
 *
 * Piece    what a drawable (layout/crowd.ts) draws: PIECE_BYTES each, number 0 draws nothing.
 * Output   per vertex f32 x, y; f32 u, v; light colour 0xAABBGGRR; dark colour 0x00BBGGRR; u32 indices, three a triangle; ranges
 *          of indices; per instance its first vertex and index, and once more behind the last. Arrays have VERTICES_SLACK more
 *          items than their capacity, for stores of whole registers.
 */
export const PIECE_BYTES = 64;

/** Byte offsets in a piece. */
export const enum PieceField {
  /** u32: address of the attachment's record. */
  RECORD = 0,
  /** i32: frame of the sequence. */
  FRAME = 4,
  /** i32 */
  VERTEX_COUNT = 8,
  INDEX_COUNT = 12,
  /** u32: address of f32 u, v per vertex. */
  UVS = 16,
  /** u32: address of u32 indices. */
  TRIANGLES = 20,
  /** i32: number of the texture page, -1 for none: it is not drawn. */
  PAGE = 24,
  /** i32: PieceKind */
  KIND = 28,
  /** f32 r, g, b, a of the attachment. */
  COLOR = 32,
  /** CLIP: i32 slot at which the clip ends, -1 for none. */
  END_SLOT = 48,
  /** CLIP: i32 0 or 1. */
  CONVEX = 52,
  INVERSE = 56,
  /** i32: 1 if the colour is white. */
  WHITE = 60,
}

export const enum PieceKind {
  NONE = 0,
  PICTURE = 1,
  CLIP = 2,
}

export const VERTICES_SLACK = 4;
export const VERTICES_BYTES = 112;

/** Byte offsets in the description of a call; u32 addresses and i32 numbers. */
export const enum VerticesField {
  PIECES = 0,
  /** Address of u8 per slot: blend mode. */
  BLENDS = 4,
  /** Address of u32 per slot: bone. */
  SLOT_BONES = 8,
  /** Address of u32 rows in the order in which they are written, 0 for all in their own order. */
  ROWS = 12,
  COUNT = 16,
  POSITIONS = 20,
  UVS = 24,
  LIGHT = 28,
  DARK = 32,
  INDICES = 36,
  RANGES = 40,
  STARTS = 44,
  VERTEX_CAPACITY = 48,
  INDEX_CAPACITY = 52,
  RANGE_CAPACITY = 56,
  /** Written: what there is. */
  VERTEX_COUNT = 60,
  INDEX_COUNT = 64,
  RANGE_COUNT = 68,
  /** 1: light and dark are multiplied by alpha, dark alpha is 255. */
  PREMULTIPLIED = 72,
  /** Address of one slot pose of SHAPE_SLOT_BYTES per slot, for the deform kernel. */
  SHAPES = 76,
  /** Address of the deform values of one instance, DeformTrackField.BUFFER apart. */
  VALUES = 80,
  /** Address of a ClipScratchField block. */
  CLIP = 88,
}

/** Rows of a slot pose up to its deform values, 4 bytes each. */
export const SHAPE_SLOT_BYTES = 48;

export const RANGE_BYTES = 16;

/** Byte offsets in a range: consecutive indices of one texture page and blend mode; u32. */
export const enum RangeField {
  PAGE = 0,
  BLEND = 4,
  FIRST_INDEX = 8,
  INDEX_COUNT = 12,
}

/** What a call lacks; 0: nothing. */
export const enum VerticesLack {
  NOTHING = 0,
  VERTICES = 1,
  INDICES = 2,
  RANGES = 3,
}
