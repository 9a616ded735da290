/**
 * Clips triangles by convex polygons and writes what is left as vertices of a crowd.
 *
 * Layout   layout/clipping.ts, layout/crowd-vertices.ts.
 * Requires CONVEX was made (clip-polygon.ts); `triangles` u32, three each; `uvs` f32 pairs; INPUT holds the vertices.
 * Ensures  vertices, texture coordinates and indices appended to the output; nothing beyond its capacity. Colours are the
 *          caller's.
 * Source   Sutherland and Hodgman 1974; texture coordinates are barycentric.
 */
import { ClipScratchField, PIECE_HEADER_BYTES, PieceHeader, TriangleField } from "../layout/clipping";
import { VerticesField, VerticesLack } from "../layout/crowd-vertices";

/** @returns what the output lacks (VerticesLack) */
export function clipTriangles(scratch: usize, triangles: usize, count: i32, uvs: usize, out: usize): i32 {
  const input = <usize>load<u32>(scratch, ClipScratchField.INPUT);
  const convex = <usize>load<u32>(scratch, ClipScratchField.CONVEX);
  const pieces = load<i32>(scratch, ClipScratchField.PIECE_COUNT);
  const triangle = scratch + ClipScratchField.TRIANGLE;
  const isInverse = load<i32>(scratch, ClipScratchField.INVERSE) != 0;
  const cut = <usize>load<u32>(scratch, ClipScratchField.CUT_A);
  for (const end = triangles + (<usize>count << 2); triangles < end; triangles += 12) {
    setTriangle(triangle, input, uvs, <usize>load<u32>(triangles), <usize>load<u32>(triangles, 4), <usize>load<u32>(triangles, 8));
    if (isInverse) {
      const lack = emitOutside(scratch, triangle, convex, out);
      if (lack != VerticesLack.NOTHING) return lack;
      continue;
    }
    let piece = convex;
    let next = piece;
    for (let p = 0; p < pieces; p++, piece = next) {
      const vertices = <i32>load<f64>(piece, PieceHeader.COUNT);
      next = piece + PIECE_HEADER_BYTES + (<usize>(vertices + 1) << 4);
      if (isApart(triangle, piece)) continue;
      begin(triangle, cut);
      const left = cutByPiece(scratch, piece + PIECE_HEADER_BYTES, vertices);
      // Bit 30: something was cut away.
      if ((left & 0x40000000) == 0) {
        // The whole triangle is inside: it keeps its own vertices.
        begin(triangle, cut);
        const lack = emit(triangle, cut, 3, out);
        if (lack != VerticesLack.NOTHING) return lack;
        break;
      }
      const corners = left & 0xffffff;
      if (corners > 0) {
        const polygon = (left & 0x20000000) != 0 ? <usize>load<u32>(scratch, ClipScratchField.CUT_B) : cut;
        const lack = emit(triangle, polygon, corners, out);
        if (lack != VerticesLack.NOTHING) return lack;
      }
    }
  }
  return VerticesLack.NOTHING;
}

/** Whether a triangle lies beside the box around a piece: nothing of it is left then. */
@inline
function isApart(t: usize, piece: usize): bool {
  const x1 = load<f64>(t, TriangleField.X1), x2 = load<f64>(t, TriangleField.X2), x3 = load<f64>(t, TriangleField.X3);
  const y1 = load<f64>(t, TriangleField.Y1), y2 = load<f64>(t, TriangleField.Y2), y3 = load<f64>(t, TriangleField.Y3);
  return max<f64>(x1, max<f64>(x2, x3)) < load<f64>(piece, PieceHeader.MIN_X) || min<f64>(x1, min<f64>(x2, x3)) > load<f64>(piece, PieceHeader.MAX_X)
    || max<f64>(y1, max<f64>(y2, y3)) < load<f64>(piece, PieceHeader.MIN_Y) || min<f64>(y1, min<f64>(y2, y3)) > load<f64>(piece, PieceHeader.MAX_Y);
}

