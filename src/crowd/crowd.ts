import { INSTANCE_BYTES, InstanceField, InstanceFlag, NO_CLIP, PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import { ArgumentError, DisposedError, RangeMismatchError, StateError } from "../errors.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Skin } from "../spine/model/skin.js";
import { disposedByHand, freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import type { BakedClip, BakeOptions } from "./bake.js";
import { BlockPool } from "./block-pool.js";
import { writeRows } from "./bulk.js";
import { atLeastZero, finite } from "./checks.js";
import { ClipTable } from "./clip-table.js";
import { Detail } from "./detail.js";
import { type Drawable, DrawableTable } from "./drawable-table.js";
import type { CrowdListener } from "./event-ring.js";
import { type Forces, Frame } from "./frame.js";
import { MAXIMUM_SLOTS } from "./id-table.js";
import { firstBlocks, Instances } from "./instances.js";
import { type Between, type DetailLevel, Levels } from "./levels.js";
import type { CrowdOptions, OverlayOptions, PlayOptions, QueueOptions, SpawnOptions } from "./options.js";
import { type ClipRequest, Playback } from "./playback.js";
import { type Box, Probe } from "./probe.js";
import { demote, promote, type Promoted } from "./promotion.js";
import { RowView } from "./row-view.js";
import { SliderTable } from "./slider-table.js";
import { openSnapshot, type SnapshotShape, writeSnapshot } from "./snapshot.js";
import { type Variant, VariantTable } from "./variant-table.js";

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
  readonly #sliders: SliderTable;
  readonly #drawables: DrawableTable;
  readonly #variants: VariantTable;
  readonly #frame: Frame;
  readonly #playback: Playback;
  readonly #levels: Levels;
  readonly #physics: BlockPool | null;
  #probe: Probe | null = null;
  /** Blocks freed with the crowd; edited in place. */
  readonly #blocks: number[];
  readonly #palette = new RowView<Float32Array>(new Float32Array(0), (first, last) => heap.f32.subarray(first, last));
  readonly #slots = new RowView<Uint32Array>(new Uint32Array(0), (first, last) => heap.u32.subarray(first, last));
  /** An asynchronous update is running. */
  #isBusy = false;
  #isDisposed = false;

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
    const forces: Forces = [options.windX ?? 1, options.windY ?? 0, options.gravityX ?? 0, options.gravityY ?? 1];
    for (const force of forces) finite("wind and gravity", force);

    const detail = new Detail(data, options.detail);
    this.#blocks = firstBlocks();
    freeWhenCollected(this, this.#blocks);
    this.#clips = new ClipTable(data, options.slots === true, this.#blocks);
    this.#sliders = new SliderTable(data, this.#clips, this.#blocks);
    const sliders = this.#sliders;
    const slotCount = options.slots === true ? data.slots.length : 0;
    const sliderBytes = options.slots === true ? sliders.stateBytes : 0;
    this.#instances = new Instances(capacity, data.bones.length, slotCount, sliderBytes, options.grow ?? true, this.#blocks);
    // The data must not be disposed under a living crowd.
    data._rig.enter(this);
    this.#drawables = new DrawableTable(data, this.#clips, this.#blocks);
    this.#variants = new VariantTable(data, this.#drawables, sliders, detail, this.#blocks);
    this.#frame = new Frame(data, this.#instances, this.#clips, this.#drawables, this.#variants, sliders, forces, this.#blocks);
    this.#levels = new Levels(this.#instances, this.#variants, this.#frame.order, this.#blocks);
    this.#playback = new Playback(this.#instances, this.#clips, this.#frame, this.#blocks);
    this.#physics = this.#variants.physicsBytes === 0 ? null : new BlockPool(this.#variants.physicsBytes, this.#blocks);
  }

  /**
   * Threads that pose besides the caller's, 0 (the default) .. 8. Set it once: they are kept, and spin briefly before they sleep.
   * They start in the background and take part as soon as they are ready; results have the same bits for any number. Without
   * shared memory (a page without cross-origin isolation) a warning says so and the number stays 0.
   * @throws RangeMismatchError outside 0 .. 8
   */
  get workers(): number {
    return this.#frame.job.workers;
  }
  set workers(count: number) {
    this.#assertAlive();
    this.#frame.job.setWorkers(count);
  }

  /** Workers that have started and take part. */
  get readyWorkers(): number {
    return this.#frame.job.readyWorkers;
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
    return this.#palette.at(this.#instances.palettePtr, (this.count * this.#instances.stride) >> 2);
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
    return this.#slots.at(this.#instances.slotsPtr, (this.count * this.#instances.slotsStride) >> 2);
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
    const variant = this.#variants.index(options.skin ?? null, options.detail ?? true);
    const x = finite("x", options.x ?? 0);
    const y = finite("y", options.y ?? 0);
    const scaleX = finite("scaleX", options.scaleX ?? 1);
    const scaleY = finite("scaleY", options.scaleY ?? 1);
    this.#instances.makeRoom();

    const physics = this.#physics?.take() ?? 0;
    this.#variants.restPhysics(physics, 0);
    const id = this.#instances.add(variant);
    const at = this.#instances.find(id);
    const { f32, u32 } = heap;
    f32[(at + InstanceField.X) >> 2] = x;
    f32[(at + InstanceField.Y) >> 2] = y;
    f32[(at + InstanceField.SCALE_X) >> 2] = scaleX;
    f32[(at + InstanceField.SCALE_Y) >> 2] = scaleY;
    u32[(at + InstanceField.PHYSICS) >> 2] = physics;
    if (request !== null) this.#playback.start(at, request);
    this.#frame.order.invalidate();
    return id;
  }

  /** Removes a character; the last row takes its place. @throws StaleIdError */
  despawn(id: number): void {
    this.#assertAlive();
    const at = this.#find(id);
    const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
    if (physics !== 0) this.#physics!.give(physics);
    this.#playback.release(id, at);
    this.#levels.release(at);
    this.#instances.remove(id);
    this.#frame.order.invalidate();
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

  /**
   * Places a character somewhere else at once: its physics comes along instead of being flung, and with poses in between it is
   * not seen on the way. The next update poses it.
   */
  teleport(id: number, x: number, y: number): void {
    const at = this.#find(id);
    const dx = finite("x", x) - heap.f32[(at + InstanceField.X) >> 2]!;
    const dy = finite("y", y) - heap.f32[(at + InstanceField.Y) >> 2]!;
    this.setPosition(id, x, y);
    this.#variants.movePhysics(heap.u32[(at + InstanceField.PHYSICS) >> 2]!, dx, dy);
    this.#levels.refresh(at);
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
    const variant = this.#variants.index(skin, this.#variantOf(at).detail);
    if (heap.u32[(at + InstanceField.VARIANT) >> 2] === variant) return;
    heap.u32[(at + InstanceField.VARIANT) >> 2] = variant;
    this.#instances.restSliders(this.#instances.ids.row(id));
    this.#frame.order.invalidate();
  }

  /**
   * A hidden character keeps its time but is not posed; its palette row is zero. Its physics rests and starts anew when it is
   * shown again.
   */
  setVisible(id: number, visible: boolean): void {
    const at = this.#find(id);
    if (visible === !this.#instances.hasFlag(at, InstanceFlag.HIDDEN)) return;
    if (visible) this.#variants.restPhysics(heap.u32[(at + InstanceField.PHYSICS) >> 2]!, heap.f64[(at + InstanceField.SKELETON_TIME) >> 3]!);
    this.#show(id, at, visible);
  }

  #show(id: number, at: number, visible: boolean): void {
    this.#instances.setFlag(at, InstanceFlag.HIDDEN, !visible);
    if (visible) this.#levels.refresh(at);
    else this.#instances.clear(this.#instances.ids.row(id));
  }

  /**
   * How often a character is posed, and what is shown in between. "hold" shows the latest pose. "interpolate" goes from the pose
   * before to the latest one while the next is due: what is seen, placement included, is one interval late (1 / posesPerSecond
   * seconds), matrices are interpolated component by component, and attachments, colours and draw order change with the pose
   * that is left behind. It takes two more palette rows.
   * @param posesPerSecond - > 0; Infinity, which every character starts with: at every update
   */
  setUpdateRate(id: number, posesPerSecond: number, between: Between = "hold"): void {
    this.#levels.setRate(this.#find(id), posesPerSecond, between);
  }

  /**
   * Whether the constraints and slots that the crowd was told are detail take part. Characters start with all of them. Without
   * `detail` in the crowd's options nothing changes. Physics that was left out rests and starts anew.
   */
  setDetail(id: number, isOn: boolean): void {
    const at = this.#find(id);
    this.#levels.setDetail(at, this.#instances.ids.row(id), isOn);
  }

  /** Whether a character has all detail. @throws StaleIdError */
  hasDetail(id: number): boolean {
    return this.#variantOf(this.#instances.find(id)).detail;
  }

  /**
   * Levels of detail from near to far, for `setLevel` and `chooseLevels`. Assigning them leaves characters as they are until one
   * of those is called.
   * @throws RangeMismatchError if they are not in the order of their distances
   */
  get levels(): readonly DetailLevel[] {
    return this.#levels.levels;
  }
  set levels(levels: readonly DetailLevel[]) {
    this.#assertAlive();
    this.#levels.levels = levels;
  }

  /** Gives a character the update rate and detail of one of the `levels`. @throws RangeMismatchError */
  setLevel(id: number, level: number): void {
    const at = this.#find(id);
    this.#levels.setLevel(at, this.#instances.ids.row(id), level);
  }

  /**
   * Gives every character the first level whose distance from a viewpoint reaches it (beyond all: the last one). Cheap enough
   * for every frame; a frame in which somebody gains or loses detail sorts the groups anew.
   * @param margin - share of a distance, 0 .. 1, by which a character must be beyond a border before its level changes
   * @returns how many characters changed their level
   */
  chooseLevels(x: number, y: number, margin = 0.05): number {
    this.#assertAlive();
    return this.#levels.choose(x, y, margin);
  }

  /** Positions of consecutive rows (not ids), from `firstRow` on: x, y, x, y, … */
  setPositions(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    writeRows(this.#instances, InstanceField.X, 2, "values", values, firstRow);
  }

  /** Scales of consecutive rows: scaleX, scaleY, … */
  setScales(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    writeRows(this.#instances, InstanceField.SCALE_X, 2, "values", values, firstRow);
  }

  /** Tints of consecutive rows: r, g, b, a, … */
  setTints(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    writeRows(this.#instances, InstanceField.R, 4, "values", values, firstRow);
  }

  /** Speeds of consecutive rows, >= 0. */
  setSpeeds(values: ArrayLike<number>, firstRow = 0): void {
    this.#assertAlive();
    writeRows(this.#instances, InstanceField.SPEED, 1, "values", values, firstRow, 0);
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
    this.#frame.advance(dt);
    this.#playback.sweep();
    this.#frame.pose();
    if (this.listener !== null) this.#frame.deliver(this.listener);
  }

  /**
   * The same while this thread goes on: workers write a second palette, which is shown once the promise resolves. Until then
   * the crowd must not be changed. Without workers the work is done before the call returns.
   * @throws StateError if the update before has not ended
   */
  async updateAsync(dt: number): Promise<void> {
    this.#assertAlive();
    atLeastZero("dt", dt);
    this.#playback.promote(dt);
    this.#frame.advance(dt);
    this.#playback.sweep();
    this.#isBusy = true;
    try {
      await this.#frame.poseBeside();
    } finally {
      this.#isBusy = false;
    }
    if (this.listener !== null) this.#frame.deliver(this.listener);
  }

  /** Bounding box of what a character shows, from its latest pose; deforms are left out. Width -Infinity: it shows nothing. */
  bounds(id: number): Box {
    const row = this.#instances.ids.row(id);
    return this.#ask().bounds(row, this.#skinOf(row));
  }

  /** The ids of the characters that are at a point in world coordinates, the last row first: see `Probe.contains`. */
  hitTest(x: number, y: number): number[] {
    const hits: number[] = [];
    for (let row = this.count - 1; row >= 0; row--) {
      if (this.#ask().contains(row, this.#skinOf(row), x, y)) hits.push(this.#instances.ids.id(row));
    }
    return hits;
  }

  /**
   * Hands a character over to a Skeleton and an AnimationState of its own, which go on where it is. The character stays in the
   * crowd, hidden and at rest, until `demote` or `despawn`. Dispose the skeleton yourself.
   */
  promote(id: number): Promoted {
    const at = this.#find(id);
    const row = this.#instances.ids.row(id);
    const promoted = promote(this.data, at, this.#skinOf(row), this.#instances, this.#clips, this.#variants.physicsBytes);
    this.#show(id, at, false);
    return promoted;
  }

  /** Takes a character back from a Skeleton and its AnimationState, where they are now: tracks 0 and 1, one cross-fade. */
  demote(id: number, promoted: Promoted): void {
    const at = this.#find(id);
    this.#playback.clearQueue(id);
    demote(at, promoted, this.#instances, this.#clips, this.#playback, this.#variants.physicsBytes);
    this.setSkin(id, promoted.skeleton.skin);
    this.#show(id, at, true);
  }

  /** Everything about the characters as bytes: a restored crowd goes on bit for bit as this one would have. */
  snapshot(): ArrayBuffer {
    this.#assertAlive();
    const instances = this.#instances;
    const parts = {
      count: this.count, ids: instances.ids.save(), queues: this.#playback.queues,
      variants: this.#variants.variants.map(({ skin, detail }) => ({ skin: skin?.name ?? null, detail })),
    };
    return writeSnapshot(this.#shape(), parts, (row) => instances.at(row), (row) => [
      instances.palettePtr + row * instances.stride, instances.slotsPtr + row * instances.slotsStride,
      instances.slidersPtr + row * instances.slidersStride,
    ]);
  }

  /**
   * Puts the characters back to where a snapshot of this rig, taken with the same options, was made.
   * @throws FormatError if it is no such snapshot; then nothing has changed
   */
  restore(snapshot: ArrayBuffer): void {
    this.#assertAlive();
    const shape = this.#shape();
    const open = openSnapshot(snapshot, shape);
    const variants = open.variants.map(({ skin, detail }) => this.#variants.index(skin, detail));
    const instances = this.#instances;
    instances.reserve(Math.max(open.ids.generationOfSlot.length, open.count));
    for (let row = 0; row < this.count; row++) {
      const at = instances.at(row);
      this.#playback.release(instances.ids.id(row), at);
      this.#levels.release(at);
      const physics = heap.u32[(at + InstanceField.PHYSICS) >> 2]!;
      if (physics !== 0) this.#physics!.give(physics);
    }
    instances.ids.restore(open.ids);
    const queues = new Map(open.queues);
    let from = open.bodyAt;
    const take = (to: number, bytes: number): void => {
      heap.u8.set(open.bytes.subarray(from, from + bytes), to);
      from += bytes;
    };
    for (let row = 0; row < open.count; row++) {
      const at = instances.at(row);
      take(at, INSTANCE_BYTES);
      const id = instances.ids.id(row);
      const variant = heap.u32[(at + InstanceField.VARIANT) >> 2]!;
      heap.u32[(at + InstanceField.VARIANT) >> 2] = variants[variant]!;
      // In the order of `#shape`: physics and poses first, then what the playback owns.
      const hasPhysics = heap.u32[(at + InstanceField.PHYSICS) >> 2] !== 0;
      const physics = hasPhysics ? this.#physics!.take() : 0;
      heap.u32[(at + InstanceField.PHYSICS) >> 2] = physics;
      if (hasPhysics) take(physics, this.#variants.physicsBytes);
      if (heap.u32[(at + InstanceField.BETWEEN) >> 2] !== 0) take(this.#levels.takeBetween(at), this.#levels.betweenBytes);
      this.#playback.adopt(id, at, queues.get(id), (field, ptr) => take(ptr, shape.owned.find((owned) => owned.field === field)!.bytes));
      take(instances.palettePtr + row * instances.stride, instances.stride);
      take(instances.slotsPtr + row * instances.slotsStride, instances.slotsStride);
      take(instances.slidersPtr + row * instances.slidersStride, instances.slidersStride);
    }
    this.#frame.order.invalidate();
  }

  /**
   * Resamples clips into palette rows, which play several times faster than they are sampled, for every skin that characters
   * have by now. Replaces what was baked before. Jumps at rows stay jumps. Poses are those of the clip at the origin with scale
   * 1, placed and scaled: physics is that of a character that stays where it is, and constraints that
   * measure lengths along paths or read world positions see that place and scale. Characters that mix are posed exactly.
   * @returns a report per skin and animation; a clip whose measured error is above `maxError` stays exact
   * @throws NameError for an unknown animation
   */
  bake(options: BakeOptions = {}): BakedClip[] {
    this.#assertAlive();
    const { rate = 30, format = "float32" } = options;
    const maxError = options.maxError ?? 0.005 * Math.max(this.data.width, this.data.height, 1);
    if (!(rate > 0 && rate <= 1000)) throw new RangeMismatchError("rate", rate, 0, 1000, "Give rows per second.");
    atLeastZero("maxError", maxError);
    const animations = options.animations ?? this.data.animations.map((animation) => animation.name);
    for (const name of animations) this.#clips.index(name);
    return this.#variants.bake(this.#clips.animations, { rate, maxError, format, animations });
  }

  /** Goes back to exact sampling of all clips. */
  unbake(): void {
    this.#assertAlive();
    this.#variants.unbake();
  }

  /** Frees the crowd's memory. Safe to call twice. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#assertAlive();
    disposedByHand(this);
    this.#probe?.dispose();
    this.#frame.dispose();
    this.#variants.dispose();
    for (const ptr of this.#blocks) heap.free(ptr);
    this.#blocks.length = 0;
    this.#isDisposed = true;
    this.data._rig.leave(this);
  }

  /** Address of the record of a row. @internal */
  _recordOf(row: number): number {
    return this.#instances.at(row);
  }

  /** What characters have looked like, by the variant numbers of their records. @internal */
  get _variants(): readonly Variant[] {
    return this.#variants.variants;
  }

  /** Slots that a variant never shows. @internal */
  _skippedSlots(variant: number): ReadonlySet<number> {
    return this.#variants.skippedSlots(variant);
  }

  /** The tables of clips. @internal */
  get _clips(): ClipTable {
    return this.#clips;
  }

  /** Sliders that key more than numbers. @internal */
  get _sliders(): SliderTable {
    return this.#sliders;
  }

  /** Address of what they did to the character in a row. @internal */
  _sliderStates(row: number): number {
    return this.#instances.slidersPtr + row * this.#instances.slidersStride;
  }

  /** Address of the block that describes the crowd to kernels, brought up to date. @internal */
  _describe(): number {
    this.#assertAlive();
    this.#frame.writeAddresses();
    return this.#frame.crowd;
  }

  /** The probe, made when it is first asked. */
  #ask(): Probe {
    this.#assertAlive();
    return (this.#probe ??= new Probe(this.data, this.#instances, this.#drawables.drawables));
  }

  #skinOf(row: number): Skin | null {
    return this.#variantOf(this.#instances.at(row)).skin;
  }

  #variantOf(at: number): Variant {
    return this.#variants.variants[heap.u32[(at + InstanceField.VARIANT) >> 2]!]!;
  }

  #shape(): SnapshotShape {
    const { rotations, frozen, shapes } = this.#playback.ownedBytes;
    return {
      boneCount: this.boneCount, clipCount: this.#clips.count, skinNames: new Set(this.data.skins.map((skin) => skin.name)), rowBytes: [this.#instances.stride, this.#instances.slotsStride, this.#instances.slidersStride],
      owned: [
        { field: InstanceField.PHYSICS, bytes: this.#variants.physicsBytes },
        { field: InstanceField.BETWEEN, bytes: this.#levels.betweenBytes },
        { field: InstanceField.ROTATIONS, bytes: rotations },
        { field: InstanceField.OVERLAY_ROTATIONS, bytes: rotations },
        { field: InstanceField.FROZEN, bytes: frozen },
        { field: InstanceField.FROZEN_SHAPES, bytes: shapes },
      ],
      deformLengths: this.#clips.shapes.targets.map(({ length }) => length),
    };
  }

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
    if (this.#isDisposed) throw new DisposedError("Crowd");
    if (this.#isBusy) throw new StateError("The crowd is being posed by updateAsync. Await it before changing anything.");
  }
}
