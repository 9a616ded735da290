import { Field, PAGE_ROWS, PageFlag, ValueKind } from "../../../assembly/layout/motion.js";
import { disposedByHand, freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { AnimArgumentError, AnimCapacityError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { MotionBuilder } from "./builder.js";
import { BuilderFlag, MotionConfig, type CallbackName, type MotionCallbacks } from "./config.js";
import { resolveEase, type EaseKind } from "./ease.js";
import { MotionGroup, type FloatArray } from "./group.js";
import { Motion, MotionRecord, type MotionOutcome } from "./motion.js";
import { columnsOf } from "./page-pool.js";
import { Pump, type PumpedSequence } from "./pump.js";
import { MotionRows } from "./rows.js";
import { PropertySink, readValue, type ArraySink } from "./sinks.js";
import { Gate, SlotFlag, SlotTable, put } from "./slots.js";
import { ValueType, isList, type MotionColor, type MotionInput, type MotionQuat, type Vec2, type Vec3 } from "./types.js";

/** Most motions that can be alive at once. */
const MOST = 2 ** 20;
/** Pages that `ensureCapacity` adds for buckets that are not full. */
const SPARE_PAGES = 40;

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnyMotion = Motion<any>;

/** Takes the errors of sinks and callbacks; `what` says whose. */
export type AnimErrorHandler = (error: unknown, what: string) => void;

/**
 * A world of motions with a clock of its own: makes builders and steps everything in `update`. `new MotionSequence(store)`
 * arranges motions on a time line.
 *
 * Numbers live in linear memory and are stepped by kernels, page by page of equal ease and loop mode; what has a sink
 * or a callback is then delivered in the order of creation. A steady update allocates nothing.
 */
export class MotionStore {
  /** @internal */ readonly slots = new SlotTable();
  /** @internal */ readonly rows = new MotionRows(this);
  /** @internal Counter behind automatic seeds. */ seeds = 0;
  /** @internal */ readonly pump = new Pump(this);
  /** Slots promised and slots in use, by value type. */
  readonly #capacity = [32, 32, 32, 32, 32];
  readonly #used = [0, 0, 0, 0, 0];
  #active = 0;
  #numbers = 0;
  readonly #exclusive = new Map<unknown, AnyMotion>();
  #running = false;
  #disposed = false;
  /** @internal While one of each lives, a collection does not take what the engine has learnt about starting. */
  readonly shapes = [new MotionBuilder(this, null), new Motion(this, 0, 0), new PropertySink(this, "")];
  /** What the last start has left. */
  #spare: MotionConfig | null = null;
  #handler: AnimErrorHandler | null = null;
  /** Set while an error of the handler itself is on its way out. */
  #handlerThrew = false;

  constructor() {
    freeWhenCollected(this, this.rows.pages.blocks);
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

  /**
   * Starts many motions of numbers at once; nothing is allocated once their pages exist.
   * @param from, to, duration - one number for all, or one per motion
   * @param ease - for all of them
   * @param out - where the values go in every update, motion i at offset + i; null leaves them in linear memory
   * @returns one handle for all
   * @throws AnimArgumentError, AnimNameError, AnimCapacityError
   */
  startFloats(from: FloatArray | number, to: FloatArray | number, duration: FloatArray | number, ease: EaseKind, count: number, out: ArraySink | Float32Array | Float64Array | null = null): MotionGroup {
    checkInteger(count, "count", 1, MOST);
    const config = this.#settings(ValueType.Float, ValueKind.Lerp, 0, 0, 0);
    config.curve = resolveEase(ease);
    this.#reserve(ValueType.Float, count);
    const { groups } = this.pump;
    const index = groups.indexOf(null);
    const at = index < 0 ? groups.length : index;
    const group = new MotionGroup(this, this.rows.pages, config.curve, count, at, ++this.#numbers, out);
    try {
      group.fill(config, from, to, duration);
    } catch (error) {
      group.release();
      throw error;
    }
    this.#spare = config;
    groups[at] = group;
    this.#used[ValueType.Float]! += count;
    this.#active += count;
    return group;
  }

  /** As the handle's method. @throws AnimArgumentError for a handle of another store */
  complete(handle: Motion<any>): boolean {
    this.#own(handle);
    if (!handle.isActive()) return false;
    const { slot } = handle;
    const { loops } = handle.facts;
    // A preserved one has been there.
    if (handle.record?.outcome) return false;
    if (loops === Infinity) throw new AnimStateError("An endless motion has no end; cancel it.");
    if (!(this.slots.flags[slot]! & SlotFlag.Started)) this.readStart(handle);
    if (!handle.isActive()) return true;
    const total = handle.getTotalDuration();
    this.rows.seek(slot, total + 1);
    this.rows.setTime(slot, total);
    this.pump.push(handle);
    if (!handle.isActive()) return true;
    const calls = this.slots.calls[slot];
    this.end(handle);
    this.call(calls, "loop", loops);
    this.call(calls, "complete");
    return true;
  }

  /** As the handle's method. @throws AnimArgumentError for a handle of another store */
  cancel(handle: Motion<any>): boolean {
    this.#own(handle);
    if (!handle.isActive()) return false;
    const calls = this.slots.calls[handle.slot];
    this.finish(handle, "cancelled");
    this.call(calls, "cancel");
    return true;
  }

  /** The value of a motion of a number. @throws AnimArgumentError for a handle of another store or type */
  floatValue(handle: Motion<number>): number {
    return this.#value(handle, ValueType.Float);
  }

  /** The value of a Vec2 motion. @throws AnimArgumentError for a handle of another store or type */
  vec2Value(handle: Motion<Vec2>): Vec2 {
    return this.#value(handle, ValueType.Vec2);
  }

  /** The value of a Vec3 motion. @throws AnimArgumentError for a handle of another store or type */
  vec3Value(handle: Motion<Vec3>): Vec3 {
    return this.#value(handle, ValueType.Vec3);
  }

  /** The value of a colour motion. @throws AnimArgumentError for a handle of another store or type */
  colorValue(handle: Motion<MotionColor>): MotionColor {
    return this.#value(handle, ValueType.Color);
  }

  /** The value of a rotation. @throws AnimArgumentError for a handle of another store or type */
  quatValue(handle: Motion<MotionQuat>): MotionQuat {
    return this.#value(handle, ValueType.Quat);
  }

  /**
   * Makes room for n motions of each value type, of up to 40 kinds of ease and loop mode.
   * @throws AnimArgumentError, AnimCapacityError beyond 2^20
   */
  ensureMotionCapacity(n: number): void {
    checkInteger(n, "capacity", 0, 2 ** 53);
    if (n > MOST) throw tooMany();
    for (let type = 0; type < 5; type++) {
      if (n > this.#capacity[type]!) this.#capacity[type] = n;
      this.rows.pages.reserve(columnsOf(type, type === ValueType.Quat ? ValueKind.Rotation : ValueKind.Lerp), Math.ceil(n / PAGE_ROWS) + Math.min(n, SPARE_PAGES));
    }
    this.slots.reserve(Math.min(5 * n, MOST));
    this.slots.reservePlaces();
    this.rows.pages.eventBuffer();
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
    const { sequences, groups } = this.pump;
    const all = [...sequences, ...groups, ...this.slots.handles].filter((one) => one !== null);
    return all.toSorted((a, b) => a.number - b.number).filter((one) => one.cancel()).length;
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
    if (this.#running) throw new AnimStateError("update is running. Do not call it from inside.");
    this.#running = true;
    try {
      this.pump.compute(dt, unscaledDt);
      this.pump.deliver(dt, unscaledDt);
    } finally {
      this.#running = false;
      this.#handlerThrew = false;
    }
  }

  /** Gives all memory back. The motions end without callbacks; every method but this one throws from now on. */
  dispose(): void {
    if (this.#disposed) return;
    for (const handle of this.slots.handles) if (handle !== null) this.finish(handle, "cancelled");
    this.#disposed = true;
    disposedByHand(this);
    this.rows.pages.dispose();
  }

  /** @internal Starts what a consumed builder describes. */
  start<V>(config: MotionConfig): Motion<V> {
    this.#alive();
    const { type, calls, flags } = config;
    const key = calls?.exclusive;
    if (key !== undefined) this.#exclusive.get(key)?.cancel();
    this.#reserve(type, 1);
    const { slots } = this;
    const slot = slots.take();
    const handle = new Motion<V>(this, slot, slots.generations[slot]!);
    this.rows.insert(config, slot);
    if (flags & PageFlag.Clamped) this.rows.seek(slot, 0);
    this.#used[type]!++;
    this.#active++;
    slots.handles[slot] = handle;
    slots.numbers[slot] = ++this.#numbers;
    slots.before[slot] = NaN;
    slots.flags[slot] = flags;
    if (key !== undefined) this.#exclusive.set(key, handle);
    const sink = config.sinkKind && config.sinkKind | (type << 4);
    slots.sinks[slot] = sink;
    if (sink !== 0 || calls !== null) {
      const inDelay = (flags & BuilderFlag.WritesInDelay) !== 0;
      slots.enlist(slot, config.target, config.key, inDelay ? Gate.Event : Gate.Closed);
      if (calls !== null) put(slots.calls, slot, calls);
      const atOnce = flags & BuilderFlag.WritesAtOnce || (!(flags & BuilderFlag.WritesLater) && (config.delay === 0 || inDelay));
      if (atOnce && calls?.getter === undefined) this.pump.push(handle);
    }
    if (calls?.source === undefined) {
      config.target = config.key = config.calls = null;
      this.#spare = config;
    }
    return handle;
  }

  /** @internal Counts a running sequence in and gives it its place in the delivery order. */
  addSequence(player: PumpedSequence): number {
    this.#alive();
    this.pump.sequences.push(player);
    return ++this.#numbers;
  }

  /** @internal Takes or returns the slots of a sequence's member. */
  countMember(config: MotionConfig, step: 1 | -1): void {
    if (step > 0) this.#reserve(config.type, 1);
    this.#used[config.type]! += step;
    this.#active += step;
  }

  /** @internal A group's motions have ended one by one, or all at once when it is dropped. */
  countGroup(group: MotionGroup, ended: number, isOver: boolean): void {
    this.#active -= ended;
    if (!isOver) return;
    this.#used[ValueType.Float]! -= group.count;
    this.pump.groups[group.index] = null;
  }

  /** @internal */
  setSpeed(slot: number, speed: number): void {
    if (this.slots.flags[slot]! & SlotFlag.Paused) this.slots.rates[slot] = speed;
    else this.#setRate(slot, speed);
  }

  /** @internal Playback speed, also of a paused motion. */
  rateOf(slot: number): number {
    return this.slots.flags[slot]! & SlotFlag.Paused ? this.slots.rates[slot]! : heap.f64[this.rows.recordOf(slot) + Field.Speed]!;
  }

  /** @internal */
  setPaused(slot: number, paused: boolean): void {
    const { slots } = this;
    const rate = this.rateOf(slot);
    if (paused) put(slots.rates, slot, rate);
    slots.flags[slot] = paused ? slots.flags[slot]! | SlotFlag.Paused : slots.flags[slot]! & ~SlotFlag.Paused;
    this.#setRate(slot, paused ? 0 : rate);
    slots.setGate(slot, paused ? Gate.Closed : Gate.Event);
  }

  /** @internal */
  seek(handle: AnyMotion, seconds: number): void {
    const { slots } = this;
    const { slot } = handle;
    const { loops, delay } = handle.facts;
    if (!(slots.flags[slot]! & SlotFlag.Started) && seconds >= delay) this.readStart(handle);
    if (!handle.isActive()) return;
    const done = this.rows.seek(slot, seconds);
    if (handle.record !== null) handle.record.outcome = null;
    // One short of the end, so that the next update still ends the motion.
    this.#set(slot, Field.Done, Math.min(done, loops - 1));
    slots.before[slot] = NaN;
    if (!handle.isPaused()) slots.setGate(slot, done >= 0 || slots.flags[slot]! & BuilderFlag.WritesInDelay ? Gate.Event : Gate.Closed);
    this.pump.push(handle);
  }

  /** @internal Reads a start value that is taken when the motion starts. */
  readStart(handle: AnyMotion): void {
    const { slots, rows } = this;
    const { slot } = handle;
    slots.flags[slot]! |= SlotFlag.Started;
    const source = slots.calls[slot]?.source;
    if (source === undefined) return;
    try {
      source.setFrom(source.calls!.getter!());
    } catch (error) {
      this.report(error, "Motion.fromCurrent");
      return;
    }
    if (handle.isActive()) rows.restart(slot, source);
  }

  /** @internal A motion has come to its end, where a preserved one waits. */
  end(handle: AnyMotion): void {
    const { slot } = handle;
    if (!(this.slots.flags[slot]! & BuilderFlag.Preserved)) return this.finish(handle, "completed");
    this.setPaused(slot, true);
    settle(handle, "completed");
  }

  /** @internal Ends a motion and gives its slot back; the handle keeps what it may be asked for. */
  finish(handle: AnyMotion, outcome: MotionOutcome): void {
    const { slots } = this;
    const { slot } = handle;
    const record = settle(handle, outcome);
    this.rows.facts(slot, record);
    record.value = readValue(record.type, slots.valueAt[slot]!);
    this.rows.remove(slot);
    const key = slots.calls[slot]?.exclusive;
    slots.release(slot);
    this.#used[record.type]!--;
    this.#active--;
    if (key !== undefined && this.#exclusive.get(key) === handle) this.#exclusive.delete(key);
  }

  /** @internal Runs a list of callbacks; their errors are reported. */
  call(calls: MotionCallbacks | null | undefined, name: CallbackName, argument?: unknown): void {
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
    return new MotionBuilder<V>(this, this.#settings(type, kind, from, to, duration));
  }

  #settings(type: ValueType, kind: ValueKind, from: any, to: any, duration: number): MotionConfig {
    this.#alive();
    const config = this.#spare ?? new MotionConfig();
    // A call that throws leaves it to the collector.
    this.#spare = null;
    return config.reset(type, kind, from, to, duration);
  }

  #alive(): void {
    if (this.#disposed) throw new AnimStateError("The MotionStore was disposed.");
  }

  #own(handle: AnyMotion): void {
    if (handle?.store !== this) throw new AnimArgumentError("The handle is of another MotionStore.");
  }

  #value<V>(handle: Motion<V>, type: ValueType): V {
    this.#own(handle);
    if (handle.facts.type !== type) throw new AnimArgumentError("The handle is of another type of value.");
    return handle.value();
  }

  /** Makes sure that `count` more motions of a type fit. */
  #reserve(type: ValueType, count: number): void {
    const wanted = this.#used[type]! + count;
    if (this.#active + count > MOST || wanted > MOST) throw tooMany();
    while (wanted > this.#capacity[type]!) this.#capacity[type] = Math.min(MOST, this.#capacity[type]! * 2);
  }

  #setRate(slot: number, speed: number): void {
    this.rows.setTime(slot);
    this.#set(slot, Field.Speed, speed);
  }

  #set(slot: number, field: Field, value: number): void {
    heap.f64[this.rows.recordOf(slot) + field] = value;
  }
}

/** Notes the outcome and resolves `finished`, whose listeners run after the update. */
function settle(handle: AnyMotion, outcome: MotionOutcome): MotionRecord {
  const record = (handle.record ??= new MotionRecord());
  record.outcome = outcome;
  record.settle?.(outcome);
  return record;
}

function tooMany(): AnimCapacityError {
  return new AnimCapacityError(`At most ${MOST} motions can be alive at once.`);
}

function vibrating(from: unknown): ValueType {
  if (typeof from === "number") return ValueType.Float;
  return (isList(from) ? from.length === 3 : (from as Partial<Vec3> | null)?.z !== undefined) ? ValueType.Vec3 : ValueType.Vec2;
}
