import { AnimArgumentError } from "../errors.js";

/** @throws AnimArgumentError unless `value` is a finite number of at least `min` */
export function checkNumber(value: number, name: string, min = -Infinity): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < min) {
    throw new AnimArgumentError(`${name} is ${value}, expected a finite number${min > -Infinity ? ` of at least ${min}` : ""}.`, { found: value });
  }
  return value;
}

/** @throws AnimArgumentError unless `value` is a finite number above 0 */
export function checkPositive(value: number, name: string): number {
  if (!(checkNumber(value, name) > 0)) throw new AnimArgumentError(`${name} is ${value}, expected a number above 0.`, { found: value });
  return value;
}

/** The place of `value` among `names`. @throws AnimArgumentError if it is none of them */
export function checkChoice(value: string, names: readonly string[], name: string): number {
  const index = names.indexOf(value);
  if (index < 0) throw new AnimArgumentError(`${name} is ${value}, expected one of ${names.join(", ")}.`, { found: value });
  return index;
}

/** @throws AnimArgumentError unless `value` is a whole number of min..max */
export function checkInteger(value: number, name: string, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new AnimArgumentError(`${name} is ${value}, expected a whole number of ${min}..${max}.`, { found: value });
  }
  return value;
}
