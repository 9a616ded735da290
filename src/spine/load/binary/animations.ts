import { CurveCollector, checkDark, checkDeform, checkSequenced, checkTime, decodeDrawOrder, vertexAttachment } from "../checks.js";
import {
  CURVE_COMPONENTS,
  WHITE,
  curveEntries,
  deformLength,
  type AnimationDocument,
  type AttachmentTimelineDocument,
  type CurveKind,
  type CurvesDocument,
  type DeformFrameDocument,
  type DeformTimelineDocument,
  type EventKeyDocument,
  type NumberList,
  type TimelineDocument,
  type VertexAttachmentDocument,
} from "../document.js";
import { MAX_ITEMS } from "../limits.js";
import { absoluteCurves, unwrapRotations } from "../upgrade.js";
import { sixMixes } from "./constraints.js";
import type { BinaryInput } from "./input.js";
import type { BinaryReader } from "./reader.js";

type Add = (timeline: TimelineDocument) => void;
/** Appends the values of one key, of formats below 4.0. */
type ReadValues = (input: BinaryInput, out: number[]) => void;

const SLOT_KINDS: readonly (CurveKind | "attachment")[] = ["attachment", "rgba", "rgb", "rgba2", "rgb2", "alpha"];
const OLD_SLOT_KINDS: readonly (CurveKind | "attachment")[] = ["attachment", "rgba", "rgba2"];
const BONE_KINDS: readonly (CurveKind | "inherit")[] = [
  "rotate", "translate", "translatex", "translatey", "scale", "scalex", "scaley", "shear", "shearx", "sheary", "inherit",
];
const OLD_BONE_KINDS: readonly (CurveKind | "inherit")[] = ["rotate", "translate", "scale", "shear"];
const PATH_KINDS: readonly CurveKind[] = ["pathPosition", "pathSpacing", "pathMix"];
const PHYSICS_KINDS: readonly (CurveKind | "reset" | undefined)[] = ["inertia", "strength", "damping", undefined, "mass", "wind", "gravity", "physicsMix", "reset"];
const SLIDER_KINDS: readonly CurveKind[] = ["sliderTime", "sliderMix"];

/** Least bytes that a key of any timeline takes: its time. */
const KEY_BYTES = 4;

export function readAnimation(reader: BinaryReader): AnimationDocument {
  const { input, version, document } = reader;
  const name = input.name("an animation");
  // The number of timelines is only a hint.
  if (version >= 40) input.uv();
  const timelines: TimelineDocument[] = [];
  const add: Add = (timeline) => void timelines.push(timeline);
  groups(input, "slots with timelines", () => reader.slot(), (slot) => readSlotTimeline(reader, slot, add));
  groups(input, "bones with timelines", () => reader.bone(), (bone) => readBoneTimeline(reader, bone, add));
  for (let n = input.count("IK timelines", 5); n > 0; n--) add(readIkTimeline(reader));
  for (let n = input.count("transform timelines", 5); n > 0; n--) {
    add(readCurveTimeline(reader, "transform", reader.constraint("transform", input.uv()), version < 40 ? readFourMixes : undefined));
  }
  groups(input, "path constraints with timelines", () => reader.constraint("path", input.uv()), (index) => {
    const kind = pick(input, PATH_KINDS, input.u8(), "path timeline");
    add(readCurveTimeline(reader, kind, index, kind === "pathMix" && version < 40 ? readTwoMixes : undefined));
  });
  if (version >= 42) {
    groups(input, "physics constraints with timelines", () => physicsIndex(reader), (index) => {
      const kind = pick(input, PHYSICS_KINDS, input.u8(), "physics timeline");
      add(kind === "reset" ? { kind, target: index, keys: readTimes(input, input.count("keys", KEY_BYTES), () => {}) } : readCurveTimeline(reader, kind, index));
    });
  }
  if (version >= 43) {
    groups(input, "sliders with timelines", () => reader.constraint("slider", input.uv()), (index) => {
      add(readCurveTimeline(reader, pick(input, SLIDER_KINDS, input.u8(), "slider timeline"), index));
    });
  }
  readSkinTimelines(reader, add);
  readDrawOrder(reader, add);
  if (version >= 43) for (let n = input.count("draw order folders", 2, MAX_ITEMS); n > 0; n--) readFolder(reader, add);
  readEvents(reader, add);
  return { name, color: version >= 43 && document.nonessential ? input.rgba() : WHITE, timelines };
}

/** A count of targets, and for each its index and a count of timelines. */
function groups(input: BinaryInput, what: string, target: () => number, visit: (target: number) => void): void {
  for (let n = input.count(what, 2); n > 0; n--) {
    const index = target();
    for (let m = input.count("timelines", 2); m > 0; m--) visit(index);
  }
}

