/**
 * Cuts a clipping polygon into convex pieces.
 *
 * Layout   layout/clipping.ts.
 * Requires POLYGON holds n >= 3 vertices; the scratch block was made for n or more.
 * Ensures  CONVEX holds PIECE_COUNT convex clockwise polygons that cover the polygon (its convex hull if `hulls`).
 *          POLYGON is clockwise. Finite for any input.
 * Source   ear clipping (Meisters 1975); pieces join triangles as long as they stay convex; hull: monotone chain (Andrew 1979).
 */
import { ClipScratchField, PIECE_HEADER_BYTES, PieceHeader } from "../layout/clipping";

/** Sine of the angle below which a turn is rounding of single-precision vertices. */
const ROUNDING: f64 = 1e-6;

@inline
function x(polygon: usize, i: i32): f64 {
  return load<f64>(polygon + (<usize>i << 4));
}

@inline
function y(polygon: usize, i: i32): f64 {
  return load<f64>(polygon + (<usize>i << 4), 8);
}

@inline
function item(list: usize, i: i32): i32 {
  return load<i32>(list + (<usize>i << 2));
}

@inline
function put(list: usize, i: i32, value: i32): void {
  store<i32>(list + (<usize>i << 2), value);
}

/** @param hulls - whether a polygon that is not convex is replaced by its convex hull */
export function makePieces(scratch: usize, n: i32, hulls: bool): void {
  const polygon = <usize>load<u32>(scratch, ClipScratchField.POLYGON);
  const convex = <usize>load<u32>(scratch, ClipScratchField.CONVEX);
  makeClockwise(polygon, n);
  let pieces = 1;
  if (isConvex(polygon, n)) {
    memory.copy(convex + PIECE_HEADER_BYTES, polygon, <usize>n << 4);
    finishPiece(convex, n);
  } else if (hulls) {
    finishPiece(convex, hull(scratch, polygon, n, convex + PIECE_HEADER_BYTES));
  } else {
    pieces = decompose(scratch, polygon, triangulate(scratch, polygon, n), n, convex);
  }
  store<i32>(scratch, pieces, ClipScratchField.PIECE_COUNT);
}

/** Writes the header of a piece and repeats its first vertex behind the last. @returns the address behind it */
function finishPiece(piece: usize, count: i32): usize {
  const vertices = piece + PIECE_HEADER_BYTES;
  let minX = x(vertices, 0), maxX = minX, minY = y(vertices, 0), maxY = minY;
  for (let i = 1; i < count; i++) {
    minX = min<f64>(minX, x(vertices, i));
    maxX = max<f64>(maxX, x(vertices, i));
    minY = min<f64>(minY, y(vertices, i));
    maxY = max<f64>(maxY, y(vertices, i));
  }
  store<f64>(piece, <f64>count, PieceHeader.COUNT);
  store<f64>(piece, minX, PieceHeader.MIN_X);
  store<f64>(piece, minY, PieceHeader.MIN_Y);
  store<f64>(piece, maxX, PieceHeader.MAX_X);
  store<f64>(piece, maxY, PieceHeader.MAX_Y);
  const end = vertices + (<usize>count << 4);
  v128.store(end, v128.load(vertices));
  return end + 16;
}

function makeClockwise(polygon: usize, n: i32): void {
  let area: f64 = 0;
  for (let i = 0, j = n - 1; i < n; j = i, i++) area += x(polygon, j) * y(polygon, i) - y(polygon, j) * x(polygon, i);
  if (area < 0) return;
  for (let i = 0, j = n - 1; i < j; i++, j--) {
    const a = polygon + (<usize>i << 4), b = polygon + (<usize>j << 4);
    const swapped = v128.load(a);
    v128.store(a, v128.load(b));
    v128.store(b, swapped);
  }
}

/** Whether a clockwise polygon never turns left. */
function isConvex(polygon: usize, n: i32): bool {
  for (let i = 0; i < n; i++) {
    const j = i + 1 < n ? i + 1 : 0, k = j + 1 < n ? j + 1 : 0;
    const cross = (x(polygon, j) - x(polygon, i)) * (y(polygon, k) - y(polygon, j)) - (y(polygon, j) - y(polygon, i)) * (x(polygon, k) - x(polygon, j));
    if (cross > 0) return false;
  }
  return true;
}

