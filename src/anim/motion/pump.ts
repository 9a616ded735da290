import { EVENT_BYTES, Field, PAGE_ROWS, Page, PageFlag } from "../../../assembly/layout/motion.js";
import { heap } from "../../wasm/heap.js";
import { motion as area } from "../../wasm/motion.js";
import { BuilderFlag } from "./config.js";
import { callEase } from "./ease.js";
import type { MotionGroup } from "./group.js";
import type { Motion } from "./motion.js";
import { type Bucket, recordIndex } from "./page-pool.js";
import { pushValue } from "./sinks.js";
import { Gate, SlotFlag, type SlotTable } from "./slots.js";
import type { MotionStore } from "./store.js";
import { isInGap } from "./timing.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnyMotion = Motion<any>;

/** Boundaries reported per motion and update. */
const MOST_LOOPS = 1000;

/** A sequence as the pump sees it. @internal */
export interface PumpedSequence {
  /** Place in the order of creation. */
  readonly number: number;
  pump(dt: number, unscaledDt: number): void;
  isActive(): boolean;
  cancel(): boolean;
}

/**
 * What an update does: kernels compute every value, then sinks and callbacks get theirs in the order of creation.
 * @internal
 */
export class Pump {
  /** The object that function sinks of vectors get, by value type. */
  readonly reused: object[] = [{}, {}, {}, {}, {}];
  readonly sequences: PumpedSequence[] = [];
  readonly groups: (MotionGroup | null)[] = [];
  readonly #store: MotionStore;

  constructor(store: MotionStore) {
    this.#store = store;
  }