function pick<T>(input: BinaryInput, kinds: readonly (T | undefined)[], id: number, what: string): T {
  return kinds[id] ?? input.fail(`${what} ${id} is not known.`, undefined, id);
}

/** 0 stands for all physics constraints. */
function physicsIndex(reader: BinaryReader): number {
  const index = reader.input.uv();
  return index === 0 ? -1 : reader.constraint("physics", index - 1);
}

const readFourMixes: ReadValues = (input, out) => void out.push(...sixMixes([input.f32(), input.f32(), input.f32(), input.f32()]));
const readTwoMixes: ReadValues = (input, out) => {
  const rotate = input.f32(), translate = input.f32();
  out.push(rotate, translate, translate);
};

/** Reads times that must ascend, and what follows each. */
function readTimes(input: BinaryInput, count: number, visit: (time: number, key: number) => void): number[] {
  if (count === 0) input.fail("a timeline needs at least one key.");
  const times: number[] = [];
  let previous = 0;
  for (let i = 0; i < count; i++) {
    const time = input.f32();
    if (time < previous) checkTime(input, time, previous);
    previous = time;
    times.push(time);
    visit(time, i);
  }
  return times;
}

function pushBytes(input: BinaryInput, count: number, out: number[]): void {
  for (let i = 0; i < count; i++) out.push(input.u8() / 255);
}

function isColor(kind: CurveKind): boolean {
  return kind === "rgba" || kind === "rgb" || kind === "rgba2" || kind === "rgb2" || kind === "alpha";
}

/** Values of one key behind its time, where all are single-precision numbers or colour bytes. */
function plainValues(kind: CurveKind): ReadValues {
  const count = CURVE_COMPONENTS[kind];
  if (isColor(kind)) return (input, out) => pushBytes(input, count, out);
  return (input, out) => { for (let i = 0; i < count; i++) out.push(input.f32()); };
}

/** Reads a curve of the segment before key `key`, absolute control points. */
function readCurve(input: BinaryInput, curves: CurveCollector, key: number, components: number): void {
  const type = input.choice("curve type", 3);
  if (type === 1) curves.stepped(key - 1);
  else if (type === 2) readControls(input, curves, key - 1, components);
}

function readControls(input: BinaryInput, curves: CurveCollector, key: number, components: number): void {
  curves.bezier(key);
  const { controls, filled } = curves, end = filled + components * 4;
  if (end > controls.length) input.fail(`more Bezier curves follow than the ${controls.length / 4} that the timeline says.`);
  input.floats(controls as Float32Array, filled, components * 4);
  curves.filled = end;
}

const NONE = new Float32Array(0);

/** The collector of a timeline, with room for the Bezier curves that its head announces. */
function startCurves(input: BinaryInput, keyCount: number): CurveCollector {
  const bezierCount = input.uv();
  if (bezierCount * 16 > input.remaining) input.fail(`${bezierCount} Bezier curves cannot follow, only ${input.remaining} bytes are left.`, undefined, bezierCount, "truncated");
  if (bezierCount === 0) return new CurveCollector(keyCount, NONE);
  input.spend(bezierCount * 4, "curves");
  return new CurveCollector(keyCount, input.singles.take(bezierCount * 4));
}

/** The number of curves in the head of a timeline must be the number that follow. */
function finishCurves(input: BinaryInput, curves: CurveCollector): CurvesDocument | null {
  const { controls, filled } = curves;
  if (filled !== controls.length) input.fail(`${filled / 4} Bezier curves follow, the timeline says ${controls.length / 4}.`, undefined, filled / 4);
  return curves.finish();
}

/** @param oldValues - how formats below 4.0 store the values, if not plainly */
function readCurveTimeline(reader: BinaryReader, kind: CurveKind, target: number, oldValues?: ReadValues): TimelineDocument {
  const { input, version } = reader;
  const entries = curveEntries(kind), components = CURVE_COMPONENTS[kind];
  const count = input.count("keys", KEY_BYTES + 1);
  input.spend(count * entries, "keys");
  if (version < 40) {
    const values = oldValues ?? plainValues(kind);
    const keys: number[] = [];
    const curves = new OldCurves(count);
    readTimes(input, count, (time, key) => {
      keys.push(time);
      values(input, keys);
      if (key < count - 1) curves.read(input, key);
    });
    if (kind === "rotate") unwrapRotations(keys);
    return { kind, target, keys, curves: curves.finish(keys, entries, components) };
  }
  const curves = startCurves(input, count);
  if (count === 0) input.fail("a timeline needs at least one key.");
  // Curves of colours run between unrounded 255ths.
  const colors = isColor(kind);
  const keys = colors ? input.doubles.take(count * entries) : input.singles.take(count * entries);
  const done = colors ? 0 : input.plainKeys(keys as Float32Array, count, entries, components, curves);
  let previous = done === 0 ? 0 : keys[(done - 1) * entries]!;
  for (let key = done, at = done * entries; key < count; key++, at += entries) {
    if (colors) {
      keys[at] = input.f32();
      for (let i = 1; i < entries; i++) keys[at + i] = input.u8() / 255;
    } else input.floats(keys as Float32Array, at, entries);
    const time = keys[at]!;
    if (time < previous) checkTime(input, time, previous);
    previous = time;
    if (key > 0) readCurve(input, curves, key, components);
  }
  return { kind, target, keys, curves: finishCurves(input, curves) };
}

