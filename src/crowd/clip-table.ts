import { ANIMATION_BYTES, AnimationField } from "../../assembly/layout/animation.js";
import {
  CLIP_BYTES,
  ClipField,
  FADE_PLAN_BYTES,
  FadePlanField,
  PlanBit,
  RESET_BYTES,
  ResetField,
} from "../../assembly/layout/crowd.js";
import { CHANNEL_BYTES, ChannelField, MixMode } from "../../assembly/layout/rig2d.js";
import { ArgumentError, NameError } from "../errors.js";
import { Animation } from "../spine/animation.js";
import { compiledFor } from "../spine/compile/cache.js";
import type { CompiledAnimation } from "../spine/compile/compiled-animation.js";
import { PhysicsConstraintData } from "../spine/constraints/physics-constraint-data.js";
import { SliderData } from "../spine/constraints/slider-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Event } from "../spine/model/event.js";
import { EventTimeline } from "../spine/timelines/event-timeline.js";
import { PhysicsConstraintResetTimeline } from "../spine/timelines/physics-timelines.js";
import { TimelineKind } from "../spine/timelines/property.js";
import { Timeline } from "../spine/timelines/timeline.js";
import { heap } from "../wasm/heap.js";
import { ShapeTable } from "./shape-table.js";

/**
 * The animations of a rig as clips of a crowd: one record each, and plans for fades between two of them, made when a
 * pair first meets.
 */
export class ClipTable {
  /** Those of the data, which can be played, then those that only sliders know, then an empty one. */
  readonly animations: readonly Animation[];
  readonly compiled: CompiledAnimation[] = [];
  /** Events of each clip in the order of its event times. */
  readonly events: Event[][] = [];
  /** Deform keys. */
  readonly shapes: ShapeTable;
  /** Address of the clip records. */
  readonly ptr: number;
  /** Address of the table of fade plans. */
  readonly plansPtr: number;
  /** Most event keys of any clip. */
  readonly maximumEvents: number;
  /** Most rotations of any clip. */
  readonly maximumRotations: number;
  readonly #data: SkeletonData;
  readonly #indices = new Map<string, number>();
  readonly #blocks: number[];

  /**
   * @param isDrawn - whether somebody wants to know what characters show
   * @param blocks - every block that the table takes is added; the crowd frees them
   */
  constructor(data: SkeletonData, isDrawn: boolean, blocks: number[]) {
    this.#data = data;
    this.animations = animationsOf(data);
    this.#blocks = blocks;
    const count = this.animations.length;
    this.ptr = heap.alloc(Math.max(1, count) * CLIP_BYTES);
    this.plansPtr = heap.alloc(Math.max(1, count * count) * 4);
    blocks.push(this.ptr, this.plansPtr);
    let maximumEvents = 0;
    let maximumRotations = 0;
    this.animations.forEach((animation, index) => {
      if (index < data.animations.length) this.#indices.set(animation.name, index);
      const compiled = compiledFor(animation, animation.timelines, data, Timeline.prototype.apply);
      if (compiled.segments.length > 1) {
        throw new ArgumentError(
          `Animation "${animation.name}" has a timeline of a class of your own, which a crowd cannot sample. Play it on a Skeleton.`,
        );
      }
      compiled.isHeld = true;
      this.compiled.push(compiled);
      const events = eventsOf(animation);
      this.events.push(events);
      maximumEvents = Math.max(maximumEvents, events.length);
      maximumRotations = Math.max(maximumRotations, compiled.rotateCount);
      this.#write(index, animation, compiled, events);
    });
    this.shapes = new ShapeTable(data, this.compiled, this.ptr, isDrawn, blocks);
    this.maximumEvents = maximumEvents;
    this.maximumRotations = maximumRotations;
  }

  get count(): number {
    return this.animations.length;
  }

  /** Index of a clip that keys nothing: what fades to the setup pose fades to it, and an overlay without a clip lies on it. */
  get empty(): number {
    return this.animations.length - 1;
  }

  has(name: string): boolean {
    return this.#indices.has(name);
  }

