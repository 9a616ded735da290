import type { DetailOptions } from "./detail.js";
import type { Skin } from "../spine/model/skin.js";

export interface CrowdOptions {
  /** Characters to make room for, 1 .. 2,097,152. Default 1,024. */
  capacity?: number | undefined;
  /** What happens beyond the capacity: `true` (default) doubles it, `false` makes `spawn` throw a CrowdFullError. */
  grow?: boolean | undefined;
  /** Whether the crowd also keeps what every slot shows, which renderers need. Default false. */
  slots?: boolean | undefined;
  /** What characters with reduced detail do without, see `Crowd.setDetail`. Default: nothing. */
  detail?: DetailOptions | undefined;
  /** Seconds of the cross-fade that `play` starts when it is not told. Default 0. */
  defaultMix?: number | undefined;
  /** Wind that physics constraints see. Default (1, 0). */
  windX?: number | undefined;
  windY?: number | undefined;
  /** Gravity that physics constraints see. Default (0, 1). */
  gravityX?: number | undefined;
  gravityY?: number | undefined;
}

/** Names of all options, for the checks. @internal */
export const CROWD_OPTIONS: readonly (keyof CrowdOptions)[] = ["capacity", "grow", "slots", "detail", "defaultMix", "windX", "windY", "gravityX", "gravityY"];
/** @internal */
export const PLAY_OPTIONS: readonly (keyof PlayOptions)[] = ["mix", "loop", "speed", "time"];
/** @internal */
export const QUEUE_OPTIONS: readonly (keyof QueueOptions)[] = ["delay", "mix", "loop", "speed", "time"];
/** @internal */
export const OVERLAY_OPTIONS: readonly (keyof OverlayOptions)[] = ["alpha", "mix", "loop", "speed", "time"];
/** @internal */
export const SPAWN_OPTIONS: readonly (keyof SpawnOptions)[] = ["animation", "x", "y", "scaleX", "scaleY", "skin", "detail", "loop", "speed", "time"];

export interface PlayOptions {
  /** Seconds of the cross-fade from what plays now. Default: the crowd's `defaultMix`. */
  mix?: number | undefined;
  /** Whether the clip starts over at its end. Default true. */
  loop?: boolean | undefined;
  /** Track seconds per second, >= 0. Default 1. */
  speed?: number | undefined;
  /** Track time to start at, in seconds, >= 0. Events up to it do not fire. Default 0. */
  time?: number | undefined;
}

export interface QueueOptions extends PlayOptions {
  /**
   * Seconds of the clip before it after which it starts. 0 or less (default 0): at the end of that clip (of the loop it is
   * in), less the cross-fade, plus the delay.
   */
  delay?: number | undefined;
}

export interface OverlayOptions extends PlayOptions {
  /** Weight of the overlay, 0 .. 1. Default 1. */
  alpha?: number | undefined;
}

export interface SpawnOptions extends Omit<PlayOptions, "mix"> {
  /** Animation to play; without one the character keeps its setup pose. */
  animation?: string | undefined;
  /** Placement: the skeleton's own x, y and scale. Defaults 0, 0, 1, 1. */
  x?: number | undefined;
  y?: number | undefined;
  scaleX?: number | undefined;
  scaleY?: number | undefined;
  /** Skin by name or object. Default: none, which shows the default skin. */
  skin?: string | Skin | null | undefined;
  /** Whether everything takes part, or what the crowd knows as detail is left out. Default true. */
  detail?: boolean | undefined;
}
