import { OP_BITS, UpdateOp } from "../../../assembly/layout/update.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import type { KernelConstraint } from "../constraints/kernel-constraint.js";
import type { RigShape } from "../rig-shape.js";

/** Collects the code words of an update program. */
export class CodeWriter {
  readonly words: number[] = [];
  readonly #data: SkeletonData;
  readonly #shape: RigShape;
  /** Whether applied rows may lie in the constrained half; a crowd has none. */
  readonly #aliases: boolean;
  /** Place of the operation word of the run that is open, -1 for none. */
  #run = -1;
  #runOp = UpdateOp.END;
  #runCount = 0;

  constructor(data: SkeletonData, aliases: boolean) {
    this.#data = data;
    this.#shape = data._rig.shape;
    this.#aliases = aliases;
  }

  /** Appends an operand. */
  word(value: number): void {
    this.words.push(value);
  }

  /** Starts an operation. @param count - of its list of operands */
  op(op: UpdateOp, count = 0): void {
    this.#run = -1;
    this.words.push(op | (count << OP_BITS));
  }

  /** Appends an element to the open run of an operation, or starts one; its operands follow. */
  item(op: UpdateOp): void {
    if (this.#run < 0 || this.#runOp !== op) {
      this.#run = this.words.length;
      this.#runOp = op;
      this.#runCount = 0;
      this.words.push(op);
    }
    this.#runCount++;
    this.words[this.#run] = op | (this.#runCount << OP_BITS);
  }

  /** Appends the two operands that every constraint begins with: record and row. */
  constraint(constraint: KernelConstraint): void {
    this.words.push(constraint.data._record(this.#data), this.constraintRow(constraint));
  }

  /** Row of the applied pose of a bone, slot or constraint. */
  row(first: number, isConstrained: boolean): number {
    return first + (isConstrained && this.#aliases ? this.#shape.rows : 0);
  }

  constraintRow(constraint: KernelConstraint): number {
    return this.row(this.#shape.constraintRow(constraint._index), constraint.appliedPose !== constraint.pose);
  }
}
