import { AnimArgumentError } from "../errors.js";
import { MAX_BONES, requireFinite, requireFinite3, requireIndex, requireObject, requireRotation, requireTime, show } from "./checks.js";
import { NO_LENGTH, wrapTime } from "./clip-time.js";
import { type BoneTracks, KeyTrack, TrackMode } from "./key-track.js";
import type { AnimSkeleton } from "./skeleton.js";

/** The three things of a bone that a clip can animate. */
export type AnimChannel = "position" | "rotation" | "scale";
/** How a track goes from key to key. */
export type AnimInterpolation = "linear" | "step" | "cubicSpline";

const MODES: Record<AnimInterpolation, TrackMode> = { linear: TrackMode.LINEAR, step: TrackMode.STEP, cubicSpline: TrackMode.CUBIC };
const MODE_NAMES: Record<TrackMode, AnimInterpolation> = {
  [TrackMode.LINEAR]: "linear", [TrackMode.STEP]: "step", [TrackMode.CUBIC]: "cubicSpline",
};

/** Attributes and keys of an `AnimClip`. */
export class ClipKeys {
  /** Counts edits of keys and attributes. */
  version = 0;

  #name: string;
  #duration = 0;
  #loop = true;
  #sampleRate = 30;
  #bones: (BoneTracks | undefined)[] = [];

  constructor(name = "") {
    if (typeof name !== "string") throw new AnimArgumentError(`AnimClip: name is ${show(name)}, expected a text.`);
    this.#name = name;
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
    if (times.length > 0) this.extend(times[times.length - 1]!);
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

  /**
   * Adds a ground speed to the position keys of a bone: x += speedX t, z += speedZ t. Without position keys it makes two,
   * at 0 and at the duration, based on the bone's bind position if a skeleton is given.
   */
  applyPlanarRootMotion(bone: number, speedX: number, speedZ: number, skeleton?: AnimSkeleton | null): void {
    const method = "AnimClip.applyPlanarRootMotion";
    requireIndex(method, "bone", bone, MAX_BONES);
    requireFinite(method, "speedX", speedX);
    requireFinite(method, "speedZ", speedZ);
    if (skeleton !== undefined && skeleton !== null) requireObject(method, "skeleton", skeleton, "AnimSkeleton");
    const track = this.#track(bone, "position");
    if (track.count === 0) {
      const known = skeleton !== undefined && skeleton !== null && bone < skeleton.getBoneCount();
      const x = known ? skeleton.getBindPositionX(bone) : 0, y = known ? skeleton.getBindPositionY(bone) : 0, z = known ? skeleton.getBindPositionZ(bone) : 0;
      for (const time of this.#duration > NO_LENGTH ? [0, this.#duration] : [0]) this.addPositionKey(bone, time, x, y, z);
    }
    for (let key = 0; key < track.count; key++) {
      track.values[key * 3] = track.values[key * 3]! + speedX * track.times[key]!;
      track.values[key * 3 + 2] = track.values[key * 3 + 2]! + speedZ * track.times[key]!;
    }
    this.version++;
  }

  // ---- for importers, editors and bakers of this package ----------------------------------------------------------

  /** The key tracks. Call `touch()` after changing them. @internal */
  get tracks(): readonly (BoneTracks | undefined)[] { return this.#bones; }

  /** The track of a channel, made if absent. @internal */
  trackFor(bone: number, channel: AnimChannel): KeyTrack { return this.#track(bone, channel); }

  /** Announces a change made through `tracks`. @internal */
  touch(): void { this.version++; }

  /** Takes attributes and copies of the keys of another clip. @internal */
  protected copyKeys(other: ClipKeys): void {
    this.#name = other.#name;
    this.#duration = other.#duration;
    this.#loop = other.#loop;
    this.#sampleRate = other.#sampleRate;
    this.#bones = other.#bones.map((tracks) =>
      tracks && { position: copyTrack(tracks.position), rotation: copyTrack(tracks.rotation), scale: copyTrack(tracks.scale) });
    this.version++;
  }

  #track(bone: number, channel: AnimChannel): KeyTrack {
    while (this.#bones.length <= bone) this.#bones.push(undefined);
    const tracks = (this.#bones[bone] ??= { position: undefined, rotation: undefined, scale: undefined });
    return (tracks[channel] ??= new KeyTrack(channel === "rotation" ? 4 : 3));
  }

  /** Makes the clip long enough for a key. @internal */
  protected extend(time: number): void {
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
    this.extend(time);
    this.version++;
    return key;
  }

  #writeRotation(track: KeyTrack, key: number, time: number, x: number, y: number, z: number, w: number): number {
    track.values[key * 4 + 3] = w;
    track.values[key * 4] = x;
    track.values[key * 4 + 1] = y;
    track.values[key * 4 + 2] = z;
    this.extend(time);
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
}

function copyTrack(track: KeyTrack | undefined): KeyTrack | undefined {
  if (track === undefined) return undefined;
  const copy = new KeyTrack(track.stride);
  copy.copyFrom(track);
  return copy;
}

function requireChannel(method: string, channel: string): void {
  if (channel !== "position" && channel !== "rotation" && channel !== "scale") {
    throw new AnimArgumentError(`${method}: channel is ${show(channel)}, expected "position", "rotation" or "scale".`, { found: channel });
  }
}