function setTriangle(t: usize, input: usize, uvs: usize, v1: usize, v2: usize, v3: usize): void {
  const x1 = <f64>load<f32>(input + (v1 << 3)), y1 = <f64>load<f32>(input + (v1 << 3), 4);
  const x2 = <f64>load<f32>(input + (v2 << 3)), y2 = <f64>load<f32>(input + (v2 << 3), 4);
  const x3 = <f64>load<f32>(input + (v3 << 3)), y3 = <f64>load<f32>(input + (v3 << 3), 4);
  store<f64>(t, x1, TriangleField.X1);
  store<f64>(t, y1, TriangleField.Y1);
  store<f64>(t, x2, TriangleField.X2);
  store<f64>(t, y2, TriangleField.Y2);
  store<f64>(t, x3, TriangleField.X3);
  store<f64>(t, y3, TriangleField.Y3);
  store<f64>(t, y2 - y3, TriangleField.D0);
  store<f64>(t, x3 - x2, TriangleField.D1);
  store<f64>(t, x1 - x3, TriangleField.D2);
  store<f64>(t, y3 - y1, TriangleField.D3);
  const area = (y2 - y3) * (x1 - x3) + (x3 - x2) * (y1 - y3);
  // A triangle without area has no inside to interpolate over; its last corner stands for all.
  store<f64>(t, area == 0 ? 0 : 1 / area, TriangleField.SCALE);
  store<f64>(t, <f64>load<f32>(uvs + (v1 << 3)), TriangleField.U1);
  store<f64>(t, <f64>load<f32>(uvs + (v1 << 3), 4), TriangleField.V1);
  store<f64>(t, <f64>load<f32>(uvs + (v2 << 3)), TriangleField.U2);
  store<f64>(t, <f64>load<f32>(uvs + (v2 << 3), 4), TriangleField.V2);
  store<f64>(t, <f64>load<f32>(uvs + (v3 << 3)), TriangleField.U3);
  store<f64>(t, <f64>load<f32>(uvs + (v3 << 3), 4), TriangleField.V3);
}

/** The polygon to be cut is the triangle. */
@inline
function begin(triangle: usize, polygon: usize): void {
  memory.copy(polygon, triangle, 48);
}

/**
 * Keeps what lies inside all edges of a convex polygon.
 * @returns number of vertices; bit 29: they are in CUT_B; bit 30: something was cut away
 */
function cutByPiece(scratch: usize, convex: usize, edges: i32): i32 {
  let from = <usize>load<u32>(scratch, ClipScratchField.CUT_A), to = <usize>load<u32>(scratch, ClipScratchField.CUT_B);
  const most = load<i32>(scratch, ClipScratchField.CUT_CAPACITY) - 2;
  let n = 3, clipped = 0, inB = 0;
  for (let edge = 0; edge < edges; edge++, convex += 16) {
    const edgeX = load<f64>(convex), edgeY = load<f64>(convex, 8);
    const ex = edgeX - load<f64>(convex, 16), ey = edgeY - load<f64>(convex, 24);
    let made = 0;
    let x1 = load<f64>(from), y1 = load<f64>(from, 8);
    let side1 = ey * (edgeX - x1) - ex * (edgeY - y1);
    for (let i = 1; i <= n; i++) {
      const at = from + (i == n ? 0 : <usize>i << 4);
      const x2 = load<f64>(at), y2 = load<f64>(at, 8);
      const side2 = ey * (edgeX - x2) - ex * (edgeY - y2);
      if (made > most) break;
      if (side1 > 0 && side2 > 0) {
        made = push(to, made, x2, y2);
      } else if ((side1 > 0) != (side2 > 0)) {
        const t = side1 / ((x2 - x1) * ey - (y2 - y1) * ex);
        const crosses = t >= 0 && t <= 1;
        if (crosses) {
          made = push(to, made, x1 + (x2 - x1) * t, y1 + (y2 - y1) * t);
          clipped = 0x40000000;
        }
        // Without a usable crossing the far end stands in for it.
        if (side2 > 0 || !crosses) made = push(to, made, x2, y2);
      } else {
        clipped = 0x40000000;
      }
      x1 = x2;
      y1 = y2;
      side1 = side2;
    }
    const swapped = from;
    from = to;
    to = swapped;
    inB ^= 0x20000000;
    n = made;
    if (n == 0) return 0x40000000;
  }
  return n | inB | clipped;
}

@inline
function push(polygon: usize, count: i32, x: f64, y: f64): i32 {
  const at = polygon + (<usize>count << 4);
  store<f64>(at, x);
  store<f64>(at, y, 8);
  return count + 1;
}

