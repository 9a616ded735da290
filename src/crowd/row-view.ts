import { heap } from "../wasm/heap.js";

/** A view of rows in linear memory that is made anew only when the rows have moved or their number has changed. */
export class RowView<T extends Float32Array | Uint32Array> {
  #view: T;
  #generation = -1;
  readonly #make: (first: number, last: number) => T;

  /** @param make - view of words first..last-1 of linear memory */
  constructor(empty: T, make: (first: number, last: number) => T) {
    this.#view = empty;
    this.#make = make;
  }

  at(ptr: number, words: number): T {
    const view = this.#view;
    if (this.#generation === heap.generation && view.byteOffset === ptr && view.length === words) return view;
    this.#generation = heap.generation;
    return (this.#view = this.#make(ptr >> 2, (ptr >> 2) + words));
  }
}
