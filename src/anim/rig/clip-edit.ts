/**
 * Editing of whole clips. Every function returns a new clip and leaves the given one alone.
 */
import { AnimArgumentError, AnimMismatchError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { BlendProgram } from "./blend-program.js";
import { requireFinite, requireIndex, requireObject, requireTime } from "./checks.js";
import { AnimClip } from "./clip.js";
import { type KeyTrack, TrackMode } from "./key-track.js";
import { localIndex } from "./layout.js";
import { AnimPose } from "./pose.js";
import { composeRigid, invertRigid, multiplyRotations, RIGID } from "./rigid.js";
import { DEFAULT_ROOT_MOTION, RootMotion, type RootMotionMode } from "./root-motion.js";
import type { AnimSkeleton } from "./skeleton.js";
import { timeGrid } from "./time-grid.js";
import { sampleTrack, slerp } from "./track-sample.js";

const CHANNELS = ["position", "rotation", "scale"] as const;

/** Curves that `extractRootMotion` writes: the motion since the start, translation and rotation. */
export const ROOT_MOTION_CURVES = ["root:x", "root:y", "root:z", "root:qx", "root:qy", "root:qz", "root:qw"] as const;

/**
 * The part of a clip between two times, which becomes time 0 to t1 - t0: keys inside stay, cut curves get keys at the ends.
 * Events and markers inside stay, those at both ends included. Cubic tracks are cut at keys only where they have them, and
 * keep the tangents of the keys inside.
 * @param t0 - 0 <= t0 < t1 <= duration
 */
export function trimClip(clip: AnimClip, t0: number, t1: number): AnimClip {
  requireObject("trimClip", "clip", clip, "AnimClip");
  requireTime("trimClip", "t0", t0);
  requireTime("trimClip", "t1", t1);
  if (!(t0 < t1 && t1 <= clip.getDuration())) {
    throw new AnimArgumentError(`trimClip: the range is ${t0} to ${t1}, expected a part of 0 to ${clip.getDuration()}.`);
  }
  const out = attributesOf(clip, t1 - t0);
  forTracks(clip, (track, bone, channel) => {
    const times: number[] = [], values: number[] = [], value = new Float64Array(4), s = track.stride;
    const add = (time: number): void => {
      sampleTrack(track, time, value, 0);
      times.push(Math.max(0, time - t0));
      for (let k = 0; k < s; k++) values.push(value[k]!);
    };
    const inside: number[] = [];
    for (let key = 0; key < track.count; key++) if (track.times[key]! > t0 && track.times[key]! < t1) inside.push(key);
    add(t0);
    for (const key of inside) {
      times.push(track.times[key]! - t0);
      for (let k = 0; k < s; k++) values.push(track.values[key * s + k]!);
    }
    add(t1);
    out.setTrackKeys(bone, channel, times, values);
    copyMode(clip, out, bone, channel);
    if (track.mode !== TrackMode.CUBIC) return;
    inside.forEach((key, i) => out.setKeyTangents(
      bone, channel, i + 1, track.inTangents!.slice(key * s, key * s + s), track.outTangents!.slice(key * s, key * s + s)));
  });
  for (const e of clip.events) if (e.time >= t0 && e.time <= t1) out.addEvent(e.time - t0, e.name, e.payload);
  for (const m of clip.markers) if (m.time >= t0 && m.time <= t1) out.addSyncMarker(m.time - t0, m.name);
  for (let curve = 0; curve < clip.getCurveCount(); curve++) {
    const name = clip.getCurveName(curve);
    out.addCurve(name);
    if (clip.getCurveKeyCount(curve) === 0) continue;
    // The end of a looping clip would wrap to its start.
    const held = clip.clone();
    held.setLoop(false);
    out.addCurveKey(name, 0, held.sampleCurve(name, t0));
    for (let key = 0; key < clip.getCurveKeyCount(curve); key++) {
      const time = clip.getCurveKeyTime(curve, key);
      if (time > t0 && time < t1) out.addCurveKey(name, time - t0, clip.getCurveKeyValue(curve, key));
    }
    out.addCurveKey(name, t1 - t0, held.sampleCurve(name, t1));
  }
  return out;
}

/** The clip played backward: time t becomes duration - t, for keys, tangents, events and markers. */
export function reverseClip(clip: AnimClip): AnimClip {
  requireObject("reverseClip", "clip", clip, "AnimClip");
  return retimed(clip, clip.getDuration(), (time) => Math.max(0, clip.getDuration() - time), -1);
}

/** The clip at another tempo: all times are multiplied by `factor` (> 0). */
export function scaleClipTime(clip: AnimClip, factor: number): AnimClip {
  requireObject("scaleClipTime", "clip", clip, "AnimClip");
  requireFinite("scaleClipTime", "factor", factor);
  if (factor <= 0) throw new AnimArgumentError(`scaleClipTime: factor is ${factor}, expected a number above 0. Use reverseClip to play backward.`);
  return retimed(clip, clip.getDuration() * factor, (time) => time * factor, 1 / factor);
}

/**
 * The clip as deltas to a reference pose (position difference, conj(ref) q, scale ratio), for additive layers with the
 * "identity" reference. Step tracks stay steps; cubic ones are resampled at the clip's rate.
 * @param reference - a pose with at least as many bones as the clip has tracks
 */
export function makeAdditiveClip(clip: AnimClip, reference: AnimPose): AnimClip {
  requireObject("makeAdditiveClip", "clip", clip, "AnimClip");
  requireObject("makeAdditiveClip", "reference", reference, "AnimPose");
  const bones = clip.getTrackCount();
  if (reference.getBoneCount() < bones) {
    throw new AnimMismatchError(`makeAdditiveClip: the reference has ${reference.getBoneCount()} bones, the clip ${bones} tracks. Give a pose of the clip's skeleton.`);
  }
  const out = attributesOf(clip, clip.getDuration()), pose = new AnimPose(reference.getBoneCount()), delta = new AnimPose(reference.getBoneCount());
  const program = new BlendProgram();
  program.difference(delta.localPtr, pose.localPtr, reference.localPtr);
  forTracks(clip, (track, bone, channel) => {
    const times = track.mode === TrackMode.CUBIC ? timeGrid("makeAdditiveClip", clip.getDuration(), clip.getSampleRate()) : Array.from(track.times.subarray(0, track.count)), values: number[] = [];
    const first = channel === "position" ? 0 : channel === "rotation" ? 3 : 7, value = new Float64Array(4);
    for (const time of times) {
      sampleTrack(track, time, value, 0);
      const at = localIndex(pose.localPtr, bone);
      for (let k = 0; k < track.stride; k++) heap.f32[at + 4 * (first + k)] = value[k]!;
      program.run(delta.groupCount);
      const from = localIndex(delta.localPtr, bone);
      for (let k = 0; k < track.stride; k++) values.push(heap.f32[from + 4 * (first + k)]!);
    }
    out.setTrackKeys(bone, channel, times, values);
    if (track.mode === TrackMode.STEP) out.setTrackInterpolation(bone, channel, "step");
  });
  copyEntries(clip, out, (time) => time);
  for (const part of [pose, delta, program]) part.dispose();
  return out;
}

/**
 * Spreads the difference of end and start over the clip, so that a loop closes: positions and scales by the vector, rotations
 * by turning further and further towards the start. Cubic tracks are left alone.
 * @param bone - only this bone; default all
 */
export function makeLoopable(clip: AnimClip, bone?: number): AnimClip {
  requireObject("makeLoopable", "clip", clip, "AnimClip");
  if (bone !== undefined) requireIndex("makeLoopable", "bone", bone, clip.getTrackCount());
  const out = clip.clone(), duration = clip.getDuration();
  if (duration <= 0) return out;
  forTracks(out, (track, index) => {
    if ((bone !== undefined && index !== bone) || track.mode === TrackMode.CUBIC || track.count < 2) return;
    const s = track.stride, first = Array.from(track.values.subarray(0, s)), last = Array.from(track.values.subarray((track.count - 1) * s, track.count * s));
    const start = track.times[0]!, length = track.times[track.count - 1]! - start;
    for (let key = 0; key < track.count; key++) {
      const share = length > 0 ? (track.times[key]! - start) / length : 1, at = key * s;
      if (s === 3) for (let k = 0; k < 3; k++) track.values[at + k]! -= (last[k]! - first[k]!) * share;
      else track.values.set(turnedBack(first, last, Array.from(track.values.subarray(at, at + 4)), share), at);
    }
  });
  out.touch();
  return out;
}

/** q times (last^-1 first)^share */
function turnedBack(first: number[], last: number[], q: number[], share: number): Float64Array {
  const work = new Float64Array(8);
  work.set([-last[0]!, -last[1]!, -last[2]!, last[3]!]);
  multiplyRotations(work, 0, Float64Array.from(first), 0, work, 0);
  slerp([0, 0, 0, 1], 0, work, 0, share, work, 4);
  multiplyRotations(Float64Array.from(q), 0, work, 4, work, 0);
  return work.subarray(0, 4);
}

/**
 * Bakes root motion: the bone keeps what is left in place, and the motion since the start (X = E(t) E(0)^-1, model space)
 * goes into the curves `ROOT_MOTION_CURVES`. Keys are made at the clip's rate and at the bone's own key times.
 * @param mode - parts of the motion, as for a player
 */
export function extractRootMotion(clip: AnimClip, skeleton: AnimSkeleton, bone: number, mode: Partial<RootMotionMode> = {}): AnimClip {
  requireObject("extractRootMotion", "clip", clip, "AnimClip");
  requireObject("extractRootMotion", "skeleton", skeleton, "AnimSkeleton");
  requireIndex("extractRootMotion", "bone", bone, skeleton.getBoneCount());
  const out = clip.clone(), root = new RootMotion(skeleton), pose = new AnimPose(), times = new Set(timeGrid("extractRootMotion", clip.getDuration(), clip.getSampleRate()).map(Math.fround));
  for (const channel of CHANNELS) for (const time of clip.tracks[bone]?.[channel]?.times.subarray(0, clip.tracks[bone]![channel]!.count) ?? []) if (time <= clip.getDuration()) times.add(time);
  root.setBone(bone);
  root.setMode({ ...DEFAULT_ROOT_MOTION, ...mode, apply: "extract", space: "model" });
  root.setClip(clip);
  const sorted = Array.from(times).toSorted((a, b) => a - b), positions: number[] = [], rotations: number[] = [];
  const sampled = new Float64Array(RIGID), kept = new Float64Array(RIGID), moved = new Float64Array(RIGID);
  const sample = sampler(clip, skeleton, pose);
  let sign = 1, lastW = 1;
  for (const name of ROOT_MOTION_CURVES) out.addCurve(name);
  for (const time of sorted) {
    sample(time);
    pose.computeWorld(skeleton);
    readWorld(pose, bone, sampled);
    root.span[0] = time;
    root.extractFrom(pose.localPtr);
    pose.markStale();
    pose.computeWorld(skeleton);
    readWorld(pose, bone, kept);
    positions.push(pose.getLocalPositionX(bone), pose.getLocalPositionY(bone), pose.getLocalPositionZ(bone));
    rotations.push(pose.getLocalRotationX(bone), pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone));
    // X = T (X^-1 T)^-1
    invertRigid(kept, 0, moved, 0);
    composeRigid(sampled, 0, moved, 0, moved, 0);
    if (moved[6]! * lastW * sign < -0.5) sign = -sign;
    lastW = moved[6]! * sign;
    ROOT_MOTION_CURVES.forEach((name, i) => out.addCurveKey(name, time, i < 3 ? moved[i]! : moved[i]! * sign));
  }
  out.setTrackKeys(bone, "position", sorted, positions);
  out.setTrackKeys(bone, "rotation", sorted, rotations);
  out.setTrackInterpolation(bone, "position", "linear");
  out.setTrackInterpolation(bone, "rotation", "linear");
  out.setDuration(clip.getDuration());
  pose.dispose();
  return out;
}

