import { Animation } from "../animation.js";

export const EMPTY_NAME = "<empty>";

let empty: Animation | undefined;

/** The animation without timelines that mixes others in and out; shared by all states. */
export function emptyAnimation(): Animation {
  return (empty ??= new Animation(EMPTY_NAME, [], 0));
}
