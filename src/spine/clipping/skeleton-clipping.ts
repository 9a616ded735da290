import type { ClippingAttachment } from "../attachments/clipping-attachment.js";
import type { Skeleton } from "../model/skeleton.js";
import type { Slot } from "../model/slot.js";
import type { Color } from "../utils/color.js";
import { TriangleCutter } from "./clip-triangle.js";
import { convexHull, isConvex, makeClockwise } from "./polygon.js";
import { Triangulator } from "./triangulator.js";

/** Places in the description of a triangle: corners, what barycentric coordinates need, texture coordinates. */
const enum Corner {
  X1, Y1, X2, Y2, X3, Y3, D0, D1, D2, D3, SCALE, U1, V1, U2, V2, U3, V3, COUNT,
}

const NO_POLYGONS: readonly number[][] = [];

/**
 * Clips triangles by the polygon of a clipping attachment. For each slot of the draw order: `clipEnd(slot)`, `clipStart` for
 * a clipping attachment, or one of the clip calls for anything drawn while `isClipping()`; then `clipEnd(slot)`; at the end
 * `clipEnd()`. Results are valid until the next clip call.
 */
export class SkeletonClipping {
  /** Result of `clipTriangles`: x, y pairs, or vertices with colours and texture coordinates. */
  readonly clippedVertices: number[] = [];
  /** Result of `clipTriangles`: texture coordinates, pairs. */
  readonly clippedUVs: number[] = [];
  /** Result of `clipTriangles`: three vertex indices per triangle. */
  readonly clippedTriangles: number[] = [];
  /** Result of `clipTrianglesUnpacked`: x, y at every stride. */
  clippedVerticesTyped = new Float32Array(0);
  /** Result of `clipTrianglesUnpacked`: texture coordinates, pairs. */
  clippedUVsTyped = new Float32Array(0);
  /** Result of `clipTrianglesUnpacked`: three vertex indices per triangle. */
  clippedTrianglesTyped = new Uint16Array(0);
  clippedVerticesLength = 0;
  clippedUVsLength = 0;
  clippedTrianglesLength = 0;
  /** @internal */
  _clippedVerticesTyped = new Float32Array(1024);
  /** @internal */
  _clippedUVsTyped = new Float32Array(1024);
  /** @internal */
  _clippedTrianglesTyped = new Uint16Array(2048);
  /** The part outside one edge, while clipping inversely. @internal */
  readonly inverseVertices: number[] = [];

  readonly #triangulator = new Triangulator();
  readonly #cutter = new TriangleCutter();
  readonly #polygon: number[] = [];
  readonly #onePolygon: number[][] = [[]];
  #polygons: readonly number[][] = NO_POLYGONS;
  #attachment: ClippingAttachment | null = null;
  #inverse = false;

