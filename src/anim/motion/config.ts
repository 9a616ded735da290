import { LoopMode, PageFlag, TIME_EPS, ValueKind } from "../../../assembly/layout/motion.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { LINEAR, type Ease } from "./ease.js";
import { columnsOf, type PageHeader } from "./page-pool.js";
import { SinkKind } from "./sinks.js";
import type { Timing } from "./timing.js";
import { ValueType, componentsOf, isList, namesOf } from "./types.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
/** A function of the user's. @internal */
export type Callback = (argument: any) => void;

/** Callbacks that a motion or a sequence may have. @internal */
export type CallbackName = "start" | "update" | "loop" | "complete" | "cancel";

/** Callbacks and rare options of a motion, made when the first one is set. @internal */
export interface MotionCallbacks {
  start?: Callback[];
  update?: Callback[];
  loop?: Callback[];
  complete?: Callback[];
  cancel?: Callback[];
  /** Gives the start value when the motion starts, to its settings, which are kept for it. */
  getter?: () => any;
  source?: MotionConfig;
  exclusive?: unknown;
}

/** Options of a motion beside the kernels' PageFlag. @internal */
export const enum BuilderFlag {
  /** The bits that pages have, too. */
  Pages = 15,
  CancelsOnError = 16,
  WritesInDelay = 32,
  /** Forced, or forbidden, write by `bind`. */
  WritesAtOnce = 64,
  WritesLater = 128,
  // 256..2048 are SlotFlags.
  Preserved = 4096,
}

/** Where the end and the extra columns are in `MotionConfig.ends`. @internal */
export const TO = 4, EXTRA = 8;

/**
 * What a builder sets. A store keeps the one that the last start has left and hands it to the next builder, so that
 * starts leave nothing of it behind.
 * @internal
 */
export class MotionConfig implements PageHeader, Timing {
  /** Start, end, and extra columns: frequency, damping ratio and seed of punch and shake; angle and 1/sine of a rotation. */
  readonly ends = new Float64Array(11);
  type!: ValueType;
  kind!: ValueKind;
  duration!: number;
  curve!: Ease;
  delay!: number;
  /** Infinity for endless. */
  loops!: number;
  mode!: number;
  /** PageFlag and BuilderFlag. */
  flags!: number;
  rate!: number;
  sinkKind!: SinkKind;
  target: any;
  key: any;
  calls!: MotionCallbacks | null;

  /** Everything as in a new builder. Comes first, also after construction. */
  reset(type: ValueType, kind: ValueKind, from: any, to: any, duration: number): this {
    const { ends } = this;
    this.type = type;
    this.kind = kind;
    this.duration = checkNumber(duration, "duration", 0);
    this.curve = LINEAR;
    this.delay = 0;
    this.loops = 1;
    this.mode = LoopMode.Restart;
    this.flags = 0;
    this.rate = 1;
    this.sinkKind = SinkKind.None;
    this.target = this.key = this.calls = null;
    if (kind !== ValueKind.Lerp) {
      ends[EXTRA] = 10;
      ends[EXTRA + 1] = 1;
      ends[EXTRA + 2] = -1;
    }
    if (type === ValueType.Float) ends[TO] = checkNumber(to, "to");
    else this.#read(TO, to);
    this.setFrom(from);
    return this;
  }

  get components(): number {
    return componentsOf(this.type);
  }

  /** Columns of the page that the motion lives in. */
  get columns(): number {
    return columnsOf(this.type, this.kind);
  }

  /** Identifies the bucket: motions with the same number share pages. */
  get bucketKey(): number {
    return ((this.curve.code * 4 + this.mode) * 16 + (this.flags & BuilderFlag.Pages)) * 20 + this.type * 4 + this.kind;
  }

  /** Takes the start value, at creation or when the motion starts, and what depends on both ends. */
  setFrom(from: any): void {
    const { ends, kind } = this;
    if (this.type === ValueType.Float) ends[0] = checkNumber(from, "from");
    else this.#read(0, from);
    if (kind === ValueKind.Rotation) prepareRotation(ends);
    if (kind === ValueKind.Lerp) for (let i = this.components - 1; i >= 0; i--) checkNumber(ends[TO + i]! - ends[i]!, "the distance from start to end");
  }

  /** What remains to be decided when the builder is used up. @throws AnimStateError for an endless motion of length 0 */
  settle(store: { seeds: number }): this {
    const { ends, kind } = this;
    if (this.loops === Infinity && (this.flags & PageFlag.DelayEvery ? this.delay : 0) + this.duration <= TIME_EPS) {
      throw new AnimStateError("An endless motion needs a duration above 0.");
    }
    if (kind === ValueKind.Shake && ends[EXTRA + 2]! < 0) ends[EXTRA + 2] = ++store.seeds;
    if (this.loops === 1 || ((kind === ValueKind.Punch || kind === ValueKind.Shake) && this.mode === LoopMode.Incremental)) this.mode = LoopMode.Restart;
    if (this.loops === 1) this.flags &= ~PageFlag.DelayEvery;
    if (this.calls?.getter !== undefined) this.calls.source = this;
    if (this.calls === null && !(this.flags & (PageFlag.DelayEvery | BuilderFlag.WritesInDelay))) this.flags |= PageFlag.Silent;
    return this;
  }

  /** Reads and checks the components of a value. */
  #read(at: number, value: any): void {
    const names = namesOf(this.type);
    for (let i = 0; i < this.components; i++) this.ends[at + i] = checkNumber(value?.[isList(value) ? i : names[i]!], names[i]!);
  }
}

/** Normalises both ends, takes the short way round and finds the angle between them. */
function prepareRotation(ends: Float64Array): void {
  let from = 0, to = 0, dot = 0;
  for (let i = 0; i < TO; i++) {
    from += ends[i]! * ends[i]!;
    to += ends[TO + i]! * ends[TO + i]!;
    dot += ends[i]! * ends[TO + i]!;
  }
  from = Math.sqrt(from);
  to = Math.sqrt(to);
  if (!(from > 1e-12 && to > 1e-12 && from < Infinity && to < Infinity)) {
    throw new AnimArgumentError("A quaternion needs a finite length above 1e-12.");
  }
  if (dot < 0) to = -to;
  for (let i = 0; i < TO; i++) {
    ends[i]! /= from;
    ends[TO + i]! /= to;
  }
  const cosine = dot / from / to;
  // Nearly parallel ends have an angle that is its own sine, so that the kernel interpolates them linearly.
  const isFlat = cosine > 0.9995;
  const sine = isFlat ? 2 ** -30 : Math.sqrt((1 - cosine) * (1 + cosine));
  ends[EXTRA] = isFlat ? sine : angleOf(sine, cosine);
  ends[EXTRA + 1] = 1 / sine;
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
