import { BoundingBoxAttachment } from "../attachments/bounding-box-attachment.js";
import type { NumberArrayLike } from "../utils/utils.js";
import type { Skeleton } from "./skeleton.js";

/** The bounding boxes that a skeleton shows, as world polygons, with hit tests. */
export class SkeletonBounds {
  /** Edges of the axis-aligned box around all polygons, in world units. */
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  /** The visible bounding boxes. */
  readonly boundingBoxes: BoundingBoxAttachment[] = [];
  /** World vertices (x, y pairs) of each bounding box. */
  readonly polygons: Float32Array[] = [];
  /** Arrays that were used before, by length. */
  readonly #spare: Float32Array[] = [];

  /**
   * Finds the bounding boxes that are shown and computes their polygons.
   * @param updateAabb - whether to compute the axis-aligned box; without it the box is empty and its tests fail
   */
  update(skeleton: Skeleton, updateAabb: boolean): void {
    if (skeleton == null) throw new TypeError("skeleton cannot be null.");
    const { boundingBoxes, polygons } = this;
    const { slots } = skeleton;
    let count = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      const { attachment } = slot.appliedPose;
      if (!slot.bone.active || !(attachment instanceof BoundingBoxAttachment)) continue;
      const length = attachment.worldVerticesLength;
      let polygon = polygons[count];
      if (polygon === undefined || polygon.length !== length) {
        if (polygon !== undefined) this.#spare.push(polygon);
        polygon = this.#obtain(length);
      }
      attachment.computeWorldVertices(skeleton, slot, 0, polygon.length, polygon, 0, 2);
      boundingBoxes[count] = attachment;
      polygons[count] = polygon;
      count++;
    }
    for (let i = count; i < polygons.length; i++) this.#spare.push(polygons[i]!);
    // Emptying an array gives its memory away; it is cut only where it must be.
    if (polygons.length !== count) boundingBoxes.length = polygons.length = count;
    if (updateAabb) {
      this.aabbCompute();
    } else {
      this.minX = this.minY = Infinity;
      this.maxX = this.maxY = -Infinity;
    }
  }

  #obtain(length: number): Float32Array {
    const spare = this.#spare;
    for (let i = 0; i < spare.length; i++) {
      const array = spare[i]!;
      if (array.length !== length) continue;
      spare[i] = spare[spare.length - 1]!;
      spare.pop();
      return array;
    }
    return new Float32Array(length);
  }

  /** Computes the axis-aligned box around the polygons. */
  aabbCompute(): void {
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let p = 0; p < this.polygons.length; p++) {
      const polygon = this.polygons[p]!;
      for (let i = 0; i < polygon.length; i += 2) {
        const x = polygon[i]!;
        const y = polygon[i + 1]!;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
    }
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
  }

  /** Whether the axis-aligned box contains a point; its edges count. */
  aabbContainsPoint(x: number, y: number): boolean {
    return x >= this.minX && x <= this.maxX && y >= this.minY && y <= this.maxY;
  }

  /** Whether the axis-aligned box meets a line segment. */
  aabbIntersectsSegment(x1: number, y1: number, x2: number, y2: number): boolean {
    const { minX, minY, maxX, maxY } = this;
    if ((x1 <= minX && x2 <= minX) || (y1 <= minY && y2 <= minY) || (x1 >= maxX && x2 >= maxX) || (y1 >= maxY && y2 >= maxY)) {
      return false;
    }
    const slope = (y2 - y1) / (x2 - x1);
    const atLeft = slope * (minX - x1) + y1;
    if (atLeft > minY && atLeft < maxY) return true;
    const atRight = slope * (maxX - x1) + y1;
    if (atRight > minY && atRight < maxY) return true;
    const atBottom = (minY - y1) / slope + x1;
    if (atBottom > minX && atBottom < maxX) return true;
    const atTop = (maxY - y1) / slope + x1;
    return atTop > minX && atTop < maxX;
  }

  /** Whether the axis-aligned boxes overlap; touching does not count. */
  aabbIntersectsSkeleton(bounds: SkeletonBounds): boolean {
    return this.minX < bounds.maxX && this.maxX > bounds.minX && this.minY < bounds.maxY && this.maxY > bounds.minY;
  }

  /** The first bounding box that contains the point, or null. */
  containsPoint(x: number, y: number): BoundingBoxAttachment | null;
  /** Whether a polygon contains the point. */
  containsPoint(polygon: NumberArrayLike, x: number, y: number): boolean;
  containsPoint(polygonOrX: NumberArrayLike | number, xOrY: number, maybeY?: number): BoundingBoxAttachment | null | boolean {
    if (typeof polygonOrX !== "number") return this.containsPointPolygon(polygonOrX, xOrY, maybeY!);
    for (let i = 0; i < this.polygons.length; i++) {
      if (this.containsPointPolygon(this.polygons[i]!, polygonOrX, xOrY)) return this.boundingBoxes[i]!;
    }
    return null;
  }

  /** Whether a polygon contains the point, by counting the edges to its left. */
  containsPointPolygon(polygon: NumberArrayLike, x: number, y: number): boolean {
    let inside = false;
    const n = polygon.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const y1 = polygon[i + 1]!;
      const y2 = polygon[j + 1]!;
      if ((y1 < y && y2 >= y) || (y2 < y && y1 >= y)) {
        const x1 = polygon[i]!;
        if (x1 + ((y - y1) / (y2 - y1)) * (polygon[j]! - x1) < x) inside = !inside;
      }
    }
    return inside;
  }

  /** The first bounding box with an edge that the segment meets, or null. */
  intersectsSegment(x1: number, y1: number, x2: number, y2: number): BoundingBoxAttachment | null;
  /** Whether the segment meets an edge of the polygon. */
  intersectsSegment(polygon: NumberArrayLike, x1: number, y1: number, x2: number, y2: number): boolean;
  intersectsSegment(
    polygonOrX1: NumberArrayLike | number, a: number, b: number, c: number, d?: number,
  ): BoundingBoxAttachment | null | boolean {
    if (typeof polygonOrX1 !== "number") return this.intersectsSegmentPolygon(polygonOrX1, a, b, c, d!);
    for (let i = 0; i < this.polygons.length; i++) {
      if (this.intersectsSegmentPolygon(this.polygons[i]!, polygonOrX1, a, b, c)) return this.boundingBoxes[i]!;
    }
    return null;
  }

  /** Whether the segment meets an edge of the polygon. A segment wholly inside does not; neither do parallel lines. */
  intersectsSegmentPolygon(polygon: NumberArrayLike, x1: number, y1: number, x2: number, y2: number): boolean {
    const n = polygon.length;
    const width = x1 - x2;
    const height = y1 - y2;
    const cross = x1 * y2 - y1 * x2;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const x3 = polygon[j]!;
      const y3 = polygon[j + 1]!;
      const x4 = polygon[i]!;
      const y4 = polygon[i + 1]!;
      const edgeWidth = x3 - x4;
      const edgeHeight = y3 - y4;
      const det = width * edgeHeight - height * edgeWidth;
      const edgeCross = x3 * y4 - y3 * x4;
      const x = (cross * edgeWidth - width * edgeCross) / det;
      const y = (cross * edgeHeight - height * edgeCross) / det;
      if (isBetween(x, x3, x4) && isBetween(x, x1, x2) && isBetween(y, y3, y4) && isBetween(y, y1, y2)) return true;
    }
    return false;
  }

  /** The polygon of a bounding box, or null if it is not shown. */
  getPolygon(boundingBox: BoundingBoxAttachment): Float32Array | null {
    const index = this.boundingBoxes.indexOf(boundingBox);
    return index < 0 ? null : this.polygons[index]!;
  }

  getWidth(): number {
    return this.maxX - this.minX;
  }

  getHeight(): number {
    return this.maxY - this.minY;
  }

  get width(): number {
    return this.getWidth();
  }

  get height(): number {
    return this.getHeight();
  }
}

function isBetween(value: number, a: number, b: number): boolean {
  return (value >= a && value <= b) || (value >= b && value <= a);
}
