import { RangeMismatchError } from "../errors.js";

/** @throws RangeMismatchError unless the value is a finite number */
export function finite(argument: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeMismatchError(argument, value, -Number.MAX_VALUE, Number.MAX_VALUE);
}

/** @throws RangeMismatchError unless the value is a finite number >= 0 */
export function atLeastZero(argument: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new RangeMismatchError(argument, value, 0, Number.MAX_VALUE);
}
