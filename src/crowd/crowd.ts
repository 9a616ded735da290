import {
  CROWD_BYTES,
  CrowdField,
  DEFORM_CALL_BYTES,
  FROZEN_ROWS,
  InstanceField,
  InstanceFlag,
  NO_CLIP,
  PALETTE_FLOATS,
  SLOT_SCRATCH_BYTES,
  VARIANT_BYTES,
  VariantField,
} from "../../assembly/layout/crowd.js";
import { SCRATCH_HEADER_BYTES } from "../../assembly/layout/update.js";
import { ArgumentError, DisposedError, RangeMismatchError, StateError } from "../errors.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Skin } from "../spine/model/skin.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import { rig2d } from "../wasm/rig2d.js";
import { BlockPool } from "./block-pool.js";
import { atLeastZero, finite } from "./checks.js";
import { ClipTable } from "./clip-table.js";
import { type Drawable, DrawableTable } from "./drawable-table.js";
import { type CrowdListener, EventRing } from "./event-ring.js";
import { GroupOrder } from "./group-order.js";
import { MAXIMUM_SLOTS } from "./id-table.js";
import { Instances } from "./instances.js";
import type { CrowdOptions, OverlayOptions, PlayOptions, QueueOptions, SpawnOptions } from "./options.js";
import { type ClipRequest, Playback } from "./playback.js";
import { PoseJob } from "./pose-job.js";
import { FIRST_UPDATE_SCRATCH_BYTES, VariantTable } from "./variant-table.js";

/**
 * Thousands of characters of one rig, posed four at a time; no pose is kept but the world matrices.
 *
 * A character is a few numbers: a clip, its time, a running cross-fade, an overlay, a placement. `update(dt)` means for
 * each what `state.update`, `state.apply`, `skeleton.update` and `updateWorldTransform(Physics.update)` mean for a Skeleton
 * with an AnimationState of one track (two with an overlay). A `play` during a cross-fade freezes the mixture of that moment,
 * which then fades out (a state would keep both clips moving): nothing jumps, however often it happens.
 *
 * Characters are named by ids that are never used again; their rows in `palette` are dense and move when others despawn.
 */
export class Crowd {
  readonly data: SkeletonData;
  /** Seconds of the cross-fade that `play` starts when it is not told. */
  defaultMix: number;
  /** Told of events and completions during `update`, after all poses are made. */
  listener: CrowdListener | null = null;

  readonly #instances: Instances;
  readonly #clips: ClipTable;
  readonly #drawables: DrawableTable;
  readonly #variants: VariantTable;
  readonly #order = new GroupOrder();
  readonly #playback: Playback;
  readonly #physics: BlockPool | null;
  readonly #events: EventRing;
  /** Blocks freed with the crowd; edited in place. */
  readonly #blocks: number[] = [];
  /** Address of the block that describes the crowd to kernels, 0 once disposed. */
  #crowd: number;
  readonly #job = new PoseJob((updateBytes) => this.#scratchBytes(updateBytes));
  /** An asynchronous update is running. */
  #isBusy = false;
  #palette: Float32Array = new Float32Array(0);
  #paletteGeneration = -1;
  #slots: Uint32Array = new Uint32Array(0);
  #slotsGeneration = -1;

  /**
   * @param data - the rig; its animations and skins must not change while the crowd lives
   * @throws ArgumentError, RangeMismatchError for options that make no sense
   */
  constructor(data: SkeletonData, options: CrowdOptions = {}) {
    if (data == null) throw new ArgumentError("The data of a crowd are missing. Give a SkeletonData.");
    const capacity = options.capacity ?? 1024;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAXIMUM_SLOTS) {
      throw new RangeMismatchError("capacity", capacity, 1, MAXIMUM_SLOTS, "Give the number of characters to make room for.");
    }
    this.data = data;
    this.defaultMix = atLeastZero("defaultMix", options.defaultMix ?? 0);
    const forces = [options.windX ?? 1, options.windY ?? 0, options.gravityX ?? 0, options.gravityY ?? 1];
    for (const force of forces) finite("wind and gravity", force);

