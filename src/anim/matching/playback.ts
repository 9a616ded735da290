/** The stretch of a clip that a matcher plays: its time, its pose without ground motion, the motion of its root. @internal */
import { heap } from "../../wasm/heap.js";
import type { EventLog } from "../rig/event-log.js";
import { collectSpan, SPAN } from "../rig/event-log.js";
import { SampleContext } from "../rig/clip-data.js";
import { Local, localIndex } from "../rig/layout.js";
import { composeRigid, invertRigid, RIGID, setIdentity } from "../rig/rigid.js";
import type { AnimSkeleton } from "../rig/skeleton.js";
import type { BakedRange, MotionDatabase } from "./database.js";
import { composeGround, GROUND, invertGround } from "./ground.js";
import { RootTrack } from "./root-track.js";

const PARENT = 0, LOCAL = RIGID, FRAME = 2 * RIGID, WORK = 3 * RIGID;

/** Clip seconds between two samples from which velocities at a switch are taken. */
export const VELOCITY_STEP = 1 / 60;

/** Places in a playback's times: start and end of the measured step, the next event, and clip time, unwrapped for loops. */
const FROM = 0, TO = 1, NEXT = 2, TIME = 3;

export class Playback {
  range: BakedRange | undefined;
  /** Motion of the last step in the character's frame: x, z, sine and cosine of the turn. */
  readonly delta = new Float64Array(GROUND);
  /** Change of the root's height in the last step. */
  heightDelta = 0;
  readonly #skeleton: AnimSkeleton;
  readonly #database: MotionDatabase;
  readonly #context = new SampleContext();
  readonly #ground = new Float64Array(2 * GROUND);
  readonly #rigid = new Float64Array(4 * RIGID);
  readonly #path: number[] = [];
  /** What `advance` takes: seconds, and how fast they run. Doubles in fields and arguments may be boxed. */
  readonly step = new Float64Array(2);
  /** See FROM, TO, NEXT, TIME. */
  readonly #times = new Float64Array(4);
  readonly #clipTime = new Float64Array(1);
  readonly #tracks = new Map<number, RootTrack>();
  #fresh = true;

  constructor(skeleton: AnimSkeleton, database: MotionDatabase) {
    this.#skeleton = skeleton;
    this.#database = database;
    for (let up = database.getRootBone(); up >= 0; up = skeleton.getParent(up)) this.#path.unshift(up);
    this.delta[3] = 1;
  }

  /** Value of a curve of the clip at the present time into out[0], 0 if it has no such curve. */
  curveInto(name: string, out: Float64Array): void {
    this.#writeClipTime();
    out[0] = this.#clipTime[0]!;
    this.range!.clip.curveInto(name, out);
  }

  /** Starts at a frame of a range, counted from the range's first one. */
  start(range: BakedRange, index: number): void {
    this.range = range;
    this.#times[TIME] = range.start + index / range.rate;
    this.#fresh = true;
  }

  /** Clip time within the clip. */
  get clipTime(): number {
    this.#writeClipTime();
    return this.#clipTime[0]!;
  }

