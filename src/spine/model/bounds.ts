import { MeshAttachment } from "../attachments/mesh-attachment.js";
import { RegionAttachment } from "../attachments/region-attachment.js";
import { ClippingAttachment } from "../attachments/clipping-attachment.js";
import type { Skeleton } from "./skeleton.js";
import type { Slot } from "./slot.js";

/** What measuring needs of a SkeletonClipping. */
export interface BoundsClipper {
  clippedVertices: ArrayLike<number>;
  clipStart(skeleton: Skeleton, slot: Slot, clip: ClippingAttachment): unknown;
  clipEnd(slot?: Slot): void;
  isClipping(): boolean;
  clipTriangles(vertices: ArrayLike<number>, triangles: ArrayLike<number>, trianglesLength: number): boolean;
}

const QUAD_TRIANGLES = [0, 1, 2, 2, 3, 0];
let scratch = new Float32Array(256);
/** Edges of the box being measured: left, bottom, right, top. */
const box = new Float64Array(4);

/** Bounding box of what a skeleton shows; see `Skeleton.getBounds`. @internal */
export function measureBounds(
  skeleton: Skeleton,
  offset: { x: number; y: number },
  size: { x: number; y: number },
  clipper: BoundsClipper | null,
): void {
  box[0] = box[1] = Infinity;
  box[2] = box[3] = -Infinity;
  const order = skeleton.drawOrder.appliedPose;
  for (let i = 0; i < order.length; i++) {
    const slot = order[i]!;
    if (!slot.bone.active) continue;
    const attachment = slot.appliedPose.attachment;
    let count = 0;
    let triangles: ArrayLike<number> = QUAD_TRIANGLES;
    if (attachment instanceof RegionAttachment) {
      count = 8;
      attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), scratch, 0, 2);
    } else if (attachment instanceof MeshAttachment) {
      count = attachment.worldVerticesLength;
      if (count > scratch.length) scratch = new Float32Array(count * 2);
      triangles = attachment.triangles;
      attachment.computeWorldVertices(skeleton, slot, 0, count, scratch, 0, 2);
    } else if (attachment instanceof ClippingAttachment && clipper !== null) {
      clipper.clipEnd(slot);
      clipper.clipStart(skeleton, slot, attachment);
      continue;
    }
    if (count > 0 && clipper !== null && clipper.isClipping() && clipper.clipTriangles(scratch, triangles, triangles.length)) {
      // One kind of array in the loop below keeps it fast.
      const points = clipper.clippedVertices;
      count = points.length;
      if (count > scratch.length) scratch = new Float32Array(count * 2);
      for (let i = 0; i < count; i++) scratch[i] = points[i]!;
    }
    enclose(scratch, count);
    clipper?.clipEnd(slot);
  }
  clipper?.clipEnd();
  offset.x = box[0]!;
  offset.y = box[1]!;
  size.x = box[2]! - box[0]!;
  size.y = box[3]! - box[1]!;
}

function enclose(points: Float32Array, count: number): void {
  let minX = box[0]!;
  let minY = box[1]!;
  let maxX = box[2]!;
  let maxY = box[3]!;
  for (let at = 0; at < count; at += 2) {
    const x = points[at]!;
    const y = points[at + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  box[0] = minX;
  box[1] = minY;
  box[2] = maxX;
  box[3] = maxY;
}
