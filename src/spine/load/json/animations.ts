import { checkDark, checkDeform, checkSequenced, checkTime, decodeDrawOrder, vertexAttachment } from "../checks.js";
import {
  INHERIT_NAMES,
  SEQUENCE_MODE_NAMES,
  WHITE,
  deformLength,
  type AnimationDocument,
  type AttachmentTimelineDocument,
  type ConstraintType,
  type CurveKind,
  type DeformFrameDocument,
  type DeformTimelineDocument,
  type EventKeyDocument,
  type EventTimelineDocument,
  type SequenceTimelineDocument,
  type SteppedTimelineDocument,
  type TimelineDocument,
  type VertexAttachmentDocument,
} from "../document.js";
import { CurveReader, readCurveTimeline, type ReadValues } from "./keys.js";
import type { JsonReader } from "./reader.js";
import type { JsonObject, JsonSource } from "./source.js";

const zero: ReadValues = (source, key, out, at) => {
  out[at] = source.value(key["value"], 0, "value");
};
const one: ReadValues = (source, key, out, at) => {
  out[at] = source.value(key["value"], 1, "value");
};
const xy0: ReadValues = (source, key, out, at) => {
  out[at] = source.value(key["x"], 0, "x");
  out[at + 1] = source.value(key["y"], 0, "y");
};
const xy1: ReadValues = (source, key, out, at) => {
  out[at] = source.value(key["x"], 1, "x");
  out[at + 1] = source.value(key["y"], 1, "y");
};
const rotation: ReadValues = (source, key, out, at) => {
  const value = key["value"];
  out[at] = value === undefined ? source.value(key["angle"], 0, "angle") : source.value(value, 0, "value");
};

function putColor(out: Float64Array, at: number, color: number, alpha: boolean): void {
  if (alpha) {
    out[at++] = (color >>> 24) / 255;
  }
  out[at] = ((color >>> 16) & 255) / 255;
  out[at + 1] = ((color >>> 8) & 255) / 255;
  out[at + 2] = (color & 255) / 255;
}

const slotTimelines: Readonly<Record<string, { kind: CurveKind; read: ReadValues }>> = {
  rgba: { kind: "rgba", read: (s, key, out, at) => putColor(out, at, s.requiredColor(key, "color", true, "an rgba key"), true) },
  rgb: { kind: "rgb", read: (s, key, out, at) => putColor(out, at, s.requiredColor(key, "color", false, "an rgb key"), false) },
  alpha: { kind: "alpha", read: zero },
  rgba2: {
    kind: "rgba2",
    read: (s, key, out, at) => {
      putColor(out, at, s.requiredColor(key, "light", true, "an rgba2 key"), true);
      putColor(out, at + 4, s.requiredColor(key, "dark", false, "an rgba2 key"), false);
    },
  },
  rgb2: {
    kind: "rgb2",
    read: (s, key, out, at) => {
      putColor(out, at, s.requiredColor(key, "light", false, "an rgb2 key"), false);
      putColor(out, at + 3, s.requiredColor(key, "dark", false, "an rgb2 key"), false);
    },
  },
};
/** Names of 3.x. */
const slotAliases: Readonly<Record<string, string>> = { color: "rgba", twoColor: "rgba2" };
const SLOT_NAMES = ["attachment", ...Object.keys(slotTimelines)];

const boneTimelines: Readonly<Record<string, { kind: CurveKind; read: ReadValues }>> = {
  rotate: { kind: "rotate", read: rotation },
  translate: { kind: "translate", read: xy0 },
  translatex: { kind: "translatex", read: zero },
  translatey: { kind: "translatey", read: zero },
  scale: { kind: "scale", read: xy1 },
  scalex: { kind: "scalex", read: one },
  scaley: { kind: "scaley", read: one },
  shear: { kind: "shear", read: xy0 },
  shearx: { kind: "shearx", read: zero },
  sheary: { kind: "sheary", read: zero },
};
const BONE_NAMES = [...Object.keys(boneTimelines), "inherit"];

const physicsTimelines: Readonly<Record<string, CurveKind>> = {
  inertia: "inertia", strength: "strength", damping: "damping", mass: "mass", wind: "wind", gravity: "gravity", mix: "physicsMix",
};

