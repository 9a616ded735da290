/** Root motion of a clip: how far its root bone moves between two clip times, loops included. @internal */
import { heap } from "../../wasm/heap.js";
import type { AnimClip } from "./clip.js";
import { Local, localIndex } from "./layout.js";
import { composeRigid, invertRigid, multiplyRotations, powerRigid, RIGID, rotationDifference, setIdentity, yawOf } from "./rigid.js";
import type { AnimSkeleton } from "./skeleton.js";
import { sampleTrackAtTime, SLERP_WEIGHT, slerpByWeight, TRACK_TIME } from "./track-sample.js";

/** Which part of the root's motion is taken, and what happens to it. */
export interface RootMotionMode {
  /** Parts of the translation; default "xyz". */
  translation: "xyz" | "xz" | "y" | "none";
  /** "full", "yaw" (the heading of +Z on the ground) or "none"; default "full". */
  rotation: "full" | "yaw" | "none";
  /** "extract": the pose stays in place and only the delta moves the character; "measure": the pose is left alone. */
  apply: "extract" | "measure";
  /** "model": deltas in model space; "local": in the root's own frame at the start, right for clips that turn. */
  space: "model" | "local";
}

export const DEFAULT_ROOT_MOTION: Readonly<RootMotionMode> = { translation: "xyz", rotation: "full", apply: "extract", space: "model" };

// Rigid transforms in the work array.
const START = 0, FROM = RIGID, TO = 2 * RIGID, END = 3 * RIGID, CYCLE = 4 * RIGID, POWER = 5 * RIGID, INVERSE = 6 * RIGID, BONE = 7 * RIGID;

/**
 * Evaluates one clip on one skeleton. The transform of the root bone is its model space transform: animated or static
 * ancestors count.
 */
export class RootMotion {
  /** The last delta: translation x y z, rotation x y z w (w >= 0). */
  readonly delta = new Float64Array(RIGID);

  /** Times to measure between, or the time to extract at. In a typed array, because doubles in arguments are boxed. */
  readonly span = new Float64Array(2);

  readonly #work = new Float64Array(8 * RIGID);
  readonly #value = new Float64Array(4);
  #clip: AnimClip | undefined;
  #clipVersion = -1;
  #skeleton: AnimSkeleton;
  #bindVersion = -1;
  #bone = -1;
  /** Bones from a root to the root motion bone. */
  #path: number[] = [];
  #mode: RootMotionMode = { ...DEFAULT_ROOT_MOTION };

  constructor(skeleton: AnimSkeleton) {
    this.#skeleton = skeleton;
    setIdentity(this.delta, 0);
  }

