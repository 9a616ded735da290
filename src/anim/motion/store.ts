import { COLUMN_BYTES, Column, EASE_CUSTOM, EVENT_BYTES, PAGE_ROWS, Page, PageFlag, TIME_EPS, ValueKind } from "../../../assembly/layout/motion.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { motion as area } from "../../wasm/motion.js";
import { AnimArgumentError, AnimCapacityError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { BuilderFlag, MotionBuilder, type CallbackName, type MotionCallbacks } from "./builder.js";
import { evaluateEase, resolveEase, type EaseKind } from "./ease.js";
import { MotionGroup, type FloatArray } from "./group.js";
import { Motion, MotionRest, isInGap, type MotionOutcome } from "./motion.js";
import { Bucket, PagePool, rowIndex, valueIndex, writeHeader } from "./page-pool.js";
import { SinkKind, pushValue, type ArraySink } from "./sinks.js";
import { MotionSequence } from "./sequence.js";
import type { SequencePlayer } from "./sequence-player.js";
import { Gate, SlotTable } from "./slots.js";
import { ValueType, componentsOf, type MotionColor, type MotionInput, type MotionQuat, type Vec2, type Vec3 } from "./types.js";

/** Most motions that can be alive at once. */
const MOST = 2 ** 20;
/** Boundaries reported per motion and update. */
const MOST_LOOPS = 1000;
const SCRATCH_COLUMNS = 22;
/** Pages that `ensureCapacity` adds for buckets that are not full. */
const SPARE_PAGES = 40;

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnyMotion = Motion<any>;
type AnyBuilder = MotionBuilder<any>;

/** Takes the errors of sinks and callbacks; `what` says whose. */
export type AnimErrorHandler = (error: unknown, what: string) => void;

/**
 * A world of motions with a clock of its own: makes builders and sequences, steps everything in `update`.
 *
 * Numbers live in linear memory and are stepped by kernels, page by page of equal ease and loop mode; what has a sink
 * or a callback is then delivered in the order of creation. A steady update allocates nothing.
 */
export class MotionStore {
  /** @internal */ readonly slots = new SlotTable();
  /** @internal Counter behind automatic seeds. */ seeds = 0;
  /** @internal The object that function sinks of vectors get. */ readonly reused: object[] = [{}, {}, {}, {}, {}];
  readonly #pages = new PagePool();
  readonly #buckets = new Map<number, Bucket>();
  /** Buckets whose ease TypeScript evaluates. */
  readonly #custom: Bucket[] = [];
  /** Slots promised and slots in use, by value type. */
  readonly #capacity = [32, 32, 32, 32, 32];
  readonly #used = [0, 0, 0, 0, 0];
  #active = 0;
  #numbers = 0;
  #sequences: SequencePlayer[] = [];
  readonly #groups: (MotionGroup | null)[] = [];
  readonly #exclusive = new Map<unknown, AnyMotion>();
  /** A page for single evaluations, with its table and events; made on first use. */
  #scratch = 0;
  #running = false;
  #disposed = false;
  #handler: AnimErrorHandler | null = null;
  /** Set while an error of the handler itself is on its way out. */
  #handlerThrew = false;

  constructor() {
    freeWhenCollected(this, this.#pages.blocks);
  }

  /** A motion of a number. @throws AnimArgumentError */
  motion(from: number, to: number, duration: number): MotionBuilder<number> {
    return this.#builder<number>(ValueType.Float, ValueKind.Lerp, from, to, duration);
  }

  /** A motion of two numbers. @throws AnimArgumentError */
  motionVec2(from: MotionInput<Vec2>, to: MotionInput<Vec2>, duration: number): MotionBuilder<Vec2> {
    return this.#builder<Vec2>(ValueType.Vec2, ValueKind.Lerp, from, to, duration);
  }

  /** A motion of three numbers. @throws AnimArgumentError */
  motionVec3(from: MotionInput<Vec3>, to: MotionInput<Vec3>, duration: number): MotionBuilder<Vec3> {
    return this.#builder<Vec3>(ValueType.Vec3, ValueKind.Lerp, from, to, duration);
  }

  /** A motion of a colour, component by component. @throws AnimArgumentError */
  motionColor(from: MotionInput<MotionColor>, to: MotionInput<MotionColor>, duration: number): MotionBuilder<MotionColor> {
    return this.#builder<MotionColor>(ValueType.Color, ValueKind.Lerp, from, to, duration);
  }

  /** A motion of a rotation, the short way round. @throws AnimArgumentError */
  motionQuat(from: MotionInput<MotionQuat>, to: MotionInput<MotionQuat>, duration: number): MotionBuilder<MotionQuat> {
    return this.#builder<MotionQuat>(ValueType.Quat, ValueKind.Rotation, from, to, duration);
  }

  /** A damped sine around `from` with amplitude `strength`, for numbers, Vec2 and Vec3. @throws AnimArgumentError */
  punch<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.#builder(vibrating(from), ValueKind.Punch, from, strength, duration);
  }

  /** As `punch`, each half wave with a random factor in [-1, 1). @throws AnimArgumentError */
  shake<V extends number | Vec2 | Vec3>(from: V, strength: V, duration: number): MotionBuilder<V extends number ? number : V> {
    return this.#builder(vibrating(from), ValueKind.Shake, from, strength, duration);
  }

  /** A sequence to be filled with builders. */
  sequence(): MotionSequence {
    this.#alive();
    return new MotionSequence(this);
  }

  /**
   * Starts many motions of numbers at once; nothing is allocated once their pages exist.
   * @param from, to, duration - one number for all, or one per motion
   * @param ease - for all of them
   * @param out - where the values go in every update, motion i at offset + i; null leaves them in linear memory
   * @returns one handle for all
   * @throws AnimArgumentError, AnimNameError, AnimCapacityError
   */
  startFloats(from: FloatArray | number, to: FloatArray | number, duration: FloatArray | number, ease: EaseKind, count: number, out: ArraySink | Float32Array | Float64Array | null = null): MotionGroup {
    this.#alive();
    checkInteger(count, "count", 1, MOST);
    const curve = resolveEase(ease);
    this.#reserve(ValueType.Float, count);
    const index = this.#groups.indexOf(null);
    const at = index < 0 ? this.#groups.length : index;
    const group = new MotionGroup(this, this.#pages, curve, count, at, ++this.#numbers, out);
    try {
      group.fill(from, to, duration);
    } catch (error) {
      group.release();
      throw error;
    }
    this.#groups[at] = group;
    this.#used[ValueType.Float]! += count;
    this.#active += count;
    return group;
  }

  /** As the handle's method. @throws AnimArgumentError for a handle of another store */
  complete(handle: Motion<any>): boolean {
    this.#own(handle);
    if (!handle.isActive()) return false;
    const { config, slot } = handle;
    if (config.loopCount === Infinity) throw new AnimStateError("An endless motion cannot be completed; cancel it.");
    if (!handle.started) this.#readStart(handle);
    this.evaluate(config, config.total + 1);
    this.#copyScratch(config, this.slots.rowAt[slot]!);
    heap.f64[this.slots.rowAt[slot]! + Column.Time * PAGE_ROWS] = config.total;
    if (!this.#push(handle)) return true;
    if (!handle.isActive()) return true;
    this.#finish(handle, "completed");
    this.call(config.calls, "loop", config.loopCount);
    this.call(config.calls, "complete");
    return true;
  }

  /** As the handle's method. @throws AnimArgumentError for a handle of another store */
  cancel(handle: Motion<any>): boolean {
    this.#own(handle);
    if (!handle.isActive()) return false;
    this.#finish(handle, "cancelled");
    this.call(handle.config.calls, "cancel");
    return true;
  }

  /** The value of a motion of a number. @throws AnimArgumentError for a handle of another store or type */
  floatValue(handle: Motion<number>): number {
    return this.#typed(handle, ValueType.Float).value();
  }

  /** The value of a Vec2 motion. @throws AnimArgumentError for a handle of another store or type */
  vec2Value(handle: Motion<Vec2>): Vec2 {
    return this.#typed(handle, ValueType.Vec2).value();
  }

  /** The value of a Vec3 motion. @throws AnimArgumentError for a handle of another store or type */
  vec3Value(handle: Motion<Vec3>): Vec3 {
    return this.#typed(handle, ValueType.Vec3).value();
  }

  /** The value of a colour motion. @throws AnimArgumentError for a handle of another store or type */
  colorValue(handle: Motion<MotionColor>): MotionColor {
    return this.#typed(handle, ValueType.Color).value();
  }

  /** The value of a rotation. @throws AnimArgumentError for a handle of another store or type */
  quatValue(handle: Motion<MotionQuat>): MotionQuat {
    return this.#typed(handle, ValueType.Quat).value();
  }

  /**
   * Makes room for n motions of each value type, of up to 40 kinds of ease and loop mode.
   * @throws AnimArgumentError, AnimCapacityError beyond 2^20
   */
  ensureMotionCapacity(n: number): void {
    checkInteger(n, "capacity", 0, 2 ** 53);
    if (n > MOST) throw new AnimCapacityError(`${n} motions were asked for, at most ${MOST} can be alive.`);
    for (let type = 0; type < 5; type++) {
      if (n > this.#capacity[type]!) this.#capacity[type] = n;
      const columns = Column.From + 3 * componentsOf(type) + (type === ValueType.Quat ? 2 : 0);
      this.#pages.reserve(columns, Math.ceil(n / PAGE_ROWS) + Math.min(n, SPARE_PAGES));
    }
    this.slots.reserve(Math.min(5 * n, MOST));
    this.#pages.eventBuffer();
  }

  /** Slots of motions of numbers. */
  getMotionFloatCapacity(): number {
    return this.#capacity[ValueType.Float]!;
  }

  /** Slots of motions of numbers that are not in use. */
  getMotionFloatFreeCount(): number {
    return this.#capacity[ValueType.Float]! - this.#used[ValueType.Float]!;
  }

  /** Active motions of all types, members of running sequences included. */
  getMotionCount(): number {
    return this.#active;
  }

  /** Cancels all motions and sequences in the order of creation, with `onCancel`; returns how many. */
  cancelAllMotions(): number {
    const { handles, numbers } = this.slots;
    const all: { number: number; cancel(): boolean }[] = [...this.#sequences];
    handles.forEach((handle, slot) => handle !== null && all.push({ number: numbers[slot]!, cancel: () => handle.cancel() }));
    for (const group of this.#groups) if (group !== null) all.push({ number: group.number, cancel: () => group.cancel() });
    all.sort((a, b) => a.number - b.number);
    return all.filter((one) => one.cancel()).length;
  }

  /** Where errors of sinks, callbacks and custom eases go; null: console.error. */
  setErrorHandler(handler: AnimErrorHandler | null): void {
    this.#handler = handler;
  }

  /**
   * Advances everything by `dt` seconds.
   * @param unscaledDt - for motions marked `unscaled()`; default `dt`
   * @throws AnimArgumentError unless dt is finite and at least 0
   * @throws AnimStateError if an update of this store is running
   */
  update(dt: number, unscaledDt = dt): void {
    checkNumber(dt, "dt", 0);
    checkNumber(unscaledDt, "unscaledDt", 0);
    this.#alive();
    if (this.#running) throw new AnimStateError("update is already running. Do not call it from a sink or a callback.");
    this.#running = true;
    try {
      if (this.#pages.pageCount > 0) this.#compute(dt, unscaledDt);
      this.#deliver(dt, unscaledDt);
    } finally {
      this.#running = false;
      this.#handlerThrew = false;
    }
  }

  /** Gives all memory back. The motions end without callbacks; every method but this one throws from now on. */
  dispose(): void {
    if (this.#disposed) return;
    for (const handle of this.slots.handles) if (handle !== null) this.#finish(handle, "cancelled");
    this.#disposed = true;
    disposedByHand(this);
    this.#pages.dispose();
  }

  /** @internal Puts a consumed builder into the pool. */
  start<V>(config: MotionBuilder<V>): Motion<V> {
    this.#alive();
    const { type, calls, sinkKind, flags } = config;
    const key = calls?.exclusive;
    if (key !== undefined) this.#exclusive.get(key)?.cancel();
    this.#reserve(type, 1);
    const { slots } = this;
    const slot = slots.take();
    const handle = new Motion<V>(config, slot, slots.generations[slot]!);
    this.#insert(config, slot);
    this.#used[type]!++;
    this.#active++;
    slots.handles[slot] = handle;
    slots.numbers[slot] = ++this.#numbers;
    slots.before[slot] = NaN;
    if (key !== undefined) this.#exclusive.set(key, handle);
    if (sinkKind !== SinkKind.None || calls !== null) {
      slots.targets[slot] = config.target;
      slots.keys[slot] = config.key;
      slots.enlist(slot);
      const inDelay = (flags & BuilderFlag.WritesInDelay) !== 0;
      if (inDelay) slots.gates[slot] = Gate.Event;
      slots.plain[slot] = this.#plainGate(config);
      const atOnce = flags & BuilderFlag.WritesAtOnce || (!(flags & BuilderFlag.WritesLater) && (config.delaySeconds === 0 || inDelay));
      if (atOnce && calls?.getter === undefined) this.#push(handle);
    }
    return handle;
  }

  /** @internal Counts a running sequence in and gives it its place in the delivery order. */
  addSequence(player: SequencePlayer): number {
    this.#alive();
    this.#sequences.push(player);
    return ++this.#numbers;
  }

  /** @internal Takes or returns the slots of a sequence's member. */
  countMember(config: AnyBuilder, step: 1 | -1): void {
    if (step > 0) this.#reserve(config.type, 1);
    this.#used[config.type]! += step;
    this.#active += step;
  }

  /** @internal A group's motions have ended one by one, or all at once when it is dropped. */
  countGroup(group: MotionGroup, ended: number, isOver: boolean): void {
    this.#active -= ended;
    if (!isOver) return;
    this.#used[ValueType.Float]! -= group.count;
    this.#groups[group.index] = null;
  }

  /** @internal */
  setColumn(handle: AnyMotion, column: number, value: number): void {
    heap.f64[this.slots.rowAt[handle.slot]! + column * PAGE_ROWS] = value;
  }

  /** @internal */
  setPaused(handle: AnyMotion, paused: boolean): void {
    handle.paused = paused;
    this.setColumn(handle, Column.Speed, paused ? 0 : handle.rate);
    if (this.slots.placeAt[handle.slot]! < 0) return;
    this.slots.gates[handle.slot] = paused ? Gate.Closed : Gate.Event;
    this.slots.plain[handle.slot] = paused ? Gate.Closed : this.#plainGate(handle.config);
  }

  /** @internal */
  seek(handle: AnyMotion, seconds: number): void {
    const { slots } = this;
    const { config, slot } = handle;
    if (!handle.started && seconds >= config.delaySeconds) this.#readStart(handle);
    const done = this.evaluate(config, seconds);
    const row = slots.rowAt[slot]!;
    this.#copyScratch(config, row);
    heap.f64[row + Column.Time * PAGE_ROWS] = seconds;
    // One short of the end, so that the next update still ends the motion.
    heap.f64[row + Column.Done * PAGE_ROWS] = Math.min(done, config.loopCount - 1);
    slots.before[slot] = NaN;
    if (slots.placeAt[slot]! >= 0 && !handle.paused) slots.gates[slot] = done >= 0 || config.flags & BuilderFlag.WritesInDelay ? Gate.Event : Gate.Closed;
    this.#push(handle);
  }

  /**
   * @internal Evaluates a configuration at a time; the value is at `scratchValue`.
   * @returns loops done, -1 in the first delay
   */
  evaluate(config: AnyBuilder, time: number): number {
    if (this.#scratch === 0) {
      this.#scratch = heap.alloc(Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES + 16 + 2 * EVENT_BYTES);
      this.#pages.blocks.push(this.#scratch);
      heap.i32[this.#scratch >> 2] = 1;
    }
    const page = this.#scratch;
    const table = page + Page.Columns + SCRATCH_COLUMNS * COLUMN_BYTES;
    heap.i32[page >> 2] = 1;
    heap.i32[table >> 2] = page;
    writeHeader(page, config);
    const row = rowIndex(page, 0);
    writeRow(config, row, time, 0);
    area.kernels.stepPages(table, 1, 0, 0, table + 16);
    const { fn } = config.curve;
    if (fn !== null) {
      const u = heap.f64[row + Column.Progress * PAGE_ROWS]!;
      try {
        heap.f64[row + Column.Progress * PAGE_ROWS] = evaluateEase(config.curve, u);
      } catch (error) {
        this.report(error, `ease ${config.curve.name}`);
      }
      area.kernels.finishPage(page);
    }
    return heap.f64[row + Column.Done * PAGE_ROWS]!;
  }

  /** @internal Index into heap.f64 of what `evaluate` has computed. */
  scratchValue(config: AnyBuilder): number {
    return valueIndex(rowIndex(this.#scratch, 0), config.components);
  }

  /** @internal Runs a list of callbacks; their errors are reported. */
  call(calls: MotionCallbacks | null, name: CallbackName, argument?: unknown): void {
    const list = calls?.[name];
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      try {
        list[i]!(argument);
      } catch (error) {
        this.report(error, `Motion.on${name}`);
      }
    }
  }

  /** @internal Hands an error of user code to the handler; an error of the handler leaves. */
  report(error: unknown, what: string): void {
    if (this.#handlerThrew) throw error;
    try {
      if (this.#handler !== null) this.#handler(error, what);
      else console.error(`osteon: error in ${what}`, error);
    } catch (own) {
      this.#handlerThrew = this.#running;
      throw own;
    }
  }

  #builder<V>(type: ValueType, kind: ValueKind, from: any, to: any, duration: number): MotionBuilder<any> {
    this.#alive();
    return new MotionBuilder<V>(this, type, kind, from, to, duration);
  }

  #alive(): void {
    if (this.#disposed) throw new AnimStateError("The MotionStore was disposed. Make a new one.");
  }

  #own(handle: AnyMotion): void {
    if (handle?.store !== this) throw new AnimArgumentError("The handle is of another MotionStore.");
  }

  #typed<V>(handle: Motion<V>, type: ValueType): Motion<V> {
    this.#own(handle);
    if (handle.config.type !== type) throw new AnimArgumentError("The handle's motion carries another type of value.");
    return handle;
  }

  /** Makes sure that `count` more motions of a type fit. */
  #reserve(type: ValueType, count: number): void {
    const wanted = this.#used[type]! + count;
    if (this.#active + count > MOST || wanted > MOST) throw new AnimCapacityError(`More than ${MOST} motions cannot be alive at once.`);
    while (wanted > this.#capacity[type]!) this.#capacity[type] = Math.min(MOST, this.#capacity[type]! * 2);
  }

  #insert(config: AnyBuilder, slot: number): void {
    const key = config.bucketKey;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      this.#buckets.set(key, (bucket = new Bucket(key, config)));
      if (config.curve.id === EASE_CUSTOM) this.#custom.push(bucket);
    }
    let page = bucket.first;
    if (page === 0 || heap.i32[page >> 2] === PAGE_ROWS) {
      page = this.#pages.take(config);
      heap.i32[(page + Page.Next) >> 2] = bucket.first;
      bucket.first = page;
    }
    const { slots } = this;
    const row = heap.i32[page >> 2]!++;
    const base = rowIndex(page, row);
    heap.i32[((page + Page.Owners) >> 2) + row] = slot;
    slots.pages[slot] = page;
    slots.rowAt[slot] = base;
    slots.valueAt[slot] = valueIndex(base, config.components);
    writeRow(config, base, 0, config.rate);
  }

  #plainGate(config: AnyBuilder): number {
    return config.calls === null && (config.flags & (PageFlag.DelayEvery | BuilderFlag.WritesInDelay)) === 0 ? sinkGate(config) : Gate.Closed;
  }

  /** Fills the hole with the bucket's last row. */
  #remove(slot: number): void {
    const { slots } = this;
    const bucket = this.#buckets.get(slots.handles[slot]!.config.bucketKey)!;
    const { columns, components } = bucket;
    const page = slots.pages[slot]!;
    const hole = slots.rowAt[slot]!;
    const last = bucket.first;
    const i32 = heap.i32;
    const lastRow = --i32[last >> 2]!;
    const from = rowIndex(last, lastRow);
    if (from !== hole) {
      const f64 = heap.f64;
      for (let c = 0; c < columns * PAGE_ROWS; c += PAGE_ROWS) f64[hole + c] = f64[from + c]!;
      const moved = i32[((last + Page.Owners) >> 2) + lastRow]!;
      i32[((page + Page.Owners) >> 2) + (hole - rowIndex(page, 0))] = moved;
      slots.pages[moved] = page;
      slots.rowAt[moved] = hole;
      slots.valueAt[moved] = valueIndex(hole, components);
    }
    if (lastRow === 0) {
      bucket.first = i32[(last + Page.Next) >> 2]!;
      this.#pages.release(last, columns);
      if (bucket.first === 0 && bucket.curve.code > EASE_CUSTOM) this.#buckets.delete(bucket.key);
    }
  }

  #finish(handle: AnyMotion, outcome: MotionOutcome): void {
    const { slots } = this;
    const { slot, config } = handle;
    const f64 = heap.f64;
    const at = slots.valueAt[slot]!;
    handle.v0 = f64[at]!;
    if (config.type !== ValueType.Float) {
      const rest = (handle.rest ??= new MotionRest());
      rest.v1 = f64[at + PAGE_ROWS]!;
      rest.v2 = f64[at + 2 * PAGE_ROWS]!;
      rest.v3 = f64[at + 3 * PAGE_ROWS]!;
    }
    handle.lastTime = f64[slots.rowAt[slot]! + Column.Time * PAGE_ROWS]!;
    this.#remove(slot);
    slots.release(slot);
    this.#used[config.type]!--;
    this.#active--;
    const key = config.calls?.exclusive;
    if (key !== undefined && this.#exclusive.get(key) === handle) this.#exclusive.delete(key);
    handle.end(outcome);
  }

  #copyScratch(config: AnyBuilder, row: number): void {
    const f64 = heap.f64;
    const from = rowIndex(this.#scratch, 0);
    for (let c = Column.Done * PAGE_ROWS; c < config.columns * PAGE_ROWS; c += PAGE_ROWS) f64[row + c] = f64[from + c]!;
  }

  /** Reads a start value that is taken when the motion starts. */
  #readStart(handle: AnyMotion): void {
    const { config } = handle;
    handle.started = true;
    const getter = config.calls?.getter;
    if (getter === undefined) return;
    try {
      config.setFrom(getter());
    } catch (error) {
      this.report(error, "Motion.fromCurrent");
      return;
    }
    if (!handle.isActive()) return;
    const row = this.slots.rowAt[handle.slot]!;
    const time = heap.f64[row + Column.Time * PAGE_ROWS]!;
    this.evaluate(config, time);
    this.#copyScratch(config, row);
  }

  /** Writes the sink. False if it threw and the motion was cancelled for it. */
  #push(handle: AnyMotion): boolean {
    const { config, slot } = handle;
    if (config.sinkKind === SinkKind.None) return true;
    try {
      pushValue(config.type, config.sinkKind, config.target, config.key, this.slots.valueAt[slot]!, this.reused[config.type]!);
      return true;
    } catch (error) {
      return this.#sinkFailed(handle, error);
    }
  }

  #sinkFailed(handle: AnyMotion, error: unknown): boolean {
    this.report(error, "Motion sink");
    if (!(handle.config.flags & BuilderFlag.CancelsOnError)) return true;
    this.cancel(handle);
    return false;
  }

  /** Clocks, eases and values of everything; no user code but custom eases. */
  #compute(dt: number, unscaledDt: number): void {
    const pages = this.#pages;
    const events = pages.eventBuffer();
    const count = area.kernels.stepPages(pages.table, pages.pageCount, dt, unscaledDt, events);
    const groups = this.#groups;
    for (let i = 0; i < this.#custom.length; i++) this.#finishCustom(this.#custom[i]!.first, null);
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      if (group !== null && group.curve.fn !== null) this.#finishCustom(group.first, group);
    }
    for (let i = 0; i < count; i++) this.#noteEvent((events >> 2) + i * (EVENT_BYTES >> 2));
    for (let i = 0; i < groups.length; i++) groups[i]?.deliver();
  }

  /** Takes one event of the kernel: a motion has started, crossed a loop boundary or ended. `at` is its index in heap.i32. */
  #noteEvent(at: number): void {
    const { slots } = this;
    const slot = heap.i32[at]!;
    const ended = heap.i32[at + 1] !== 0;
    if (slot < 0) {
      if (ended) this.#groups[-1 - slot]!.endOne();
    } else if (slots.placeAt[slot]! < 0) {
      if (ended) this.#finish(slots.handles[slot]!, "completed");
    } else if (slots.plain[slot] !== 0 && !ended) {
      // Nobody asked for starts and loops: the handle need not be touched.
      slots.gates[slot] = slots.plain[slot]!;
    } else {
      const before = slots.before[slot]!;
      if (before !== before) slots.before[slot] = heap.f64[(at >> 1) + 1]!;
      // A paused motion is looked after when it is resumed.
      if (!slots.handles[slot]!.paused) slots.gates[slot] = Gate.Event;
    }
  }

  /** Applies a custom ease to the pages from `first` on. Backwards, because the function may end motions. */
  #finishCustom(first: number, group: MotionGroup | null): void {
    for (let page = first; page !== 0; page = heap.i32[(page + Page.Next) >> 2]!) {
      for (let row = heap.i32[page >> 2]! - 1; row >= 0; row--) {
        const handle = group === null ? this.slots.handles[heap.i32[((page + Page.Owners) >> 2) + row]!] : null;
        const curve = group?.curve ?? handle!.config.curve;
        const at = rowIndex(page, row) + Column.Progress * PAGE_ROWS;
        try {
          const eased = evaluateEase(curve, heap.f64[at]!);
          heap.f64[at] = eased;
          if (handle) (handle.rest ??= new MotionRest()).eased = eased;
        } catch (error) {
          // The value stays what it was.
          heap.f64[at] = handle?.rest?.eased ?? 0;
          this.report(error, `ease ${curve.name}`);
        }
      }
      area.kernels.finishPage(page);
    }
  }

  #deliver(dt: number, unscaledDt: number): void {
    const { slots } = this;
    // What starts from here on waits for the next update.
    const limit = slots.orderCount;
    const sequenceLimit = this.#sequences.length;
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
          while (next < sequenceLimit && this.#sequences[next]!.number < slots.numbers[slot]!) this.#sequences[next++]!.pump(dt, unscaledDt);
          if (slots.order[i] === slot && slots.gates[slot] !== Gate.Closed) this.#deliverEvent(slots.handles[slot]!);
        }
        i++;
      }
      while (next < sequenceLimit) this.#sequences[next++]!.pump(dt, unscaledDt);
    } finally {
      slots.compact();
      this.#dropEndedSequences();
    }
  }

  /**
   * Writes sinks from entry i of the delivery order on, as long as nothing else is to be done; returns the entry that
   * needs more.
   */
  #write(i: number, limit: number): number {
    const { slots } = this;
    for (;;) {
      try {
        i = writeProperties(slots, i, limit);
        if (i === limit) return i;
        const slot = slots.order[i]!;
        const gate = slots.gates[slot]!;
        if (gate === Gate.Event) return i;
        pushValue(gate >> 4, gate & 15, slots.targets[slot], slots.keys[slot], slots.valueAt[slot]!, this.reused[gate >> 4]!);
        i++;
      } catch (error) {
        // Whoever writes properties notes where it is; a sink may have ended its own motion before it failed.
        i = slots.writing >= 0 ? slots.writing : i;
        slots.writing = -1;
        const slot = slots.order[i++]!;
        const handle = slot < 0 ? null : slots.handles[slot]!;
        if (handle !== null) this.#sinkFailed(handle, error);
        else this.report(error, "Motion sink");
      }
    }
  }

  #dropEndedSequences(): void {
    const list = this.#sequences;
    let kept = 0;
    for (let i = 0; i < list.length; i++) {
      const sequence = list[i]!;
      if (sequence.isActive()) list[kept++] = sequence;
    }
    list.length = kept;
  }

  /** The long way: start, write, loops, end, in this order; each step only while the motion still plays. */
  #deliverEvent(handle: AnyMotion): void {
    const { slots } = this;
    const { config, slot } = handle;
    const done = heap.f64[slots.rowAt[slot]! + Column.Done * PAGE_ROWS]!;
    if (done < 0) {
      if (config.flags & BuilderFlag.WritesInDelay) this.#push(handle);
      return;
    }
    if (!handle.started) {
      this.#readStart(handle);
      this.call(config.calls, "start");
      if (!isPlaying(handle)) return;
    }
    const time = heap.f64[slots.rowAt[slot]! + Column.Time * PAGE_ROWS]!;
    if (!isInGap(config, time, done) || slots.before[slot] === slots.before[slot]) {
      if (!this.#push(handle) || !isPlaying(handle)) return;
      if (config.calls?.update !== undefined) {
        this.call(config.calls, "update", handle.valueInto(this.reused[config.type]));
        if (!isPlaying(handle)) return;
      }
    }
    const before = slots.before[slot]!;
    if (before === before) {
      slots.before[slot] = NaN;
      if (config.calls?.loop !== undefined) {
        for (let n = Math.max(before, 0, done - MOST_LOOPS) + 1; n <= done; n++) {
          this.call(config.calls, "loop", n);
          if (!isPlaying(handle)) return;
        }
      }
      if (done >= config.loopCount) {
        this.#finish(handle, "completed");
        this.call(config.calls, "complete");
        return;
      }
    }
    // Motions with a callback per update, or with gaps to look out for, keep to the long way.
    const isSimple = config.calls?.update === undefined && (config.flags & PageFlag.DelayEvery) === 0;
    slots.gates[slot] = isSimple ? sinkGate(config) : Gate.Event;
  }
}

