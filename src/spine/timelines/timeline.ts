import type { ChannelSink } from "../compile/channel-sink.js";
import { applyTimeline } from "../compile/apply-timeline.js";
import type { MixFrom } from "../enums.js";
import type { Event } from "../model/event.js";
import { ArgumentError, RangeMismatchError, StateError } from "../../errors.js";
import { edits, isSame } from "../edits.js";
import type { Skeleton } from "../model/skeleton.js";
import { TimelineKind } from "./property.js";

/** Identifies what a timeline changes; only equality matters. Ours are strings `type|target`. */
export type PropertyId = string | number | bigint;

/**
 * The base class for all timelines.
 *
 * Times are in seconds, stored as 32-bit floats; a query time is compared with them in 64 bits. A subclass from outside
 * the library overrides `apply` (and `getFrameEntries` if it stores more than the time) and then works everywhere,
 * applied in its place among the compiled timelines.
 */
export abstract class Timeline {
  /** Encodes the type of this timeline and the skeleton properties that it affects. */
  readonly propertyIds: PropertyId[];
  /** @internal `frames` for the library itself, which does not edit them unannounced. */
  _frames: Float32Array;
  /** @internal What `frames` held when edits were last looked for, null while no program has taken them. */
  _known: Float32Array | null = null;
  /** True if this timeline supports additive blending. Looked at by AnimationState when it decides what to hold. */
  additive = false;
  /** True if this timeline sets values at once and never interpolates between frames. */
  instant = false;
  /** @internal Counts edits, so that a compiled form is known to be stale. */
  _revision = 0;

  /**
   * @param frameCount - whole number >= 0
   * @param propertyIds - one per property that the timeline modifies
   * @throws ArgumentError if `frameCount` is not a count
   */
  constructor(frameCount: number, ...propertyIds: PropertyId[]) {
    this.propertyIds = propertyIds;
    // A loader hands over the frames that it has read.
    if ((frameCount as unknown) instanceof Float32Array) {
      this._frames = frameCount as unknown as Float32Array;
      return;
    }
    if (!(Number.isInteger(frameCount) && frameCount >= 0)) {
      throw new ArgumentError(`frameCount is ${String(frameCount)}, expected a whole number >= 0.`, { found: frameCount });
    }
    this._frames = new Float32Array(frameCount * this.getFrameEntries());
  }

  /** Per frame the time in seconds, then the other values of the frame. May be edited. */
  get frames(): Float32Array {
    if (this._known === null) {
      this._detach();
      this._known = this._frames.slice();
      edits.timelines++;
    }
    return this._frames;
  }
  set frames(values: ArrayLike<number>) {
    if (this._frames.length > 0) this._edit(0);
    this._frames = values instanceof Float32Array ? values : Float32Array.from(values);
    // Whoever gave the array may edit it.
    this._known = this._frames.slice();
    edits.timelines++;
  }

  /** Number of values stored per frame, the time included. */
  getFrameEntries(): number {
    return 1;
  }

  /** Number of frames. */
  getFrameCount(): number {
    return this._frames.length / this.getFrameEntries();
  }

  /** Time of the last frame in seconds, 0 without frames. */
  getDuration(): number {
    return this._frames.length === 0 ? 0 : this._frames[this._frames.length - this.getFrameEntries()]!;
  }

  getPropertyIds(): PropertyId[] {
    return this.propertyIds;
  }

  get frameEntries(): number {
    return this.getFrameEntries();
  }

  get frameCount(): number {
    return this.getFrameCount();
  }

  get duration(): number {
    return this.getDuration();
  }

  /**
   * Applies this timeline to the skeleton.
   *
   * @param skeleton - the skeleton to pose
   * @param lastTime - the time of the previous application; keys that trigger fire in (lastTime, time]. -1 the first time
   * @param time - seconds; never wrapped here
   * @param events - fired events are appended; null to ignore them
   * @param alpha - 0 gives setup or current values, 1 the timeline's, values between them mix. Instant timelines ignore it
   * @param from - what alpha mixes from: the setup pose (`true`) or the current pose (`false`), or a MixFrom value
   * @param add - add to the base value instead of replacing it, for timelines that support it
   * @param out - the animation is mixing out
   * @param appliedPose - change `appliedPose` instead of `pose`
   */
  apply(
    skeleton: Skeleton,
    lastTime: number,
    time: number,
    events: Event[] | null,
    alpha: number,
    from: MixFrom | boolean,
    add: boolean,
    out: boolean,
    appliedPose: boolean,
  ): void {
    if (this._kind === TimelineKind.CUSTOM) {
      throw new StateError(`${this.constructor.name} does not override Timeline.apply. A timeline class of your own must.`);
    }
    applyTimeline(this, skeleton, lastTime, time, events, alpha, Number(from), add, out, appliedPose);
  }

  /** @internal */
  get _kind(): TimelineKind {
    return TimelineKind.CUSTOM;
  }

  /** Describes the numeric channels of this timeline. @internal */
  _channels(_sink: ChannelSink): void {}

  /** Checks a frame number and notes the edit. @internal */
  _edit(frame: number): void {
    const last = this.getFrameCount() - 1;
    if (!(Number.isInteger(frame) && frame >= 0 && frame <= last)) throw new RangeMismatchError("frame", frame, 0, last);
    this._revision++;
    edits.timelines++;
  }

  /** Keeps what else is made of `frames` from following edits in place. @internal */
  _detach(): void {}

  /** Notes what a program wrote to `frames`. @internal */
  _noticeEdits(): void {
    const known = this._known;
    if (known === null || isSame(this._frames, known)) return;
    known.set(this._frames);
    this._edit(0);
  }

  /**
   * Start index of the last frame whose time is <= `time`; of several frames at one time the last.
   * Requires time >= the first frame's time.
   * @param step - number of values per frame
   */
  static search(frames: ArrayLike<number>, time: number, step = 1): number {
    let low = 0;
    let high = Math.floor(frames.length / step) - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (frames[middle * step]! <= time) low = middle;
      else high = middle - 1;
    }
    return low * step;
  }
}
