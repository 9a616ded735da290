import { FormatError, OsteonError } from "../../errors.js";
import { AnimArgumentError, AnimError, AnimFormatError, AnimIndexError, AnimNameError } from "../errors.js";
import { nearMatches } from "../module/near-matches.js";

/** Runs a loader; its errors become those of the animation module, with place and cause. */
export function translated<T>(step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (!(cause instanceof OsteonError) || cause instanceof AnimError) throw cause;
    const { file, pointer, byteOffset, line, found, supported } = cause;
    const details = { file, pointer, byteOffset, line, found, supported, cause };
    throw cause instanceof FormatError ? new AnimFormatError(cause.message, details) : new AnimArgumentError(cause.message, details);
  }
}

/** The item at an index. @throws AnimIndexError */
export function itemAt<T>(list: readonly T[], index: number, kind: string): T {
  const item = Number.isInteger(index) ? list[index] : undefined;
  if (item === undefined) throw new AnimIndexError(`${kind} ${index} does not exist, there are ${list.length}.`, { found: index });
  return item;
}

/** The item of a name, null where there is none or `name` is no name at all. */
export function named<T extends { name: string }>(list: readonly T[], name: string): T | null {
  return list.find((item) => item.name === name) ?? null;
}

/** An error for a name that does not exist. */
export function unknownName(kind: string, name: string, names: Iterable<string>): AnimNameError {
  return new AnimNameError(`There is no ${kind} "${String(name)}".${nearMatches(String(name), names)}`, { found: name });
}
