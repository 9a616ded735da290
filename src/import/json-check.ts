import { AnimFormatError } from "../anim/errors.js";

export type JsonObject = { readonly [key: string]: unknown };

/**
 * Reads untyped JSON and names the place (RFC 6901 pointer) of whatever does not fit.
 * Every method returns the value with its type, or throws {@link AnimFormatError}.
 */
export class JsonCheck {
  constructor(readonly file: string | undefined) {}

  fail(pointer: string, problem: string, found?: unknown): never {
    throw new AnimFormatError(`${this.file === undefined ? "" : `${this.file}: `}${pointer === "" ? "the document" : pointer} ${problem}.`, {
      file: this.file,
      pointer,
      found,
    });
  }

  object(value: unknown, pointer: string): JsonObject {
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.fail(pointer, "must be an object", value);
    return value as JsonObject;
  }

  optionalObject(value: unknown, pointer: string): JsonObject | undefined {
    return value === undefined ? undefined : this.object(value, pointer);
  }

  /** An array, or an empty one when the member is absent. */
  array(value: unknown, pointer: string): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) this.fail(pointer, "must be an array", value);
    // Array.from turns holes, which forEach and map would skip, into undefined.
    return Array.from(value as readonly unknown[]);
  }

  objects(value: unknown, pointer: string): readonly JsonObject[] {
    return this.array(value, pointer).map((entry, i) => this.object(entry, `${pointer}/${i}`));
  }

  string(value: unknown, pointer: string): string {
    if (typeof value !== "string") this.fail(pointer, "must be a string", value);
    return value as string;
  }

  /** A string, or `fallback` when absent. */
  optionalString(value: unknown, pointer: string, fallback: string): string {
    return value === undefined ? fallback : this.string(value, pointer);
  }

  boolean(value: unknown, pointer: string, fallback: boolean): boolean {
    if (value === undefined) return fallback;
    if (typeof value !== "boolean") this.fail(pointer, "must be true or false", value);
    return value as boolean;
  }

  integer(value: unknown, pointer: string, minimum: number, maximum: number): number {
    if (typeof value !== "number" || !Number.isInteger(value) || value < minimum || value > maximum) {
      this.fail(pointer, `is ${show(value)}, expected an integer ${minimum}..${maximum}`, value);
    }
    return value as number;
  }

  optionalInteger(value: unknown, pointer: string, fallback: number, minimum: number, maximum: number): number {
    return value === undefined ? fallback : this.integer(value, pointer, minimum, maximum);
  }

  /** An index into a list of `count` entries. */
  index(value: unknown, pointer: string, count: number, what: string): number {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= count) {
      this.fail(pointer, `is ${show(value)}, but ${count === 0 ? `the file has no ${what}` : `the file has ${what} 0..${count - 1}`}`, value);
    }
    return value as number;
  }

  /** An index, or -1 when absent. */
  optionalIndex(value: unknown, pointer: string, count: number, what: string): number {
    return value === undefined ? -1 : this.index(value, pointer, count, what);
  }

  /** `length` finite numbers, or `fallback` when absent. */
  numbers(value: unknown, pointer: string, length: number, fallback: readonly number[]): readonly number[] {
    if (value === undefined) return fallback;
    if (!Array.isArray(value) || value.length !== length) this.fail(pointer, `must be an array of ${length} numbers`, value);
    const list = Array.from(value as readonly unknown[]);
    list.forEach((entry, i) => {
      if (typeof entry !== "number" || !Number.isFinite(entry)) this.fail(`${pointer}/${i}`, `is ${show(entry)}, expected a finite number`, entry);
    });
    return list as readonly number[];
  }
}

/** A short rendering of any value for a message. */
export function show(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  text ??= String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