/** Calls `visit` for every entry of the object `o[key]`, with the source standing at the entry. */
function each(source: JsonSource, o: JsonObject, key: string, visit: (name: string, value: unknown) => void): void {
  const entries = source.object(o, key);
  if (entries === undefined) return;
  source.path.push(key);
  eachOf(source, entries, visit);
  source.path.pop();
}

function eachOf(source: JsonSource, entries: JsonObject, visit: (name: string, value: unknown) => void): void {
  const { path } = source;
  const depth = path.length;
  path.push("");
  for (const name of Object.keys(entries)) {
    path[depth] = name;
    visit(name, entries[name]);
  }
  path.pop();
}

/** Reads the animation object at the source's current place. */
export function readAnimation(reader: JsonReader, name: string, o: JsonObject): AnimationDocument {
  const { source } = reader;
  const timelines: TimelineDocument[] = [];
  const add = (timeline: TimelineDocument | undefined): void => { if (timeline !== undefined) timelines.push(timeline); };

  each(source, o, "slots", (slotName, value) => {
    const slot = reader.slots.get(slotName) ?? source.unknown("slot", slotName, reader.slots.keys());
    readTarget(reader, slot, source.asObject(value, ""), readSlotTimeline, timelines);
  });
  each(source, o, "bones", (boneName, value) => {
    const bone = reader.bones.get(boneName) ?? source.unknown("bone", boneName, reader.bones.keys());
    readTarget(reader, bone, source.asObject(value, ""), readBoneTimeline, timelines);
  });
  each(source, o, "ik", (constraint, keys) => {
    add(readCurveTimeline(source, reader.version, "ik", constraintIndex(reader, "ik", constraint), source.asArray(keys, ""), readIkKey));
  });
  each(source, o, "transform", (constraint, keys) => {
    const read = reader.version < 40 ? readTransformKey3 : reader.version < 43 ? readTransformKey40 : readTransformKey;
    add(readCurveTimeline(source, reader.version, "transform", constraintIndex(reader, "transform", constraint), source.asArray(keys, ""), read));
  });
  each(source, o, o["path"] === undefined && o["paths"] !== undefined ? "paths" : "path", (constraint, value) => {
    const index = constraintIndex(reader, "path", constraint);
    eachOf(source, source.asObject(value, ""), (timeline, keys) => add(readPathTimeline(reader, index, timeline, source.asArray(keys, ""))));
  });
  each(source, o, "physics", (constraint, value) => {
    const index = constraint === "" ? -1 : constraintIndex(reader, "physics", constraint);
    eachOf(source, source.asObject(value, ""), (timeline, keys) => add(readPhysicsTimeline(reader, index, timeline, source.asArray(keys, ""))));
  });
  each(source, o, "slider", (constraint, value) => {
    const index = constraintIndex(reader, "slider", constraint);
    eachOf(source, source.asObject(value, ""), (timeline, keys) => {
      const kind = timeline === "time" ? "sliderTime" : timeline === "mix" ? "sliderMix" : undefined;
      if (kind !== undefined) add(readCurveTimeline(source, reader.version, kind, index, source.asArray(keys, ""), one));
    });
  });
  each(source, o, "attachments", (skin, slots) => readSkinTimelines(reader, skin, slots, add, false));
  each(source, o, "deform", (skin, slots) => readSkinTimelines(reader, skin, slots, add, true));
  add(readDrawOrder(reader, o));
  readFolders(reader, o, add);
  add(readEvents(reader, o));
  return { name, color: source.color(o, "color", true) ?? WHITE, timelines };
}

/** Reads all timelines of one slot or bone. */
function readTarget(
  reader: JsonReader,
  target: number,
  entries: JsonObject,
  read: (reader: JsonReader, target: number, name: string, keys: readonly unknown[]) => TimelineDocument | undefined,
  out: TimelineDocument[],
): void {
  const { source } = reader;
  const { path } = source;
  const depth = path.length;
  path.push("");
  for (const name of Object.keys(entries)) {
    path[depth] = name;
    const timeline = read(reader, target, name, source.asArray(entries[name], ""));
    if (timeline !== undefined) out.push(timeline);
  }
  path.pop();
}

function constraintIndex(reader: JsonReader, type: ConstraintType, name: string): number {
  const names = reader.constraints[type];
  return names.get(name) ?? reader.source.unknown(`${type} constraint`, name, names.keys());
}