  /** Whether a clip resets physics. */
  hasResets(index: number): boolean {
    return heap.u32[(this.ptr + index * CLIP_BYTES + ClipField.RESET_COUNT) >> 2] !== 0;
  }

  /** Whether clips change attachments or vertices of slots that path constraints follow. Known once the slot tracks are written. */
  get hasPaths(): boolean {
    return this.animations.some((_, i) => {
      const at = (this.ptr + i * CLIP_BYTES) >> 2;
      return heap.u32[at + (ClipField.PATH_TRACKS >> 2)] !== 0 || heap.u32[at + (ClipField.DEFORM_COUNT >> 2)] !== 0;
    });
  }

  /** @throws NameError if there is no such animation */
  index(name: string): number {
    const index = this.#indices.get(name);
    if (index !== undefined) return index;
    const names = this.#data.animations.map((animation) => `"${animation.name}"`).join(", ");
    throw new NameError(`There is no animation "${name}". The animations are: ${names === "" ? "none" : names}.`, { found: name });
  }

  /** Makes sure that the plans of a fade or an overlay from one clip to another exist. */
  plan(from: number, to: number): void {
    const entry = (this.plansPtr >> 2) + from * this.count + to;
    if (heap.u32[entry] !== 0) return;
    const a = this.compiled[from]!;
    const b = this.compiled[to]!;
    const bytesA = (a.channelCount + 15) & ~15;
    const bytesB = (b.channelCount + 15) & ~15;
    const deformsA = this.shapes.timelines[from]!;
    const deformsB = this.shapes.timelines[to]!;
    const deformBytesA = (deformsA.length + 15) & ~15;
    const deformBytesB = (deformsB.length + 15) & ~15;
    const plan = heap.alloc(FADE_PLAN_BYTES + bytesA + bytesB * 2 + deformBytesA + deformBytesB * 2);
    this.#blocks.push(plan);
    const fromPtr = plan + FADE_PLAN_BYTES;
    const toPtr = fromPtr + bytesA;
    const overPtr = toPtr + bytesB;
    const fromDeforms = overPtr + bytesB;
    const toDeforms = fromDeforms + deformBytesA;
    const overDeforms = toDeforms + deformBytesB;
    const { u8, u32 } = heap;
    u32[(plan + FadePlanField.FROM) >> 2] = fromPtr;
    u32[(plan + FadePlanField.TO) >> 2] = toPtr;
    u32[(plan + FadePlanField.OVER) >> 2] = overPtr;
    u32[(plan + FadePlanField.FROM_DEFORMS) >> 2] = fromDeforms;
    u32[(plan + FadePlanField.TO_DEFORMS) >> 2] = toDeforms;
    u32[(plan + FadePlanField.OVER_DEFORMS) >> 2] = overDeforms;
    const idsA = propertyIds(this.animations[from]!);
    const idsB = propertyIds(this.animations[to]!);
    // A value that the new clip will write stays at full weight underneath, so that nothing dips towards setup.
    const leaving = (timeline: Timeline): number =>
      MixMode.SETUP | (!timeline.instant && timeline.propertyIds.some((id) => idsB.has(id)) ? PlanBit.HOLD : 0);
    const isOwned = (timeline: Timeline): boolean => timeline.propertyIds.some((id) => idsA.has(id));
    for (let i = 0; i < a.channelCount; i++) u8[fromPtr + i] = leaving(this.animations[from]!.timelines[a.timelineOfChannel[i]!]!);
    deformsA.forEach((timeline, i) => (u8[fromDeforms + i] = leaving(timeline)));
    const coming = (timeline: Timeline, toAt: number, overAt: number): void => {
      u8[toAt] = isOwned(timeline) ? MixMode.FIRST : MixMode.SETUP;
      u8[overAt] = isOwned(timeline) ? MixMode.CURRENT : MixMode.SETUP;
    };
    for (let i = 0; i < b.channelCount; i++) {
      coming(this.animations[to]!.timelines[b.timelineOfChannel[i]!]!, toPtr + i, overPtr + i);
    }
    deformsB.forEach((timeline, i) => coming(timeline, toDeforms + i, overDeforms + i));
    u32[entry] = plan;
  }

