/** One query block in linear memory: what is searched for, with which weights, and the result. @internal */
import { heap } from "../../wasm/heap.js";
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { matching } from "../../wasm/matching.js";
import { Query, QUERY_HEADER_BYTES, QUERY_ROW_BYTES } from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";
import type { MotionDatabase } from "./database.js";
import type { FilterRules, SlotFilter } from "./filter.js";
import type { FeatureStore } from "./store.js";

/** Bytes of a query block of a database. */
export function queryBytes({ channelCount, axes }: FeatureStore): number {
  return QUERY_HEADER_BYTES + (channelCount + axes.count) * QUERY_ROW_BYTES;
}

export class SearchQuery {
  /** Address of the query block. */
  readonly ptr: number;
  readonly #database: MotionDatabase;
  readonly #owned: number[] = [];
  #filter: SlotFilter | undefined;

  /** @param at - address to use instead of a block of its own (batches) */
  constructor(database: MotionDatabase, at?: number) {
    this.#database = database;
    const { store } = database.baked("search");
    freeWhenCollected(this, this.#owned);
    this.ptr = at ?? takeBlock(this.#owned, queryBytes(store));
    const u32 = heap.u32, i32 = heap.i32;
    u32[(this.ptr + Query.SCRATCH) >>> 2] = store.scratch;
    i32[(this.ptr + Query.CONTINUING) >>> 2] = -1;
    this.skipNone();
    this.setWeights(new Float32Array(database.getFeatureSize()).fill(1));
  }

  /** Uses the filter of these rules from now on. */
  setRules(rules: FilterRules): void {
    const filter = this.#database.filterFor(rules);
    if (this.#filter !== undefined) this.#database.dropFilter(this.#filter);
    this.#filter = filter;
    const u32 = heap.u32;
    u32[(this.ptr + Query.PENALTIES) >>> 2] = filter.ptr;
    u32[(this.ptr + Query.SMALL_PENALTIES) >>> 2] = filter.smallPtr;
    u32[(this.ptr + Query.LARGE_PENALTIES) >>> 2] = filter.largePtr;
  }

  /** Weights by public channel. Boxes help most while the channels of a weight group keep the proportions of their features. */
  setWeights(weights: ArrayLike<number>): void {
    const { order, channelCount, axes } = this.#database.baked("search").store;
    const f32 = heap.f32, ordered = Float32Array.from(order, (channel) => weights[channel]!);
    for (let row = 0; row < channelCount + axes.count; row++) {
      const at = (this.ptr + QUERY_HEADER_BYTES + row * QUERY_ROW_BYTES + 16) >>> 2;
      f32.fill(row < channelCount ? (ordered[row] ?? 0) : axes.weightOf(row - channelCount, ordered), at, at + 4);
    }
  }

  /** The query, normalised, by public channel. */
  setNormalized(values: ArrayLike<number>): void {
    const { store } = this.#database.baked("search");
    const f32 = heap.f32, { order } = store;
    for (let c = 0; c < order.length; c++) {
      const at = (this.ptr + QUERY_HEADER_BYTES + c * QUERY_ROW_BYTES) >>> 2, value = values[order[c]!]!;
      f32[at] = value;
      f32[at + 1] = value;
      f32[at + 2] = value;
      f32[at + 3] = value;
    }
  }

  /** Leaves out the frames of the same range that are at most `radius` frames from `frame`. */
  skipAround(frame: number, radius: number): void {
    const range = this.#database.rangeOf("search", frame);
    const slot = range.firstSlot + frame - range.firstFrame;
    heap.i32[(this.ptr + Query.SKIP_FIRST) >>> 2] = Math.max(range.firstSlot, slot - radius);
    heap.i32[(this.ptr + Query.SKIP_LAST) >>> 2] = Math.min(range.firstSlot + range.frameCount - 1, slot + radius);
  }

  skipNone(): void {
    heap.i32[(this.ptr + Query.SKIP_FIRST) >>> 2] = 0;
    heap.i32[(this.ptr + Query.SKIP_LAST) >>> 2] = -1;
  }

  /** Notes the playing frame (-1: none) and the transition cost for the next search. */
  prepare(continuing: number, transitionCost: number): void {
    heap.i32[(this.ptr + Query.CONTINUING) >>> 2] = continuing < 0 ? -1 : this.#database.slotOf("search", continuing);
    heap.f32[(this.ptr + Query.TRANSITION_COST) >>> 2] = continuing < 0 ? 0 : transitionCost;
  }

  /** Searches. @returns the best frame, -1 if every frame is excluded */
  run(continuing: number, transitionCost: number): number {
    const { store } = this.#database.baked("search");
    this.prepare(continuing, transitionCost);
    if (store.quantized) matching.kernels.searchQuantized(store.ptr, this.ptr);
    else matching.kernels.search(store.ptr, this.ptr);
    return this.bestFrame;
  }

  /** Frame found by the last search, -1 if none. */
  get bestFrame(): number {
    const slot = heap.i32[(this.ptr + Query.BEST_SLOT) >>> 2]!;
    return slot < 0 ? -1 : this.#database.baked("search").store.frameOfSlot[slot]!;
  }

  /** Cost of the frame found, its transition cost and penalty included. */
  get cost(): number {
    return heap.f32[(this.ptr + Query.BEST_COST) >>> 2]!;
  }

  /** `cost` into out[i]: doubles that are returned may be boxed. */
  costInto(out: Float64Array, i: number): void {
    out[i] = heap.f32[(this.ptr + Query.BEST_COST) >>> 2]!;
  }

  /** Blocks of four frames that the last search compared. */
  get blocksVisited(): number {
    return heap.i32[(this.ptr + Query.BLOCKS_VISITED) >>> 2]!;
  }

  /** Cost of any frame without transition cost and penalty. */
  costOf(frame: number): number {
    const { store } = this.#database.baked("search");
    return matching.kernels.costOfSlot(store.ptr, this.ptr, this.#database.slotOf("search", frame), store.quantized ? 1 : 0);
  }

  /** Frees the block and gives the filter back. Safe to call twice. */
  dispose(): void {
    if (this.#filter !== undefined && this.#database.isBaked()) this.#database.dropFilter(this.#filter);
    this.#filter = undefined;
    dropAll(this, this.#owned);
  }
}
