import { InstanceField } from "../../../assembly/layout/crowd.js";
import type { Crowd } from "../../crowd/crowd.js";
import { RangeMismatchError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import type { Reach } from "./reach.js";

/** Rows per step of a key: more than a crowd can have. */
const ROWS = 2 ** 21;

/** A rectangle in world coordinates, y up: x, y is its lower left corner. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Which rows are drawn, and in which order: far (high y) to near, or as the caller says. @internal */
export class RowList {
  /** The rows to draw, first to last; `count` of them are valid. */
  rows = new Uint32Array(64);
  count = 0;
  #keys = new Float64Array(64);
  readonly #bits = new Uint32Array(1);
  readonly #float = new Float32Array(this.#bits.buffer);

  /**
   * @param order - rows in painter's order, null to sort by y
   * @param cull - what is seen, null for everything
   * @param reach - what a character of scale 1 covers around its position
   * @throws RangeMismatchError for a row that does not exist
   */
  gather(crowd: Crowd, order: ArrayLike<number> | null, cull: Rectangle | null, reach: Reach): void {
    const living = crowd.count;
    const total = order === null ? living : order.length;
    if (total > this.rows.length) {
      this.rows = new Uint32Array(total * 2);
      this.#keys = new Float64Array(total * 2);
    }
    const { rows } = this;
    const keys = this.#keys;
    const { f32 } = heap;
    let count = 0;
    for (let i = 0; i < total; i++) {
      const row = order === null ? i : order[i]!;
      if (!(row >= 0 && row < living && Number.isInteger(row))) throw new RangeMismatchError(`order[${i}]`, row, 0, living - 1, "Give rows of living characters: crowd.row(id).");
      const at = crowd._recordOf(row);
      const y = f32[(at + InstanceField.Y) >> 2]!;
      if (cull !== null) {
        const x = f32[(at + InstanceField.X) >> 2]!;
        const scaleX = f32[(at + InstanceField.SCALE_X) >> 2]!;
        const scaleY = f32[(at + InstanceField.SCALE_Y) >> 2]!;
        if (x + scaleX * (scaleX < 0 ? reach.left : reach.right) < cull.x) continue;
        if (x + scaleX * (scaleX < 0 ? reach.right : reach.left) > cull.x + cull.width) continue;
        if (y + scaleY * (scaleY < 0 ? reach.bottom : reach.top) < cull.y) continue;
        if (y + scaleY * (scaleY < 0 ? reach.top : reach.bottom) > cull.y + cull.height) continue;
      }
      if (order === null) keys[count++] = this.#rank(y) * ROWS + row;
      else rows[count++] = row;
    }
    this.count = count;
    if (order !== null) return;
    // Numbers sort without a function and in place: high y first, then by row.
    const sorted = keys.length === count ? keys : this.#view(count);
    sorted.sort();
    for (let i = 0; i < count; i++) rows[i] = sorted[i]! % ROWS;
  }

  #sorted = new Float64Array(0);

  /** The first keys, as a view that is kept while their number stays. */
  #view(count: number): Float64Array {
    if (this.#sorted.length !== count || this.#sorted.buffer !== this.#keys.buffer) this.#sorted = this.#keys.subarray(0, count);
    return this.#sorted;
  }

  /** A whole number below 2^32 that falls as y rises. */
  #rank(y: number): number {
    this.#float[0] = y;
    const bits = this.#bits[0]!;
    return bits >= 0x80000000 ? bits : 0x7fffffff - bits;
  }
}
