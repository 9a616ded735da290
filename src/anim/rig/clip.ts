import { AnimArgumentError } from "../errors.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { rig3d } from "../../wasm/rig3d.js";
import { dropAll, dropBlock } from "./blocks.js";
import {
  disposed, MAX_BONES, requireFinite, requireFinite3, requireIndex, requireName, requireObject, requireRotation, requireTime, show,
} from "./checks.js";
import { ClipCurves } from "./clip-curves.js";
import { type CompileOptions, type CompileReport, compileUniform } from "./compile.js";
import { type CompressReport, reduceTrack } from "./compress.js";
import { type BoneTracks, KeyTrack, TrackMode } from "./key-track.js";
import { type ClipData, type SampleContext, sharedContext } from "./clip-data.js";
import { KeyedClip } from "./keyed-clip.js";
import { GROUP_BYTES, groupsOf, identityGroup } from "./layout.js";
import type { AnimPose } from "./pose.js";
import { retire } from "./retire.js";
import type { AnimSkeleton } from "./skeleton.js";
import { haveCompatibleMarkers, mapSyncTime, type MarkedClip } from "./sync-markers.js";
import { TableClip } from "./table-clip.js";
import { type TimedEntry, TimedList } from "./timed-list.js";
import { retargetClip, retargetClipAsync } from "../retarget/bake.js";
import { AnimRetargetProfile } from "../retarget/profile.js";

/** The three things of a bone that a clip can animate. */
export type AnimChannel = "position" | "rotation" | "scale";
/** How a track goes from key to key. */
export type AnimInterpolation = "linear" | "step" | "cubicSpline";

const MODES: Record<AnimInterpolation, TrackMode> = { linear: TrackMode.LINEAR, step: TrackMode.STEP, cubicSpline: TrackMode.CUBIC };
const MODE_NAMES: Record<TrackMode, AnimInterpolation> = {
  [TrackMode.LINEAR]: "linear", [TrackMode.STEP]: "step", [TrackMode.CUBIC]: "cubicSpline",
};
/** The time of the sample being taken: a number in a typed array crosses calls without being boxed. */
const TIME = /* @__PURE__ */ new Float64Array(1);
/** Below this a clip has no length. */
export const NO_LENGTH = 1e-8;

/**
 * Keyframes of bones by index, plus events and sync markers. Times in seconds, transforms local to the parent.
 *
 * Not tied to a skeleton: bones without keys take the bind transform of the skeleton it is sampled with. Keys stay sorted
 * by time; methods that add or change one return its index after sorting. Editing while playing is allowed.
 */
export class AnimClip implements MarkedClip {
  /** Counts edits of keys and attributes. */
  version = 0;

  #name: string;
  #duration = 0;
  #loop = true;
  #sampleRate = 30;
  #bones: (BoneTracks | undefined)[] = [];
  readonly #events = new TimedList();
  readonly #markers = new TimedList();
  readonly #curves = new ClipCurves();
  readonly #owned: number[] = [];
  #data: ClipData | undefined;
  #dataVersion = -1;
  #disposed = false;

