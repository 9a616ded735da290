import {
  BoundingBoxAttachment, ClippingAttachment, MeshAttachment, PathAttachment, PointAttachment, RegionAttachment, type Attachment,
} from "../../spine/attachments/index.js";
import { compiledFor } from "../../spine/compile/cache.js";
import { IkConstraintData } from "../../spine/constraints/ik-constraint-data.js";
import { PathConstraintData } from "../../spine/constraints/path-constraint-data.js";
import { PhysicsConstraintData } from "../../spine/constraints/physics-constraint-data.js";
import { SliderData } from "../../spine/constraints/slider-data.js";
import { TransformConstraintData } from "../../spine/constraints/transform-constraint-data.js";
import type { ConstraintData } from "../../spine/data/constraint-data.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { TextureAtlasRegion, type TextureAtlas } from "../../spine/load/texture-atlas.js";
import { Skeleton } from "../../spine/model/skeleton.js";
import type { Skin } from "../../spine/model/skin.js";
import { EventTimeline } from "../../spine/timelines/event-timeline.js";
import { Timeline } from "../../spine/timelines/timeline.js";
import { heap } from "../../wasm/heap.js";
import type { LoadedSkeleton } from "./skeleton-file.js";

/** What `osteon inspect` tells, as `--json` prints it. */
export interface SkeletonSummary {
  file: string;
  format: "json" | "binary";
  fileBytes: number;
  version: string | null;
  /** Format version it was read as. */
  readAs: string;
  hash: string | null;
  fps: number;
  bounds: { x: number; y: number; width: number; height: number };
  bones: { count: number; depth: number; skinRequired: number };
  slots: { count: number; twoColor: number; blend: Record<string, number> };
  skins: { name: string; attachments: Record<string, number>; bones: number; constraints: number }[];
  constraints: { type: string; name: string; what: string; skinRequired: boolean }[];
  events: { name: string; audio: string | null }[];
  /** `events`: how often each fires in one run. */
  animations: { name: string; duration: number; timelines: number; keys: number; events: Record<string, number> }[];
  atlas: { file: string; pages: { name: string; width: number; height: number; regions: number; filled: number; pma: boolean }[]; unused: number } | null;
  /** Linear memory: what skeletons share once every animation is compiled, and what each takes on top. */
  memory: { sharedBytes: number; skeletonBytes: number };
  warnings: string[];
}

const BLEND = ["normal", "additive", "multiply", "screen"];

export function describeSkeletonFile(loaded: LoadedSkeleton): SkeletonSummary {
  const { data, report, atlas } = loaded;
  const blend: Record<string, number> = {};
  for (const slot of data.slots) blend[BLEND[slot.blendMode]!] = (blend[BLEND[slot.blendMode]!] ?? 0) + 1;
  return {
    file: loaded.path,
    format: report.format,
    fileBytes: loaded.byteCount,
    version: data.version,
    readAs: report.readAs,
    hash: data.hash,
    fps: data.fps,
    bounds: { x: data.x, y: data.y, width: data.width, height: data.height },
    bones: { count: data.bones.length, depth: depthOf(data), skinRequired: data.bones.filter((bone) => bone.skinRequired).length },
    slots: { count: data.slots.length, twoColor: data.slots.filter((slot) => slot.setupPose.darkColor !== null).length, blend },
    skins: data.skins.map((skin) => ({ name: skin.name, attachments: kindsOf(skin), bones: skin.bones.length, constraints: skin.constraints.length })),
    constraints: data.constraints.map((constraint) => ({ ...describeConstraint(constraint), name: constraint.name, skinRequired: constraint.skinRequired })),
    events: data.events.map((event) => ({ name: event.name, audio: event.audioPath })),
    animations: data.animations.map((animation) => {
      const events: Record<string, number> = {};
      let keys = 0;
      for (const timeline of animation.timelines) {
        keys += timeline.getFrameCount();
        if (timeline instanceof EventTimeline) for (const event of timeline.events) events[event.data.name] = (events[event.data.name] ?? 0) + 1;
      }
      return { name: animation.name, duration: animation.duration, timelines: animation.timelines.length, keys, events };
    }),
    atlas: atlas === undefined ? null : describeAtlas(atlas, loaded.atlasPath!, data),
    memory: measure(data),
    warnings: report.notes.map((note) => (note.count > 1 ? `${note.message} (${note.count} times)` : note.message)),
  };
}

