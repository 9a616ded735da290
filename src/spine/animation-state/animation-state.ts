import { ArgumentError, DisposedError, RangeMismatchError, StateError } from "../../errors.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import type { Animation } from "../animation.js";
import { context } from "../compile/apply-context.js";
import { commands } from "../compile/command-list.js";
import type { Event } from "../model/event.js";
import type { Skeleton } from "../model/skeleton.js";
import { Pool, StringSet } from "../utils/utils.js";
import type { PropertyId } from "../timelines/timeline.js";
import type { AnimationStateData } from "./animation-state-data.js";
import type { AnimationStateListener } from "./animation-state-listener.js";
import { advanceTrack, ageMixes } from "./advance.js";
import { type Applying, applyTrack } from "./apply-track.js";
import { AttachmentMarks } from "./attachment-marks.js";
import { classify } from "./classify.js";
import { emptyAnimation } from "./empty-animation.js";
import { EventQueue } from "./event-queue.js";
import { postEvents } from "./fire-events.js";
import { readSnapshot, takeSnapshot } from "./snapshot.js";
import { type EntryMemory, TrackEntry } from "./track-entry.js";

/** Larger track indices are taken for a mistake: every track below them would get a place. */
const LARGEST_TRACK = 65_535;

export interface AnimationStateOptions {
  /** The longest step in seconds that one `update` takes. Default: no limit. */
  maxDelta?: number;
  /** What happens to time beyond `maxDelta`: it is dropped (default), or carried over to the next updates. */
  overflow?: "drop" | "carry";
  /** False: entries played in reverse fire no events. Default true. */
  reverseEvents?: boolean;
  /**
   * True: without loop, and with an animationEnd not before the end of the animation, `animationTime` goes on behind
   * animationEnd. Default false: it stays there.
   */
  continueAnimationTime?: boolean;
}

/**
 * Applies animations over time, queues animations for later playback, mixes (crossfades) between animations, and applies
 * multiple animations on top of each other (layers).
 *
 * A state belongs to no skeleton: it can be applied to several. Call `dispose()` when it is no longer needed.
 */
export class AnimationState {
  /** The AnimationStateData to look up mix durations. */
  data: AnimationStateData;
  /** The tracks that have had animations; null where nothing plays. */
  readonly tracks: (TrackEntry | null)[] = [];
  /** Factor on the passing of time for all animations and mixes. */
  timeScale = 1;
  /** The longest step in seconds that one `update` takes. */
  maxDelta: number;
  overflow: "drop" | "carry";
  readonly reverseEvents: boolean;
  readonly continueAnimationTime: boolean;
  /** @internal */
  readonly listeners: AnimationStateListener[] = [];
  /** @internal */
  readonly queue: EventQueue;
  /** Whether timelines must be classified before the next apply. @internal */
  animationsChanged = false;
  /** Seconds carried over from updates that were too long. @internal */
  _carried = 0;
  /** Seconds of the update that runs; a field for the reason that ApplyContext gives. @internal */
  _delta = 0.5;
  /** Events that the entry being applied came across; empty between applies. */
  readonly events: Event[] = [];
  readonly #owners = new Map<PropertyId, number>();
  /** Scratch of classifications elsewhere; empty here. @internal */
  readonly propertyIds = new StringSet();
  /** Entries that were disposed, to be used again. */
  readonly trackEntryPool = new Pool<TrackEntry>(() => new TrackEntry());
  readonly #marks = new AttachmentMarks();
  readonly #memory: EntryMemory = { blocks: [] };
  readonly #applying: Applying;
  #isDisposed = false;

