import {
  BLEND_NAMES,
  BONE_COLOR,
  BOX_COLOR,
  CLIPPING_COLOR,
  INHERIT_NAMES,
  PATH_COLOR,
  POINT_COLOR,
  POSITION_NAMES,
  PROPERTY_NAMES,
  ROTATE_NAMES,
  SCALE_Y_NAMES,
  SKIN_COLOR,
  SPACING_NAMES,
  WHITE,
  type AttachmentDocument,
  type ConstraintDocument,
  type LinkedMeshDocument,
  type MeshDocument,
  type NumberList,
  type PhysicsDocument,
  type RegionDocument,
  type SkeletonDocument,
  type SliderDocument,
  type SkinDocument,
  type TransformDocument,
  type VerticesDocument,
} from "../document.js";
import { writtenVersion } from "../version.js";
import { cannotWrite } from "./failure.js";
import { animationObject } from "./json-animations.js";
import { JsonNames } from "./json-names.js";
import { child, emptyObject, put, rgbaText, rgbText, type Json } from "./json-object.js";
import { Exact, jsonText } from "./json-text.js";

/** Levels of objects that the pretty form breaks into lines. */
const PRETTY_LEVELS = 5;

/** A document as the text of a 4.3 JSON file. */
export function writeJsonDocument(document: SkeletonDocument, pretty: boolean): string {
  const names = new JsonNames(document);
  const root = emptyObject();
  root["skeleton"] = headerObject(document);
  root["bones"] = document.bones.map((bone) => {
    const o: Json = { name: bone.name };
    if (bone.parent >= 0) o["parent"] = names.bone(bone.parent);
    put(o, "length", bone.length, 0);
    put(o, "rotation", bone.rotation, 0);
    put(o, "x", bone.x, 0);
    put(o, "y", bone.y, 0);
    put(o, "scaleX", bone.scaleX, 1);
    put(o, "scaleY", bone.scaleY, 1);
    put(o, "shearX", bone.shearX, 0);
    put(o, "shearY", bone.shearY, 0);
    put(o, "inherit", INHERIT_NAMES[bone.inherit], "normal");
    put(o, "skin", bone.skinRequired, false);
    putColor(o, "color", bone.color, BONE_COLOR);
    put(o, "icon", bone.icon, null);
    put(o, "iconSize", bone.iconSize, 1);
    put(o, "iconRotation", bone.iconRotation, 0);
    put(o, "visible", bone.visible, true);
    return o;
  });
  root["slots"] = document.slots.map((slot) => {
    const o: Json = { name: slot.name, bone: names.bone(slot.bone) };
    putColor(o, "color", slot.color, WHITE);
    if (slot.dark !== null) o["dark"] = rgbText(slot.dark);
    put(o, "attachment", slot.attachment, null);
    put(o, "blend", BLEND_NAMES[slot.blend], "normal");
    put(o, "visible", slot.visible, true);
    return o;
  });
  if (document.constraints.length > 0) root["constraints"] = document.constraints.map((constraint) => constraintObject(constraint, names));
  root["skins"] = document.skins.map((skin) => skinObject(skin, names));
  if (document.events.length > 0) {
    const events = child(root, "events");
    for (const event of document.events) {
      if (events[event.name] !== undefined) cannotWrite("JSON", `two events called '${event.name}'`, "Rename one.");
      const o = child(events, event.name);
      put(o, "int", event.int, 0);
      if (!Object.is(event.float, 0)) o["float"] = new Exact(event.float);
      put(o, "string", event.string, "");
      if (event.audio !== null) {
        o["audio"] = event.audio;
        if (event.volume !== 1) o["volume"] = new Exact(event.volume);
        if (!Object.is(event.balance, 0)) o["balance"] = new Exact(event.balance);
      }
    }
  }
  const animations = child(root, "animations");
  for (const animation of document.animations) {
    if (animations[animation.name] !== undefined) cannotWrite("JSON", `two animations called '${animation.name}'`, "Rename one.");
    animations[animation.name] = animationObject(animation, names);
  }
  return `${jsonText(root, pretty ? PRETTY_LEVELS : 0)}\n`;
}

