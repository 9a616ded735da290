/** Where the root of a clip is at any time, inside the clip or beyond its ends. @internal */
import { heap } from "../../wasm/heap.js";
import type { AnimClip } from "../rig/clip.js";
import { Local, localIndex } from "../rig/layout.js";
import { composeRigid, RIGID, setIdentity } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import { sampleTrackAtTime, TRACK_TIME } from "../rig/track-sample.js";
import { composeGround, copyGround, GROUND, invertGround, powerGround, setGround } from "./ground.js";

const START = 0, END = GROUND, CYCLE = 2 * GROUND, POWER = 3 * GROUND, LOCAL = 4 * GROUND, BEFORE = 5 * GROUND;
/** A heading within this of straight up or down has no yaw. */
const VERTICAL = 1e-6;

/**
 * Ground frame of a root bone over the time of one clip. A looping clip goes on where it ended: pass k starts at
 * (T(D) T(0)^-1)^k T(0). A clip that does not loop goes on with the velocity of its last (first) interval, its heading kept.
 */
export class RootTrack {
  readonly clip: AnimClip;
  readonly duration: number;
  readonly looping: boolean;
  readonly #skeleton: AnimSkeleton;
  readonly #path: number[] = [];
  readonly #step: number;
  readonly #work = new Float64Array(6 * GROUND);
  readonly #rigid = new Float64Array(2 * RIGID);
  readonly #value = new Float64Array(4);
  readonly #time = new Float64Array(1);
  readonly #inner = new Float64Array(1);
  readonly #earlier = new Float64Array(1);
  #version = -1;
  #bindVersion = -1;
  /** Velocities before the start and behind the end. */
  readonly #drift = new Float64Array(4);
  /** The last two times within the clip and their frames: a step starts where the last one ended, and its pose needs that end again. */
  readonly #known = new Float64Array(2).fill(NaN);
  readonly #knownFrames = new Float64Array(2 * GROUND);
  #oldest = 0;

  constructor(clip: AnimClip, skeleton: AnimSkeleton, bone: number) {
    this.clip = clip;
    this.duration = clip.getDuration();
    this.looping = clip.getLoop() && this.duration > 1e-8;
    this.#skeleton = skeleton;
    this.#step = 1 / clip.getSampleRate();
    for (let up = bone; up >= 0; up = skeleton.getParent(up)) this.#path.unshift(up);
  }

