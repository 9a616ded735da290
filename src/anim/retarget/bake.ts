/** Bakes the motion of one rig into a clip of another. @internal */
import { AnimArgumentError } from "../errors.js";
import { requireObject, show } from "../rig/checks.js";
import { AnimClip } from "../rig/clip.js";
import type { KeyTrack } from "../rig/key-track.js";
import { requireGrid } from "../rig/time-grid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { GroundContact } from "./ground-contact.js";
import { InteractionCorrection } from "./interaction.js";
import type { NeuralRetargetResult } from "./neural.js";
import { NeuralBatches } from "./neural-batch.js";
import { RetargetPlan } from "./plan.js";
import { AnimRetargetProfile } from "./profile.js";
import { LOCAL } from "./rig-frames.js";

/** See `AnimClip.retarget` and `AnimClip.retargetWithProfile`. */
export function retargetClip(method: string, clip: AnimClip, source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): AnimClip {
  const bake = new Bake(method, clip, source, target, profile), { neural } = bake;
  if (neural === undefined) return bake.finish(false);
  const backend = profile.neuralBackend;
  if (backend?.ready === true && !backend.synchronous) {
    profile.noteNeural("asynchronous in synchronous call", 0);
    return bake.finish(false);
  }
  if (backend?.ready !== true) return bake.fallBack();
  try {
    for (const window of neural.windows) neural.accept(window, backend.infer(neural.batch(window)) as NeuralRetargetResult);
  } catch (error) {
    profile.noteNeural(`failed: ${messageOf(error)}`, 0);
    return bake.finish(false);
  }
  return bake.finish(true);
}

/** See `AnimClip.retargetWithProfileAsync`. */
export async function retargetClipAsync(method: string, clip: AnimClip, source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): Promise<AnimClip> {
  const bake = new Bake(method, clip, source, target, profile), { neural } = bake;
  if (neural === undefined) return bake.finish(false);
  const backend = profile.neuralBackend;
  if (backend?.ready !== true) return bake.fallBack();
  try {
    // One window after the other: runtimes queue them anyway, and memory stays that of one.
    for (const window of neural.windows) neural.accept(window, await backend.infer(neural.batch(window)));
  } catch (error) {
    profile.noteNeural(`failed: ${messageOf(error)}`, 0);
    return bake.finish(false);
  }
  return bake.finish(true);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The transfer of all frames, and what is made of it in the end. */
class Bake {
  readonly neural: NeuralBatches | undefined;
  readonly #clip: AnimClip;
  readonly #target: AnimSkeleton;
  readonly #profile: AnimRetargetProfile;
  readonly #plan: RetargetPlan;
  readonly #times: readonly number[];
  readonly #locals: Float64Array[];
  readonly #correction: InteractionCorrection | undefined;
  readonly #ground: GroundContact | undefined;

  constructor(method: string, clip: AnimClip, source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile) {
    requireObject(method, "source", source, "AnimSkeleton");
    requireObject(method, "target", target, "AnimSkeleton");
    if (!(profile instanceof AnimRetargetProfile)) {
      throw new AnimArgumentError(`${method}: profile is ${show(profile)}, expected an AnimRetargetProfile. Use retarget(source, target) for the default one.`);
    }
    const tracks = clip.tracks;
    const plan = new RetargetPlan(method, source, target, profile.settings, (bone) => moves(tracks[bone]?.position));
    const times = bakeTimes(clip), interaction = profile.interaction;
    this.#correction = interaction === undefined ? undefined : new InteractionCorrection(method, plan, source, target, interaction, times.length);
    this.#ground = profile.getGroundContact() ? new GroundContact(plan, source, target, times.length) : undefined;
    this.neural = profile.getNeuralRetargetEnabled() ? new NeuralBatches(plan, source, target, times.length) : undefined;
    this.#locals = times.map((time, frame) => {
      plan.source.sample(tracks, time);
      plan.transfer();
      this.#correction?.observe(frame);
      this.#ground?.observe(frame);
      this.neural?.observe(frame);
      return plan.target.local.slice();
    });
    this.#clip = clip;
    this.#target = target;
    this.#profile = profile;
    this.#plan = plan;
    this.#times = times;
    if (this.neural === undefined) profile.noteNeural("disabled", 0);
  }

  /** Without a model that could be asked. */
  fallBack(): AnimClip {
    this.#profile.noteNeural(this.#profile.neuralBackend === undefined ? "backend missing" : "model not loaded", 0);
    return this.finish(false);
  }

  /** @param inferred - whether a model has answered for all frames */
  finish(inferred: boolean): AnimClip {
    const plan = this.#plan, locals = this.#locals, times = this.#times, turned = new Set<number>();
    plan.matches.forEach((from, bone) => {
      if (from >= 0) turned.add(bone);
    });
    if (inferred) {
      this.#profile.noteNeural("ok", this.neural!.apply(locals, turned));
      this.#observeAgain();
    }
    const corrected = this.#correction?.correct(locals, turned, inferred ? 0.5 : 1) ?? 0;
    this.#ground?.correct(locals, turned, times);

    const out = withAttributes(this.#clip);
    for (const bone of turned) out.setTrackKeys(bone, "rotation", times, rotationKeys(locals, bone));
    if (this.#profile.getTransferScale()) {
      plan.matches.forEach((from, bone) => {
        if (from >= 0 && moves(this.#clip.tracks[from]?.scale, true)) out.setTrackKeys(bone, "scale", times, locals.flatMap((local) => [...local.subarray(bone * LOCAL + 7, bone * LOCAL + LOCAL)]));
      });
    }
    const root = plan.targetRoot * LOCAL;
    out.setTrackKeys(plan.targetRoot, "position", times, locals.flatMap((local) => [local[root]!, local[root + 1]!, local[root + 2]!]));
    this.#profile.report(plan, this.#target, corrected, this.#correction?.threshold);
    return out;
  }

  /** Contacts are kept relative to where the model put the target. */
  #observeAgain(): void {
    if (this.#correction === undefined) return;
    const { source, target } = this.#plan, { tracks } = this.#clip;
    this.#times.forEach((time, frame) => {
      source.sample(tracks, time);
      target.local.set(this.#locals[frame]!);
      target.compose(0);
      this.#correction!.observe(frame);
    });
  }
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
  requireGrid("AnimClip.retarget", clip.getDuration(), clip.getSampleRate());
  const duration = clip.getDuration(), rate = clip.getSampleRate(), last = Math.floor(duration * rate + 1e-6);
  const times = Array.from({ length: last + 1 }, (_, i) => Math.min(i / rate, duration));
  if (duration - times[last]! > 1e-6 / rate) times.push(duration);
  return times;
}

/** Whether a track has values that differ, or any. */
function moves(track: KeyTrack | undefined, any = false): boolean {
  if (track === undefined) return false;
  if (any) return track.count > 0;
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