  /** @param data - may be set later, before animations are set by name or mixed */
  constructor(data?: AnimationStateData | null, options: AnimationStateOptions = {}) {
    this.data = data as AnimationStateData;
    this.maxDelta = options.maxDelta ?? Infinity;
    this.overflow = options.overflow ?? "drop";
    this.reverseEvents = options.reverseEvents ?? true;
    this.continueAnimationTime = options.continueAnimationTime ?? false;
    if (!(this.maxDelta > 0)) throw new ArgumentError(`maxDelta is ${this.maxDelta}, expected seconds above 0.`, { found: this.maxDelta });
    this.queue = new EventQueue(
      this.listeners,
      () => {
        this.animationsChanged = true;
      },
      (entry) => this.trackEntryPool.free(entry),
    );
    const { queue, reverseEvents } = this;
    this.#applying = { queue, reverseEvents, events: this.events, marks: this.#marks, memory: this.#memory };
    freeWhenCollected(this, this.#memory.blocks);
  }

  /** The animation without timelines that empty entries play. */
  static get emptyAnimation(): Animation {
    return emptyAnimation();
  }

  /**
   * Increments the track time of each entry and makes queued animations current when their time has come.
   * @param delta - seconds
   * @throws RangeMismatchError unless delta is finite; the first error of a listener, after all were notified
   */
  update(delta: number): void {
    if (!Number.isFinite(delta)) {
      throw new RangeMismatchError("delta", delta, -Number.MAX_VALUE, Number.MAX_VALUE, "Give the seconds since the last frame.");
    }
    this._delta = delta;
    if (delta > this.maxDelta || this._carried !== 0) this.#limit();
    this._delta *= this.timeScale;
    const { tracks } = this;
    for (let i = 0, n = tracks.length; i < n; i++) {
      const current = tracks[i]!;
      if (current !== null) advanceTrack(this, i, current);
    }
    this.queue.drain();
  }

  #limit(): void {
    const delta = this.overflow === "carry" ? this._delta + this._carried : this._delta;
    this._delta = Math.min(delta, this.maxDelta);
    this._carried = this.overflow === "carry" ? delta - this._delta : 0;
  }