  setBone(bone: number): void {
    this.#bone = bone;
    setIdentity(this.delta, 0);
    this.#path.length = 0;
    for (let up = bone; up >= 0; up = this.#skeleton.getParent(up)) this.#path.unshift(up);
    this.#clipVersion = -1;
  }

  /** Whether a root motion bone is set. */
  get isActive(): boolean {
    return this.#bone >= 0;
  }

  /** Whether sampled poses have to be corrected. */
  get extracts(): boolean {
    return this.#bone >= 0 && this.#mode.apply === "extract";
  }

  setMode(mode: RootMotionMode): void {
    this.#mode = mode;
    this.#clipVersion = -1;
  }

  setClip(clip: AnimClip | undefined): void {
    this.#clip = clip;
    this.#clipVersion = -1;
  }

  clear(): void {
    setIdentity(this.delta, 0);
  }

  /**
   * Sets `delta` to the motion between the two unwrapped clip times in `span`.
   * @param loop - whether the clip loops in this playback; else both times are within the clip
   */
  measure(loop: boolean): void {
    const clip = this.#clip, delta = this.delta, backward = this.span[1]! < this.span[0]!;
    const from = backward ? this.span[1]! : this.span[0]!, to = backward ? this.span[0]! : this.span[1]!;
    setIdentity(delta, 0);
    if (clip === undefined || this.#bone < 0 || from === to) return;
    const duration = clip.duration;
    if (duration <= 1e-8) return;
    const passFrom = loop ? Math.floor(from / duration) : 0, passTo = loop ? Math.floor(to / duration) : 0;
    const passes = passTo - passFrom;
    TRACK_TIME[0] = Math.min(duration, Math.max(0, from - passFrom * duration));
    this.#extracted(FROM);
    TRACK_TIME[0] = Math.min(duration, Math.max(0, to - passTo * duration));
    this.#extracted(TO);
    if (passes > 0) this.#refresh(clip);
    if (this.#mode.space === "local") this.#measureLocal(passes);
    else this.#measureModel(passes);
    if (backward) this.#reverse();
    else turnPositive(delta);
  }

  /**
   * Corrects the root bone of a sampled pose so that the character stays in place: model transform X^-1 T with
   * X = E(t) E(0)^-1, t = span[0] (within the clip). Writes the bone's local transform.
   */
  extractFrom(localPtr: number): void {
    const clip = this.#clip, w = this.#work;
    if (clip === undefined || !this.extracts) return;
    this.#refresh(clip);
    TRACK_TIME[0] = this.span[0]!;
    this.#extracted(FROM);
    invertRigid(w, FROM, w, INVERSE);
    // X^-1 = E(0) E(t)^-1
    composeRigid(w, START, w, INVERSE, w, INVERSE);
    const f32 = heap.f32, bone = localIndex(localPtr, this.#bone);
    for (let row = 0; row < RIGID; row++) w[BONE + row] = f32[bone + 4 * row]!;
    if (this.#path.length === 1) {
      composeRigid(w, INVERSE, w, BONE, w, BONE);
    } else {
      this.#correctBelowParent(localPtr);
    }
    for (let row = 0; row < RIGID; row++) f32[bone + 4 * row] = w[BONE + row]!;
  }

  /** E at TRACK_TIME (within the clip) into work[o]. */
  #extracted(o: number): void {
    const w = this.#work, { translation, rotation } = this.#mode;
    this.#modelTransform(o);
    if (translation === "none" || translation === "y") w[o] = w[o + 2] = 0;
    if (translation === "none" || translation === "xz") w[o + 1] = 0;
    if (rotation === "yaw") yawOf(w, o + 3, w, o + 3);
    else if (rotation === "none") {
      w[o + 3] = w[o + 4] = w[o + 5] = 0;
      w[o + 6] = 1;
    }
  }

  /** Model transform of the root bone, without scale, from its path of bones. */
  #modelTransform(o: number): void {
    const w = this.#work, v = this.#value, skeleton = this.#skeleton, path = this.#path;
    setIdentity(w, o);
    let sx = 1, sy = 1, sz = 1;
    for (let i = 0; i < path.length; i++) {
      const bone = path[i]!, tracks = this.#clip!.tracks[bone], bind = localIndex(skeleton.bindPtr, bone);
      if (tracks?.position !== undefined && tracks.position.count > 0) sampleTrackAtTime(tracks.position, v, 0);
      else for (let k = 0; k < 3; k++) v[k] = heap.f32[bind + 4 * (Local.PX + k)]!;
      w[BONE] = v[0]! * sx;
      w[BONE + 1] = v[1]! * sy;
      w[BONE + 2] = v[2]! * sz;
      if (tracks?.rotation !== undefined && tracks.rotation.count > 0) sampleTrackAtTime(tracks.rotation, v, 0);
      else for (let k = 0; k < 4; k++) v[k] = heap.f32[bind + 4 * (Local.QX + k)]!;
      for (let k = 0; k < 4; k++) w[BONE + 3 + k] = v[k]!;
      composeRigid(w, o, w, BONE, w, o);
      if (i === path.length - 1) break;
      if (tracks?.scale !== undefined && tracks.scale.count > 0) sampleTrackAtTime(tracks.scale, v, 0);
      else for (let k = 0; k < 3; k++) v[k] = heap.f32[bind + 4 * (Local.SX + k)]!;
      sx *= v[0]!;
      sy *= v[1]!;
      sz *= v[2]!;
    }
  }

  /** E(0) and E(D), kept while clip and skeleton stay as they are. */
  #refresh(clip: AnimClip): void {
    if (this.#clipVersion === clip.version && this.#bindVersion === this.#skeleton.bindVersion) return;
    TRACK_TIME[0] = 0;
    this.#extracted(START);
    TRACK_TIME[0] = clip.duration;
    this.#extracted(END);
    this.#clipVersion = clip.version;
    this.#bindVersion = this.#skeleton.bindVersion;
  }

  /** E(from)^-1 E(to), with whole passes between. */
  #measureLocal(passes: number): void {
    const w = this.#work, delta = this.delta;
    invertRigid(w, FROM, w, INVERSE);
    if (passes === 0) {
      composeRigid(w, INVERSE, w, TO, delta, 0);
      return;
    }
    composeRigid(w, INVERSE, w, END, delta, 0);
    invertRigid(w, START, w, INVERSE);
    composeRigid(w, INVERSE, w, END, w, CYCLE);
    powerRigid(w, CYCLE, passes - 1, w, POWER);
    composeRigid(delta, 0, w, POWER, delta, 0);
    composeRigid(w, INVERSE, w, TO, w, CYCLE);
    composeRigid(delta, 0, w, CYCLE, delta, 0);
  }

  /** Translation and rotation apart: positions add up, rotations multiply from the left. */
  #measureModel(passes: number): void {
    const w = this.#work, delta = this.delta;
    if (passes === 0) {
      for (let i = 0; i < 3; i++) delta[i] = w[TO + i]! - w[FROM + i]!;
      rotationDifference(w, TO + 3, w, FROM + 3, delta, 3);
      return;
    }
    for (let i = 0; i < 3; i++) {
      delta[i] = w[END + i]! - w[FROM + i]! + (passes - 1) * (w[END + i]! - w[START + i]!) + w[TO + i]! - w[START + i]!;
    }
    // R(b) conj(R(0)) . [R(D) conj(R(0))]^(k-1) . R(D) conj(R(a))
    setIdentity(w, CYCLE);
    rotationDifference(w, END + 3, w, START + 3, w, CYCLE + 3);
    powerRigid(w, CYCLE, passes - 1, w, POWER);
    rotationDifference(w, END + 3, w, FROM + 3, w, CYCLE + 3);
    multiplyRotations(w, POWER + 3, w, CYCLE + 3, w, CYCLE + 3);
    rotationDifference(w, TO + 3, w, START + 3, w, POWER + 3);
    multiplyRotations(w, POWER + 3, w, CYCLE + 3, delta, 3);
  }

