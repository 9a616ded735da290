/** What compiled forms of a clip have in common, and the quantised form: measures what it loses, and refuses to lose more than it may. @internal */
import { AnimArgumentError, AnimCapacityError, AnimStateError } from "../errors.js";
import { dropBlock } from "./blocks.js";
import { requireObject, show } from "./checks.js";
import type { ClipData } from "./clip-data.js";
import { DEGREES, type Errors, leversOf, measure, sampleInto } from "./compile-error.js";
import type { BoneTracks } from "./key-track.js";
import { AnimPose } from "./pose.js";
import type { SampledClip, Steps } from "./quantise-lanes.js";
import { QuantisedClip } from "./quantised-clip.js";
import { rigHeight } from "./rest-pose.js";
import type { AnimSkeleton } from "./skeleton.js";

/** Tolerances of `AnimClip.compile`. */
export interface CompileOptions {
  /** Frames a second; default: that of the keys if they are evenly spaced, else the clip's sample rate. */
  rate?: number | undefined;
  /** Distance a bone may be off its parent; default a 10,000th of the largest extent of a position track. */
  positionError?: number | undefined;
  /** Angle a bone may be off; default 0.01. */
  rotationErrorDegrees?: number | undefined;
  /** Default 1e-4. */
  scaleError?: number | undefined;
  /** Whether finer codes and higher rates are tried where the first is not good enough. Default true. */
  allowFallback?: boolean | undefined;
  /**
   * With a skeleton the tolerance holds in model space instead: no joint, and no point `shellDistance` from a joint along its
   * axes, may be off by more than `threshold`. Bones with long levers get finer codes.
   */
  skeleton?: AnimSkeleton | undefined;
  /** Default 0.02 of the rig's height. */
  shellDistance?: number | undefined;
  /** Default 0.0001 of the rig's height. */
  threshold?: number | undefined;
}

/** What a compiled clip is and how far it is off, measured at its frames, between them and at all original keys. */
export interface CompileReport {
  form: "raw" | "uniform" | "keyframed";
  rate: number;
  bytes: number;
  maxPositionError: number;
  maxRotationErrorDegrees: number;
  maxScaleError: number;
  /** Largest distance of a joint or shell point in model space; 0 unless a skeleton was given. */
  maxModelError: number;
}

const MAX_FRAMES = 1_000_000;

export interface CompileSource {
  readonly bones: readonly (BoneTracks | undefined)[];
  readonly duration: number;
  readonly sampleRate: number;
  readonly raw: ClipData;
}

/** What a compiled form may be off, and how that is measured. */
export interface CompileGoal {
  readonly tolerance: Errors;
  readonly skeleton: AnimSkeleton | undefined;
  readonly shell: number;
}

/** The goal of checked options. @throws AnimArgumentError */
export function goalOf(source: CompileSource, options: CompileOptions): CompileGoal {
  const method = "AnimClip.compile", { skeleton } = options;
  for (const name of ["rate", "positionError", "rotationErrorDegrees", "scaleError", "shellDistance", "threshold"] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0 && value < Infinity)) {
      throw new AnimArgumentError(`${method}: ${name} is ${show(value)}, expected a finite number above 0.`, { found: value });
    }
  }
  if (skeleton !== undefined) requireObject(method, "skeleton", skeleton, "AnimSkeleton");
  const height = skeleton === undefined ? 1 : rigHeight(skeleton);
  const tolerance: Errors = {
    position: options.positionError ?? (skeleton === undefined ? 1e-4 * extentOf(source.bones) : Infinity),
    rotation: options.rotationErrorDegrees ?? (skeleton === undefined ? 0.01 : Infinity),
    scale: options.scaleError ?? 1e-4,
    model: skeleton === undefined ? Infinity : options.threshold ?? 1e-4 * height,
  };
  return { tolerance, skeleton, shell: options.shellDistance ?? 0.02 * height };
}

/** Largest error by its tolerance: 1 or less is good. */
export function ratioOf(errors: Errors, tolerance: Errors): number {
  return Math.max(errors.position / tolerance.position, errors.rotation / tolerance.rotation, errors.scale / tolerance.scale, errors.model / tolerance.model);
}

/** By what to multiply a share of the tolerance that led to errors: they scale with it, and aim a little below. */
export function nextScale(ratio: number): number {
  return ratio > 1 ? Math.max(0.2, 0.9 / ratio) : Math.min(1.6, 0.95 / Math.max(ratio, 1e-3));
}

export function tooFarOff(errors: Errors, { skeleton }: CompileGoal): AnimStateError {
  return new AnimStateError(
    `AnimClip.compile: the result is off by ${errors.position} in position, ${errors.rotation} degrees, ${errors.scale} in scale` +
    `${skeleton === undefined ? "" : `, ${errors.model} in model space`}, more than asked for. Raise the tolerances or the rate, or allow fallbacks.`,
    { found: errors });
}

export function reportOf(form: CompileReport["form"], data: ClipData, rate: number, errors: Errors): CompileReport {
  return {
    form, rate, bytes: data.bytes, maxPositionError: errors.position, maxRotationErrorDegrees: errors.rotation,
    maxScaleError: errors.scale, maxModelError: errors.model,
  };
}

