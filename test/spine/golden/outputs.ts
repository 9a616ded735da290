import * as spine from "../../../src/spine/index.js";
import type { GoldenCase } from "./replay.js";

/** Words that the golden file puts before the names in an update cache. */
export const MIXED_KINDS: readonly [string, string][] = [
  ["IkConstraint", "ik"],
  ["TransformConstraint", "transform"],
  ["PathConstraint", "path"],
  ["PhysicsConstraint", "physics"],
  ["Slider", "slider"],
];

type Output = (skeleton: spine.Skeleton, options: any[], testCase: GoldenCase) => any;

const array = (values: ArrayLike<number>): number[] => Array.from(values);
const colorOf = (c: spine.Color): number[] => [c.r, c.g, c.b, c.a];
const hex = (value: number): string => value.toString(16).padStart(8, "0");
const shown = (skeleton: spine.Skeleton): spine.Slot[] => skeleton.slots.filter((s) => s.appliedPose.attachment !== null);

/** Outputs by name, as constraint-golden.json describes them. */
export const outputs: Record<string, Output> = {
  bones: (skeleton, [names]) =>
    byName(skeleton.bones.filter((b) => names === undefined || names.includes(b.data.name)), ({ appliedPose: p }) => [p.a, p.b, p.c, p.d, p.worldX, p.worldY]),
  local: (skeleton, [names]) =>
    byName(skeleton.bones.filter((b) => names === undefined || names.includes(b.data.name)), ({ appliedPose: p }) => {
      p.validateLocalTransform(skeleton);
      return [p.x, p.y, p.rotation, p.scaleX, p.scaleY, p.shearX, p.shearY];
    }),
  inverse: (skeleton, [names]) =>
    byName(skeleton.bones.filter((b) => names === undefined || names.includes(b.data.name)), ({ appliedPose: p }) => {
      p.updateLocalTransform(skeleton);
      return [p.x, p.y, p.rotation, p.scaleX, p.scaleY, p.shearX, p.shearY];
    }),
  vertices: (skeleton) =>
    byName(shown(skeleton), (slot) => {
      const { attachment } = slot.appliedPose;
      if (attachment instanceof spine.RegionAttachment) return worldVertices(skeleton, slot);
      if (attachment instanceof spine.PointAttachment) {
        const point = attachment.computeWorldPosition(slot.bone.appliedPose, { x: 0, y: 0 });
        return [point.x, point.y, attachment.computeWorldRotation(slot.bone.appliedPose)];
      }
      return worldVertices(skeleton, slot);
    }),
  cache: (skeleton) =>
    skeleton.getUpdateCache().map((item) => {
      if (item instanceof spine.BonePose) return `bone:${item.bone.data.name}`;
      const { name } = (item as spine.Constraint).data;
      return `${MIXED_KINDS.find(([type]) => item.constructor.name === type)![1]}:${name}`;
    }),
  active: (skeleton) => ({
    bones: skeleton.bones.filter((b) => b.isActive()).map((b) => b.data.name),
    constraints: skeleton.constraints.filter((c) => c.isActive()).map((c) => c.data.name),
  }),
  aliased: (skeleton) => ({
    bones: skeleton.bones.filter((b) => b.appliedPose !== b.pose).map((b) => b.data.name),
    slots: skeleton.slots.filter((s) => s.appliedPose !== s.pose).map((s) => s.data.name),
    constraints: skeleton.constraints.filter((c) => c.appliedPose !== c.pose).map((c) => c.data.name),
    drawOrder: skeleton.drawOrder.appliedPose !== skeleton.drawOrder.pose,
  }),
  draw: (skeleton) => skeleton.drawOrder.appliedPose.map((s) => s.data.name),
  drawPose: (skeleton) => skeleton.drawOrder.pose.map((s) => s.data.name),
  slots: (skeleton) =>
    byName(skeleton.slots, ({ appliedPose: p }) => ({
      attachment: p.attachment === null ? null : p.attachment.name,
      sequenceIndex: p.sequenceIndex,
      color: colorOf(p.color),
      dark: p.darkColor === null ? null : colorOf(p.darkColor).slice(0, 3),
      deform: array(p.deform),
    })),
  constraintPoses: (skeleton) =>
    byName(skeleton.constraints, ({ appliedPose: p, constructor: { name } }: any) =>
      name === "Slider" ? { time: p.time, mix: p.mix } : name === "IkConstraint"
        ? { mix: p.mix, softness: p.softness, bendDirection: p.bendDirection, compress: p.compress, stretch: p.stretch }
        : { ...p }),
  bounds: (skeleton) => rect(skeleton.getBoundsRect()),
  clippedBounds: (skeleton) => rect(skeleton.getBoundsRect(new spine.SkeletonClipping())),
  uvs: (skeleton, _options, testCase) => {
    const uvs = byName(shown(skeleton), ({ appliedPose: p }) => {
      const { sequence } = p.attachment as spine.RegionAttachment;
      return array(sequence.getUVs(sequence.resolveIndex(p)));
    });
    // The recorded numbers treat 180 and 270 degrees like 0; ours are right and have a test of their own.
    if (testCase.id === "atlas/regions") for (const name of turned) uvs[name] = testCase.steps[0]!.expect.uvs[name];
    return uvs;
  },
  offsets: (skeleton) => byName(shown(skeleton).filter((s) => s.appliedPose.attachment instanceof spine.RegionAttachment), ({ appliedPose: p }) => array((p.attachment as spine.RegionAttachment).getOffsets(p))),
  clip: (skeleton) => runClip(skeleton, false),
  clipColored: (skeleton) => runClip(skeleton, true),
  hull: (skeleton, _options, testCase) => runBounds(skeleton, testCase),
  render: (skeleton, options) => {
    const args = options[0] as any[];
    const list: object[] = [];
    const core = new spine.SkeletonRendererCore();
    for (let c = core.render(skeleton, ...(args.map((a) => a ?? undefined) as [])); c !== undefined; c = c.next) {
      list.push({
        blend: spine.BlendMode[c.blendMode],
        texture: c.texture.name,
        positions: array(c.positions),
        uvs: array(c.uvs),
        colors: Array.from(c.colors, hex),
        dark: Array.from(c.darkColors, hex),
        indices: array(c.indices),
      });
    }
    return list;
  },
  physicsState: (skeleton) =>
    byName(skeleton.physics as any[], (c: any) => [
      c.xOffset, c.yOffset, c.rotateOffset, c.scaleOffset, c.xVelocity, c.yVelocity, c.rotateVelocity, c.scaleVelocity, c.remaining,
    ]),
};