  /** The delta of the way back. */
  #reverse(): void {
    const delta = this.delta;
    if (this.#mode.space === "local") {
      invertRigid(delta, 0, delta, 0);
    } else {
      for (let i = 0; i < 6; i++) delta[i]! *= -1;
    }
    turnPositive(delta);
  }

  /** L' = P^-1 X^-1 P L with the parent's model matrix P from the sampled pose. X^-1 in INVERSE, L in BONE. */
  #correctBelowParent(localPtr: number): void {
    const w = this.#work, f32 = heap.f32, path = this.#path;
    // P as a rigid transform and the scale below it (scale of several bones is taken along their own axes).
    setIdentity(w, POWER);
    let sx = 1, sy = 1, sz = 1;
    for (let i = 0; i < path.length - 1; i++) {
      const bone = localIndex(localPtr, path[i]!);
      w[CYCLE] = f32[bone]! * sx;
      w[CYCLE + 1] = f32[bone + 4]! * sy;
      w[CYCLE + 2] = f32[bone + 8]! * sz;
      for (let k = 3; k < RIGID; k++) w[CYCLE + k] = f32[bone + 4 * k]!;
      composeRigid(w, POWER, w, CYCLE, w, POWER);
      sx *= f32[bone + 4 * Local.SX]!;
      sy *= f32[bone + 4 * Local.SY]!;
      sz *= f32[bone + 4 * Local.SZ]!;
    }
    w[BONE] = w[BONE]! * sx;
    w[BONE + 1] = w[BONE + 1]! * sy;
    w[BONE + 2] = w[BONE + 2]! * sz;
    composeRigid(w, POWER, w, BONE, w, BONE);
    composeRigid(w, INVERSE, w, BONE, w, BONE);
    invertRigid(w, POWER, w, POWER);
    composeRigid(w, POWER, w, BONE, w, BONE);
    // A flat parent keeps the sampled offset along its flat axis: there is nothing to see of it.
    if (sx !== 0) w[BONE] = w[BONE]! / sx;
    if (sy !== 0) w[BONE + 1] = w[BONE + 1]! / sy;
    if (sz !== 0) w[BONE + 2] = w[BONE + 2]! / sz;
  }
}

/** Of the two quaternions of a rotation the one with w >= 0. */
function turnPositive(delta: Float64Array): void {
  if (delta[6]! >= 0) return;
  delta[3] = 0 - delta[3]!;
  delta[4] = 0 - delta[4]!;
  delta[5] = 0 - delta[5]!;
  delta[6] = 0 - delta[6]!;
}

/**
 * Mixes two deltas by `SLERP_WEIGHT[0]`: translations lerp, rotations slerp on the shortest arc, w >= 0. `out` may be one of
 * them.
 */
export function blendDeltas(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const t = SLERP_WEIGHT[0]!;
  for (let i = 0; i < 3; i++) out[i] = a[i]! + (b[i]! - a[i]!) * t;
  slerpByWeight(a, 3, b, 3, out, 3);
  turnPositive(out);
}