  /** Ground frame at an unbounded time into out[o..o+3]. */
  at(time: number, out: Float64Array, o: number): void {
    this.#time[0] = time;
    this.atTimeOf(this.#time, 0, out, o);
  }

  /** As `at`, for the time times[i]: numbers in arrays are not boxed on their way, so a frame leaves nothing behind. */
  atTimeOf(times: Float64Array, i: number, out: Float64Array, o: number): void {
    const time = times[i]!;
    const { duration } = this, w = this.#work;
    this.#refresh();
    if (duration <= 1e-8) {
      copyGround(w, START, out, o);
      return;
    }
    if (this.looping) {
      const pass = Math.floor(time / duration);
      this.#inner[0] = Math.min(duration, Math.max(0, time - pass * duration));
      this.insideTimeOf(this.#inner, 0, out, o);
      if (pass === 0) return;
      invertGround(w, START, w, LOCAL);
      composeGround(w, END, w, LOCAL, w, CYCLE);
      powerGround(w, CYCLE, pass, w, POWER);
      composeGround(w, POWER, out, o, out, o);
      return;
    }
    if (time < 0) {
      copyGround(w, START, out, o);
      out[o] = out[o]! + this.#drift[0]! * time;
      out[o + 1] = out[o + 1]! + this.#drift[1]! * time;
    } else if (time > duration) {
      copyGround(w, END, out, o);
      out[o] = out[o]! + this.#drift[2]! * (time - duration);
      out[o + 1] = out[o + 1]! + this.#drift[3]! * (time - duration);
    } else {
      this.insideTimeOf(times, i, out, o);
    }
  }

  /** The ground frame's place after whole passes relative to the first one: G^k, for bones of a looping clip. */
  pass(k: number, out: Float64Array, o: number): void {
    const w = this.#work;
    this.#refresh();
    if (k === 0 || !this.looping) {
      setGround(out, o, 0, 0, 0, 1);
      return;
    }
    invertGround(w, START, w, LOCAL);
    composeGround(w, END, w, LOCAL, w, CYCLE);
    powerGround(w, CYCLE, k, out, o);
  }

  /** Ground frame at a time within the clip. */
  inside(time: number, out: Float64Array, o: number): void {
    this.#inner[0] = time;
    this.insideTimeOf(this.#inner, 0, out, o);
  }

  /** As `inside`, for the time times[i]. */
  insideTimeOf(times: Float64Array, i: number, out: Float64Array, o: number): void {
    this.#refresh();
    const known = this.#known, frames = this.#knownFrames;
    if (times[i]! === known[0]!) copyGround(frames, 0, out, o);
    else if (times[i]! === known[1]!) copyGround(frames, GROUND, out, o);
    else {
      const place = this.#oldest;
      this.#oldest = 1 - place;
      // Noted before it is written: times and out may be one array.
      known[place] = times[i]!;
      this.#findInside(times, i, out, o);
      copyGround(out, o, frames, place * GROUND);
    }
  }

  #findInside(times: Float64Array, i: number, out: Float64Array, o: number): void {
    if (this.#frame(times, i, out, o)) return;
    const time = times[i]!, earlier = this.#earlier;
    // Straight up or down: the heading of an earlier frame holds.
    for (let t = time - this.#step; t > -this.#step; t -= this.#step) {
      earlier[0] = Math.max(0, t);
      if (this.#frame(earlier, 0, this.#work, BEFORE)) {
        out[o + 2] = this.#work[BEFORE + 2]!;
        out[o + 3] = this.#work[BEFORE + 3]!;
        return;
      }
    }
    out[o + 2] = 0;
    out[o + 3] = 1;
  }

  /** Writes place and heading; returns whether there is a heading. */
  #frame(times: Float64Array, index: number, out: Float64Array, o: number): boolean {
    TRACK_TIME[0] = times[index]!;
    const w = this.#rigid, v = this.#value, skeleton = this.#skeleton, path = this.#path;
    setIdentity(w, 0);
    let sx = 1, sy = 1, sz = 1;
    for (let i = 0; i < path.length; i++) {
      const bone = path[i]!, tracks = this.clip.tracks[bone], bind = localIndex(skeleton.bindPtr, bone);
      if (tracks?.position !== undefined && tracks.position.count > 0) sampleTrackAtTime(tracks.position, v, 0);
      else for (let k = 0; k < 3; k++) v[k] = heap.f32[bind + 4 * (Local.PX + k)]!;
      w[RIGID] = v[0]! * sx;
      w[RIGID + 1] = v[1]! * sy;
      w[RIGID + 2] = v[2]! * sz;
      if (tracks?.rotation !== undefined && tracks.rotation.count > 0) sampleTrackAtTime(tracks.rotation, v, 0);
      else for (let k = 0; k < 4; k++) v[k] = heap.f32[bind + 4 * (Local.QX + k)]!;
      for (let k = 0; k < 4; k++) w[RIGID + 3 + k] = v[k]!;
      composeRigid(w, 0, w, RIGID, w, 0);
      if (i === path.length - 1) break;
      if (tracks?.scale !== undefined && tracks.scale.count > 0) sampleTrackAtTime(tracks.scale, v, 0);
      else for (let k = 0; k < 3; k++) v[k] = heap.f32[bind + 4 * (Local.SX + k)]!;
      sx *= v[0]!;
      sy *= v[1]!;
      sz *= v[2]!;
    }
    const x = w[3]!, y = w[4]!, z = w[5]!, q = w[6]!;
    const fx = 2 * (x * z + q * y), fz = 1 - 2 * (x * x + y * y);
    const length = Math.sqrt(fx * fx + fz * fz);
    out[o] = w[0]!;
    out[o + 1] = w[2]!;
    out[o + 2] = length > VERTICAL ? fx / length : 0;
    out[o + 3] = length > VERTICAL ? fz / length : 1;
    return length > VERTICAL;
  }

  #refresh(): void {
    if (this.#version === this.clip.version && this.#bindVersion === this.#skeleton.bindVersion) return;
    this.#version = this.clip.version;
    this.#bindVersion = this.#skeleton.bindVersion;
    this.#known.fill(NaN);
    const { duration } = this, w = this.#work, step = Math.min(this.#step, duration);
    this.inside(0, w, START);
    this.inside(duration, w, END);
    this.#drift.fill(0);
    if (duration <= 1e-8) return;
    this.inside(step, w, LOCAL);
    this.#drift[0] = (w[LOCAL]! - w[START]!) / step;
    this.#drift[1] = (w[LOCAL + 1]! - w[START + 1]!) / step;
    this.inside(duration - step, w, LOCAL);
    this.#drift[2] = (w[END]! - w[LOCAL]!) / step;
    this.#drift[3] = (w[END + 1]! - w[LOCAL + 1]!) / step;
  }
}