/** Convex hull, clockwise from the leftmost (lowest) vertex. @returns its number of vertices */
function hull(scratch: usize, polygon: usize, n: i32, out: usize): i32 {
  const order = <usize>load<u32>(scratch, ClipScratchField.LIST);
  for (let i = 0; i < n; i++) {
    let at = i;
    while (at > 0 && isBehind(polygon, item(order, at - 1), i)) {
      put(order, at, item(order, at - 1));
      at--;
    }
    put(order, at, i);
  }
  let count = chain(polygon, order, n, 1, out, 0);
  return chain(polygon, order, n, -1, out, count);
}

@inline
function isBehind(polygon: usize, a: i32, b: i32): bool {
  const ax = x(polygon, a), bx = x(polygon, b);
  return ax != bx ? ax > bx : y(polygon, a) > y(polygon, b);
}

/** Appends the chain through `order` that only turns right, without its last point. */
function chain(polygon: usize, order: usize, n: i32, step: i32, out: usize, first: i32): i32 {
  let count = first;
  for (let k = 0, i = step > 0 ? 0 : n - 1; k < n; k++, i += step) {
    const px = x(polygon, item(order, i)), py = y(polygon, item(order, i));
    while (count >= first + 2) {
      const turn = (x(out, count - 1) - x(out, count - 2)) * (py - y(out, count - 1)) - (y(out, count - 1) - y(out, count - 2)) * (px - x(out, count - 1));
      if (turn < 0) break;
      count--;
    }
    store<f64>(out + (<usize>count << 4), px);
    store<f64>(out + (<usize>count << 4), py, 8);
    count++;
  }
  return count - 1;
}

/** Twice the signed area of a triangle, positive if it runs clockwise. */
@inline
function winding(polygon: usize, p: i32, q: i32, r: i32): f64 {
  const px = x(polygon, p), py = y(polygon, p);
  return (x(polygon, r) - px) * (y(polygon, q) - py) - (y(polygon, r) - py) * (x(polygon, q) - px);
}

@inline
function isConcave(polygon: usize, list: usize, count: i32, at: i32): i32 {
  return i32(winding(polygon, item(list, at == 0 ? count - 1 : at - 1), item(list, at), item(list, at + 1 == count ? 0 : at + 1)) < 0);
}

/** Clips ears. @returns the number of triangles in TRIANGLES */
function triangulate(scratch: usize, polygon: usize, n: i32): i32 {
  const list = <usize>load<u32>(scratch, ClipScratchField.LIST), concave = <usize>load<u32>(scratch, ClipScratchField.CONCAVE);
  let to = <usize>load<u32>(scratch, ClipScratchField.TRIANGLES);
  for (let i = 0; i < n; i++) put(list, i, i);
  for (let i = 0; i < n; i++) put(concave, i, isConcave(polygon, list, n, i));
  let count = n;
  while (count > 3) {
    let ear = 0;
    while (ear < count && !isEar(polygon, list, concave, count, ear)) ear++;
    if (ear == count) {
      ear = count - 1;
      while (ear > 0 && item(concave, ear) != 0) ear--;
    }
    store<i32>(to, item(list, ear == 0 ? count - 1 : ear - 1));
    store<i32>(to, item(list, ear), 4);
    store<i32>(to, item(list, ear + 1 == count ? 0 : ear + 1), 8);
    to += 12;
    const rest = <usize>(count - ear - 1) << 2, at = <usize>ear << 2;
    memory.copy(list + at, list + at + 4, rest);
    memory.copy(concave + at, concave + at + 4, rest);
    const left = (ear + count - 2) % (count - 1), right = ear == count - 1 ? 0 : ear;
    count--;
    put(concave, left, isConcave(polygon, list, count, left));
    put(concave, right, isConcave(polygon, list, count, right));
  }
  store<i32>(to, item(list, 2));
  store<i32>(to, item(list, 0), 4);
  store<i32>(to, item(list, 1), 8);
  return n - 2;
}

