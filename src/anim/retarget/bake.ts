/** Bakes the motion of one rig into a clip of another. @internal */
import { AnimArgumentError } from "../errors.js";
import { requireObject, show } from "../rig/checks.js";
import { AnimClip } from "../rig/clip.js";
import type { KeyTrack } from "../rig/key-track.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { InteractionCorrection } from "./interaction.js";
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
  const times = bakeTimes(clip), interaction = profile.interaction;
  const correction = interaction === undefined ? undefined : new InteractionCorrection(method, plan, source, target, interaction, times.length);
  const locals = times.map((time, frame) => {
    plan.source.sample(tracks, time);
    plan.transfer();
    correction?.observe(frame);
    return plan.target.local.slice();
  });
  const turned = new Set<number>();
  plan.matches.forEach((from, bone) => {
    if (from >= 0) turned.add(bone);
  });
  const corrected = correction?.correct(locals, turned) ?? 0;

  const out = withAttributes(clip);
  for (const bone of turned) out.setTrackKeys(bone, "rotation", times, rotationKeys(locals, bone));
  const root = plan.targetRoot * LOCAL;
  out.setTrackKeys(plan.targetRoot, "position", times, locals.flatMap((local) => [local[root]!, local[root + 1]!, local[root + 2]!]));
  profile.report(plan, target, corrected, correction?.threshold);
  return out;
}

/** Rotations of one bone, each in the hemisphere of the one before. */
function rotationKeys(locals: readonly Float64Array[], bone: number): Float64Array {
  const keys = new Float64Array(locals.length * 4), at = bone * LOCAL + 3;
  locals.forEach((local, i) => {
    const key = i * 4;
    let dot = 0;
    if (i > 0) for (let k = 0; k < 4; k++) dot += keys[key - 4 + k]! * local[at + k]!;
    const sign = dot < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) keys[key + k] = sign * local[at + k]!;
  });
  return keys;
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
