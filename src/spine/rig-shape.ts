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

  constraintRow(index: number): number {
    return this.#constraints + index * CONSTRAINT_ROWS;
  }
}
