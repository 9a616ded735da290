import { CurveCollector, checkTime } from "../checks.js";
import { CURVE_COMPONENTS, curveEntries, type CurveKind, type CurveTimelineDocument, type CurvesDocument, type NumberList } from "../document.js";
import { absoluteCurves, unwrapRotations } from "../upgrade.js";
import type { FormatVersion } from "../version.js";
import type { JsonObject, JsonSource } from "./source.js";

/** Puts the values of one key into `out` from index `at` on. */
export type ReadValues = (source: JsonSource, key: JsonObject, out: Float64Array, at: number) => void;

/**
 * Reads the keys of a timeline with interpolation.
 * @returns undefined for an empty list, which means no timeline
 */
export function readCurveTimeline(
  source: JsonSource,
  version: FormatVersion,
  kind: CurveKind,
  target: number,
  list: readonly unknown[],
  readValues: ReadValues,
): CurveTimelineDocument | undefined {
  const count = list.length;
  if (count === 0) return undefined;
  const entries = curveEntries(kind), components = CURVE_COMPONENTS[kind];
  source.spend(count * entries, "keys");
  const keys = source.doubles.take(count * entries);
  const { path } = source;
  const depth = path.length;
  path.push(0);
  let previous = 0;
  let curves: CurveReader | null = null;
  for (let i = 0, at = 0; i < count; i++, at += entries) {
    path[depth] = i;
    const key = source.asObject(list[i], i);
    const time = source.value(key["time"], 0, "time");
    if (time < previous) checkTime(source, time, previous);
    previous = time;
    keys[at] = time;
    readValues(source, key, keys, at + 1);
    if (key["curve"] !== undefined && i < count - 1) (curves ??= new CurveReader(source, version, count, components)).read(key, i);
  }
  path.pop();
  if (kind === "rotate" && version < 40) unwrapRotations(keys);
  return { kind, target, keys, curves: curves === null ? null : curves.finish(keys, entries) };
}

/** Reads the `curve` of keys in the spelling of a version. */
export class CurveReader {
  #collector: CurveCollector;
  /** Normalised points of 3.x, null for newer formats. */
  #normalised: number[] | null;
  /** Numbers of newer formats so far, in the source's scratch: timelines are read one after the other. */
  #filled = 0;

  constructor(
    readonly source: JsonSource,
    readonly version: FormatVersion,
    keyCount: number,
    /** Interpolated values per key; 0 for deform below 4.0. */
    readonly components: number,
  ) {
    this.#collector = new CurveCollector(keyCount);
    this.#normalised = version < 40 ? [] : null;
  }

  read(key: JsonObject, index: number): void {
    const curve = key["curve"];
    if (curve === null) return;
    const { source } = this;
    if (curve === "stepped" || (typeof curve === "string" && this.version === 38)) {
      this.#collector.stepped(index);
      return;
    }
    const needed = this.#normalised === null ? Math.max(1, this.components) * 4 : 4;
    if (this.#normalised !== null && typeof curve === "number") {
      this.#normalised.push(source.number(key, "curve", 0), source.number(key, "c2", 0), source.number(key, "c3", 1), source.number(key, "c4", 1));
    } else {
      if (!Array.isArray(curve) || curve.length < needed) {
        source.fail(`expected "stepped" or an array of ${needed} numbers, found ${Array.isArray(curve) ? `an array of ${curve.length}` : JSON.stringify(curve)?.slice(0, 40)}.`, "curve", curve);
      }
      if (this.#normalised !== null) {
        const numbers = source.numbers(key, "curve")!;
        for (let i = 0; i < needed; i++) this.#normalised.push(numbers[i]!);
      } else {
        source.copyNumbers(key, "curve", curve as unknown[], needed, this.#filled);
        this.#filled += needed;
      }
    }
    source.spend(needed, "curves");
    this.#collector.bezier(index);
  }

  /** @param keys - times and values of all keys, which normalised curves need */
  finish(keys: NumberList, entries: number): CurvesDocument | null {
    const { types } = this.#collector;
    if (types === null) return null;
    if (this.#normalised !== null) return absoluteCurves({ types, points: this.#normalised }, keys, entries, this.components);
    const controls = this.source.doubles.take(this.#filled);
    for (let i = 0; i < controls.length; i++) controls[i] = this.source.scratch[i]!;
    return { types, controls };
  }
}