  /** Clocks, eases and values of everything; no user code but custom eases. */
  compute(dt: number, unscaledDt: number): void {
    const { pages, buckets } = this.#store.rows;
    const { groups } = this;
    const events = pages.eventBuffer();
    let end = events;
    for (let i = 0; i < buckets.length; i++) {
      const { first, flags } = buckets[i]!;
      end = area.kernels.stepPages(first, flags & PageFlag.Unscaled ? unscaledDt : dt, end);
    }
    for (let i = 0; i < groups.length; i++) end = area.kernels.stepPages(groups[i]?.first ?? 0, dt, end);
    for (let i = 0; i < buckets.length; i++) if (buckets[i]!.curve.fn !== null) this.#finishCustom(buckets[i]!, null);
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      if (group !== null && group.curve.fn !== null) this.#finishCustom(group, group);
    }
    for (let at = events; at < end; at += EVENT_BYTES) this.#noteEvent(at >> 2);
    for (let i = 0; i < groups.length; i++) groups[i]?.deliver();
  }

  /** Takes one event of the kernel: a motion has started, crossed a loop boundary or ended. `at` is its index in heap.i32. */
  #noteEvent(at: number): void {
    const { slots } = this.#store;
    const slot = heap.i32[at]!;
    const ended = heap.i32[at + 1] !== 0;
    if (slot < 0) {
      if (ended) this.groups[-1 - slot]!.endOne();
    } else if (slots.placeAt[slot]! < 0) {
      if (ended) this.#store.end(slots.handles[slot]!);
    } else if (!ended && (slots.flags[slot]! & (PageFlag.Silent | SlotFlag.Paused)) === PageFlag.Silent) {
      slots.open(slot);
    } else {
      const before = slots.before[slot]!;
      if (before !== before) slots.before[slot] = heap.f64[(at >> 1) + 1]!;
      // A paused motion is looked after when it is resumed.
      if ((slots.flags[slot]! & SlotFlag.Paused) === 0) slots.setGate(slot, Gate.Event);
    }
  }

  /**
   * Applies a custom ease to the pages of a bucket or a group. The functions may end motions, and rows move then: what they
   * return is written when all have been called.
   */
  #finishCustom(of: Bucket | MotionGroup, group: MotionGroup | null): void {
    const { slots } = this.#store;
    for (let page = of.first; page !== 0; page = heap.i32[(page + Page.Next) >> 2]!) {
      // Backwards: a hole is filled by a row that was here before. There may be fewer rows after each call.
      for (let row = PAGE_ROWS; (row = Math.min(row, heap.i32[page >> 2]!) - 1) >= 0;) {
        const at = recordIndex(page, row) + Field.Progress;
        const slot = heap.f64[at + Field.Owner - Field.Progress]!;
        const curve = group?.curve ?? slots.curves[slot]!;
        let eased = group === null ? slots.eased[slot]! : 0;
        try {
          eased = callEase(curve, heap.f64[at]!);
        } catch (error) {
          // The value stays what it was.
          this.#store.report(error, `ease ${curve.name}`);
        }
        if (group === null) slots.eased[slot] = eased;
        else heap.f64[at] = eased;
      }
    }
    for (let page = of.first; page !== 0; page = heap.i32[(page + Page.Next) >> 2]!) {
      for (let row = heap.i32[page >> 2]! - 1; row >= 0; row--) {
        const at = recordIndex(page, row) + Field.Progress;
        const slot = heap.f64[at + Field.Owner - Field.Progress]!;
        if (group === null) heap.f64[at] = slots.eased[slot]!;
      }
      area.kernels.finishPage(page);
    }
  }

  /** Sinks, callbacks and sequences, in the order of creation. */
  deliver(dt: number, unscaledDt: number): void {
    const { slots } = this.#store;
    const { sequences } = this;
    // What starts from here on waits for the next update.
    const limit = slots.orderCount;
    const sequenceLimit = sequences.length;
    let next = 0;
    let i = 0;
    try {
      while (i < limit) {
        if (next === sequenceLimit) {
          i = this.#write(i, limit);
          if (i === limit) break;
        }
        const slot = slots.order[i]!;
        if (slot >= 0) {
          while (next < sequenceLimit && sequences[next]!.number < slots.numbers[slot]!) sequences[next++]!.pump(dt, unscaledDt);
          if (slots.order[i] === slot && slots.gates[i] !== Gate.Closed) this.#deliverEvent(slots.handles[slot]!);
        }
        i++;
      }
      while (next < sequenceLimit) sequences[next++]!.pump(dt, unscaledDt);
    } finally {
      slots.compact();
      let kept = 0;
      for (let k = 0; k < sequences.length; k++) if (sequences[k]!.isActive()) sequences[kept++] = sequences[k]!;
      sequences.length = kept;
    }
  }

  /**
   * Writes sinks from entry i of the delivery order on, as long as nothing else is to be done; returns the entry that
   * needs more.
   */
  #write(i: number, limit: number): number {
    const { slots } = this.#store;
    for (;;) {
      try {
        i = writeProperties(slots, i, limit);
        if (i === limit) return i;
        const gate = slots.gates[i]!;
        if (gate === Gate.Event) return i;
        // A property is here where the tables have grown in between.
        if (gate < 0) this.#send(slots.order[i++]!);
      } catch (error) {
        // Whoever writes properties notes where it is; a sink may have ended its own motion before it failed.
        if (slots.writing >= 0) i = slots.writing + 1;
        slots.writing = -1;
        const slot = slots.order[i - 1]!;
        const handle = slot < 0 ? null : slots.handles[slot]!;
        if (handle !== null) this.#sinkFailed(handle, error);
        else this.#store.report(error, "Motion sink");
      }
    }
  }

  #send(slot: number): void {
    const { slots } = this.#store;
    const sink = slots.sinks[slot]!;
    const place = slots.placeAt[slot]!;
    pushValue(sink >> 4, sink & 15, slots.targets[place], slots.keys[place], slots.valueAt[slot]!, this.reused[sink >> 4]!);
  }

  /** Writes the sink. False if it threw and the motion was cancelled for it. */
  push(handle: AnyMotion): boolean {
    const { slots } = this.#store;
    const { slot } = handle;
    // A sink that seeks or completes its own motion is not called once more for it.
    if (slots.sinks[slot] === 0 || slots.flags[slot]! & SlotFlag.Writing) return true;
    slots.flags[slot]! |= SlotFlag.Writing;
    try {
      this.#send(slot);
      return true;
    } catch (error) {
      return this.#sinkFailed(handle, error);
    } finally {
      if (handle.isActive()) slots.flags[slot]! &= ~SlotFlag.Writing;
    }
  }

  #sinkFailed(handle: AnyMotion, error: unknown): boolean {
    const store = this.#store;
    store.report(error, "Motion sink");
    if (!handle.isActive()) return false;
    if (!(store.slots.flags[handle.slot]! & BuilderFlag.CancelsOnError)) return true;
    store.cancel(handle);
    return false;
  }

  /** The long way: start, write, loops, end, in this order; each step only while the motion still plays. */
  #deliverEvent(handle: AnyMotion): void {
    const store = this.#store;
    const { slots } = store;
    const { slot } = handle;
    const calls = slots.calls[slot];
    const done = heap.f64[store.rows.recordOf(slot) + Field.Done]!;
    if (done < 0) {
      if (slots.flags[slot]! & BuilderFlag.WritesInDelay) this.push(handle);
      return;
    }
    if (!(slots.flags[slot]! & SlotFlag.Started)) {
      store.readStart(handle);
      store.call(calls, "start");
      if (!this.#isPlaying(handle)) return;
    }
    const bucket = store.rows.bucketOf(slot);
    const hasGaps = (bucket.flags & PageFlag.DelayEvery) !== 0;
    if (!hasGaps || slots.before[slot] === slots.before[slot] || !isInGap(handle.facts, handle.getTime(), done)) {
      if (!this.push(handle) || !this.#isPlaying(handle)) return;
      if (calls?.update !== undefined) {
        store.call(calls, "update", handle.valueInto(this.reused[bucket.type]));
        if (!this.#isPlaying(handle)) return;
      }
    }
    const before = slots.before[slot]!;
    if (before === before) {
      slots.before[slot] = NaN;
      if (calls?.loop !== undefined) {
        // Counted down: numbers beyond 2^53 have no next one.
        for (let left = Math.min(done - Math.max(before, 0), MOST_LOOPS); left-- > 0;) {
          store.call(calls, "loop", done - left);
          if (!this.#isPlaying(handle)) return;
        }
      }
      if (done >= heap.f64[store.rows.recordOf(slot) + Field.Loops]!) {
        store.end(handle);
        store.call(calls, "complete");
        return;
      }
    }
    // Motions with a callback per update, or with gaps to look out for, keep to the long way.
    if (calls?.update === undefined && !hasGaps) slots.open(slot);
  }

  #isPlaying(handle: AnyMotion): boolean {
    return handle.isActive() && !handle.isPaused();
  }
}

/**
 * The hot loop of delivery: plain writes of properties, until an entry wants something else. A function of its own, so
 * that what the engine learns about it is not mixed with anything else.
 */
function writeProperties(slots: SlotTable, i: number, limit: number): number {
  const { gates, targets, keys } = slots;
  try {
    for (; i < limit; i++) {
      const at = gates[i]!;
      // Memory may grow, too.
      if (at > 0) (targets[i] as any)[keys[i] as string] = heap.f64[at]!;
      else if (at < 0) break;
    }
    return i;
  } catch (error) {
    slots.writing = i;
    throw error;
  }
}
