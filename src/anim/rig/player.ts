import { AnimArgumentError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { rig3d } from "../../wasm/rig3d.js";
import { disposed, LONGEST_STEP, requireFinite, requireIndex, requireLod, requireObject, requireTime, show } from "./checks.js";
import type { AnimClip } from "./clip.js";
import { NO_LENGTH, wrapTime } from "./clip-time.js";
import { ClipVoice } from "./clip-voice.js";
import { EventReader } from "./event-reader.js";
import { type InertialCurve, Inertializer } from "./inertializer.js";
import { GROUP_BYTES } from "./layout.js";
import { AnimPose } from "./pose.js";
import { retire } from "./retire.js";
import { RIGID, setIdentity } from "./rigid.js";
import { blendDeltas, DEFAULT_ROOT_MOTION, type RootMotionMode } from "./root-motion.js";
import type { AnimSkeleton } from "./skeleton.js";
import { SLERP_WEIGHT } from "./track-sample.js";
import { mapSyncTime } from "./sync-markers.js";

/** How a cross-fade goes from one clip to the next. */
export type FadeCurve = "linear" | "smooth" | "inertial";

/** Called for every event of an update, at its end. */
export type AnimEventListener = (name: string, payload: string, age: number) => void;

/** What plays, as plain data: how crowds hand characters over. @internal */
export interface PlayerState {
  clip: AnimClip | null;
  /** Unwrapped. */
  time: number;
  loop: boolean;
  speed: number;
  playing: boolean;
  outgoing: AnimClip | null;
  outgoingTime: number;
  fadeElapsed: number;
  fadeDuration: number;
  /** Address of the local pose that fades out behind the outgoing clip, 0 for none. */
  frozen: number;
}

/** Fades shorter than this are switches. */
const NO_FADE = 1e-6;
/** Step over which the velocity of a new motion is measured at an inertial switch. */
const VELOCITY_STEP = 1 / 60;

/**
 * Plays one clip at a time on a skeleton, with cross-fades, events and root motion.
 *
 * Owns its output pose (`getPose()`), which starts as the bind pose; the world of the pose is stale after every update.
 * `update(dt)` takes real seconds: a negative dt throws, one that is not finite is ignored. Updates allocate nothing.
 */
export class AnimPlayer extends EventReader {
  readonly #skeleton: AnimSkeleton;
  readonly #pose = new AnimPose();
  #current: ClipVoice;
  /** The clip that fades out; its `clip` is null outside fades. */
  #outgoing: ClipVoice;
  /** Scratch poses: current and outgoing during fades, and the pose shown when a fade began during a fade. */
  #sourceA: AnimPose | undefined;
  #sourceB: AnimPose | undefined;
  #frozen: AnimPose | undefined;
  #hasFrozen = false;
  #inertia: Inertializer | undefined;
  /** Real seconds of the step being evaluated, and the weight of the current clip in it. */
  #step = 0;
  #weight = 1;
  #fadeElapsed = 0;
  #fadeDuration = 0;
  #fadeCurve: FadeCurve = "linear";
  #inertialCurve: InertialCurve = "critical";
  #playing = false;
  #paused = false;
  #speed = 1;
  #loopOverride: boolean | undefined;
  #rate = 0;
  #phase = 0;
  #phaseDue = true;
  #waited = 0;
  #loops = 0;
  #lod = 0;
  #queued: AnimClip | null = null;
  #queuedFade = 0;
  #rootBone = -1;
  #rootMode: RootMotionMode = { ...DEFAULT_ROOT_MOTION };
  readonly #rootDelta = new Float64Array(RIGID);
  #allEvents = false;
  #dominantEvents = false;
  #listener: AnimEventListener | undefined;
  #disposed = false;

  constructor(skeleton: AnimSkeleton) {
    super();
    requireObject("AnimPlayer", "skeleton", skeleton, "AnimSkeleton");
    skeleton.freeze("AnimPlayer");
    this.#skeleton = skeleton;
    this.#current = new ClipVoice(skeleton);
    this.#outgoing = new ClipVoice(skeleton);
    setIdentity(this.#rootDelta, 0);
    skeleton.applyBindPose(this.#pose);
  }

  // ---- commands ---------------------------------------------------------------------------------------------------

  /** Starts a clip at time 0 and samples it at once. Its events at 0 fire with the first update of dt > 0. */
  play(clip: AnimClip): void {
    this.#checkClip("AnimPlayer.play", clip);
    this.#begin(clip, 0, false);
  }

  /** Starts a clip at its end, playing backward. */
  playReverse(clip: AnimClip): void {
    this.#checkClip("AnimPlayer.playReverse", clip);
    this.#begin(clip, clip.duration, true);
  }

  /**
   * Starts a clip at time 0 and fades to it from what is shown. The outgoing clip keeps advancing. During a fade the pose
   * shown at that moment is kept and faded out as well, so nothing jumps.
   * @param blendSeconds - real seconds, not scaled by speed; 0 is `play`
   */
  crossFade(clip: AnimClip, blendSeconds: number): void {
    this.#checkClip("AnimPlayer.crossFade", clip);
    requireTime("AnimPlayer.crossFade", "blendSeconds", blendSeconds);
    this.#fadeTo(clip, blendSeconds, 0);
  }

  /** As `crossFade`, but the clip starts at the time that corresponds to the outgoing one, by sync markers or phase. */
  crossFadeSynced(clip: AnimClip, blendSeconds: number): void {
    this.#checkClip("AnimPlayer.crossFadeSynced", clip);
    requireTime("AnimPlayer.crossFadeSynced", "blendSeconds", blendSeconds);
    const from = this.#current.clip;
    this.#fadeTo(clip, blendSeconds, from === null ? 0 : mapSyncTime(from, clip, this.#current.clipTime(this.#loopOf(from))));
  }

  /** Cross-fades to `clip` when the current one ends (or at once if nothing plays). */
  queue(clip: AnimClip, blendSeconds = 0): void {
    this.#checkClip("AnimPlayer.queue", clip);
    requireTime("AnimPlayer.queue", "blendSeconds", blendSeconds);
    if (!this.#playing) {
      this.#fadeTo(clip, blendSeconds, 0);
      return;
    }
    this.#queued = clip;
    this.#queuedFade = blendSeconds;
  }

  /** No clip, time 0, bind pose, empty event list. The queue of events stays. */
  stop(): void {
    this.#check("stop");
    this.#playing = false;
    this.#paused = false;
    this.#queued = null;
    this.#waited = 0;
    this.#current.start(null, 0, false);
    this.#endFade();
    this.#inertia?.reset();
    this.eventLog.beginUpdate();
    setIdentity(this.#rootDelta, 0);
    this.#skeleton.applyBindPose(this.#pose);
  }

  pause(): void {
    this.#check("pause");
    if (this.#playing) this.#paused = true;
  }

  resume(): void {
    this.#check("resume");
    this.#paused = false;
  }

  /** Playback rate, 0 or more; applies to the outgoing clip of a fade too. */
  setSpeed(speed: number): void {
    requireFinite("AnimPlayer.setSpeed", "speed", speed);
    if (speed < 0) {
      throw new AnimArgumentError(`AnimPlayer.setSpeed: speed is ${speed}, expected 0 or more. Use playReverse(clip) or setReverse(true).`, { found: speed });
    }
    this.#speed = speed;
  }

  getSpeed(): number { return this.#speed; }

  /** Plays the current clip backward or forward from where it is. */
  setReverse(reverse: boolean): void {
    this.#check("setReverse");
    this.#current.reverse = reverse === true;
  }

  /** Seeks and samples at once: no events, no root motion; ends a fade. A finished clip goes on from there. */
  setTime(seconds: number): void {
    this.#check("setTime");
    requireTime("AnimPlayer.setTime", "seconds", seconds);
    setIdentity(this.#rootDelta, 0);
    if (this.#current.clip === null) return;
    this.#endFade();
    this.#inertia?.reset();
    this.#current.time = this.#loopOf(this.#current.clip) ? seconds : Math.min(seconds, this.#current.clip.duration);
    this.#current.fresh = false;
    this.#playing = true;
    this.#samplePose();
  }

  /** Time within the current clip, seconds; 0 without one. */
  getTime(): number {
    return this.#current.clip === null ? 0 : this.#current.clipTime(this.#loopOf(this.#current.clip));
  }

  /** Overrides the loop flags of clips until `clearLoopOverride`. */
  setLoop(loop: boolean): void {
    this.#loopOverride = loop === true;
  }

  clearLoopOverride(): void {
    this.#loopOverride = undefined;
  }

  /** The override, else the current clip's flag, else true. */
  getLoop(): boolean {
    return this.#loopOverride ?? this.#current.clip?.loop ?? true;
  }

  isPlaying(): boolean { return this.#playing; }
  isPaused(): boolean { return this.#paused; }
  getClip(): AnimClip | null { return this.#current.clip; }

  /** Whether a clip that does not loop has reached its end. */
  hasFinished(): boolean { return this.#current.clip !== null && !this.#playing; }

  /** Completed passes of the current clip. */
  getLoopCount(): number { return this.#loops; }

  /** Weight of the current clip: below 1 during a fade. */
  getWeight(): number {
    if (!this.isFading()) return 1;
    this.#weigh(false);
    return this.#weight;
  }

  /** Whether a cross-fade runs. */
  isFading(): boolean { return this.#outgoing.clip !== null; }

  /** The output pose; the same object for the life of the player. */
  getPose(): AnimPose { return this.#pose; }
  getSkeleton(): AnimSkeleton { return this.#skeleton; }

  /** How fades go: linear, smooth (3 t² - 2 t³), or inertial (the old clip is dropped, the difference dies away). */
  setFadeCurve(curve: FadeCurve): void {
    if (curve !== "linear" && curve !== "smooth" && curve !== "inertial") {
      throw new AnimArgumentError(`AnimPlayer.setFadeCurve: curve is ${show(curve)}, expected "linear", "smooth" or "inertial".`, { found: curve });
    }
    this.#fadeCurve = curve;
  }

  /** Decay of inertial fades; default "critical". */
  setInertialCurve(curve: InertialCurve): void {
    if (curve !== "critical" && curve !== "quintic") {
      throw new AnimArgumentError(`AnimPlayer.setInertialCurve: curve is ${show(curve)}, expected "critical" or "quintic".`, { found: curve });
    }
    this.#inertialCurve = curve;
  }

  /** Level of detail that clips are sampled at; 0 is full. */
  setLod(level: number): void {
    requireLod("AnimPlayer.setLod", level);
    this.#lod = level;
  }

  getLod(): number { return this.#lod; }

  // ---- root motion ------------------------------------------------------------------------------------------------

  /** Bone whose motion is taken out of the pose and reported; -1 turns it off. */
  setRootMotionBone(bone: number): void {
    if (bone !== -1) requireIndex("AnimPlayer.setRootMotionBone", "bone", bone, this.#skeleton.getBoneCount());
    this.#rootBone = bone;
    this.#current.rootMotion.setBone(bone);
    this.#outgoing.rootMotion.setBone(bone);
  }

  getRootMotionBone(): number { return this.#rootBone; }

  /** Which part of the motion is taken and in which space; what is left out keeps its value. */
  setRootMotionMode(mode: Partial<RootMotionMode>): void {
    requireObject("AnimPlayer.setRootMotionMode", "mode", mode, "object");
    const next = { ...this.#rootMode, ...mode };
    requireOption("translation", next.translation, ["xyz", "xz", "y", "none"]);
    requireOption("rotation", next.rotation, ["full", "yaw", "none"]);
    requireOption("apply", next.apply, ["extract", "measure"]);
    requireOption("space", next.space, ["model", "local"]);
    this.#rootMode = next;
    this.#current.rootMotion.setMode(next);
    this.#outgoing.rootMotion.setMode(next);
  }

  getRootMotionX(): number { return this.#rootDelta[0]!; }
  getRootMotionY(): number { return this.#rootDelta[1]!; }
  getRootMotionZ(): number { return this.#rootDelta[2]!; }
  getRootMotionRotationX(): number { return this.#rootDelta[3]!; }
  getRootMotionRotationY(): number { return this.#rootDelta[4]!; }
  getRootMotionRotationZ(): number { return this.#rootDelta[5]!; }
  getRootMotionRotationW(): number { return this.#rootDelta[6]!; }

  // ---- events -----------------------------------------------------------------------------------------------------

  /** Whose events fire during a fade: those of the clip that comes in ("target", default), of the heavier one, of both. */
  setEventPolicy(policy: "target" | "dominant" | "all"): void {
    if (policy !== "target" && policy !== "dominant" && policy !== "all") {
      throw new AnimArgumentError(`AnimPlayer.setEventPolicy: policy is ${show(policy)}, expected "target", "dominant" or "all".`, { found: policy });
    }
    this.#allEvents = policy === "all";
    this.#dominantEvents = policy === "dominant";
  }

  /** Calls `listener` for each event at the end of the update that passed it; null removes it. */
  onEvent(listener: AnimEventListener | null): void {
    this.#listener = listener ?? undefined;
  }

  // ---- update -----------------------------------------------------------------------------------------------------

  /** Evaluations a second; 0 evaluates in every update. Time is accumulated exactly between evaluations. */
  setUpdateRate(hz: number): void {
    requireFinite("AnimPlayer.setUpdateRate", "hz", hz);
    if (hz < 0) throw new AnimArgumentError(`AnimPlayer.setUpdateRate: hz is ${hz}, expected 0 (every update) or more.`, { found: hz });
    this.#rate = hz;
    this.#phaseDue = true;
  }

  getUpdateRate(): number { return this.#rate; }

  /**
   * Brings the first evaluation after `setUpdateRate` forward by this share of the interval, so that players of one rate
   * need not all evaluate in one frame (use i / count). Time stays exact. 0..1, default 0.
   */
  setUpdatePhase(phase: number): void {
    requireFinite("AnimPlayer.setUpdatePhase", "phase", phase);
    if (phase < 0 || phase > 1) throw new AnimArgumentError(`AnimPlayer.setUpdatePhase: phase is ${phase}, expected 0..1.`, { found: phase });
    this.#phase = phase;
    this.#phaseDue = true;
  }

  /** Advances by `dt` real seconds. */
  update(dt: number): void {
    this.#check("update");
    if (dt < 0 && dt !== -Infinity) throw new AnimArgumentError(`AnimPlayer.update: dt is ${dt}, expected 0 or more. Use setReverse(true) to play backward.`, { found: dt });
    this.eventLog.beginUpdate();
    setIdentity(this.#rootDelta, 0);
    if (!Number.isFinite(dt) || this.#paused || this.#current.clip === null) return;
    // A clip that has ended stands still, but a fade to it goes on.
    if (!this.#playing && !this.isFading() && this.#inertia?.isActive() !== true) return;
    this.#waited = Math.min(LONGEST_STEP, this.#waited + dt);
    if (this.#rate > 0) {
      const interval = (1 - (this.#phaseDue ? this.#phase : 0)) / this.#rate;
      if (this.#waited < interval - 1e-9) return;
      this.#phaseDue = false;
    }
    this.#step = this.#waited;
    this.#waited = 0;
    this.#current.seconds = this.#step * this.#speed;
    this.#advance();
    if (this.#listener !== undefined) this.#notify(this.#listener);
  }

  /**
   * One evaluated step: `step` real seconds for fades, `clipSeconds` for the current clip. Events and root motion are those
   * of this step; the caller has begun the update. Used by sync groups, which tell followers how far to go. @internal
   */
  advance(step: number, clipSeconds: number): void {
    this.#step = step;
    this.#current.seconds = clipSeconds;
    this.#advance();
  }

  /** `advance` by steps[0] and steps[1]: in a typed array, because doubles in arguments are boxed. @internal */
  advanceBy(steps: Float64Array): void {
    this.#step = steps[0]!;
    this.#current.seconds = steps[1]!;
    this.#advance();
  }

  /** Writes `getTime()` to out[at]. @internal */
  readTime(out: Float64Array, at: number): void {
    const { clip, time } = this.#current;
    out[at] = clip === null ? 0 : wrapTime(time, clip.duration, this.#loopOf(clip));
  }

  /** `advance` by #step and the seconds of the current voice. */
  #advance(): void {
    const current = this.#current, clip = current.clip!, step = this.#step, loop = this.#loopOf(clip);
    current.rate = step > 0 ? current.seconds / step : 0;
    if (this.isFading()) this.#weigh(true);
    const ownEvents = !this.#dominantEvents || !this.isFading() || this.#weight >= 0.5;
    const duration = clip.duration, passBefore = duration > NO_LENGTH ? Math.floor(current.time / duration) : 0;
    const ended = current.advance(loop, ownEvents ? this.eventLog : undefined);
    if (loop) this.#loops += Math.abs((duration > NO_LENGTH ? Math.floor(current.time / duration) : 0) - passBefore);
    else if (ended) this.#loops = 1;
    if (this.#rootBone >= 0) this.#rootDelta.set(current.rootMotion.delta);
    if (this.isFading()) this.#advanceFade(!ownEvents || this.#allEvents);
    if (this.#inertia?.isActive() === true || this.#fadeCurve === "inertial") this.#sampleInertial();
    else this.#samplePose();
    if (ended && (step > 0 || duration <= NO_LENGTH)) this.#finish();
  }

  /** Begins an update on behalf of a group that advances the player. @internal */
  beginUpdate(): void {
    this.eventLog.beginUpdate();
    setIdentity(this.#rootDelta, 0);
  }

  /** Unwrapped time of the current clip. @internal */
  get unwrappedTime(): number { return this.#current.time; }
  /** The last delta, seven numbers: translation, rotation. @internal */
  get rootDelta(): Float64Array { return this.#rootDelta; }

  /** What plays now. @internal */
  get state(): PlayerState {
    const clip = this.#current.clip;
    return {
      clip, time: this.#current.time, loop: clip === null ? false : this.#loopOf(clip), speed: this.#speed, playing: this.#playing,
      outgoing: this.#outgoing.clip, outgoingTime: this.#outgoing.time, fadeElapsed: this.#fadeElapsed, fadeDuration: this.#fadeDuration,
      frozen: this.#hasFrozen ? this.#frozen!.localPtr : 0,
    };
  }

  /** Goes on from there. @internal */
  set state(state: PlayerState) {
    this.stop();
    this.#speed = state.speed;
    if (state.clip === null) return;
    if (state.outgoing !== null) {
      this.#outgoing.start(state.outgoing, state.outgoingTime, false);
      this.#outgoing.fresh = false;
      this.#fadeElapsed = state.fadeElapsed;
      this.#fadeDuration = state.fadeDuration;
      this.#hasFrozen = state.frozen !== 0;
      if (state.frozen !== 0) {
        const frozen = (this.#frozen ??= new AnimPose());
        frozen.fit(this.#pose.getBoneCount());
        heap.u8.copyWithin(frozen.localPtr, state.frozen, state.frozen + this.#pose.groupCount * GROUP_BYTES);
      }
    }
    if (state.loop !== state.clip.loop) this.setLoop(state.loop);
    this.#startCurrent(state.clip, state.time, false);
    this.#current.fresh = state.time === 0;
    this.#playing = state.playing;
    this.#samplePose();
  }

  /** Frees the poses and samplers; clips and skeleton stay. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#playing = false;
    for (const pose of [this.#pose, this.#sourceA, this.#sourceB, this.#frozen]) pose?.dispose();
    this.#inertia?.dispose();
    this.#current.dispose();
    this.#outgoing.dispose();
    retire(this, "AnimPlayer");
  }

  #begin(clip: AnimClip, time: number, reverse: boolean): void {
    this.#endFade();
    this.#inertia?.reset();
    this.#startCurrent(clip, time, reverse);
    this.#samplePose();
  }

  #startCurrent(clip: AnimClip, time: number, reverse: boolean): void {
    this.#current.start(clip, time, reverse);
    this.#playing = true;
    this.#paused = false;
    this.#queued = null;
    this.#loops = 0;
    setIdentity(this.#rootDelta, 0);
  }

  #fadeTo(clip: AnimClip, seconds: number, time: number): void {
    if (this.#current.clip === null || seconds <= NO_FADE) {
      this.#begin(clip, time, false);
      return;
    }
    if (this.#fadeCurve === "inertial") {
      this.#switchInertially(clip, seconds, time);
      return;
    }
    this.#inertia?.reset();
    if (this.isFading()) {
      (this.#frozen ??= new AnimPose()).copyFrom(this.#pose);
      this.#hasFrozen = true;
    }
    const outgoing = this.#current;
    this.#current = this.#outgoing;
    this.#outgoing = outgoing;
    this.#startCurrent(clip, time, false);
    this.#fadeElapsed = 0;
    this.#fadeDuration = seconds;
  }

  #switchInertially(clip: AnimClip, seconds: number, time: number): void {
    const inertia = (this.#inertia ??= new Inertializer()), pose = this.#pose, groups = pose.groupCount;
    // What is shown now, in case nothing was recorded yet.
    inertia.record(pose.localPtr, groups, 0);
    inertia.setCurve(this.#inertialCurve);
    this.#endFade();
    this.#startCurrent(clip, time, false);
    const loop = this.#loopOf(clip), now = (this.#sourceA ??= new AnimPose()), next = (this.#sourceB ??= new AnimPose());
    now.fit(pose.getBoneCount());
    next.fit(pose.getBoneCount());
    const start = this.#current.time;
    this.#current.sample(now.localPtr, groups, loop, this.#lod);
    this.#current.time = start + VELOCITY_STEP * this.#speed;
    this.#current.sample(next.localPtr, groups, loop, this.#lod);
    this.#current.time = start;
    inertia.blend[0] = VELOCITY_STEP;
    inertia.blend[1] = seconds;
    inertia.startBlend(now.localPtr, next.localPtr, groups);
  }

  #advanceFade(events: boolean): void {
    const outgoing = this.#outgoing, step = this.#step, rate = this.#current.rate;
    this.#fadeElapsed += step;
    outgoing.seconds = step * rate;
    outgoing.rate = rate;
    outgoing.advance(this.#loopOf(outgoing.clip!), events ? this.eventLog : undefined, 1);
    if (this.#fadeElapsed >= this.#fadeDuration) this.#endFade();
    else if (this.#rootBone >= 0) {
      SLERP_WEIGHT[0] = this.#weight;
      blendDeltas(outgoing.rootMotion.delta, this.#rootDelta, this.#rootDelta);
    }
  }

  /** Sets the weight of the current clip, now or at the end of the step. */
  #weigh(ahead: boolean): void {
    const t = Math.min(1, (this.#fadeElapsed + (ahead ? this.#step : 0)) / this.#fadeDuration);
    this.#weight = this.#fadeCurve === "smooth" ? t * t * (3 - 2 * t) : t;
  }

  #endFade(): void {
    this.#outgoing.start(null, 0, false);
    this.#hasFrozen = false;
  }

  /** The pose at the present clocks, fades included. */
  #samplePose(): void {
    const pose = this.#pose, groups = pose.groupCount, current = this.#current, loop = this.#loopOf(current.clip!);
    if (!this.isFading()) {
      current.sample(pose.localPtr, groups, loop, this.#lod);
    } else {
      const a = (this.#sourceA ??= new AnimPose()), b = (this.#sourceB ??= new AnimPose()), outgoing = this.#outgoing;
      a.fit(pose.getBoneCount());
      b.fit(pose.getBoneCount());
      outgoing.sample(a.localPtr, groups, this.#loopOf(outgoing.clip!), this.#lod);
      current.sample(b.localPtr, groups, loop, this.#lod);
      this.#weigh(false);
      if (this.#hasFrozen) this.#mix(this.#frozen!.localPtr, a.localPtr, a.localPtr, groups);
      this.#mix(a.localPtr, b.localPtr, pose.localPtr, groups);
    }
    pose.markStale();
  }

  /** Blend of two poses by the fade's weight; 0 and 1 are copies. */
  #mix(a: number, b: number, out: number, groupCount: number): void {
    const weight = this.#weight;
    if (weight > 0 && weight < 1) rig3d.kernels.blendPair(a, b, weight, out, groupCount);
    else {
      const from = weight <= 0 ? a : b;
      if (from !== out) heap.u8.copyWithin(out, from, from + groupCount * GROUP_BYTES);
    }
  }

  #sampleInertial(): void {
    this.#samplePose();
    const inertia = (this.#inertia ??= new Inertializer()), pose = this.#pose;
    inertia.step[0] = this.#step;
    if (inertia.isActive()) inertia.applyStep(pose.localPtr, pose.localPtr, pose.groupCount);
    inertia.recordStep(pose.localPtr, pose.groupCount);
  }

  #finish(): void {
    if (this.#queued !== null) {
      const next = this.#queued;
      this.#fadeTo(next, this.#queuedFade, 0);
    } else {
      this.#playing = false;
    }
  }

  #loopOf(clip: AnimClip): boolean {
    return this.#loopOverride ?? clip.loop;
  }

  #notify(listener: AnimEventListener): void {
    for (let i = 0; i < this.eventLog.count; i++) {
      const entry = this.eventLog.entry(i);
      listener(entry.name, entry.payload, this.eventLog.age(i));
    }
  }

  /** @param method - with the class: a text that is put together here would be garbage of every fade */
  #checkClip(method: string, clip: AnimClip): void {
    if (this.#disposed) throw disposed(method, "AnimPlayer");
    requireObject(method, "clip", clip, "AnimClip");
  }

  #check(method: string): void {
    if (this.#disposed) throw disposed(`AnimPlayer.${method}`, "AnimPlayer");
  }
}

function requireOption(option: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) {
    throw new AnimArgumentError(
      `AnimPlayer.setRootMotionMode: ${option} is ${show(value)}, expected ${allowed.map((a) => `"${a}"`).join(", ")}.`, { found: value });
  }
}
