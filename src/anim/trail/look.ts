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

/** A list of objects, empty for null. @throws AnimArgumentError for an empty list, or anything else */
function listOf<T extends object>(list: readonly T[] | null | undefined, name: string, item: string): readonly T[] {
  if (list == null) return [];
  if (!Array.isArray(list) || list.length === 0) throw new AnimArgumentError(`${name} needs a list of at least one ${item}; null takes it away.`, { found: list });
  for (const one of list as unknown[]) if (typeof one !== "object" || one === null) throw new AnimArgumentError(`A ${item} is ${String(one)}, expected an object.`, { found: one });
  return list;
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
    const list = listOf(stops, "A gradient", "stop");
    for (const stop of list) for (const name of ["at", "r", "g", "b", "a"] as const) checkNumber(stop[name], name);
    this.#gradient = list.map((stop) => ({ ...stop })).toSorted((a, b) => a.at - b.at);
  }

  /** @throws AnimArgumentError for an empty list, or a key with a negative number */
  setWidthCurve(keys: readonly WidthKey[] | null, interpolation: CurveInterpolation): void {
    const list = listOf(keys, "A width curve", "key");
    const curve = list.length === 0 ? null : new SpeedCurve();
    curve?.setInterpolation(interpolation);
    for (const { at, value } of list) curve!.setKey(checkNumber(at, "at", 0), checkNumber(value, "value", 0));
    this.#curve = curve;
    this.#mostCurve = curve === null ? 1 : list.reduce((most, { value }) => Math.max(most, value), 0);
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
