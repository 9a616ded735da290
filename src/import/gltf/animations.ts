import type { JsonCheck, JsonObject } from "../json-check.js";
import type { ModelAnimation, ModelChannel, ModelChannelPath, ModelInterpolation } from "../model/model-data.js";
import type { ReportBuilder } from "../model/report.js";
import type { Accessors } from "./decode.js";
import type { GltfNode } from "./nodes.js";
import { readNotes } from "./notes.js";
import { length as lengthOf } from "../length.js";

interface Sampler {
  times: Float32Array;
  output: number;
  mode: ModelInterpolation;
  pointer: string;
}

const MODES: Readonly<Record<string, ModelInterpolation>> = { LINEAR: "linear", STEP: "step", CUBICSPLINE: "cubicSpline" };
const PATHS: readonly ModelChannelPath[] = ["translation", "rotation", "scale", "weights"];

/** Reads animations; `keyTimes: "drop"` tolerates keys out of order by dropping the later ones. */
export function readAnimations(
  check: JsonCheck, json: JsonObject, nodes: readonly GltfNode[], targetsOfNode: readonly number[], accessors: Accessors, report: ReportBuilder, keyTimes: "throw" | "drop",
): ModelAnimation[] {
  return check.objects(json.animations, "/animations").map((animation, a) => {
    const pointer = `/animations/${a}`;
    const samplers = check.objects(animation.samplers, `${pointer}/samplers`).map((sampler, s) => readSampler(check, sampler, `${pointer}/samplers/${s}`, accessors));
    const channels: ModelChannel[] = [];
    const seen = new Set<string>();
    check.objects(animation.channels, `${pointer}/channels`).forEach((channel, c) => {
      const at = `${pointer}/channels/${c}`;
      const sampler = samplers[check.index(channel.sampler, `${at}/sampler`, samplers.length, "samplers")]!;
      const target = readTarget(check, check.object(channel.target, `${at}/target`), `${at}/target`, nodes.length, report);
      if (target === undefined) return;
      const key = `${target.node}/${target.path}`;
      if (seen.has(key)) {
        report.ignored(`${at}: ${target.path} of node ${target.node} is animated twice`);
        return;
      }
      seen.add(key);
      if (target.path !== "weights" && nodes[target.node]!.hasMatrix) report.repaired(`${at}: node ${target.node} is given by a matrix and animated all the same`);
      const components = target.path === "weights" ? targetsOfNode[target.node]! : target.path === "rotation" ? 4 : 3;
      if (components === 0) {
        report.ignored(`${at}: node ${target.node} has no morph targets`);
        return;
      }
      const values = readValues(check, sampler, components, target.path, accessors);
      channels.push(orderedKeys(check, { node: target.node, path: target.path, mode: sampler.mode, times: sampler.times, values }, components, at, report, keyTimes));
    });
    return { name: check.optionalString(animation.name, `${pointer}/name`, "") || `anim${a}`, start: 0, channels, notes: readNotes(check, animation.extras, `${pointer}/extras`, report) };
  });
}

function readSampler(check: JsonCheck, sampler: JsonObject, pointer: string, accessors: Accessors): Sampler {
  const input = check.index(sampler.input, `${pointer}/input`, accessors.count, "accessors");
  const output = check.index(sampler.output, `${pointer}/output`, accessors.count, "accessors");
  const name = check.optionalString(sampler.interpolation, `${pointer}/interpolation`, "LINEAR");
  const mode = Object.hasOwn(MODES, name) ? MODES[name]! : check.fail(`${pointer}/interpolation`, `is "${name}", expected LINEAR, STEP or CUBICSPLINE`, name);
  const info = accessors.info(input);
  if (info.components !== 1 || info.componentType !== 5126) check.fail(`${pointer}/input`, `is ${info.type} of component type ${info.componentType}, expected float SCALAR`, input);
  const times = accessors.floats(input);
  if (mode === "cubicSpline" && times.length < 2) check.fail(`${pointer}/input`, "has one key; CUBICSPLINE needs two", times.length);
  return { times, output, mode, pointer };
}

