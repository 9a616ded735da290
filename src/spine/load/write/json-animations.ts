import { encodeDrawOrder } from "../checks.js";
import {
  CURVE_COMPONENTS,
  INHERIT_NAMES,
  SEQUENCE_MODE_NAMES,
  WHITE,
  curveEntries,
  type AnimationDocument,
  type CurveKind,
  type CurvesDocument,
  type CurveTimelineDocument,
  type DeformTimelineDocument,
  type EventTimelineDocument,
  type TimelineDocument,
} from "../document.js";
import { cannotWrite } from "./failure.js";
import type { JsonNames } from "./json-names.js";
import { child, colorByte, emptyObject, put, rgbaText, type Json } from "./json-object.js";
import { Exact } from "./json-text.js";

/** Sections in the order of the format. */
const SECTIONS = ["slots", "bones", "ik", "transform", "path", "physics", "slider", "attachments", "drawOrder", "drawOrderFolder", "events"] as const;

export function animationObject(animation: AnimationDocument, names: JsonNames): Json {
  const sections = emptyObject();
  for (const timeline of animation.timelines) addTimeline(sections, timeline, animation.name, names);
  const result = emptyObject();
  put(result, "color", animation.color, WHITE);
  if (result["color"] !== undefined) result["color"] = rgbaText(animation.color);
  for (const section of SECTIONS) if (sections[section] !== undefined) result[section] = sections[section];
  return result;
}

/** Where the timelines of a kind go, and under which name there. */
const PLACES: Readonly<Record<CurveKind, readonly [section: string, name: string]>> = {
  rgba: ["slots", "rgba"], rgb: ["slots", "rgb"], rgba2: ["slots", "rgba2"], rgb2: ["slots", "rgb2"], alpha: ["slots", "alpha"],
  rotate: ["bones", "rotate"], translate: ["bones", "translate"], translatex: ["bones", "translatex"], translatey: ["bones", "translatey"],
  scale: ["bones", "scale"], scalex: ["bones", "scalex"], scaley: ["bones", "scaley"], shear: ["bones", "shear"], shearx: ["bones", "shearx"], sheary: ["bones", "sheary"],
  ik: ["ik", ""], transform: ["transform", ""],
  pathPosition: ["path", "position"], pathSpacing: ["path", "spacing"], pathMix: ["path", "mix"],
  inertia: ["physics", "inertia"], strength: ["physics", "strength"], damping: ["physics", "damping"], mass: ["physics", "mass"], wind: ["physics", "wind"],
  gravity: ["physics", "gravity"], physicsMix: ["physics", "mix"], sliderTime: ["slider", "time"], sliderMix: ["slider", "mix"],
};

function addTimeline(sections: Json, timeline: TimelineDocument, animation: string, names: JsonNames): void {
  const set = (o: Json, key: string, value: unknown): void => {
    if (o[key] !== undefined) cannotWrite("JSON", `two timelines of one kind for one target (animation '${animation}', '${key}')`, "Merge their keys.");
    o[key] = value;
  };
  switch (timeline.kind) {
    case "attachment":
      set(child(child(sections, "slots"), names.slot(timeline.target)), "attachment", timeline.times.map((time, i) => {
        const key = timeKey(time);
        if (timeline.names[i] !== null) key["name"] = timeline.names[i];
        return key;
      }));
      break;
    case "inherit": {
      const keys: Json[] = [];
      for (let i = 0; i < timeline.keys.length; i += 2) {
        const key = timeKey(timeline.keys[i]!);
        put(key, "inherit", INHERIT_NAMES[timeline.keys[i + 1]!], "normal");
        keys.push(key);
      }
      set(child(child(sections, "bones"), names.bone(timeline.target)), "inherit", keys);
      break;
    }
    case "reset":
      set(child(child(sections, "physics"), physicsName(timeline.target, names)), "reset", timeline.keys.map(timeKey));
      break;
    case "deform":
      set(attachmentTimelines(sections, timeline, names), "deform", deformKeys(timeline));
      break;
    case "sequence": {
      const keys: Json[] = [];
      let delay = 0;
      for (let i = 0; i < timeline.keys.length; i += 4) {
        const key = timeKey(timeline.keys[i]!);
        put(key, "mode", SEQUENCE_MODE_NAMES[timeline.keys[i + 1]!], "hold");
        put(key, "index", timeline.keys[i + 2], 0);
        put(key, "delay", timeline.keys[i + 3], delay);
        delay = timeline.keys[i + 3]!;
        keys.push(key);
      }
      set(attachmentTimelines(sections, timeline, names), "sequence", keys);
      break;
    }
    case "drawOrder":
      set(sections, "drawOrder", orderKeys(timeline.times, timeline.orders, (position) => names.slot(position)));
      break;
    case "drawOrderFolder": {
      const folders = (sections["drawOrderFolder"] ??= []) as Json[];
      folders.push({
        slots: timeline.slots.map((slot) => names.slot(slot)),
        keys: orderKeys(timeline.times, timeline.orders, (position) => names.slot(timeline.slots[position]!)),
      });
      break;
    }
    case "event":
      set(sections, "events", eventKeys(timeline, names));
      break;
    default: {
      const [section, name] = PLACES[timeline.kind];
      const keys = curveKeys(timeline);
      if (section === "slots") set(child(child(sections, section), names.slot(timeline.target)), name, keys);
      else if (section === "bones") set(child(child(sections, section), names.bone(timeline.target)), name, keys);
      else if (name === "") set(child(sections, section), names.constraint(timeline.target).name, keys);
      else if (section === "physics") set(child(child(sections, section), physicsName(timeline.target, names)), name, keys);
      else set(child(child(sections, section), names.constraint(timeline.target).name), name, keys);
    }
  }
}

