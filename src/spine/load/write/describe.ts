import type { Attachment } from "../../attachments/attachment.js";
import { BoundingBoxAttachment } from "../../attachments/bounding-box-attachment.js";
import { ClippingAttachment } from "../../attachments/clipping-attachment.js";
import { MeshAttachment } from "../../attachments/mesh-attachment.js";
import { PathAttachment } from "../../attachments/path-attachment.js";
import { PointAttachment } from "../../attachments/point-attachment.js";
import { RegionAttachment } from "../../attachments/region-attachment.js";
import type { Sequence } from "../../attachments/sequence.js";
import type { VertexAttachment } from "../../attachments/vertex-attachment.js";
import { IkConstraintData } from "../../constraints/ik-constraint-data.js";
import { PathConstraintData } from "../../constraints/path-constraint-data.js";
import { PhysicsConstraintData } from "../../constraints/physics-constraint-data.js";
import { SliderData } from "../../constraints/slider-data.js";
import { TransformConstraintData } from "../../constraints/transform-constraint-data.js";
import type { ConstraintData } from "../../data/constraint-data.js";
import type { SkeletonData } from "../../data/skeleton-data.js";
import type { Color } from "../../utils/color.js";
import type { AttachmentDocument, ConstraintDocument, SequenceDocument, SkeletonDocument, SkinDocument, VerticesDocument } from "../document.js";
import { FROM_CLASSES, TO_CLASSES } from "../construct/constraints.js";
import { describeTimeline, type AttachmentPlace } from "./describe-timelines.js";
import { cannotWrite } from "./failure.js";

/** Skeleton data as a document, for the writers. @throws FormatError `cannot-write` for classes that no format knows */
export function describeSkeleton(data: SkeletonData): SkeletonDocument {
  const places = placesOf(data);
  const animations = new Map(data.animations.map((animation, i) => [animation, i]));
  const constraints = new Map(data.constraints.map((constraint, i) => [constraint, i]));
  return {
    hasHeader: true,
    hash: data.hash,
    version: data.version,
    x: data.x,
    y: data.y,
    width: data.width,
    height: data.height,
    referenceScale: data.referenceScale,
    nonessential: null,
    fps: data.fps,
    imagesPath: data.imagesPath,
    audioPath: data.audioPath,
    bones: data.bones.map((bone) => {
      const { x, y, rotation, scaleX, scaleY, shearX, shearY, inherit } = bone.setupPose;
      return {
        name: bone.name, parent: bone.parent?.index ?? -1, length: bone.length, x, y, rotation, scaleX, scaleY, shearX, shearY, inherit,
        skinRequired: bone.skinRequired, color: rgba(bone.color), icon: bone.icon ?? null, iconSize: bone.iconSize, iconRotation: bone.iconRotation,
        visible: bone.visible,
      };
    }),
    slots: data.slots.map((slot) => ({
      name: slot.name,
      bone: slot.boneData.index,
      color: rgba(slot.setupPose.color),
      dark: slot.setupPose.darkColor === null ? null : slot.setupPose.darkColor.toRgb888(),
      attachment: slot.attachmentName,
      blend: slot.blendMode,
      visible: slot.visible,
    })),
    constraints: data.constraints.map((constraint) => describeConstraint(constraint, animations)),
    skins: data.skins.map((skin): SkinDocument => ({
      name: skin.name,
      color: rgba(skin.color),
      bones: skin.bones.map((bone) => bone.index),
      constraints: skin.constraints.map((constraint) => constraints.get(constraint)
        ?? cannotWrite("A skeleton file", `skin '${skin.name}' with the constraint '${constraint.name}' of another skeleton`, "Remove it from the skin.")),
      entries: skin.getAttachments().map((entry) => ({
        slot: entry.slotIndex, placeholder: entry.placeholderName, attachment: describeAttachment(entry.attachment, places),
      })),
    })),
    events: data.events.map((event) => ({
      name: event.name,
      int: event.setupPose.intValue,
      float: event.setupPose.floatValue,
      string: event.setupPose.stringValue ?? "",
      audio: event.audioPath,
      volume: event.setupPose.volume,
      balance: event.setupPose.balance,
    })),
    animations: data.animations.map((animation) => ({
      name: animation.name,
      color: rgba(animation.color),
      timelines: animation.timelines.filter((timeline) => timeline.getFrameCount() > 0).map((timeline) => describeTimeline(timeline, animation, data, places)),
    })),
  };
}

