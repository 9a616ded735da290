import { ROTATION_MEMORY_BYTES, WORD_MODE_MASK, WORD_WEIGHT_SHIFT } from "../../../assembly/layout/animation.js";
import { ArgumentError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import type { Animation } from "../animation.js";
import type { CompiledAnimation } from "../compile/compiled-animation.js";
import { Interpolation } from "../utils/interpolation.js";
import type { AnimationStateListener } from "./animation-state-listener.js";
import { EMPTY_NAME } from "./empty-animation.js";

/** In `timelineMode`: the timeline keeps its value while the entry is mixed out. The base mode is in the low two bits. */
export const HOLD = 4;

/** Indices of the weights of an entry. Further ones belong to fading entries. */
export const WEIGHT_MIX = 0;
export const WEIGHT_HOLD = 1;

/** Linear memory of entries, freed with their state. @internal */
export interface EntryMemory {
  readonly blocks: number[];
}

/**
 * Settings and state for the playback of an animation on an AnimationState track.
 *
 * Entries are used again: keep no reference after the `dispose` notification. Times are in seconds.
 */
export class TrackEntry {
  /** The animation to apply for this entry; null after dispose. */
  animation: Animation | null = null;
  /** The entry queued before this one, or null. */
  previous: TrackEntry | null = null;
  /** The entry queued to start after this one, or null. */
  next: TrackEntry | null = null;
  /** The entry that is being mixed out while this one is mixed in, or null. */
  mixingFrom: TrackEntry | null = null;
  /** The entry that this one is being mixed out for, or null. */
  mixingTo: TrackEntry | null = null;
  /** The listener for this entry only, or null. */
  listener: AnimationStateListener | null = null;
  /** The track where this entry is current or queued. */
  trackIndex = 0;
  /** True to repeat the animation. */
  loop = false;
  /** True to add to the pose instead of replacing it, for timelines that support it. */
  additive = false;
  /** True to apply the animation backwards. */
  reverse = false;
  /** True to mix rotations without remembering their direction. */
  shortestRotation = false;
  /** @internal */
  keepHold = false;
  /** While mixed out, events are fired as long as the mix is below this. 0: not at all. */
  eventThreshold = 0;
  /** While mixed out, attachments are applied as long as the mix is below this. */
  mixAttachmentThreshold = 0;
  /** Attachments are applied where the computed alpha is at least this. 0: always. */
  alphaAttachmentThreshold = 0;
  /** While mixed out, draw orders are applied as long as the mix is below this. */
  mixDrawOrderThreshold = 0;
  /** Animation time at which the animation starts, and to which it loops back. */
  animationStart = 0;
  /** Animation time at which it loops back or stays. */
  animationEnd = 0;
  /** Animation time of the apply before the latest one; what `animationLast` reads. @internal */
  _animationLast = -1;
  /** Animation time of the latest apply. */
  nextAnimationLast = -1;
  /** Seconds before the entry starts; see `AnimationState.addAnimation`. */
  delay = 0;
  /** Time that this entry has been current. */
  trackTime = 0;
  /** Track time of the apply before the latest one. */
  trackLast = -1;
  /** Track time of the latest apply, -1 if never applied. */
  nextTrackLast = -1;
  /** Track time at which the entry is removed. */
  trackEnd = Number.MAX_VALUE;
  /** Factor on the passing of time for this entry. Not below 0. */
  timeScale = 1;
  /** Weight of the animation against setup pose or lower tracks. */
  alpha = 1;
  /** Time since the mix to this entry began. */
  mixTime = 0;
  /** Duration of the mix to this entry. */
  mixDuration = 0;
  /** Sum of the weights in the latest apply while mixed out. @internal */
  totalAlpha = 0;
  /** Curve of the mix to this entry. */
  mixInterpolation: Interpolation = Interpolation.linear;
  /** Per timeline: base mode, and HOLD. @internal */
  timelineMode: number[] = [];
  /** Per timeline: the entry whose mix fades a held value out, or null. @internal */
  timelineHoldMix: (TrackEntry | null)[] = [];

  /** The distinct fading entries; the k-th has weight 2 + k. @internal */
  readonly _fading: TrackEntry[] = [];
  /** Number of timelines per weight. @internal */
  readonly _timelinesPerWeight: number[] = [0, 0];
  /** Per timeline: index of its weight. @internal */
  readonly _weightOf: number[] = [];
  // Of the apply that runs. Fractions, so that the fields are doubles from the start.
  /** Animation time. @internal */
  _animationTimeNow = 0.5;
  /** Animation time to sample: from the end if reversed. @internal */
  _timeNow = 0.5;
  /** What `mix()` gives. @internal */
  _mixNow = 0.5;
  /** Weight of timelines that are not held. @internal */
  _alphaNow = 0.5;
  /** Weight of held timelines. @internal */
  _holdNow = 0.5;
  /** Whether animation time goes on behind animationEnd at the end of the animation. @internal */
  _continues = false;
  /** Address of the block with weight words and rotation memory, 0 before it is needed. @internal */
  _block = 0;
  #blockBytes = 0;
  /** What the weight words were written for. @internal */
  _wordsFor: CompiledAnimation | null = null;
  /** Whether timelines were classified since. @internal */
  _stale = true;
  /** Whether rotation directions are remembered. @internal */
  _remembers = false;

  /** Animation time when the animation was last applied; -1 lets keys at time 0 trigger. Survives the next update. */
  get animationLast(): number {
    return this._animationLast;
  }
  set animationLast(value: number) {
    this._animationLast = value;
    this.nextAnimationLast = value;
  }

  setAnimationLast(animationLast: number): void {
    this.animationLast = animationLast;
  }

  /** Animation time that belongs to the track time. */
  getAnimationTime(): number {
    this._noteAnimationTime();
    return this._animationTimeNow;
  }

  /** Computes `_animationTimeNow`. @internal */
  _noteAnimationTime(): void {
    const { animationStart, animationEnd, trackTime } = this;
    if (!this.loop) {
      const time = trackTime + animationStart;
      const continues = this._continues && animationEnd >= this.animation!.duration;
      this._animationTimeNow = continues || time < animationEnd ? time : animationEnd;
      return;
    }
    const span = animationEnd - animationStart;
    if (trackTime >= 0 && trackTime < span) {
      this._animationTimeNow = trackTime + animationStart;
      return;
    }
    if (span === 0) {
      this._animationTimeNow = animationStart;
      return;
    }
    // `trackTime % span`, the same bits, without the slow operation where the whole spans can be counted exactly: 24 bits times
    // 29 bits is exact, and so is then the difference, a multiple of the last place of either number.
    const loops = Math.floor(trackTime / span);
    const rest = trackTime - loops * span;
    const isExact = loops >= 0 && loops < 0x20000000 && Math.fround(span) === span && rest >= 0 && rest < span;
    this._animationTimeNow = (isExact ? rest : trackTime % span) + animationStart;
  }

  get animationTime(): number {
    return this.getAnimationTime();
  }

  /** Track time of the next loop completion; without loop of the end, or the current track time if that has passed. */
  getTrackComplete(): number {
    const span = this.animationEnd - this.animationStart;
    if (span !== 0) {
      if (this.loop) return span * (1 + ((this.trackTime / span) | 0));
      if (this.trackTime < span) return span;
    }
    return this.trackTime;
  }

  get trackComplete(): number {
    return this.getTrackComplete();
  }

  /** Whether at least one loop has been completed. */
  isComplete(): boolean {
    return this.trackTime >= this.animationEnd - this.animationStart;
  }

  /** Whether the entry has been applied at least once. */
  wasApplied(): boolean {
    return this.nextTrackLast !== -1;
  }

  /** Whether the next entry becomes current in the next update. */
  isNextReady(): boolean {
    return this.next !== null && this.nextTrackLast - this.next.delay >= 0;
  }

  /** Whether this is an empty animation, see `AnimationState.setEmptyAnimation`. */
  isEmptyAnimation(): boolean {
    return this.animation !== null && this.animation.name === EMPTY_NAME && this.animation.timelines.length === 0;
  }

  /** How far the mix to this entry has come, 0..1. */
  mix(): number {
    this._noteMix();
    return this._mixNow;
  }

  /** Computes `_mixNow`. @internal */
  _noteMix(): void {
    if (this.mixDuration === 0) {
      this._mixNow = 1;
      return;
    }
    const progress = this.mixTime / this.mixDuration;
    if (progress >= 1) this._mixNow = 1;
    else if (this.mixInterpolation === Interpolation.linear) this._mixNow = progress;
    else this._mixNow = Math.min(Math.max(this.mixInterpolation.apply(progress), 0), 1);
  }

  /**
   * Sets the mix duration and, if given, the delay.
   * @param delay - if > 0 the delay; else the mix ends that much before the previous entry completes
   */
  setMixDuration(mixDuration: number, delay?: number): void {
    if (Number.isNaN(mixDuration)) throw new ArgumentError("The mix duration is NaN, expected seconds from 0.", { found: mixDuration });
    this.mixDuration = mixDuration;
    if (delay === undefined) return;
    if (delay <= 0) delay = this.previous === null ? 0 : Math.max(delay + this.previous.getTrackComplete() - mixDuration, 0);
    this.delay = delay;
  }

  setMixInterpolation(mixInterpolation: Interpolation): void {
    if (mixInterpolation == null) throw new ArgumentError("The interpolation is missing. Give Interpolation.linear for none.");
    this.mixInterpolation = mixInterpolation;
  }

  /** Forgets remembered rotation directions, so that the next apply chooses the short ones anew. */
  resetRotationDirections(): void {
    this._remembers = false;
  }

  /** Remembered rotation directions: total and difference per rotation, empty if there are none. A copy. */
  get timelinesRotation(): number[] {
    const compiled = this._wordsFor;
    if (!this._remembers || compiled === null) return [];
    const at = this._memoryOf(compiled) >> 2;
    return Array.from(heap.f32.subarray(at, at + (compiled.rotateCount * ROTATION_MEMORY_BYTES) / 4));
  }

  /** Puts every field back to what a new entry has. @internal */
  reset(): void {
    this.animation = null;
    this.previous = this.next = this.mixingFrom = this.mixingTo = null;
    this.listener = null;
    this.timelineMode.length = 0;
    this.timelineHoldMix.length = 0;
    this._fading.length = 0;
    this._weightOf.length = 0;
    this._wordsFor = null;
    this._stale = true;
    this._remembers = false;
  }

  /** Makes a new or used entry ready for an animation. @internal */
  _begin(trackIndex: number, animation: Animation, loop: boolean, mixDuration: number): void {
    // A caller that kept the entry after its dispose may have written to it.
    this.reset();
    this.trackIndex = trackIndex;
    this.animation = animation;
    this.loop = loop;
    this.additive = this.reverse = this.shortestRotation = this.keepHold = false;
    this.eventThreshold = 0;
    this.alphaAttachmentThreshold = 0;
    this.mixAttachmentThreshold = 0;
    this.mixDrawOrderThreshold = 0;
    this.animationStart = 0;
    this.animationEnd = animation.duration;
    this._animationLast = -1;
    this.nextAnimationLast = -1;
    this.delay = 0;
    this.trackTime = 0;
    this.trackLast = -1;
    this.nextTrackLast = -1;
    this.trackEnd = Number.MAX_VALUE;
    this.timeScale = 1;
    this.alpha = 1;
    this.mixTime = 0;
    this.mixDuration = mixDuration;
    this.totalAlpha = 0;
    this.mixInterpolation = Interpolation.linear;
    this._timelinesPerWeight.length = 2;
    this._timelinesPerWeight[WEIGHT_MIX] = 0;
    this._timelinesPerWeight[WEIGHT_HOLD] = 0;
  }

  /** Computes the times of an apply. @internal */
  _beginApply(): void {
    this._noteAnimationTime();
    this._timeNow = this.reverse ? this.animation!.duration - this._animationTimeNow : this._animationTimeNow;
  }

  /** Notes the times of an apply that is done. @internal */
  _endApply(): void {
    this.nextAnimationLast = this._animationTimeNow;
    this.nextTrackLast = this.trackTime;
  }

  /** Address of the rotation memory. @internal */
  _memoryOf(compiled: CompiledAnimation): number {
    return this._block + wordBytes(compiled);
  }

  /** Writes the weight words after a new classification, or for another rig. @internal */
  _writeWords(compiled: CompiledAnimation, memory: EntryMemory): void {
    const before = this._wordsFor;
    const bytes = wordBytes(compiled) + compiled.rotateCount * ROTATION_MEMORY_BYTES;
    if (bytes > this.#blockBytes) {
      const moved = this._block === 0 ? heap.alloc(bytes) : heap.realloc(this._block, bytes);
      const { blocks } = memory;
      if (this._block === 0) blocks.push(moved);
      else blocks[blocks.indexOf(this._block)] = moved;
      this._block = moved;
      this.#blockBytes = bytes;
    }
    // Directions are remembered per timeline; another rig has other places for them.
    if (before !== null && before !== compiled && before.channelCount !== compiled.channelCount) this._remembers = false;
    this._wordsFor = compiled;
    this._stale = false;
    const { u16 } = heap;
    const { timelineOfChannel, timelineOfDeform } = compiled;
    let at = this._block >> 1;
    for (let i = 0; i < timelineOfChannel.length; i++) u16[at++] = this.#wordOf(timelineOfChannel[i]!);
    for (let i = 0; i < timelineOfDeform.length; i++) u16[at++] = this.#wordOf(timelineOfDeform[i]!);
  }

  #wordOf(timeline: number): number {
    return (this.timelineMode[timeline]! & WORD_MODE_MASK) | (this._weightOf[timeline]! << WORD_WEIGHT_SHIFT);
  }
}

function wordBytes({ channelCount, timelineOfDeform }: CompiledAnimation): number {
  return ((channelCount + timelineOfDeform.length) * 2 + 15) & ~15;
}
