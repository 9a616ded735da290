import {
  FROZEN_CLIP,
  FROZEN_ROWS,
  InstanceField,
  InstanceFlag,
  NO_CLIP,
  ROTATION_MEMORY_BYTES,
  ROTATION_MEMORY_HEADER_BYTES,
} from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";
import { BlockPool } from "./block-pool.js";
import type { ClipTable } from "./clip-table.js";
import type { Frame } from "./frame.js";
import type { GroupOrder } from "./group-order.js";
import type { Instances } from "./instances.js";
import { animationTime } from "./overlay-events.js";

/** A clip to play, with everything checked. */
export interface ClipRequest {
  readonly clip: number;
  readonly mix: number;
  readonly loop: boolean;
  readonly speed: number;
  readonly time: number;
}

export interface QueuedClip extends ClipRequest {
  /** Seconds of the clip before it. */
  readonly delay: number;
}

/** Writes a frozen pose and its deforms (address 0: none are wanted). Returns how many of those there are. */
type WritePose = (frozen: number, shapes: number, at: number) => number;

/** What plays on each character: clips, cross-fades, overlays and queues. */
export class Playback {
  readonly #instances: Instances;
  readonly #clips: ClipTable;
  readonly #order: GroupOrder;
  readonly #rotations: BlockPool;
  readonly #frozen: BlockPool;
  /** Frozen deforms; null if nothing can be deformed. */
  readonly #shapes: BlockPool | null;
  readonly #frame: Frame;
  readonly #freezePlaying: WritePose = (frozen, shapes, at) => this.#frame.freeze(at, frozen, shapes);
  /** Id slots of characters that mix: their memory is taken back when they are done. */
  readonly mixing: number[] = [];
  readonly #queues = new Map<number, QueuedClip[]>();
  /** Seconds of the update that is running. */
  #dt = 0;

  /** @param blocks - what is taken is added; the crowd frees it */
  constructor(instances: Instances, clips: ClipTable, frame: Frame, blocks: number[]) {
    this.#instances = instances;
    this.#clips = clips;
    this.#frame = frame;
    this.#order = frame.order;
    const side = ROTATION_MEMORY_HEADER_BYTES + clips.maximumRotations * ROTATION_MEMORY_BYTES;
    this.#rotations = new BlockPool(side * 2, blocks);
    const { bones, slots, constraints } = frame.data;
    this.#frozen = new BlockPool((bones.length + slots.length + constraints.length) * FROZEN_ROWS * 4, blocks);
    const shapeBytes = clips.shapes.frozenBytes;
    this.#shapes = shapeBytes === 0 ? null : new BlockPool(shapeBytes, blocks);
  }

