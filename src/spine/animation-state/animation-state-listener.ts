import type { Event } from "../model/event.js";
import type { TrackEntry } from "./track-entry.js";

/**
 * Receives what happens to track entries. Every method is optional.
 *
 * Notifications are collected during `AnimationState.update` and `apply` and delivered when those methods are done, so it is
 * safe to call AnimationState methods from a listener.
 */
export interface AnimationStateListener {
  /** The entry has been set as the current entry. `end` follows when it will no longer be applied. */
  start?(entry: TrackEntry): void;
  /** Another entry has replaced this one as the current entry; it may still be applied while it is mixed out. */
  interrupt?(entry: TrackEntry): void;
  /** The entry will never be applied again. */
  end?(entry: TrackEntry): void;
  /** The entry is taken back and may be used anew: keep no reference to it. Comes also without `start`. */
  dispose?(entry: TrackEntry): void;
  /** The entry's animation has completed a loop; at most once per apply. */
  complete?(entry: TrackEntry): void;
  /** The entry's animation has fired an event. */
  event?(entry: TrackEntry, event: Event): void;
}

/** A listener that does nothing, to be extended. */
export abstract class AnimationStateAdapter implements AnimationStateListener {
  start(_entry: TrackEntry): void {}

  interrupt(_entry: TrackEntry): void {}

  end(_entry: TrackEntry): void {}

  dispose(_entry: TrackEntry): void {}

  complete(_entry: TrackEntry): void {}

  event(_entry: TrackEntry, _event: Event): void {}
}
