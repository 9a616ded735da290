import { CrowdField, SLIDER_STATE_BYTES, SLIDER_USE_BYTES, SliderUseField } from "../../assembly/layout/crowd.js";
import { SliderData } from "../spine/constraints/slider-data.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { sliderChannels } from "../spine/update/slider-channels.js";
import { heap } from "../wasm/heap.js";
import type { ClipTable } from "./clip-table.js";

/** A slider that keys attachments, deforms, sequences or draw orders. */
export interface SliderUse {
  readonly data: SliderData;
  /** Index of its animation among the clips. */
  readonly clip: number;
  /** Place among the slider states of a character. */
  readonly state: number;
}

/** Sliders that key more than numbers: what kernels do for them when their turn comes. */
export class SliderTable {
  readonly uses: readonly SliderUse[];
  /** Address of the table by constraint. */
  readonly ptr: number;

  /** @param blocks - what the table takes is added; the crowd frees it */
  constructor(data: SkeletonData, clips: ClipTable, blocks: number[]) {
    const uses: SliderUse[] = [];
    this.ptr = heap.alloc(Math.max(16, data.constraints.length * 4));
    blocks.push(this.ptr);
    data.constraints.forEach((slider, i) => {
      if (!(slider instanceof SliderData) || slider.animation == null || !sliderChannels(slider.animation, data).needsCall) return;
      const use: SliderUse = { data: slider, clip: clips.animations.indexOf(slider.animation), state: uses.length };
      uses.push(use);
      const record = heap.alloc(SLIDER_USE_BYTES);
      blocks.push(record);
      const at = record >> 2;
      heap.i32[at + (SliderUseField.CLIP >> 2)] = use.clip;
      heap.i32[at + (SliderUseField.LOOP >> 2)] = Number(slider.loop);
      heap.i32[at + (SliderUseField.ADDITIVE >> 2)] = Number(slider.additive);
      heap.i32[at + (SliderUseField.BONE >> 2)] = slider.bone === null || slider.property === null ? -1 : slider.bone.index;
      heap.i32[at + (SliderUseField.STATE >> 2)] = use.state;
      heap.u32[(this.ptr >> 2) + i] = record;
    });
    this.uses = uses;
  }

  /** Bytes of the states of one character. */
  get stateBytes(): number {
    return this.uses.length * SLIDER_STATE_BYTES;
  }

  /** Writes where kernels find the table. */
  describe(crowd: number): void {
    heap.u32[(crowd + CrowdField.SLIDERS) >> 2] = this.ptr;
  }
}
