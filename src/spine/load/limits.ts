import { FormatError } from "../../errors.js";

/** Largest skeleton file that is read, in bytes (binary) or characters (JSON). */
export const MAX_SKELETON_BYTES = 256 * 1024 * 1024;
/** Longest name or string value, in bytes or characters. */
export const MAX_STRING_BYTES = 1024 * 1024;
/** Bones, slots, constraints, skins, events or animations of one skeleton. */
export const MAX_ITEMS = 65_535;
/** Vertices of one attachment. */
export const MAX_VERTICES = 1 << 20;
/** Regions of one sequence. */
export const MAX_SEQUENCE_REGIONS = 65_536;
/** Elements that a file may create per byte of its own, beyond `BASE_ELEMENTS`: keys of a few bytes can ask for whole meshes. */
export const ELEMENTS_PER_BYTE = 16;
/** Elements that even the smallest file may create. */
export const BASE_ELEMENTS = 1 << 18;
/** Elements that no file may exceed. */
export const MAX_ELEMENTS = 1 << 27;
/** Largest magnitude that single precision holds. */
export const MAX_FLOAT = 3.4028234663852886e38;

/**
 * Counts the elements (numbers, references, keys) that a file makes the loader create, against what its size allows.
 * So the work of loading is bounded by the size of the input, whatever the input says.
 */
export class Budget {
  /** Elements spent so far. */
  spent = 0;
  readonly limit: number;

  /** @param inputBytes - size of the file; undefined for a parsed object, whose size nobody knows */
  constructor(inputBytes: number | undefined) {
    this.limit = inputBytes === undefined ? MAX_ELEMENTS : Math.min(BASE_ELEMENTS + inputBytes * ELEMENTS_PER_BYTE, MAX_ELEMENTS);
  }

  /** Whether `count` more elements are within the limit. */
  spend(count: number): boolean {
    this.spent += count;
    return this.spent <= this.limit;
  }
}

/** The error of a spent budget or another limit. */
export function limitError(what: string, got: number, limit: number, where: object): FormatError {
  return new FormatError(
    "limit-exceeded",
    `${what}: ${got}, the limit is ${limit}. The file is damaged, or must be split.`,
    { ...where, found: got, supported: limit },
  );
}