    const slotCount = options.slots === true ? data.slots.length : 0;
    this.#instances = new Instances(capacity, data.bones.length, slotCount, options.grow ?? true, this.#blocks);
    freeWhenCollected(this, this.#blocks);
    this.#crowd = heap.alloc(CROWD_BYTES);
    this.#blocks.push(this.#crowd);
    this.#clips = new ClipTable(data, this.#blocks);
    this.#drawables = new DrawableTable(data, this.#clips.ptr, this.#clips.paths, this.#blocks);
    this.#variants = new VariantTable(data, this.#drawables, this.#blocks);
    this.#events = new EventRing(this.#clips);
    const frozenBytes = (data.bones.length + data.slots.length + data.constraints.length) * FROZEN_ROWS * 4;
    this.#playback = new Playback(this.#instances, this.#clips, this.#order, frozenBytes, this.#freeze, this.#blocks);
    this.#physics = this.#variants.physicsBytes === 0 ? null : new BlockPool(this.#variants.physicsBytes, this.#blocks);

    const { f32, u32 } = heap;
    const at = this.#crowd >> 2;
    u32[at + (CrowdField.PALETTE_STRIDE >> 2)] = this.#instances.stride;
    u32[at + (CrowdField.SLOTS_STRIDE >> 2)] = this.#instances.slotsStride;
    u32[at + (CrowdField.CLIPS >> 2)] = this.#clips.ptr;
    u32[at + (CrowdField.CLIP_COUNT >> 2)] = this.#clips.count;
    u32[at + (CrowdField.FADE_PLANS >> 2)] = this.#clips.plansPtr;
    u32[at + (CrowdField.DRAWABLES >> 2)] = this.#drawables.ptr;
    u32[at + (CrowdField.DEFORM_BYTES >> 2)] = this.#clips.paths.bytes;
    u32[at + (CrowdField.ROWS >> 2)] = data._rig.shape.rows;
    u32[at + (CrowdField.BONE_COUNT >> 2)] = data.bones.length;
    u32[at + (CrowdField.SLOT_COUNT >> 2)] = data.slots.length;
    u32[at + (CrowdField.CONSTRAINT_COUNT >> 2)] = data.constraints.length;
    u32[at + (CrowdField.PHYSICS_COUNT >> 2)] = this.#variants.physicsCount;
    for (let i = 0; i < 4; i++) f32[at + (CrowdField.WIND_X >> 2) + i] = forces[i]!;
  }

  /**
   * Threads that pose besides the caller's, 0 (the default) .. 8. Set it once: they are kept, and spin briefly before they sleep.
   * They start in the background and take part as soon as they are ready; results have the same bits for any number. Without
   * shared memory (a page without cross-origin isolation) a warning says so and the number stays 0.
   * @throws RangeMismatchError outside 0 .. 8
   */
  get workers(): number {
    return this.#job.workers;
  }
  set workers(count: number) {
    this.#assertAlive();
    this.#job.setWorkers(count);
  }

  /** Workers that have started and take part. */
  get readyWorkers(): number {
    return this.#job.readyWorkers;
  }

  /** Living characters. */
  get count(): number {
    return this.#instances.count;
  }

  /** Characters that fit without growing. */
  get capacity(): number {
    return this.#instances.ids.capacity;
  }

  /** Bones of one character. */
  get boneCount(): number {
    return this.data.bones.length;
  }

