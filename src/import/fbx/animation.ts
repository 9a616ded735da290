import type { ModelAnimation, ModelChannel, ModelChannelPath } from "../model/model-data.js";
import type { ReportBuilder } from "../model/report.js";
import { type FbxCurve, readCurve, TICKS_PER_SECOND } from "./curves.js";
import { type FbxDocument, type FbxId, type FbxObject, numberOf, vectorOf } from "./document.js";
import type { FbxTransform, NodeTransform } from "./transform.js";
import { contentError } from "./tree.js";

/** Samples of one channel at most; a take of several hours at 30 Hz. */
const MAXIMUM_SAMPLES = 1 << 19;
/** Samples of a file at most, all channels together. */
const MAXIMUM_SAMPLES_OF_FILE = 1 << 23;
/** Euler angles that turn by more than this between two samples are sampled more densely, so that no turn is lost. */
const MAXIMUM_TURN_DEGREES = 45;

/** Three curves that drive one property, with the values they have where a curve is missing. */
interface Driven {
  curves: (FbxCurve | undefined)[];
  fallback: [number, number, number];
}

type Property = "Lcl Translation" | "Lcl Rotation" | "Lcl Scaling";

/** Reads every AnimationStack as an animation whose time starts at the stack's start. */
export function readAnimations(
  document: FbxDocument, nodeOf: ReadonlyMap<FbxId, number>, transforms: readonly NodeTransform[], rate: number, report: ReportBuilder,
): ModelAnimation[] {
  let budget = MAXIMUM_SAMPLES_OF_FILE;
  return document.ofKind("AnimationStack").map((stack, s) => {
    const layers = document.below(stack.id, "AnimationLayer");
    if (layers.length > 1) report.ignored(`animation "${stack.name}": ${layers.length - 1} of ${layers.length} layers`);
    const driven = layers.length === 0 ? new Map<number, Map<Property, Driven>>() : readLayer(document, layers[0]!.object, nodeOf, transforms, report);
    const [start, stop] = takeRange(stack, driven);
    const channels: ModelChannel[] = [];
    for (const [node, properties] of driven) {
      const made = channelsOf(node, properties, transforms[node]!, start, stop, rate, document.file);
      budget -= made.reduce((sum, channel) => sum + channel.times.length, 0);
      if (budget < 0) throw contentError(document.file, `the animations need more than ${MAXIMUM_SAMPLES_OF_FILE} samples`);
      for (const channel of made) channels.push(channel);
    }
    return { name: stack.name || `anim${s}`, start, channels, notes: undefined };
  });
}

function readLayer(document: FbxDocument, layer: FbxObject, nodeOf: ReadonlyMap<FbxId, number>, transforms: readonly NodeTransform[], report: ReportBuilder): Map<number, Map<Property, Driven>> {
  const driven = new Map<number, Map<Property, Driven>>();
  for (const { object: curveNode } of document.below(layer.id, "AnimationCurveNode")) {
    const curves: (FbxCurve | undefined)[] = [undefined, undefined, undefined];
    for (const { object, property } of document.below(curveNode.id, "AnimationCurve")) {
      const axis = ["d|X", "d|Y", "d|Z"].indexOf(property);
      if (axis >= 0) curves[axis] = readCurve(object, document.file);
    }
    for (const { object: model, property } of document.above(curveNode.id)) {
      if (property === "") continue;
      const node = nodeOf.get(model.id);
      if (node === undefined || !(property === "Lcl Translation" || property === "Lcl Rotation" || property === "Lcl Scaling")) {
        report.ignored(`animation of "${property.slice(0, 40)}" of ${model.kind} "${model.name.slice(0, 40)}"`);
        continue;
      }
      const transform = transforms[node]!;
      const rest = property === "Lcl Translation" ? transform.translation : property === "Lcl Rotation" ? transform.rotation : transform.scale;
      const fallback = [0, 1, 2].map((i) => numberOf(curveNode.properties, ["d|X", "d|Y", "d|Z"][i]!, rest[i]!)) as [number, number, number];
      if (curves.every((curve) => curve === undefined) && fallback.every((v, i) => v === rest[i])) continue;
      const properties = driven.get(node) ?? new Map<Property, Driven>();
      driven.set(node, properties);
      properties.set(property, { curves, fallback });
    }
  }
  return driven;
}

/** Start and stop of a take, from its own properties or else from its keys. */
function takeRange(stack: FbxObject, driven: ReadonlyMap<number, ReadonlyMap<Property, Driven>>): [number, number] {
  const start = numberOf(stack.properties, "LocalStart", 0) / TICKS_PER_SECOND;
  const stop = numberOf(stack.properties, "LocalStop", 0) / TICKS_PER_SECOND;
  if (stop > start) return [start, stop];
  let first = Infinity, last = -Infinity;
  for (const properties of driven.values()) {
    for (const { curves } of properties.values()) {
      for (const curve of curves) {
        if (curve === undefined) continue;
        first = Math.min(first, curve.times[0]!);
        last = Math.max(last, curve.times[curve.times.length - 1]!);
      }
    }
  }
  return first <= last ? [first, last] : [0, 0];
}

