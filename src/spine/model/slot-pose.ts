import { SlotRow } from "../../../assembly/layout/rig2d.js";
import { heap } from "../../wasm/heap.js";
import type { Attachment } from "../attachments/attachment.js";
import { attachmentRecord } from "../attachments/record.js";
import { NO_BASE, setupEdits, type PoseStore } from "../pose-store.js";
import type { RigShape } from "../rig-shape.js";
import { Color, PoseColor, SetupColor } from "../utils/color.js";
import { deformList } from "./deform-list.js";
import type { Pose } from "./posed.js";

/** A store that owns deform blocks: its list of blocks is what is freed with it. @internal */
export interface DeformStore extends PoseStore {
  readonly _blocks: number[];
  readonly _shape: RigShape;
}

/**
 * Pose of a slot. The pose of a skeleton's slot is a window on the skeleton's block in linear memory; a pose made with
 * `new SlotPose()`, like those of setup data, keeps its values itself.
 */
export class SlotPose implements Pose {
  /** Tint of the attachment; the light colour where `darkColor` is set. */
  readonly color: Color;
  /** @internal */
  readonly _store: DeformStore | null;
  /** @internal First row in the block. */
  readonly _row: number;
  /** @internal Index of the first row in `heap.f32`. */
  _at: number;
  #dark: Color | null = null;
  #attachment: Attachment | null = null;
  #sequenceIndex = 0;
  /** The values of a pose that keeps them itself; else the list that shows them, null until it is asked for. */
  #deform: number[] | null = null;
  readonly #setup: boolean;
  /** Index of the deform block in the store's list, 0 for none. */
  #deformBlock = 0;

  constructor();
  /** @internal */
  constructor(store: DeformStore | undefined, row: number, hasDark: boolean, isSetup?: boolean);
  constructor(store?: DeformStore, row = 0, hasDark = false, isSetup = false) {
    this._store = store ?? null;
    this._row = row;
    this._at = store === undefined ? 0 : store._base + row;
    if (store !== undefined) this.color = new PoseColor(store, row + SlotRow.R, true);
    else this.color = isSetup ? new SetupColor(1, 1, 1, 1) : new Color(1, 1, 1, 1);
    this.#setup = isSetup;
    if (hasDark) this.#dark = this.#newDark();
  }

  /** @internal */
  static _setupPose(): SlotPose {
    return new SlotPose(undefined, 0, false, true);
  }

