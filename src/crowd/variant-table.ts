import { VARIANT_BYTES, VariantField } from "../../assembly/layout/crowd.js";
import { BONE_LOCAL_ROWS, CONSTRAINT_ROWS, HeaderRow, SLOT_ROWS, SlotRow } from "../../assembly/layout/rig2d.js";
import { PHYSICS_STATE_ROWS, PhysicsStateRow, SCRATCH_HEADER_BYTES } from "../../assembly/layout/update.js";
import { ArgumentError, NameError } from "../errors.js";
import type { Animation } from "../spine/animation.js";
import { attachmentRecord } from "../spine/attachments/record.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { Bone } from "../spine/model/bone.js";
import { Skeleton } from "../spine/model/skeleton.js";
import { Skin } from "../spine/model/skin.js";
import { Slot } from "../spine/model/slot.js";
import { crowdProgramOf, isKernel, type UpdateProgram } from "../spine/update/program.js";
import { heap } from "../wasm/heap.js";
import { rig2d } from "../wasm/rig2d.js";
import { type Bake, type BakedClip, bakeClip } from "./bake.js";
import { shown } from "./checks.js";
import type { Detail } from "./detail.js";
import type { DrawableTable } from "./drawable-table.js";
import type { SliderTable } from "./slider-table.js";

const FIRST_CAPACITY = 8;

/** What tells a variant from others. */
export interface Variant {
  readonly skin: Skin | null;
  /** Whether everything takes part, or what the crowd knows as detail is left out. */
  readonly detail: boolean;
}

/**
 * Variants of a rig: what characters with one skin and level of detail share. The update program, the setup pose of four lanes with the skin's
 * attachments in place, and the rows that the program writes besides its channels. Made when a skin is first used.
 */
export class VariantTable {
  readonly #data: SkeletonData;
  readonly #blocks: number[];
  readonly #drawables: DrawableTable;
  readonly #sliders: SliderTable;
  readonly #detail: Detail;
  /** Variants with all detail, and those without. */
  readonly #full = new Map<Skin | null, number>();
  readonly #reduced = new Map<Skin | null, number>();
  /** Programs live as long as somebody holds them. */
  readonly #programs: UpdateProgram[] = [];
  readonly #variants: Variant[] = [];
  readonly #baked: number[] = [];
  #ptr: number;
  #capacity = FIRST_CAPACITY;
  /** Physics constraints of the rig. */
  readonly physicsCount: number;
  /** Bytes of the physics state of one character, 0 without physics. */
  readonly physicsBytes: number;

  /** @param blocks - what the table takes is added; the crowd frees it */
  constructor(data: SkeletonData, drawables: DrawableTable, sliders: SliderTable, detail: Detail, blocks: number[]) {
    this.#data = data;
    this.#sliders = sliders;
    this.#detail = detail;
    this.#blocks = blocks;
    this.#drawables = drawables;
    this.#ptr = heap.alloc(FIRST_CAPACITY * VARIANT_BYTES);
    const skeleton = new Skeleton(data);
    this.physicsCount = skeleton.physics.length;
    skeleton.dispose();
    this.physicsBytes = this.physicsCount * PHYSICS_STATE_ROWS * 4;
  }

  /** Address of the variants; moves when a new skin comes. */
  get ptr(): number {
    return this.#ptr;
  }

  get count(): number {
    return this.#variants.length;
  }

  /** Skin of a variant. */
  skin(index: number): Skin | null {
    return this.#variants[index]!.skin;
  }

  /** All variants, in order. */
  get variants(): readonly Variant[] {
    return this.#variants;
  }

  /** Slots that a variant never shows. */
  skippedSlots(index: number): ReadonlySet<number> {
    return this.#variants[index]!.detail ? NO_SLOTS : this.#detail.slots;
  }