/** @throws AnimArgumentError, AnimCapacityError for too many frames, AnimStateError if the tolerance cannot be met; then nothing is kept */
export function compileUniform(source: CompileSource, options: CompileOptions, owned: number[]): { data: ClipData; report: CompileReport } {
  const goal = goalOf(source, options), { tolerance, skeleton, shell } = goal, wanted = options.rate ?? rateOf(source) ?? source.sampleRate;
  let errors: Errors | undefined;
  for (let rate = wanted, doubled = 0; doubled < 3; rate *= 2, doubled++) {
    if (source.duration * rate > MAX_FRAMES) break;
    const sampled = sampleClip(source, rate), times = checkTimes(source, sampled);
    let scale = 1;
    for (let attempt = 0; attempt < 6; attempt++) {
      const data = new QuantisedClip(sampled, stepsOf(sampled, tolerance, scale, skeleton, shell), source.duration, owned);
      errors = measure(source.raw, data, sampled.boneCount, times, skeleton, shell);
      const ratio = ratioOf(errors, tolerance);
      if (ratio <= 1 && (ratio > 0.7 || attempt >= 4 || skeleton === undefined)) return { data, report: reportOf("uniform", data, sampled.rate, errors) };
      dropBlock(owned, data.ptr);
      if (options.allowFallback === false) break;
      scale *= nextScale(ratio);
    }
    if (options.allowFallback === false) break;
  }
  if (errors === undefined) {
    throw new AnimCapacityError(`AnimClip.compile: ${source.duration} s at ${wanted} frames a second are more than ${MAX_FRAMES} frames. Lower the rate, trim the clip, or compile it as "keyframed".`, { supported: MAX_FRAMES });
  }
  throw tooFarOff(errors, goal);
}

/** Rate of evenly spaced keys that start at 0, or undefined. */
function rateOf({ bones, duration }: CompileSource): number | undefined {
  let longest: Float32Array | undefined;
  for (const tracks of bones) {
    for (const track of [tracks?.position, tracks?.rotation, tracks?.scale]) {
      if (track !== undefined && track.count > (longest?.length ?? 2)) longest = track.times.subarray(0, track.count);
    }
  }
  if (longest === undefined || longest[0] !== 0 || duration <= 0) return undefined;
  const rate = (longest.length - 1) / longest[longest.length - 1]!;
  for (let i = 0; i < longest.length; i++) if (Math.abs(longest[i]! * rate - i) > 0.02) return undefined;
  return rate;
}

function extentOf(bones: readonly (BoneTracks | undefined)[]): number {
  let extent = 0;
  for (const tracks of bones) {
    const track = tracks?.position;
    for (let k = 0; k < 3 && track !== undefined; k++) {
      let low = Infinity, high = -Infinity;
      for (let i = k; i < track.count * 3; i += 3) {
        low = Math.min(low, track.values[i]!);
        high = Math.max(high, track.values[i]!);
      }
      if (track.count > 0) extent = Math.max(extent, high - low);
    }
  }
  return extent > 0 ? extent : 1;
}

/** Frames from 0 to the duration, both included: the rate is rounded so that they fit. */
function sampleClip(source: CompileSource, wantedRate: number): SampledClip {
  const boneCount = source.bones.length, last = Math.round(source.duration * wantedRate), frameCount = last + 1;
  const rate = last > 0 ? last / source.duration : wantedRate, values = new Float32Array(frameCount * boneCount * 10), pose = new AnimPose(boneCount);
  for (let frame = 0; frame < frameCount; frame++) {
    sampleInto(source.raw, last > 0 ? Math.min(source.duration, frame / rate) : 0, pose, undefined);
    pose.writeLocalTo(values, frame * boneCount * 10);
  }
  pose.dispose();
  const has = (track: { count: number } | undefined): boolean => track !== undefined && track.count > 0;
  const present = Array.from({ length: boneCount }, (_, bone) => {
    const tracks = source.bones[bone];
    return [has(tracks?.position), has(tracks?.rotation), has(tracks?.scale)] as const;
  });
  return { boneCount, frameCount, rate, values, present };
}

/** All frames, the middles between them, and all original key times. */
function checkTimes({ bones, duration }: CompileSource, sampled: SampledClip): Float64Array {
  const times = new Set<number>();
  for (let half = 0; half < 2 * sampled.frameCount - 1; half++) times.add(Math.min(duration, half / 2 / sampled.rate));
  for (const tracks of bones) {
    for (const track of [tracks?.position, tracks?.rotation, tracks?.scale]) {
      for (let i = 0; track !== undefined && i < track.count; i++) if (track.times[i]! <= duration) times.add(track.times[i]!);
    }
  }
  return Float64Array.from(times).sort();
}

/** Steps that should just meet the tolerance, times `scale`. Three components, each off by half a step at most. */
function stepsOf(sampled: SampledClip, tolerance: Errors, scale: number, skeleton: AnimSkeleton | undefined, shell: number): Steps {
  const { boneCount } = sampled, root3 = Math.sqrt(3);
  const steps: Steps = { position: new Float64Array(boneCount), rotation: new Float64Array(boneCount), scale: new Float64Array(boneCount) };
  const levers = skeleton === undefined ? undefined : leversOf(skeleton, shell);
  for (let bone = 0; bone < boneCount; bone++) {
    let position = tolerance.position, radians = tolerance.rotation / DEGREES, size = tolerance.scale;
    if (levers !== undefined) {
      // Errors add up along a chain: every bone gets a share.
      const lever = levers[Math.min(bone, levers.length - 1)]!;
      position = Math.min(position, tolerance.model / 3);
      radians = Math.min(radians, tolerance.model / 2 / lever);
      size = Math.min(size, tolerance.model / 3 / lever);
    }
    steps.position[bone] = (scale * 2 * position) / root3;
    steps.rotation[bone] = (scale * radians) / root3;
    steps.scale[bone] = (scale * 2 * size) / root3;
  }
  return steps;
}