  #write(index: number, animation: Animation, compiled: CompiledAnimation, events: readonly Event[]): void {
    const clip = this.ptr + index * CLIP_BYTES;
    let header = compiled.segments[0]?.header ?? 0;
    if (header === 0) {
      // An animation without channels: a header whose groups are all empty.
      header = heap.alloc(ANIMATION_BYTES);
      this.#blocks.push(header);
      for (let field = AnimationField.CHANNELS; field <= AnimationField.IK_FLAG_END; field += 4) heap.u32[(header + field) >> 2] = header;
    }
    const times = heap.alloc(Math.max(1, events.length) * 8);
    this.#blocks.push(times);
    const { f32, f64, u32 } = heap;
    f64[(clip + ClipField.DURATION) >> 3] = animation.duration;
    u32[(clip + ClipField.ANIMATION) >> 2] = header;
    u32[(clip + ClipField.EVENT_TIMES) >> 2] = times;
    u32[(clip + ClipField.EVENT_COUNT) >> 2] = events.length;
    events.forEach((event, i) => {
      f64[(times >> 3) + i] = event.time;
    });
    u32[(clip + ClipField.ROTATE_COUNT) >> 2] = compiled.rotateCount;
    this.#writeResets(clip, animation);
    let latest = -Infinity;
    for (let i = 0; i < compiled.channelCount; i++) {
      latest = Math.max(latest, f32[(compiled.channels + i * CHANNEL_BYTES + ChannelField.FIRST_TIME) >> 2]!);
    }
    f32[(clip + ClipField.LATEST_FIRST) >> 2] = latest;
  }

  #writeResets(clip: number, animation: Animation): void {
    const resets = animation.timelines.filter(
      (timeline): timeline is PhysicsConstraintResetTimeline => timeline instanceof PhysicsConstraintResetTimeline && timeline._frames.length > 0,
    );
    const ptr = heap.alloc(Math.max(1, resets.length) * RESET_BYTES);
    this.#blocks.push(ptr);
    resets.forEach((timeline, i) => {
      const times = heap.alloc(timeline._frames.length * 4);
      this.#blocks.push(times);
      heap.f32.set(timeline._frames, times >> 2);
      const at = (ptr + i * RESET_BYTES) >> 2;
      heap.i32[at + (ResetField.CONSTRAINT >> 2)] = timeline.constraintIndex < 0 ? -1 : this.#physicsNumber(timeline.constraintIndex);
      heap.u32[at + (ResetField.TIMES >> 2)] = times;
      heap.u32[at + (ResetField.COUNT >> 2)] = timeline._frames.length;
    });
    heap.u32[(clip + ClipField.RESETS) >> 2] = ptr;
    heap.u32[(clip + ClipField.RESET_COUNT) >> 2] = resets.length;
  }

  /** Number of a constraint among the physics constraints of the rig. */
  #physicsNumber(constraintIndex: number): number {
    return this.#data.constraints.slice(0, constraintIndex).filter((constraint) => constraint instanceof PhysicsConstraintData).length;
  }
}

/** Clips that key nothing, compiled once for all crowds of a rig. */
const empties = /* @__PURE__ */ new WeakMap<SkeletonData, Animation>();

function animationsOf(data: SkeletonData): readonly Animation[] {
  const all = new Set(data.animations);
  for (const constraint of data.constraints) if (constraint instanceof SliderData && constraint.animation != null) all.add(constraint.animation);
  let empty = empties.get(data);
  if (empty === undefined) empties.set(data, (empty = new Animation("<empty>")));
  return [...all, empty];
}

function propertyIds(animation: Animation): Set<unknown> {
  const ids = new Set<unknown>();
  for (const timeline of animation.timelines) for (const id of timeline.propertyIds) ids.add(id);
  return ids;
}

/** Event keys of an animation in the order in which they fire. */
function eventsOf(animation: Animation): Event[] {
  const events: Event[] = [];
  for (const timeline of animation.timelines) {
    if (timeline instanceof EventTimeline && timeline._kind === TimelineKind.EVENT) events.push(...timeline.events);
  }
  return events.toSorted((a, b) => a.time - b.time);
}
