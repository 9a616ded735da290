import { encodeDrawOrder } from "../checks.js";
import { CURVE_COMPONENTS, curveEntries, type AnimationDocument, type CurveKind, type CurvesDocument, type CurveTimelineDocument, type DeformTimelineDocument, type SequenceTimelineDocument, type TimelineDocument } from "../document.js";
import type { BinaryContext } from "./binary-writer.js";
import { cannotWrite } from "./failure.js";
import { colorByte } from "./json-object.js";

const SLOT_IDS: Partial<Record<TimelineDocument["kind"], number>> = { attachment: 0, rgba: 1, rgb: 2, rgba2: 3, rgb2: 4, alpha: 5 };
const BONE_IDS: Partial<Record<TimelineDocument["kind"], number>> = {
  rotate: 0, translate: 1, translatex: 2, translatey: 3, scale: 4, scalex: 5, scaley: 6, shear: 7, shearx: 8, sheary: 9, inherit: 10,
};
const PATH_IDS: Partial<Record<TimelineDocument["kind"], number>> = { pathPosition: 0, pathSpacing: 1, pathMix: 2 };
const PHYSICS_IDS: Partial<Record<TimelineDocument["kind"], number>> = { inertia: 0, strength: 1, damping: 2, mass: 4, wind: 5, gravity: 6, physicsMix: 7, reset: 8 };
const SLIDER_IDS: Partial<Record<TimelineDocument["kind"], number>> = { sliderTime: 0, sliderMix: 1 };

type Targeted = Extract<TimelineDocument, { target: number }>;
type Skinned = DeformTimelineDocument | SequenceTimelineDocument;

export function writeAnimation(context: BinaryContext, animation: AnimationDocument): void {
  const { out, nonessential } = context;
  const { timelines } = animation;
  out.string(animation.name);
  out.uv(timelines.length);
  writeGroups(context, timelines, SLOT_IDS, 0);
  writeGroups(context, timelines, BONE_IDS, 0);
  for (const kind of ["ik", "transform"] as const) {
    const list = timelines.filter((timeline): timeline is CurveTimelineDocument => timeline.kind === kind);
    out.uv(list.length);
    for (const timeline of list) {
      out.uv(timeline.target);
      if (kind === "ik") writeIk(context, timeline);
      else writeCurves(context, timeline);
    }
  }
  writeGroups(context, timelines, PATH_IDS, 0);
  writeGroups(context, timelines, PHYSICS_IDS, 1);
  writeGroups(context, timelines, SLIDER_IDS, 0);
  writeSkinned(context, timelines.filter((timeline): timeline is Skinned => timeline.kind === "deform" || timeline.kind === "sequence"));
  writeOrders(context, animation);
  writeEvents(context, animation);
  if (nonessential) out.rgba(animation.color);
}

