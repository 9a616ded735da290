import { CONSTRAINT_TYPES, checkIkBones } from "../checks.js";
import {
  POSITION_NAMES,
  PROPERTY_NAMES,
  ROTATE_NAMES,
  SCALE_Y_NAMES,
  SPACING_NAMES,
  type ConstraintDocument,
  type ConstraintType,
  type FromDocument,
  type IkDocument,
  type PathDocument,
  type PhysicsDocument,
  type SliderDocument,
  type ToDocument,
  type TransformDocument,
} from "../document.js";
import { OLD_CONSTRAINT_TYPES, identityProperties, mergeConstraints, noteTransform, type OrderedConstraint } from "../upgrade.js";
import type { JsonReader } from "./reader.js";
import type { JsonObject } from "./source.js";

/** Reads `constraints`, or the three or four lists of formats below 4.3. */
export function readConstraints(reader: JsonReader, root: JsonObject): ConstraintDocument[] {
  const { source } = reader;
  const list = source.array(root, "constraints");
  if (list === undefined) return readOldConstraints(reader, root);
  reader.checkCount(list.length, "constraints");
  const constraints: ConstraintDocument[] = [];
  source.path.push("constraints", 0);
  for (let i = 0; i < list.length; i++) {
    source.path[1] = i;
    const o = source.asObject(list[i], i);
    const type = source.string(o, "type", null) ?? source.fail(`a constraint needs 'type', one of ${CONSTRAINT_TYPES.join(", ")}.`, "type");
    const index = CONSTRAINT_TYPES.indexOf(type as ConstraintType);
    if (index < 0) source.unknown("constraint type", type, CONSTRAINT_TYPES, "type");
    constraints.push(readConstraint(reader, o, CONSTRAINT_TYPES[index]!, false));
  }
  source.path.length = 0;
  return constraints;
}

function readOldConstraints(reader: JsonReader, root: JsonObject): ConstraintDocument[] {
  const { source } = reader;
  const lists: Record<ConstraintType, OrderedConstraint[]> = { ik: [], transform: [], path: [], physics: [], slider: [] };
  let count = 0;
  for (const type of OLD_CONSTRAINT_TYPES) {
    const list = source.array(root, type);
    if (list === undefined) continue;
    count += list.length;
    reader.checkCount(count, "constraints");
    source.path.push(type, 0);
    for (let i = 0; i < list.length; i++) {
      source.path[1] = i;
      const o = source.asObject(list[i], i);
      const constraint = readConstraint(reader, o, type, true);
      noteTransform(constraint, reader.version, reader.report);
      lists[type].push({ order: source.integer(o, "order", 0), constraint });
    }
    source.path.length = 0;
  }
  return mergeConstraints(lists, reader.report);
}

function readConstraint(reader: JsonReader, o: JsonObject, type: ConstraintType, old: boolean): ConstraintDocument {
  switch (type) {
    case "ik": return readIk(reader, o);
    case "transform": return readTransform(reader, o, old);
    case "path": return readPath(reader, o, old);
    case "physics": return readPhysics(reader, o);
    case "slider": return readSlider(reader, o);
  }
}

function readIk(reader: JsonReader, o: JsonObject): IkDocument {
  const { source } = reader;
  const constraint: IkDocument = {
    type: "ik",
    name: source.name(o, "name", "an IK constraint"),
    skinRequired: source.boolean(o, "skin", false),
    bones: source.references(o, "bones", "bone", reader.bones),
    target: source.reference(o, "target", "bone", reader.bones, "an IK constraint"),
    mix: source.number(o, "mix", 1),
    softness: source.number(o, "softness", 0),
    bendPositive: source.boolean(o, "bendPositive", true),
    compress: source.boolean(o, "compress", false),
    stretch: source.boolean(o, "stretch", false),
    scaleY: source.choice(o, "scaleY", SCALE_Y_NAMES, source.boolean(o, "uniform", false) ? 1 : 0),
  };
  checkIkBones(source, constraint);
  return constraint;
}

