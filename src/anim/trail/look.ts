import { AnimArgumentError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import type { Rgba } from "../module/host.js";
import { SpeedCurve, type CurveInterpolation } from "../sprite/speed-curve.js";

/** A colour of a gradient and where it is. */
export interface GradientStop extends Rgba {
  at: number;
}

/** A factor of the width and where it is, 0 at the newest end and 1 at the oldest. */
export interface WidthKey {
  at: number;
  value: number;
}

/** Colour and width along a trail. @internal */
export class TrailLook {
  /** Seconds that a sample lives; 0 or less for ever. */
  duration = 0.5;
  width = 3;
  readonly color: Rgba = { r: 1, g: 0.85, b: 0.35, a: 1 };
  fade = true;
  taperHead = 1;
  taperTail = 1;
  /** What `colorAt` has found. */
  readonly paint: Rgba = { r: 0, g: 0, b: 0, a: 0 };
  #gradient: GradientStop[] = [];
  #curve: SpeedCurve | null = null;
  #mostCurve = 1;

  /** @throws AnimArgumentError for an empty list or numbers that are not finite */
  setGradient(stops: readonly GradientStop[] | null): void {
    if (stops !== null && stops.length === 0) throw new AnimArgumentError("A gradient needs at least one stop; null takes it away.");
    for (const stop of stops ?? []) for (const name of ["at", "r", "g", "b", "a"] as const) checkNumber(stop[name], name);
    this.#gradient = (stops ?? []).map((stop) => ({ ...stop })).toSorted((a, b) => a.at - b.at);
  }

  /** @throws AnimArgumentError for an empty list, or a key with a negative number */
  setWidthCurve(keys: readonly WidthKey[] | null, interpolation: CurveInterpolation): void {
    if (keys !== null && keys.length === 0) throw new AnimArgumentError("A width curve needs at least one key; null takes it away.");
    const curve = keys === null ? null : new SpeedCurve();
    curve?.setInterpolation(interpolation);
    for (const { at, value } of keys ?? []) curve!.setKey(checkNumber(at, "at", 0), checkNumber(value, "value", 0));
    this.#curve = curve;
    this.#mostCurve = Math.max(0, ...(keys ?? [{ value: 1 }]).map(({ value }) => value));
  }

  /** Factor of the width at a share of the length. */
  widthFactorAt(u: number): number {
    const factor = this.taperHead + (this.taperTail - this.taperHead) * u;
    if (this.#curve === null) return factor;
    this.#curve.clock = u;
    return factor * this.#curve.value;
  }

  /** No factor is larger. */
  get mostFactor(): number {
    return Math.max(this.taperHead, this.taperTail) * this.#mostCurve;
  }

  /** Colour of a sample, into `paint`. */
  colorAt(age: number, u: number): void {
    const { r, g, b, a } = this.color;
    const { paint, duration } = this;
    const lifetime = duration > 0 ? Math.min(1, age / duration) : u;
    const alpha = this.fade && duration > 0 ? a * (1 - lifetime) : a;
    if (this.#gradient.length === 0) {
      paint.r = r;
      paint.g = g;
      paint.b = b;
      paint.a = alpha;
      return;
    }
    const stops = this.#gradient;
    let i = 0;
    while (i + 1 < stops.length - 1 && stops[i + 1]!.at <= lifetime) i++;
    const from = stops[i]!;
    const to = stops[Math.min(i + 1, stops.length - 1)]!;
    const span = to.at - from.at;
    const share = span > 0 ? Math.min(1, Math.max(0, (lifetime - from.at) / span)) : lifetime >= to.at ? 1 : 0;
    paint.r = from.r + (to.r - from.r) * share;
    paint.g = from.g + (to.g - from.g) * share;
    paint.b = from.b + (to.b - from.b) * share;
    paint.a = alpha * (from.a + (to.a - from.a) * share);
  }
}
