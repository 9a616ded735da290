import {
  BoundingBoxAttachment, ClippingAttachment, IkConstraint, MeshAttachment, PathAttachment, PathConstraint, PhysicsConstraint, PointAttachment,
  RegionAttachment, type Skeleton, type Slot, TransformConstraint, VertexAttachment,
} from "../../spine/index.js";
import type { LineBuffer } from "./line-buffer.js";

/** What to draw; everything that is not named is left out. */
export interface SkeletonDebugOptions {
  bones?: boolean;
  /** Quads of region attachments. */
  regions?: boolean;
  /** Triangles of meshes. */
  meshes?: boolean;
  /** Hulls of meshes. */
  hulls?: boolean;
  /** Curves of paths with their handles. */
  paths?: boolean;
  clips?: boolean;
  /** Bounding box attachments. */
  boxes?: boolean;
  points?: boolean;
  /** Targets, sources and physics bones. */
  constraints?: boolean;
  /** Axis-aligned box of what is shown. */
  bounds?: boolean;
}

/** Colours of the debug layers, 0xRRGGBBAA. */
export const DEBUG_COLORS = {
  bone: 0xe8513dff,
  joint: 0x54d65bff,
  region: 0x4f8ff7b0,
  mesh: 0x3fb6c980,
  hull: 0xf0a63aff,
  path: 0xff8a3cff,
  handle: 0xff8a3c60,
  clip: 0xb45cffff,
  box: 0x5ee07cff,
  point: 0xf2e14cff,
  ik: 0xff5fa2ff,
  transform: 0x8f7bffff,
  physics: 0x55ddffff,
  bounds: 0xffffff90,
};

const ALL: Required<SkeletonDebugOptions> = {
  bones: true, regions: true, meshes: true, hulls: true, paths: true, clips: true, boxes: true, points: true, constraints: true, bounds: true,
};

const scratch: number[] = [];

/**
 * Adds lines that show how a skeleton is built. Call it after `updateWorldTransform`.
 * @param options - layers to draw, default all
 * @param unit - world units per pixel: markers keep their size on screen
 */
export function debugSkeleton(skeleton: Skeleton, lines: LineBuffer, options: SkeletonDebugOptions = ALL, unit = 1): void {
  for (const slot of skeleton.drawOrder.appliedPose) if (slot.bone.active) debugSlot(skeleton, slot, lines, options, unit);
  if (options.bones === true) debugBones(skeleton, lines, unit);
  if (options.constraints === true) debugConstraints(skeleton, lines, unit);
  if (options.bounds === true) {
    const { x, y, width, height } = skeleton.getBoundsRect();
    if (Number.isFinite(x)) lines.polyline([x, y, x + width, y, x + width, y + height, x, y + height], 8, true, DEBUG_COLORS.bounds);
  }
}

function debugSlot(skeleton: Skeleton, slot: Slot, lines: LineBuffer, options: SkeletonDebugOptions, unit: number): void {
  const { attachment } = slot.appliedPose;
  if (attachment instanceof RegionAttachment) {
    if (options.regions !== true) return;
    attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), scratch, 0, 2);
    lines.polyline(scratch, 8, true, DEBUG_COLORS.region);
    return;
  }
  if (attachment instanceof PointAttachment) {
    if (options.points === true) debugPoint(slot, attachment, lines, unit);
    return;
  }
  if (!(attachment instanceof VertexAttachment)) return;
  const count = attachment.worldVerticesLength;
  attachment.computeWorldVertices(skeleton, slot, 0, count, scratch, 0, 2);
  if (attachment instanceof MeshAttachment) {
    if (options.meshes === true) debugTriangles(attachment.triangles, lines);
    if (options.hulls === true) lines.polyline(scratch, Math.min(count, attachment.hullLength), true, DEBUG_COLORS.hull);
  } else if (attachment instanceof PathAttachment) {
    if (options.paths === true) debugPath(attachment, count, lines);
  } else if (attachment instanceof ClippingAttachment) {
    if (options.clips === true) lines.polyline(scratch, count, true, DEBUG_COLORS.clip);
  } else if (attachment instanceof BoundingBoxAttachment && options.boxes === true) {
    lines.polyline(scratch, count, true, DEBUG_COLORS.box);
  }
}

