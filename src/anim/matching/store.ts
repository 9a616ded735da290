/** Baked features in linear memory, in the layout of the search kernels. @internal */
import { heap } from "../../wasm/heap.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import {
  BLOCK_FRAMES, BOX_FRAMES, BOX_ROW_BYTES, CANDIDATE_BYTES, CHANNEL_PADDING, CODE_ROW_BYTES, Database, DATABASE_BYTES, FEATURE_ROW_BYTES, SMALL_BOX_FRAMES,
} from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import { type ChannelKind, PrincipalAxes } from "./axes.js";

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
  readonly axes: PrincipalAxes;
  /** Scratch of one search; searches of one thread follow each other, so that all queries share it. */
  readonly scratch: number;
  readonly #owned: number[] = [];
  readonly #features: number;
  readonly #steps: number;

  /**
   * @param slots - normalised features by slot and kernel channel, `slotCount x order.length`, without padding
   * @param order - public channel of every kernel channel
   * @param kinds - weight and group of every kernel channel
   * @param frameOfSlot - -1 where a slot has no frame
   */
  constructor(slots: Float32Array, readonly order: readonly number[], readonly kinds: readonly ChannelKind[], readonly frameOfSlot: Int32Array, quantized: boolean) {
    freeWhenCollected(this, this.#owned);
    const used = order.length;
    const channels = Math.max(CHANNEL_PADDING, Math.ceil(used / CHANNEL_PADDING) * CHANNEL_PADDING);
    this.channelCount = channels;
    this.slotCount = frameOfSlot.length;
    this.boxCount = this.slotCount / BOX_FRAMES;
    this.quantized = quantized;
    const groups = Math.ceil(this.boxCount / 4);
    const rowBytes = quantized ? CODE_ROW_BYTES : FEATURE_ROW_BYTES;
    const codes = quantized ? codesOf(slots, used) : undefined;
    // From here on `slots` has the values that the codes stand for, so that boxes and costs are theirs.
    this.quantizationError = codes?.worst ?? 0;
    const axes = new PrincipalAxes(slots, kinds), { count } = axes;
    this.axes = axes;
    const sizes = {
      database: DATABASE_BYTES,
      features: (this.slotCount / BLOCK_FRAMES) * channels * rowBytes,
      steps: quantized ? channels * BOX_ROW_BYTES : 0,
      // Codes are there to save memory, and short features are compared as fast as signatures.
      signatures: quantized || count * 2 > channels ? 0 : (this.slotCount / BLOCK_FRAMES) * count * FEATURE_ROW_BYTES,
      axes: channels * (count * 4 + 16),
      small: this.boxCount * count * BOX_ROW_BYTES,
      large: groups * count * BOX_ROW_BYTES,
      scratch: groups * 16 + this.boxCount * (BOX_FRAMES / SMALL_BOX_FRAMES) * CANDIDATE_BYTES,
    };
    this.bytes = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
    const take = (bytes: number): number => (bytes === 0 ? 0 : takeBlock(this.#owned, bytes));
    this.ptr = take(sizes.database);
    this.#features = take(sizes.features);
    this.#steps = take(sizes.steps);
    const signatures = take(sizes.signatures), matrix = take(sizes.axes), small = take(sizes.small), large = take(sizes.large);
    this.scratch = take(sizes.scratch);
    const coordinates = axes.coordinates(slots, this.slotCount);
    if (codes === undefined) writeBlocks(slots, used, channels, this.#features);
    else this.#writeCodes(codes, used);
    if (signatures !== 0) writeBlocks(coordinates, count, count, signatures);
    this.#writeAxes(matrix);
    this.#writeBoxes(coordinates, count, small, large);
    const u32 = heap.u32, at = this.ptr >>> 2;
    u32[at + (Database.FEATURES >>> 2)] = this.#features;
    u32[at + (Database.STEPS >>> 2)] = this.#steps;
    u32[at + (Database.SMALL_BOXES >>> 2)] = small;
    u32[at + (Database.LARGE_BOXES >>> 2)] = large;
    u32[at + (Database.CHANNELS >>> 2)] = channels;
    u32[at + (Database.BOX_COUNT >>> 2)] = this.boxCount;
    u32[at + (Database.SIGNATURES >>> 2)] = signatures;
    u32[at + (Database.AXES >>> 2)] = matrix;
    u32[at + (Database.AXIS_COUNT >>> 2)] = count;
    heap.f32[at + (Database.LENGTH >>> 2)] = axes.longest(slots);
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

  #writeCodes({ codes, lowest, steps }: Codes, used: number): void {
    const f32 = heap.f32, u8 = heap.u8, channels = this.channelCount;
    for (let c = 0; c < used; c++) {
      const row = (this.#steps >>> 2) + c * (BOX_ROW_BYTES >>> 2);
      f32.fill(steps[c]!, row, row + 4);
      f32.fill(lowest[c]!, row + 4, row + 8);
      for (let slot = 0; slot < this.slotCount; slot++) u8[this.#features + (slot >>> 2) * channels * 4 + c * 4 + (slot & 3)] = codes[slot * used + c]!;
    }
  }

  /** A channel: its components, then four times its weight. */
  #writeAxes(matrix: number): void {
    const f32 = heap.f32, { count, components } = this.axes, used = this.order.length;
    for (let c = 0; c < used; c++) {
      const at = (matrix >>> 2) + c * (count + 4);
      for (let k = 0; k < count; k++) f32[at + k] = components[k * used + c]!;
      f32.fill(this.kinds[c]!.weight, at + count, at + count + 4);
    }
  }

  #writeBoxes(coordinates: Float32Array, count: number, small: number, large: number): void {
    const f32 = heap.f32;
    const rowFloats = BOX_ROW_BYTES >>> 2;
    for (let box = 0; box < this.boxCount; box++) {
      for (let c = 0; c < count; c++) {
        let boxLow = Infinity, boxHigh = -Infinity;
        for (let lane = 0; lane < 4; lane++) {
          let low = Infinity, high = -Infinity;
          for (let k = 0; k < SMALL_BOX_FRAMES; k++) {
            const slot = box * BOX_FRAMES + lane * SMALL_BOX_FRAMES + k;
            const value = coordinates[slot * count + c]!;
            if (value < low) low = value;
            if (value > high) high = value;
          }
          const at = (small >>> 2) + (box * count + c) * rowFloats + lane;
          f32[at] = low;
          f32[at + 4] = high;
          if (low < boxLow) boxLow = low;
          if (high > boxHigh) boxHigh = high;
        }
        const at = (large >>> 2) + ((box >>> 2) * count + c) * rowFloats + (box & 3);
        f32[at] = boxLow;
        f32[at + 4] = boxHigh;
      }
    }
  }
}

/** Rows into blocks of four slots, one row of four numbers a channel. */
function writeBlocks(rows: Float32Array, used: number, channels: number, ptr: number): void {
  const f32 = heap.f32, base = ptr >>> 2, count = used === 0 ? 0 : rows.length / used;
  for (let slot = 0; slot < count; slot++) {
    const block = base + (slot >>> 2) * channels * 4 + (slot & 3);
    for (let c = 0; c < used; c++) f32[block + c * 4] = rows[slot * used + c]!;
  }
}

/** Codes of all slots, and what they stand for: code * step + lowest. */
interface Codes {
  codes: Uint8Array;
  lowest: Float32Array;
  steps: Float32Array;
  /** Largest difference that they make. */
  worst: number;
}

/** Makes codes and replaces `slots` by what they stand for. */
function codesOf(slots: Float32Array, used: number): Codes {
  const out: Codes = { codes: new Uint8Array(slots.length), lowest: new Float32Array(used), steps: new Float32Array(used), worst: 0 };
  for (let c = 0; c < used; c++) {
    let lowest = Infinity, highest = -Infinity;
    for (let at = c; at < slots.length; at += used) {
      lowest = Math.min(lowest, slots[at]!);
      highest = Math.max(highest, slots[at]!);
    }
    const step = Math.fround((highest - lowest) / CODES);
    out.lowest[c] = lowest;
    out.steps[c] = step;
    for (let at = c; at < slots.length; at += used) {
      const value = slots[at]!;
      const code = step > 0 ? Math.min(CODES, Math.max(0, Math.round((value - lowest) / step))) : 0;
      const restored = Math.fround(Math.fround(code * step) + lowest);
      out.codes[at] = code;
      out.worst = Math.max(out.worst, Math.abs(restored - value));
      slots[at] = restored;
    }
  }
  return out;
}
