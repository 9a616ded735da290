/** Scalar curves of a clip: weights of morph targets, contact flags, drivers of any kind. @internal */
import { AnimIndexError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";
import { requireFinite, requireName, requireTime, show } from "./checks.js";

interface Curve {
  readonly name: string;
  readonly times: number[];
  readonly values: number[];
}

/** Curves by name, in the order in which they were added; linear between keys, held outside of them. */
export class ClipCurves {
  #curves: Curve[] = [];
  #indexOf = new Map<string, number>();

  get count(): number {
    return this.#curves.length;
  }

  /** @returns the curve's index; an existing one is kept as it is */
  add(name: string): number {
    requireName("AnimClip.addCurve", "name", name);
    const existing = this.#indexOf.get(name);
    if (existing !== undefined) return existing;
    this.#indexOf.set(name, this.#curves.length);
    return this.#curves.push({ name, times: [], values: [] }) - 1;
  }

  /** Of keys at one time, the later one holds from that time on. @returns the key's index */
  addKey(name: string, time: number, value: number): number {
    requireTime("AnimClip.addCurveKey", "time", time);
    requireFinite("AnimClip.addCurveKey", "value", value);
    const { times, values } = this.named("addCurveKey", name);
    let at = times.length;
    while (at > 0 && times[at - 1]! > time) at--;
    if (at === times.length) {
      times.push(time);
      values.push(value);
    } else {
      times.splice(at, 0, time);
      values.splice(at, 0, value);
    }
    return at;
  }

  find(name: string): number {
    return this.#indexOf.get(name) ?? -1;
  }

  at(method: string, index: number): Curve {
    const curve = this.#curves[index];
    if (curve === undefined) {
      throw new AnimIndexError(`AnimClip.${method}: curve is ${show(index)}, expected ${this.count === 0 ? "none: the clip has no curves" : `0..${this.count - 1}`}.`, { found: index });
    }
    return curve;
  }

  named(method: string, name: string): Curve {
    const index = this.find(name);
    if (index < 0) throw new AnimNameError(`AnimClip.${method}: there is no curve named ${show(name)}.${nearMatches(String(name), this.#indexOf.keys())} Add it with addCurve(name).`, { found: name });
    return this.#curves[index]!;
  }

  /** Replaces the time in io[0] by the curve's value: what passes through an array is not boxed. */
  sampleInto(index: number, io: Float64Array): void {
    const { times, values } = this.#curves[index]!;
    const time = io[0]!;
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    if (times.length === 0) io[0] = 0;
    else if (low === 0) io[0] = values[0]!;
    else if (low === times.length) io[0] = values[low - 1]!;
    else io[0] = values[low - 1]! + ((values[low]! - values[low - 1]!) * (time - times[low - 1]!)) / (times[low]! - times[low - 1]!);
  }

  copyFrom(other: ClipCurves): void {
    this.#curves = other.#curves.map(({ name, times, values }) => ({ name, times: [...times], values: [...values] }));
    this.#indexOf = new Map(other.#indexOf);
  }
}