function headerObject(document: SkeletonDocument): Json {
  const o = emptyObject();
  put(o, "hash", document.hash, null);
  o["spine"] = writtenVersion(document.version);
  put(o, "x", document.x, 0);
  put(o, "y", document.y, 0);
  put(o, "width", document.width, 0);
  put(o, "height", document.height, 0);
  put(o, "referenceScale", document.referenceScale, 100);
  put(o, "fps", document.fps, 30);
  put(o, "images", document.imagesPath, null);
  put(o, "audio", document.audioPath, null);
  return o;
}

function putColor(o: Json, key: string, color: number, fallback: number): void {
  if (color !== fallback) o[key] = rgbaText(color);
}

function constraintObject(constraint: ConstraintDocument, names: JsonNames): Json {
  const o: Json = { type: constraint.type, name: constraint.name };
  put(o, "skin", constraint.skinRequired, false);
  switch (constraint.type) {
    case "ik":
      o["bones"] = constraint.bones.map((bone) => names.bone(bone));
      o["target"] = names.bone(constraint.target);
      put(o, "mix", constraint.mix, 1);
      put(o, "softness", constraint.softness, 0);
      put(o, "bendPositive", constraint.bendPositive, true);
      put(o, "compress", constraint.compress, false);
      put(o, "stretch", constraint.stretch, false);
      put(o, "scaleY", SCALE_Y_NAMES[constraint.scaleY], "none");
      break;
    case "transform":
      putTransform(o, constraint, names);
      break;
    case "path":
      o["bones"] = constraint.bones.map((bone) => names.bone(bone));
      o["slot"] = names.slot(constraint.slot);
      put(o, "positionMode", POSITION_NAMES[constraint.positionMode], "percent");
      put(o, "spacingMode", SPACING_NAMES[constraint.spacingMode], "length");
      put(o, "rotateMode", ROTATE_NAMES[constraint.rotateMode], "tangent");
      put(o, "rotation", constraint.rotation, 0);
      put(o, "position", constraint.position, 0);
      put(o, "spacing", constraint.spacing, 0);
      put(o, "mixRotate", constraint.mixRotate, 1);
      put(o, "mixX", constraint.mixX, 1);
      put(o, "mixY", constraint.mixY, constraint.mixX);
      break;
    case "physics":
      putPhysics(o, constraint, names);
      break;
    case "slider":
      putSlider(o, constraint, names);
      break;
  }
  return o;
}

function putTransform(o: Json, constraint: TransformDocument, names: JsonNames): void {
  o["bones"] = constraint.bones.map((bone) => names.bone(bone));
  o["source"] = names.bone(constraint.source);
  put(o, "localSource", constraint.localSource, false);
  put(o, "localTarget", constraint.localTarget, false);
  put(o, "additive", constraint.additive, false);
  put(o, "clamp", constraint.clamp, false);
  const properties = child(o, "properties");
  const used = [false, false, false, false, false, false];
  for (const from of constraint.properties) {
    const fromName = PROPERTY_NAMES[from.property]!;
    if (properties[fromName] !== undefined) cannotWrite("JSON", `transform constraint '${constraint.name}' with two '${fromName}' properties`, "Merge them.");
    const fromObject = child(properties, fromName);
    put(fromObject, "offset", from.offset, 0);
    const targets = child(fromObject, "to");
    for (const to of from.to) {
      const toName = PROPERTY_NAMES[to.property]!;
      if (targets[toName] !== undefined) cannotWrite("JSON", `transform constraint '${constraint.name}' with two targets '${toName}' of '${fromName}'`, "Merge them.");
      const toObject = child(targets, toName);
      put(toObject, "offset", to.offset, 0);
      put(toObject, "max", to.max, 1);
      put(toObject, "scale", to.scale, 1);
      used[to.property] = true;
    }
  }
  const offsets = ["rotation", "x", "y", "scaleX", "scaleY", "shearY"];
  constraint.offsets.forEach((offset, i) => put(o, offsets[i]!, offset, 0));
  const mixNames = ["mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"];
  constraint.mixes.forEach((mix, i) => {
    if (!used[i]) return;
    // The y mixes default to what their partners come to.
    const fallback = i === 2 || i === 4 ? (used[i - 1] ? constraint.mixes[i - 1]! : 0) : 1;
    put(o, mixNames[i]!, mix, fallback);
  });
}

