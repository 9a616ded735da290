import { ArgumentError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import { ConstraintData } from "../data/constraint-data.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { Constraint } from "../model/constraint.js";
import type { Pose } from "../model/posed.js";
import type { Rig } from "../rig.js";

/**
 * Base of the data of constraints that kernels solve. What the data say is kept in a record in linear memory (layout/update.ts)
 * that all update programs refer to; setters of scalar properties rewrite it, lists are read again by `Skeleton.updateCache`.
 */
export abstract class KernelConstraintData<T extends Constraint = any, P extends Pose = any> extends ConstraintData<T, P> {
  #rig: Rig | null = null;
  #skeletonData: SkeletonData | null = null;
  #record = 0;
  #bytes = 0;

  constructor(name: string, setup: P) {
    if (typeof name !== "string") {
      throw new ArgumentError("The name of a constraint is missing. Give a string.", { found: name });
    }
    super(name, setup);
  }

  /** Size of the record. @internal */
  protected abstract _recordBytes(): number;

  /** Fills the record. @internal */
  protected abstract _writeRecord(record: number, skeletonData: SkeletonData): void;

  /** Address of the record, brought up to date. It belongs to the rig. @internal */
  _record(skeletonData: SkeletonData): number {
    const rig = skeletonData._rig;
    const bytes = this._recordBytes();
    if (this.#rig !== rig || bytes > this.#bytes) {
      this.#record = heap.alloc(bytes);
      this.#bytes = bytes;
      this.#rig = rig;
      rig.own(this.#record);
    }
    this.#skeletonData = skeletonData;
    this._writeRecord(this.#record, skeletonData);
    return this.#record;
  }

  /** Brings the record up to date with objects that the data refer to. @internal */
  _refresh(): void {
    this._touch();
  }

  /** A property was set: the record follows at once. @internal */
  protected _touch(): void {
    if (this.#rig === null || this.#rig.disposed) return;
    if (this._recordBytes() <= this.#bytes) this._writeRecord(this.#record, this.#skeletonData!);
  }
}