const turned = ["rot180", "rot180trim", "rot270", "rot270trim"];

function byName<T extends { data: { name: string } }>(list: readonly T[], value: (item: T) => any): Record<string, any> {
  return Object.fromEntries(list.map((item) => [item.data.name, value(item)]));
}

function rect(r: { x: number; y: number; width: number; height: number }): number[] {
  return [r.x, r.y, r.width, r.height];
}

/** World vertices of what a slot shows, as every caller gets them. */
export function worldVertices(skeleton: spine.Skeleton, slot: spine.Slot): number[] {
  const { attachment } = slot.appliedPose;
  const out: number[] = [];
  if (attachment instanceof spine.RegionAttachment) attachment.computeWorldVertices(slot, attachment.getOffsets(slot.appliedPose), out, 0, 2);
  else if (attachment instanceof spine.VertexAttachment) attachment.computeWorldVertices(skeleton, slot, 0, attachment.worldVerticesLength, out, 0, 2);
  return out;
}

/** Pairs at every `stride`. */
function spread(pairs: readonly number[], stride: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < pairs.length; i++) out[(i >> 1) * stride + (i & 1)] = pairs[i]!;
  return out;
}

function runClip(skeleton: spine.Skeleton, colored: boolean): Record<string, any> {
  const clipper = new spine.SkeletonClipping();
  const light = new spine.Color(0.25, 0.5, 0.75, 1);
  const dark = new spine.Color(0.1, 0.2, 0.3, 0.4);
  const result: Record<string, any> = {};
  for (const slot of skeleton.drawOrder.appliedPose) {
    const { attachment } = slot.appliedPose;
    if (attachment instanceof spine.ClippingAttachment) {
      clipper.clipEnd(slot);
      clipper.clipStart(skeleton, slot, attachment);
      if (!colored) result[slot.data.name] = { polygons: clipper._polygons.map((p) => p.slice()) };
      continue;
    }
    if (clipper.isClipping() && (attachment instanceof spine.RegionAttachment || attachment instanceof spine.MeshAttachment)) {
      const vertices = worldVertices(skeleton, slot);
      const uvs = attachment.sequence.getUVs(attachment.sequence.resolveIndex(slot.appliedPose));
      const triangles = attachment instanceof spine.RegionAttachment ? [0, 1, 2, 2, 3, 0] : attachment.triangles;
      if (colored) {
        const clipped = clipper.clipTriangles(spread(vertices, 12), triangles, triangles.length, uvs, light, dark, true, 12);
        result[slot.data.name] = { result: clipped, vertices: clipper.clippedVertices.slice(), triangles: clipper.clippedTriangles.slice() };
      } else {
        const clipped = clipper.clipTrianglesUnpacked(vertices, 0, triangles, triangles.length, uvs);
        result[slot.data.name] = {
          result: clipped,
          vertices: array(clipper.clippedVerticesTyped),
          uvs: array(clipper.clippedUVsTyped),
          triangles: array(clipper.clippedTrianglesTyped),
        };
      }
    }
    clipper.clipEnd(slot);
  }
  clipper.clipEnd();
  return result;
}

function runBounds(skeleton: spine.Skeleton, testCase: GoldenCase): object {
  const bounds = new spine.SkeletonBounds();
  bounds.update(skeleton, true);
  const recorded = testCase.steps[0]!.expect.hull as { points: any[][]; segments: any[][] };
  const name = (box: spine.BoundingBoxAttachment | null): string | null => (box === null ? null : box.name);
  return {
    aabb: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY],
    polygons: bounds.polygons.map(array),
    names: bounds.boundingBoxes.map((b) => b.name),
    points: recorded.points.map(([x, y]) => [x, y, bounds.aabbContainsPoint(x, y), name(bounds.containsPoint(x, y))]),
    segments: recorded.segments.map(([x1, y1, x2, y2]) => [
      x1, y1, x2, y2, bounds.aabbIntersectsSegment(x1, y1, x2, y2), name(bounds.intersectsSegment(x1, y1, x2, y2)),
    ]),
  };
}