  constructor(name = "") {
    if (typeof name !== "string") throw new AnimArgumentError(`AnimClip: name is ${show(name)}, expected a text.`);
    this.#name = name;
    freeWhenCollected(this, this.#owned);
  }

  setName(name: string): void {
    if (typeof name !== "string") throw new AnimArgumentError(`AnimClip.setName: name is ${show(name)}, expected a text.`);
    this.#name = name;
  }

  getName(): string { return this.#name; }

  /** Seconds. Keys behind it are kept but never reached. */
  setDuration(seconds: number): void {
    requireTime("AnimClip.setDuration", "seconds", seconds);
    this.#duration = seconds;
    this.version++;
  }

  getDuration(): number { return this.#duration; }
  setLoop(loop: boolean): void { this.#loop = loop === true; }
  getLoop(): boolean { return this.#loop; }

  /** Rate at which bakers (retargeting, motion databases) sample the clip; playback is not quantised. Default 30. */
  setSampleRate(hz: number): void {
    requireFinite("AnimClip.setSampleRate", "hz", hz);
    if (hz <= 0) throw new AnimArgumentError(`AnimClip.setSampleRate: hz is ${hz}, expected a number above 0.`, { found: hz });
    this.#sampleRate = hz;
  }

  getSampleRate(): number { return this.#sampleRate; }

  /** Time within the clip: [0, D) for looping clips (D itself wraps to 0), clamped to [0, D] otherwise. */
  wrapTime(time: number): number {
    requireFinite("AnimClip.wrapTime", "time", time);
    return wrapTime(time, this.#duration, this.#loop);
  }

  /** Wraps times[0]. In place, because doubles that functions return are boxed. @internal */
  wrapInPlace(times: Float64Array, loop: boolean): void {
    const time = times[0]!, duration = this.#duration;
    if (duration <= NO_LENGTH) times[0] = 0;
    else if (!loop) {
      // One store each: a number that comes from one of several places is boxed by some engines.
      if (time <= 0) times[0] = 0;
      else if (time >= duration) times[0] = duration;
    } else {
      const wrapped = time - duration * Math.floor(time / duration);
      times[0] = wrapped >= duration || wrapped < 0 ? 0 : wrapped;
    }
  }

  /** @internal */
  get duration(): number { return this.#duration; }
  /** @internal */
  get loop(): boolean { return this.#loop; }
  /** @internal */
  get events(): readonly TimedEntry[] { return this.#events.entries; }
  /** @internal */
  get markers(): readonly TimedEntry[] { return this.#markers.entries; }

  // ---- keys -------------------------------------------------------------------------------------------------------

  addPositionKey(bone: number, time: number, x: number, y: number, z: number): number {
    return this.#addVector("addPositionKey", "position", bone, time, x, y, z);
  }

  /** The quaternion is normalised; its sign is kept. */
  addRotationKey(bone: number, time: number, x: number, y: number, z: number, w: number): number {
    const length = this.#checkKey("addRotationKey", bone, time, x, y, z, w);
    const track = this.#track(bone, "rotation");
    return this.#writeRotation(track, track.insert(time), time, x / length, y / length, z / length, w / length);
  }

  addScaleKey(bone: number, time: number, x: number, y: number, z: number): number {
    return this.#addVector("addScaleKey", "scale", bone, time, x, y, z);
  }

  setPositionKey(bone: number, key: number, time: number, x: number, y: number, z: number): number {
    return this.#setVector("setPositionKey", "position", bone, key, time, x, y, z);
  }

  setRotationKey(bone: number, key: number, time: number, x: number, y: number, z: number, w: number): number {
    const track = this.#keyed("setRotationKey", "rotation", bone, key);
    const length = this.#checkKey("setRotationKey", bone, time, x, y, z, w);
    return this.#writeRotation(track, track.move(key, time), time, x / length, y / length, z / length, w / length);
  }

  setScaleKey(bone: number, key: number, time: number, x: number, y: number, z: number): number {
    return this.#setVector("setScaleKey", "scale", bone, key, time, x, y, z);
  }

  removePositionKey(bone: number, key: number): void { this.#remove("removePositionKey", "position", bone, key); }
  removeRotationKey(bone: number, key: number): void { this.#remove("removeRotationKey", "rotation", bone, key); }
  removeScaleKey(bone: number, key: number): void { this.#remove("removeScaleKey", "scale", bone, key); }

  /** Drops the three channels of a bone; beyond the last track nothing happens. */
  clearTrack(bone: number): void {
    requireIndex("AnimClip.clearTrack", "bone", bone, MAX_BONES);
    if (bone >= this.#bones.length) return;
    this.#bones[bone] = undefined;
    this.version++;
  }

  /**
   * Replaces all keys of one channel at once (what importers use).
   * @param times - ascending seconds, 0 or more; equal times are legal
   * @param values - 3 numbers a key, 4 for rotations (normalised here)
   */
  setTrackKeys(bone: number, channel: AnimChannel, times: ArrayLike<number>, values: ArrayLike<number>): void {
    const method = "AnimClip.setTrackKeys";
    requireIndex(method, "bone", bone, MAX_BONES);
    requireChannel(method, channel);
    const stride = channel === "rotation" ? 4 : 3;
    requireObject(method, "times", times, "array");
    requireObject(method, "values", values, "array");
    if (values.length !== times.length * stride) {
      throw new AnimArgumentError(`${method}: ${values.length} values for ${times.length} keys, expected ${times.length * stride} (${stride} a key).`);
    }
    for (let i = 0; i < times.length; i++) {
      requireTime(method, `times[${i}]`, times[i]!);
      if (i > 0 && times[i]! < times[i - 1]!) {
        throw new AnimArgumentError(`${method}: times[${i}] is ${times[i]}, less than the time before it (${times[i - 1]}). Sort the keys by time.`);
      }
    }
    const copy = Float32Array.from(values);
    for (let i = 0; i < values.length; i++) requireFinite(method, `values[${i}]`, values[i]!);
    if (stride === 4) {
      for (let i = 0; i < copy.length; i += 4) {
        const length = requireRotation(method, values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
        for (let k = 0; k < 4; k++) copy[i + k] = values[i + k]! / length;
      }
    }
    this.#track(bone, channel).assign(times, copy);
    if (times.length > 0) this.#extend(times[times.length - 1]!);
    this.version++;
  }

  /** Highest bone with a track slot, plus 1; slots may be empty. */
  getTrackCount(): number { return this.#bones.length; }
  getPositionKeyCount(bone: number): number { return this.#count("getPositionKeyCount", "position", bone); }
  getRotationKeyCount(bone: number): number { return this.#count("getRotationKeyCount", "rotation", bone); }
  getScaleKeyCount(bone: number): number { return this.#count("getScaleKeyCount", "scale", bone); }
  getPositionKeyTime(bone: number, key: number): number { return this.#keyed("getPositionKeyTime", "position", bone, key).times[key]!; }
  getPositionKeyX(bone: number, key: number): number { return this.#keyed("getPositionKeyX", "position", bone, key).values[key * 3]!; }
  getPositionKeyY(bone: number, key: number): number { return this.#keyed("getPositionKeyY", "position", bone, key).values[key * 3 + 1]!; }
  getPositionKeyZ(bone: number, key: number): number { return this.#keyed("getPositionKeyZ", "position", bone, key).values[key * 3 + 2]!; }
  getRotationKeyTime(bone: number, key: number): number { return this.#keyed("getRotationKeyTime", "rotation", bone, key).times[key]!; }
  getRotationKeyX(bone: number, key: number): number { return this.#keyed("getRotationKeyX", "rotation", bone, key).values[key * 4]!; }
  getRotationKeyY(bone: number, key: number): number { return this.#keyed("getRotationKeyY", "rotation", bone, key).values[key * 4 + 1]!; }
  getRotationKeyZ(bone: number, key: number): number { return this.#keyed("getRotationKeyZ", "rotation", bone, key).values[key * 4 + 2]!; }
  getRotationKeyW(bone: number, key: number): number { return this.#keyed("getRotationKeyW", "rotation", bone, key).values[key * 4 + 3]!; }
  getScaleKeyTime(bone: number, key: number): number { return this.#keyed("getScaleKeyTime", "scale", bone, key).times[key]!; }
  getScaleKeyX(bone: number, key: number): number { return this.#keyed("getScaleKeyX", "scale", bone, key).values[key * 3]!; }
  getScaleKeyY(bone: number, key: number): number { return this.#keyed("getScaleKeyY", "scale", bone, key).values[key * 3 + 1]!; }
  getScaleKeyZ(bone: number, key: number): number { return this.#keyed("getScaleKeyZ", "scale", bone, key).values[key * 3 + 2]!; }

  /** How a channel goes from key to key; default "linear" (slerp for rotations). Cubic tangents start as zero. */
  setTrackInterpolation(bone: number, channel: AnimChannel, mode: AnimInterpolation): void {
    const method = "AnimClip.setTrackInterpolation";
    requireIndex(method, "bone", bone, MAX_BONES);
    requireChannel(method, channel);
    if (!Object.hasOwn(MODES, mode)) {
      throw new AnimArgumentError(`${method}: mode is ${show(mode)}, expected "linear", "step" or "cubicSpline".`, { found: mode });
    }
    const track = this.#track(bone, channel);
    track.mode = MODES[mode];
    if (mode === "cubicSpline") track.makeTangents();
    this.version++;
  }

  getTrackInterpolation(bone: number, channel: AnimChannel): AnimInterpolation {
    requireIndex("AnimClip.getTrackInterpolation", "bone", bone, MAX_BONES);
    requireChannel("AnimClip.getTrackInterpolation", channel);
    return MODE_NAMES[this.#bones[bone]?.[channel]?.mode ?? TrackMode.LINEAR];
  }

  /**
   * Tangents of one key of a cubic track, per second as in glTF (3 numbers each, 4 for rotations).
   * @throws AnimArgumentError if the track is not cubic
   */
  setKeyTangents(bone: number, channel: AnimChannel, key: number, inTangent: ArrayLike<number>, outTangent: ArrayLike<number>): void {
    const method = "AnimClip.setKeyTangents";
    requireIndex(method, "bone", bone, MAX_BONES);
    requireChannel(method, channel);
    const track = this.#keyed("setKeyTangents", channel, bone, key);
    if (track.mode !== TrackMode.CUBIC) {
      throw new AnimArgumentError(`${method}: the ${channel} track of bone ${bone} is not cubic. Call setTrackInterpolation(bone, channel, "cubicSpline") first.`);
    }
    for (const tangent of [inTangent, outTangent]) {
      if (tangent?.length !== track.stride) throw new AnimArgumentError(`${method}: a tangent has ${tangent?.length} numbers, expected ${track.stride}.`);
      for (let i = 0; i < track.stride; i++) requireFinite(method, "a tangent", tangent[i]!);
    }
    track.inTangents!.set(inTangent, key * track.stride);
    track.outTangents!.set(outTangent, key * track.stride);
    this.version++;
  }

  // ---- editing helpers --------------------------------------------------------------------------------------------

  /**
   * Removes keys so that every curve stays within a tolerance of the original one (at the keys and at seven times between
   * two of them). First and last keys, attributes, events, markers and curves stay. Step tracks lose repeated values only,
   * cubic tracks nothing.
   * @param positionError - distance, >= 0; 0 removes what is redundant in float32
   * @param rotationErrorDegrees - angle
   */
  compress(positionError: number, rotationErrorDegrees: number, scaleError: number): CompressReport {
    const tolerances = { position: positionError, rotation: rotationErrorDegrees, scale: scaleError };
    for (const [name, value] of Object.entries(tolerances)) requireTime("AnimClip.compress", `the tolerance of ${name}s`, value);
    const report: CompressReport = { removedPosition: 0, removedRotation: 0, removedScale: 0, maxPositionError: 0, maxRotationErrorDegrees: 0, maxScaleError: 0 };
    for (const tracks of this.#bones) {
      if (tracks?.position !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.position, positionError);
        report.removedPosition += removed;
        report.maxPositionError = Math.max(report.maxPositionError, maxError);
      }
      if (tracks?.rotation !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.rotation, rotationErrorDegrees);
        report.removedRotation += removed;
        report.maxRotationErrorDegrees = Math.max(report.maxRotationErrorDegrees, maxError);
      }
      if (tracks?.scale !== undefined) {
        const { removed, maxError } = reduceTrack(tracks.scale, scaleError);
        report.removedScale += removed;
        report.maxScaleError = Math.max(report.maxScaleError, maxError);
      }
    }
    this.version++;
    return report;
  }

  /**
   * Chooses the form that samplers read (players, batches, crowds alike), until the next edit.
   *
   * "raw": float32 keys. "uniform": evenly spaced frames, quantised with the tolerances asked for, about a tenth of the size;
   * a sample costs the same at any time. What it loses is measured and reported.
   * @throws AnimStateError if a tolerance cannot be met; the form stays as it was
   */
  compile(form: "raw" | "uniform", options: CompileOptions = {}): CompileReport {
    if (this.#disposed) throw disposed("AnimClip.compile", "AnimClip");
    if (form !== "raw" && form !== "uniform") {
      throw new AnimArgumentError(`AnimClip.compile: form is ${show(form)}, expected "raw" or "uniform".`, { found: form });
    }
    requireObject("AnimClip.compile", "options", options, "object such as { rate: 30 }");
    const raw = this.#uncompiled();
    let data: ClipData = raw;
    let report: CompileReport = {
      form: "raw", rate: this.#sampleRate, bytes: raw.bytes, maxPositionError: 0, maxRotationErrorDegrees: 0, maxScaleError: 0, maxModelError: 0,
    };
    if (form === "uniform") {
      try {
        ({ data, report } = compileUniform({ bones: this.#bones, duration: this.#duration, sampleRate: this.#sampleRate, raw }, options, this.#owned));
      } finally {
        dropBlock(this.#owned, raw.ptr);
      }
    }
    if (this.#data !== undefined) dropBlock(this.#owned, this.#data.ptr);
    this.#data = data;
    this.#dataVersion = this.version;
    return report;
  }

  /** The form that samplers read at present: "raw" or "uniform". */
  getForm(): string { return this.data().form; }

  /**
   * Adds a ground speed to the position keys of a bone: x += speedX t, z += speedZ t. Without position keys it makes two,
   * at 0 and at the duration, based on the bone's bind position if a skeleton is given.
   */
  applyPlanarRootMotion(bone: number, speedX: number, speedZ: number, skeleton?: AnimSkeleton | null): void {
    const method = "AnimClip.applyPlanarRootMotion";
    requireIndex(method, "bone", bone, MAX_BONES);
    requireFinite(method, "speedX", speedX);
    requireFinite(method, "speedZ", speedZ);
    const track = this.#track(bone, "position");
    if (track.count === 0) {
      const known = skeleton != null && bone < skeleton.getBoneCount();
      const x = known ? skeleton.getBindPositionX(bone) : 0, y = known ? skeleton.getBindPositionY(bone) : 0, z = known ? skeleton.getBindPositionZ(bone) : 0;
      for (const time of this.#duration > NO_LENGTH ? [0, this.#duration] : [0]) this.addPositionKey(bone, time, x, y, z);
    }
    for (let key = 0; key < track.count; key++) {
      track.values[key * 3] = track.values[key * 3]! + speedX * track.times[key]!;
      track.values[key * 3 + 2] = track.values[key * 3 + 2]! + speedZ * track.times[key]!;
    }
    this.version++;
  }

  // ---- scalar curves ----------------------------------------------------------------------------------------------

  /** Adds a scalar curve (morph weights, contact flags, drivers). @returns its index; an existing curve is kept */
  addCurve(name: string): number { return this.#curves.add(name); }

  /** Adds a key and extends the duration if needed. Of keys at one time the later holds from then on. @returns its index */
  addCurveKey(name: string, time: number, value: number): number {
    const key = this.#curves.addKey(name, time, value);
    this.#extend(time);
    this.version++;
    return key;
  }

  getCurveCount(): number { return this.#curves.count; }
  /** @throws AnimIndexError */
  getCurveName(curve: number): string { return this.#curves.at("getCurveName", curve).name; }
  /** Index of a curve, -1 if there is none of that name. */
  findCurve(name: string): number { return this.#curves.find(name); }
  getCurveKeyCount(curve: number): number { return this.#curves.at("getCurveKeyCount", curve).times.length; }
  /** @throws AnimIndexError */
  getCurveKeyTime(curve: number, key: number): number {
    const { times } = this.#curves.at("getCurveKeyTime", curve);
    requireIndex("AnimClip.getCurveKeyTime", "key", key, times.length);
    return times[key]!;
  }
  /** @throws AnimIndexError */
  getCurveKeyValue(curve: number, key: number): number {
    const { values } = this.#curves.at("getCurveKeyValue", curve);
    requireIndex("AnimClip.getCurveKeyValue", "key", key, values.length);
    return values[key]!;
  }

  /** Value of a curve at a time, which is wrapped or clamped as the clip loops; 0 when the clip has no such curve. */
  sampleCurve(name: string, time: number): number {
    requireFinite("AnimClip.sampleCurve", "time", time);
    const io = new Float64Array(1);
    io[0] = this.wrapTime(time);
    this.curveInto(name, io);
    return io[0]!;
  }

  /** Replaces the clip time in io[0] by a curve's value, 0 if there is none of that name. For callers of every frame. @internal */
  curveInto(name: string, io: Float64Array): void {
    const curve = this.#curves.find(name);
    if (curve < 0) io[0] = 0;
    else this.#curves.sampleInto(curve, io);
  }

  // ---- events and sync markers ------------------------------------------------------------------------------------

  /** @param time - may lie behind the duration; then the event never fires */
  addEvent(time: number, name: string, payload = ""): number {
    checkEntry("AnimClip.addEvent", time, name, payload);
    return this.#events.add(time, name, payload);
  }

  setEvent(index: number, time: number, name: string, payload = ""): number {
    requireIndex("AnimClip.setEvent", "index", index, this.#events.count);
    checkEntry("AnimClip.setEvent", time, name, payload);
    return this.#events.set(index, time, name, payload);
  }

  removeEvent(index: number): void {
    requireIndex("AnimClip.removeEvent", "index", index, this.#events.count);
    this.#events.remove(index);
  }

  getEventCount(): number { return this.#events.count; }
  getEventTime(i: number): number { return this.#event("getEventTime", i).time; }
  getEventName(i: number): string { return this.#event("getEventName", i).name; }
  getEventPayload(i: number): string { return this.#event("getEventPayload", i).payload; }

  addSyncMarker(time: number, name: string): number {
    checkEntry("AnimClip.addSyncMarker", time, name, "");
    return this.#markers.add(time, name, "");
  }

  setSyncMarker(index: number, time: number, name: string): number {
    requireIndex("AnimClip.setSyncMarker", "index", index, this.#markers.count);
    checkEntry("AnimClip.setSyncMarker", time, name, "");
    return this.#markers.set(index, time, name, "");
  }

  removeSyncMarker(index: number): void {
    requireIndex("AnimClip.removeSyncMarker", "index", index, this.#markers.count);
    this.#markers.remove(index);
  }

  getSyncMarkerCount(): number { return this.#markers.count; }
  getSyncMarkerTime(i: number): number { return this.#marker("getSyncMarkerTime", i).time; }
  getSyncMarkerName(i: number): string { return this.#marker("getSyncMarkerName", i).name; }

  /** Whether both clips have markers whose names correspond in order (as loops: up to rotation and repetition). */
  hasCompatibleSyncMarkers(other: AnimClip): boolean {
    requireObject("AnimClip.hasCompatibleSyncMarkers", "other", other, "AnimClip");
    return haveCompatibleMarkers(this, other);
  }

  /** The time in `other` that corresponds to `time` here: by markers if they fit, by normalised time if not. */
  mapSyncTimeTo(other: AnimClip, time: number): number {
    requireObject("AnimClip.mapSyncTimeTo", "other", other, "AnimClip");
    return mapSyncTime(this, other, this.wrapTime(time));
  }

  // ---- sampling ---------------------------------------------------------------------------------------------------

  /**
   * Writes the pose at `time` (wrapped or clamped by the loop flag) into `out`, which is resized to the skeleton, or to
   * the track count without one. Bones and channels without keys take the bind value, or the identity without skeleton.
   */
  sample(time: number, out: AnimPose, skeleton?: AnimSkeleton | null): void {
    TIME[0] = typeof time === "number" ? time : NaN;
    this.#sample("AnimClip.sample", out, skeleton ?? null, 0);
  }

  /** As `sample`, but bones whose level-of-detail limit is below `lod` take their bind value and cost nothing. */
  sampleLod(time: number, out: AnimPose, skeleton: AnimSkeleton, lod: number): void {
    requireObject("AnimClip.sampleLod", "skeleton", skeleton, "AnimSkeleton");
    requireLod("AnimClip.sampleLod", lod);
    TIME[0] = typeof time === "number" ? time : NaN;
    this.#sample("AnimClip.sampleLod", out, skeleton, lod);
  }

  #sample(method: string, out: AnimPose, skeleton: AnimSkeleton | null, lod: number): void {
    if (!Number.isFinite(TIME[0])) requireFinite(method, "time", TIME[0]!);
    requireObject(method, "out", out, "AnimPose");
    if (skeleton !== null) requireObject(method, "skeleton", skeleton, "AnimSkeleton");
    out.requireAlive(method);
    out.fit(skeleton === null ? this.#bones.length : skeleton.getBoneCount());
    const data = this.data(), loops = this.#loop ? 1 : 0, groups = groupsOf(out.getBoneCount());
    const scratch = sharedContext().scratch(data.scratchBytes);
    if (skeleton === null) rig3d.kernels.sampleUnwrapped(data.ptr, TIME[0]!, loops, scratch, identityGroup(), 0, 0, out.localPtr, groups);
    else rig3d.kernels.sampleUnwrapped(data.ptr, TIME[0]!, loops, scratch, skeleton.bindPtr, GROUP_BYTES, skeleton.liveMasks(lod), out.localPtr, groups);
    out.markStale();
  }

  /**
   * Writes local transforms at a time within the clip (not wrapped: D is the end) to an address.
   * Results do not depend on the context. @internal
   */
  sampleInto(time: number, localPtr: number, groupCount: number, skeleton: AnimSkeleton | null, lod: number, context: SampleContext): void {
    const data = this.data(), scratch = context.scratch(data.scratchBytes);
    if (skeleton === null) rig3d.kernels.sampleClip(data.ptr, time, scratch, identityGroup(), 0, 0, localPtr, groupCount);
    else rig3d.kernels.sampleClip(data.ptr, time, scratch, skeleton.bindPtr, GROUP_BYTES, skeleton.liveMasks(lod), localPtr, groupCount);
  }

  /** The form in linear memory, rebuilt after edits. @internal */
  data(): ClipData {
    if (this.#dataVersion !== this.version || this.#data === undefined) {
      if (this.#disposed) throw disposed("AnimClip.sample", "AnimClip");
      if (this.#data !== undefined) dropBlock(this.#owned, this.#data.ptr);
      this.#data = this.#uncompiled();
      this.#dataVersion = this.version;
    }
    return this.#data;
  }

  #uncompiled(): ClipData {
    const times = TableClip.timesOf(this.#bones);
    return times === undefined
      ? new KeyedClip(this.#bones, this.#duration, this.#owned)
      : new TableClip(this.#bones, times, this.#duration, this.#owned);
  }

  /** The key tracks, for importers, editors and bakers of this package. Call `touch()` after changing them. @internal */
  get tracks(): readonly (BoneTracks | undefined)[] { return this.#bones; }

  /** The track of a channel, made if absent. @internal */
  trackFor(bone: number, channel: AnimChannel): KeyTrack { return this.#track(bone, channel); }

  /** Announces a change made through `tracks`. @internal */
  touch(): void { this.version++; }

  /**
   * The motion for another skeleton, baked at the sample rate into a new clip: matched bones get rotation keys, the root
   * also position keys; events, sync markers and curves are copied. Uses a default `AnimRetargetProfile`.
   * @param source - the skeleton of this clip
   * @throws AnimMismatchError if no bone matches
   */
  retarget(source: AnimSkeleton, target: AnimSkeleton): AnimClip {
    return retargetClip("AnimClip.retarget", this, source, target, new AnimRetargetProfile());
  }

  /** As `retarget`, with mappings and settings. @throws AnimArgumentError if the profile names a bone that is not there */
  retargetWithProfile(source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): AnimClip {
    return retargetClip("AnimClip.retargetWithProfile", this, source, target, profile);
  }

  /** As `retargetWithProfile`, for profiles whose learned model answers asynchronously. Rejects where that throws. */
  async retargetWithProfileAsync(source: AnimSkeleton, target: AnimSkeleton, profile: AnimRetargetProfile): Promise<AnimClip> {
    return retargetClipAsync("AnimClip.retargetWithProfileAsync", this, source, target, profile);
  }

  /** A copy with keys, attributes, events and markers. */
  clone(): AnimClip {
    const copy = new AnimClip(this.#name);
    copy.#duration = this.#duration;
    copy.#loop = this.#loop;
    copy.#sampleRate = this.#sampleRate;
    copy.#events.copyFrom(this.#events);
    copy.#markers.copyFrom(this.#markers);
    copy.#curves.copyFrom(this.#curves);
    for (let bone = 0; bone < this.#bones.length; bone++) {
      const tracks = this.#bones[bone];
      copy.#bones[bone] = tracks && { position: copyTrack(tracks.position), rotation: copyTrack(tracks.rotation), scale: copyTrack(tracks.scale) };
    }
    return copy;
  }

  /** Frees what was compiled into linear memory. Safe to call twice. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#data = undefined;
    dropAll(this, this.#owned);
    retire(this, "AnimClip");
  }

  #track(bone: number, channel: AnimChannel): KeyTrack {
    while (this.#bones.length <= bone) this.#bones.push(undefined);
    const tracks = (this.#bones[bone] ??= { position: undefined, rotation: undefined, scale: undefined });
    return (tracks[channel] ??= new KeyTrack(channel === "rotation" ? 4 : 3));
  }

  #extend(time: number): void {
    const t = Math.fround(time);
    // A key time is float32; a duration that was set as the same decimal number is not extended by its rounding.
    if (t > this.#duration && t !== Math.fround(this.#duration)) this.#duration = time;
  }

  #addVector(method: string, channel: "position" | "scale", bone: number, time: number, x: number, y: number, z: number): number {
    this.#checkKey(method, bone, time, x, y, z);
    const track = this.#track(bone, channel);
    return this.#writeVector(track, track.insert(time), time, x, y, z);
  }

  #setVector(method: string, channel: "position" | "scale", bone: number, key: number, time: number, x: number, y: number, z: number): number {
    const track = this.#keyed(method, channel, bone, key);
    this.#checkKey(method, bone, time, x, y, z);
    return this.#writeVector(track, track.move(key, time), time, x, y, z);
  }

  #checkKey(method: string, bone: number, time: number, x: number, y: number, z: number, w?: number): number {
    requireIndex(`AnimClip.${method}`, "bone", bone, MAX_BONES);
    requireTime(`AnimClip.${method}`, "time", time);
    if (w !== undefined) return requireRotation(`AnimClip.${method}`, x, y, z, w);
    requireFinite3(`AnimClip.${method}`, "the value", x, y, z);
    return 1;
  }

  #writeVector(track: KeyTrack, key: number, time: number, x: number, y: number, z: number): number {
    track.values[key * 3] = x;
    track.values[key * 3 + 1] = y;
    track.values[key * 3 + 2] = z;
    this.#extend(time);
    this.version++;
    return key;
  }

  #writeRotation(track: KeyTrack, key: number, time: number, x: number, y: number, z: number, w: number): number {
    track.values[key * 4 + 3] = w;
    track.values[key * 4] = x;
    track.values[key * 4 + 1] = y;
    track.values[key * 4 + 2] = z;
    this.#extend(time);
    this.version++;
    return key;
  }

  #remove(method: string, channel: AnimChannel, bone: number, key: number): void {
    this.#keyed(method, channel, bone, key).remove(key);
    this.version++;
  }

  #count(method: string, channel: AnimChannel, bone: number): number {
    requireIndex(`AnimClip.${method}`, "bone", bone, MAX_BONES);
    return this.#bones[bone]?.[channel]?.count ?? 0;
  }

  #keyed(method: string, channel: AnimChannel, bone: number, key: number): KeyTrack {
    requireIndex(`AnimClip.${method}`, "bone", bone, MAX_BONES);
    const track = this.#bones[bone]?.[channel];
    requireIndex(`AnimClip.${method}`, "key", key, track?.count ?? 0);
    return track!;
  }

  #event(method: string, i: number): TimedEntry {
    requireIndex(`AnimClip.${method}`, "the event index", i, this.#events.count);
    return this.#events.entries[i]!;
  }

  #marker(method: string, i: number): TimedEntry {
    requireIndex(`AnimClip.${method}`, "the marker index", i, this.#markers.count);
    return this.#markers.entries[i]!;
  }
}

/** `AnimClip.wrapTime` on plain numbers; the kernels have the same (assembly/rig3d/sample.ts). @internal */
export function wrapTime(time: number, duration: number, loop: boolean): number {
  if (duration <= NO_LENGTH) return 0;
  if (!loop) return time <= 0 ? 0 : time >= duration ? duration : time;
  const wrapped = time - duration * Math.floor(time / duration);
  // The quotient rounds: the remainder of a time just below a multiple may come out as D, or below 0.
  return wrapped >= duration || wrapped < 0 ? 0 : wrapped;
}

function copyTrack(track: KeyTrack | undefined): KeyTrack | undefined {
  if (track === undefined) return undefined;
  const copy = new KeyTrack(track.stride);
  copy.copyFrom(track);
  return copy;
}

function checkEntry(method: string, time: number, name: string, payload: string): void {
  requireTime(method, "time", time);
  requireName(method, "name", name);
  if (typeof payload !== "string") throw new AnimArgumentError(`${method}: payload is ${show(payload)}, expected a text.`);
}

function requireChannel(method: string, channel: string): void {
  if (channel !== "position" && channel !== "rotation" && channel !== "scale") {
    throw new AnimArgumentError(`${method}: channel is ${show(channel)}, expected "position", "rotation" or "scale".`, { found: channel });
  }
}

/** @internal */
export function requireLod(method: string, lod: number): void {
  if (!(Number.isInteger(lod) && lod >= 0)) {
    throw new AnimArgumentError(`${method}: lod is ${show(lod)}, expected an integer, 0 or more.`, { found: lod });
  }
}
