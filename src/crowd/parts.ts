import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { freeWhenCollected } from "../wasm/finalizer.js";
import { heap } from "../wasm/heap.js";
import { BlockPool } from "./block-pool.js";
import { finite } from "./checks.js";
import { ClipTable } from "./clip-table.js";
import { Detail } from "./detail.js";
import { DrawableTable } from "./drawable-table.js";
import { type Forces, Frame } from "./frame.js";
import { firstBlocks, Instances } from "./instances.js";
import { Levels } from "./levels.js";
import type { CrowdOptions } from "./options.js";
import { OverlayEvents } from "./overlay-events.js";
import { Playback } from "./playback.js";
import { SliderTable } from "./slider-table.js";
import { VariantTable } from "./variant-table.js";

/** What a crowd is made of. */
export class CrowdParts {
  readonly instances: Instances;
  readonly clips: ClipTable;
  readonly sliders: SliderTable;
  readonly drawables: DrawableTable;
  readonly variants: VariantTable;
  readonly frame: Frame;
  readonly playback: Playback;
  readonly overlayEvents: OverlayEvents;
  readonly levels: Levels;
  readonly physics: BlockPool | null;
  /** Blocks freed with the crowd; edited in place. */
  readonly blocks: number[];

  /** @param owner - the crowd, with which the blocks are freed at the latest */
  constructor(owner: object, data: SkeletonData, capacity: number, options: CrowdOptions) {
    const forces: Forces = [options.windX ?? 1, options.windY ?? 0, options.gravityX ?? 0, options.gravityY ?? 1];
    for (const force of forces) finite("wind and gravity", force);
    const detail = new Detail(data, options.detail);
    const blocks = (this.blocks = firstBlocks());
    freeWhenCollected(owner, blocks);
    try {
      const isDrawn = options.slots === true;
      this.clips = new ClipTable(data, isDrawn, blocks);
      this.sliders = new SliderTable(data, this.clips, blocks);
      const slotCount = isDrawn ? data.slots.length : 0;
      const sliderBytes = isDrawn ? this.sliders.stateBytes : 0;
      this.instances = new Instances(capacity, data.bones.length, slotCount, sliderBytes, options.grow ?? true, blocks);
      // The data must not be disposed under a living crowd.
      data._rig.enter(owner);
      this.drawables = new DrawableTable(data, this.clips, blocks);
      this.variants = new VariantTable(data, this.drawables, this.sliders, detail, blocks);
      this.frame = new Frame(data, this.instances, this.clips, this.drawables, this.variants, this.sliders, forces, blocks);
      this.levels = new Levels(this.instances, this.variants, this.frame.order, blocks);
      this.playback = new Playback(this.instances, this.clips, this.frame, blocks);
      this.overlayEvents = new OverlayEvents(this.instances, this.clips, this.frame.events, this.playback.mixing);
      this.physics = this.variants.physicsBytes === 0 ? null : new BlockPool(this.variants.physicsBytes, blocks);
    } catch (error) {
      // Memory that ran out half-way is not kept until somebody collects garbage.
      data._rig.leave(owner);
      this.dispose();
      throw error;
    }
  }

  dispose(): void {
    // Parts are missing if there was no memory for them.
    (this.frame as Frame | undefined)?.dispose();
    (this.variants as VariantTable | undefined)?.dispose();
    for (const ptr of this.blocks) heap.free(ptr);
    this.blocks.length = 0;
  }
}
