import { checkIkBones } from "../checks.js";
import type {
  ConstraintDocument,
  ConstraintType,
  FromDocument,
  IkDocument,
  PathDocument,
  PhysicsDocument,
  SliderDocument,
  ToDocument,
  TransformDocument,
} from "../document.js";
import { MAX_ITEMS } from "../limits.js";
import { OLD_CONSTRAINT_TYPES, identityProperties, mergeConstraints, noteTransform, type OrderedConstraint } from "../upgrade.js";
import type { BinaryInput } from "./input.js";
import type { BinaryReader } from "./reader.js";

const TYPES: readonly ConstraintType[] = ["ik", "path", "transform", "physics", "slider"];

/** Reads all constraints into the document, from one list or from the sections of formats below 4.3. */
export function readConstraints(reader: BinaryReader): void {
  const { input, document, version } = reader;
  if (version >= 43) {
    const count = input.count("constraints", 4, MAX_ITEMS);
    for (let i = 0; i < count; i++) {
      const name = input.name("a constraint");
      document.constraints.push(readConstraint(reader, TYPES[input.choice("constraint type", 5)]!, name));
    }
  } else {
    const lists: Record<ConstraintType, OrderedConstraint[]> = { ik: [], transform: [], path: [], physics: [], slider: [] };
    for (const type of OLD_CONSTRAINT_TYPES) {
      if (type === "physics" && version < 42) continue;
      const count = input.count(`${type} constraints`, 6, MAX_ITEMS);
      for (let i = 0; i < count; i++) {
        const name = input.name(`a ${type} constraint`);
        const order = input.uv();
        const constraint = readConstraint(reader, type, name);
        noteTransform(constraint, version, reader.report);
        lists[type].push({ order, constraint });
        reader.byType[type].push(constraint);
      }
    }
    document.constraints = mergeConstraints(lists, reader.report);
  }
  document.constraints.forEach((constraint, i) => reader.indexOf.set(constraint, i));
}

function readConstraint(reader: BinaryReader, type: ConstraintType, name: string): ConstraintDocument {
  switch (type) {
    case "ik": {
      const ik = reader.version >= 42 ? readIk(reader, name) : readOldIk(reader, name);
      checkIkBones(reader.input, ik);
      return ik;
    }
    case "transform":
      return reader.version >= 43 ? readTransform(reader, name) : readOldTransform(reader, name);
    case "path":
      return reader.version >= 42 ? readPath(reader, name) : readOldPath(reader, name);
    case "physics":
      return readPhysics(reader, name);
    case "slider":
      return readSlider(reader, name);
  }
}

function readIk(reader: BinaryReader, name: string): IkDocument {
  const { input, version } = reader;
  const bones = reader.bones(), target = reader.bone();
  const flags = input.u8();
  // 4.2 has another order of bits, and the bend bit means the opposite.
  const newer = version >= 43;
  const scaleY = newer ? ((flags & 2) !== 0 ? input.choice("scaleY mode", 3) : 0) : (flags & 16) !== 0 ? 1 : 0;
  return {
    type: "ik",
    name,
    skinRequired: (flags & 1) !== 0,
    bones,
    target,
    scaleY,
    bendPositive: newer ? (flags & 4) === 0 : (flags & 2) !== 0,
    compress: (flags & (newer ? 8 : 4)) !== 0,
    stretch: (flags & (newer ? 16 : 8)) !== 0,
    mix: (flags & 32) === 0 ? 0 : (flags & 64) !== 0 ? input.f32() : 1,
    softness: (flags & 128) !== 0 ? input.f32() : 0,
  };
}

function readOldIk(reader: BinaryReader, name: string): IkDocument {
  const { input, version } = reader;
  const skinRequired = version >= 38 && input.bool();
  const bones = reader.bones(), target = reader.bone();
  const mix = input.f32();
  const softness = version >= 38 ? input.f32() : 0;
  const bendPositive = input.i8() >= 0;
  const compress = input.bool(), stretch = input.bool(), uniform = input.bool();
  return { type: "ik", name, skinRequired, bones, target, mix, softness, bendPositive, compress, stretch, scaleY: uniform ? 1 : 0 };
}

function readTransform(reader: BinaryReader, name: string): TransformDocument {
  const { input } = reader;
  const bones = reader.bones(), source = reader.bone();
  const flags = input.u8();
  const properties: FromDocument[] = [];
  for (let i = flags >> 5; i > 0; i--) {
    const property = input.choice("transform property", 6), offset = input.f32();
    const to: ToDocument[] = [];
    for (let k = input.u8(); k > 0; k--) {
      input.spend(1, "transform properties");
      to.push({ property: input.choice("transform property", 6), offset: input.f32(), max: input.f32(), scale: input.f32() });
    }
    if (to.length > 0) properties.push({ property, offset, to });
  }
  return {
    type: "transform",
    name,
    skinRequired: (flags & 1) !== 0,
    bones,
    source,
    localSource: (flags & 2) !== 0,
    localTarget: (flags & 4) !== 0,
    additive: (flags & 8) !== 0,
    clamp: (flags & 16) !== 0,
    properties,
    offsets: flagged(input, input.u8(), 6),
    mixes: flagged(input, input.u8(), 6),
  };
}

/** `count` numbers, of which only those whose bit is set are in the file. */
function flagged(input: BinaryInput, flags: number, count: number): number[] {
  const values: number[] = [];
  for (let i = 0; i < count; i++) values.push((flags & (1 << i)) !== 0 ? input.f32() : 0);
  return values;
}

