/** One clip that a player plays: its clock, its loop flag, its sampler. @internal */
import { rig3d } from "../../wasm/rig3d.js";
import type { AnimClip } from "./clip.js";
import { wrapTime } from "./clip-time.js";
import { SampleContext } from "./clip-data.js";
import { collectSpan, type EventLog, SPAN } from "./event-log.js";
import { GROUP_BYTES } from "./layout.js";
import { RootMotion } from "./root-motion.js";
import type { AnimSkeleton } from "./skeleton.js";

export class ClipVoice {
  clip: AnimClip | null = null;
  /** Unwrapped clip time, seconds. */
  time = 0;
  /** How far `advance` goes, in clip seconds (>= 0), and clip seconds a real second. Fields, because doubles in arguments are boxed. */
  seconds = 0;
  rate = 0;
  /** Nothing was passed yet: the next interval includes its start. */
  fresh = false;
  reverse = false;
  readonly rootMotion: RootMotion;
  readonly #context = new SampleContext();
  readonly #skeleton: AnimSkeleton;

  constructor(skeleton: AnimSkeleton) {
    this.#skeleton = skeleton;
    this.rootMotion = new RootMotion(skeleton);
  }

  start(clip: AnimClip | null, time: number, reverse: boolean): void {
    this.clip = clip;
    this.time = time;
    this.fresh = true;
    this.reverse = reverse;
    this.rootMotion.setClip(clip ?? undefined);
    this.rootMotion.clear();
  }

  /** Time within the clip. */
  clipTime(loop: boolean): number {
    return this.clip === null ? 0 : wrapTime(this.time, this.clip.duration, loop);
  }

  /**
   * Moves the clock by `seconds` (the direction is the voice's), measures root motion and logs events.
   * @returns whether a clip that does not loop has reached its end
   */
  advance(loop: boolean, log: EventLog | undefined, source = 0): boolean {
    // Not clamped here, where the engine would box it: a step of LONGEST_STEP at the largest speed leaves a double room for 1e254 more.
    const clip = this.clip!, from = this.time, seconds = this.seconds;
    let to = this.reverse ? from - seconds : from + seconds;
    let ended = false;
    if (!loop) {
      const bound = this.reverse ? 0 : clip.duration;
      if (this.reverse ? to <= bound : to >= bound) {
        to = bound;
        ended = true;
      }
    }
    if (log !== undefined && clip.events.length > 0 && (to !== from || (this.fresh && seconds > 0))) {
      SPAN[0] = from;
      SPAN[1] = to;
      SPAN[2] = this.rate;
      SPAN[3] = clip.duration;
      collectSpan(clip.events, loop, this.fresh, log, source);
    }
    if (seconds > 0) this.fresh = false;
    if (this.rootMotion.isActive) {
      this.rootMotion.span[0] = from;
      this.rootMotion.span[1] = to;
      this.rootMotion.measure(loop);
    }
    this.time = to;
    return ended;
  }

  /** Writes the pose at the present time. */
  sample(localPtr: number, groupCount: number, loop: boolean, lod: number): void {
    const data = this.clip!.data(), skeleton = this.#skeleton;
    rig3d.kernels.sampleUnwrapped(
      data.ptr, this.time, loop ? 1 : 0, this.#context.scratch(data.scratchBytes), skeleton.bindPtr, GROUP_BYTES, skeleton.liveMasks(lod),
      localPtr, groupCount);
    if (this.rootMotion.extracts) {
      this.rootMotion.span[0] = this.time;
      this.clip!.wrapInPlace(this.rootMotion.span, loop);
      this.rootMotion.extractFrom(localPtr);
    }
  }

  dispose(): void {
    this.clip = null;
    this.#context.dispose();
  }
}
