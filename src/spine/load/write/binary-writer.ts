import {
  BONE_COLOR,
  BOX_COLOR,
  CLIPPING_COLOR,
  PATH_COLOR,
  POINT_COLOR,
  SKIN_COLOR,
  WHITE,
  type ConstraintDocument,
  type PhysicsDocument,
  type SkeletonDocument,
  type SliderDocument,
} from "../document.js";
import type { LoadReport } from "../report.js";
import { writtenVersion } from "../version.js";
import { writeAnimation } from "./binary-animations.js";
import { BinaryOutput, StringTable } from "./binary-output.js";
import { writeSkins } from "./binary-skins.js";
import { cannotWrite } from "./failure.js";

/** The state of writing one file. */
export interface BinaryContext {
  document: SkeletonDocument;
  out: BinaryOutput;
  strings: StringTable;
  nonessential: boolean;
  /** Number of a skin in the file, by its index in the document; -1 if it is left out. */
  skins: number[];
  report: LoadReport | undefined;
}

const CONSTRAINT_IDS = { ik: 0, path: 1, transform: 2, physics: 3, slider: 4 } as const;

/**
 * A document as the bytes of a 4.3 binary file.
 * @param report - takes notes on what the format cannot hold exactly
 * @throws FormatError `cannot-write` for what it cannot hold at all
 */
export function writeBinaryDocument(document: SkeletonDocument, report?: LoadReport): Uint8Array {
  const context: BinaryContext = {
    document, out: new BinaryOutput(), strings: new StringTable(), nonessential: document.nonessential === true || hasEditorData(document), skins: [], report,
  };
  const { out, strings, nonessential } = context;
  writeBones(context);
  out.uv(document.slots.length);
  for (const slot of document.slots) {
    out.string(slot.name);
    out.uv(slot.bone);
    out.rgba(slot.color);
    out.i32(slot.dark ?? -1);
    out.uv(strings.number(slot.attachment));
    out.uv(slot.blend);
    if (nonessential) out.bool(slot.visible);
  }
  out.uv(document.constraints.length);
  for (const constraint of document.constraints) {
    out.string(constraint.name);
    out.u8(CONSTRAINT_IDS[constraint.type]);
    writeConstraint(context, constraint);
  }
  writeSkins(context);
  out.uv(document.events.length);
  for (const event of document.events) {
    out.string(event.name);
    out.sv(event.int);
    out.f32(event.float);
    out.string(event.string);
    // Readers disagree on what follows an empty path.
    const audio = event.audio === "" ? null : event.audio;
    out.string(audio);
    if (audio !== null) out.f32s([event.volume, event.balance]);
  }
  out.uv(document.animations.length);
  for (const animation of document.animations) writeAnimation(context, animation);
  for (const constraint of document.constraints) if (constraint.type === "slider") out.uv(constraint.animation);

  const file = new BinaryOutput();
  writeHeader(file, context);
  file.uv(strings.strings.length);
  for (const text of strings.strings) file.string(text);
  file.bytes(out.finish());
  return file.finish();
}

function writeHeader(file: BinaryOutput, { document, nonessential }: BinaryContext): void {
  file.bytes(hashBytes(document.hash));
  file.string(writtenVersion(document.version));
  file.f32s([document.x, document.y, document.width, document.height, document.referenceScale]);
  file.bool(nonessential);
  if (!nonessential) return;
  file.f32(document.fps);
  file.string(document.imagesPath);
  file.string(document.audioPath);
}

/** The eight bytes that a 4.x hash spells in base64; bytes made from other texts, so that they differ where those do. */
function hashBytes(hash: string | null): Uint8Array {
  const bytes = new Uint8Array(8);
  if (hash === null || hash === "") return bytes;
  if (/^[A-Za-z0-9+/]{11}$/.test(hash)) {
    bytes.set(Uint8Array.from(atob(hash), (char) => char.charCodeAt(0)).subarray(0, 8));
    return bytes;
  }
  let a = 0x811c9dc5, b = 0xc9dc5118;
  for (let i = 0; i < hash.length; i++) {
    a = Math.imul(a ^ hash.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ hash.charCodeAt(hash.length - 1 - i), 0x01000193);
  }
  const view = new DataView(bytes.buffer);
  view.setInt32(0, a);
  view.setInt32(4, b);
  return bytes;
}