function depthOf(data: SkeletonData): number {
  const depths: number[] = [];
  for (const bone of data.bones) depths.push(bone.parent === null ? 1 : depths[bone.parent.index]! + 1);
  return Math.max(0, ...depths);
}

function kindOf(attachment: Attachment): string {
  if (attachment instanceof RegionAttachment) return "region";
  if (attachment instanceof MeshAttachment) return attachment.getSourceMesh() === null ? "mesh" : "linked mesh";
  if (attachment instanceof BoundingBoxAttachment) return "bounding box";
  if (attachment instanceof PathAttachment) return "path";
  if (attachment instanceof PointAttachment) return "point";
  return attachment instanceof ClippingAttachment ? "clipping polygon" : attachment.constructor.name;
}

function kindsOf(skin: Skin): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { attachment } of skin.getAttachments()) kinds[kindOf(attachment)] = (kinds[kindOf(attachment)] ?? 0) + 1;
  return kinds;
}

function names(list: readonly { name: string }[]): string {
  const shown = list.slice(0, 4).map((item) => item.name);
  return list.length > 4 ? `${shown.join(", ")} and ${list.length - 4} more` : shown.join(", ");
}

function describeConstraint(constraint: ConstraintData): { type: string; what: string } {
  if (constraint instanceof IkConstraintData) return { type: "IK", what: `${names(constraint.bones)} to ${constraint.target.name}` };
  if (constraint instanceof TransformConstraintData) return { type: "transform", what: `${names(constraint.bones)} from ${constraint.source.name}` };
  if (constraint instanceof PathConstraintData) return { type: "path", what: `${names(constraint.bones)} along ${constraint.slot.name}` };
  if (constraint instanceof PhysicsConstraintData) return { type: "physics", what: constraint.bone.name };
  if (constraint instanceof SliderData) {
    return { type: "slider", what: `${constraint.animation.name}${constraint.bone === null ? "" : ` by ${constraint.bone.name}`}` };
  }
  return { type: constraint.constructor.name, what: "" };
}

function describeAtlas(atlas: TextureAtlas, file: string, data: SkeletonData): SkeletonSummary["atlas"] {
  const used = new Set<unknown>();
  for (const skin of data.skins) {
    for (const { attachment } of skin.getAttachments()) {
      if (attachment instanceof RegionAttachment || attachment instanceof MeshAttachment) for (const region of attachment.sequence.regions) used.add(region);
    }
  }
  return {
    file,
    unused: atlas.regions.filter((region) => region instanceof TextureAtlasRegion && !used.has(region)).length,
    pages: atlas.pages.map((page) => {
      const filled = page.regions.reduce((sum, region) => sum + region.width * region.height, 0) / (page.width * page.height);
      return { name: page.name, width: page.width, height: page.height, regions: page.regions.length, filled: Number.isFinite(filled) ? Math.round(filled * 100) : 0, pma: page.pma };
    }),
  };
}

/** Compiles everything and looks at what linear memory is in use for it. */
function measure(data: SkeletonData): SkeletonSummary["memory"] {
  if (data.bones.length === 0) return { sharedBytes: 0, skeletonBytes: 0 };
  // The first skeleton makes what all share: the rig, the update program, records of the attachments shown.
  const start = heap.usedBytes;
  const first = new Skeleton(data);
  first.setupPose();
  for (const animation of data.animations) compiledFor(animation, animation.timelines, data, Timeline.prototype.apply);
  const one = heap.usedBytes;
  const second = new Skeleton(data);
  second.setupPose();
  const skeletonBytes = heap.usedBytes - one;
  second.dispose();
  first.dispose();
  return { sharedBytes: one - start - skeletonBytes, skeletonBytes };
}