function readTransform(reader: JsonReader, o: JsonObject, old: boolean): TransformDocument {
  const { source } = reader;
  const name = source.name(o, "name", "a transform constraint");
  const local = source.boolean(o, "local", false);
  const properties = old ? identityProperties() : readProperties(reader, o);
  const constraint: TransformDocument = {
    type: "transform",
    name,
    skinRequired: source.boolean(o, "skin", false),
    bones: source.references(o, "bones", "bone", reader.bones),
    source: source.reference(o, o["source"] === undefined && o["target"] !== undefined ? "target" : "source", "bone", reader.bones, "a transform constraint"),
    localSource: source.boolean(o, "localSource", local),
    localTarget: source.boolean(o, "localTarget", local),
    additive: source.boolean(o, "additive", source.boolean(o, "relative", false)),
    clamp: source.boolean(o, "clamp", false),
    properties,
    offsets: [
      source.number(o, "rotation", 0),
      source.number(o, "x", 0),
      source.number(o, "y", 0),
      source.number(o, "scaleX", 0),
      source.number(o, "scaleY", 0),
      source.number(o, "shearY", 0),
    ],
    mixes: [0, 0, 0, 0, 0, 0],
  };
  // A mix counts only where something is mapped to its property; otherwise it stays 0.
  const used = PROPERTY_NAMES.map((_, id) => properties.some((from) => from.to.some((to) => to.property === id)));
  const rotate = mix(reader, o, "mixRotate", "rotateMix", 1);
  const x = used[1] ? mix(reader, o, "mixX", "translateMix", 1) : 0;
  const scaleX = used[3] ? mix(reader, o, "mixScaleX", "scaleMix", 1) : 0;
  constraint.mixes = [
    used[0] ? rotate : 0,
    x,
    used[2] ? mix(reader, o, "mixY", "translateMix", x) : 0,
    scaleX,
    used[4] ? mix(reader, o, "mixScaleY", "scaleMix", scaleX) : 0,
    used[5] ? mix(reader, o, "mixShearY", "shearMix", 1) : 0,
  ];
  return constraint;
}

/** A mix by its name since 4.0, or by that of 3.x where the newer one is absent. */
function mix(reader: JsonReader, o: JsonObject, name: string, old: string, fallback: number): number {
  return reader.source.number(o, o[name] === undefined && reader.version < 40 ? old : name, fallback);
}

function readProperties(reader: JsonReader, o: JsonObject): FromDocument[] {
  const { source } = reader;
  const properties = source.object(o, "properties");
  if (properties === undefined) return [];
  const list: FromDocument[] = [];
  source.path.push("properties");
  for (const fromName of Object.keys(properties)) {
    const from = source.asObject(properties[fromName], fromName);
    const property = propertyId(reader, fromName, fromName);
    source.path.push(fromName);
    const targets = source.object(from, "to");
    const to: ToDocument[] = [];
    if (targets !== undefined) {
      source.path.push("to");
      for (const toName of Object.keys(targets)) {
        const id = propertyId(reader, toName, toName);
        const target = source.asObject(targets[toName], toName);
        source.path.push(toName);
        to.push({
          property: id,
          offset: source.number(target, "offset", 0),
          max: source.number(target, "max", 1),
          scale: source.number(target, "scale", 1),
        });
        source.path.pop();
      }
      source.path.pop();
    }
    if (to.length > 0) list.push({ property, offset: source.number(from, "offset", 0), to });
    source.path.pop();
  }
  source.path.pop();
  return list;
}

function propertyId(reader: JsonReader, name: string, key: string): number {
  const id = PROPERTY_NAMES.indexOf(name as (typeof PROPERTY_NAMES)[number]);
  return id < 0 ? reader.source.unknown("transform property", name, PROPERTY_NAMES, key) : id;
}