  /**
   * Starts clipping, unless it is going on already.
   * @returns number of convex pieces of the polygon, 0 if clipping was going on
   */
  clipStart(skeleton: Skeleton, slot: Slot, clip: ClippingAttachment): number {
    if (this.#attachment !== null) return 0;
    const n = clip.worldVerticesLength;
    if (n < 6) return 0;
    this.#attachment = clip;
    this.#inverse = clip.inverse;
    const polygon = this.#polygon;
    polygon.length = n;
    clip.computeWorldVertices(skeleton, slot, 0, n, polygon, 0, 2);
    makeClockwise(polygon);
    const convex = isConvex(polygon);
    if (convex || clip.convex || clip.inverse) {
      this.#polygons = this.#onePolygon;
      const piece = convex ? polygon : (this.#onePolygon[0] = convexHull(polygon));
      if (convex) this.#onePolygon[0] = polygon;
      piece.push(piece[0]!, piece[1]!);
    } else {
      this.#polygons = this.#triangulator.decompose(polygon, this.#triangulator.triangulate(polygon));
    }
    return this.#polygons.length;
  }

  /** Ends clipping: with a slot only if it is the end slot of the clipping attachment, else in any case. */
  clipEnd(slot?: Slot): void {
    if (this.#attachment === null) return;
    if (slot !== undefined && this.#attachment.endSlot !== slot.data) return;
    this.#attachment = null;
    this.#polygons = NO_POLYGONS;
  }

  isClipping(): boolean {
    return this.#attachment !== null;
  }

  /** The convex pieces in force, first vertex repeated. @internal */
  get _polygons(): readonly (readonly number[])[] {
    return this.#polygons;
  }

  /**
   * Clips triangles into `clippedVertices` (pairs) and `clippedTriangles`.
   * @returns whether anything was cut away
   */
  clipTriangles(vertices: ArrayLike<number>, triangles: ArrayLike<number>, trianglesLength: number): boolean;
  /**
   * Clips triangles into `clippedVertices` (x y r g b a u v, with two colours also r g b a of the dark one behind the light
   * one) and `clippedTriangles`.
   * @param stride - values per vertex in `vertices`
   */
  clipTriangles(
    vertices: ArrayLike<number>, triangles: ArrayLike<number>, trianglesLength: number,
    uvs: ArrayLike<number>, light: Color, dark: Color, twoColor: boolean, stride: number,
  ): boolean;
  clipTriangles(
    vertices: ArrayLike<number>, triangles: ArrayLike<number>, trianglesLength: number,
    uvs?: ArrayLike<number>, light?: Color, dark?: Color, twoColor?: boolean, stride?: number,
  ): boolean {
    const colored = uvs && light && dark && typeof twoColor === "boolean" && typeof stride === "number";
    const clipped = this.#clip(vertices, 0, triangles, trianglesLength, colored ? uvs : null, colored ? stride : 2, 2);
    if (colored) this.#copyColored(light, dark, twoColor);
    else copyFloats(this._clippedVerticesTyped, this.clippedVerticesLength, this.clippedVertices);
    copyFloats(this._clippedUVsTyped, this.clippedUVsLength, this.clippedUVs);
    copyIndices(this._clippedTrianglesTyped, this.clippedTrianglesLength, this.clippedTriangles);
    return clipped;
  }

  /**
   * Clips triangles into `clippedVerticesTyped`, `clippedUVsTyped` and `clippedTrianglesTyped`.
   * @param vertexStart - index of the first value of `vertices`
   * @param stride - values per vertex, in and out; only x and y are written
   * @returns whether anything was cut away
   */
  clipTrianglesUnpacked(
    vertices: ArrayLike<number>, vertexStart: number, triangles: ArrayLike<number>, trianglesLength: number,
    uvs: ArrayLike<number>, stride = 2,
  ): boolean {
    const clipped = this._clipRaw(vertices, vertexStart, triangles, trianglesLength, uvs, stride);
    this.clippedVerticesTyped = firstPart(this.clippedVerticesTyped, this._clippedVerticesTyped, this.clippedVerticesLength);
    this.clippedUVsTyped = firstPart(this.clippedUVsTyped, this._clippedUVsTyped, this.clippedUVsLength);
    this.clippedTrianglesTyped = firstPart(this.clippedTrianglesTyped, this._clippedTrianglesTyped, this.clippedTrianglesLength);
    return clipped;
  }

  /** Like `clipTrianglesUnpacked`, but leaves the results in the buffers and makes no views of them. @internal */
  _clipRaw(
    vertices: ArrayLike<number>, vertexStart: number, triangles: ArrayLike<number>, trianglesLength: number,
    uvs: ArrayLike<number>, stride: number,
  ): boolean {
    return this.#clip(vertices, vertexStart, triangles, trianglesLength, uvs, stride, stride);
  }

  #clip(
    vertices: ArrayLike<number>, start: number, triangles: ArrayLike<number>, trianglesLength: number,
    uvs: ArrayLike<number> | null, stride: number, outStride: number,
  ): boolean {
    this.clippedVerticesLength = this.clippedUVsLength = this.clippedTrianglesLength = 0;
    const cutter = this.#cutter;
    const polygons = this.#polygons;
    const triangle = this.#triangle;
    let clipped = this.#inverse && this.#attachment !== null;
    for (let i = 0; i + 2 < trianglesLength; i += 3) {
      const v1 = triangles[i]!;
      const v2 = triangles[i + 1]!;
      const v3 = triangles[i + 2]!;
      this.#setTriangle(vertices, start, stride, uvs, v1, v2, v3);
      cutter.begin(triangle);
      if (this.#inverse) {
        this.#emitOutside(polygons[0]!, outStride, uvs !== null);
        continue;
      }
      for (let p = 0; p < polygons.length; p++) {
        if (cutter.cut(polygons[p]!)) {
          clipped = true;
          if (cutter.length > 0) this.#emit(cutter.polygon, cutter.length, outStride, uvs !== null);
          cutter.begin(triangle);
        } else {
          // Whole triangle inside: it keeps its own vertices.
          cutter.begin(triangle);
          this.#emit(cutter.polygon, 6, outStride, uvs !== null);
          break;
        }
      }
    }
    return clipped;
  }

  #emitOutside(polygon: readonly number[], outStride: number, hasUvs: boolean): void {
    const cutter = this.#cutter;
    const outside = this.inverseVertices;
    for (let edge = 0; edge + 3 < polygon.length && cutter.length > 0; edge += 2) {
      const count = cutter.splitByEdge(polygon, edge, outside);
      if (count >= 6) this.#emit(outside, count, outStride, hasUvs);
    }
  }

  /** The triangle being clipped; see Corner. An array, because numbers in fields would be boxed. */
  readonly #triangle = new Float64Array(Corner.COUNT);

  #setTriangle(
    vertices: ArrayLike<number>, start: number, stride: number, uvs: ArrayLike<number> | null, v1: number, v2: number, v3: number,
  ): void {
    const t = this.#triangle;
    const x1 = (t[Corner.X1] = vertices[start + v1 * stride]!);
    const y1 = (t[Corner.Y1] = vertices[start + v1 * stride + 1]!);
    const x2 = (t[Corner.X2] = vertices[start + v2 * stride]!);
    const y2 = (t[Corner.Y2] = vertices[start + v2 * stride + 1]!);
    const x3 = (t[Corner.X3] = vertices[start + v3 * stride]!);
    const y3 = (t[Corner.Y3] = vertices[start + v3 * stride + 1]!);
    if (uvs === null) return;
    t[Corner.D0] = y2 - y3;
    t[Corner.D1] = x3 - x2;
    t[Corner.D2] = x1 - x3;
    t[Corner.D3] = y3 - y1;
    const area = (y2 - y3) * (x1 - x3) + (x3 - x2) * (y1 - y3);
    // A triangle without area has no inside to interpolate over; its last corner stands for all.
    t[Corner.SCALE] = area === 0 ? 0 : 1 / area;
    t[Corner.U1] = uvs[v1 * 2]!;
    t[Corner.V1] = uvs[v1 * 2 + 1]!;
    t[Corner.U2] = uvs[v2 * 2]!;
    t[Corner.V2] = uvs[v2 * 2 + 1]!;
    t[Corner.U3] = uvs[v3 * 2]!;
    t[Corner.V3] = uvs[v3 * 2 + 1]!;
  }

  /** Appends a convex polygon as a fan. */
  #emit(polygon: readonly number[], length: number, stride: number, hasUvs: boolean): void {
    const count = length >> 1;
    this.#reserve(count, stride);
    const first = this.clippedVerticesLength / stride;
    const vertices = this._clippedVerticesTyped;
    const uvs = this._clippedUVsTyped;
    const t = this.#triangle;
    let at = this.clippedVerticesLength;
    let uv = this.clippedUVsLength;
    for (let i = 0; i < length; i += 2, at += stride) {
      const x = polygon[i]!;
      const y = polygon[i + 1]!;
      vertices[at] = x;
      vertices[at + 1] = y;
      if (!hasUvs) continue;
      const dx = x - t[Corner.X3]!;
      const dy = y - t[Corner.Y3]!;
      let a = (t[Corner.D0]! * dx + t[Corner.D1]! * dy) * t[Corner.SCALE]!;
      let b = (t[Corner.D3]! * dx + t[Corner.D2]! * dy) * t[Corner.SCALE]!;
      if (x === t[Corner.X1]! && y === t[Corner.Y1]!) {
        a = 1;
        b = 0;
      } else if (x === t[Corner.X2]! && y === t[Corner.Y2]!) {
        a = 0;
        b = 1;
      }
      const c = 1 - a - b;
      uvs[uv++] = t[Corner.U1]! * a + t[Corner.U2]! * b + t[Corner.U3]! * c;
      uvs[uv++] = t[Corner.V1]! * a + t[Corner.V2]! * b + t[Corner.V3]! * c;
    }
    const triangles = this._clippedTrianglesTyped;
    let index = this.clippedTrianglesLength;
    for (let i = 1; i < count - 1; i++) {
      triangles[index++] = first;
      triangles[index++] = first + i;
      triangles[index++] = first + i + 1;
    }
    this.clippedVerticesLength = at;
    this.clippedUVsLength = uv;
    this.clippedTrianglesLength = index;
  }