function sampler(clip: AnimClip, skeleton: AnimSkeleton, pose: AnimPose): (time: number) => void {
  // Times are within the clip, and D must not wrap to 0.
  const still = clip.clone();
  still.setLoop(false);
  return (time) => still.sample(time, pose, skeleton);
}

function readWorld(pose: AnimPose, bone: number, out: Float64Array): void {
  out[0] = pose.getWorldPositionX(bone);
  out[1] = pose.getWorldPositionY(bone);
  out[2] = pose.getWorldPositionZ(bone);
  out[3] = pose.getWorldRotationX(bone);
  out[4] = pose.getWorldRotationY(bone);
  out[5] = pose.getWorldRotationZ(bone);
  out[6] = pose.getWorldRotationW(bone);
}

function forTracks(clip: AnimClip, visit: (track: KeyTrack, bone: number, channel: (typeof CHANNELS)[number]) => void): void {
  clip.tracks.forEach((tracks, bone) => {
    for (const channel of CHANNELS) {
      const track = tracks?.[channel];
      if (track !== undefined && track.count > 0) visit(track, bone, channel);
    }
  });
}

function attributesOf(clip: AnimClip, duration: number): AnimClip {
  const out = new AnimClip(clip.getName());
  out.setDuration(duration);
  out.setLoop(clip.getLoop());
  out.setSampleRate(clip.getSampleRate());
  return out;
}

