import { AnimMismatchError } from "../errors.js";
import { requireObject } from "./checks.js";
import { AnimClip } from "./clip.js";
import { ROOT_MOTION_CURVES } from "./clip-edit.js";
import { type KeyTrack, TrackMode } from "./key-track.js";
import { AnimMirror, type MirrorAxis } from "./mirror.js";
import { exchanged } from "./mirror-names.js";
import type { AnimSkeleton } from "./skeleton.js";

const CHANNELS = ["position", "rotation", "scale"] as const;

/**
 * The clip with left and right exchanged, a new clip: key by key, so that it is the mirror image at every time, with the modes
 * and tangents of the tracks. Names of events, sync markers and curves change sides with the bones ("left_plant" becomes
 * "right_plant"), and curves of baked root motion are mirrored.
 * @param map - counterpart of every bone; default by names, see `mirrorMapByName`
 * @param axis - normal of the plane, default "x"
 * @throws AnimMismatchError if the clip has tracks beyond the skeleton
 */
export function mirrorClip(clip: AnimClip, skeleton: AnimSkeleton, map?: ArrayLike<number>, axis: MirrorAxis = "x"): AnimClip {
  requireObject("mirrorClip", "clip", clip, "AnimClip");
  requireObject("mirrorClip", "skeleton", skeleton, "AnimSkeleton");
  const bones = skeleton.getBoneCount();
  if (clip.getTrackCount() > bones) {
    throw new AnimMismatchError(`mirrorClip: the clip has ${clip.getTrackCount()} tracks, the skeleton ${bones} bones. Use the skeleton of the clip.`);
  }
  const mirror = new AnimMirror(skeleton, map, axis), out = new AnimClip(clip.getName());
  try {
    out.setDuration(clip.getDuration());
    out.setLoop(clip.getLoop());
    out.setSampleRate(clip.getSampleRate());
    for (let bone = 0; bone < bones; bone++) {
      const from = mirror.getCounterpart(bone);
      for (const channel of CHANNELS) {
        const track = clip.tracks[from]?.[channel];
        if (track !== undefined && track.count > 0) mirrorTrack(track, out, mirror, skeleton, bone, from, channel);
      }
    }
    // Keys beyond the duration extend it.
    out.setDuration(clip.getDuration());
  } finally {
    mirror.dispose();
  }
  for (const e of clip.events) out.addEvent(e.time, exchanged(e.name), e.payload);
  for (const m of clip.markers) out.addSyncMarker(m.time, exchanged(m.name));
  for (let curve = 0; curve < clip.getCurveCount(); curve++) {
    const name = clip.getCurveName(curve), root = (ROOT_MOTION_CURVES as readonly string[]).indexOf(name), sign = root < 0 ? 1 : rootSign(root, axis);
    const to = root < 0 ? exchanged(name) : name;
    out.addCurve(to);
    for (let key = 0; key < clip.getCurveKeyCount(curve); key++) out.addCurveKey(to, clip.getCurveKeyTime(curve, key), sign * clip.getCurveKeyValue(curve, key));
  }
  return out;
}

function mirrorTrack(
  track: KeyTrack, out: AnimClip, mirror: AnimMirror, skeleton: AnimSkeleton, bone: number, from: number, channel: (typeof CHANNELS)[number],
): void {
  const stride = track.stride, values = mirrored(track.values), count = track.count;
  out.setTrackKeys(bone, channel, track.times.subarray(0, count), values);
  out.setTrackInterpolation(bone, channel, track.mode === TrackMode.STEP ? "step" : track.mode === TrackMode.CUBIC ? "cubicSpline" : "linear");
  if (track.mode !== TrackMode.CUBIC) return;
  const inward = mirrored(track.inTangents!, true), outward = mirrored(track.outTangents!, true);
  for (let key = 0; key < count; key++) {
    out.setKeyTangents(bone, channel, key, inward.slice(key * stride, key * stride + stride), outward.slice(key * stride, key * stride + stride));
  }

  /** Values, or tangents, which know no bind position. */
  function mirrored(list: Float32Array, isSlope = false): number[] {
    const work = new Float64Array(4), result: number[] = [];
    const bindOf = (b: number, k: number): number =>
      isSlope ? 0 : k === 0 ? skeleton.getBindPositionX(b) : k === 1 ? skeleton.getBindPositionY(b) : skeleton.getBindPositionZ(b);
    for (let i = 0; i < track.count * stride; i += stride) {
      for (let k = 0; k < stride; k++) work[k] = list[i + k]!;
      if (channel === "rotation") mirror.mirrorRotation(bone, work, 0);
      else if (channel === "position") {
        for (let k = 0; k < 3; k++) work[k] = work[k]! - bindOf(from, k);
        mirror.mirrorMove(bone, work, 0);
        for (let k = 0; k < 3; k++) work[k] = work[k]! + bindOf(bone, k);
      }
      for (let k = 0; k < stride; k++) result.push(work[k]!);
    }
    return result;
  }
}

/** Of `ROOT_MOTION_CURVES`: the translation along the axis turns round, and the rotation's parts across it. */
function rootSign(index: number, axis: MirrorAxis): number {
  const normal = axis === "x" ? 0 : axis === "y" ? 1 : 2;
  if (index < 3) return index === normal ? -1 : 1;
  return index === 6 || index - 3 === normal ? 1 : -1;
}