function isEar(polygon: usize, list: usize, concave: usize, count: i32, ear: i32): bool {
  if (item(concave, ear) != 0) return false;
  const previous = ear == 0 ? count - 1 : ear - 1, next = ear + 1 == count ? 0 : ear + 1;
  const p = item(list, previous), q = item(list, ear), r = item(list, next);
  for (let i = next + 1 == count ? 0 : next + 1; i != previous; i = i + 1 == count ? 0 : i + 1) {
    if (item(concave, i) == 0) continue;
    const v = item(list, i);
    if (winding(polygon, r, p, v) >= 0 && winding(polygon, p, q, v) >= 0 && winding(polygon, q, r, v) >= 0) return false;
  }
  return true;
}

/** Joins triangles into convex polygons. @returns their number */
function decompose(scratch: usize, polygon: usize, triangles: i32, n: i32, convex: usize): i32 {
  const pieces = <usize>load<u32>(scratch, ClipScratchField.PIECES);
  const stride = <usize>(n + 1) << 2;
  let from = <usize>load<u32>(scratch, ClipScratchField.TRIANGLES);
  let count = 0;
  let fan: usize = 0;
  for (let i = 0; i < triangles; i++, from += 12) {
    const a = load<i32>(from), b = load<i32>(from, 4), c = load<i32>(from, 8);
    if (fan != 0 && load<i32>(fan, 4) == a && staysConvex(polygon, fan, c)) {
      append(fan, c);
    } else {
      fan = pieces + <usize>count * stride;
      count++;
      store<i32>(fan, 3);
      store<i32>(fan, a, 4);
      store<i32>(fan, b, 8);
      store<i32>(fan, c, 12);
    }
  }
  for (let i = 0; i < count; i++) absorbTriangles(polygon, pieces, stride, count, pieces + <usize>i * stride);
  let made = 0;
  for (let i = 0; i < count; i++) {
    const piece = pieces + <usize>i * stride;
    const vertices = load<i32>(piece);
    if (vertices == 0) continue;
    for (let k = 0; k < vertices; k++) v128.store(convex + PIECE_HEADER_BYTES + (<usize>k << 4), v128.load(polygon + (<usize>item(piece, k + 1) << 4)));
    convex = finishPiece(convex, vertices);
    made++;
  }
  return made;
}

@inline
function append(piece: usize, vertex: i32): void {
  const count = load<i32>(piece);
  put(piece, count + 1, vertex);
  store<i32>(piece, count + 1);
}

/** Appends to a piece the single triangles that share its last edge back to the first vertex. */
function absorbTriangles(polygon: usize, pieces: usize, stride: usize, count: i32, piece: usize): void {
  if (load<i32>(piece) == 0) return;
  for (let i = 0; i < count; i++) {
    const other = pieces + <usize>i * stride;
    if (other == piece || load<i32>(other) != 3) continue;
    if (load<i32>(other, 4) != load<i32>(piece, 4) || load<i32>(other, 8) != item(piece, load<i32>(piece))) continue;
    if (!staysConvex(polygon, piece, load<i32>(other, 12))) continue;
    append(piece, load<i32>(other, 12));
    store<i32>(other, 0);
    i = -1;
  }
}

/** Whether a convex piece keeps turning the same way with one more vertex at its end. */
function staysConvex(polygon: usize, piece: usize, vertex: i32): bool {
  const n = load<i32>(piece);
  const clockwise = winding(polygon, item(piece, 1), item(piece, 2), item(piece, 3)) >= 0;
  return turns(polygon, item(piece, n - 1), item(piece, n), vertex, clockwise) && turns(polygon, vertex, item(piece, 1), item(piece, 2), clockwise);
}

/** Whether three points turn clockwise (or the other way round). Straight counts as clockwise; rounding counts as neither. */
function turns(polygon: usize, p: i32, q: i32, r: i32, clockwise: bool): bool {
  const turn = winding(polygon, p, q, r);
  if (turn == 0) return clockwise;
  const lengths = distance(polygon, p, q) * distance(polygon, p, r);
  return abs<f64>(turn) > ROUNDING * lengths && (turn > 0) == clockwise;
}

@inline
function distance(polygon: usize, p: i32, q: i32): f64 {
  const dx = x(polygon, p) - x(polygon, q), dy = y(polygon, p) - y(polygon, q);
  return Math.sqrt(dx * dx + dy * dy);
}
