/** A curve from 0 to 1. */
export abstract class Interpolation {
  /** The curve itself: 0..1 to 0..1. */
  protected abstract applyInternal(a: number): number;

  /** The curve at `a`. */
  apply(a: number): number;
  /** From `start` to `end` along the curve. */
  apply(start: number, end: number, a: number): number;
  apply(start: number, end?: number, a?: number): number {
    return end === undefined || a === undefined ? this.applyInternal(start) : start + (end - start) * this.applyInternal(a);
  }

  static readonly linear: Interpolation = /* @__PURE__ */ curve((a) => a);
  /** Slow at both ends: 3a^2 - 2a^3. */
  static readonly smooth: Interpolation = /* @__PURE__ */ curve((a) => a * a * (3 - 2 * a));
  static readonly slowFast: Interpolation = /* @__PURE__ */ curve((a) => a * a);
  static readonly fastSlow: Interpolation = /* @__PURE__ */ curve((a) => 1 - (a - 1) * (a - 1));
  /** An arc up to the middle, then its mirror image. */
  static readonly circle: Interpolation = /* @__PURE__ */ curve((a) =>
    a <= 0.5 ? (1 - Math.sqrt(1 - 4 * a * a)) / 2 : (Math.sqrt(1 - 4 * (a - 1) * (a - 1)) + 1) / 2,
  );
}

function curve(f: (a: number) => number): Interpolation {
  return new (class extends Interpolation {
    protected override applyInternal(a: number): number {
      return f(a);
    }
  })();
}

/** Slow at both ends, with the given power. */
export class Pow extends Interpolation {
  constructor(protected power: number) {
    super();
  }

  override applyInternal(a: number): number {
    if (a <= 0.5) return Math.pow(a * 2, this.power) / 2;
    return Math.pow((a - 1) * 2, this.power) / (this.power % 2 === 0 ? -2 : 2) + 1;
  }
}

/** Slow at the end, with the given power. */
export class PowOut extends Pow {
  override applyInternal(a: number): number {
    return Math.pow(a - 1, this.power) * (this.power % 2 === 0 ? -1 : 1) + 1;
  }
}