function debugTriangles(triangles: readonly number[], lines: LineBuffer): void {
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    for (let edge = 0; edge < 3; edge++) {
      const a = triangles[i + edge]! * 2;
      const b = triangles[i + ((edge + 1) % 3)]! * 2;
      lines.line(scratch[a]!, scratch[a + 1]!, scratch[b]!, scratch[b + 1]!, DEBUG_COLORS.mesh);
    }
  }
}

/** Three vertices a knot: handle in, knot, handle out. */
function debugPath(path: PathAttachment, count: number, lines: LineBuffer): void {
  const knots = Math.floor(count / 6);
  const last = path.closed ? knots : knots - 1;
  for (let i = 0; i < last; i++) {
    const from = i * 6 + 2;
    const to = ((i + 1) % knots) * 6 + 2;
    lines.curve(
      scratch[from]!, scratch[from + 1]!, scratch[from + 2]!, scratch[from + 3]!, scratch[to - 2]!, scratch[to - 1]!, scratch[to]!, scratch[to + 1]!,
      DEBUG_COLORS.path,
    );
  }
  for (let i = 0; i < knots; i++) {
    const at = i * 6;
    lines.line(scratch[at]!, scratch[at + 1]!, scratch[at + 2]!, scratch[at + 3]!, DEBUG_COLORS.handle);
    lines.line(scratch[at + 2]!, scratch[at + 3]!, scratch[at + 4]!, scratch[at + 5]!, DEBUG_COLORS.handle);
  }
}

function debugPoint(slot: Slot, point: PointAttachment, lines: LineBuffer, unit: number): void {
  const pose = slot.bone.appliedPose;
  const at = point.computeWorldPosition(pose, { x: 0, y: 0 });
  const angle = (point.computeWorldRotation(pose) * Math.PI) / 180;
  lines.circle(at.x, at.y, 4 * unit, DEBUG_COLORS.point, 8);
  lines.line(at.x, at.y, at.x + Math.cos(angle) * 12 * unit, at.y + Math.sin(angle) * 12 * unit, DEBUG_COLORS.point);
}

function debugBones(skeleton: Skeleton, lines: LineBuffer, unit: number): void {
  for (const bone of skeleton.bones) {
    if (!bone.active) continue;
    const { a, c, worldX, worldY } = bone.appliedPose;
    const { length } = bone.data;
    if (length > 0) {
      const tipX = worldX + a * length;
      const tipY = worldY + c * length;
      // A slim kite: widest at an eighth of the bone.
      const side = Math.min(4 * unit, Math.hypot(tipX - worldX, tipY - worldY) / 8);
      const reach = Math.hypot(a, c) || 1;
      const [nx, ny] = [(-c / reach) * side, (a / reach) * side];
      const [mx, my] = [worldX + (a * length) / 8, worldY + (c * length) / 8];
      lines.polyline([worldX, worldY, mx + nx, my + ny, tipX, tipY, mx - nx, my - ny], 8, true, DEBUG_COLORS.bone);
    }
    lines.circle(worldX, worldY, 2.5 * unit, DEBUG_COLORS.joint, 6);
  }
}

function debugConstraints(skeleton: Skeleton, lines: LineBuffer, unit: number): void {
  for (const constraint of skeleton.constraints) {
    if (!constraint.active) continue;
    if (constraint instanceof IkConstraint) {
      const target = constraint.target.appliedPose;
      const bone = constraint.bones[constraint.bones.length - 1]!;
      const length = bone.bone.data.length;
      lines.cross(target.worldX, target.worldY, 6 * unit, DEBUG_COLORS.ik);
      lines.circle(target.worldX, target.worldY, 6 * unit, DEBUG_COLORS.ik);
      lines.line(bone.worldX + bone.a * length, bone.worldY + bone.c * length, target.worldX, target.worldY, DEBUG_COLORS.ik);
    } else if (constraint instanceof TransformConstraint) {
      const source = constraint.source.appliedPose;
      for (const bone of constraint.bones) lines.line(source.worldX, source.worldY, bone.worldX, bone.worldY, DEBUG_COLORS.transform);
    } else if (constraint instanceof PathConstraint) {
      for (const bone of constraint.bones) lines.cross(bone.worldX, bone.worldY, 4 * unit, DEBUG_COLORS.path);
    } else if (constraint instanceof PhysicsConstraint) {
      lines.circle(constraint.bone.worldX, constraint.bone.worldY, 7 * unit, DEBUG_COLORS.physics, 8);
    }
  }
}
