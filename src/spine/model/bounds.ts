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
const scratch: number[] = [];

/** Bounding box of what a skeleton shows; see `Skeleton.getBounds`. @internal */
export function measureBounds(
  skeleton: Skeleton,
  offset: { x: number; y: number },
  size: { x: number; y: number },
  clipper: BoundsClipper | null,
): void {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
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
      triangles = attachment.triangles;
      attachment.computeWorldVertices(skeleton, slot, 0, count, scratch, 0, 2);
    } else if (attachment instanceof ClippingAttachment && clipper !== null) {
      clipper.clipEnd(slot);
      clipper.clipStart(skeleton, slot, attachment);
      continue;
    }
    let points: ArrayLike<number> = scratch;
    if (count > 0 && clipper !== null && clipper.isClipping() && clipper.clipTriangles(scratch, triangles, triangles.length)) {
      points = clipper.clippedVertices;
      count = points.length;
    }
    for (let at = 0; at < count; at += 2) {
      const x = points[at]!;
      const y = points[at + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    clipper?.clipEnd(slot);
  }
  clipper?.clipEnd();
  offset.x = minX;
  offset.y = minY;
  size.x = maxX - minX;
  size.y = maxY - minY;
}
