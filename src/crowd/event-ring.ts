import { CrowdField, EVENT_BYTES, EVENT_COMPLETE, EventField } from "../../assembly/layout/crowd.js";
import type { Animation } from "../spine/animation.js";
import type { Event } from "../spine/model/event.js";
import { heap } from "../wasm/heap.js";
import { rig2d } from "../wasm/rig2d.js";
import type { ClipTable } from "./clip-table.js";
import type { Instances } from "./instances.js";

const FIRST_CAPACITY = 1024;

/**
 * What a crowd tells of its characters, after the update in which it happened: of clips in order of rows, then of time, then of
 * overlays. Clips that fade out tell nothing. Everything is told, also when a call throws: the first error is thrown in the end.
 * Calls may spawn, despawn and play; `update` has to wait until they are over.
 */
export interface CrowdListener {
  /** An event key was passed: once a round, and in a step over several rounds as an AnimationState has it, once at most. */
  event?(id: number, event: Event, animation: Animation): void;
  /** The clip reached its end, or a loop of it did: at most once an update. */
  complete?(id: number, animation: Animation): void;
}

/**
 * Events on their way from the clocks to a listener. Every event is delivered once: the clocks advance as many characters
 * as the free room is sure to hold, and the room grows when it is not enough.
 */
export class EventRing {
  #ptr = 0;
  #capacity = 0;
  #isTelling = false;
  readonly #clips: ClipTable;

  constructor(clips: ClipTable) {
    this.#clips = clips;
  }

  /** Advances the clocks of all characters and collects what fires. */
  advance(crowd: number, instances: Instances, dt: number): void {
    // A step over a loop point can pass every key twice.
    const worst = this.#clips.maximumEvents * 2 + 1;
    const { count } = instances;
    heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2] = 0;
    for (let first = 0; first < count;) {
      const used = heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2]!;
      let room = this.#capacity - used;
      if (room < worst) {
        this.#grow(used + worst, crowd);
        room = this.#capacity - used;
      }
      const last = Math.min(count, first + Math.floor(room / worst));
      rig2d.kernels.advanceCrowd(crowd, first, last, dt);
      first = last;
    }
  }

  /** Whether a listener is being told. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** Collects one more. @param key - place among the clip's events, or EVENT_COMPLETE */
  add(crowd: number, id: number, clip: number, key: number): void {
    const used = heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2]!;
    if (used >= this.#capacity) this.#grow(used + 1, crowd);
    const at = (this.#ptr + used * EVENT_BYTES) >> 2;
    heap.u32[at + (EventField.CLIP >> 2)] = clip;
    heap.i32[at + (EventField.KEY >> 2)] = key;
    heap.f64[(at >> 1) + (EventField.ID >> 3)] = id;
    heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2] = used + 1;
  }

  /** Forgets what was collected. */
  discard(crowd: number): void {
    heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2] = 0;
  }

  /** Tells a listener everything that was collected. Characters that a call removes are left out. */
  deliver(crowd: number, instances: Instances, listener: CrowdListener): void {
    let failure: unknown;
    let hasFailed = false;
    this.#isTelling = true;
    // A call may dispose the crowd or restore another state of it.
    for (let i = 0; this.#ptr !== 0 && i < heap.i32[(crowd + CrowdField.EVENT_COUNT) >> 2]!; i++) {
      try {
        this.#tell(i, instances, listener);
      } catch (error) {
        if (!hasFailed) failure = error;
        hasFailed = true;
      }
    }
    this.#isTelling = false;
    if (hasFailed) throw failure;
  }

  #tell(i: number, instances: Instances, listener: CrowdListener): void {
    const at = (this.#ptr + i * EVENT_BYTES) >> 2;
    const id = heap.f64[(at >> 1) + 1]!;
    const clip = heap.u32[at + (EventField.CLIP >> 2)]!;
    const key = heap.i32[at + (EventField.KEY >> 2)]!;
    if (!instances.ids.has(id)) return;
    const animation = this.#clips.animations[clip]!;
    if (key === EVENT_COMPLETE) listener.complete?.(id, animation);
    else listener.event?.(id, this.#clips.events[clip]![key]!, animation);
  }

  dispose(): void {
    if (this.#ptr !== 0) heap.free(this.#ptr);
    this.#ptr = 0;
  }

  #grow(needed: number, crowd: number): void {
    const capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2, needed);
    this.#ptr = this.#ptr === 0 ? heap.alloc(capacity * EVENT_BYTES) : heap.realloc(this.#ptr, capacity * EVENT_BYTES);
    this.#capacity = capacity;
    heap.u32[(crowd + CrowdField.EVENTS) >> 2] = this.#ptr;
    heap.u32[(crowd + CrowdField.EVENT_CAPACITY) >> 2] = capacity;
  }
}