/** Emits what lies outside a convex polygon: edge by edge what is beyond it, going on with the rest. */
function emitOutside(scratch: usize, triangle: usize, piece: usize, out: usize): i32 {
  let from = <usize>load<u32>(scratch, ClipScratchField.CUT_A), to = <usize>load<u32>(scratch, ClipScratchField.CUT_B);
  const outside = <usize>load<u32>(scratch, ClipScratchField.OUTSIDE);
  const most = load<i32>(scratch, ClipScratchField.CUT_CAPACITY) - 2;
  begin(triangle, from);
  let n = 3;
  const edges = <i32>load<f64>(piece, PieceHeader.COUNT);
  let convex = piece + PIECE_HEADER_BYTES;
  for (let edge = 0; edge < edges && n > 0; edge++, convex += 16) {
    const edgeX = load<f64>(convex), edgeY = load<f64>(convex, 8);
    const ex = edgeX - load<f64>(convex, 16), ey = edgeY - load<f64>(convex, 24);
    let made = 0, beyond = 0;
    let x1 = load<f64>(from), y1 = load<f64>(from, 8);
    let side1 = ey * (edgeX - x1) - ex * (edgeY - y1);
    for (let i = 1; i <= n; i++) {
      const at = from + (i == n ? 0 : <usize>i << 4);
      const x2 = load<f64>(at), y2 = load<f64>(at, 8);
      const side2 = ey * (edgeX - x2) - ex * (edgeY - y2);
      if (made > most || beyond > most) break;
      const inside1 = side1 > 0, inside2 = side2 > 0;
      if (inside1 && inside2) {
        made = push(to, made, x2, y2);
      } else if (!inside1 && !inside2) {
        beyond = push(outside, beyond, x2, y2);
      } else {
        const t = side1 / ((x2 - x1) * ey - (y2 - y1) * ex);
        const crosses = t >= 0 && t <= 1;
        const x = crosses ? x1 + (x2 - x1) * t : x2, y = crosses ? y1 + (y2 - y1) * t : y2;
        made = push(to, made, x, y);
        beyond = push(outside, beyond, x, y);
        if (crosses) {
          if (inside2) made = push(to, made, x2, y2);
          else beyond = push(outside, beyond, x2, y2);
        }
      }
      x1 = x2;
      y1 = y2;
      side1 = side2;
    }
    const swapped = from;
    from = to;
    to = swapped;
    n = made;
    if (beyond >= 3) {
      const lack = emit(triangle, outside, beyond, out);
      if (lack != VerticesLack.NOTHING) return lack;
    }
  }
  return VerticesLack.NOTHING;
}

/** Appends a convex polygon as a fan. @returns what the output lacks */
function emit(t: usize, polygon: usize, count: i32, out: usize): i32 {
  const first = load<i32>(out, VerticesField.VERTEX_COUNT), firstIndex = load<i32>(out, VerticesField.INDEX_COUNT);
  const indexCount = max<i32>(0, count - 2) * 3;
  if (first + count > load<i32>(out, VerticesField.VERTEX_CAPACITY)) return VerticesLack.VERTICES;
  if (firstIndex + indexCount > load<i32>(out, VerticesField.INDEX_CAPACITY)) return VerticesLack.INDICES;
  let position = <usize>load<u32>(out, VerticesField.POSITIONS) + (<usize>first << 3);
  let uv = <usize>load<u32>(out, VerticesField.UVS) + (<usize>first << 3);
  const x1 = load<f64>(t, TriangleField.X1), y1 = load<f64>(t, TriangleField.Y1);
  const x2 = load<f64>(t, TriangleField.X2), y2 = load<f64>(t, TriangleField.Y2);
  const scale = load<f64>(t, TriangleField.SCALE);
  for (let i = 0; i < count; i++, polygon += 16, position += 8, uv += 8) {
    const x = load<f64>(polygon), y = load<f64>(polygon, 8);
    store<f32>(position, <f32>x);
    store<f32>(position, <f32>y, 4);
    const dx = x - load<f64>(t, TriangleField.X3), dy = y - load<f64>(t, TriangleField.Y3);
    let a = (load<f64>(t, TriangleField.D0) * dx + load<f64>(t, TriangleField.D1) * dy) * scale;
    let b = (load<f64>(t, TriangleField.D3) * dx + load<f64>(t, TriangleField.D2) * dy) * scale;
    if (x == x1 && y == y1) {
      a = 1;
      b = 0;
    } else if (x == x2 && y == y2) {
      a = 0;
      b = 1;
    }
    const c = 1 - a - b;
    store<f32>(uv, <f32>(load<f64>(t, TriangleField.U1) * a + load<f64>(t, TriangleField.U2) * b + load<f64>(t, TriangleField.U3) * c));
    store<f32>(uv, <f32>(load<f64>(t, TriangleField.V1) * a + load<f64>(t, TriangleField.V2) * b + load<f64>(t, TriangleField.V3) * c), 4);
  }
  let index = <usize>load<u32>(out, VerticesField.INDICES) + (<usize>firstIndex << 2);
  for (let i = 1; i < count - 1; i++, index += 12) {
    store<i32>(index, first);
    store<i32>(index, first + i, 4);
    store<i32>(index, first + i + 1, 8);
  }
  store<i32>(out, first + count, VerticesField.VERTEX_COUNT);
  store<i32>(out, firstIndex + indexCount, VerticesField.INDEX_COUNT);
  return VerticesLack.NOTHING;
}
