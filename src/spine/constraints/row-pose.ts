import { heap } from "../../wasm/heap.js";
import { setupEdits, type PoseStore } from "../pose-store.js";

/**
 * Base of constraint poses. The pose of a skeleton's constraint is a window on rows of the skeleton's block in linear memory;
 * a pose made without a store, like those of setup data, keeps its values itself.
 */
export abstract class RowPose {
  readonly #store: PoseStore | null;
  readonly #row: number;
  readonly #own: number[] | null;
  #setup = false;

  /** @internal */
  constructor(store: PoseStore | undefined, row: number, rows: number) {
    this.#store = store ?? null;
    this.#row = row;
    this.#own = store === undefined ? Array.from({ length: rows }, () => 0) : null;
  }

  /** Makes this the pose of setup data: edits are counted, so that copies in linear memory are renewed. @internal */
  _asSetup(): this {
    this.#setup = true;
    return this;
  }

  /** @internal */
  protected _float(row: number): number {
    return this.#own === null ? heap.f32[this.#store!._base + this.#row + row]! : this.#own[row]!;
  }

  /** @internal */
  protected _setFloat(row: number, value: number): void {
    if (this.#own === null) {
      heap.f32[this.#store!._base + this.#row + row] = value;
      return;
    }
    this.#own[row] = value;
    if (this.#setup) setupEdits.count++;
  }

  /** @internal */
  protected _int(row: number): number {
    return this.#own === null ? heap.i32[this.#store!._base + this.#row + row]! : this.#own[row]!;
  }

  /** @internal */
  protected _setInt(row: number, value: number): void {
    if (this.#own === null) {
      heap.i32[this.#store!._base + this.#row + row] = value;
      return;
    }
    this.#own[row] = value;
    if (this.#setup) setupEdits.count++;
  }
}