function readSlotTimeline(reader: JsonReader, slot: number, name: string, keys: readonly unknown[]): TimelineDocument | undefined {
  const { source } = reader;
  if (name === "attachment") return readAttachmentTimeline(source, slot, keys);
  const known = Object.hasOwn(slotAliases, name) && reader.version < 40 ? slotAliases[name]! : name;
  if (!Object.hasOwn(slotTimelines, known)) source.unknown("slot timeline", name, SLOT_NAMES);
  const { kind, read } = slotTimelines[known]!;
  if (keys.length > 0 && (kind === "rgba2" || kind === "rgb2")) checkDark(source, reader.document, slot, kind);
  return readCurveTimeline(source, reader.version, kind, slot, keys, read);
}

function readBoneTimeline(reader: JsonReader, bone: number, name: string, keys: readonly unknown[]): TimelineDocument | undefined {
  const { source } = reader;
  if (name === "inherit") {
    return readSteppedTimeline(source, "inherit", bone, keys, 2, (key, out) => void out.push(source.choice(key, "inherit", INHERIT_NAMES, 0)));
  }
  if (!Object.hasOwn(boneTimelines, name)) source.unknown("bone timeline", name, BONE_NAMES);
  const { kind, read } = boneTimelines[name]!;
  return readCurveTimeline(source, reader.version, kind, bone, keys, read);
}

const readIkKey: ReadValues = (source, key, out, at) => {
  out[at] = source.value(key["mix"], 1, "mix");
  out[at + 1] = source.value(key["softness"], 0, "softness");
  out[at + 2] = source.boolean(key, "bendPositive", true) ? 1 : -1;
  out[at + 3] = source.boolean(key, "compress", false) ? 1 : 0;
  out[at + 4] = source.boolean(key, "stretch", false) ? 1 : 0;
};

const readTransformKey: ReadValues = (source, key, out, at) => {
  const x = source.number(key, "mixX", 1);
  out[at] = source.number(key, "mixRotate", 1);
  out[at + 1] = x;
  out[at + 2] = source.number(key, "mixY", x);
  out[at + 3] = source.number(key, "mixScaleX", 1);
  out[at + 4] = source.number(key, "mixScaleY", 1);
  out[at + 5] = source.number(key, "mixShearY", 1);
};

const readTransformKey40: ReadValues = (source, key, out, at) => {
  readTransformKey(source, key, out, at);
  out[at + 4] = source.number(key, "mixScaleY", out[at + 3]!);
};

const readTransformKey3: ReadValues = (source, key, out, at) => {
  const translate = source.number(key, "translateMix", 1), scale = source.number(key, "scaleMix", 1);
  out[at] = source.number(key, "rotateMix", 1);
  out[at + 1] = out[at + 2] = translate;
  out[at + 3] = out[at + 4] = scale;
  out[at + 5] = source.number(key, "shearMix", 1);
};

function readPathTimeline(reader: JsonReader, index: number, name: string, keys: readonly unknown[]): TimelineDocument | undefined {
  const { source, version } = reader;
  switch (name) {
    case "position":
    case "spacing": {
      const read: ReadValues = (s, key, out, at) => {
        out[at] = s.number(key, key["value"] === undefined ? name : "value", 0);
      };
      return readCurveTimeline(source, version, name === "position" ? "pathPosition" : "pathSpacing", index, keys, read);
    }
    case "mix":
      return readCurveTimeline(source, version, "pathMix", index, keys, (s, key, out, at) => {
        const old = version < 40;
        const x = s.number(key, old && key["mixX"] === undefined ? "translateMix" : "mixX", 1);
        out[at] = s.number(key, old && key["mixRotate"] === undefined ? "rotateMix" : "mixRotate", 1);
        out[at + 1] = x;
        out[at + 2] = s.number(key, "mixY", x);
      });
    default:
      return undefined;
  }
}

function readPhysicsTimeline(reader: JsonReader, index: number, name: string, keys: readonly unknown[]): TimelineDocument | undefined {
  const { source, version } = reader;
  if (name === "reset") return readSteppedTimeline(source, "reset", index, keys, 1, () => {});
  if (!Object.hasOwn(physicsTimelines, name)) return undefined;
  return readCurveTimeline(source, version, physicsTimelines[name]!, index, keys, name === "mix" && version >= 43 ? one : zero);
}

