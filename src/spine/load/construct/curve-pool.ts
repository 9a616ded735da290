import type { CurvesDocument, NumberList } from "../document.js";

/** Numbers of one curve: time and value of its first end, of the handles, of its other end. */
const CURVE = 8;
/** Curves of the first chunk, and of the largest; each is twice the one before, as most files are small. */
const FIRST = 32, LARGEST = 512;

/** Curves of several timelines, one after the other. */
export interface CurveChunk {
  values: Float64Array;
}

/**
 * The Bezier curves of all timelines of a skeleton, in the precision in which the file has them. The compiler makes knots of
 * them; tables of points are made only for timelines that are sampled one by one.
 */
export class CurvePool {
  /** Where `add` has put the last curves. */
  chunk: CurveChunk = { values: new Float64Array(0) };
  #used = 0;

  /**
   * Appends the curves of a timeline to `chunk`, a new one if need be.
   * @param keys - time and values per key
   * @param entries - numbers per key
   * @param components - values per key that have curves
   * @param percent - the values run from 0 to 1
   * @returns the number of the first in the chunk
   */
  add({ types, controls }: CurvesDocument, keys: NumberList, entries: number, components: number, percent: boolean): number {
    const count = controls.length / 4;
    let first = this.#used;
    if ((first + count) * CURVE > this.chunk.values.length) {
      this.chunk = { values: new Float64Array(Math.max(count, FIRST, Math.min(LARGEST, (this.chunk.values.length / CURVE) * 2)) * CURVE) };
      first = 0;
    }
    this.#used = first + count;
    const { values } = this.chunk;
    let at = first * CURVE, from = 0;
    const last = types.length - 1;
    for (let key = 0; key < last; key++) {
      if (types[key] !== 2) continue;
      const start = key * entries, end = start + entries;
      const time1 = keys[start]!, time2 = keys[end]!;
      for (let i = 1; i <= components; i++, at += CURVE, from += 4) {
        values[at] = time1;
        values[at + 1] = percent ? 0 : keys[start + i]!;
        values[at + 2] = controls[from]!;
        values[at + 3] = controls[from + 1]!;
        values[at + 4] = controls[from + 2]!;
        values[at + 5] = controls[from + 3]!;
        values[at + 6] = time2;
        values[at + 7] = percent ? 1 : keys[end + i]!;
      }
    }
    return first;
  }

  /** Gives back the room of the last chunk that is not used. */
  trim(): void {
    this.chunk.values = this.chunk.values.slice(0, this.#used * CURVE);
  }
}