function sinkGate({ sinkKind, type }: AnyBuilder): number {
  return sinkKind === SinkKind.None ? Gate.Closed : sinkKind | (type << 4);
}

/**
 * The hot loop of delivery: plain writes of properties, until an entry wants something else. A function of its own, so
 * that what the engine learns about it is not mixed with anything else.
 */
function writeProperties(slots: SlotTable, i: number, limit: number): number {
  // Fetched anew after a growth, which a setter may cause.
  const { order, gates, valueAt, targets, keys, capacity } = slots;
  try {
    for (; i < limit; i++) {
      const slot = order[i]!;
      if (slot < 0) continue;
      const gate = gates[slot]!;
      if (gate !== SinkKind.Property) {
        if (gate === Gate.Closed) continue;
        return i;
      }
      (targets[slot] as any)[keys[slot] as string] = heap.f64[valueAt[slot]!]!;
      if (slots.capacity !== capacity) return writeProperties(slots, i + 1, limit);
    }
    return i;
  } catch (error) {
    slots.writing = i;
    throw error;
  }
}

function isPlaying(handle: AnyMotion): boolean {
  return handle.isActive() && !handle.paused;
}

function vibrating(from: unknown): ValueType {
  if (typeof from === "number") return ValueType.Float;
  const components = Array.isArray(from) || ArrayBuffer.isView(from) ? (from as unknown as ArrayLike<number>).length : "z" in (from as object) ? 3 : 2;
  return components === 3 ? ValueType.Vec3 : ValueType.Vec2;
}