function channelsOf(
  node: number, properties: ReadonlyMap<Property, Driven>, transform: NodeTransform, start: number, stop: number, rate: number, file: string | undefined,
): ModelChannel[] {
  const t = properties.get("Lcl Translation"), r = properties.get("Lcl Rotation"), s = properties.get("Lcl Scaling");
  const valueAt = (driven: Driven | undefined, rest: readonly number[], time: number): number[] =>
    driven === undefined ? [...rest] : driven.curves.map((curve, i) => (curve === undefined ? driven.fallback[i]! : curve.at(time)));
  const at = (time: number): FbxTransform =>
    transform.compose(valueAt(t, transform.translation, time), valueAt(r, transform.rotation, time), valueAt(s, transform.scale, time));

  const channels: ModelChannel[] = [];
  const add = (path: ModelChannelPath, drivers: readonly (Driven | undefined)[], pick: (transform: FbxTransform) => readonly number[]): void => {
    const active = drivers.filter((driver) => driver !== undefined);
    if (active.length === 0) return;
    const curves = active.flatMap((driver) => driver.curves.filter((curve) => curve !== undefined));
    const stepped = curves.length > 0 && curves.every((curve) => curve.isStepped);
    const onlyKeys = stepped || (path !== "rotation" && active.length === 1 && curves.every((curve) => curve.isPiecewiseLinear));
    const times = sampleTimes(curves, start, stop, onlyKeys ? 0 : rate, path === "translation" && active.length === 1 ? undefined : r, file);
    const rows = times.map((time) => pick(at(time)));
    const size = path === "rotation" ? 4 : 3;
    const values = new Float32Array(rows.length * size);
    rows.forEach((row, k) => {
      let sign = 1;
      if (size === 4 && k > 0) {
        let dot = 0;
        for (let i = 0; i < 4; i++) dot += row[i]! * values[(k - 1) * 4 + i]!;
        if (dot < 0) sign = -1;
      }
      for (let i = 0; i < size; i++) values[k * size + i] = sign * row[i]!;
    });
    const shifted = Float32Array.from(times, (time) => time - start);
    channels.push(withoutEqualTimes({ node, path, mode: stepped ? "step" : "linear", times: shifted, values }, size));
  };
  add("translation", transform.hasPivots ? [t, r, s] : [t], (value) => value.translation);
  add("rotation", [r], (value) => value.rotation);
  add("scale", [s], (value) => value.scale);
  return channels;
}

/** Key times inside the take, its ends, a regular grid (`rate` above 0), and extra points where `turning` angles change fast. */
function sampleTimes(curves: readonly FbxCurve[], start: number, stop: number, rate: number, turning: Driven | undefined, file: string | undefined): number[] {
  const tooMany = (): never => {
    throw contentError(file, `a take of ${stop - start} s needs more than ${MAXIMUM_SAMPLES} samples; lower options.rate`);
  };
  const times = [start];
  if (stop > start && curves.length > 0) {
    times.push(stop);
    for (const curve of curves) for (const time of curve.times) if (time > start && time < stop) times.push(time);
    const steps = rate > 0 ? (stop - start) * rate : 0;
    if (times.length + steps > MAXIMUM_SAMPLES) tooMany();
    for (let i = 1; i < steps; i++) times.push(start + i / rate);
  }
  times.sort((a, b) => a - b);
  const distinct: number[] = [];
  // Points closer than a tenth of a millisecond are one point; the earlier one is a key or the grid, equally good.
  for (const time of times) if (distinct.length === 0 || time - distinct[distinct.length - 1]! > 1e-4) distinct.push(time);
  if (turning === undefined || rate === 0) return distinct;

  const dense: number[] = [];
  distinct.forEach((time, i) => {
    dense.push(time);
    if (i + 1 === distinct.length) return;
    let turn = 0;
    for (const curve of turning.curves) if (curve !== undefined) turn = Math.max(turn, Math.abs(curve.at(distinct[i + 1]!) - curve.at(time)));
    const parts = Math.min(64, Math.ceil(turn / MAXIMUM_TURN_DEGREES));
    for (let p = 1; p < parts; p++) dense.push(time + ((distinct[i + 1]! - time) * p) / parts);
    if (dense.length > MAXIMUM_SAMPLES) tooMany();
  });
  return dense;
}

/** Single precision can make two times equal; the later key goes. */
function withoutEqualTimes(channel: ModelChannel, size: number): ModelChannel {
  const keep: number[] = [];
  channel.times.forEach((time, k) => {
    if (keep.length === 0 || time > channel.times[keep[keep.length - 1]!]!) keep.push(k);
  });
  if (keep.length === channel.times.length) return channel;
  const values = new Float32Array(keep.length * size);
  keep.forEach((k, i) => values.set(channel.values.subarray(k * size, (k + 1) * size), i * size));
  return { ...channel, times: Float32Array.from(keep, (k) => channel.times[k]!), values };
}

/** Frames per second of the file's time mode, or 30. */
export function fileRate(document: FbxDocument): number {
  const modes: Readonly<Record<number, number>> = { 1: 120, 2: 100, 3: 60, 4: 50, 5: 48, 6: 30, 7: 30, 8: 29.97, 9: 29.97, 10: 25, 11: 24, 12: 1000, 13: 23.976, 15: 96, 16: 72, 17: 59.94 };
  const mode = numberOf(document.settings, "TimeMode", 0);
  const custom = numberOf(document.settings, "CustomFrameRate", 0);
  if (mode === 14 && custom >= 1 && custom <= 240) return custom;
  const rate = modes[mode];
  return rate === undefined || rate > 240 ? 30 : rate;
}

/** Vertices of a mesh are moved by these, its children are not. */
export function geometricTransform(model: FbxObject): { translation: [number, number, number]; rotation: [number, number, number]; scale: [number, number, number] } {
  return {
    translation: vectorOf(model.properties, "GeometricTranslation", [0, 0, 0]),
    rotation: vectorOf(model.properties, "GeometricRotation", [0, 0, 0]),
    scale: vectorOf(model.properties, "GeometricScaling", [1, 1, 1]),
  };
}
