/** The block of one character's simulated object and animated root. @internal */
import { freeWhenCollected } from "../../wasm/finalizer.js";
import { heap } from "../../wasm/heap.js";
import { matching } from "../../wasm/matching.js";
import { Controller, CONTROLLER_BYTES, Prediction, PREDICTION_BYTES } from "../../../assembly/layout/matching.js";
import { dropAll, takeBlock } from "../rig/blocks.js";

/** Prediction rows a character has at most. */
export const PREDICTION_ROWS = 64;

export class ControllerBlock {
  readonly ptr: number;
  /** Prediction rows; row i holds what happens at its time from now. */
  readonly rows: number;
  readonly #owned: number[] = [];

  constructor() {
    freeWhenCollected(this, this.#owned);
    this.ptr = takeBlock(this.#owned, CONTROLLER_BYTES);
    this.rows = takeBlock(this.#owned, PREDICTION_ROWS * PREDICTION_BYTES);
    this.set(Controller.COS, 1);
    this.set(Controller.DELTA_COS, 1);
    this.set(Controller.MAXIMUM_RATIO, -1);
    this.set(Controller.CLAMP_DISTANCE, Infinity);
    this.set(Controller.CLAMP_ANGLE, Infinity);
    this.set(Controller.RIG_HEIGHT, 1);
  }

  get(field: Controller): number {
    return heap.f64[(this.ptr + field) >>> 3]!;
  }

  set(field: Controller, value: number): void {
    heap.f64[(this.ptr + field) >>> 3] = value;
  }

  /** Index into `heap.f64` of a field. */
  at(field: Controller): number {
    return (this.ptr + field) >>> 3;
  }

  /** Index into `heap.f64` of a field of a prediction row. */
  rowAt(row: number, field: Prediction): number {
    return (this.rows + row * PREDICTION_BYTES + field) >>> 3;
  }

  dispose(): void {
    dropAll(this, this.#owned);
  }
}

export { Controller, Prediction, matching };
