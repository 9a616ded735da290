import type { ConstraintData } from "../../data/constraint-data.js";
import type { SkeletonData } from "../../data/skeleton-data.js";
import { FromRotate, FromScaleX, FromScaleY, FromShearY, FromX, FromY, type FromProperty } from "../../constraints/from-property.js";
import { IkConstraintData } from "../../constraints/ik-constraint-data.js";
import { PathConstraintData } from "../../constraints/path-constraint-data.js";
import { PhysicsConstraintData } from "../../constraints/physics-constraint-data.js";
import { SliderData } from "../../constraints/slider-data.js";
import { ToRotate, ToScaleX, ToScaleY, ToShearY, ToX, ToY } from "../../constraints/to-property.js";
import { TransformConstraintData } from "../../constraints/transform-constraint-data.js";
import type {
  ConstraintDocument,
  FromDocument,
  IkDocument,
  PathDocument,
  PhysicsDocument,
  SkeletonDocument,
  SliderDocument,
  TransformDocument,
} from "../document.js";

const f32 = Math.fround;
/** Property classes by their id in documents. */
export const FROM_CLASSES = [FromRotate, FromX, FromY, FromScaleX, FromScaleY, FromShearY] as const;
export const TO_CLASSES = [ToRotate, ToX, ToY, ToScaleX, ToScaleY, ToShearY] as const;

/** Builds all constraints; sliders get their animation later. */
export function buildConstraints(document: SkeletonDocument, data: SkeletonData, scale: number): void {
  for (const source of document.constraints) {
    const constraint = buildConstraint(source, data, scale);
    constraint.skinRequired = source.skinRequired;
    data.constraints.push(constraint);
  }
}

/** Gives sliders the animations that were built since. */
export function linkSliders(document: SkeletonDocument, data: SkeletonData): void {
  document.constraints.forEach((source, i) => {
    if (source.type === "slider") (data.constraints[i] as SliderData).animation = data.animations[source.animation]!;
  });
}

function buildConstraint(source: ConstraintDocument, data: SkeletonData, scale: number): ConstraintData {
  switch (source.type) {
    case "ik": return buildIk(source, data, scale);
    case "transform": return buildTransform(source, data, scale);
    case "path": return buildPath(source, data, scale);
    case "physics": return buildPhysics(source, data, scale);
    case "slider": return buildSlider(source, data, scale);
  }
}

function buildIk(source: IkDocument, data: SkeletonData, scale: number): IkConstraintData {
  const constraint = new IkConstraintData(source.name);
  for (const bone of source.bones) constraint.bones.push(data.bones[bone]!);
  constraint.target = data.bones[source.target]!;
  constraint.scaleYMode = source.scaleY;
  const setup = constraint.setupPose;
  setup.mix = f32(source.mix);
  setup.softness = f32(source.softness * scale);
  setup.bendDirection = source.bendPositive ? 1 : -1;
  setup.compress = source.compress;
  setup.stretch = source.stretch;
  return constraint;
}

/** The loader scale for values of a property: only x and y are lengths. */
function propertyScale(property: number, scale: number): number {
  return property === 1 || property === 2 ? scale : 1;
}

function buildFrom(source: FromDocument, scale: number): FromProperty {
  const from = new FROM_CLASSES[source.property]!();
  const fromScale = propertyScale(source.property, scale);
  from.offset = f32(source.offset * fromScale);
  for (const target of source.to) {
    const to = new TO_CLASSES[target.property]!();
    const toScale = propertyScale(target.property, scale);
    to.offset = f32(target.offset * toScale);
    to.max = f32(target.max * toScale);
    to.scale = f32((target.scale * toScale) / fromScale);
    from.to.push(to);
  }
  return from;
}