function readPath(reader: JsonReader, o: JsonObject, old: boolean): PathDocument {
  const { source } = reader;
  const name = source.name(o, "name", "a path constraint");
  const mixX = mix(reader, o, "mixX", "translateMix", 1);
  return {
    type: "path",
    name,
    skinRequired: source.boolean(o, "skin", false),
    bones: source.references(o, "bones", "bone", reader.bones),
    slot: source.reference(o, o["slot"] === undefined && (old || o["target"] !== undefined) ? "target" : "slot", "slot", reader.slots, "a path constraint"),
    positionMode: source.choice(o, "positionMode", POSITION_NAMES, 1),
    spacingMode: source.choice(o, "spacingMode", SPACING_NAMES, 0),
    rotateMode: source.choice(o, "rotateMode", ROTATE_NAMES, 0),
    rotation: source.number(o, "rotation", 0),
    position: source.number(o, "position", 0),
    spacing: source.number(o, "spacing", 0),
    mixRotate: mix(reader, o, "mixRotate", "rotateMix", 1),
    mixX,
    mixY: mix(reader, o, "mixY", "translateMix", mixX),
  };
}

function readPhysics(reader: JsonReader, o: JsonObject): PhysicsDocument {
  const { source } = reader;
  const before43 = reader.version < 43;
  const name = source.name(o, "name", "a physics constraint");
  const fps = source.number(o, "fps", 60);
  if (!(fps > 0)) source.fail(`expected steps per second above 0, found ${fps}.`, "fps", fps);
  const mass = source.number(o, "mass", 1);
  // 1 / mass must be a number that single precision holds.
  if (!(Math.abs(mass) > 1e-38)) source.fail(`expected a mass other than 0, found ${mass}.`, "mass", mass);
  return {
    type: "physics",
    name,
    skinRequired: source.boolean(o, "skin", false),
    bone: source.reference(o, "bone", "bone", reader.bones, "a physics constraint"),
    x: source.number(o, "x", 0),
    y: source.number(o, "y", 0),
    rotate: source.number(o, "rotate", 0),
    scaleX: source.number(o, "scaleX", 0),
    shearX: source.number(o, "shearX", 0),
    scaleY: source.choice(o, "scaleY", SCALE_Y_NAMES, 0),
    limit: source.number(o, "limit", 5000),
    fps,
    inertia: source.number(o, "inertia", before43 ? 1 : 0.5),
    strength: source.number(o, "strength", 100),
    damping: source.number(o, "damping", before43 ? 1 : 0.85),
    massInverse: 1 / mass,
    wind: source.number(o, "wind", 0),
    gravity: source.number(o, "gravity", 0),
    mix: source.number(o, "mix", 1),
    inertiaGlobal: source.boolean(o, "inertiaGlobal", false),
    strengthGlobal: source.boolean(o, "strengthGlobal", false),
    dampingGlobal: source.boolean(o, "dampingGlobal", false),
    massGlobal: source.boolean(o, "massGlobal", false),
    windGlobal: source.boolean(o, "windGlobal", false),
    gravityGlobal: source.boolean(o, "gravityGlobal", false),
    mixGlobal: source.boolean(o, "mixGlobal", false),
  };
}

function readSlider(reader: JsonReader, o: JsonObject): SliderDocument {
  const { source } = reader;
  const name = source.name(o, "name", "a slider");
  const hasBone = source.string(o, "bone", null) !== null;
  const slider: SliderDocument = {
    type: "slider",
    name,
    skinRequired: source.boolean(o, "skin", false),
    animation: source.reference(o, "animation", "animation", reader.animations, "a slider"),
    additive: source.boolean(o, "additive", false),
    loop: source.boolean(o, "loop", false),
    mix: source.number(o, "mix", 1),
    time: hasBone ? 0 : source.number(o, "time", 0),
    bone: -1,
    property: 0,
    from: 0,
    to: 0,
    scale: 0,
    max: 0,
    local: false,
  };
  if (hasBone) {
    slider.bone = source.reference(o, "bone", "bone", reader.bones, "a slider");
    slider.property = propertyId(reader, source.name(o, "property", "a slider with a bone"), "property");
    slider.from = source.number(o, "from", 0);
    slider.to = source.number(o, "to", 0);
    slider.scale = source.number(o, "scale", 1);
    slider.max = source.number(o, "max", 0);
    slider.local = source.boolean(o, "local", false);
  }
  return slider;
}