  #newDark(): Color {
    return this._store === null ? new Color(1, 1, 1, 1) : new PoseColor(this._store, this._row + SlotRow.DARK_R, false);
  }

  /** Dark colour of two-colour tinting, null if the slot has none. Its alpha is not used. */
  get darkColor(): Color | null {
    return this.#dark;
  }
  set darkColor(value: Color | null) {
    if (value === null) {
      this.#dark = null;
    } else if (this._store !== null) {
      this.#dark ??= this.#newDark();
      this.#dark.setFromColor(value);
    } else {
      this.#dark = this.#setup ? new SetupColor(value.r, value.g, value.b, value.a) : value;
    }
    if (this.#setup) setupEdits.count++;
  }

  /**
   * The attachment shown, null for none. Assigning it changes nothing else; `setAttachment` also drops what belonged to the
   * attachment before.
   */
  get attachment(): Attachment | null {
    return this.#attachment;
  }
  set attachment(value: Attachment | null) {
    this.#attachment = value;
    if (this._store !== null) {
      // The record is made first: that may move the views.
      const record = attachmentRecord(value);
      heap.u32[this._at + SlotRow.ATTACHMENT] = record;
      heap.u32[this._store._base + this._store._shape.shownRow(this._row)] = record;
      heap.u32[this._at + SlotRow.ATTACHMENT_KEY] = value === null ? 0 : value._key;
    }
  }

  /** Index of the region shown if the attachment has a sequence; -1 for the setup index of the sequence. */
  get sequenceIndex(): number {
    return this._store === null ? this.#sequenceIndex : heap.i32[this._at + SlotRow.SEQUENCE]!;
  }
  set sequenceIndex(value: number) {
    if (this._store !== null) {
      heap.i32[this._at + SlotRow.SEQUENCE] = value;
      return;
    }
    this.#sequenceIndex = value;
    if (this.#setup) setupEdits.count++;
  }

  /**
   * Deform values: without weights a local position for each vertex, with weights an offset for each influence; empty for
   * none. Values are single precision. An array that is assigned is copied.
   */
  get deform(): number[] {
    return (this.#deform ??= this._store === null ? [] : deformList(this));
  }
  set deform(values: ArrayLike<number>) {
    if (this._store === null) {
      this.#deform = Array.from(values);
      return;
    }
    // Setting the length may move what the values are read from.
    const source = Array.from(values);
    const start = this._setDeformLength(source.length) >> 2;
    const f32 = heap.f32;
    for (let i = 0; i < source.length; i++) f32[start + i] = source[i]!;
  }

  /** Number of deform values; 0 if the attachment is not deformed. @internal */
  get _deformLength(): number {
    return this._store === null ? (this.#deform?.length ?? 0) : heap.i32[this._at + SlotRow.DEFORM_COUNT]!;
  }

  /**
   * Sets the number of deform values, with room for them.
   * @returns address of the values; what lies behind the old ones is undefined
   * @internal
   */
  _setDeformLength(count: number): number {
    const ptr = this._reserveDeform(count);
    heap.i32[this._at + SlotRow.DEFORM_COUNT] = count;
    return ptr;
  }

  /** Makes room for `count` deform values and leaves their number. @returns address of the values @internal */
  _reserveDeform(count: number): number {
    const store = this._store!;
    const at = this._at;
    if (heap.i32[at + SlotRow.DEFORM_CAPACITY]! >= count) return heap.u32[at + SlotRow.DEFORM]!;
    const capacity = (count + 3) & ~3;
    let ptr: number;
    if (this.#deformBlock === 0) {
      ptr = heap.alloc(capacity * 4);
      this.#deformBlock = store._blocks.length;
    } else {
      ptr = heap.realloc(store._blocks[this.#deformBlock]!, capacity * 4);
    }
    store._blocks[this.#deformBlock] = ptr;
    heap.u32[at + SlotRow.DEFORM] = ptr;
    heap.i32[at + SlotRow.DEFORM_CAPACITY] = capacity;
    return ptr;
  }

  getAttachment(): Attachment | null {
    return this.#attachment;
  }

  /**
   * Shows an attachment. Unless it is the one shown already, the sequence index becomes -1, and deform values are dropped
   * if the two do not share their timelines.
   */
  setAttachment(attachment: Attachment | null): void {
    const before = this.#attachment;
    if (before === attachment) return;
    if (!sharesTimelines(before, attachment)) this.#clearDeform();
    this.attachment = attachment;
    this.sequenceIndex = -1;
  }

  #clearDeform(): void {
    if (this._store === null) this.#deform = [];
    else heap.i32[this._at + SlotRow.DEFORM_COUNT] = 0;
  }

  /** The block is gone: reads give undefined, writes nothing. @internal */
  _detach(): void {
    this._at = NO_BASE;
    (this.color as PoseColor)._at = NO_BASE;
    if (this.#dark !== null) (this.#dark as PoseColor)._at = NO_BASE;
  }

  /** Takes over all values of another pose; the dark colour only if both have one. */
  set(pose: SlotPose): void {
    this.color.setFromColor(pose.color);
    const dark = pose.darkColor;
    if (this.#dark !== null && dark !== null) this.#dark.setFromColor(dark);
    if (this.#attachment !== pose.#attachment) this.attachment = pose.#attachment;
    this.sequenceIndex = pose.sequenceIndex;
    const count = pose._deformLength;
    if (count === 0) this.#clearDeform();
    else if (this._store === null || pose._store === null) this.deform = pose.deform;
    else {
      const to = this._setDeformLength(count) >>> 2;
      const from = heap.u32[pose._at + SlotRow.DEFORM]! >>> 2;
      heap.f32.copyWithin(to, from, from + count);
    }
  }
}

/** Whether deform values made for one attachment fit the other. */
function sharesTimelines(a: Attachment | null, b: Attachment | null): boolean {
  return a !== null && b !== null && "vertices" in a && "vertices" in b && a.timelineAttachment === b.timelineAttachment;
}