function buildTransform(source: TransformDocument, data: SkeletonData, scale: number): TransformConstraintData {
  const constraint = new TransformConstraintData(source.name);
  for (const bone of source.bones) constraint.bones.push(data.bones[bone]!);
  constraint.source = data.bones[source.source]!;
  constraint.localSource = source.localSource;
  constraint.localTarget = source.localTarget;
  constraint.additive = source.additive;
  constraint.clamp = source.clamp;
  for (const property of source.properties) constraint.properties.push(buildFrom(property, scale));
  source.offsets.forEach((offset, id) => { constraint.offsets[id] = f32(offset * propertyScale(id, scale)); });
  const setup = constraint.setupPose;
  setup.mixRotate = f32(source.mixes[0]!);
  setup.mixX = f32(source.mixes[1]!);
  setup.mixY = f32(source.mixes[2]!);
  setup.mixScaleX = f32(source.mixes[3]!);
  setup.mixScaleY = f32(source.mixes[4]!);
  setup.mixShearY = f32(source.mixes[5]!);
  return constraint;
}

function buildPath(source: PathDocument, data: SkeletonData, scale: number): PathConstraintData {
  const constraint = new PathConstraintData(source.name);
  for (const bone of source.bones) constraint.bones.push(data.bones[bone]!);
  constraint.slot = data.slots[source.slot]!;
  constraint.positionMode = source.positionMode;
  constraint.spacingMode = source.spacingMode;
  constraint.rotateMode = source.rotateMode;
  constraint.offsetRotation = f32(source.rotation);
  const setup = constraint.setupPose;
  setup.position = f32(source.positionMode === 0 ? source.position * scale : source.position);
  setup.spacing = f32(source.spacingMode < 2 ? source.spacing * scale : source.spacing);
  setup.mixRotate = f32(source.mixRotate);
  setup.mixX = f32(source.mixX);
  setup.mixY = f32(source.mixY);
  return constraint;
}

function buildPhysics(source: PhysicsDocument, data: SkeletonData, scale: number): PhysicsConstraintData {
  const constraint = new PhysicsConstraintData(source.name);
  constraint.bone = data.bones[source.bone]!;
  constraint.x = f32(source.x);
  constraint.y = f32(source.y);
  constraint.rotate = f32(source.rotate);
  constraint.scaleX = f32(source.scaleX);
  constraint.shearX = f32(source.shearX);
  constraint.scaleYMode = source.scaleY;
  constraint.limit = f32(source.limit * scale);
  constraint.step = 1 / source.fps;
  constraint.inertiaGlobal = source.inertiaGlobal;
  constraint.strengthGlobal = source.strengthGlobal;
  constraint.dampingGlobal = source.dampingGlobal;
  constraint.massGlobal = source.massGlobal;
  constraint.windGlobal = source.windGlobal;
  constraint.gravityGlobal = source.gravityGlobal;
  constraint.mixGlobal = source.mixGlobal;
  const setup = constraint.setupPose;
  setup.inertia = f32(source.inertia);
  setup.strength = f32(source.strength);
  setup.damping = f32(source.damping);
  setup.massInverse = f32(source.massInverse);
  setup.wind = f32(source.wind);
  setup.gravity = f32(source.gravity);
  setup.mix = f32(source.mix);
  return constraint;
}

function buildSlider(source: SliderDocument, data: SkeletonData, scale: number): SliderData {
  const constraint = new SliderData(source.name);
  constraint.additive = source.additive;
  constraint.loop = source.loop;
  constraint.setupPose.time = f32(source.time);
  constraint.setupPose.mix = f32(source.mix);
  if (source.bone >= 0) {
    const fromScale = propertyScale(source.property, scale);
    const property = new FROM_CLASSES[source.property]!();
    property.offset = f32(source.from * fromScale);
    constraint.bone = data.bones[source.bone]!;
    constraint.property = property;
    constraint.offset = f32(source.to);
    constraint.scale = f32(source.scale / fromScale);
    constraint.max = f32(source.max);
    constraint.local = source.local;
  }
  return constraint;
}
