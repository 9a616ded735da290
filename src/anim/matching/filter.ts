/** Which frames may be chosen, as penalties of slots and boxes. @internal */
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { BOX_FRAMES, SMALL_BOX_FRAMES } from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import type { FeatureStore } from "./store.js";

/** What a filter depends on. Tags are bits. */
export interface FilterRules {
  required: number;
  excluded: number;
  /** Cost of every tag bit. */
  costs: readonly number[];
  /** Seconds before the end of a range that does not loop; 0 leaves no frame out. */
  ignoreEnd: number;
  mirrored: boolean;
}

/** A range as filters see it. */
export interface FilterRange {
  readonly firstSlot: number;
  readonly frameCount: number;
  readonly start: number;
  readonly end: number;
  readonly rate: number;
  readonly looping: boolean;
  readonly mirrored: boolean;
  readonly tags: number;
}

/** Slack of the comparison with the end, seconds. */
const END_SLACK = 1e-9;

/** Penalties of one set of rules in linear memory; shared by all matchers that have the same rules. */
export class SlotFilter {
  readonly ptr: number;
  readonly smallPtr: number;
  readonly largePtr: number;
  readonly bytes: number;
  /** Frames that may be chosen. */
  readonly openCount: number;
  users = 0;
  readonly #owned: number[] = [];

  constructor(store: FeatureStore, ranges: readonly FilterRange[], rules: FilterRules) {
    const smallCount = store.slotCount / SMALL_BOX_FRAMES;
    const largeFloats = Math.ceil(store.boxCount / 4) * 4;
    this.bytes = (store.slotCount + smallCount + largeFloats) * 4;
    freeWhenCollected(this, this.#owned);
    this.ptr = takeBlock(this.#owned, this.bytes);
    this.smallPtr = this.ptr + store.slotCount * 4;
    this.largePtr = this.smallPtr + smallCount * 4;
    const f32 = heap.f32, at = this.ptr >>> 2, small = this.smallPtr >>> 2, large = this.largePtr >>> 2;
    f32.fill(Infinity, at, at + (this.bytes >>> 2));
    let open = 0;
    for (const range of ranges) {
      const penalty = penaltyOf(range, rules);
      if (penalty === Infinity) continue;
      for (let i = 0; i < range.frameCount; i++) {
        if (!range.looping && rules.ignoreEnd > 0 && range.start + i / range.rate > range.end - rules.ignoreEnd - END_SLACK) break;
        const slot = range.firstSlot + i;
        f32[at + slot] = penalty;
        f32[small + Math.floor(slot / SMALL_BOX_FRAMES)] = penalty;
        f32[large + Math.floor(slot / BOX_FRAMES)] = penalty;
        open++;
      }
    }
    this.openCount = open;
  }

  dispose(): void {
    dropAll(this, this.#owned);
  }
}

function penaltyOf(range: FilterRange, rules: FilterRules): number {
  if ((range.tags & rules.required) !== rules.required || (range.tags & rules.excluded) !== 0 || (range.mirrored && !rules.mirrored)) return Infinity;
  let sum = 0;
  rules.costs.forEach((cost, bit) => {
    if ((range.tags & (1 << bit)) !== 0) sum += cost;
  });
  return Math.fround(sum);
}

export function sameRules(a: FilterRules, b: FilterRules): boolean {
  return a.required === b.required && a.excluded === b.excluded && a.ignoreEnd === b.ignoreEnd && a.mirrored === b.mirrored
    && a.costs.length === b.costs.length && a.costs.every((cost, i) => cost === b.costs[i]);
}