  /** Replaces what plays; with a mix, the old clip fades out under the new one. */
  play(at: number, request: ClipRequest): void {
    const { f32, f64, i32 } = heap;
    const current = this.#isIdle(at) ? NO_CLIP : i32[(at + InstanceField.CLIP) >> 2]!;
    const wasPosed = this.#instances.hasFlag(at, InstanceFlag.POSED);
    if (current !== NO_CLIP && !wasPosed && current === request.clip) {
      // The same clip again before it was ever seen: it starts over, and what it fades from stays.
    } else if (current !== NO_CLIP && request.mix > 0 && this.#isFading(at)) {
      // The mixture of this moment is frozen and fades out, so that nothing jumps.
      this.#freeze(at, this.#freezePlaying);
    } else if (current !== NO_CLIP && (request.mix > 0 || this.#clips.hasResets(current))) {
      // A clip that is replaced at once still resets physics in the update that comes, as in a state.
      i32[(at + InstanceField.FADE_CLIP) >> 2] = current;
      f64[(at + InstanceField.FADE_TIME) >> 3] = f64[(at + InstanceField.TIME) >> 3]!;
      f32[(at + InstanceField.FADE_SPEED) >> 2] = f32[(at + InstanceField.SPEED) >> 2]!;
      this.#instances.setFlag(at, InstanceFlag.FADE_LOOP, this.#instances.hasFlag(at, InstanceFlag.LOOP));
    } else {
      i32[(at + InstanceField.FADE_CLIP) >> 2] = NO_CLIP;
    }
    this.start(at, request);
    heap.f64[(at + InstanceField.MIX_TIME) >> 3] = 0;
    heap.f64[(at + InstanceField.MIX_DURATION) >> 3] = request.mix;
    const fade = heap.i32[(at + InstanceField.FADE_CLIP) >> 2]!;
    if (fade !== FROZEN_CLIP) this.#giveFrozen(at);
    if (fade !== NO_CLIP) {
      const memory = this.#takeRotations(at, InstanceField.ROTATIONS);
      // Both clips are fresh: they take the shorter way in their first pose.
      heap.u32[memory >> 2] = 1;
      if (fade !== FROZEN_CLIP) {
        this.#clips.plan(fade, request.clip);
        const rotations = this.#clips.compiled[fade]!.rotateCount;
        heap.u32[(memory + ROTATION_MEMORY_HEADER_BYTES + rotations * ROTATION_MEMORY_BYTES) >> 2] = 1;
      }
    }
    this.#planOverlay(at);
  }

  /** Lets what plays come in `mix` seconds from a pose of any origin. */
  fadeFrom(at: number, mix: number, write: WritePose): void {
    this.#freeze(at, write);
    heap.f64[(at + InstanceField.MIX_TIME) >> 3] = 0;
    heap.f64[(at + InstanceField.MIX_DURATION) >> 3] = mix;
    heap.u32[this.#takeRotations(at, InstanceField.ROTATIONS) >> 2] = 1;
    this.#order.invalidate();
  }

  /** Starts a clip from nothing. */
  start(at: number, request: ClipRequest): void {
    heap.i32[(at + InstanceField.CLIP) >> 2] = request.clip;
    heap.f32[(at + InstanceField.SPEED) >> 2] = request.speed;
    this.#instances.setFlag(at, InstanceFlag.LOOP, request.loop);
    this.#instances.setFlag(at, InstanceFlag.POSED, false);
    this.writeTime(at, request.time);
    this.#order.invalidate();
  }

  /** Sets the track time; events up to it count as passed. */
  writeTime(at: number, time: number): void {
    const { f64, i32 } = heap;
    const { duration } = this.#clips.animations[i32[(at + InstanceField.CLIP) >> 2]!]!;
    const loops = this.#instances.hasFlag(at, InstanceFlag.LOOP);
    f64[(at + InstanceField.TIME) >> 3] = time;
    // A key at time 0 has not passed at the start.
    f64[(at + InstanceField.LAST_TIME) >> 3] = time === 0 ? -1 : animationTime(time, duration, loops);
    f64[(at + InstanceField.LAST_TRACK) >> 3] = time === 0 ? -1 : time;
  }

  /** See `Crowd.queue`. */
  queue(id: number, at: number, request: ClipRequest, delay: number): void {
    if (this.#isIdle(at)) {
      this.play(at, request);
      return;
    }
    let list = this.#queues.get(id);
    if (list === undefined) this.#queues.set(id, (list = []));
    const last = list.at(-1);
    const complete = last === undefined ? this.#trackComplete(at) : trackComplete(this.#clips.animations[last.clip]!.duration, last.loop, last.time);
    list.push({ ...request, delay: delay > 0 ? delay : Math.max(delay + complete - request.mix, 0) });
  }

  /** Forgets what is queued. */
  clearQueue(id: number): void {
    this.#queues.delete(id);
  }

  /** What is queued on a character. */
  queueOf(id: number): readonly QueuedClip[] {
    return this.#queues.get(id) ?? [];
  }

  /** Queues clips whose delays are known. */
  setQueue(id: number, queue: readonly QueuedClip[]): void {
    if (queue.length === 0) this.#queues.delete(id);
    else this.#queues.set(id, [...queue]);
  }

  /** Starts the clip that keys nothing; it tells nothing either. */
  startEmpty(at: number, time: number): void {
    this.start(at, { clip: this.#clips.empty, mix: 0, loop: false, speed: 1, time });
    heap.f64[(at + InstanceField.LAST_TIME) >> 3] = 0;
  }

  /** See `Crowd.playOverlay`. */
  playOverlay(at: number, request: ClipRequest, alpha: number): void {
    if (heap.i32[(at + InstanceField.CLIP) >> 2] === NO_CLIP) this.startEmpty(at, 0);
    const { f32, f64, i32 } = heap;
    i32[(at + InstanceField.OVERLAY_CLIP) >> 2] = request.clip;
    f64[(at + InstanceField.OVERLAY_TIME) >> 3] = request.time;
    f32[(at + InstanceField.OVERLAY_SPEED) >> 2] = request.speed;
    f32[(at + InstanceField.OVERLAY_ALPHA) >> 2] = alpha;
    f32[(at + InstanceField.OVERLAY_ALPHA_FROM) >> 2] = 0;
    f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3] = 0;
    f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3] = request.mix;
    this.#instances.setFlag(at, InstanceFlag.OVERLAY_LOOP, request.loop);
    this.#instances.setFlag(at, InstanceFlag.OVERLAY_OUT, false);
    this.#instances.setFlag(at, InstanceFlag.OVERLAY_UNPASSED, request.time === 0);
    const memory = this.#takeRotations(at, InstanceField.OVERLAY_ROTATIONS);
    heap.u32[memory >> 2] = 1;
    this.#planOverlay(at);
    this.#order.invalidate();
  }

  /** See `Crowd.stopOverlay`. */
  stopOverlay(at: number, mix: number): void {
    const { f32, f64, i32 } = heap;
    if (i32[(at + InstanceField.OVERLAY_CLIP) >> 2] === NO_CLIP) return;
    const duration = f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3]!;
    const part = duration > 0 ? Math.min(1, f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3]! / duration) : 1;
    const from = f32[(at + InstanceField.OVERLAY_ALPHA_FROM) >> 2]!;
    f32[(at + InstanceField.OVERLAY_ALPHA_FROM) >> 2] = from + (f32[(at + InstanceField.OVERLAY_ALPHA) >> 2]! - from) * part;
    f32[(at + InstanceField.OVERLAY_ALPHA) >> 2] = 0;
    f64[(at + InstanceField.OVERLAY_MIX_TIME) >> 3] = 0;
    f64[(at + InstanceField.OVERLAY_MIX_DURATION) >> 3] = mix;
    this.#instances.setFlag(at, InstanceFlag.OVERLAY_OUT, true);
    // As in a state, rotations choose the shorter way back anew.
    heap.u32[heap.u32[(at + InstanceField.OVERLAY_ROTATIONS) >> 2]! >> 2] = 1;
  }

