/**
 * What every kernel may take for granted about linear memory. Read by both compilers.
 */

/** Every block handed to a kernel starts on a multiple of this many bytes. */
export const BLOCK_ALIGNMENT = 16;

/** Instances (2D) or joints (3D) that sit side by side in one v128. */
export const LANES = 4;

/** Bytes of one row of four lanes. */
export const ROW_BYTES = 16;