  /**
   * World matrices of all characters: `count x boneCount x [a, b, c, d, worldX, worldY]`, row by row. Inactive bones and
   * hidden characters have zeros. A view of linear memory, valid until the next allocation: read the property again after
   * anything was created.
   */
  get palette(): Float32Array {
    const ptr = this.#instances.palettePtr;
    const length = (this.count * this.#instances.stride) >> 2;
    const view = this.#palette;
    if (this.#paletteGeneration === heap.generation && view.byteOffset === ptr && view.length === length) return view;
    this.#paletteGeneration = heap.generation;
    return (this.#palette = heap.f32.subarray(ptr >> 2, (ptr >> 2) + length));
  }

  /**
   * What every character shows: `count x slotCount x 3` words, row by row and slot by slot: light colour with the tint
   * (0xAABBGGRR), dark colour (0x00BBGGRR), drawable in the low half (0: nothing, else `drawables[n - 1]`) and, in the high
   * half, the slot that is drawn at this place of the draw order. Valid as long as `palette`.
   * @throws StateError unless the crowd was created with `slots: true`
   */
  get slots(): Uint32Array {
    if (this.#instances.slotsStride === 0) {
      throw new StateError("This crowd keeps no slot states. Create it with { slots: true }.");
    }
    const ptr = this.#instances.slotsPtr;
    const length = (this.count * this.#instances.slotsStride) >> 2;
    const view = this.#slots;
    if (this.#slotsGeneration === heap.generation && view.byteOffset === ptr && view.length === length) return view;
    this.#slotsGeneration = heap.generation;
    return (this.#slots = heap.u32.subarray(ptr >> 2, (ptr >> 2) + length));
  }

  /** What characters can show; drawable n of a slot state is item n - 1. */
  get drawables(): readonly Drawable[] {
    return this.#drawables.drawables;
  }

  /** Whether the id names a living character of this crowd. */
  has(id: number): boolean {
    return this.#instances.ids.has(id);
  }

  /** Place of a character in `palette`. Moves when another character despawns. @throws StaleIdError */
  row(id: number): number {
    return this.#instances.ids.row(id);
  }

  /** Id of the character in a row, 0 .. count - 1. */
  idAt(row: number): number {
    if (!Number.isInteger(row) || row < 0 || row >= this.count) throw new RangeMismatchError("row", row, 0, this.count - 1);
    return this.#instances.ids.id(row);
  }

  /**
   * Adds a character. Its palette row holds zeros until the next update.
   * @returns its id
   * @throws NameError for an unknown animation or skin, CrowdFullError if the crowd is full and must not grow
   */
  spawn(options: SpawnOptions = {}): number {
    this.#assertAlive();
    const request = options.animation === undefined ? null : this.#request(options.animation, options, 0);
    const variant = this.#variants.index(options.skin ?? null);
    const x = finite("x", options.x ?? 0);
    const y = finite("y", options.y ?? 0);
    const scaleX = finite("scaleX", options.scaleX ?? 1);
    const scaleY = finite("scaleY", options.scaleY ?? 1);
    this.#instances.makeRoom();

    const physics = this.#physics?.take() ?? 0;
    if (physics !== 0) this.#variants.resetPhysics(physics);
    const id = this.#instances.add(variant);
    const at = this.#instances.find(id);
    const { f32, u32 } = heap;
    f32[(at + InstanceField.X) >> 2] = x;
    f32[(at + InstanceField.Y) >> 2] = y;
    f32[(at + InstanceField.SCALE_X) >> 2] = scaleX;
    f32[(at + InstanceField.SCALE_Y) >> 2] = scaleY;
    u32[(at + InstanceField.PHYSICS) >> 2] = physics;
    if (request !== null) this.#playback.start(at, request);
    this.#order.invalidate();
    return id;
  }

  /** Removes a character; the last row takes its place. @throws StaleIdError */
  despawn(id: number): void {
    this.#assertAlive();
    const at = this.#find(id);
    const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
    if (physics !== 0) this.#physics!.give(physics);
    this.#playback.release(id, at);
    this.#instances.remove(id);
    this.#order.invalidate();
  }

  /**
   * Plays an animation, cross-fading from what plays now, and forgets what is queued. During a cross-fade the mixture of the
   * moment is frozen and fades out.
   * @throws NameError for an unknown animation
   */
  play(id: number, animation: string, options: PlayOptions = {}): void {
    const at = this.#find(id);
    const request = this.#request(animation, options, this.defaultMix);
    this.#playback.clearQueue(id);
    this.#playback.play(at, request);
  }

  /** Plays an animation after the current one, or after those queued before it. */
  queue(id: number, animation: string, options: QueueOptions = {}): void {
    const at = this.#find(id);
    const request = this.#request(animation, options, this.defaultMix);
    this.#playback.queue(id, at, request, finite("delay", options.delay ?? 0));
  }

  /** Plays a second clip on top of the first until `stopOverlay`; with a mix its weight grows from 0 to `alpha`. */
  playOverlay(id: number, animation: string, options: OverlayOptions = {}): void {
    const at = this.#find(id);
    const request = this.#request(animation, options, 0);
    this.#playback.playOverlay(at, request, finite("alpha", options.alpha ?? 1));
  }

  /** Fades the overlay out in `mix` seconds and removes it. */
  stopOverlay(id: number, mix = 0): void {
    this.#playback.stopOverlay(this.#find(id), atLeastZero("mix", mix));
  }

  /** Moves the clip to a track time in seconds, >= 0. Events on the way do not fire. */
  seek(id: number, time: number): void {
    const at = this.#find(id);
    atLeastZero("time", time);
    if (heap.i32[(at + InstanceField.CLIP) >> 2] !== NO_CLIP) this.#playback.writeTime(at, time);
  }

  /** Track seconds per second, >= 0. */
  setSpeed(id: number, speed: number): void {
    heap.f32[(this.#find(id) + InstanceField.SPEED) >> 2] = atLeastZero("speed", speed);
  }

  /** Places a character: the skeleton's own x and y. */
  setPosition(id: number, x: number, y: number): void {
    const at = this.#find(id);
    finite("x", x);
    heap.f32[(at + InstanceField.Y) >> 2] = finite("y", y);
    heap.f32[(at + InstanceField.X) >> 2] = x;
  }

  /** The skeleton's own scale; negative values mirror. */
  setScale(id: number, scaleX: number, scaleY = scaleX): void {
    const at = this.#find(id);
    finite("scaleX", scaleX);
    heap.f32[(at + InstanceField.SCALE_Y) >> 2] = finite("scaleY", scaleY);
    heap.f32[(at + InstanceField.SCALE_X) >> 2] = scaleX;
  }

  /** Tint of all attachments, components 0 .. 1. */
  setTint(id: number, r: number, g: number, b: number, a = 1): void {
    const at = (this.#find(id) + InstanceField.R) >> 2;
    finite("r", r);
    finite("g", g);
    finite("b", b);
    finite("a", a);
    const { f32 } = heap;
    f32[at] = r;
    f32[at + 1] = g;
    f32[at + 2] = b;
    f32[at + 3] = a;
  }

  /** @throws NameError for an unknown skin */
  setSkin(id: number, skin: string | Skin | null): void {
    const at = this.#find(id);
    const variant = this.#variants.index(skin);
    if (heap.u32[(at + InstanceField.VARIANT) >> 2] === variant) return;
    heap.u32[(at + InstanceField.VARIANT) >> 2] = variant;
    this.#order.invalidate();
  }

  /** A hidden character keeps its time but is not posed; its palette row is zero. */
  setVisible(id: number, visible: boolean): void {
    this.#assertAlive();
    const row = this.row(id);
    this.#instances.setFlag(this.#instances.at(row), InstanceFlag.HIDDEN, !visible);
    if (!visible) this.#instances.clear(row);
  }

  /**
   * How often a character is posed.
   * @param posesPerSecond - > 0; Infinity, which every character starts with: at every update
   */
  setUpdateRate(id: number, posesPerSecond: number): void {
    const at = this.#find(id);
    if (!(posesPerSecond > 0)) {
      throw new RangeMismatchError("posesPerSecond", posesPerSecond, 0, Infinity, "Use setVisible(id, false) to stop posing.");
    }
    heap.f64[(at + InstanceField.INTERVAL) >> 3] = posesPerSecond === Infinity ? 0 : 1 / posesPerSecond;
  }

  /** World matrix of one bone: `[a, b, c, d, worldX, worldY]` into `out`. */
  bone(id: number, boneIndex: number, out: Float32Array | number[]): void {
    const row = this.row(id);
    if (!Number.isInteger(boneIndex) || boneIndex < 0 || boneIndex >= this.boneCount) {
      throw new RangeMismatchError("boneIndex", boneIndex, 0, this.boneCount - 1, "Look the index up with data.findBone(name).index.");
    }
    const at = ((this.#instances.palettePtr + row * this.#instances.stride) >> 2) + boneIndex * PALETTE_FLOATS;
    for (let i = 0; i < PALETTE_FLOATS; i++) out[i] = heap.f32[at + i]!;
  }

  /**
   * Advances all clocks, poses everybody and tells the listener what happened.
   * @param dt - seconds, finite, >= 0
   */
  update(dt: number): void {
    this.#assertAlive();
    atLeastZero("dt", dt);
    this.#playback.promote(dt);
    this.#writeAddresses();
    this.#events.advance(this.#crowd, this.#instances, dt);
    this.#playback.sweep();
    this.#pose();
    if (this.listener !== null) this.#events.deliver(this.#crowd, this.#instances, this.listener);
  }

  /**
   * The same while this thread goes on: workers write a second palette, which is shown once the promise resolves. Until then
   * the crowd must not be changed. Without workers the work is done before the call returns.
   * @throws StateError if the update before has not ended
   */
  async updateAsync(dt: number): Promise<void> {
    this.#assertAlive();
    atLeastZero("dt", dt);
    const instances = this.#instances;
    this.#playback.promote(dt);
    this.#writeAddresses();
    this.#events.advance(this.#crowd, instances, dt);
    this.#playback.sweep();
    this.#sort();
    const at = this.#crowd >> 2;
    const palette = instances.otherPalettePtr;
    heap.u32[at + (CrowdField.SHOWN_PALETTE >> 2)] = instances.palettePtr;
    heap.u32[at + (CrowdField.SHOWN_SLOTS >> 2)] = instances.slotsPtr;
    heap.u32[at + (CrowdField.PALETTE >> 2)] = palette;
    heap.u32[at + (CrowdField.SLOTS >> 2)] = instances.otherSlotsPtr;
    this.#job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    this.#isBusy = true;
    try {
      await this.#job.runBeside(this.#crowd, this.#order.groupCount);
    } finally {
      this.#isBusy = false;
      heap.u32[at + (CrowdField.SHOWN_PALETTE >> 2)] = 0;
    }
    instances.swap();
    if (this.listener !== null) this.#events.deliver(this.#crowd, instances, this.listener);
  }

  /** Frees the crowd's memory. Safe to call twice. */
  dispose(): void {
    if (this.#crowd === 0) return;
    this.#assertAlive();
    disposedByHand(this);
    for (const ptr of this.#blocks) heap.free(ptr);
    this.#blocks.length = 0;
    this.#order.dispose();
    this.#events.dispose();
    this.#variants.dispose();
    this.#job.dispose();
    this.#crowd = 0;
  }

  #pose(): void {
    this.#sort();
    this.#job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    this.#job.run(this.#crowd, this.#order.groupCount);
  }

  #sort(): void {
    if (this.#order.refresh(this.#instances, this.#variants.count, this.#clips.count)) {
      heap.u32[(this.#crowd + CrowdField.ORDER) >> 2] = this.#order.ptr;
      heap.u32[(this.#crowd + CrowdField.GROUP_COUNT) >> 2] = this.#order.groupCount;
    }
  }

  /** Bytes of a scratch block in which the update program has `updateBytes`. */
  readonly #scratchBytes = (updateBytes: number): number => {
    const slots = this.data.slots.length * SLOT_SCRATCH_BYTES + SCRATCH_HEADER_BYTES;
    const perLane = this.#variants.physicsBytes + this.#clips.paths.bytes;
    const fixed = this.data._rig.shape.rows * 16 + this.#instances.stride + 32 + perLane * 4 + DEFORM_CALL_BYTES;
    return fixed + Math.max(updateBytes, slots);
  };

  /** Blocks that may have moved since the last update. */
  #writeAddresses(): void {
    const { u32 } = heap;
    const at = this.#crowd >> 2;
    u32[at + (CrowdField.INSTANCES >> 2)] = this.#instances.ptr;
    u32[at + (CrowdField.COUNT >> 2)] = this.#instances.count;
    u32[at + (CrowdField.PALETTE >> 2)] = this.#instances.palettePtr;
    u32[at + (CrowdField.SLOTS >> 2)] = this.#instances.slotsPtr;
    u32[at + (CrowdField.VARIANTS >> 2)] = this.#variants.ptr;
  }

  readonly #freeze = (at: number, frozen: number): void => {
    const scratch = this.#job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    this.#writeAddresses();
    const variant = this.#variants.ptr + heap.u32[(at + InstanceField.VARIANT) >> 2]! * VARIANT_BYTES;
    rig2d.kernels.freezeInstance(this.#crowd, at, heap.u32[(variant + VariantField.SETUP_LANES) >> 2]!, scratch, frozen);
  };

  #request(animation: string, options: PlayOptions, defaultMix: number): ClipRequest {
    return {
      clip: this.#clips.index(animation),
      mix: atLeastZero("mix", options.mix ?? defaultMix),
      loop: options.loop ?? true,
      speed: atLeastZero("speed", options.speed ?? 1),
      time: atLeastZero("time", options.time ?? 0),
    };
  }

  /** Record of a character that is going to be changed. */
  #find(id: number): number {
    this.#assertAlive();
    return this.#instances.find(id);
  }

  #assertAlive(): void {
    if (this.#crowd === 0) throw new DisposedError("Crowd");
    if (this.#isBusy) throw new StateError("The crowd is being posed by updateAsync. Await it before changing anything.");
  }
}