/** The node and property a channel moves; undefined when osteon has no use for it. */
function readTarget(check: JsonCheck, target: JsonObject, pointer: string, nodeCount: number, report: ReportBuilder): { node: number; path: ModelChannelPath } | undefined {
  const path = check.string(target.path, `${pointer}/path`);
  if (path === "pointer") return readPointer(check, target, pointer, nodeCount, report);
  if (!(PATHS as readonly string[]).includes(path)) {
    report.ignored(`${pointer}: path "${path.slice(0, 40)}"`);
    return undefined;
  }
  if (target.node === undefined) {
    report.ignored(`${pointer}: it names no node`);
    return undefined;
  }
  return { node: check.index(target.node, `${pointer}/node`, nodeCount, "nodes"), path: path as ModelChannelPath };
}

/** KHR_animation_pointer, as far as it moves nodes. */
function readPointer(check: JsonCheck, target: JsonObject, pointer: string, nodeCount: number, report: ReportBuilder): { node: number; path: ModelChannelPath } | undefined {
  const extensions = check.optionalObject(target.extensions, `${pointer}/extensions`);
  const extension = check.optionalObject(extensions?.KHR_animation_pointer, `${pointer}/extensions/KHR_animation_pointer`);
  const value = check.string(extension?.pointer, `${pointer}/extensions/KHR_animation_pointer/pointer`);
  const match = /^\/nodes\/(\d{1,9})\/(translation|rotation|scale|weights)$/.exec(value);
  if (match === null) {
    report.ignored(`${pointer}: the animated property ${value.slice(0, 80)}`);
    return undefined;
  }
  return { node: check.index(Number(match[1]), pointer, nodeCount, "nodes"), path: match[2] as ModelChannelPath };
}

function readValues(check: JsonCheck, sampler: Sampler, components: number, path: ModelChannelPath, accessors: Accessors): Float32Array {
  const { times, output, mode, pointer } = sampler;
  const info = accessors.info(output);
  const expected = times.length * components * (mode === "cubicSpline" ? 3 : 1);
  const shape = path === "weights" ? 1 : components;
  if (info.components !== shape) check.fail(`${pointer}/output`, `is ${info.type}, which does not fit ${path}`, output);
  if (info.count * info.components !== expected) {
    check.fail(`${pointer}/output`, `has ${info.count} elements; ${times.length} keys of ${path} need ${expected / shape}`, info.count);
  }
  return accessors.floats(output);
}

/** Checks that times grow from zero on; makes rotations unit quaternions. */
function orderedKeys(check: JsonCheck, channel: ModelChannel, components: number, pointer: string, report: ReportBuilder, keyTimes: "throw" | "drop"): ModelChannel {
  const { times } = channel;
  const keep: number[] = [];
  let previous = -1;
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!;
    if (time < 0) check.fail(pointer, `has a key at ${time} s, before the start`, time);
    if (time > previous) {
      keep.push(i);
      previous = time;
    } else if (keyTimes === "throw") {
      check.fail(pointer, `has key ${i} at ${time} s after one at ${previous} s; keys must be in order (options.keyTimes "drop" tolerates it)`, time);
    }
  }
  const stride = components * (channel.mode === "cubicSpline" ? 3 : 1);
  let { values } = channel;
  if (keep.length !== times.length) {
    report.repaired(`${pointer}: ${times.length - keep.length} keys out of order were dropped`);
    values = Float32Array.from({ length: keep.length * stride }, (_, i) => channel.values[keep[Math.floor(i / stride)]! * stride + (i % stride)]!);
  }
  if (channel.path === "rotation") checkRotations(check, values, channel.mode, pointer);
  return { ...channel, times: keep.length === times.length ? times : Float32Array.from(keep, (i) => times[i]!), values };
}

function checkRotations(check: JsonCheck, values: Float32Array, mode: ModelInterpolation, pointer: string): void {
  const stride = mode === "cubicSpline" ? 12 : 4;
  for (let at = mode === "cubicSpline" ? 4 : 0, key = 0; at < values.length; at += stride, key++) {
    const length = lengthOf(values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
    if (!(length >= 1e-6)) check.fail(pointer, `has a rotation of length ${length} at key ${key}`, length);
  }
}