function readSteppedTimeline(
  source: JsonSource,
  kind: SteppedTimelineDocument["kind"],
  target: number,
  list: readonly unknown[],
  entries: number,
  read: (key: JsonObject, out: number[]) => void,
): SteppedTimelineDocument | undefined {
  if (list.length === 0) return undefined;
  const keys: number[] = [];
  eachKey(source, list, entries, (key, time) => {
    keys.push(time);
    read(key, keys);
  });
  return { kind, target, keys };
}

/** Calls `visit` for every key of a list, with the source standing at the key and its time checked. */
function eachKey(source: JsonSource, list: readonly unknown[], entries: number, visit: (key: JsonObject, time: number, index: number) => void): void {
  source.spend(list.length * entries, "keys");
  const { path } = source;
  const depth = path.length;
  path.push(0);
  let previous = 0;
  for (let i = 0; i < list.length; i++) {
    path[depth] = i;
    const key = source.asObject(list[i], i);
    const time = source.value(key["time"], 0, "time");
    if (time < previous) checkTime(source, time, previous);
    previous = time;
    visit(key, time, i);
  }
  path.pop();
}

function readAttachmentTimeline(source: JsonSource, slot: number, list: readonly unknown[]): AttachmentTimelineDocument | undefined {
  if (list.length === 0) return undefined;
  const timeline: AttachmentTimelineDocument = { kind: "attachment", target: slot, times: [], names: [] };
  eachKey(source, list, 2, (key, time) => {
    timeline.times.push(time);
    timeline.names.push(source.string(key, "name", null) || null);
  });
  return timeline;
}

function readSkinTimelines(reader: JsonReader, skinName: string, slots: unknown, add: (timeline: TimelineDocument | undefined) => void, onlyDeform: boolean): void {
  const { source } = reader;
  const skin = reader.skins.get(skinName) ?? source.unknown("skin", skinName, reader.skins.keys());
  eachOf(source, source.asObject(slots, ""), (slotName, placeholders) => {
    const slot = reader.slots.get(slotName) ?? source.unknown("slot", slotName, reader.slots.keys());
    eachOf(source, source.asObject(placeholders, ""), (placeholder, value) => {
      const entry = reader.entries.find(skin, slot, placeholder)
        ?? source.unknown(`attachment in slot '${slotName}' of skin '${skinName}'`, placeholder, reader.entries.placeholders(skin, slot));
      if (onlyDeform) {
        add(readDeform(reader, skin, slot, placeholder, vertexAttachment(source, reader.entries, entry), source.asArray(value, "")));
        return;
      }
      eachOf(source, source.asObject(value, ""), (timeline, keys) => {
        if (timeline === "deform") add(readDeform(reader, skin, slot, placeholder, vertexAttachment(source, reader.entries, entry), source.asArray(keys, "")));
        else if (timeline === "sequence") {
          checkSequenced(source, entry);
          add(readSequenceTimeline(reader, skin, slot, placeholder, source.asArray(keys, "")));
        } else source.unknown("attachment timeline", timeline, ["deform", "sequence"]);
      });
    });
  });
}

function readDeform(
  reader: JsonReader,
  skin: number,
  slot: number,
  placeholder: string,
  attachment: VertexAttachmentDocument,
  list: readonly unknown[],
): DeformTimelineDocument | undefined {
  if (list.length === 0) return undefined;
  const { source } = reader;
  const length = deformLength(attachment);
  const times: number[] = [];
  const frames: (DeformFrameDocument | null)[] = [];
  const curves = new CurveReader(source, reader.version, list.length, reader.version < 40 ? 0 : 1);
  eachKey(source, list, 2, (key, time, i) => {
    times.push(time);
    const values = source.numbers(key, "vertices");
    const offset = source.integer(key, "offset", 0);
    if (values === undefined) frames.push(null);
    else {
      checkDeform(source, offset, values.length, length);
      source.spend(length, "deform keys");
      frames.push({ offset, values });
    }
    if (key["curve"] !== undefined && i < list.length - 1) curves.read(key, i);
  });
  return { kind: "deform", skin, target: slot, placeholder, times, frames, curves: curves.finish(times, 1) };
}

