import {
  CROWD_BYTES,
  CrowdField,
  DEFORM_CALL_BYTES,
  SLOT_SCRATCH_BYTES,
} from "../../assembly/layout/crowd.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { heap } from "../wasm/heap.js";
import { rig2d } from "../wasm/rig2d.js";
import type { ClipTable } from "./clip-table.js";
import type { SliderTable } from "./slider-table.js";
import type { DrawableTable } from "./drawable-table.js";
import { type CrowdListener, EventRing } from "./event-ring.js";
import { GroupOrder } from "./group-order.js";
import type { Instances } from "./instances.js";
import { PoseJob } from "./pose-job.js";
import { FIRST_UPDATE_SCRATCH_BYTES, type VariantTable } from "./variant-table.js";

/** Wind and gravity of every character: windX, windY, gravityX, gravityY. */
export type Forces = readonly [number, number, number, number];

/** One frame of a crowd: clocks, order of groups, poses, events; and the block that tells kernels where everything is. */
export class Frame {
  readonly order = new GroupOrder();
  readonly job = new PoseJob({ area: rig2d, name: "poseCrowd", chunk: 8, fewest: 32 }, (updateBytes) => this.#scratchBytes(updateBytes));
  /** Address of the block that describes the crowd to kernels. */
  readonly crowd: number;
  readonly data: SkeletonData;
  readonly #instances: Instances;
  readonly #clips: ClipTable;
  readonly #variants: VariantTable;
  readonly #events: EventRing;

  /** @param blocks - what the frame takes is added; the crowd frees it */
  constructor(
    data: SkeletonData,
    instances: Instances,
    clips: ClipTable,
    drawables: DrawableTable,
    variants: VariantTable,
    sliders: SliderTable,
    forces: Forces,
    blocks: number[],
  ) {
    this.data = data;
    this.#instances = instances;
    this.#clips = clips;
    this.#variants = variants;
    this.#events = new EventRing(clips);
    this.crowd = heap.alloc(CROWD_BYTES);
    blocks.push(this.crowd);
    const set = (field: CrowdField, value: number): void => {
      heap.u32[(this.crowd + field) >> 2] = value;
    };
    set(CrowdField.PALETTE_STRIDE, instances.stride);
    set(CrowdField.SLOTS_STRIDE, instances.slotsStride);
    set(CrowdField.CLIPS, clips.ptr);
    set(CrowdField.CLIP_COUNT, clips.count);
    set(CrowdField.FADE_PLANS, clips.plansPtr);
    set(CrowdField.DRAWABLES, drawables.ptr);
    set(CrowdField.DEFORM_BYTES, clips.shapes.pathBytes);
    set(CrowdField.HAS_PATHS, Number(clips.hasPaths));
    set(CrowdField.SLIDER_STRIDE, instances.slidersStride);
    sliders.describe(this.crowd);
    clips.shapes.describe(this.crowd);
    set(CrowdField.ROWS, data._rig.shape.rows);
    set(CrowdField.BONE_COUNT, data.bones.length);
    set(CrowdField.SLOT_COUNT, data.slots.length);
    set(CrowdField.CONSTRAINT_COUNT, data.constraints.length);
    set(CrowdField.PHYSICS_COUNT, variants.physicsCount);
    forces.forEach((force, i) => {
      heap.f32[((this.crowd + CrowdField.WIND_X) >> 2) + i] = force;
    });
  }

  /** Advances the clocks and collects events; comes first. */
  advance(dt: number): void {
    this.writeAddresses();
    this.#events.advance(this.crowd, this.#instances, dt);
  }

  /** Poses everybody. */
  pose(): void {
    this.#sort();
    this.job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    this.job.run(this.crowd, this.order.groupCount);
  }

  /** Poses everybody into the palette that is not shown, then shows it. */
  async poseBeside(): Promise<void> {
    this.#sort();
    this.job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    const instances = this.#instances;
    const at = this.crowd >> 2;
    const palette = instances.otherPalettePtr;
    const { u32 } = heap;
    u32[at + (CrowdField.SHOWN_PALETTE >> 2)] = instances.palettePtr;
    u32[at + (CrowdField.SHOWN_SLOTS >> 2)] = instances.slotsPtr;
    u32[at + (CrowdField.PALETTE >> 2)] = palette;
    u32[at + (CrowdField.SLOTS >> 2)] = instances.otherSlotsPtr;
    try {
      await this.job.runBeside(this.crowd, this.order.groupCount);
    } finally {
      heap.u32[at + (CrowdField.SHOWN_PALETTE >> 2)] = 0;
    }
    instances.swap();
  }

  /** Events of this frame. */
  get events(): EventRing {
    return this.#events;
  }

  /** Tells a listener what happened in this frame. */
  deliver(listener: CrowdListener): void {
    this.#events.deliver(this.crowd, this.#instances, listener);
  }

  /**
   * Writes the pose of a character, as it is now, to a frozen pose.
   * @param shapes - room for frozen deforms, zeroed; 0 for none
   * @returns how many attachments are deformed
   */
  freeze(at: number, frozen: number, shapes: number): number {
    const scratch = this.job.scratch(FIRST_UPDATE_SCRATCH_BYTES);
    this.writeAddresses();
    return rig2d.kernels.freezeInstance(this.crowd, at, scratch, frozen, shapes);
  }

  dispose(): void {
    this.order.dispose();
    this.#events.dispose();
    this.job.dispose();
  }

  #sort(): void {
    if (!this.order.refresh(this.#instances, this.#variants.count, this.#clips.count)) return;
    heap.u32[(this.crowd + CrowdField.ORDER) >> 2] = this.order.ptr;
    heap.u32[(this.crowd + CrowdField.GROUP_COUNT) >> 2] = this.order.groupCount;
  }

  /** Writes the addresses of blocks that may have moved. */
  writeAddresses(): void {
    const { u32 } = heap;
    const at = this.crowd >> 2;
    u32[at + (CrowdField.INSTANCES >> 2)] = this.#instances.ptr;
    u32[at + (CrowdField.COUNT >> 2)] = this.#instances.count;
    u32[at + (CrowdField.PALETTE >> 2)] = this.#instances.palettePtr;
    u32[at + (CrowdField.SLOTS >> 2)] = this.#instances.slotsPtr;
    u32[at + (CrowdField.SLIDER_STATES >> 2)] = this.#instances.slidersPtr;
    u32[at + (CrowdField.VARIANTS >> 2)] = this.#variants.ptr;
  }

  /** Bytes of a scratch block in which the update program has `updateBytes`. */
  #scratchBytes(updateBytes: number): number {
    const { physicsBytes } = this.#variants;
    const perLane = physicsBytes + this.#clips.shapes.pathBytes + this.#lists();
    return this.data._rig.shape.rows * 16 + Math.max(this.#instances.stride + 32, physicsBytes) + perLane * 4 + DEFORM_CALL_BYTES + updateBytes;
  }

  /** Bytes of the lists of what the slots of one lane show. */
  #lists(): number {
    return this.#instances.slotsStride === 0 ? 0 : this.data.slots.length * SLOT_SCRATCH_BYTES;
  }
}