/** Curves of 3.x, which follow the values of the key they begin at. */
class OldCurves {
  #collector: CurveCollector;
  #points: number[] = [];

  constructor(count: number) {
    this.#collector = new CurveCollector(count);
  }

  read(input: BinaryInput, key: number): void {
    const type = input.choice("curve type", 3);
    if (type === 1) this.#collector.stepped(key);
    else if (type === 2) {
      this.#collector.bezier(key);
      this.#points.push(input.f32(), input.f32(), input.f32(), input.f32());
    }
  }

  finish(keys: NumberList, entries: number, components: number): CurvesDocument | null {
    const curves = this.#collector.finish();
    return curves === null ? null : absoluteCurves({ types: curves.types, points: this.#points }, keys, entries, components);
  }
}

function readSlotTimeline(reader: BinaryReader, slot: number, add: Add): void {
  const { input, version, document } = reader;
  const old = version < 40;
  const kind = pick(input, old ? OLD_SLOT_KINDS : SLOT_KINDS, input.u8(), "slot timeline");
  if (kind === "attachment") {
    const timeline: AttachmentTimelineDocument = { kind, target: slot, times: [], names: [] };
    timeline.times = readTimes(input, input.count("keys", KEY_BYTES + 1), () => void timeline.names.push(reader.text()));
    add(timeline);
    return;
  }
  if (kind === "rgba2" || kind === "rgb2") checkDark(input, document, slot, kind);
  const twoColour: ReadValues = (source, out) => {
    pushBytes(source, 4, out);
    source.u8();
    pushBytes(source, 3, out);
  };
  add(readCurveTimeline(reader, kind, slot, old && kind === "rgba2" ? twoColour : undefined));
}

function readBoneTimeline(reader: BinaryReader, bone: number, add: Add): void {
  const { input, version } = reader;
  const kind = pick(input, version < 40 ? OLD_BONE_KINDS : BONE_KINDS, input.u8(), "bone timeline");
  if (kind === "inherit") {
    const keys: number[] = [];
    readTimes(input, input.count("keys", KEY_BYTES + 1), (time) => void keys.push(time, input.choice("inherit mode", 5)));
    add({ kind, target: bone, keys });
  } else add(readCurveTimeline(reader, kind, bone));
}

function readIkTimeline(reader: BinaryReader): TimelineDocument {
  const { input, version } = reader;
  const target = reader.constraint("ik", input.uv());
  if (version < 40) {
    return readCurveTimeline(reader, "ik", target, (source, out) => {
      out.push(source.f32(), version >= 38 ? source.f32() : 0, source.i8() >= 0 ? 1 : -1, source.bool() ? 1 : 0, source.bool() ? 1 : 0);
    });
  }
  const count = input.count("keys", KEY_BYTES + 1);
  const curves = startCurves(input, count);
  input.spend(count * 6, "keys");
  const keys: number[] = [];
  if (version >= 42) {
    let previous = 0;
    if (count === 0) input.fail("a timeline needs at least one key.");
    for (let key = 0; key < count; key++) {
      const flags = input.u8();
      const time = input.f32();
      if (time < previous) checkTime(input, time, previous);
      previous = time;
      const mix = (flags & 1) === 0 ? 0 : (flags & 2) !== 0 ? input.f32() : 1;
      const softness = (flags & 4) !== 0 ? input.f32() : 0;
      keys.push(time, mix, softness, (flags & 8) !== 0 ? 1 : -1, (flags & 16) !== 0 ? 1 : 0, (flags & 32) !== 0 ? 1 : 0);
      if (key === 0) continue;
      if ((flags & 64) !== 0) curves.stepped(key - 1);
      else if ((flags & 128) !== 0) readControls(input, curves, key - 1, 2);
    }
  } else {
    readTimes(input, count, (time, key) => {
      const mix = input.f32(), softness = input.f32();
      if (key > 0) readCurve(input, curves, key, 2);
      keys.push(time, mix, softness, input.i8() >= 0 ? 1 : -1, input.bool() ? 1 : 0, input.bool() ? 1 : 0);
    });
  }
  return { kind: "ik", target, keys, curves: finishCurves(input, curves) };
}

function readSkinTimelines(reader: BinaryReader, add: Add): void {
  const { input, version, document, entries } = reader;
  for (let n = input.count("skins with timelines", 2, MAX_ITEMS); n > 0; n--) {
    const skin = input.index("skin", document.skins.length);
    groups(input, "slots with attachment timelines", () => reader.slot(), (slot) => {
      const at = input.at;
      const placeholder = reader.textName("an attachment timeline");
      const entry = entries.find(skin, slot, placeholder);
      if (entry === undefined) {
        const place = `attachment '${placeholder}' in slot '${document.slots[slot]!.name}' of skin '${document.skins[skin]!.name}'`;
        return input.fail(`there is no ${place}.`, undefined, placeholder, "missing-reference", at);
      }
      const sequence = version >= 41 && input.choice("attachment timeline", 2) === 1;
      if (sequence) {
        checkSequenced(input, entry);
        const keys: number[] = [];
        readTimes(input, input.count("keys", 12), (time) => {
          const modeAndIndex = input.i32();
          const mode = modeAndIndex & 15, index = modeAndIndex >> 4;
          if (mode > 6 || index < 0) input.fail(`sequence mode ${mode} with index ${index} is not known.`, undefined, modeAndIndex);
          keys.push(time, mode, index, input.f32());
        });
        add({ kind: "sequence", skin, target: slot, placeholder, keys });
      } else add(readDeform(reader, skin, slot, placeholder, vertexAttachment(input, entries, entry)));
    });
  }
}

function readDeform(reader: BinaryReader, skin: number, slot: number, placeholder: string, attachment: VertexAttachmentDocument): DeformTimelineDocument {
  const { input, version } = reader;
  const length = deformLength(attachment);
  const count = input.count("keys", KEY_BYTES + 1);
  const frames: (DeformFrameDocument | null)[] = [];
  if (version < 40) {
    const curves = new OldCurves(count);
    const times = readTimes(input, count, (_time, key) => {
      frames.push(readDeformFrame(input, length));
      if (key < count - 1) curves.read(input, key);
    });
    return { kind: "deform", skin, target: slot, placeholder, times, frames, curves: curves.finish(times, 1, 0) };
  }
  const curves = startCurves(input, count);
  const times = readTimes(input, count, (_time, key) => {
    // Here the curve comes before the values of the key at its end.
    if (key > 0) readCurve(input, curves, key, 1);
    frames.push(readDeformFrame(input, length));
  });
  return { kind: "deform", skin, target: slot, placeholder, times, frames, curves: finishCurves(input, curves) };
}

function readDeformFrame(input: BinaryInput, length: number): DeformFrameDocument | null {
  const count = input.count("deform values", 4);
  if (count === 0) return null;
  const offset = input.uv();
  checkDeform(input, offset, count, length);
  input.spend(length, "deform keys");
  return { offset, values: input.floatList(count) };
}

function readDrawOrder(reader: BinaryReader, add: Add): void {
  const { input, document } = reader;
  const count = input.count("draw order keys", KEY_BYTES + 1);
  if (count > 0) add({ kind: "drawOrder", ...readOrders(input, count, document.slots.length) });
}

function readFolder(reader: BinaryReader, add: Add): void {
  const { input } = reader;
  const slots: number[] = [];
  for (let n = input.count("folder slots", 1, MAX_ITEMS); n > 0; n--) slots.push(reader.slot());
  if (new Set(slots).size !== slots.length) input.fail("a draw order folder must name each slot once.", "slots");
  const count = input.count("draw order keys", KEY_BYTES + 1);
  if (count > 0) add({ kind: "drawOrderFolder", slots, ...readOrders(input, count, slots.length) });
}

function readOrders(input: BinaryInput, count: number, itemCount: number): { times: number[]; orders: (number[] | null)[] } {
  const orders: (number[] | null)[] = [];
  const times = readTimes(input, count, () => {
    const changes = input.count("draw order changes", 2);
    const pairs: number[] = [];
    for (let i = 0; i < changes; i++) pairs.push(input.index("slot", itemCount), input.uv() | 0);
    orders.push(changes === 0 ? null : decodeDrawOrder(input, itemCount, pairs));
  });
  return { times, orders };
}

function readEvents(reader: BinaryReader, add: Add): void {
  const { input, version, document } = reader;
  const count = input.count("event keys", 11);
  if (count === 0) return;
  const keys: EventKeyDocument[] = [];
  readTimes(input, count, (time) => {
    const event = input.index("event", document.events.length);
    const setup = document.events[event]!;
    const int = input.sv(), float = input.f32();
    const string = (version >= 42 || input.bool() ? input.string() : null) ?? setup.string;
    const audio = setup.audio !== null;
    keys.push({ time, event, int, float, string, volume: audio ? input.f32() : setup.volume, balance: audio ? input.f32() : setup.balance });
  });
  add({ kind: "event", keys });
}
