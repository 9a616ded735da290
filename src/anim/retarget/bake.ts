/** Bakes the motion of one rig into a clip of another. @internal */
import { AnimArgumentError } from "../errors.js";
import { requireObject, show } from "../rig/checks.js";
import { AnimClip } from "../rig/clip.js";
import type { KeyTrack } from "../rig/key-track.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { RetargetPlan } from "./plan.js";
import { AnimRetargetProfile } from "./profile.js";
import { LOCAL } from "./rig-frames.js";

/** See `AnimClip.retarget` and `AnimClip.retargetWithProfile`. */
export function retargetClip(method: string, clip: AnimClip, source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): AnimClip {
  requireObject(method, "source", source, "AnimSkeleton");
  requireObject(method, "target", target, "AnimSkeleton");
  if (!(profile instanceof AnimRetargetProfile)) {
    throw new AnimArgumentError(`${method}: profile is ${show(profile)}, expected an AnimRetargetProfile. Use retarget(source, target) for the default one.`);
  }
  const tracks = clip.tracks;
  const plan = new RetargetPlan(method, source, target, profile.settings, (bone) => moves(tracks[bone]?.position));
  const times = bakeTimes(clip), frames = plan.target;
  const rotations = Array.from(plan.matches, (from) => (from < 0 ? undefined : new Float64Array(times.length * 4)));
  const path = new Float64Array(times.length * 3), root = plan.targetRoot * LOCAL;
  times.forEach((time, i) => {
    plan.source.sample(tracks, time);
    plan.transfer();
    rotations.forEach((keys, bone) => {
      if (keys === undefined) return;
      const at = bone * LOCAL + 3, key = i * 4;
      let dot = 0;
      if (i > 0) for (let k = 0; k < 4; k++) dot += keys[key - 4 + k]! * frames.local[at + k]!;
      const sign = dot < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) keys[key + k] = sign * frames.local[at + k]!;
    });
    for (let k = 0; k < 3; k++) path[i * 3 + k] = frames.local[root + k]!;
  });

  const out = withAttributes(clip);
  rotations.forEach((keys, bone) => {
    if (keys !== undefined) out.setTrackKeys(bone, "rotation", times, keys);
  });
  out.setTrackKeys(plan.targetRoot, "position", times, path);
  profile.report(plan, target);
  return out;
}

/** i / rate up to the duration, and the duration itself. */
function bakeTimes(clip: AnimClip): number[] {
  const duration = clip.getDuration(), rate = clip.getSampleRate(), last = Math.floor(duration * rate + 1e-6);
  const times = Array.from({ length: last + 1 }, (_, i) => Math.min(i / rate, duration));
  if (duration - times[last]! > 1e-6 / rate) times.push(duration);
  return times;
}

/** Whether a track has values that differ. */
function moves(track: KeyTrack | undefined): boolean {
  if (track === undefined) return false;
  for (let i = 3; i < track.count * 3; i++) {
    if (Math.abs(track.values[i]! - track.values[i % 3]!) > 1e-6 * Math.max(1, Math.abs(track.values[i % 3]!))) return true;
  }
  return false;
}

function withAttributes(clip: AnimClip): AnimClip {
  const out = new AnimClip(clip.getName());
  out.setLoop(clip.getLoop());
  out.setSampleRate(clip.getSampleRate());
  for (const event of clip.events) out.addEvent(event.time, event.name, event.payload);
  for (const marker of clip.markers) out.addSyncMarker(marker.time, marker.name);
  for (let curve = 0; curve < clip.getCurveCount(); curve++) {
    const name = clip.getCurveName(curve);
    out.addCurve(name);
    for (let key = 0; key < clip.getCurveKeyCount(curve); key++) out.addCurveKey(name, clip.getCurveKeyTime(curve, key), clip.getCurveKeyValue(curve, key));
  }
  // Keys of curves may lie behind the duration and must not extend it.
  out.setDuration(clip.getDuration());
  return out;
}
