/**
 * A skeleton as plain data: the 4.3 model with names resolved to indices, before loader scale, without atlas and without
 * classes. Every reader of every format and version produces it, every writer consumes it, one builder makes
 * `SkeletonData` of it.
 *
 * Colours are 0xRRGGBBAA, or 0xRRGGBB where there is no alpha. Angles are degrees, times seconds. Order is semantic
 * everywhere.
 */

import type { NumberList, TimelineDocument } from "./timeline-document.js";

export * from "./timeline-document.js";

/** Property ids of transform constraints and sliders. */
export const PROPERTY_NAMES = ["rotate", "x", "y", "scaleX", "scaleY", "shearY"] as const;
export const INHERIT_NAMES = ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"] as const;
export const BLEND_NAMES = ["normal", "additive", "multiply", "screen"] as const;
export const SCALE_Y_NAMES = ["none", "uniform", "volume"] as const;
export const POSITION_NAMES = ["fixed", "percent"] as const;
export const SPACING_NAMES = ["length", "fixed", "percent", "proportional"] as const;
export const ROTATE_NAMES = ["tangent", "chain", "chainScale"] as const;
export const SEQUENCE_MODE_NAMES = ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"] as const;

/** Editor colours where a file has none. */
export const BONE_COLOR = 0x9b9b9bff;
export const SKIN_COLOR = 0xfe9e4fff;
export const WHITE = 0xffffffff;
export const BOX_COLOR = 0x60f000ff;
export const PATH_COLOR = 0xff7f00ff;
export const POINT_COLOR = 0x61f000ff;
export const CLIPPING_COLOR = 0xce3a3aff;

export interface SkeletonDocument {
  /** False if the file has no header; then `referenceScale` is not subject to the loader's scale. */
  hasHeader: boolean;
  /** Unpadded base64 of eight bytes in 4.x files, other text in older ones; null for none. */
  hash: string | null;
  version: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
  referenceScale: number;
  /** Whether editor data (frame rate, paths, icons, editor colours, edges) is part of the file; null if that shows only in the data. */
  nonessential: boolean | null;
  fps: number;
  imagesPath: string | null;
  audioPath: string | null;
  bones: BoneDocument[];
  slots: SlotDocument[];
  constraints: ConstraintDocument[];
  skins: SkinDocument[];
  events: EventDocument[];
  animations: AnimationDocument[];
}

export interface BoneDocument {
  name: string;
  /** Index of an earlier bone, -1 for the root. */
  parent: number;
  length: number;
  x: number;
  y: number;
  rotation: number;
  scaleX: number;
  scaleY: number;
  shearX: number;
  shearY: number;
  inherit: number;
  skinRequired: boolean;
  color: number;
  icon: string | null;
  iconSize: number;
  iconRotation: number;
  visible: boolean;
}

export interface SlotDocument {
  name: string;
  bone: number;
  color: number;
  /** 0xRRGGBB, null without two-colour tint. */
  dark: number | null;
  attachment: string | null;
  blend: number;
  visible: boolean;
}

interface ConstraintBase {
  name: string;
  skinRequired: boolean;
}

export interface IkDocument extends ConstraintBase {
  type: "ik";
  bones: number[];
  target: number;
  mix: number;
  softness: number;
  bendPositive: boolean;
  compress: boolean;
  stretch: boolean;
  scaleY: number;
}

export interface ToDocument {
  property: number;
  offset: number;
  max: number;
  scale: number;
}

export interface FromDocument {
  property: number;
  offset: number;
  to: ToDocument[];
}

export interface TransformDocument extends ConstraintBase {
  type: "transform";
  bones: number[];
  source: number;
  localSource: boolean;
  localTarget: boolean;
  additive: boolean;
  clamp: boolean;
  properties: FromDocument[];
  /** rotation, x, y, scaleX, scaleY, shearY */
  offsets: number[];
  /** rotate, x, y, scaleX, scaleY, shearY */
  mixes: number[];
}

export interface PathDocument extends ConstraintBase {
  type: "path";
  bones: number[];
  slot: number;
  positionMode: number;
  spacingMode: number;
  rotateMode: number;
  rotation: number;
  position: number;
  spacing: number;
  mixRotate: number;
  mixX: number;
  mixY: number;
}

