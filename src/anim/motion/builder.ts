import { LoopMode, PageFlag, TIME_EPS, ValueKind } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber, checkPositive } from "../module/check.js";
import { LINEAR, resolveEase, type Ease, type EaseKind } from "./ease.js";
import type { Motion } from "./motion.js";
import { columnsOf, type PageHeader } from "./page-pool.js";
import { SinkKind, sinkKindOf, type ArraySink, type MotionSink, type PropertySink } from "./sinks.js";
import type { MotionStore } from "./store.js";
import type { Timing } from "./timing.js";
import { ValueType, componentsOf, namesOf, type DelayType, type LoopModeName, type MotionInput } from "./types.js";

const MODES = ["restart", "yoyo", "flip", "incremental"];

/* eslint-disable @typescript-eslint/no-explicit-any */
type Callback = (argument: any) => void;

/** Callbacks that a motion or a sequence may have. @internal */
export type CallbackName = "start" | "update" | "loop" | "complete" | "cancel";

/** Callbacks and rare options of a motion, made when the first one is set. @internal */
export interface MotionCallbacks {
  start?: Callback[];
  update?: Callback[];
  loop?: Callback[];
  complete?: Callback[];
  cancel?: Callback[];
  /** Gives the start value when the motion starts, to the builder, which is kept for it. */
  getter?: () => any;
  source?: MotionBuilder<any>;
  exclusive?: unknown;
}

/** Options of a builder beside the kernels' PageFlag. @internal */
export const enum BuilderFlag {
  /** The bits that pages have, too. */
  Pages = 7,
  Consumed = 8,
  CancelsOnError = 16,
  WritesInDelay = 32,
  /** Forced, or forbidden, write by `bind`. */
  WritesAtOnce = 64,
  WritesLater = 128,
}

/**
 * Configures one motion. `bind` and `run` start it; `to` keeps it open for a sequence. Every other method returns the builder.
 *
 * A builder is used once: after `bind`, `run` or being added to a sequence every method throws `AnimStateError`. One that
 * is never used costs nothing.
 */
export class MotionBuilder<V = number> implements PageHeader, Timing {
  // Plain fields and no array: a builder is dropped when its motion starts, and should cost little until then.
  /** @internal Start and end of a plain number. */ f0 = 0;
  /** @internal */ t0 = 0;
  /** @internal The ends of everything else, and the extra columns of the page; null for a plain number. */ wide: WideValue | null = null;
  /** @internal */ curve: Ease = LINEAR;
  /** @internal */ delaySeconds = 0;
  /** @internal Infinity for endless. */ loopCount = 1;
  /** @internal */ mode: number = LoopMode.Restart;
  /** @internal PageFlag and BuilderFlag. */ flags = 0;
  /** @internal */ rate = 1;
  /** @internal */ sinkKind: SinkKind = SinkKind.None;
  /** @internal */ target: any = null;
  /** @internal */ key: any = null;
  /** @internal */ calls: MotionCallbacks | null = null;

  /** @internal */
  constructor(
    readonly store: MotionStore,
    readonly type: ValueType,
    readonly kind: ValueKind,
    from: MotionInput<V>,
    to: MotionInput<V>,
    readonly duration: number,
  ) {
    checkNumber(duration, "duration", 0);
    if (type === ValueType.Float && kind === ValueKind.Lerp) this.t0 = checkNumber(to as number, "to");
    else readComponents((this.wide = new WideValue()), TO, type, to);
    this.setFrom(from);
  }

  /** @internal */
  get components(): number {
    return componentsOf(this.type);
  }

  /** @internal Columns of the page that this motion lives in. */
  get columns(): number {
    return columnsOf(this.type, this.kind);
  }

  /** @internal Identifies the bucket: motions with the same number share pages. */
  get bucketKey(): number {
    return ((this.curve.code * 4 + this.mode) * 8 + (this.flags & BuilderFlag.Pages)) * 20 + this.type * 4 + this.kind;
  }

  /** @internal Takes the start value, at creation or when the motion starts, and what depends on both ends. */
  setFrom(from: MotionInput<V>): void {
    const { wide } = this;
    let reach: number;
    if (wide === null) {
      this.f0 = checkNumber(from as number, "from");
      reach = this.t0 - this.f0;
    } else {
      readComponents(wide, FROM, this.type, from);
      if (this.kind === ValueKind.Rotation) prepareRotation(wide);
      reach = Math.abs(wide.t0 - wide.f0) + Math.abs(wide.t1 - wide.f1) + Math.abs(wide.t2 - wide.f2) + Math.abs(wide.t3 - wide.f3);
    }
    if (this.kind === ValueKind.Lerp) checkNumber(reach, "the distance from start to end");
  }

  /** @internal */
  get consumed(): boolean {
    return (this.flags & BuilderFlag.Consumed) !== 0;
  }

