import { MixFrom } from "../enums.js";
import { CurveTimeline } from "./curve-timeline.js";

/** The base class for a CurveTimeline that sets one property with a curve. */
export abstract class CurveTimeline1 extends CurveTimeline {
  static readonly ENTRIES: number = 2;

  override getFrameEntries(): number {
    return 2;
  }

  /** Sets the time in seconds and the value of a frame. */
  setFrame(frame: number, time: number, value: number): void {
    this._edit(frame);
    const i = frame * 2;
    this._frames[i] = time;
    this._frames[i + 1] = value;
  }

  /** The interpolated value at `time`, which is not before the first frame. */
  getCurveValue(time: number): number {
    return this._valueAt(time, 1);
  }

  /**
   * The value of a property whose timeline values are offsets from the setup value.
   * @param from - what alpha mixes from; `true` is the setup value
   */
  getRelativeValue(time: number, alpha: number, from: MixFrom | boolean, add: boolean, current: number, setup: number): number {
    const mode = Number(from);
    if (!(time >= this._frames[0]!)) return beforeFirst(mode, alpha, current, setup);
    const value = this.getCurveValue(time);
    if (mode === MixFrom.setup) return setup + value * alpha;
    return current + (add ? value : value + setup - current) * alpha;
  }

  /**
   * The value of a property whose timeline values replace the setup value.
   * @param value - used instead of the sampled value if given
   */
  getAbsoluteValue(
    time: number,
    alpha: number,
    from: MixFrom | boolean,
    add: boolean,
    current: number,
    setup: number,
    value?: number,
  ): number {
    const mode = Number(from);
    if (!(time >= this._frames[0]!)) return beforeFirst(mode, alpha, current, setup);
    const sampled = value ?? this.getCurveValue(time);
    const base = mode === MixFrom.setup ? setup : current;
    return base + (add ? sampled : sampled - base) * alpha;
  }

  /**
   * The value of a scale property, whose timeline values are factors on the setup value. Mixing out keeps the sign of
   * the base value; mixing in takes the sign of the new value at once.
   */
  getScaleValue(
    time: number,
    alpha: number,
    from: MixFrom | boolean,
    add: boolean,
    out: boolean,
    current: number,
    setup: number,
  ): number {
    const mode = Number(from);
    if (!(time >= this._frames[0]!)) return beforeFirst(mode, alpha, current, setup);
    const value = this.getCurveValue(time) * setup;
    if (alpha === 1 && !add) return value;
    let base = mode === MixFrom.setup ? setup : current;
    if (add) return base + (value - setup) * alpha;
    if (out) return base + (Math.abs(value) * Math.sign(base) - base) * alpha;
    base = Math.abs(base) * Math.sign(value);
    return base + (value - base) * alpha;
  }
}

function beforeFirst(mode: number, alpha: number, current: number, setup: number): number {
  if (mode === MixFrom.setup) return setup;
  return mode === MixFrom.first ? current + (setup - current) * alpha : current;
}
