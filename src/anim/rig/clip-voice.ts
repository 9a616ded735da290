/** One clip that a player plays: its clock, its loop flag, its sampler. @internal */
import { type AnimClip, wrapTime } from "./clip.js";
import { SampleContext } from "./clip-data.js";
import { RootMotion } from "./root-motion.js";
import type { AnimSkeleton } from "./skeleton.js";
import { EventLog, collectEvents } from "./event-log.js";

export class ClipVoice {
  clip: AnimClip | null = null;
  /** Unwrapped clip time, seconds. */
  time = 0;
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
   * Moves the clock by `clipSeconds` (>= 0; the direction is the voice's), measures root motion and logs events.
   * @param rate - clip seconds per real second
   * @returns whether a clip that does not loop has reached its end
   */
  advance(clipSeconds: number, loop: boolean, rate: number, log: EventLog | undefined, source = 0): boolean {
    const clip = this.clip!;
    const from = this.time;
    let to = this.reverse ? from - clipSeconds : from + clipSeconds;
    let ended = false;
    if (!loop) {
      const bound = this.reverse ? 0 : clip.duration;
      if (this.reverse ? to <= bound : to >= bound) {
        to = bound;
        ended = true;
      }
    }
    if (log !== undefined && (to !== from || (this.fresh && clipSeconds > 0))) {
      collectEvents(clip.events, clip.duration, loop, from, to, this.fresh, rate, log, source);
    }
    if (clipSeconds > 0) this.fresh = false;
    this.rootMotion.measure(from, to, loop);
    this.time = to;
    return ended;
  }

  /** Writes the pose at the present time. */
  sample(localPtr: number, groupCount: number, loop: boolean, lod: number, extract: boolean): void {
    this.sampleAt(this.clipTime(loop), localPtr, groupCount, lod, extract);
  }

  /** Writes the pose at a time within the clip. */
  sampleAt(clipTime: number, localPtr: number, groupCount: number, lod: number, extract: boolean): void {
    this.clip!.sampleInto(clipTime, localPtr, groupCount, this.#skeleton, lod, this.#context);
    if (extract) this.rootMotion.extractFrom(localPtr, clipTime);
  }

  dispose(): void {
    this.clip = null;
    this.#context.dispose();
  }
}
