import { ArgumentError, NameError } from "../../errors.js";
import type { Animation } from "../animation.js";
import type { SkeletonData } from "../data/skeleton-data.js";

/** Stores mix (crossfade) durations to be applied when AnimationState animations are changed on the same track. */
export class AnimationStateData {
  /** The SkeletonData to look up animations when they are specified by name. */
  readonly skeletonData: SkeletonData;
  /** The mix duration in seconds where none has been set between two animations. */
  defaultMix = 0;
  /** Mix durations by the animation mixed from, then by the one mixed to. */
  readonly animationToMixTime = new Map<Animation, Map<Animation, number>>();

  constructor(skeletonData: SkeletonData) {
    if (skeletonData == null) throw new ArgumentError("skeletonData is missing. Give the SkeletonData whose animations are mixed.");
    this.skeletonData = skeletonData;
  }

  /**
   * Sets the mix duration when changing from one animation to another, given as objects or by name.
   * @param duration - seconds, 0 or more
   * @throws NameError if there is no animation of a name; ArgumentError for a duration that is no time
   */
  setMix(from: Animation | string, to: Animation | string, duration: number): void {
    if (!(duration >= 0 && duration < Infinity)) {
      throw new ArgumentError(`The mix duration is ${String(duration)}, expected seconds from 0.`, { found: duration });
    }
    const first = this._resolve(from);
    const second = this._resolve(to);
    let durations = this.animationToMixTime.get(first);
    if (durations === undefined) this.animationToMixTime.set(first, (durations = new Map()));
    durations.set(second, duration);
  }

  /** The mix duration for exactly this pair, or `defaultMix`. */
  getMix(from: Animation, to: Animation): number {
    return this.animationToMixTime.get(from)?.get(to) ?? this.defaultMix;
  }

  /** An animation from itself or its name. @internal */
  _resolve(animation: Animation | string): Animation {
    if (typeof animation !== "string") {
      if (animation == null) throw new ArgumentError("The animation is missing. Give an Animation or the name of one.", { found: animation });
      return animation;
    }
    const found = animation === "" ? null : this.skeletonData.findAnimation(animation);
    if (found === null) {
      const names = this.skeletonData.animations.map((a) => `"${a.name}"`).join(", ");
      throw new NameError(`There is no animation "${animation}". The animations are: ${names === "" ? "none" : names}.`, { found: animation });
    }
    return found;
  }
}
