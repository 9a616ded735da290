/** A curve from 0 to 1. */
export abstract class Interpolation {
  static #linear: Interpolation | undefined;
  static #smooth: Interpolation | undefined;
  static #slowFast: Interpolation | undefined;
  static #fastSlow: Interpolation | undefined;
  static #circle: Interpolation | undefined;

  /** The curve itself: 0..1 to 0..1. */
  protected abstract applyInternal(a: number): number;

  /** The curve at `a`. */
  apply(a: number): number;
  /** From `start` to `end` along the curve. */
  apply(start: number, end: number, a: number): number;
  apply(start: number, end?: number, a?: number): number {
    return end === undefined || a === undefined ? this.applyInternal(start) : start + (end - start) * this.applyInternal(a);
  }

  static get linear(): Interpolation {
    return (Interpolation.#linear ??= new Curve((a) => a));
  }

  /** Slow at both ends: 3a^2 - 2a^3. */
  static get smooth(): Interpolation {
    return (Interpolation.#smooth ??= new Curve((a) => a * a * (3 - 2 * a)));
  }

  static get slowFast(): Interpolation {
    return (Interpolation.#slowFast ??= new Curve((a) => a * a));
  }

  static get fastSlow(): Interpolation {
    return (Interpolation.#fastSlow ??= new Curve((a) => 1 - (a - 1) * (a - 1)));
  }

  /** An arc up to the middle, then its mirror image. */
  static get circle(): Interpolation {
    return (Interpolation.#circle ??= new Curve((a) =>
      a <= 0.5 ? (1 - Math.sqrt(1 - 4 * a * a)) / 2 : (Math.sqrt(1 - 4 * (a - 1) * (a - 1)) + 1) / 2,
    ));
  }
}

class Curve extends Interpolation {
  constructor(private readonly f: (a: number) => number) {
    super();
  }

  protected override applyInternal(a: number): number {
    return this.f(a);
  }
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