function rgba({ r, g, b, a }: Color): number {
  const byte = (value: number): number => Math.max(0, Math.min(255, Math.round(value * 255)));
  return ((byte(r) << 24) | (byte(g) << 16) | (byte(b) << 8) | byte(a)) >>> 0;
}

function placesOf(data: SkeletonData): Map<Attachment, AttachmentPlace[]> {
  const places = new Map<Attachment, AttachmentPlace[]>();
  data.skins.forEach((skin, skinIndex) => {
    for (const { slotIndex, placeholderName, attachment } of skin.getAttachments()) {
      const list = places.get(attachment);
      const place = { skin: skinIndex, slot: slotIndex, placeholder: placeholderName };
      if (list === undefined) places.set(attachment, [place]);
      else list.push(place);
    }
  });
  return places;
}

function describeConstraint(constraint: ConstraintData, animations: ReadonlyMap<object, number>): ConstraintDocument {
  const { name, skinRequired } = constraint;
  if (constraint instanceof IkConstraintData) {
    const { mix, softness, bendDirection, compress, stretch } = constraint.setupPose;
    return {
      type: "ik", name, skinRequired, bones: constraint.bones.map((bone) => bone.index), target: constraint.target.index, mix, softness,
      bendPositive: bendDirection > 0, compress, stretch, scaleY: constraint.scaleYMode,
    };
  }
  if (constraint instanceof TransformConstraintData) {
    const { mixRotate, mixX, mixY, mixScaleX, mixScaleY, mixShearY } = constraint.setupPose;
    return {
      type: "transform", name, skinRequired, bones: constraint.bones.map((bone) => bone.index), source: constraint.source.index,
      localSource: constraint.localSource, localTarget: constraint.localTarget, additive: constraint.additive, clamp: constraint.clamp,
      properties: constraint.properties.map((from) => ({
        property: propertyOf(from, FROM_CLASSES),
        offset: from.offset,
        to: from.to.map((to) => ({ property: propertyOf(to, TO_CLASSES), offset: to.offset, max: to.max, scale: to.scale })),
      })),
      offsets: [...constraint.offsets],
      mixes: [mixRotate, mixX, mixY, mixScaleX, mixScaleY, mixShearY],
    };
  }
  if (constraint instanceof PathConstraintData) {
    const { position, spacing, mixRotate, mixX, mixY } = constraint.setupPose;
    return {
      type: "path", name, skinRequired, bones: constraint.bones.map((bone) => bone.index), slot: constraint.slot.index,
      positionMode: constraint.positionMode, spacingMode: constraint.spacingMode, rotateMode: constraint.rotateMode, rotation: constraint.offsetRotation,
      position, spacing, mixRotate, mixX, mixY,
    };
  }
  if (constraint instanceof PhysicsConstraintData) {
    const { inertia, strength, damping, massInverse, wind, gravity, mix } = constraint.setupPose;
    const { x, y, rotate, scaleX, shearX, limit, step } = constraint;
    const { inertiaGlobal, strengthGlobal, dampingGlobal, massGlobal, windGlobal, gravityGlobal, mixGlobal } = constraint;
    return {
      type: "physics", name, skinRequired, bone: constraint.bone.index, x, y, rotate, scaleX, shearX, scaleY: constraint.scaleYMode, limit,
      fps: framesPerSecond(step), inertia, strength, damping, massInverse, wind, gravity, mix,
      inertiaGlobal, strengthGlobal, dampingGlobal, massGlobal, windGlobal, gravityGlobal, mixGlobal,
    };
  }
  if (constraint instanceof SliderData) {
    const { bone, property } = constraint;
    const driven = bone !== null && property !== null;
    return {
      type: "slider", name, skinRequired,
      animation: animations.get(constraint.animation) ?? cannotWrite("A skeleton file", `slider '${name}' without an animation of this skeleton`, "Set its animation."),
      additive: constraint.additive, loop: constraint.loop, mix: constraint.setupPose.mix, time: driven ? 0 : constraint.setupPose.time,
      bone: driven ? bone.index : -1,
      property: driven ? propertyOf(property, FROM_CLASSES) : 0,
      from: driven ? property.offset : 0,
      to: driven ? constraint.offset : 0,
      scale: driven ? constraint.scale : 0,
      max: driven ? constraint.max : 0,
      local: driven && constraint.local,
    };
  }
  return cannotWrite("A skeleton file", `a ${constraint.constructor.name} ('${name}')`, "Remove constraints of classes of your own first.");
}

