import { ArgumentError, RangeMismatchError } from "../errors.js";

/** Largest number that a record of a character keeps: the largest 32-bit float. */
const LARGEST = 3.4028234663852886e38;

/** @throws RangeMismatchError unless the value is a finite number that a 32-bit float can keep */
export function finite(argument: string, value: number): number {
  if (typeof value === "number" && value >= -LARGEST && value <= LARGEST) return value;
  throw tooFar(argument, value, -Number.MAX_VALUE);
}

/** @throws RangeMismatchError unless the value is a number >= 0 that a 32-bit float can keep */
export function atLeastZero(argument: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= LARGEST) return value;
  throw tooFar(argument, value, 0);
}

/** @throws RangeMismatchError unless the value is a number of 0 .. 1 */
export function share(argument: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new RangeMismatchError(argument, value, 0, 1);
}

/** @throws RangeMismatchError unless the value is a number above 0; Infinity is one */
export function rateOf(argument: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new RangeMismatchError(argument, value, 0, Infinity, "Give poses per second above 0; setVisible(id, false) stops posing.");
}

/** @throws ArgumentError unless the value is true or false */
export function flag(argument: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw new ArgumentError(`${argument} is ${shown(value)}, expected true or false.`, { found: value });
}

/**
 * Refuses options that nobody would read: a typing error would pass unseen.
 * @param call - what they were given to, such as "spawn"
 * @param known - names of all options
 * @throws ArgumentError
 */
export function checkOptions(call: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new ArgumentError(`The options of ${call} are ${shown(options)}, expected an object such as { ${known[0]}: … }.`, { found: options });
  }
  for (const name in options) {
    if (known.includes(name)) continue;
    const meant = known.find((other) => other.toLowerCase().startsWith(name.toLowerCase()) || name.toLowerCase().startsWith(other.toLowerCase()));
    throw new ArgumentError(
      `${call} has no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} Its options are: ${known.join(", ")}.`, { found: name, supported: known },
    );
  }
}

/** @throws ArgumentError unless the value is a list of numbers: an array or a typed array */
export function checkNumbers(argument: string, values: ArrayLike<number>): void {
  if (typeof values === "object" && values !== null && Number.isInteger(values.length)) return;
  throw new ArgumentError(`${argument} is ${shown(values)}, expected an array or a typed array of numbers.`, { found: values });
}

/** @throws ArgumentError unless the value has 16 numbers */
export function checkMatrix(argument: string, matrix: ArrayLike<number>): void {
  if (typeof matrix === "object" && matrix !== null && matrix.length === 16) return;
  throw new ArgumentError(`${argument} is ${shown(matrix)}, expected a 4x4 matrix: 16 numbers, column by column.`, { found: matrix });
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (value === null || typeof value !== "object") return typeof value === "function" ? "a function" : String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

function tooFar(argument: string, value: number, least: number): RangeMismatchError {
  const isTooLarge = Number.isFinite(value) && value >= least;
  return isTooLarge ? new RangeMismatchError(argument, value, least === 0 ? 0 : -LARGEST, LARGEST) : new RangeMismatchError(argument, value, least, Number.MAX_VALUE);
}
