import { AnimIndexError } from "../../anim/errors.js";
import { AnimClip } from "../../anim/rig/clip.js";
import { requireObject } from "../../anim/rig/checks.js";
import type { AnimSkeleton } from "../../anim/rig/skeleton.js";
import { uniqueNodeNames } from "./bones.js";
import { compose, decompose, type Matrix, multiply } from "./matrix.js";
import type { ClipNotes, ModelChannel, ModelData } from "./model-data.js";
import { boneParent, requireModel } from "./skeleton.js";
import { length as lengthOf } from "../length.js";

export interface ClipOptions {
  /** Shifts the first key to time 0. Default false: key times stay as in the file. */
  trimStart?: boolean | undefined;
}

const warnings = new WeakMap<AnimClip, readonly string[]>();

/** Channels that found no bone, and the like, when a clip was imported. Empty for other clips. */
export function getImportWarnings(clip: AnimClip): readonly string[] {
  return warnings.get(clip) ?? [];
}

/**
 * A clip of one animation of a model. Channels find their bones by name; those that find none are listed by
 * {@link getImportWarnings}. Weights of morph targets become curves named `morph:<mesh>:<target>`.
 * @param animIndex - 0 .. getAnimationCount()-1
 * @throws AnimIndexError if there is no such animation
 */
export function newClipFromModel(model: ModelData, skeleton: AnimSkeleton, animIndex = 0, options: ClipOptions = {}): AnimClip {
  requireModel(model, "newClipFromModel");
  requireObject("newClipFromModel", "skeleton", skeleton, "AnimSkeleton");
  requireObject("newClipFromModel", "options", options, "object such as { trimStart: true }");
  const animation = model.animations[animIndex];
  if (!Number.isInteger(animIndex) || animation === undefined) {
    throw new AnimIndexError(
      `newClipFromModel: animIndex is ${animIndex}, expected ${model.animations.length === 0 ? "none: the model has no animations" : `0..${model.animations.length - 1}`}.`,
      { found: animIndex },
    );
  }
  const names = uniqueNodeNames(model);
  const lines: string[] = [];
  const matched: { channel: ModelChannel; bone: number }[] = [];
  for (const channel of animation.channels) {
    const bone = channel.path === "weights" ? -1 : skeleton.findBone(names[channel.node]!);
    if (bone < 0 && channel.path !== "weights") lines.push(`${channel.path} of "${names[channel.node]!}": the skeleton has no such bone`);
    else if (channel.times.length > 0) matched.push({ channel, bone });
  }
  const shift = options.trimStart === true ? matched.reduce((first, { channel }) => Math.min(first, channel.times[0]!), Infinity) : 0;

  const clip = new AnimClip(animation.name);
  const folds = foldsOf(model, skeleton, names);
  const foldedNodes = new Set<number>();
  for (const { channel, bone } of matched) {
    if (channel.path === "weights") addMorphCurves(clip, model, channel, shift);
    else if (folds.has(channel.node)) foldedNodes.add(channel.node);
    else addKeys(clip, bone, channel, shift);
  }
  for (const node of foldedNodes) {
    addFoldedKeys(clip, model, node, skeleton.findBone(names[node]!), folds.get(node)!, matched.flatMap(({ channel }) => (channel.node === node ? [channel] : [])), shift);
    lines.push(`"${names[node]!}": its keys were resampled, because parents of it are not bones`);
  }
  clip.setLoop(animation.notes?.loop ?? true);
  clip.setSampleRate(sampleRateOf(matched.map(({ channel }) => channel)));
  if (animation.notes !== undefined) addNotes(clip, animation.notes, shift);
  warnings.set(clip, lines);
  return clip;
}