function physicsName(target: number, names: JsonNames): string {
  return target < 0 ? "" : names.constraint(target).name;
}

function attachmentTimelines(sections: Json, { skin, target, placeholder }: { skin: number; target: number; placeholder: string }, names: JsonNames): Json {
  return child(child(child(child(sections, "attachments"), names.skin(skin)), names.slot(target)), placeholder);
}

function timeKey(time: number): Json {
  const key = emptyObject();
  put(key, "time", time, 0);
  return key;
}

/** Adds the curve after key `i`. @returns the place of the next Bezier segment's numbers */
function putCurve(key: Json, curves: CurvesDocument | null, i: number, components: number, at: number): number {
  const type = curves?.types[i] ?? 0;
  if (type === 1) key["curve"] = "stepped";
  if (type !== 2) return at;
  const end = at + components * 4;
  key["curve"] = Array.from(curves!.controls.slice(at, end), (value) => new Exact(value));
  return end;
}

/** The numbers of a key at the end of a curve are written with all digits: the curve's samples are made of these. */
function putExactly(key: Json, curves: CurvesDocument | null, i: number): void {
  if (curves === null || (curves.types[i] !== 2 && curves.types[i - 1] !== 2)) return;
  for (const name of Object.keys(key)) if (typeof key[name] === "number") key[name] = new Exact(key[name]);
}

function curveKeys({ kind, keys, curves }: CurveTimelineDocument): Json[] {
  const entries = curveEntries(kind), components = CURVE_COMPONENTS[kind];
  const result: Json[] = [];
  let at = 0;
  for (let i = 0; i * entries < keys.length; i++) {
    const key = timeKey(keys[i * entries]!);
    putValues(key, kind, Array.from(keys.slice(i * entries + 1, (i + 1) * entries)));
    putExactly(key, curves, i);
    at = putCurve(key, curves, i, components, at);
    result.push(key);
  }
  return result;
}

function hex(values: readonly number[]): string {
  return values.map((value) => colorByte(value).toString(16).padStart(2, "0")).join("");
}

function putValues(key: Json, kind: CurveKind, v: readonly number[]): void {
  switch (kind) {
    case "rgba":
    case "rgb":
      key["color"] = hex(v);
      break;
    case "rgba2":
      key["light"] = hex(v.slice(0, 4));
      key["dark"] = hex(v.slice(4));
      break;
    case "rgb2":
      key["light"] = hex(v.slice(0, 3));
      key["dark"] = hex(v.slice(3));
      break;
    case "translate":
    case "shear":
      put(key, "x", v[0], 0);
      put(key, "y", v[1], 0);
      break;
    case "scale":
      put(key, "x", v[0], 1);
      put(key, "y", v[1], 1);
      break;
    case "ik":
      put(key, "mix", v[0], 1);
      put(key, "softness", v[1], 0);
      put(key, "bendPositive", v[2]! > 0, true);
      put(key, "compress", v[3] !== 0, false);
      put(key, "stretch", v[4] !== 0, false);
      break;
    case "transform":
      put(key, "mixRotate", v[0], 1);
      put(key, "mixX", v[1], 1);
      // Readers of other versions have other defaults for these two.
      key["mixY"] = v[2];
      put(key, "mixScaleX", v[3], 1);
      key["mixScaleY"] = v[4];
      put(key, "mixShearY", v[5], 1);
      break;
    case "pathMix":
      put(key, "mixRotate", v[0], 1);
      put(key, "mixX", v[1], 1);
      put(key, "mixY", v[2], v[1]);
      break;
    case "scalex":
    case "scaley":
    case "physicsMix":
    case "sliderTime":
    case "sliderMix":
      put(key, "value", v[0], 1);
      break;
    default:
      put(key, "value", v[0], 0);
  }
}

function deformKeys(timeline: DeformTimelineDocument): Json[] {
  let at = 0;
  return timeline.times.map((time, i) => {
    const key = timeKey(time);
    putExactly(key, timeline.curves, i);
    const frame = timeline.frames[i]!;
    if (frame !== null) {
      put(key, "offset", frame.offset, 0);
      key["vertices"] = frame.values;
    }
    at = putCurve(key, timeline.curves, i, 1, at);
    return key;
  });
}

function orderKeys(times: readonly number[], orders: readonly (number[] | null)[], name: (position: number) => string): Json[] {
  return times.map((time, i) => {
    const key = timeKey(time);
    const order = orders[i]!;
    if (order !== null) {
      const pairs = encodeDrawOrder(order);
      const offsets: Json[] = [];
      for (let k = 0; k < pairs.length; k += 2) offsets.push({ slot: name(pairs[k]!), offset: pairs[k + 1] });
      key["offsets"] = offsets;
    }
    return key;
  });
}

function eventKeys(timeline: EventTimelineDocument, names: JsonNames): Json[] {
  return timeline.keys.map((source) => {
    const key = timeKey(source.time);
    const setup = names.document.events[source.event]!;
    key["name"] = names.event(source.event);
    put(key, "int", source.int, setup.int);
    if (!Object.is(source.float, setup.float)) key["float"] = new Exact(source.float);
    put(key, "string", source.string, setup.string);
    if (setup.audio !== null) {
      if (!Object.is(source.volume, setup.volume)) key["volume"] = new Exact(source.volume);
      if (!Object.is(source.balance, setup.balance)) key["balance"] = new Exact(source.balance);
    }
    return key;
  });
}
