/**
 * Layout of the scratch block in which triangles are clipped. Read by both compilers. TypeScript makes the block for the
 * largest clipping polygon and the largest mesh that it may meet; kernels write all of it but the addresses.
 *
 * Polygon   f64 x, y per vertex. In CONVEX: per piece PieceHeader, then its vertices, the first one repeated.
 */

/** Byte offsets in the header; u32 addresses unless stated. */
export const enum ClipScratchField {
  /** f32 x, y per vertex of what is clipped. */
  INPUT = 0,
  /** f64 x, y: the clipping polygon in world coordinates. */
  POLYGON = 4,
  /** i32 per vertex: what is left while ears are clipped, or the order of a hull's points. */
  LIST = 8,
  /** i32 per vertex: 1 where the polygon turns inwards. */
  CONCAVE = 12,
  /** i32: three vertices a triangle. */
  TRIANGLES = 16,
  /** i32: per piece its number of vertices, then room for as many as the polygon has. */
  PIECES = 20,
  CONVEX = 24,
  /** Two polygons that a triangle is cut in turn into, and the part outside an edge. */
  CUT_A = 28,
  CUT_B = 32,
  OUTSIDE = 36,
  /** i32: vertices that fit into each of the three. */
  CUT_CAPACITY = 40,
  /** i32: number of convex pieces in force. */
  PIECE_COUNT = 44,
  /** i32: 1 if what lies inside is cut away. */
  INVERSE = 48,
  /** TriangleField. */
  TRIANGLE = 56,
}

/** Byte offsets in front of a convex piece; f64. */
export const enum PieceHeader {
  /** Number of vertices. */
  COUNT = 0,
  MIN_X = 8,
  MIN_Y = 16,
  MAX_X = 24,
  MAX_Y = 32,
}
export const PIECE_HEADER_BYTES = 48;

/** The triangle being clipped: f64 corners and what barycentric coordinates need; f64 texture coordinates. Byte offsets. */
export const enum TriangleField {
  X1 = 0, Y1 = 8, X2 = 16, Y2 = 24, X3 = 32, Y3 = 40,
  D0 = 48, D1 = 56, D2 = 64, D3 = 72, SCALE = 80,
  U1 = 88, V1 = 96, U2 = 104, V2 = 112, U3 = 120, V3 = 128,
}
export const CLIP_SCRATCH_BYTES = 56 + 136;