function readSequenceTimeline(reader: JsonReader, skin: number, slot: number, placeholder: string, list: readonly unknown[]): SequenceTimelineDocument | undefined {
  if (list.length === 0) return undefined;
  const { source } = reader;
  const keys: number[] = [];
  let delay = 0;
  eachKey(source, list, 4, (key, time) => {
    delay = source.number(key, "delay", delay);
    keys.push(time, source.choice(key, "mode", SEQUENCE_MODE_NAMES, 0), source.integer(key, "index", 0, 0, 0x7ffffff), delay);
  });
  return { kind: "sequence", skin, target: slot, placeholder, keys };
}

function readDrawOrder(reader: JsonReader, o: JsonObject): TimelineDocument | undefined {
  const { source } = reader;
  const name = o["drawOrder"] === undefined && o["draworder"] !== undefined ? "draworder" : "drawOrder";
  const list = source.array(o, name);
  if (list === undefined || list.length === 0) return undefined;
  source.path.push(name);
  const orders = readOrders(reader, list, reader.document.slots.length, (slotName) => reader.slots.get(slotName) ?? source.unknown("slot", slotName, reader.slots.keys(), "slot"));
  source.path.pop();
  return { kind: "drawOrder", ...orders };
}

function readOrders(reader: JsonReader, list: readonly unknown[], count: number, position: (slotName: string) => number): { times: number[]; orders: (number[] | null)[] } {
  const { source } = reader;
  const times: number[] = [], orders: (number[] | null)[] = [];
  eachKey(source, list, 2, (key, time) => {
    times.push(time);
    const offsets = source.array(key, "offsets");
    if (offsets === undefined) {
      orders.push(null);
      return;
    }
    const pairs: number[] = [];
    source.path.push("offsets", 0);
    for (let i = 0; i < offsets.length; i++) {
      source.path[source.path.length - 1] = i;
      const o = source.asObject(offsets[i], i);
      pairs.push(position(source.name(o, "slot", "a draw order offset")), source.integer(o, "offset", 0));
    }
    source.path.length -= 2;
    orders.push(decodeDrawOrder(source, count, pairs));
  });
  return { times, orders };
}

function readFolders(reader: JsonReader, o: JsonObject, add: (timeline: TimelineDocument | undefined) => void): void {
  const { source } = reader;
  const list = source.array(o, "drawOrderFolder");
  if (list === undefined) return;
  source.path.push("drawOrderFolder", 0);
  for (let i = 0; i < list.length; i++) {
    source.path[source.path.length - 1] = i;
    const folder = source.asObject(list[i], i);
    const slots = source.references(folder, "slots", "slot", reader.slots);
    const positions = new Map(slots.map((slot, position) => [slot, position]));
    if (positions.size !== slots.length) source.fail("a draw order folder must name each slot once.", "slots");
    const keys = source.array(folder, "keys");
    if (keys === undefined || keys.length === 0) continue;
    source.path.push("keys");
    const orders = readOrders(reader, keys, slots.length, (slotName) => {
      const slot = reader.slots.get(slotName) ?? source.unknown("slot", slotName, reader.slots.keys(), "slot");
      return positions.get(slot) ?? source.fail(`slot '${slotName}' is not in this draw order folder.`, "slot", slotName, "missing-reference");
    });
    source.path.pop();
    add({ kind: "drawOrderFolder", slots, ...orders });
  }
  source.path.length -= 2;
}

function readEvents(reader: JsonReader, o: JsonObject): EventTimelineDocument | undefined {
  const { source } = reader;
  const list = source.array(o, "events");
  if (list === undefined || list.length === 0) return undefined;
  const keys: EventKeyDocument[] = [];
  source.path.push("events");
  eachKey(source, list, 7, (key, time) => {
    const event = source.reference(key, "name", "event", reader.events, "an event key");
    const setup = reader.document.events[event]!;
    const audio = setup.audio !== null;
    keys.push({
      time,
      event,
      int: source.integer(key, "int", setup.int),
      float: source.number(key, "float", setup.float),
      string: source.string(key, "string", setup.string),
      volume: audio ? source.number(key, "volume", setup.volume) : setup.volume,
      balance: audio ? source.number(key, "balance", setup.balance) : setup.balance,
    });
  });
  source.path.pop();
  return { kind: "event", keys };
}