  #reserve(vertexCount: number, stride: number): void {
    const vertices = this.clippedVerticesLength + vertexCount * stride;
    if (vertices > this._clippedVerticesTyped.length) this._clippedVerticesTyped = grownFloats(this._clippedVerticesTyped, vertices);
    const uvs = this.clippedUVsLength + vertexCount * 2;
    if (uvs > this._clippedUVsTyped.length) this._clippedUVsTyped = grownFloats(this._clippedUVsTyped, uvs);
    const triangles = this.clippedTrianglesLength + vertexCount * 3;
    if (triangles > this._clippedTrianglesTyped.length) {
      const larger = new Uint16Array(triangles * 2);
      larger.set(this._clippedTrianglesTyped);
      this._clippedTrianglesTyped = larger;
    }
  }

  #copyColored(light: Color, dark: Color, twoColor: boolean): void {
    const out = this.clippedVertices;
    const vertices = this._clippedVerticesTyped;
    const uvs = this._clippedUVsTyped;
    let at = 0;
    for (let i = 0; i < this.clippedVerticesLength; i += 2) {
      out[at++] = vertices[i]!;
      out[at++] = vertices[i + 1]!;
      out[at++] = light.r;
      out[at++] = light.g;
      out[at++] = light.b;
      out[at++] = light.a;
      out[at++] = uvs[i]!;
      out[at++] = uvs[i + 1]!;
      if (!twoColor) continue;
      out[at++] = dark.r;
      out[at++] = dark.g;
      out[at++] = dark.b;
      out[at++] = dark.a;
    }
    setLength(out, at);
  }
}

// Two functions, because a loop that sees whole numbers and others boxes the others.
function copyFloats(from: Float32Array, count: number, to: number[]): void {
  for (let i = 0; i < count; i++) to[i] = from[i]!;
  setLength(to, count);
}

function copyIndices(from: Uint16Array, count: number, to: number[]): void {
  for (let i = 0; i < count; i++) to[i] = from[i]!;
  setLength(to, count);
}

/** Shortens an array only where it must be, since that may move it. */
function setLength(array: number[], length: number): void {
  if (array.length !== length) array.length = length;
}

/** `old` if it is that part of the buffer already. */
function firstPart<T extends Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(old: T, buffer: T, length: number): T {
  return old.buffer === buffer.buffer && old.length === length ? old : (buffer.subarray(0, length) as T);
}

function grownFloats(array: Float32Array<ArrayBuffer>, needed: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(needed * 2);
  larger.set(array);
  return larger;
}
