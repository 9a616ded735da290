import { PALETTE_FLOATS, SLOT_STATE_BYTES, SlotStateField } from "../../assembly/layout/crowd.js";
import { BoneRow } from "../../assembly/layout/rig2d.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { Skeleton } from "../spine/model/skeleton.js";
import type { Skin } from "../spine/model/skin.js";
import { SkeletonBounds } from "../spine/model/skeleton-bounds.js";
import { heap } from "../wasm/heap.js";
import type { Drawable } from "./drawable-table.js";
import type { Instances } from "./instances.js";

/** A box in world coordinates. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A skeleton that takes on the looks of any character, for questions that need vertices: bounds and hits. It shows the
 * matrices of the palette and, where the crowd keeps slot states, the attachments of the moment, else those of the setup pose.
 * Deforms are left out.
 */
export class Probe {
  readonly #skeleton: Skeleton;
  readonly #bounds = new SkeletonBounds();
  readonly #instances: Instances;
  readonly #drawables: readonly Drawable[];

  constructor(data: SkeletonData, instances: Instances, drawables: readonly Drawable[]) {
    this.#skeleton = new Skeleton(data);
    this.#instances = instances;
    this.#drawables = drawables;
  }

  /** Bounding box of what a character shows; width and height are -Infinity if that is nothing. */
  bounds(row: number, skin: Skin | null): Box {
    this.#take(row, skin);
    return this.#skeleton.getBoundsRect();
  }

  /** Whether a point lies in a bounding box attachment of a character or, if it has none, in its bounds. */
  contains(row: number, skin: Skin | null, x: number, y: number): boolean {
    this.#take(row, skin);
    this.#bounds.update(this.#skeleton, true);
    if (this.#bounds.boundingBoxes.length > 0) return this.#bounds.aabbContainsPoint(x, y) && this.#bounds.containsPoint(x, y) !== null;
    const box = this.#skeleton.getBoundsRect();
    return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
  }

  dispose(): void {
    this.#skeleton.dispose();
  }

  #take(row: number, skin: Skin | null): void {
    const skeleton = this.#skeleton;
    if (skeleton.skin !== skin) {
      skeleton.setSkin(skin);
      skeleton.setupPoseSlots();
    }
    const { f32 } = heap;
    let from = (this.#instances.palettePtr + row * this.#instances.stride) >> 2;
    for (const bone of skeleton.bones) {
      const to = skeleton._base + bone.appliedPose._row + BoneRow.A;
      f32.copyWithin(to, from, from + PALETTE_FLOATS);
      from += PALETTE_FLOATS;
    }
    const { slotsPtr, slotsStride } = this.#instances;
    if (slotsPtr === 0) return;
    skeleton.slots.forEach((slot, i) => {
      const at = (slotsPtr + row * slotsStride + i * SLOT_STATE_BYTES + SlotStateField.DRAWABLE) >> 1;
      const drawable = heap.u16[at]!;
      const shown = slot.appliedPose.attachment;
      // What is not drawn, as bounding boxes are, has no drawable and stays as in the setup pose.
      if (drawable === 0 && (shown === null || !("sequence" in shown))) return;
      slot.appliedPose.setAttachment(drawable === 0 ? null : this.#drawables[drawable - 1]!.attachment);
    });
  }
}
