import { ArgumentError } from "../errors.js";
import { applyCompiled } from "./compile/apply-timeline.js";
import { compiledFor } from "./compile/cache.js";
import type { CompiledAnimation } from "./compile/compiled-animation.js";
import type { SkeletonData } from "./data/skeleton-data.js";
import { edits } from "./edits.js";
import type { MixFrom } from "./enums.js";
import type { Event } from "./model/event.js";
import type { Skeleton } from "./model/skeleton.js";
import { isBoneTimeline } from "./timelines/bone-timelines.js";
import { type PropertyId, Timeline } from "./timelines/timeline.js";
import { Color } from "./utils/color.js";

/**
 * Stores a list of timelines to animate a skeleton's pose over time.
 *
 * Numeric timelines are compiled for a skeleton's data on first use, and again after an edit of a timeline. Call `setTimelines`
 * after other edits of the list than to make it longer or shorter, so that `bones` and `timelineIds` follow.
 */
export class Animation {
  /** The animation's name, unique across all animations in the skeleton. */
  readonly name: string;
  /** The animation's timelines in the order in which they are applied. */
  timelines: Timeline[] = [];
  #timelineIds: Set<PropertyId> | null = null;
  /** `Skeleton.bones` indices that this animation's timelines modify. */
  readonly bones: number[] = [];
  /** Seconds, usually the highest time of all frames. Says when the animation has completed and when it loops. */
  duration: number;
  /** Colour of the animation in the editor, if it was exported. */
  readonly color = new Color(1, 1, 1, 1);
  /** @internal */
  _compiled: CompiledAnimation[] = [];
  /** @internal */
  _revision = 0;

  /**
   * @param timelines - may be set later with `setTimelines`
   * @param duration - seconds; default: the largest duration of the timelines
   */
  constructor(name: string, timelines: readonly Timeline[] = [], duration?: number) {
    if (typeof name !== "string") throw new ArgumentError(`The name of an animation is ${String(name)}, expected a string.`, { found: name });
    this.name = name;
    this.duration = 0;
    this.setTimelines(timelines);
    this.duration = duration ?? timelines.reduce((longest, timeline) => Math.max(longest, timeline.getDuration()), 0);
  }

  /**
   * Sets the timelines. Call it again after a change of the list or of a timeline in it.
   * @param bones - `Skeleton.bones` indices that they modify; default: those of the bone timelines, in order
   */
  setTimelines(timelines: readonly Timeline[], bones?: readonly number[]): void {
    if (!Array.isArray(timelines)) throw new ArgumentError("The timelines of an animation must be an array.", { found: timelines });
    this.timelines = timelines as Timeline[];
    this.#timelineIds = null;
    this.bones.length = 0;
    if (bones !== undefined) this.bones.push(...bones);
    else {
      const seen = new Set<number>();
      let last = -1;
      for (let i = 0; i < timelines.length; i++) {
        const timeline = timelines[i]!;
        if (!isBoneTimeline(timeline)) continue;
        const { boneIndex } = timeline;
        // In files those of one bone come one after the other.
        if (boneIndex === last || seen.has(boneIndex)) continue;
        last = boneIndex;
        seen.add(boneIndex);
        this.bones.push(boneIndex);
      }
    }
    this._revision++;
    edits.timelines++;
  }

  /** The property ids of all timelines. Made on first use. */
  get timelineIds(): Set<PropertyId> {
    let ids = this.#timelineIds;
    if (ids === null) {
      this.#timelineIds = ids = new Set();
      for (const timeline of this.timelines) for (const id of timeline.propertyIds) ids.add(id);
    }
    return ids;
  }

  /** Whether this animation contains a timeline with any of the property ids. */
  hasTimeline(propertyIds: readonly PropertyId[]): boolean {
    const ids = this.timelineIds;
    for (let i = 0; i < propertyIds.length; i++) if (ids.has(propertyIds[i]!)) return true;
    return false;
  }

  /**
   * Applies the animation's timelines to the skeleton.
   *
   * @param lastTime - the time of the previous application; keys that trigger fire in (lastTime, time]. -1 the first time
   * @param time - seconds
   * @param loop - whether a time beyond the duration wraps; exactly at the duration the pose is that of time 0
   * @param events - fired events are appended; null to ignore them
   * @param alpha - 0 gives setup or current values, 1 the timelines', values between them mix
   * @param from - what alpha mixes from: the setup pose (`true`) or the current pose (`false`), or a MixFrom value
   * @param add - add to the base value instead of replacing it, for timelines that support it
   * @param out - the animation is mixing out
   * @param appliedPose - change `appliedPose` instead of `pose`
   */
  apply(
    skeleton: Skeleton,
    lastTime: number,
    time: number,
    loop: boolean,
    events: Event[] | null,
    alpha: number,
    from: MixFrom | boolean,
    add: boolean,
    out: boolean,
    appliedPose: boolean,
  ): void {
    if (skeleton == null) throw new ArgumentError("skeleton is missing. Give the Skeleton to pose.", { found: skeleton });
    if (loop && this.duration !== 0) {
      time %= this.duration;
      if (lastTime > 0) lastTime %= this.duration;
    }
    const compiled = this._compiledFor(skeleton.data);
    applyCompiled(compiled, skeleton, lastTime, time, events, alpha, Number(from), add, out, appliedPose);
  }

  /** The compiled form for skeletons of `data`. @internal */
  _compiledFor(data: SkeletonData): CompiledAnimation {
    return compiledFor(this, this.timelines, data, Timeline.prototype.apply);
  }
}
