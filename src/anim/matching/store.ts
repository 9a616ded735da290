/** Baked features in linear memory, in the layout of the search kernels. @internal */
import { heap } from "../../wasm/heap.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import {
  BLOCK_FRAMES, BOX_FRAMES, BOX_ROW_BYTES, CHANNEL_PADDING, CODE_ROW_BYTES, Database, DATABASE_BYTES, FEATURE_ROW_BYTES, SMALL_BOX_FRAMES,
} from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";

/** Codes of a quantised channel. */
const CODES = 255;

/** Everything that a search needs of a database; owns its blocks. */
export class FeatureStore {
  /** Address of the database block. */
  readonly ptr: number;
  /** Channels that are searched: without constant ones, padded. */
  readonly channelCount: number;
  readonly boxCount: number;
  readonly slotCount: number;
  readonly quantized: boolean;
  /** Largest difference that quantising made, in standard deviations. */
  readonly quantizationError: number;
  /** Bytes of linear memory. */
  readonly bytes: number;
  readonly #owned: number[] = [];
  readonly #features: number;
  readonly #steps: number;

  /**
   * @param slots - normalised features by slot and kernel channel, `slotCount x order.length`, without padding
   * @param order - public channel of every kernel channel
   * @param frameOfSlot - -1 where a slot has no frame
   */
  constructor(slots: Float32Array, readonly order: readonly number[], readonly frameOfSlot: Int32Array, quantized: boolean) {
    freeWhenCollected(this, this.#owned);
    const used = order.length;
    const channels = Math.max(CHANNEL_PADDING, Math.ceil(used / CHANNEL_PADDING) * CHANNEL_PADDING);
    this.channelCount = channels;
    this.slotCount = frameOfSlot.length;
    this.boxCount = this.slotCount / BOX_FRAMES;
    this.quantized = quantized;
    const groups = Math.ceil(this.boxCount / 4);
    const rowBytes = quantized ? CODE_ROW_BYTES : FEATURE_ROW_BYTES;
    const sizes = {
      database: DATABASE_BYTES,
      features: (this.slotCount / BLOCK_FRAMES) * channels * rowBytes,
      steps: quantized ? channels * BOX_ROW_BYTES : 0,
      small: this.boxCount * channels * BOX_ROW_BYTES,
      large: groups * channels * BOX_ROW_BYTES,
    };
    this.bytes = sizes.database + sizes.features + sizes.steps + sizes.small + sizes.large;
    this.ptr = takeBlock(this.#owned, sizes.database);
    this.#features = takeBlock(this.#owned, sizes.features);
    this.#steps = quantized ? takeBlock(this.#owned, sizes.steps) : 0;
    const small = takeBlock(this.#owned, sizes.small), large = takeBlock(this.#owned, sizes.large);
    this.quantizationError = quantized ? this.#writeCodes(slots, used) : this.#writeFeatures(slots, used);
    this.#writeBoxes(slots, used, small, large);
    const u32 = heap.u32, at = this.ptr >>> 2;
    u32[at + (Database.FEATURES >>> 2)] = this.#features;
    u32[at + (Database.STEPS >>> 2)] = this.#steps;
    u32[at + (Database.SMALL_BOXES >>> 2)] = small;
    u32[at + (Database.LARGE_BOXES >>> 2)] = large;
    u32[at + (Database.CHANNELS >>> 2)] = channels;
    u32[at + (Database.BOX_COUNT >>> 2)] = this.boxCount;
  }

  /** Normalised value of one channel in one slot, as the kernel sees it. */
  value(slot: number, channel: number): number {
    if (!this.quantized) {
      return heap.f32[(this.#features >>> 2) + (slot >>> 2) * this.channelCount * 4 + channel * 4 + (slot & 3)]!;
    }
    const code = heap.u8[this.#features + (slot >>> 2) * this.channelCount * 4 + channel * 4 + (slot & 3)]!;
    const row = (this.#steps >>> 2) + channel * (BOX_ROW_BYTES >>> 2);
    return Math.fround(Math.fround(code * heap.f32[row]!) + heap.f32[row + 4]!);
  }

  /** All values of a slot into out[offset + public channel]; constant channels are not written. */
  read(slot: number, out: Float32Array | number[], offset: number): void {
    const { order } = this, count = order.length;
    if (this.quantized) {
      for (let c = 0; c < count; c++) out[offset + order[c]!] = this.value(slot, c);
      return;
    }
    const f32 = heap.f32, at = (this.#features >>> 2) + (slot >>> 2) * this.channelCount * 4 + (slot & 3);
    for (let c = 0; c < count; c++) out[offset + order[c]!] = f32[at + c * 4]!;
  }

  dispose(): void {
    dropAll(this, this.#owned);
  }

  #writeFeatures(slots: Float32Array, used: number): number {
    const f32 = heap.f32, base = this.#features >>> 2, channels = this.channelCount;
    for (let slot = 0; slot < this.slotCount; slot++) {
      const block = base + (slot >>> 2) * channels * 4 + (slot & 3);
      for (let c = 0; c < used; c++) f32[block + c * 4] = slots[slot * used + c]!;
    }
    return 0;
  }

  /** Writes codes and replaces `slots` by what they stand for, so that boxes and costs are those of the codes. */
  #writeCodes(slots: Float32Array, used: number): number {
    const f32 = heap.f32, u8 = heap.u8, channels = this.channelCount;
    let worst = 0;
    for (let c = 0; c < used; c++) {
      let lowest = Infinity, highest = -Infinity;
      for (let slot = 0; slot < this.slotCount; slot++) {
        lowest = Math.min(lowest, slots[slot * used + c]!);
        highest = Math.max(highest, slots[slot * used + c]!);
      }
      const row = (this.#steps >>> 2) + c * (BOX_ROW_BYTES >>> 2);
      const step = Math.fround((highest - lowest) / CODES);
      f32.fill(step, row, row + 4);
      f32.fill(lowest, row + 4, row + 8);
      for (let slot = 0; slot < this.slotCount; slot++) {
        const value = slots[slot * used + c]!;
        const code = step > 0 ? Math.min(CODES, Math.max(0, Math.round((value - lowest) / step))) : 0;
        u8[this.#features + (slot >>> 2) * channels * 4 + c * 4 + (slot & 3)] = code;
        const restored = Math.fround(Math.fround(code * step) + lowest);
        worst = Math.max(worst, Math.abs(restored - value));
        slots[slot * used + c] = restored;
      }
    }
    return worst;
  }

  #writeBoxes(slots: Float32Array, used: number, small: number, large: number): void {
    const f32 = heap.f32, channels = this.channelCount;
    const rowFloats = BOX_ROW_BYTES >>> 2;
    for (let box = 0; box < this.boxCount; box++) {
      for (let c = 0; c < used; c++) {
        let boxLow = Infinity, boxHigh = -Infinity;
        for (let lane = 0; lane < 4; lane++) {
          let low = Infinity, high = -Infinity;
          for (let k = 0; k < SMALL_BOX_FRAMES; k++) {
            const slot = box * BOX_FRAMES + lane * SMALL_BOX_FRAMES + k;
            const value = slots[slot * used + c]!;
            if (value < low) low = value;
            if (value > high) high = value;
          }
          const at = (small >>> 2) + (box * channels + c) * rowFloats + lane;
          f32[at] = low;
          f32[at + 4] = high;
          if (low < boxLow) boxLow = low;
          if (high > boxHigh) boxHigh = high;
        }
        const at = (large >>> 2) + ((box >>> 2) * channels + c) * rowFloats + (box & 3);
        f32[at] = boxLow;
        f32[at + 4] = boxHigh;
      }
    }
  }
}