function addKeys(clip: AnimClip, bone: number, channel: ModelChannel, shift: number): void {
  const { times, values, mode, path } = channel;
  const size = path === "rotation" ? 4 : 3;
  const kind = path === "translation" ? "position" : path === "rotation" ? "rotation" : "scale";
  const keyTimes = shift === 0 ? times : times.map((time) => time - shift);
  if (mode !== "cubicSpline") {
    clip.setTrackKeys(bone, kind, keyTimes, values);
    if (mode === "step") clip.setTrackInterpolation(bone, kind, "step");
    return;
  }
  const stride = size * 3;
  const signs = path === "rotation" ? hemisphereSigns(values, stride, 4) : undefined;
  const part = (key: number, third: number): Float32Array => {
    const from = key * stride + third * size;
    const sign = signs?.[key] ?? 1;
    return values.slice(from, from + size).map((v) => sign * v);
  };
  const plain = new Float32Array(times.length * size);
  for (let k = 0; k < times.length; k++) plain.set(part(k, 1), k * size);
  clip.setTrackKeys(bone, kind, keyTimes, plain);
  clip.setTrackInterpolation(bone, kind, "cubicSpline");
  for (let k = 0; k < times.length; k++) clip.setKeyTangents(bone, kind, k, part(k, 0), part(k, 2));
}

function addNotes(clip: AnimClip, { events, syncMarkers, curves }: ClipNotes, shift: number): void {
  const duration = clip.getDuration();
  const at = (time: number): number => Math.max(0, time - shift);
  for (const { time, name, payload } of events) clip.addEvent(at(time), name, payload);
  for (const { time, name } of syncMarkers) clip.addSyncMarker(at(time), name);
  for (const { name, keys } of curves) {
    clip.addCurve(name);
    for (const [time, value] of keys) clip.addCurveKey(name, at(time), value);
  }
  // Curves describe the clip; they do not make it longer.
  if (duration > 0) clip.setDuration(duration);
}

/** Signs that bring neighbouring quaternions of a spline into one hemisphere; value and tangents change together. */
function hemisphereSigns(values: Float32Array, stride: number, offset: number): number[] {
  const signs: number[] = [];
  for (let k = 0; k * stride < values.length; k++) {
    let dot = 1;
    if (k > 0) {
      dot = 0;
      for (let i = 0; i < 4; i++) dot += values[k * stride + offset + i]! * values[(k - 1) * stride + offset + i]!;
    }
    signs.push(k === 0 ? 1 : dot < 0 ? -signs[k - 1]! : signs[k - 1]!);
  }
  return signs;
}

function addMorphCurves(clip: AnimClip, model: ModelData, channel: ModelChannel, shift: number): void {
  const { times, values, mode } = channel;
  const cubic = mode === "cubicSpline" ? 3 : 1;
  const targets = values.length / (times.length * cubic);
  for (const mesh of model.nodes[channel.node]!.meshes) {
    const { name, targets: own } = model.meshes[mesh]!;
    for (let t = 0; t < Math.min(targets, own.length); t++) {
      const curve = `morph:${name}:${own[t]!.name}`;
      clip.addCurve(curve);
      let previous = 0;
      for (let k = 0; k < times.length; k++) {
        const value = values[(k * cubic + (cubic === 3 ? 1 : 0)) * targets + t]!;
        // A step is two keys at one time: the later one wins from there on.
        if (mode === "step" && k > 0 && value !== previous) clip.addCurveKey(curve, times[k]! - shift, previous);
        if (cubic === 3 && k > 0) addSplineCurve(clip, curve, channel, k - 1, t, targets, shift);
        clip.addCurveKey(curve, times[k]! - shift, value);
        previous = value;
      }
    }
  }
}