export interface PhysicsDocument extends ConstraintBase {
  type: "physics";
  bone: number;
  x: number;
  y: number;
  rotate: number;
  scaleX: number;
  shearX: number;
  scaleY: number;
  limit: number;
  fps: number;
  inertia: number;
  strength: number;
  damping: number;
  massInverse: number;
  wind: number;
  gravity: number;
  mix: number;
  inertiaGlobal: boolean;
  strengthGlobal: boolean;
  dampingGlobal: boolean;
  massGlobal: boolean;
  windGlobal: boolean;
  gravityGlobal: boolean;
  mixGlobal: boolean;
}

export interface SliderDocument extends ConstraintBase {
  type: "slider";
  /** Index of the animation. */
  animation: number;
  additive: boolean;
  loop: boolean;
  mix: number;
  /** Setup time; 0 with a bone. */
  time: number;
  /** Driving bone, -1 for none; what follows is used only with one. */
  bone: number;
  property: number;
  from: number;
  to: number;
  scale: number;
  max: number;
  local: boolean;
}

export type ConstraintDocument = IkDocument | TransformDocument | PathDocument | PhysicsDocument | SliderDocument;
export type ConstraintType = ConstraintDocument["type"];

export interface SkinDocument {
  name: string;
  color: number;
  bones: number[];
  constraints: number[];
  entries: SkinEntryDocument[];
}

export interface SkinEntryDocument {
  slot: number;
  placeholder: string;
  attachment: AttachmentDocument;
}

export interface SequenceDocument {
  count: number;
  start: number;
  digits: number;
  setup: number;
}

export interface VerticesDocument {
  /** Vertex count. */
  vertexCount: number;
  /** Null for unweighted vertices; else per vertex a count and that many bone indices. */
  bones: number[] | null;
  /** Unweighted x, y per vertex; weighted x, y, weight per influence. */
  vertices: NumberList;
}

interface AttachmentBase {
  name: string;
}

interface TexturedBase extends AttachmentBase {
  path: string;
  color: number;
  sequence: SequenceDocument | null;
  width: number;
  height: number;
}

export interface RegionDocument extends TexturedBase {
  type: "region";
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  rotation: number;
}

export interface MeshDocument extends TexturedBase, VerticesDocument {
  type: "mesh";
  uvs: NumberList;
  triangles: number[];
  /** Hull vertices, at the beginning of the list. */
  hull: number;
  edges: number[] | null;
  /** Other slots that hold linked meshes which take over this mesh's timelines. */
  timelineSlots: number[];
}

export interface LinkedMeshDocument extends TexturedBase {
  type: "linkedmesh";
  /** Where the source mesh is. */
  skin: number;
  slot: number;
  source: string;
  timelines: boolean;
}

export interface BoundingBoxDocument extends AttachmentBase, VerticesDocument {
  type: "boundingbox";
  color: number;
}

export interface PathAttachmentDocument extends AttachmentBase, VerticesDocument {
  type: "path";
  closed: boolean;
  constantSpeed: boolean;
  lengths: number[];
  color: number;
}

export interface PointDocument extends AttachmentBase {
  type: "point";
  x: number;
  y: number;
  rotation: number;
  color: number;
}

export interface ClippingDocument extends AttachmentBase, VerticesDocument {
  type: "clipping";
  /** Slot that ends clipping, -1 for the end of the draw order. */
  end: number;
  convex: boolean;
  inverse: boolean;
  color: number;
}

export type AttachmentDocument =
  | RegionDocument
  | MeshDocument
  | LinkedMeshDocument
  | BoundingBoxDocument
  | PathAttachmentDocument
  | PointDocument
  | ClippingDocument;
export type VertexAttachmentDocument = MeshDocument | BoundingBoxDocument | PathAttachmentDocument | ClippingDocument;

export interface EventDocument {
  name: string;
  int: number;
  float: number;
  string: string;
  audio: string | null;
  volume: number;
  balance: number;
}

export interface AnimationDocument {
  name: string;
  /** Editor colour. */
  color: number;
  timelines: TimelineDocument[];
}

/** Length of a deform frame of a vertex attachment: x, y per vertex or per influence. */
export function deformLength(attachment: VerticesDocument): number {
  return attachment.bones === null ? attachment.vertices.length : (attachment.vertices.length / 3) * 2;
}
