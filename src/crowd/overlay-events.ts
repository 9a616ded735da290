import { EVENT_COMPLETE, InstanceField, InstanceFlag } from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";
import type { EventRing } from "./event-ring.js";
import type { Instances } from "./instances.js";

/**
 * Events and completions of overlays, which are few: collected behind those of the clips by the rules of a second track of an animation
 * state. An overlay that leaves tells nothing.
 */
export class OverlayEvents {
  readonly #instances: Instances;
  readonly #clips: ClipTable;
  readonly #events: EventRing;
  /** Id slots of the characters that mix; the same before and after the clocks advance. */
  readonly #mixing: readonly number[];
  /** Track times before, by place in the list. */
  #before = new Float64Array(16);

  constructor(instances: Instances, clips: ClipTable, events: EventRing, mixing: readonly number[]) {
    this.#instances = instances;
    this.#clips = clips;
    this.#events = events;
    this.#mixing = mixing;
  }

  /** Remembers the clocks; comes before they advance. */
  remember(): void {
    const { length } = this.#mixing;
    if (length > this.#before.length) this.#before = new Float64Array(length * 2);
    for (let i = 0; i < length; i++) this.#before[i] = heap.f64[(this.#recordOf(i) + InstanceField.OVERLAY_TIME) >> 3]!;
  }

  /** Collects what was passed since. */
  collect(crowd: number): void {
    for (let i = 0; i < this.#mixing.length; i++) {
      const at = this.#recordOf(i);
      const clip = heap.i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
      if (clip < 0 || this.#instances.hasFlag(at, InstanceFlag.OVERLAY_OUT)) continue;
      const isNew = this.#instances.hasFlag(at, InstanceFlag.OVERLAY_UNPASSED);
      this.#instances.setFlag(at, InstanceFlag.OVERLAY_UNPASSED, false);
      this.#collectOne(crowd, at, clip, isNew ? -1 : this.#before[i]!);
    }
  }

  /** @param before - track time, -1 if nothing has passed */
  #collectOne(crowd: number, at: number, clip: number, before: number): void {
    const { duration } = this.#clips.animations[clip]!;
    const loops = this.#instances.hasFlag(at, InstanceFlag.OVERLAY_LOOP);
    const after = heap.f64[(at + InstanceField.OVERLAY_TIME) >> 3]!;
    const id = heap.f64[(at + InstanceField.ID) >> 3]!;
    const from = before < 0 ? -1 : animationTime(before, duration, loops);
    const to = animationTime(after, duration, loops);
    const turns = Math.floor(after / duration);
    const completes = loops ? duration === 0 || (turns > 0 && turns > Math.floor(before / duration)) : to >= duration && from < duration;
    this.#pass(crowd, id, clip, from, from <= to ? to : Infinity);
    if (completes) this.#events.add(crowd, id, clip, EVENT_COMPLETE);
    if (from > to) this.#pass(crowd, id, clip, -Infinity, to);
  }

  /** Keys with from < time <= to. */
  #pass(crowd: number, id: number, clip: number, from: number, to: number): void {
    const keys = this.#clips.events[clip]!;
    for (let key = 0; key < keys.length; key++) {
      const { time } = keys[key]!;
      if (time > from && time <= to) this.#events.add(crowd, id, clip, key);
    }
  }

  #recordOf(place: number): number {
    return this.#instances.at(this.#instances.ids.rowOfSlot(this.#mixing[place]!));
  }
}

/** Animation time of a track time: clamped or wrapped into the clip. */
export function animationTime(time: number, duration: number, loops: boolean): number {
  if (!loops) return Math.min(time, duration);
  return duration === 0 ? 0 : time % duration;
}