/** Fills in a row at its beginning. */
function writeRow(config: AnyBuilder, row: number, time: number, speed: number): void {
  const f64 = heap.f64;
  const { duration, wide, components } = config;
  f64[row + Column.Time * PAGE_ROWS] = time;
  f64[row + Column.Speed * PAGE_ROWS] = speed;
  f64[row + Column.Delay * PAGE_ROWS] = config.delaySeconds;
  f64[row + Column.Duration * PAGE_ROWS] = duration > TIME_EPS ? duration : 0;
  f64[row + Column.Inverse * PAGE_ROWS] = duration > TIME_EPS ? 1 / duration : Infinity;
  f64[row + Column.Loops * PAGE_ROWS] = config.loopCount;
  f64[row + Column.Done * PAGE_ROWS] = -1;
  f64[row + Column.Progress * PAGE_ROWS] = 0;
  const at = row + Column.From * PAGE_ROWS;
  const stride = components * PAGE_ROWS;
  f64[at] = f64[at + 2 * stride] = config.f0;
  f64[at + stride] = config.t0;
  if (wide === null) return;
  for (let i = 1; i < components; i++) {
    const column = at + i * PAGE_ROWS;
    f64[column] = f64[column + 2 * stride] = i === 1 ? wide.f1 : i === 2 ? wide.f2 : wide.f3;
    f64[column + stride] = i === 1 ? wide.t1 : i === 2 ? wide.t2 : wide.t3;
  }
  if (config.kind === ValueKind.Lerp) return;
  f64[at + 3 * stride] = wide.e0;
  f64[at + 3 * stride + PAGE_ROWS] = wide.e1;
  if (config.kind !== ValueKind.Rotation) f64[at + 3 * stride + 2 * PAGE_ROWS] = Math.max(0, wide.e2);
}