/** Whether anything differs from what a file without editor data is read as. */
function hasEditorData(document: SkeletonDocument): boolean {
  if (document.fps !== 30 || document.imagesPath !== null || document.audioPath !== null) return true;
  if (document.bones.some((bone) => bone.color !== BONE_COLOR || bone.icon !== null || bone.iconSize !== 1 || bone.iconRotation !== 0 || !bone.visible)) return true;
  if (document.slots.some((slot) => !slot.visible)) return true;
  if (document.constraints.some((constraint) => constraint.type === "slider" && constraint.max !== 0)) return true;
  if (document.animations.some((animation) => animation.color !== WHITE)) return true;
  const defaults = { region: WHITE, mesh: WHITE, linkedmesh: WHITE, boundingbox: BOX_COLOR, path: PATH_COLOR, point: POINT_COLOR, clipping: CLIPPING_COLOR };
  return document.skins.some((skin) => skin.color !== SKIN_COLOR || skin.entries.some(({ attachment }) => {
    switch (attachment.type) {
      case "region": return false;
      case "mesh": return attachment.edges !== null || attachment.width !== 0 || attachment.height !== 0;
      case "linkedmesh": return attachment.width !== 0 || attachment.height !== 0;
      default: return attachment.color !== defaults[attachment.type];
    }
  }));
}

function writeBones({ document, out, nonessential }: BinaryContext): void {
  out.uv(document.bones.length);
  document.bones.forEach((bone, i) => {
    out.string(bone.name);
    if (i === 0 ? bone.parent >= 0 : bone.parent < 0) {
      cannotWrite("The binary format", `bone '${bone.name}' without a parent`, "Only the first bone may be a root; give the others a parent.");
    }
    if (i > 0) out.uv(bone.parent);
    out.f32s([bone.rotation, bone.x, bone.y, bone.scaleX, bone.scaleY, bone.shearX, bone.shearY]);
    out.u8(bone.inherit);
    out.f32(bone.length);
    out.bool(bone.skinRequired);
    if (!nonessential) return;
    out.rgba(bone.color);
    out.string(bone.icon);
    out.f32s([bone.iconSize, bone.iconRotation]);
    out.bool(bone.visible);
  });
}

function writeIndices(out: BinaryOutput, indices: readonly number[]): void {
  out.uv(indices.length);
  for (const index of indices) out.uv(index);
}

/** One bit for each flag, the first being 1. */
function bits(...flags: boolean[]): number {
  return flags.reduce((sum, flag, i) => (flag ? sum | (1 << i) : sum), 0);
}

/** A number that a reader would not get from a clear bit. */
function isSet(value: number, fallback = 0): boolean {
  return !Object.is(Math.fround(value), fallback);
}