function propertyOf(property: object, classes: readonly (abstract new () => object)[]): number {
  const id = classes.findIndex((item) => property instanceof item);
  return id >= 0 ? id : cannotWrite("A skeleton file", `a ${property.constructor.name}`, "Use the property classes of osteon.");
}

/** The frame rate that a step was made from: whole where it can be. */
function framesPerSecond(step: number): number {
  const fps = 1 / step, whole = Math.round(fps);
  return Math.abs(fps - whole) < 1e-6 * fps ? whole : fps;
}

function describeAttachment(attachment: Attachment, places: ReadonlyMap<Attachment, AttachmentPlace[]>): AttachmentDocument {
  const { name } = attachment;
  if (attachment instanceof RegionAttachment) {
    const { x, y, scaleX, scaleY, rotation, width, height, path, color } = attachment;
    return { type: "region", name, path: path ?? name, color: rgba(color), sequence: describeSequence(attachment.sequence), x, y, scaleX, scaleY, rotation, width, height };
  }
  if (attachment instanceof MeshAttachment) {
    const { width, height, path, color } = attachment;
    const textured = { name, path: path ?? name, color: rgba(color), sequence: describeSequence(attachment.sequence), width, height };
    const sourceMesh = attachment.getSourceMesh();
    const place = sourceMesh === null ? undefined : places.get(sourceMesh)?.[0];
    if (place !== undefined) {
      return { type: "linkedmesh", ...textured, skin: place.skin, slot: place.slot, source: place.placeholder, timelines: attachment.timelineAttachment !== attachment };
    }
    return {
      type: "mesh", ...textured, ...describeVertices(attachment), uvs: Array.from(attachment.regionUVs), triangles: [...attachment.triangles],
      hull: attachment.hullLength >> 1, edges: attachment.edges.length > 0 ? [...attachment.edges] : null, timelineSlots: [...attachment.timelineSlots],
    };
  }
  if (attachment instanceof BoundingBoxAttachment) return { type: "boundingbox", name, color: rgba(attachment.color), ...describeVertices(attachment) };
  if (attachment instanceof PathAttachment) {
    const { closed, constantSpeed, _lengths: lengths, color } = attachment;
    return { type: "path", name, closed, constantSpeed, lengths: [...lengths], color: rgba(color), ...describeVertices(attachment) };
  }
  if (attachment instanceof PointAttachment) {
    const { x, y, rotation, color } = attachment;
    return { type: "point", name, x, y, rotation, color: rgba(color) };
  }
  if (attachment instanceof ClippingAttachment) {
    const { endSlot, convex, inverse, color } = attachment;
    return { type: "clipping", name, end: endSlot?.index ?? -1, convex, inverse, color: rgba(color), ...describeVertices(attachment) };
  }
  return cannotWrite("A skeleton file", `a ${attachment.constructor.name} ('${name}')`, "Remove attachments of classes of your own first.");
}

function describeSequence(sequence: Sequence): SequenceDocument | null {
  if (!sequence.pathSuffix) return null;
  return { count: sequence.regions.length, start: sequence.start, digits: sequence.digits, setup: sequence.setupIndex };
}

function describeVertices(attachment: VertexAttachment): VerticesDocument {
  const { _bones: bones, _vertices: vertices, worldVerticesLength } = attachment;
  return { vertexCount: worldVerticesLength >> 1, bones: bones === null ? null : [...bones], vertices: Array.from(vertices) };
}