function putPhysics(o: Json, constraint: PhysicsDocument, names: JsonNames): void {
  o["bone"] = names.bone(constraint.bone);
  for (const key of ["x", "y", "rotate", "scaleX", "shearX"] as const) put(o, key, constraint[key], 0);
  put(o, "scaleY", SCALE_Y_NAMES[constraint.scaleY], "none");
  put(o, "limit", constraint.limit, 5000);
  if (constraint.fps !== 60) o["fps"] = new Exact(constraint.fps);
  put(o, "inertia", constraint.inertia, 0.5);
  put(o, "strength", constraint.strength, 100);
  put(o, "damping", constraint.damping, Math.fround(0.85));
  if (constraint.massInverse !== 1) o["mass"] = new Exact(massOf(constraint));
  put(o, "wind", constraint.wind, 0);
  put(o, "gravity", constraint.gravity, 0);
  put(o, "mix", constraint.mix, 1);
  for (const key of ["inertiaGlobal", "strengthGlobal", "dampingGlobal", "massGlobal", "windGlobal", "gravityGlobal", "mixGlobal"] as const) {
    put(o, key, constraint[key], false);
  }
}

/** A mass, with few digits where they do, whose inverse is the stored one. */
function massOf({ massInverse, name }: PhysicsDocument): number {
  const mass = 1 / massInverse;
  if (!(Math.abs(mass) <= 1e38)) cannotWrite("JSON", `physics constraint '${name}' with an inverse mass of ${massInverse}`, "Use a mass other than infinity.");
  for (let digits = 1; digits <= 17; digits++) {
    const short = Number(mass.toPrecision(digits));
    if (Math.fround(1 / short) === Math.fround(massInverse)) return short;
  }
  return mass;
}

function putSlider(o: Json, slider: SliderDocument, names: JsonNames): void {
  o["animation"] = names.animation(slider.animation);
  put(o, "additive", slider.additive, false);
  put(o, "loop", slider.loop, false);
  put(o, "mix", slider.mix, 1);
  if (slider.bone < 0) {
    put(o, "time", slider.time, 0);
    return;
  }
  o["bone"] = names.bone(slider.bone);
  o["property"] = PROPERTY_NAMES[slider.property];
  put(o, "from", slider.from, 0);
  put(o, "to", slider.to, 0);
  put(o, "scale", slider.scale, 1);
  put(o, "max", slider.max, 0);
  put(o, "local", slider.local, false);
}

function skinObject(skin: SkinDocument, names: JsonNames): Json {
  const o: Json = { name: skin.name };
  putColor(o, "color", skin.color, SKIN_COLOR);
  if (skin.bones.length > 0) o["bones"] = skin.bones.map((bone) => names.bone(bone));
  for (const index of skin.constraints) {
    const { type, name } = names.constraint(index);
    ((o[type] ??= []) as string[]).push(name);
  }
  const attachments = emptyObject();
  for (const { slot, placeholder, attachment } of skin.entries) {
    child(attachments, names.slot(slot))[placeholder] = attachmentObject(attachment, slot, placeholder, names);
  }
  if (skin.entries.length > 0) o["attachments"] = attachments;
  return o;
}

