import { PageFlag, ValueKind } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkChoice, checkInteger, checkNumber, checkPositive } from "../module/check.js";
import { BuilderFlag, EXTRA, type Callback, type CallbackName, type MotionCallbacks, type MotionConfig } from "./config.js";
import { resolveEase, type EaseKind } from "./ease.js";
import type { Motion } from "./motion.js";
import { SinkKind, sinkKindOf, type ArraySink, type MotionSink, type PropertySink } from "./sinks.js";
import type { MotionStore } from "./store.js";
import { ValueType, type DelayType, type LoopModeName, type MotionInput } from "./types.js";

const MODES = ["restart", "yoyo", "flip", "incremental"], DELAYS = ["first", "every"];

/**
 * Configures one motion. `bind` and `run` start it; `to` keeps it open for a sequence. Every other method returns the builder.
 *
 * A builder is used once: after `bind`, `run` or being added to a sequence every method throws `AnimStateError`. One that
 * is never used costs nothing.
 */
export class MotionBuilder<V = number> {
  /** @internal */
  constructor(
    /** @internal */ readonly store: MotionStore,
    /** @internal What is set so far; null once the builder is used. */ public config: MotionConfig | null,
  ) {}

  #open(): MotionConfig {
    const { config } = this;
    if (config === null) throw new AnimStateError("This builder is used. Make a new one.");
    return config;
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
    const every = checkChoice(type, DELAYS, "delay type") > 0;
    this.#open().delay = checkNumber(seconds, "delay", 0);
    return this.#flag(PageFlag.DelayEvery, every);
  }

  /**
   * Number of loops, -1 for endless.
   * @param mode - restart; yoyo: back in time; flip: back with the ease kept; incremental: on from the end
   */
  loops(count: number, mode: LoopModeName = "restart"): this {
    const config = this.#open();
    const index = checkChoice(mode, MODES, "loop mode");
    if (count !== -1) checkInteger(count, "loops", 1, 2 ** 40);
    config.loops = count < 0 ? Infinity : count;
    config.mode = index;
    return this;
  }

  /** Whether an error thrown by the sink cancels the motion. Default false: it goes on and tries again. */
  cancelOnError(flag = true): this {
    return this.#flag(BuilderFlag.CancelsOnError, flag);
  }

  /** Punch and shake: half waves over the duration, above 0; more than a million are a million. Default 10. */
  frequency(halfWaves: number): this {
    this.#vibration()[EXTRA] = Math.min(checkPositive(halfWaves, "frequency"), 1e6);
    return this;
  }

  /** Punch and shake: how fast it fades, at least 0; 0 does not fade. Default 1. */
  dampingRatio(ratio: number): this {
    this.#vibration()[EXTRA + 1] = checkNumber(ratio, "dampingRatio", 0);
    return this;
  }

  /** Shake: seed of its random factors, 0..2^32-1. Default: the store's own counter. */
  seed(seed: number): this {
    this.#vibration(ValueKind.Shake)[EXTRA + 2] = checkInteger(seed, "seed", 0, 0xffffffff);
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
    return this.#flag(BuilderFlag.WritesAtOnce, flag).#flag(BuilderFlag.WritesLater, !flag);
  }

  /** false: the start value is written during the delay. Default true. */
  skipDuringDelay(flag = true): this {
    return this.#flag(BuilderFlag.WritesInDelay, !flag);
  }

  /** Initial playback speed. */
  speed(speed: number): this {
    this.#open().rate = checkNumber(speed, "speed");
    return this;
  }

  /** Ignores the time scale of the module. */
  unscaled(flag = true): this {
    return this.#flag(PageFlag.Unscaled, flag);
  }

  /** Limits the components of a colour to 0..1, which some eases leave. */
  clamped(flag = true): this {
    if (this.#open().type !== ValueType.Color) throw new AnimStateError("Only colours can be clamped.");
    return this.#flag(PageFlag.Clamped, flag);
  }

  /** At its end the motion waits, paused and active, for a `seek` and `resume`, or for `cancel`, which lets it go. */
  preserve(flag = true): this {
    return this.#flag(BuilderFlag.Preserved, flag);
  }

  /** Reads the start value when the motion starts, after its delay. */
  fromCurrent(getter: () => MotionInput<V>): this {
    this.#calls(getter).getter = getter;
    return this;
  }

  /** Cancels an active motion with the same key when this one is bound. */
  exclusive(key: unknown): this {
    (this.#open().calls ??= {}).exclusive = key;
    return this;
  }

  /** Attaches a sink and stays open, for a sequence or `run`. @throws AnimArgumentError if it does not fit the type */
  to(sink: MotionSink<V>): this {
    const config = this.#open();
    const kind = (config.sinkKind = sinkKindOf(sink, config.type));
    config.target = sink;
    if (kind === SinkKind.Property || kind === SinkKind.Array) {
      config.target = (sink as ArraySink | PropertySink).target;
      config.key = kind === SinkKind.Array ? (sink as ArraySink).offset : (sink as PropertySink).key;
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
  consume(): MotionConfig {
    const config = this.#open().settle(this.store);
    this.config = null;
    return config;
  }

  #call(name: CallbackName, fn: Callback): this {
    (this.#calls(fn)[name] ??= []).push(fn);
    return this;
  }

  /** Where `fn` may be noted. */
  #calls(fn: unknown): MotionCallbacks {
    const config = this.#open();
    if (typeof fn !== "function") throw new AnimArgumentError(`A callback is ${typeof fn}, expected a function.`);
    return (config.calls ??= {});
  }

  /** Where the options of punch and shake are. */
  #vibration(least = ValueKind.Punch): Float64Array {
    const { kind, ends } = this.#open();
    if (kind < least || kind > ValueKind.Shake) throw new AnimStateError(`Only ${least === ValueKind.Punch ? "punch and " : ""}shake can have this.`);
    return ends;
  }

  #flag(flag: PageFlag | BuilderFlag, on: boolean): this {
    const config = this.#open();
    config.flags = on ? config.flags | flag : config.flags & ~flag;
    return this;
  }
}