/** Interior points of a cubic segment of a curve: curves are linear between keys. */
function addSplineCurve(clip: AnimClip, curve: string, { times, values }: ModelChannel, k: number, target: number, targets: number, shift: number): void {
  const POINTS = 16;
  const dt = times[k + 1]! - times[k]!;
  const p0 = values[(k * 3 + 1) * targets + target]!, m0 = values[(k * 3 + 2) * targets + target]! * dt;
  const p1 = values[(k * 3 + 4) * targets + target]!, m1 = values[(k * 3 + 3) * targets + target]! * dt;
  for (let i = 1; i < POINTS; i++) {
    const u = i / POINTS, u2 = u * u, u3 = u2 * u;
    clip.addCurveKey(curve, times[k]! + u * dt - shift, (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1);
  }
}

/** Nodes with animated bones whose parents are partly not bones, and the folded product. */
function foldsOf(model: ModelData, skeleton: AnimSkeleton, names: readonly string[]): Map<number, Matrix> {
  const boneOf = new Map<number, number>();
  names.forEach((name, node) => {
    const bone = skeleton.findBone(name);
    if (bone >= 0) boneOf.set(node, bone);
  });
  const folds = new Map<number, Matrix>();
  for (const [node] of boneOf) {
    const { parent, fold } = boneParent(model, node, boneOf);
    // A clip for another file's skeleton keeps its keys: only a skeleton that lacks the parents needs them folded in.
    if (fold !== undefined && skeleton.getParent(boneOf.get(node)!) === parent) folds.set(node, fold);
  }
  return folds;
}

function addFoldedKeys(clip: AnimClip, model: ModelData, node: number, bone: number, fold: Matrix, channels: readonly ModelChannel[], shift: number): void {
  const rest = model.nodes[node]!;
  const times = [...new Set(channels.flatMap((channel) => [...channel.times]))].sort((a, b) => a - b);
  const find = (path: string): ModelChannel | undefined => channels.find((channel) => channel.path === path);
  const t = find("translation"), r = find("rotation"), s = find("scale");
  for (const time of times) {
    const local = compose(
      t === undefined ? rest.translation : sampleChannel(t, time, 3),
      r === undefined ? rest.rotation : sampleChannel(r, time, 4),
      s === undefined ? rest.scale : sampleChannel(s, time, 3),
    );
    const { translation, rotation, scale } = decompose(multiply(fold, local));
    clip.addPositionKey(bone, time - shift, ...translation);
    clip.addRotationKey(bone, time - shift, ...rotation);
    clip.addScaleKey(bone, time - shift, ...scale);
  }
}

/** Value of a channel at a time; rotations by normalised linear interpolation on the short arc, for resampling only. */
export function sampleChannel({ times, values, mode }: ModelChannel, time: number, size: number): number[] {
  const stride = mode === "cubicSpline" ? size * 3 : size;
  const offset = mode === "cubicSpline" ? size : 0;
  let k = 0;
  while (k + 1 < times.length && times[k + 1]! <= time) k++;
  const next = Math.min(k + 1, times.length - 1);
  const span = times[next]! - times[k]!;
  const u = mode === "step" || span <= 0 ? 0 : Math.min(1, Math.max(0, (time - times[k]!) / span));
  const a = values.subarray(k * stride + offset, k * stride + offset + size);
  const b = values.subarray(next * stride + offset, next * stride + offset + size);
  let dot = 0;
  for (let i = 0; i < size; i++) dot += a[i]! * b[i]!;
  const sign = size === 4 && dot < 0 ? -1 : 1;
  const out = Array.from(a, (v, i) => v + (sign * b[i]! - v) * u);
  if (size !== 4) return out;
  const length = lengthOf(...out);
  return length > 0 ? out.map((v) => v / length) : [0, 0, 0, 1];
}

/** Keys per second when the keys are regular, else 30. */
function sampleRateOf(channels: readonly ModelChannel[]): number {
  const longest = channels.reduce<Float32Array>((best, { times }) => (times.length > best.length ? times : best), new Float32Array(0));
  if (longest.length < 3) return 30;
  const steps = Array.from(longest.subarray(1), (t, i) => t - longest[i]!).sort((a, b) => a - b);
  const median = steps[steps.length >> 1]!;
  const regular = steps.filter((step) => Math.abs(step - median) < 0.02 * median).length > 0.8 * steps.length;
  if (!regular || !(median > 1e-4)) return 30;
  const rate = 1 / median;
  return Math.abs(rate - Math.round(rate)) < 0.02 * rate ? Math.max(1, Math.round(rate)) : rate;
}