/** Timelines of the kinds in `ids`, by target in the order of first use. */
function writeGroups(context: BinaryContext, timelines: readonly TimelineDocument[], ids: Partial<Record<TimelineDocument["kind"], number>>, offset: number): void {
  const { out } = context;
  const groups = groupBy(timelines.filter((timeline): timeline is Targeted => ids[timeline.kind] !== undefined), (timeline) => timeline.target);
  out.uv(groups.size);
  for (const [target, list] of groups) {
    out.uv(target + offset);
    out.uv(list.length);
    for (const timeline of list) {
      out.u8(ids[timeline.kind]!);
      writeTimeline(context, timeline);
    }
  }
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

function writeTimeline(context: BinaryContext, timeline: Targeted): void {
  const { out, strings } = context;
  switch (timeline.kind) {
    case "attachment":
      out.uv(timeline.times.length);
      timeline.times.forEach((time, i) => {
        out.f32(time);
        out.uv(strings.number(timeline.names[i]!));
      });
      break;
    case "inherit":
      out.uv(timeline.keys.length / 2);
      for (let i = 0; i < timeline.keys.length; i += 2) {
        out.f32(timeline.keys[i]!);
        out.u8(timeline.keys[i + 1]!);
      }
      break;
    case "reset":
      out.uv(timeline.keys.length);
      out.f32s(timeline.keys);
      break;
    case "deform":
    case "sequence":
      break;
    default:
      writeCurves(context, timeline);
  }
}

function isColor(kind: CurveKind): boolean {
  return kind === "rgba" || kind === "rgb" || kind === "rgba2" || kind === "rgb2" || kind === "alpha";
}

function writeCurves(context: BinaryContext, { kind, keys, curves }: CurveTimelineDocument): void {
  const { out, report } = context;
  const entries = curveEntries(kind), components = CURVE_COMPONENTS[kind];
  const colors = isColor(kind);
  const count = keys.length / entries;
  out.uv(count);
  out.uv(curves === null ? 0 : curves.controls.length / 4);
  const segments = new Segments(curves, components);
  for (let key = 0; key < count; key++) {
    out.f32(keys[key * entries]!);
    for (let i = 1; i < entries; i++) {
      const value = keys[key * entries + i]!;
      if (!colors) out.f32(value);
      else {
        const byte = colorByte(value);
        if (Math.fround(byte / 255) !== Math.fround(value)) report?.note("rounded", `Keys of ${kind} timelines have eight bits per colour component.`);
        out.u8(byte);
      }
    }
    if (key > 0) segments.write(context, key - 1);
  }
}

/** Interpolation by segment. */
class Segments {
  #at = 0;

  constructor(
    readonly curves: CurvesDocument | null,
    readonly components: number,
  ) {}

  type(key: number): number {
    return this.curves?.types[key] ?? 0;
  }

  /** Type byte and control points of the segment after `key`; segments come in order. */
  write(context: BinaryContext, key: number): void {
    const type = this.type(key);
    context.out.u8(type);
    if (type === 2) this.writeControls(context);
  }

  writeControls({ out }: BinaryContext): void {
    const end = this.#at + this.components * 4;
    out.f32s(this.curves!.controls.slice(this.#at, end));
    this.#at = end;
  }
}

function writeIk(context: BinaryContext, { keys, curves }: CurveTimelineDocument): void {
  const { out } = context;
  const count = keys.length / 6;
  out.uv(count);
  out.uv(curves === null ? 0 : curves.controls.length / 4);
  const segments = new Segments(curves, 2);
  for (let key = 0; key < count; key++) {
    const [time, mix, softness, bend, compress, stretch] = keys.slice(key * 6, key * 6 + 6);
    const zero = Object.is(Math.fround(mix!), 0), one = Math.fround(mix!) === 1, soft = !Object.is(Math.fround(softness!), 0);
    const type = key === 0 ? 0 : segments.type(key - 1);
    out.u8(
      (zero ? 0 : 1) | (!zero && !one ? 2 : 0) | (soft ? 4 : 0) | (bend! > 0 ? 8 : 0) | (compress !== 0 ? 16 : 0) | (stretch !== 0 ? 32 : 0) |
        (type === 1 ? 64 : 0) | (type === 2 ? 128 : 0),
    );
    out.f32(time!);
    if (!zero && !one) out.f32(mix!);
    if (soft) out.f32(softness!);
    if (type === 2) segments.writeControls(context);
  }
}

function writeSkinned(context: BinaryContext, timelines: readonly Skinned[]): void {
  const { out, strings, skins } = context;
  const bySkin = groupBy(timelines, (timeline) => timeline.skin);
  out.uv(bySkin.size);
  for (const [skin, inSkin] of bySkin) {
    out.uv(skins[skin]!);
    const bySlot = groupBy(inSkin, (timeline) => timeline.target);
    out.uv(bySlot.size);
    for (const [slot, inSlot] of bySlot) {
      out.uv(slot);
      out.uv(inSlot.length);
      for (const timeline of inSlot) {
        out.uv(strings.number(timeline.placeholder));
        if (timeline.kind === "deform") {
          out.u8(0);
          writeDeform(context, timeline);
        } else {
          out.u8(1);
          const { keys } = timeline;
          out.uv(keys.length / 4);
          for (let i = 0; i < keys.length; i += 4) {
            out.f32(keys[i]!);
            out.i32(keys[i + 1]! | (keys[i + 2]! << 4));
            out.f32(keys[i + 3]!);
          }
        }
      }
    }
  }
}

function writeDeform(context: BinaryContext, { times, frames, curves }: DeformTimelineDocument): void {
  const { out } = context;
  out.uv(times.length);
  out.uv(curves === null ? 0 : curves.controls.length / 4);
  const segments = new Segments(curves, 1);
  times.forEach((time, key) => {
    out.f32(time);
    if (key > 0) segments.write(context, key - 1);
    const frame = frames[key]!;
    if (frame === null || frame.values.length === 0) out.uv(0);
    else {
      out.uv(frame.values.length);
      out.uv(frame.offset);
      out.f32s(frame.values);
    }
  });
}

function writeOrders(context: BinaryContext, animation: AnimationDocument): void {
  const { out } = context;
  const keys = (times: readonly number[], orders: readonly (number[] | null)[]): void => {
    out.uv(times.length);
    times.forEach((time, i) => {
      out.f32(time);
      const order = orders[i]!;
      const pairs = order === null ? [] : encodeDrawOrder(order);
      out.uv(pairs.length / 2);
      for (const value of pairs) out.uv(value);
    });
  };
  const main = animation.timelines.filter((timeline) => timeline.kind === "drawOrder");
  if (main.length > 1) cannotWrite("A skeleton file", `two draw order timelines in animation '${animation.name}'`, "Merge their keys.");
  if (main.length === 1) keys(main[0]!.times, main[0]!.orders);
  else out.uv(0);
  const folders = animation.timelines.filter((timeline) => timeline.kind === "drawOrderFolder");
  out.uv(folders.length);
  for (const folder of folders) {
    out.uv(folder.slots.length);
    for (const slot of folder.slots) out.uv(slot);
    keys(folder.times, folder.orders);
  }
}

function writeEvents({ out, document }: BinaryContext, animation: AnimationDocument): void {
  const lists = animation.timelines.filter((timeline) => timeline.kind === "event");
  if (lists.length > 1) cannotWrite("A skeleton file", `two event timelines in animation '${animation.name}'`, "Merge their keys.");
  const keys = lists[0]?.keys ?? [];
  out.uv(keys.length);
  for (const key of keys) {
    const setup = document.events[key.event]!;
    out.f32(key.time);
    out.uv(key.event);
    out.sv(key.int);
    out.f32(key.float);
    out.string(key.string === setup.string ? null : key.string);
    if (setup.audio !== null && setup.audio !== "") out.f32s([key.volume, key.balance]);
  }
}
