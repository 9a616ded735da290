import { InstanceField, PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import { ArgumentError, DisposedError, RangeMismatchError, StateError } from "../errors.js";
import { SkeletonData } from "../spine/data/skeleton-data.js";
import type { Skin } from "../spine/model/skin.js";
import { heap } from "../wasm/heap.js";
import { atLeastZero, checkOptions, finite, flag, shown } from "./checks.js";
import type { ClipTable } from "./clip-table.js";
import type { Crowd } from "./crowd.js";
import type { Drawable } from "./drawable-table.js";
import { MAXIMUM_SLOTS } from "./id-table.js";
import { CROWD_OPTIONS, type CrowdOptions } from "./options.js";
import { CrowdParts } from "./parts.js";
import { type Box, Probe } from "./probe.js";
import { RowView } from "./row-view.js";
import type { SliderTable } from "./slider-table.js";
import type { Variant } from "./variant-table.js";

/** What can be asked of a crowd. See `Crowd`. */
export abstract class CrowdView {
  readonly data: SkeletonData;
  /** Seconds of the cross-fade that `play` starts when it is not told. */
  defaultMix: number;

  /** @internal */
  readonly _parts: CrowdParts;
  /** An asynchronous update is running. @internal */
  _isBusy = false;
  /** Seconds by which clocks are ahead of what is shown, while it is posed by updateAsync. @internal */
  _ahead = 0;
  /** @internal */
  _isDisposed = false;
  /** @internal */
  _probe: Probe | null = null;
  readonly #palette = new RowView<Float32Array>(new Float32Array(0), (first, last) => heap.f32.subarray(first, last));
  readonly #slots = new RowView<Uint32Array>(new Uint32Array(0), (first, last) => heap.u32.subarray(first, last));

  /**
   * @param data - the rig; its animations and skins must not change while the crowd lives
   * @throws ArgumentError, RangeMismatchError for options that make no sense
   */
  constructor(data: SkeletonData, options: CrowdOptions = {}) {
    if (!(data instanceof SkeletonData)) {
      throw new ArgumentError(`The data of a crowd are ${shown(data)}. Give a SkeletonData that a loader of osteon made.`, { found: data });
    }
    checkOptions("new Crowd", options, CROWD_OPTIONS);
    flag("grow", options.grow ?? true);
    flag("slots", options.slots ?? false);
    const capacity = options.capacity ?? 1024;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAXIMUM_SLOTS) {
      throw new RangeMismatchError("capacity", capacity, 1, MAXIMUM_SLOTS, "Give the number of characters to make room for.");
    }
    this.data = data;
    this.defaultMix = atLeastZero("defaultMix", options.defaultMix ?? 0);
    this._parts = new CrowdParts(this, data, capacity, options);
  }

  /**
   * Threads that pose besides the caller's, 0 (the default) .. 8. Set it once: they are kept, and spin briefly before they sleep.
   * They start in the background and take part as soon as they are ready; results have the same bits for any number. Without
   * shared memory (a page without cross-origin isolation) a warning says so and the number stays 0.
   * @throws RangeMismatchError outside 0 .. 8
   */
  get workers(): number {
    return this._parts.frame.job.workers;
  }
  set workers(count: number) {
    this._assertAlive();
    this._parts.frame.job.setWorkers(count);
  }

  /** Workers that have started and take part. */
  get readyWorkers(): number {
    return this._parts.frame.job.readyWorkers;
  }

  /** Living characters; 0 once the crowd is disposed. */
  get count(): number {
    return this._isDisposed ? 0 : this._parts.instances.count;
  }

  /** Characters that fit without growing. */
  get capacity(): number {
    return this._parts.instances.ids.capacity;
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
    this._assertUsable();
    return this.#palette.at(this._parts.instances.palettePtr, (this.count * this._parts.instances.stride) >> 2);
  }

  /**
   * What every character shows: `count x slotCount x 3` words, row by row and slot by slot: light colour with the tint
   * (0xAABBGGRR), dark colour (0x00BBGGRR), drawable in the low half (0: nothing, else `drawables[n - 1]`) and, in the high
   * half, the slot that is drawn at this place of the draw order. Valid as long as `palette`.
   * @throws StateError unless the crowd was created with `slots: true`
   */
  get slots(): Uint32Array {
    this._assertUsable();
    if (this._parts.instances.slotsStride === 0) {
      throw new StateError("This crowd keeps no slot states. Create it with { slots: true }.");
    }
    return this.#slots.at(this._parts.instances.slotsPtr, (this.count * this._parts.instances.slotsStride) >> 2);
  }

  /** What characters can show; drawable n of a slot state is item n - 1. */
  get drawables(): readonly Drawable[] {
    return this._parts.drawables.drawables;
  }

  /** Whether the id names a living character of this crowd. */
  has(id: number): boolean {
    return !this._isDisposed && this._parts.instances.ids.has(id);
  }

  /** Place of a character in `palette`. Moves when another character despawns. @throws StaleIdError */
  row(id: number): number {
    this._assertUsable();
    return this._parts.instances.ids.row(id);
  }

  /** Id of the character in a row, 0 .. count - 1. */
  idAt(row: number): number {
    this._assertUsable();
    if (!Number.isInteger(row) || row < 0 || row >= this.count) throw new RangeMismatchError("row", row, 0, this.count - 1);
    return this._parts.instances.ids.id(row);
  }

  /** Whether a character has all detail. @throws StaleIdError */
  hasDetail(id: number): boolean {
    this._assertUsable();
    return this._variantOf(this._parts.instances.find(id)).detail;
  }

  /** World matrix of one bone: `[a, b, c, d, worldX, worldY]` into `out`. */
  bone(id: number, boneIndex: number, out: Float32Array | number[]): void {
    const row = this.row(id);
    if (typeof out !== "object" || out === null) throw new ArgumentError(`out is ${shown(out)}, expected an array for six numbers.`, { found: out });
    if (!Number.isInteger(boneIndex) || boneIndex < 0 || boneIndex >= this.boneCount) {
      throw new RangeMismatchError("boneIndex", boneIndex, 0, this.boneCount - 1, "Look the index up with data.findBone(name).index.");
    }
    const at = ((this._parts.instances.palettePtr + row * this._parts.instances.stride) >> 2) + boneIndex * PALETTE_FLOATS;
    for (let i = 0; i < PALETTE_FLOATS; i++) out[i] = heap.f32[at + i]!;
  }

  /**
   * Bounding box of what a character shows, from its latest pose; clipping is left out. Width -Infinity: it shows nothing, because it is
   * hidden or was not posed yet. A crowd without `slots` has to work out what its characters show when it is asked.
   */
  bounds(id: number): Box {
    this._assertAlive();
    return this.#ask().bounds(this.row(id));
  }

  /**
   * The ids of the characters that are at a point in world coordinates, the last row first: whose bounding box attachments contain it, or,
   * for those that show none, whose `bounds` do.
   */
  hitTest(x: number, y: number): number[] {
    this._assertAlive();
    finite("x", x);
    finite("y", y);
    const hits: number[] = [];
    for (let row = this.count - 1; row >= 0; row--) {
      if (this.#ask().contains(row, x, y)) hits.push(this._parts.instances.ids.id(row));
    }
    return hits;
  }

  /** Address of the record of a row. @internal */
  _recordOf(row: number): number {
    return this._parts.instances.at(row);
  }

  /** What characters have looked like, by the variant numbers of their records. @internal */
  get _variants(): readonly Variant[] {
    return this._parts.variants.variants;
  }

  /** Slots that a variant never shows. @internal */
  _skippedSlots(variant: number): ReadonlySet<number> {
    return this._parts.variants.skippedSlots(variant);
  }

  /** Whether the crowd keeps slot states. @internal */
  get _keepsSlots(): boolean {
    return this._parts.instances.slotsStride !== 0;
  }

  /** The tables of clips. @internal */
  get _clips(): ClipTable {
    return this._parts.clips;
  }

  /** Sliders that key more than numbers. @internal */
  get _sliders(): SliderTable {
    return this._parts.sliders;
  }

  /** Address of what they did to the character in a row. @internal */
  _sliderStates(row: number): number {
    return this._parts.instances.slidersPtr + row * this._parts.instances.slidersStride;
  }

  /** Address of the block that describes the crowd to kernels, brought up to date. @internal */
  _describe(): number {
    this._assertAlive();
    this._parts.frame.writeAddresses();
    return this._parts.frame.crowd;
  }

  /** The probe, made when it is first asked. */
  #ask(): Probe {
    this._assertAlive();
    return (this._probe ??= new Probe(this as unknown as Crowd));
  }

  /** Skin of the character in a row. @internal */
  _skinOf(row: number): Skin | null {
    return this._variantOf(this._parts.instances.at(row)).skin;
  }

  /** What the character of a record looks like. @internal */
  _variantOf(at: number): Variant {
    return this._parts.variants.variants[heap.u32[(at + InstanceField.VARIANT) >> 2]!]!;
  }

  /** Record of a character that is going to be changed. @internal */
  _find(id: number): number {
    this._assertAlive();
    return this._parts.instances.find(id);
  }

  /** Throws if the crowd is disposed. @internal */
  _assertUsable(): void {
    if (this._isDisposed) throw new DisposedError("Crowd");
  }

  /** Throws unless the crowd can be changed. @internal */
  _assertAlive(): void {
    this._assertUsable();
    if (this._isBusy) throw new StateError("The crowd is being posed by updateAsync. Await it before changing anything.");
  }
}