function attachmentObject(attachment: AttachmentDocument, slot: number, placeholder: string, names: JsonNames): Json {
  const o = emptyObject();
  put(o, "type", attachment.type, "region");
  put(o, "name", attachment.name, placeholder);
  switch (attachment.type) {
    case "region":
      putTextured(o, attachment);
      put(o, "x", attachment.x, 0);
      put(o, "y", attachment.y, 0);
      put(o, "scaleX", attachment.scaleX, 1);
      put(o, "scaleY", attachment.scaleY, 1);
      put(o, "rotation", attachment.rotation, 0);
      o["width"] = attachment.width;
      o["height"] = attachment.height;
      break;
    case "mesh":
      putTextured(o, attachment);
      o["uvs"] = attachment.uvs;
      o["triangles"] = attachment.triangles;
      o["vertices"] = verticesArray(attachment, attachment.name);
      put(o, "hull", attachment.hull, 0);
      if (attachment.edges !== null) o["edges"] = attachment.edges;
      put(o, "width", attachment.width, 0);
      put(o, "height", attachment.height, 0);
      break;
    case "linkedmesh": {
      putTextured(o, attachment);
      o["source"] = attachment.source;
      if (attachment.slot !== slot) o["slot"] = names.slot(attachment.slot);
      const skin = names.skin(attachment.skin);
      put(o, "skin", skin, "default");
      put(o, "timelines", attachment.timelines, true);
      put(o, "width", attachment.width, 0);
      put(o, "height", attachment.height, 0);
      break;
    }
    case "boundingbox":
      putVertices(o, attachment, attachment.name);
      putColor(o, "color", attachment.color, BOX_COLOR);
      break;
    case "path":
      put(o, "closed", attachment.closed, false);
      put(o, "constantSpeed", attachment.constantSpeed, true);
      o["lengths"] = attachment.lengths;
      putVertices(o, attachment, attachment.name);
      putColor(o, "color", attachment.color, PATH_COLOR);
      break;
    case "point":
      put(o, "x", attachment.x, 0);
      put(o, "y", attachment.y, 0);
      put(o, "rotation", attachment.rotation, 0);
      putColor(o, "color", attachment.color, POINT_COLOR);
      break;
    case "clipping":
      if (attachment.end >= 0) o["end"] = names.slot(attachment.end);
      put(o, "convex", attachment.convex, false);
      put(o, "inverse", attachment.inverse, false);
      putVertices(o, attachment, attachment.name);
      putColor(o, "color", attachment.color, CLIPPING_COLOR);
      break;
  }
  return o;
}

function putTextured(o: Json, attachment: RegionDocument | MeshDocument | LinkedMeshDocument): void {
  put(o, "path", attachment.path, attachment.name);
  putColor(o, "color", attachment.color, WHITE);
  if (attachment.sequence === null) return;
  const sequence = child(o, "sequence");
  sequence["count"] = attachment.sequence.count;
  put(sequence, "start", attachment.sequence.start, 1);
  put(sequence, "digits", attachment.sequence.digits, 0);
  put(sequence, "setup", attachment.sequence.setup, 0);
}

function putVertices(o: Json, attachment: VerticesDocument, name: string): void {
  o["vertexCount"] = attachment.vertexCount;
  o["vertices"] = verticesArray(attachment, name);
}

function verticesArray({ vertexCount, bones, vertices }: VerticesDocument, name: string): NumberList {
  if (bones === null) return vertices;
  const values: number[] = [];
  let v = 0;
  for (let b = 0; b < bones.length;) {
    const count = bones[b++]!;
    values.push(count);
    for (let i = 0; i < count; i++) values.push(bones[b++]!, vertices[v++]!, vertices[v++]!, vertices[v++]!);
  }
  // A list of exactly two numbers per vertex would be read as unweighted.
  if (values.length === vertexCount * 2 && vertexCount > 0) cannotWrite("JSON", `the weights of attachment '${name}'`, "Bind every vertex to at least one bone.");
  return values;
}
