/** Playback of animations. */
export { AnimationState, type AnimationStateOptions } from "./animation-state.js";
export { AnimationStateData } from "./animation-state-data.js";
export { AnimationStateAdapter, type AnimationStateListener } from "./animation-state-listener.js";
export { TrackEntry } from "./track-entry.js";