  #open(): this {
    if (this.consumed) throw new AnimStateError("This builder is already used. Make a new one.");
    return this;
  }

  /** Ease by name, `""` for linear, or a function. @throws AnimNameError */
  ease(kind: EaseKind): this {
    this.#open().curve = resolveEase(kind);
    return this;
  }

  /**
   * Seconds to wait.
   * @param type - "first": once, before the first loop; "every": before each loop
   */
  delay(seconds: number, type: DelayType = "first"): this {
    this.#open().delaySeconds = checkNumber(seconds, "delay", 0);
    if (type !== "first" && type !== "every") throw new AnimArgumentError(`The delay type is "${type as string}", expected "first" or "every".`);
    return this.#flag(PageFlag.DelayEvery, type === "every");
  }

  /**
   * Number of loops, -1 for endless.
   * @param mode - restart; yoyo: back in time; flip: back with the ease kept; incremental: on from the end
   */
  loops(count: number, mode: LoopModeName = "restart"): this {
    this.#open();
    const index = MODES.indexOf(mode);
    if (index < 0) throw new AnimArgumentError(`The loop mode is "${mode as string}", expected one of ${MODES.join(", ")}.`);
    if (count !== -1) checkInteger(count, "loops", 1, 2 ** 40);
    this.loopCount = count < 0 ? Infinity : count;
    this.mode = index;
    return this;
  }

  /** Whether an error thrown by the sink cancels the motion. Default false: it goes on and tries again. */
  cancelOnError(flag = true): this {
    return this.#open().#flag(BuilderFlag.CancelsOnError, flag);
  }

  /** Punch and shake: half waves over the duration, above 0. Default 10. */
  frequency(halfWaves: number): this {
    this.#vibrates().wide!.e0 = checkPositive(halfWaves, "frequency");
    return this;
  }

  /** Punch and shake: how fast it fades, at least 0; 0 does not fade. Default 1. */
  dampingRatio(ratio: number): this {
    this.#vibrates().wide!.e1 = checkNumber(ratio, "dampingRatio", 0);
    return this;
  }

  /** Shake: seed of its random factors, 0..2^32-1. Default: the store's own counter. */
  seed(seed: number): this {
    if (this.#vibrates().kind !== ValueKind.Shake) throw new AnimStateError("Only a shake has a seed.");
    this.wide!.e2 = checkInteger(seed, "seed", 0, 0xffffffff);
    return this;
  }

  /** Called once, the first time the motion is past its delay. */
  onStart(fn: () => void): this {
    return this.#call("start", fn);
  }

  /** Called after each write; vectors are one object that is reused between calls. */
  onUpdate(fn: (value: V) => void): this {
    return this.#call("update", fn);
  }

  /** Called at each loop boundary with the loops done so far, the last one included. */
  onLoop(fn: (loopsDone: number) => void): this {
    return this.#call("loop", fn);
  }

  /** Called once at the end. */
  onComplete(fn: () => void): this {
    return this.#call("complete", fn);
  }

  /** Called once when the motion is cancelled. */
  onCancel(fn: () => void): this {
    return this.#call("cancel", fn);
  }

  /** Forces or forbids the write of the start value by `bind`. Default: written when there is no delay. */
  immediate(flag = true): this {
    return this.#open().#flag(BuilderFlag.WritesAtOnce, flag).#flag(BuilderFlag.WritesLater, !flag);
  }

  /** false: the start value is written during the delay. Default true. */
  skipDuringDelay(flag = true): this {
    return this.#open().#flag(BuilderFlag.WritesInDelay, !flag);
  }

  /** Initial playback speed. */
  speed(speed: number): this {
    this.#open().rate = checkNumber(speed, "speed");
    return this;
  }

  /** Ignores the time scale of the module. */
  unscaled(flag = true): this {
    return this.#open().#flag(PageFlag.Unscaled, flag);
  }

  /** Reads the start value when the motion starts, after its delay. */
  fromCurrent(getter: () => MotionInput<V>): this {
    (this.#open().calls ??= {}).getter = getter;
    return this;
  }

  /** Cancels an active motion with the same key when this one is bound. */
  exclusive(key: unknown): this {
    (this.#open().calls ??= {}).exclusive = key;
    return this;
  }

  /** Attaches a sink and stays open, for a sequence or `run`. @throws AnimArgumentError if it does not fit the type */
  to(sink: MotionSink<V>): this {
    this.#open();
    const kind = (this.sinkKind = sinkKindOf(sink, this.type));
    this.target = sink;
    if (kind === SinkKind.Property || kind === SinkKind.Array) {
      this.target = (sink as ArraySink | PropertySink).target;
      this.key = kind === SinkKind.Array ? (sink as ArraySink).offset : (sink as PropertySink).key;
    }
    return this;
  }

  /** Starts the motion with a sink. @throws AnimStateError, AnimArgumentError, AnimCapacityError */
  bind(sink: MotionSink<V>): Motion<V> {
    return this.to(sink).run();
  }

  /** Starts the motion. @throws AnimStateError for an endless motion of length 0, AnimCapacityError beyond 2^20 motions */
  run(): Motion<V> {
    return this.store.start(this.consume());
  }

  /** @internal Closes the builder. */
  consume(): this {
    this.#open();
    if (this.loopCount === Infinity && (this.flags & PageFlag.DelayEvery ? this.delaySeconds : 0) + this.duration <= TIME_EPS) {
      throw new AnimStateError("An endless motion needs a duration above 0.");
    }
    this.#flag(BuilderFlag.Consumed, true);
    if (this.calls?.getter !== undefined) this.calls.source = this;
    if (this.kind === ValueKind.Shake && this.wide!.e2 < 0) this.wide!.e2 = ++this.store.seeds;
    const vibrates = this.kind === ValueKind.Punch || this.kind === ValueKind.Shake;
    if (this.loopCount === 1 || (vibrates && this.mode === LoopMode.Incremental)) this.mode = LoopMode.Restart;
    if (this.loopCount === 1) {
      this.#flag(PageFlag.DelayEvery, false);
      this.#flag(PageFlag.Once, true);
    }
    return this;
  }

  #call(name: CallbackName, fn: Callback): this {
    if (typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function.`);
    ((this.#open().calls ??= {})[name] ??= []).push(fn);
    return this;
  }

  #vibrates(): this {
    if (this.#open().kind !== ValueKind.Punch && this.kind !== ValueKind.Shake) {
      throw new AnimStateError("Only punch and shake have a frequency, a damping ratio and a seed.");
    }
    return this;
  }

  #flag(flag: PageFlag | BuilderFlag, on: boolean): this {
    this.flags = on ? this.flags | flag : this.flags & ~flag;
    return this;
  }
}

/** Components of the ends of a value, and extra columns. @internal */
export class WideValue {
  f0 = 0;
  f1 = 0;
  f2 = 0;
  f3 = 0;
  t0 = 0;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  /** Frequency, damping ratio and seed of punch and shake; angle and 1/sine of a rotation. */
  e0 = 10;
  e1 = 1;
  e2 = -1;
}

/** Names of the components of both ends. @internal */
export const FROM = ["f0", "f1", "f2", "f3"] as const, TO = ["t0", "t1", "t2", "t3"] as const;

/** Reads and checks the components of a value. */
function readComponents(wide: WideValue, into: typeof FROM | typeof TO, type: ValueType, value: any): void {
  if (type === ValueType.Float) value = [value];
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  const names = namesOf(type);
  for (let i = 0; i < componentsOf(type); i++) wide[into[i]!] = checkNumber(value?.[isList ? i : names[i]!], names[i]!);
}

/** Normalises both ends, takes the short way round and finds the angle between them. */
function prepareRotation(w: WideValue): void {
  const from = Math.sqrt(w.f0 * w.f0 + w.f1 * w.f1 + w.f2 * w.f2 + w.f3 * w.f3);
  let to = Math.sqrt(w.t0 * w.t0 + w.t1 * w.t1 + w.t2 * w.t2 + w.t3 * w.t3);
  if (!(from > 1e-12 && to > 1e-12 && from < Infinity && to < Infinity)) {
    throw new AnimArgumentError("A quaternion needs a finite length above 1e-12.");
  }
  w.f0 /= from;
  w.f1 /= from;
  w.f2 /= from;
  w.f3 /= from;
  const dot = (w.f0 * w.t0 + w.f1 * w.t1 + w.f2 * w.t2 + w.f3 * w.t3) / to;
  if (dot < 0) to = -to;
  w.t0 /= to;
  w.t1 /= to;
  w.t2 /= to;
  w.t3 /= to;
  const cosine = Math.abs(dot);
  const sine = Math.sqrt(Math.max(0, (1 - cosine) * (1 + cosine)));
  const isFlat = cosine > 0.9995;
  w.e0 = isFlat ? 0 : angleOf(sine, cosine);
  w.e1 = isFlat ? 0 : 1 / sine;
}

/**
 * Angle of 0..pi/2 from its sine and cosine: halved until it is its own sine but for two terms of the series. Roots and
 * quotients are the same bits on every engine, and the kernels of a page that rotates nothing need no arc tangent.
 */
function angleOf(sine: number, cosine: number): number {
  for (let i = 0; i < 10; i++) {
    cosine = Math.sqrt((1 + cosine) / 2);
    sine /= 2 * cosine;
  }
  const square = sine * sine;
  return 1024 * sine * (1 + square * (1 / 6 + square * 0.075));
}