  /** Clip time into #clipTime: doubles that are returned may be boxed. */
  #writeClipTime(): void {
    const range = this.range!, unwrapped = this.#times[TIME]!, out = this.#clipTime;
    if (!range.looping) {
      out[0] = Math.min(range.end, Math.max(range.start, unwrapped));
      return;
    }
    const duration = range.clip.duration, wrapped = unwrapped - Math.floor(unwrapped / duration) * duration;
    out[0] = wrapped >= duration ? 0 : wrapped;
  }

  /** Whether no more than seconds[i] are left; never for loops. */
  endsWithinOf(seconds: Float64Array, i: number): boolean {
    const range = this.range!;
    return !range.looping && range.end - this.#times[TIME]! <= seconds[i]!;
  }

  /** Whether playback has reached the end. */
  get hasEnded(): boolean {
    const range = this.range!;
    return !range.looping && range.end - this.#times[TIME]! <= 0;
  }

  /** The database frame that is being played: the last one that was reached. */
  get frame(): number {
    const range = this.range!;
    this.#writeClipTime();
    const index = Math.floor((this.#clipTime[0]! - range.start) * range.rate + 1e-6);
    return range.firstFrame + Math.min(range.frameCount - 1, Math.max(0, index));
  }

  /** How far playback is past `frame`, in frames, 0..1, into out[0]. */
  fractionInto(out: Float64Array): void {
    const range = this.range!, whole = this.frame - range.firstFrame;
    const position = (this.#clipTime[0]! - range.start) * range.rate;
    out[0] = Math.min(1, Math.max(0, position - whole));
  }

  /** Moves the time by `step`, measures the root's motion, logs events. */
  advance(log: EventLog): void {
    const range = this.range!, times = this.#times, dt = this.step[0]!, rate = this.step[1]!;
    const from = times[TIME]!;
    let to = from + dt * rate;
    if (!range.looping && to > range.end) to = Math.max(from, range.end);
    times[FROM] = from;
    times[TO] = to;
    times[TIME] = to;
    this.#measureTimes();
    if (dt > 0) {
      // Most steps pass no event; only those that do ask which.
      if (this.#fresh || times[TO]! >= times[NEXT]!) {
        SPAN[0] = times[FROM]!;
        SPAN[1] = times[TO]!;
        SPAN[2] = rate;
        SPAN[3] = range.clip.duration;
        collectSpan(range.clip.events, range.looping, this.#fresh, log, 0);
        this.#fresh = false;
        this.#findNextEvent();
      }
    }
    // Unwrapped times stay small, so that they stay exact.
    if (range.looping && times[TIME]! > 1e4 * range.clip.duration) {
      times[TIME] = this.clipTime;
      this.#findNextEvent();
    }
  }

  /** Ground motion of the next VELOCITY_STEP seconds into `delta`, mirrored if the range is. */
  measureNext(): void {
    const times = this.#times;
    times[FROM] = times[TIME]!;
    times[TO] = times[TIME]! + VELOCITY_STEP;
    this.#measureTimes();
  }

  #measureTimes(): void {
    const g = this.#ground, track = this.#track(), { delta } = this;
    track.atTimeOf(this.#times, FROM, g, 0);
    track.atTimeOf(this.#times, TO, g, GROUND);
    invertGround(g, 0, g, 0);
    composeGround(g, 0, g, GROUND, delta, 0);
    if (this.range!.mirrored) {
      delta[0] = -delta[0]!;
      delta[2] = -delta[2]!;
    }
  }

  /** Notes the unbounded time of the first event behind the present time; infinite if there is none. */
  #findNextEvent(): void {
    const { clip, looping } = this.range!, { events, duration } = clip, times = this.#times, time = times[TIME]!;
    times[NEXT] = Infinity;
    const pass = looping ? Math.floor(time / duration) : 0;
    for (let i = 0; i < events.length; i++) {
      if (events[i]!.time > duration) continue;
      // An event at the very end of one pass is that at the start of the next; looking a little early costs nothing.
      for (let k = pass; k <= pass + (looping ? 1 : 0); k++) {
        const at = events[i]!.time + k * duration;
        if (at > time && at < times[NEXT]!) times[NEXT] = at;
      }
    }
  }

  /** Writes the pose at the present time to `localPtr`, mirrored if need be, its ground motion removed unless `keepRoot`. */
  sampleNow(localPtr: number, groupCount: number, keepRoot: boolean): void {
    this.#sample(false, localPtr, groupCount, keepRoot);
  }

  /** Writes the pose a moment from now. */
  sampleNext(localPtr: number, groupCount: number, keepRoot: boolean): void {
    this.#sample(true, localPtr, groupCount, keepRoot);
  }

  #sample(next: boolean, localPtr: number, groupCount: number, keepRoot: boolean): void {
    const range = this.range!, skeleton = this.#skeleton, clipTime = this.#clipTime;
    const time = next ? this.#times[TIME]! + VELOCITY_STEP : this.#times[TIME]!;
    if (range.looping) {
      const duration = range.clip.duration, wrapped = time - Math.floor(time / duration) * duration;
      clipTime[0] = wrapped >= duration ? 0 : wrapped;
    } else {
      clipTime[0] = Math.min(range.end, Math.max(range.start, time));
    }
    range.clip.sampleInto(clipTime[0]!, localPtr, groupCount, skeleton, 0, this.#context);
    if (range.mirrored) this.#database.mirror!.applyAt(localPtr);
    if (!keepRoot) this.#removeGround(localPtr, range.mirrored);
  }

  dispose(): void {
    this.#context.dispose();
  }

  /** Root bone: L' = P^-1 G^-1 P L with the ground frame G and the parent's model transform P. */
  #removeGround(localPtr: number, mirrored: boolean): void {
    const w = this.#rigid, g = this.#ground, path = this.#path, f32 = heap.f32;
    this.#track().insideTimeOf(this.#clipTime, 0, g, 0);
    const side = mirrored ? -1 : 1;
    const sine = side * g[2]!, cosine = g[3]!;
    w[FRAME] = side * g[0]!;
    w[FRAME + 1] = 0;
    w[FRAME + 2] = g[1]!;
    w[FRAME + 3] = 0;
    w[FRAME + 5] = 0;
    // Half-angle formulas, the larger of the two by a root.
    if (cosine >= 0) {
      w[FRAME + 6] = Math.sqrt((1 + cosine) / 2);
      w[FRAME + 4] = sine / (2 * w[FRAME + 6]!);
    } else {
      w[FRAME + 4] = Math.sqrt((1 - cosine) / 2) * (sine < 0 ? -1 : 1);
      w[FRAME + 6] = sine / (2 * w[FRAME + 4]!);
    }
    invertRigid(w, FRAME, w, FRAME);
    setIdentity(w, PARENT);
    let scale = 1;
    for (let i = 0; i < path.length - 1; i++) {
      const at = localIndex(localPtr, path[i]!);
      for (let row = 0; row < RIGID; row++) w[LOCAL + row] = f32[at + 4 * row]! * (row < 3 ? scale : 1);
      composeRigid(w, PARENT, w, LOCAL, w, PARENT);
      // Parents of the root bone are scaled evenly or not at all; uneven scale there has no rigid counterpart.
      scale *= f32[at + 4 * Local.SX]!;
    }
    const bone = localIndex(localPtr, path[path.length - 1]!);
    for (let row = 0; row < RIGID; row++) w[LOCAL + row] = f32[bone + 4 * row]! * (row < 3 ? scale : 1);
    composeRigid(w, PARENT, w, LOCAL, w, LOCAL);
    composeRigid(w, FRAME, w, LOCAL, w, LOCAL);
    invertRigid(w, PARENT, w, WORK);
    composeRigid(w, WORK, w, LOCAL, w, LOCAL);
    for (let row = 0; row < RIGID; row++) f32[bone + 4 * row] = row < 3 && scale !== 0 ? w[LOCAL + row]! / scale : w[LOCAL + row]!;
  }

  #track(): RootTrack {
    const range = this.range!;
    let track = this.#tracks.get(range.clipIndex);
    if (track === undefined || track.clip !== range.clip) {
      track = new RootTrack(range.clip, this.#skeleton, this.#database.getRootBone());
      this.#tracks.set(range.clipIndex, track);
    }
    return track;
  }
}
