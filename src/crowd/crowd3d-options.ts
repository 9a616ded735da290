import type { AnimClip } from "../anim/rig/clip.js";

export interface Crowd3DOptions {
  /** Characters to make room for, 1 .. 2,097,152. Default 1,024. */
  capacity?: number | undefined;
  /** What happens beyond the capacity: `true` (default) doubles it, `false` makes `spawn` throw a CrowdFullError. */
  grow?: boolean | undefined;
  /** Seconds of the cross-fade that `play` starts when it is not told. Default 0. */
  defaultMix?: number | undefined;
  /** Clips to know from the start. Others are learnt when they are first played; `restore` needs to know those of the snapshot. */
  clips?: readonly AnimClip[] | undefined;
}

/** Names of all options, for the checks. @internal */
export const CROWD3D_OPTIONS: readonly (keyof Crowd3DOptions)[] = ["capacity", "grow", "defaultMix", "clips"];
/** @internal */
export const PLAY3D_OPTIONS: readonly (keyof Play3DOptions)[] = ["mix", "loop", "speed", "time"];
/** @internal */
export const QUEUE3D_OPTIONS: readonly (keyof Queue3DOptions)[] = ["delay", "mix", "loop", "speed", "time"];
/** @internal */
export const SPAWN3D_OPTIONS: readonly (keyof Spawn3DOptions)[] = ["clip", "x", "y", "z", "rotation", "scale", "lod", "tint", "loop", "speed", "time"];

export interface Play3DOptions {
  /** Seconds of the cross-fade from what plays now. Default: the crowd's `defaultMix`. */
  mix?: number | undefined;
  /** Whether the clip starts over at its end. Default: the clip's own flag. */
  loop?: boolean | undefined;
  /** Clip seconds a second, >= 0; applies to the outgoing clip of a fade too. Default: as it is. */
  speed?: number | undefined;
  /** Clip time to start at, in seconds, >= 0. Default 0. */
  time?: number | undefined;
}

export interface Queue3DOptions extends Play3DOptions {
  /**
   * Clip seconds after which it starts (of a clip that does not loop, its duration at most). 0 or less (default 0): at the end of the
   * clip before it (of the loop it is in), less the cross-fade, plus the delay.
   */
  delay?: number | undefined;
}

export interface Spawn3DOptions extends Omit<Play3DOptions, "mix"> {
  /** Clip to play; without one the character keeps its bind pose. */
  clip?: AnimClip | undefined;
  /** Placement in the world. Default: the origin. */
  x?: number | undefined;
  y?: number | undefined;
  z?: number | undefined;
  /** Unit quaternion x, y, z, w. Default: none. */
  rotation?: readonly [x: number, y: number, z: number, w: number] | undefined;
  /** Uniform scale. Default 1. */
  scale?: number | undefined;
  /** Level of detail, 0 (full) .. 255. Default 0. */
  lod?: number | undefined;
  /** Light of the character for renderers, components 0 .. 1. Default white. */
  tint?: readonly [r: number, g: number, b: number, a?: number] | undefined;
}

/**
 * What a crowd tells of its characters, after the update in which it happened; in order of rows, then of time. Everything is told, also
 * when a call throws: the first error is thrown in the end. Calls may spawn, despawn and play; `update` has to wait until they are over.
 */
export interface Crowd3DListener {
  /** An event of the clip that plays (that fades in, during a cross-fade) was passed. */
  event?(id: number, name: string, payload: string, clip: AnimClip): void;
  /** The clip reached its end, or a loop of it did: at most once an update. */
  complete?(id: number, clip: AnimClip): void;
}