  /** Everything that is queued, by id. */
  get queues(): (readonly [number, readonly QueuedClip[]])[] {
    return [...this.#queues];
  }

  /** Bytes of the blocks that a record may own, by field. */
  get ownedBytes(): { rotations: number; frozen: number; shapes: number } {
    return { rotations: this.#rotations.bytes, frozen: this.#frozen.bytes, shapes: this.#shapes?.bytes ?? 0 };
  }

  /** Ends everything on a character: it has the setup pose. */
  stop(at: number): void {
    heap.i32[(at + InstanceField.CLIP) >> 2] = NO_CLIP;
    heap.i32[(at + InstanceField.FADE_CLIP) >> 2] = NO_CLIP;
    heap.i32[(at + InstanceField.OVERLAY_CLIP) >> 2] = NO_CLIP;
    this.#order.invalidate();
  }

  /** Takes over a record that was restored: blocks of its own, plans for its clips. @param fill - puts back the content of a block */
  adopt(id: number, at: number, queue: readonly QueuedClip[] | undefined, fill: (field: InstanceField, ptr: number) => void): void {
    this.#instances.setFlag(at, InstanceFlag.MIXING, false);
    for (const field of [InstanceField.ROTATIONS, InstanceField.OVERLAY_ROTATIONS]) {
      const owned = heap.u32[(at + field) >> 2] !== 0;
      heap.u32[(at + field) >> 2] = 0;
      if (owned) fill(field, this.#takeRotations(at, field));
    }
    if (heap.u32[(at + InstanceField.FROZEN) >> 2] !== 0) {
      const frozen = this.#frozen.take();
      heap.u32[(at + InstanceField.FROZEN) >> 2] = frozen;
      fill(InstanceField.FROZEN, frozen);
    }
    if (heap.u32[(at + InstanceField.FROZEN_SHAPES) >> 2] !== 0) {
      const shapes = this.#shapes!.take();
      heap.u32[(at + InstanceField.FROZEN_SHAPES) >> 2] = shapes;
      fill(InstanceField.FROZEN_SHAPES, shapes);
    }
    const clip = heap.i32[(at + InstanceField.CLIP) >> 2]!;
    const fade = heap.i32[(at + InstanceField.FADE_CLIP) >> 2]!;
    if (clip >= 0 && fade >= 0) this.#clips.plan(fade, clip);
    this.#planOverlay(at);
    if (queue !== undefined) this.setQueue(id, queue);
    this.#order.invalidate();
  }

  /** Gives back what a character holds, before it is removed. */
  release(id: number, at: number): void {
    this.#queues.delete(id);
    this.#giveRotations(at, InstanceField.ROTATIONS);
    this.#giveRotations(at, InstanceField.OVERLAY_ROTATIONS);
    this.#giveFrozen(at);
    if (this.#instances.hasFlag(at, InstanceFlag.MIXING)) {
      this.#forget(this.mixing.indexOf(heap.u32[(at + InstanceField.ID_SLOT) >> 2]!), at);
    }
  }

  /**
   * Starts queued clips whose time has come; comes before the clocks advance by `dt`.
   *
   * Like an animation state, it looks at the time of the latest pose, and the new clip gets the time left over.
   */
  promote(dt: number): void {
    if (this.#queues.size === 0) return;
    this.#dt = dt;
    this.#queues.forEach(this.#promoteOne);
  }

  readonly #promoteOne = (list: QueuedClip[], id: number): void => {
    const at = this.#instances.find(id);
    const next = list[0]!;
    const over = heap.f64[(at + InstanceField.LAST_TRACK) >> 3]! - next.delay;
    if (over < 0) return;
    list.shift();
    if (list.length === 0) this.#queues.delete(id);
    const speed = heap.f32[(at + InstanceField.SPEED) >> 2]!;
    this.play(at, next);
    // The clocks add dt x speed to this.
    heap.f64[(at + InstanceField.TIME) >> 3] = next.time + (speed === 0 ? -this.#dt : over / speed) * next.speed;
  };

  /** Takes back the memory of fades and overlays that are over; comes after the clocks advanced. */
  sweep(): void {
    const mixing = this.mixing;
    for (let i = mixing.length - 1; i >= 0; i--) {
      const at = this.#instances.at(this.#instances.ids.rowOfSlot(mixing[i]!));
      const { i32 } = heap;
      const isFading = i32[(at + InstanceField.FADE_CLIP) >> 2] !== NO_CLIP;
      const isOverlaid = i32[(at + InstanceField.OVERLAY_CLIP) >> 2] !== NO_CLIP;
      if (!isFading) {
        this.#giveFrozen(at);
        if (this.#giveRotations(at, InstanceField.ROTATIONS)) this.#order.invalidate();
      }
      if (!isOverlaid && this.#giveRotations(at, InstanceField.OVERLAY_ROTATIONS)) this.#order.invalidate();
      if (!isFading && !isOverlaid) this.#forget(i, at);
    }
  }

  /** The overlay lies on whatever plays and fades: plans for each pair. */
  #planOverlay(at: number): void {
    const { i32 } = heap;
    const overlay = i32[(at + InstanceField.OVERLAY_CLIP) >> 2]!;
    if (overlay === NO_CLIP) return;
    const clip = i32[(at + InstanceField.CLIP) >> 2]!;
    const fade = i32[(at + InstanceField.FADE_CLIP) >> 2]!;
    if (clip !== NO_CLIP) this.#clips.plan(clip, overlay);
    if (fade >= 0) this.#clips.plan(fade, overlay);
  }

  #takeRotations(at: number, field: InstanceField): number {
    this.#giveRotations(at, field);
    const memory = this.#rotations.take();
    heap.u32[(at + field) >> 2] = memory;
    if (!this.#instances.hasFlag(at, InstanceFlag.MIXING)) {
      this.#instances.setFlag(at, InstanceFlag.MIXING, true);
      this.mixing.push(heap.u32[(at + InstanceField.ID_SLOT) >> 2]!);
    }
    return memory;
  }

  #giveRotations(at: number, field: InstanceField): boolean {
    const memory = heap.u32[(at + field) >> 2]!;
    if (memory === 0) return false;
    this.#rotations.give(memory);
    heap.u32[(at + field) >> 2] = 0;
    return true;
  }

  /** A frozen pose fades out. */
  #freeze(at: number, write: WritePose): void {
    const frozen = this.#frozen.take();
    const pool = this.#shapes;
    let shapes = pool === null ? 0 : pool.take();
    if (write(frozen, shapes, at) === 0 && shapes !== 0) {
      pool!.give(shapes);
      shapes = 0;
    }
    this.#giveFrozen(at);
    heap.u32[(at + InstanceField.FROZEN) >> 2] = frozen;
    heap.u32[(at + InstanceField.FROZEN_SHAPES) >> 2] = shapes;
    heap.i32[(at + InstanceField.FADE_CLIP) >> 2] = FROZEN_CLIP;
  }

  #giveFrozen(at: number): void {
    const { u32 } = heap;
    const frozen = u32[(at + InstanceField.FROZEN) >> 2]!;
    const shapes = u32[(at + InstanceField.FROZEN_SHAPES) >> 2]!;
    if (frozen !== 0) this.#frozen.give(frozen);
    if (shapes !== 0) this.#shapes!.give(shapes);
    u32[(at + InstanceField.FROZEN) >> 2] = 0;
    u32[(at + InstanceField.FROZEN_SHAPES) >> 2] = 0;
  }

  /** Whether nothing plays that a clip could come after: no clip, or the empty one with no fade to it. */
  #isIdle(at: number): boolean {
    const clip = heap.i32[(at + InstanceField.CLIP) >> 2];
    return clip === NO_CLIP || (clip === this.#clips.empty && heap.i32[(at + InstanceField.FADE_CLIP) >> 2] === NO_CLIP);
  }

  /** Whether something fades out that can still be seen. */
  #isFading(at: number): boolean {
    if (heap.i32[(at + InstanceField.FADE_CLIP) >> 2] === NO_CLIP) return false;
    return heap.f64[(at + InstanceField.MIX_TIME) >> 3]! < heap.f64[(at + InstanceField.MIX_DURATION) >> 3]!;
  }

  #forget(place: number, at: number): void {
    this.#instances.setFlag(at, InstanceFlag.MIXING, false);
    const last = this.mixing.pop()!;
    if (place < this.mixing.length) this.mixing[place] = last;
  }

  #trackComplete(at: number): number {
    const { duration } = this.#clips.animations[heap.i32[(at + InstanceField.CLIP) >> 2]!]!;
    return trackComplete(duration, this.#instances.hasFlag(at, InstanceFlag.LOOP), heap.f64[(at + InstanceField.TIME) >> 3]!);
  }
}

/** Track time at which a clip completes next. */
function trackComplete(duration: number, loops: boolean, time: number): number {
  if (duration !== 0) {
    if (loops) return duration * (1 + Math.trunc(time / duration));
    if (time < duration) return duration;
  }
  return time;
}