function copyMode(from: AnimClip, to: AnimClip, bone: number, channel: (typeof CHANNELS)[number]): void {
  to.setTrackInterpolation(bone, channel, from.getTrackInterpolation(bone, channel));
}

function copyEntries(from: AnimClip, to: AnimClip, time: (t: number) => number): void {
  for (const e of from.events) if (e.time <= from.getDuration()) to.addEvent(time(e.time), e.name, e.payload);
  for (const m of from.markers) if (m.time <= from.getDuration()) to.addSyncMarker(time(m.time), m.name);
  for (let curve = 0; curve < from.getCurveCount(); curve++) {
    const name = from.getCurveName(curve);
    to.addCurve(name);
    for (let key = 0; key < from.getCurveKeyCount(curve); key++) to.addCurveKey(name, time(from.getCurveKeyTime(curve, key)), from.getCurveKeyValue(curve, key));
  }
}

/** The clip with other key times, in ascending or descending order; tangents are multiplied by `slope`. */
function retimed(clip: AnimClip, duration: number, retime: (time: number) => number, slope: number): AnimClip {
  const out = attributesOf(clip, duration);
  forTracks(clip, (track, bone, channel) => {
    const s = track.stride, order = Array.from({ length: track.count }, (_, key) => (slope < 0 ? track.count - 1 - key : key));
    // Played backward, a step shows its earlier value up to the key: values move to the key before.
    const valueOf = (i: number): number => (slope < 0 && track.mode === TrackMode.STEP ? Math.max(0, order[i]! - 1) : order[i]!);
    const times = order.map((key) => retime(track.times[key]!)), values = order.flatMap((_, i) => Array.from(track.values.subarray(valueOf(i) * s, valueOf(i) * s + s)));
    if (slope < 0 && track.mode === TrackMode.STEP && times[0]! > 0) {
      times.unshift(0);
      values.unshift(...track.values.subarray((track.count - 1) * s, track.count * s));
    }
    out.setTrackKeys(bone, channel, times, values);
    copyMode(clip, out, bone, channel);
    if (track.mode !== TrackMode.CUBIC) return;
    order.forEach((key, i) => {
      const inward = Array.from(track.inTangents!.subarray(key * s, key * s + s), (v) => v * slope);
      const outward = Array.from(track.outTangents!.subarray(key * s, key * s + s), (v) => v * slope);
      out.setKeyTangents(bone, channel, i, slope < 0 ? outward : inward, slope < 0 ? inward : outward);
    });
  });
  copyEntries(clip, out, retime);
  return out;
}
