import { BONE_ROWS, CONSTRAINT_ROWS, HEADER_ROWS, SLOT_ROWS } from "../../assembly/layout/rig2d.js";

/** How many bones, slots and constraints a rig has, and in which rows of a pose block their poses lie. @internal */
export class RigShape {
  /** Rows of one half of the pose block. */
  readonly rows: number;
  readonly #slots: number;
  readonly #constraints: number;

  constructor(
    readonly boneCount: number,
    readonly slotCount: number,
    readonly constraintCount: number,
  ) {
    this.#slots = HEADER_ROWS + boneCount * BONE_ROWS;
    this.#constraints = this.#slots + slotCount * SLOT_ROWS;
    this.rows = this.#constraints + constraintCount * CONSTRAINT_ROWS;
  }

  /** First row of the unconstrained pose of a bone. The constrained one lies `rows` further. */
  boneRow(index: number): number {
    return HEADER_ROWS + index * BONE_ROWS;
  }

  slotRow(index: number): number {
    return this.#slots + index * SLOT_ROWS;
  }

  /**
   * Where the table of shown attachments, behind both halves of a skeleton's block, has a slot pose.
   * @param row - first row of the slot pose, constrained or not
   */
  shownRow(row: number): number {
    const isConstrained = row >= this.rows;
    const slot = ((isConstrained ? row - this.rows : row) - this.#slots) / SLOT_ROWS;
    return this.rows * 2 + slot + (isConstrained ? this.slotCount : 0);
  }

  constraintRow(index: number): number {
    return this.#constraints + index * CONSTRAINT_ROWS;
  }
}