  /**
   * Number of the variant of a skin, with or without detail.
   * @throws NameError for an unknown name, ArgumentError for what is no skin or has pictures that the data did not have when the crowd
   *   was made
   */
  index(skinOrName: Skin | string | null, detail = true): number {
    if (skinOrName !== null && typeof skinOrName !== "string" && !(skinOrName instanceof Skin)) {
      throw new ArgumentError(`skin is ${shown(skinOrName)}, expected the name of a skin, a Skin or null.`, { found: skinOrName });
    }
    const skin = typeof skinOrName === "string" ? this.#skinNamed(skinOrName) : skinOrName;
    const isFull = detail || this.#detail.isEmpty;
    return (isFull ? this.#full : this.#reduced).get(skin) ?? this.#add(skin, isFull);
  }

  /** Uses baked clips for every variant there is; others stay exact. Replaces what was baked before. */
  bake(animations: readonly Animation[], options: Bake): BakedClip[] {
    const wanted = options.skins === null ? null : new Set(options.skins.map((skin) => this.skin(this.index(skin))));
    if (wanted === null && this.count === 0) this.index(null);
    this.unbake();
    const reports: BakedClip[] = [];
    this.#variants.forEach((variant, index) => {
      if (wanted !== null && !wanted.has(variant.skin)) return;
      const table = heap.alloc(Math.max(1, animations.length) * 4);
      this.#baked.push(table);
      animations.forEach((animation, clip) => {
        if (!options.animations.includes(animation.name)) return;
        const { report, ptr } = bakeClip(this.#data, animation, options, (skeleton) => this.#dress(skeleton, variant), this.#baked);
        heap.u32[(table >> 2) + clip] = ptr;
        reports.push({ ...report, skin: variant.skin?.name ?? null, detail: variant.detail });
      });
      heap.u32[(this.#ptr + index * VARIANT_BYTES + VariantField.BAKED) >> 2] = table;
    });
    return reports;
  }

  /** Goes back to exact sampling. */
  unbake(): void {
    for (let index = 0; index < this.count; index++) heap.u32[(this.#ptr + index * VARIANT_BYTES + VariantField.BAKED) >> 2] = 0;
    for (const ptr of this.#baked) heap.free(ptr);
    this.#baked.length = 0;
  }

  /** Puts a character's physics at rest: its next pose only records where it is. @param ptr - its state, 0 for none */
  restPhysics(ptr: number, skeletonTime: number): void {
    if (ptr === 0) return;
    for (let i = 0; i < this.physicsCount; i++) restState(ptr + i * PHYSICS_STATE_ROWS * 4, skeletonTime);
  }

  /** Takes a character's physics along to another place. */
  movePhysics(ptr: number, dx: number, dy: number): void {
    if (ptr === 0) return;
    for (let i = 0; i < this.physicsCount; i++) rig2d.kernels.translatePhysics(ptr + i * PHYSICS_STATE_ROWS * 4, -dx, -dy);
  }

  /** Puts the physics that is detail at rest. */
  restDetailPhysics(ptr: number, skeletonTime: number): void {
    if (ptr === 0) return;
    for (const i of this.#detail.physics) restState(ptr + i * PHYSICS_STATE_ROWS * 4, skeletonTime);
  }

  dispose(): void {
    this.unbake();
    if (this.#ptr !== 0) heap.free(this.#ptr);
    this.#ptr = 0;
  }

  #skinNamed(name: string): Skin {
    const skin = this.#data.findSkin(name);
    if (skin !== null) return skin;
    const names = this.#data.skins.map((other) => `"${other.name}"`).join(", ");
    throw new NameError(`There is no skin "${name}". The skins are: ${names === "" ? "none" : names}.`, { found: name });
  }

  /** Puts a skeleton into the setup pose of a variant. */
  #dress(skeleton: Skeleton, { skin, detail }: Variant): void {
    skeleton.setSkin(skin);
    skeleton.setupPose();
    if (!detail) for (const index of this.#detail.constraints) skeleton.constraints[index]!.isSourceActive = () => false;
    skeleton.updateCache();
  }

  #add(skin: Skin | null, detail: boolean): number {
    const index = this.count;
    const variant = { skin, detail };
    const skipped = detail ? NO_SLOTS : this.#detail.slots;
    if (skin !== null && !this.#data.skins.includes(skin)) this.#drawables.checkSkin(skin);
    if (index === this.#capacity) {
      this.#capacity *= 2;
      this.#ptr = heap.realloc(this.#ptr, this.#capacity * VARIANT_BYTES);
    }
    // A skeleton in the setup pose of this skin knows everything that is needed.
    const skeleton = new Skeleton(this.#data);
    try {
      this.#dress(skeleton, variant);
      const foreign = skeleton.constraints.find((constraint) => constraint.active && !isKernel(constraint));
      if (foreign !== undefined) {
        throw new ArgumentError(`Constraint "${foreign.data.name}" is of a class of your own, which a crowd cannot run. Use Skeletons.`);
      }
      const program = crowdProgramOf(skeleton);
      this.#programs.push(program);
      const setup = this.#setupLanes(skeleton);
      const resets = this.#resets(skeleton);
      const drawables = this.#drawables.setupOf(skeleton, skipped);
      const placeholders = this.#drawables.placeholdersOf(skeleton, skipped);
      const records = this.#drawables.recordsOf(skeleton);
      const { u32 } = heap;
      const at = (this.#ptr + index * VARIANT_BYTES) >> 2;
      u32[at + (VariantField.PROGRAM >> 2)] = program.address;
      u32[at + (VariantField.SETUP_LANES >> 2)] = setup;
      u32[at + (VariantField.RESETS >> 2)] = resets.ptr;
      u32[at + (VariantField.RESET_COUNT >> 2)] = resets.count;
      u32[at + (VariantField.SETUP_DRAWABLES >> 2)] = drawables;
      u32[at + (VariantField.PLACEHOLDERS >> 2)] = placeholders;
      u32[at + (VariantField.RECORDS >> 2)] = records;
      u32[at + (VariantField.BAKED >> 2)] = 0;
      u32[at + (VariantField.SLIDERS_SHOW >> 2)] = Number(this.#slidersShow(skeleton));
    } finally {
      skeleton.dispose();
    }
    (detail ? this.#full : this.#reduced).set(skin, index);
    this.#variants.push(variant);
    return index;
  }

  /** Whether sliders that are active in a skeleton change what slots show: by keys of any kind, colours too. */
  #slidersShow(skeleton: Skeleton): boolean {
    const isCalled = this.#sliders.uses.some(({ data }) => skeleton.constraints.some((constraint) => constraint.data === data && constraint.active));
    return isCalled || skeleton.resetCache.some((object) => object instanceof Slot);
  }

  /** Setup values of one lane, four times side by side. */
  #setupLanes(skeleton: Skeleton): number {
    const { rows } = this.#data._rig.shape;
    const setup = this.#data._rig.setupPtr >> 2;
    const ptr = heap.alloc(rows * 16);
    this.#blocks.push(ptr);
    const records = skeleton.slots.map((slot) => attachmentRecord(slot.pose.attachment));
    const { u32 } = heap;
    const lanes = ptr >> 2;
    for (let row = 0; row < rows; row++) u32.fill(u32[setup + row]!, lanes + row * 4, lanes + row * 4 + 4);
    skeleton.slots.forEach((slot, i) => {
      const row = lanes + this.#data._rig.shape.slotRow(i) * 4;
      u32.fill(records[i]!, row + SlotRow.ATTACHMENT * 4, row + SlotRow.ATTACHMENT * 4 + 4);
      heap.i32.fill(slot.pose.sequenceIndex, row + SlotRow.SEQUENCE * 4, row + SlotRow.SEQUENCE * 4 + 4);
    });
    heap.f32.fill(1, lanes + HeaderRow.R * 4, lanes + HeaderRow.A * 4 + 4);
    return ptr;
  }

  /** Rows that constraints change: local values of bones, poses of slots and constraints. */
  #resets(skeleton: Skeleton): { ptr: number; count: number } {
    const { shape } = this.#data._rig;
    const ranges: number[] = [];
    for (const object of skeleton.resetCache) {
      if (object instanceof Bone) ranges.push(shape.boneRow(object.data.index), BONE_LOCAL_ROWS);
      else if (object instanceof Slot) ranges.push(shape.slotRow(object.data.index), SLOT_ROWS);
      else ranges.push(shape.constraintRow(skeleton.constraints.indexOf(object as never)), CONSTRAINT_ROWS);
    }
    // A slider that a bone drives writes its own time.
    skeleton.constraints.forEach((constraint, i) => {
      if ("animation" in constraint.data) ranges.push(shape.constraintRow(i), CONSTRAINT_ROWS);
    });
    const ptr = heap.alloc(Math.max(1, ranges.length) * 4);
    this.#blocks.push(ptr);
    heap.u32.set(ranges, ptr >> 2);
    return { ptr, count: ranges.length / 2 };
  }
}

const NO_SLOTS: ReadonlySet<number> = /* @__PURE__ */ new Set();

function restState(state: number, skeletonTime: number): void {
  heap.u8.fill(0, state, state + PHYSICS_STATE_ROWS * 4);
  heap.i32[(state >> 2) + PhysicsStateRow.PENDING] = 1;
  heap.f64[(state + PhysicsStateRow.LAST_TIME * 4) >> 3] = skeletonTime;
}

/** Scratch that the kernels get before they ask for more. */
export const FIRST_UPDATE_SCRATCH_BYTES = 4096 + SCRATCH_HEADER_BYTES;