function readOldTransform(reader: BinaryReader, name: string): TransformDocument {
  const { input, version } = reader;
  let skinRequired = version >= 38 && version < 42 && input.bool();
  const bones = reader.bones(), source = reader.bone();
  let local: boolean, relative: boolean, offsets: number[], mixes: number[];
  if (version === 42) {
    const flags = input.u8();
    skinRequired = (flags & 1) !== 0;
    local = (flags & 2) !== 0;
    relative = (flags & 4) !== 0;
    offsets = flagged(input, flags >> 3, 5);
    const more = input.u8();
    offsets.push(...flagged(input, more, 1));
    mixes = flagged(input, more >> 1, 6);
  } else {
    local = input.bool();
    relative = input.bool();
    offsets = input.f32s(6);
    mixes = version >= 40 ? input.f32s(6) : sixMixes(input.f32s(4));
  }
  return {
    type: "transform", name, skinRequired, bones, source, localSource: local, localTarget: local, additive: relative, clamp: false,
    properties: identityProperties(), offsets, mixes,
  };
}

/** Rotate, translate, scale and shear mix of 3.x as the six of today. */
export function sixMixes([rotate, translate, scale, shear]: readonly number[]): number[] {
  return [rotate!, translate!, translate!, scale!, scale!, shear!];
}

function readPath(reader: BinaryReader, name: string): PathDocument {
  const { input, version } = reader;
  const newer = version >= 43;
  let skinRequired = !newer && input.bool();
  const bones = reader.bones(), slot = reader.slot();
  let flags = input.u8();
  const hasRotation = (flags & 128) !== 0;
  if (newer) {
    skinRequired = (flags & 1) !== 0;
    flags >>= 1;
  }
  // Now bit 0 is the position mode in either version; 4.3 keeps the rotate mode one place higher.
  const rotateMode = (flags >> 3) & 3;
  return {
    type: "path",
    name,
    skinRequired,
    bones,
    slot,
    positionMode: flags & 1,
    spacingMode: (flags >> 1) & 3,
    rotateMode: rotateMode < 3 ? rotateMode : input.fail(`rotate mode ${rotateMode} is not known, expected 0..2.`, undefined, rotateMode),
    rotation: hasRotation ? input.f32() : 0,
    position: input.f32(),
    spacing: input.f32(),
    mixRotate: input.f32(),
    mixX: input.f32(),
    mixY: input.f32(),
  };
}

function readOldPath(reader: BinaryReader, name: string): PathDocument {
  const { input, version } = reader;
  const skinRequired = version >= 38 && input.bool();
  const bones = reader.bones(), slot = reader.slot();
  const positionMode = input.index("position mode", 2), spacingMode = input.index("spacing mode", 4), rotateMode = input.index("rotate mode", 3);
  const rotation = input.f32(), position = input.f32(), spacing = input.f32();
  const mixRotate = input.f32(), mixX = input.f32(), mixY = version >= 40 ? input.f32() : mixX;
  return { type: "path", name, skinRequired, bones, slot, positionMode, spacingMode, rotateMode, rotation, position, spacing, mixRotate, mixX, mixY };
}

function readPhysics(reader: BinaryReader, name: string): PhysicsDocument {
  const { input, version } = reader;
  const bone = reader.bone();
  const a = input.u8();
  const x = (a & 2) !== 0 ? input.f32() : 0, y = (a & 4) !== 0 ? input.f32() : 0, rotate = (a & 8) !== 0 ? input.f32() : 0;
  let scaleX = (a & 16) !== 0 ? input.f32() : 0, scaleY = 0;
  // 4.3 hides the mode of scaleY in negative numbers.
  if (version >= 43 && scaleX < 0) {
    scaleY = scaleX >= -2 ? 1 : 2;
    scaleX = -scaleY - scaleX;
  }
  const shearX = (a & 32) !== 0 ? input.f32() : 0, limit = (a & 64) !== 0 ? input.f32() : 5000;
  const fps = input.u8();
  if (fps === 0) input.fail("expected steps per second above 0, found 0.", "fps", fps);
  const inertia = input.f32(), strength = input.f32(), damping = input.f32();
  const massInverse = (a & 128) !== 0 ? input.f32() : 1;
  const wind = input.f32(), gravity = input.f32();
  const b = input.u8();
  return {
    type: "physics",
    name,
    skinRequired: (a & 1) !== 0,
    bone, x, y, rotate, scaleX, shearX, scaleY, limit, fps, inertia, strength, damping, massInverse, wind, gravity,
    mix: (b & 128) !== 0 ? input.f32() : 1,
    inertiaGlobal: (b & 1) !== 0,
    strengthGlobal: (b & 2) !== 0,
    dampingGlobal: (b & 4) !== 0,
    massGlobal: (b & 8) !== 0,
    windGlobal: (b & 16) !== 0,
    gravityGlobal: (b & 32) !== 0,
    mixGlobal: (b & 64) !== 0,
  };
}

function readSlider(reader: BinaryReader, name: string): SliderDocument {
  const { input, document } = reader;
  const flags = input.u8();
  const value = (flags & 8) !== 0 ? input.f32() : 0;
  const mix = (flags & 16) === 0 ? 0 : (flags & 32) !== 0 ? input.f32() : 1;
  const driven = (flags & 64) !== 0;
  const slider: SliderDocument = {
    type: "slider",
    name,
    skinRequired: (flags & 1) !== 0,
    animation: 0,
    additive: (flags & 4) !== 0,
    loop: (flags & 2) !== 0,
    mix,
    time: driven ? 0 : value,
    bone: -1, property: 0, from: 0, to: 0, scale: 0, max: 0, local: false,
  };
  if (driven) {
    slider.bone = reader.bone();
    slider.from = input.f32();
    slider.property = input.choice("slider property", 6);
    slider.to = input.f32();
    slider.scale = input.f32();
    slider.max = document.nonessential ? value : 0;
    slider.local = (flags & 128) !== 0;
  }
  return slider;
}