  /**
   * Poses the skeleton using the entries' animations. Time does not move, so several skeletons can be posed alike; each apply
   * posts the events of the time since the last update again.
   * @returns true if any animation was applied
   * @throws the first error of a listener, after all were notified
   */
  apply(skeleton: Skeleton): boolean {
    if (skeleton == null) throw new ArgumentError("skeleton is missing. Give the Skeleton to pose.", { found: skeleton });
    skeleton._assertAlive();
    if (this.#isDisposed) throw new DisposedError("AnimationState");
    if (this.animationsChanged) {
      this._animationsChanged();
    }
    let isApplied = false;
    this.#marks.begin(skeleton);
    try {
      const { tracks } = this;
      for (let i = 0; i < tracks.length; i++) {
        const current = tracks[i]!;
        if (current === null || current.delay > 0) continue;
        isApplied = true;
        applyTrack(this.#applying, i, current, skeleton);
      }
      this.#marks.end(skeleton);
      commands.run(skeleton);
    } finally {
      commands.clear();
      context.events = null;
      while (this.events.length > 0) this.events.pop();
    }
    this.queue.drain();
    return isApplied;
  }

  /** Removes all animations from all tracks, leaving skeletons in their current pose. */
  clearTracks(): void {
    this.queue.suspended++;
    try {
      for (let i = 0; i < this.tracks.length; i++) this.clearTrack(i);
      this.tracks.length = 0;
    } finally {
      this.queue.suspended--;
    }
    this.queue.drain();
  }

  /** Removes all animations from a track, leaving skeletons in their current pose. A track that never was does nothing. */
  clearTrack(trackIndex: number): void {
    checkTrack(trackIndex);
    const current = this.tracks[trackIndex] ?? null;
    if (current === null) return;
    this.queue.end(current);
    this.clearNext(current);
    let entry = current;
    while (entry.mixingFrom !== null) {
      const from: TrackEntry = entry.mixingFrom;
      this.queue.end(from);
      entry.mixingFrom = null;
      entry.mixingTo = null;
      entry = from;
    }
    entry.mixingTo = null;
    this.tracks[trackIndex] = null;
    this.queue.drain();
  }

  /**
   * Makes an entry the current one of its track; what was current is mixed from.
   * @param interrupt - whether listeners are told that the one before was interrupted
   */
  setTrack(index: number, entry: TrackEntry, interrupt: boolean): void {
    const from = this.tracks[index]!;
    this.tracks[index] = entry;
    entry.previous = null;
    if (from !== null) {
      from.next = null;
      if (interrupt) this.queue.interrupt(from);
      entry.mixingFrom = from;
      from.mixingTo = entry;
      entry.mixTime = 0;
      from.resetRotationDirections();
    }
    this.queue.start(entry);
  }

  /**
   * Sets the current animation for a track, discarding any queued animations. If the current entry is for the same animation
   * and was never applied, it is replaced, else it is mixed from.
   * @param animation - itself or its name
   * @returns the entry, to be customised; keep it no longer than to its dispose notification
   * @throws NameError if there is no such animation
   */
  setAnimation(trackIndex: number, animation: Animation | string, loop = false): TrackEntry {
    checkTrack(trackIndex);
    const resolved = this.#resolve(animation);
    let current = this.expandToIndex(trackIndex);
    let interrupt = true;
    if (current !== null) {
      if (current.nextTrackLast === -1 && current.animation === resolved) {
        this.tracks[trackIndex] = current.mixingFrom;
        this.queue.interrupt(current);
        this.queue.end(current);
        this.clearNext(current);
        current = current.mixingFrom;
        interrupt = false;
      } else {
        this.clearNext(current);
      }
    }
    const entry = this.trackEntry(trackIndex, resolved, loop, current);
    this.setTrack(trackIndex, entry, interrupt);
    this.queue.drain();
    return entry;
  }

  /**
   * Queues an animation to be played after the last one of a track. On an empty track it is like `setAnimation`.
   * @param delay - if > 0 seconds from the start of the previous entry; else the mix ends that much before the previous
   *   entry completes (its next loop, if it loops)
   * @returns the entry, to be customised; keep it no longer than to its dispose notification
   */
  addAnimation(trackIndex: number, animation: Animation | string, loop = false, delay = 0): TrackEntry {
    checkTrack(trackIndex);
    if (Number.isNaN(delay)) throw new ArgumentError("delay is NaN, expected seconds.", { found: delay });
    const resolved = this.#resolve(animation);
    let last = this.expandToIndex(trackIndex);
    while (last !== null && last.next !== null) last = last.next;
    const entry = this.trackEntry(trackIndex, resolved, loop, last);
    if (last === null) {
      this.setTrack(trackIndex, entry, true);
      this.queue.drain();
      if (delay < 0) delay = 0;
    } else {
      last.next = entry;
      entry.previous = last;
      if (delay <= 0) delay = Math.max(delay + last.getTrackComplete() - entry.mixDuration, 0);
    }
    entry.delay = delay;
    return entry;
  }

  /**
   * Sets an empty animation for a track, discarding queued ones: what played before is mixed out to lower tracks or to the
   * setup pose.
   * @param mixDuration - seconds; 0 still needs one apply
   */
  setEmptyAnimation(trackIndex: number, mixDuration = 0): TrackEntry {
    const entry = this.setAnimation(trackIndex, emptyAnimation(), false);
    entry.mixDuration = mixDuration;
    entry.trackEnd = mixDuration;
    return entry;
  }

  /** Queues an empty animation. See `setEmptyAnimation` and `addAnimation`. */
  addEmptyAnimation(trackIndex: number, mixDuration = 0, delay = 0): TrackEntry {
    const entry = this.addAnimation(trackIndex, emptyAnimation(), false, delay);
    if (delay <= 0) entry.delay = Math.max(entry.delay + entry.mixDuration - mixDuration, 0);
    entry.mixDuration = mixDuration;
    entry.trackEnd = mixDuration;
    return entry;
  }

  /** Sets an empty animation for every track. */
  setEmptyAnimations(mixDuration = 0): void {
    this.queue.suspended++;
    try {
      for (let i = 0; i < this.tracks.length; i++) {
        const current = this.tracks[i]!;
        if (current !== null) this.setEmptyAnimation(current.trackIndex, mixDuration);
      }
    } finally {
      this.queue.suspended--;
    }
    this.queue.drain();
  }

  /** Removes the entries queued behind an entry. */
  clearNext(entry: TrackEntry): void {
    for (let next = entry.next; next !== null; next = next.next) this.queue.dispose(next);
    entry.next = null;
  }

  /** The entry that plays on a track, or null. */
  getCurrent(trackIndex: number): TrackEntry | null {
    checkTrack(trackIndex);
    return this.tracks[trackIndex] ?? null;
  }

  /** Same as `getCurrent`. */
  getTrack(trackIndex: number): TrackEntry | null {
    return this.getCurrent(trackIndex);
  }

  /** Adds a listener for all entries. */
  addListener(listener: AnimationStateListener): void {
    if (listener == null) throw new ArgumentError("The listener is missing.", { found: listener });
    this.listeners.push(listener);
  }

  /** Removes a listener. */
  removeListener(listener: AnimationStateListener): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }

  /** Removes all listeners added with `addListener`. */
  clearListeners(): void {
    this.listeners.length = 0;
  }

  /** Discards all notifications that have not been delivered. */
  clearListenerNotifications(): void {
    this.queue.clear();
  }

  /**
   * Tracks, entries, mixes and a skeleton's poses as bytes, so exact that restoring and going on gives the same bits.
   *
   * Not stored: listeners, `AnimationState.data`, objects that are not in the skeleton data (a skin made at run time is left as
   * it is).
   * @throws StateError inside a listener, or if an animation or attachment is not in the skeleton data
   */
  snapshot(skeleton: Skeleton): ArrayBuffer {
    this.#beforeSnapshot(skeleton);
    const { tracks, timeScale, animationsChanged, _carried: carried } = this;
    return takeSnapshot({ tracks, timeScale, animationsChanged, carried }, skeleton);
  }

  /**
   * Puts this state and a skeleton back to where a snapshot was taken, also one of another state with the same skeleton data. Nobody is
   * notified; entries that were there before are taken back, and restored entries have no listener.
   * @throws FormatError if the bytes are no snapshot of such a skeleton; then nothing has changed
   */
  restore(snapshot: ArrayBuffer, skeleton: Skeleton): void {
    this.#beforeSnapshot(skeleton);
    const parts = readSnapshot(snapshot, skeleton, this.#memory, () => this._obtain());
    for (const current of this.tracks) {
      for (let entry = current?.next ?? null; entry !== null;) entry = this.#takeBack(entry, "next");
      for (let entry = current; entry !== null;) entry = this.#takeBack(entry, "mixingFrom");
    }
    this.tracks.length = 0;
    this.tracks.push(...parts.tracks);
    this.timeScale = parts.timeScale;
    this.animationsChanged = parts.animationsChanged;
    this._carried = parts.carried;
  }

  #takeBack(entry: TrackEntry, link: "next" | "mixingFrom"): TrackEntry | null {
    const following = entry[link];
    this.trackEntryPool.free(entry);
    return following;
  }

  #beforeSnapshot(skeleton: Skeleton): void {
    if (skeleton == null) throw new ArgumentError("skeleton is missing. Give the Skeleton that the state is applied to.", { found: skeleton });
    skeleton._assertAlive();
    if (this.#isDisposed) throw new DisposedError("AnimationState");
    if (!this.queue.isEmpty) throw new StateError("Notifications are being delivered. Take and restore snapshots between frames, not in a listener.");
  }

  /** Frees the state's memory and forgets its tracks without notifying anybody. Safe to call twice. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    disposedByHand(this);
    const { blocks } = this.#memory;
    for (const block of blocks) heap.free(block);
    blocks.length = 0;
    this.queue.clear();
    this.tracks.length = 0;
    this.trackEntryPool.clear();
  }

  /** Grows by 2 with every apply. @internal */
  get unkeyedState(): number {
    return this.#marks.stamp;
  }

  /** Classifies timelines at once, which `apply` otherwise does after tracks have changed. @internal */
  _animationsChanged(): void {
    this.animationsChanged = false;
    classify(this.tracks, this.#owners);
  }

  /** Ages the entries mixed out below an entry. @returns whether all of their mixes are done @internal */
  updateMixingFrom(to: TrackEntry, delta: number): boolean {
    this._delta = delta;
    return ageMixes(this, to);
  }

  /** Posts the events in `events` for an entry at an animation time, and its completion. @internal */
  queueEvents(entry: TrackEntry, animationTime: number): void {
    entry._animationTimeNow = animationTime;
    postEvents(entry, this.events, this.queue);
  }

  /** Makes room for a track. @returns its current entry, or null */
  expandToIndex(trackIndex: number): TrackEntry | null {
    const { tracks } = this;
    while (tracks.length <= trackIndex) tracks.push(null);
    return tracks[trackIndex]!;
  }

  /**
   * A fresh entry, which is not on its track yet.
   * @param last - the entry that it follows, for the mix duration
   */
  trackEntry(trackIndex: number, animation: Animation, loop: boolean, last: TrackEntry | null): TrackEntry {
    const mixDuration = last === null ? 0 : this.#data().getMix(last.animation!, animation);
    const entry = this._obtain();
    entry._begin(trackIndex, animation, loop, mixDuration);
    return entry;
  }

  /** A used or new entry. @internal */
  _obtain(): TrackEntry {
    const entry = this.trackEntryPool.obtain();
    entry._continues = this.continueAnimationTime;
    return entry;
  }

  #resolve(animation: Animation | string): Animation {
    if (typeof animation === "string") return this.#data()._resolve(animation);
    if (animation == null) throw new ArgumentError("The animation is missing. Give an Animation or the name of one.", { found: animation });
    return animation;
  }

  #data(): AnimationStateData {
    if (this.#isDisposed) throw new DisposedError("AnimationState");
    if (this.data == null) {
      throw new StateError("The state has no data. Set AnimationState.data before animations are set by name or mixed.");
    }
    return this.data;
  }
}

function checkTrack(trackIndex: number): void {
  if (!(Number.isInteger(trackIndex) && trackIndex >= 0 && trackIndex <= LARGEST_TRACK)) {
    throw new RangeMismatchError("trackIndex", trackIndex, 0, LARGEST_TRACK);
  }
}