function writeConstraint(context: BinaryContext, constraint: ConstraintDocument): void {
  const { out } = context;
  switch (constraint.type) {
    case "ik": {
      writeIndices(out, constraint.bones);
      out.uv(constraint.target);
      const { mix, softness, scaleY } = constraint;
      out.u8(bits(constraint.skinRequired, scaleY !== 0, !constraint.bendPositive, constraint.compress, constraint.stretch, isSet(mix), isSet(mix, 1), isSet(softness)));
      if (scaleY !== 0) out.u8(scaleY);
      if (isSet(mix) && isSet(mix, 1)) out.f32(mix);
      if (isSet(softness)) out.f32(softness);
      break;
    }
    case "path": {
      writeIndices(out, constraint.bones);
      out.uv(constraint.slot);
      const turned = isSet(constraint.rotation);
      out.u8(bits(constraint.skinRequired) | (constraint.positionMode << 1) | (constraint.spacingMode << 2) | (constraint.rotateMode << 4) | (turned ? 128 : 0));
      if (turned) out.f32(constraint.rotation);
      out.f32s([constraint.position, constraint.spacing, constraint.mixRotate, constraint.mixX, constraint.mixY]);
      break;
    }
    case "transform": {
      writeIndices(out, constraint.bones);
      out.uv(constraint.source);
      const { properties, name } = constraint;
      if (properties.length > 7) cannotWrite("The binary format", `transform constraint '${name}' with ${properties.length} source properties`, "Use at most seven.");
      out.u8(bits(constraint.skinRequired, constraint.localSource, constraint.localTarget, constraint.additive, constraint.clamp) | (properties.length << 5));
      for (const from of properties) {
        out.u8(from.property);
        out.f32(from.offset);
        out.u8(from.to.length);
        for (const to of from.to) {
          out.u8(to.property);
          out.f32s([to.offset, to.max, to.scale]);
        }
      }
      for (const list of [constraint.offsets, constraint.mixes]) {
        out.u8(bits(...list.map((value) => isSet(value))));
        for (const value of list) if (isSet(value)) out.f32(value);
      }
      break;
    }
    case "physics":
      writePhysics(context, constraint);
      break;
    case "slider":
      writeSlider(context, constraint);
      break;
  }
}

function writePhysics({ out, report }: BinaryContext, constraint: PhysicsDocument): void {
  const { x, y, rotate, scaleX, shearX, scaleY, limit, fps, massInverse, mix, name } = constraint;
  if (!(Number.isInteger(fps) && fps >= 1 && fps <= 255)) {
    cannotWrite("The binary format", `physics constraint '${name}' with ${fps} steps per second`, "Use a whole number from 1 to 255.");
  }
  let code = scaleX;
  if (scaleY === 1) code = -1 - scaleX;
  else if (scaleY === 2) code = -2 - scaleX;
  const holds = scaleY === 0 ? scaleX >= 0 : scaleY === 1 ? Math.fround(code) >= -2 && Math.fround(code) < 0 : Math.fround(code) < -2;
  if (!holds) {
    if (scaleX !== 0) cannotWrite("The binary format", `physics constraint '${name}' with scaleX ${scaleX}`, "Use a value from 0 to 1.");
    report?.note("left-out", `Physics constraint '${name}' does not scale, so its scaleY mode is not written.`);
    code = 0;
  }
  out.uv(constraint.bone);
  const scaled = isSet(code);
  out.u8(bits(constraint.skinRequired, isSet(x), isSet(y), isSet(rotate), scaled, isSet(shearX), isSet(limit, 5000), isSet(massInverse, 1)));
  for (const value of [x, y, rotate]) if (isSet(value)) out.f32(value);
  if (scaled) out.f32(code);
  if (isSet(shearX)) out.f32(shearX);
  if (isSet(limit, 5000)) out.f32(limit);
  out.u8(fps);
  out.f32s([constraint.inertia, constraint.strength, constraint.damping]);
  if (isSet(massInverse, 1)) out.f32(massInverse);
  out.f32s([constraint.wind, constraint.gravity]);
  out.u8(bits(
    constraint.inertiaGlobal, constraint.strengthGlobal, constraint.dampingGlobal, constraint.massGlobal, constraint.windGlobal, constraint.gravityGlobal,
    constraint.mixGlobal, isSet(mix, 1),
  ));
  if (isSet(mix, 1)) out.f32(mix);
}

function writeSlider({ out, nonessential }: BinaryContext, slider: SliderDocument): void {
  const driven = slider.bone >= 0;
  const value = driven ? (nonessential ? slider.max : 0) : slider.time;
  const { mix } = slider;
  out.u8(bits(slider.skinRequired, slider.loop, slider.additive, isSet(value), isSet(mix), isSet(mix) && isSet(mix, 1), driven, driven && slider.local));
  if (isSet(value)) out.f32(value);
  if (isSet(mix) && isSet(mix, 1)) out.f32(mix);
  if (!driven) return;
  out.uv(slider.bone);
  out.f32(slider.from);
  out.u8(slider.property);
  out.f32s([slider.to, slider.scale]);
}
