import { FormatError } from "../../../errors.js";
import { Budget, MAX_FLOAT, MAX_STRING_BYTES, limitError } from "../limits.js";
import { didYouMean } from "../near-names.js";
import { DoublePool } from "../number-pool.js";
import type { LoadReport } from "../report.js";

export type JsonObject = { readonly [key: string]: unknown };

/**
 * Typed, checked access to a parsed JSON document. It knows where it is, so that every error carries the JSON pointer of
 * the value; `null` counts as omitted everywhere.
 */
export class JsonSource {
  /** Keys and indices from the root to the current object. */
  readonly path: (string | number)[] = [];
  /** Where the numbers of keys go. */
  readonly doubles = new DoublePool();
  /** Numbers of which it is not known yet how many there will be. */
  scratch = new Float64Array(0);

  readonly #isOwn: boolean;

  /** @param isOwn - whether the parsed document belongs to nobody else */
  constructor(
    readonly budget: Budget,
    readonly report: LoadReport,
    isOwn: boolean,
  ) {
    this.#isOwn = isOwn;
  }

  /** Puts the first `count` of the finite numbers `o[key]` into `scratch` from `at` on. */
  copyNumbers(o: JsonObject, key: string, list: readonly unknown[], count: number, at: number): void {
    this.#reserve(at + count);
    const { scratch } = this;
    let isFinite = list.length === count;
    for (let i = 0; i < count; i++) {
      const value = list[i] as number;
      scratch[at + i] = value;
      isFinite &&= typeof value === "number" && value >= -MAX_FLOAT && value <= MAX_FLOAT;
    }
    // Says what is wrong; numbers that are not used are checked no less.
    if (!isFinite) this.numbers(o, key);
  }

  /** Makes room for `count` numbers in `scratch`, which keeps what it has. */
  #reserve(count: number): void {
    if (count <= this.scratch.length) return;
    const grown = new Float64Array(Math.max(64, count, this.scratch.length * 2));
    grown.set(this.scratch);
    this.scratch = grown;
  }

  /** JSON pointer of the current object, or of `key` in it. */
  pointer(key?: string | number): string {
    const parts = key === undefined ? this.path : [...this.path, key];
    return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  }

  /** Details for an error at the current object, or at `key` in it. */
  where(key?: string | number): { file: string | undefined; pointer: string } {
    return { file: this.report.file, pointer: this.pointer(key) };
  }

  fail(message: string, key?: string | number, found?: unknown, code = "bad-format"): never {
    const where = this.where(key);
    throw new FormatError(code, `${this.#at(where.pointer)}${message}`, { ...where, found });
  }

  /** Fails because `name` is none of `known`. */
  unknown(kind: string, name: string, known: Iterable<string>, key?: string | number): never {
    this.fail(`there is no ${kind} '${name.slice(0, 200)}'.${didYouMean(name, known)}`, key, name, "missing-reference");
  }

  spend(count: number, what: string): void {
    if (!this.budget.spend(count)) throw limitError(`${this.#at(this.pointer())}${what} need too many elements`, this.budget.spent, this.budget.limit, this.where());
  }

  number(o: JsonObject, key: string, fallback: number): number {
    const value = o[key];
    if (typeof value === "number" && value >= -MAX_FLOAT && value <= MAX_FLOAT) return value;
    if (value === undefined || value === null) return fallback;
    return this.#badNumber(key, value);
  }

  /** A number that was looked up already. @param key - where, for an error */
  value(value: unknown, fallback: number, key: string): number {
    if (typeof value === "number" && value >= -MAX_FLOAT && value <= MAX_FLOAT) return value;
    if (value === undefined || value === null) return fallback;
    return this.#badNumber(key, value);
  }

  requiredNumber(o: JsonObject, key: string, of: string): number {
    const value = o[key];
    if (value === undefined || value === null) this.#missing(key, of);
    return this.number(o, key, 0);
  }

  integer(o: JsonObject, key: string, fallback: number, min = -0x80000000, max = 0x7fffffff): number {
    const value = this.number(o, key, fallback);
    if (!(Number.isInteger(value) && value >= min && value <= max)) this.fail(`expected an integer ${min}..${max}, found ${value}.`, key, value);
    return value;
  }

  requiredInteger(o: JsonObject, key: string, of: string, min: number, max: number): number {
    const value = o[key];
    if (value === undefined || value === null) this.#missing(key, of);
    return this.integer(o, key, 0, min, max);
  }

  boolean(o: JsonObject, key: string, fallback: boolean): boolean {
    const value = o[key];
    if (typeof value === "boolean") return value;
    if (value === undefined || value === null) return fallback;
    return this.fail(`expected true or false, found ${show(value)}.`, key, value);
  }

  string(o: JsonObject, key: string, fallback: string): string;
  string(o: JsonObject, key: string, fallback: null): string | null;
  string(o: JsonObject, key: string, fallback: string | null): string | null {
    const value = o[key];
    if (typeof value === "string") {
      if (value.length > MAX_STRING_BYTES) throw limitError(`${this.#at(this.pointer(key))}the text is too long`, value.length, MAX_STRING_BYTES, this.where(key));
      return value;
    }
    if (value === undefined || value === null) return fallback;
    return this.fail(`expected a string, found ${show(value)}.`, key, value);
  }

  /** A name: a string that is there and not empty. */
  name(o: JsonObject, key: string, of: string): string {
    const value = this.string(o, key, null);
    if (value === null || value === "") this.#missing(key, of);
    return value;
  }

  object(o: JsonObject, key: string): JsonObject | undefined {
    const value = o[key];
    if (value === undefined || value === null) return undefined;
    return this.asObject(value, key);
  }

  asObject(value: unknown, key: string | number): JsonObject {
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.fail(`expected an object, found ${show(value)}.`, key, value);
    return value as JsonObject;
  }

  array(o: JsonObject, key: string): readonly unknown[] | undefined {
    const value = o[key];
    if (value === undefined || value === null) return undefined;
    return this.asArray(value, key);
  }

  asArray(value: unknown, key: string | number): readonly unknown[] {
    if (!Array.isArray(value)) this.fail(`expected an array, found ${show(value)}.`, key, value);
    return value as unknown[];
  }

  /** An array of finite numbers; the input's own array, not a copy. */
  numbers(o: JsonObject, key: string): number[] | undefined {
    const list = this.array(o, key);
    if (list === undefined) return undefined;
    for (let i = 0; i < list.length; i++) {
      const value = list[i] as number;
      if (!(typeof value === "number" && value >= -MAX_FLOAT && value <= MAX_FLOAT)) {
        this.path.push(key);
        this.#badNumber(i, value);
      }
    }
    return list as number[];
  }

  requiredNumbers(o: JsonObject, key: string, of: string): number[] {
    return this.numbers(o, key) ?? this.#missing(key, of);
  }

  /** Integers of a range, in a list that whoever asks may keep. */
  integers(o: JsonObject, key: string, min: number, max: number, what: string): number[] | undefined {
    const list = this.array(o, key);
    if (list === undefined) return undefined;
    for (let i = 0; i < list.length; i++) {
      const value = list[i] as number;
      if (!(Number.isInteger(value) && value >= min && value <= max)) {
        this.path.push(key);
        this.fail(`expected ${what} ${min}..${max}, found ${show(value)}.`, i, value);
      }
    }
    return this.#isOwn ? (list as number[]) : (list as number[]).slice();
  }

  /**
   * A colour in hex digits, with or without `#`.
   * @param alpha - true: 0xRRGGBBAA, six digits mean full alpha; false: 0xRRGGBB, alpha digits are dropped
   */
  color(o: JsonObject, key: string, alpha: boolean): number | undefined {
    const value = o[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") {
      const start = value.charCodeAt(0) === 35 ? 1 : 0;
      const digits = value.length - start;
      const number = digits === 8 || digits === 6 ? parseHex(value, start) : -1;
      if (number >= 0) {
        if (alpha) return digits === 8 ? number : number * 256 + 255;
        return digits === 6 ? number : Math.floor(number / 256);
      }
    }
    return this.fail(`expected a colour such as 'ff8000ff' (${alpha ? "rrggbbaa" : "rrggbb"}), found ${show(value)}.`, key, value);
  }

  requiredColor(o: JsonObject, key: string, alpha: boolean, of: string): number {
    return this.color(o, key, alpha) ?? this.#missing(key, of);
  }

  /** Index of an enum spelling; a capital first letter is accepted. */
  choice(o: JsonObject, key: string, names: readonly string[], fallback: number): number {
    const value = o[key];
    if (value === undefined || value === null) return fallback;
    if (typeof value === "string") {
      const found = names.indexOf(value);
      if (found >= 0) return found;
      const lower = names.indexOf(value.charAt(0).toLowerCase() + value.slice(1));
      if (lower >= 0) return lower;
    }
    return this.fail(`expected one of ${names.join(", ")}, found ${show(value)}.${typeof value === "string" ? didYouMean(value, names) : ""}`, key, value);
  }

  /** Index of the thing that `o[key]` names. */
  reference(o: JsonObject, key: string, kind: string, known: ReadonlyMap<string, number>, of: string): number {
    const name = this.string(o, key, null);
    if (name === null) this.#missing(key, of);
    const index = known.get(name);
    return index === undefined ? this.unknown(kind, name, known.keys(), key) : index;
  }

  /** Indices of the things that the array `o[key]` names. */
  references(o: JsonObject, key: string, kind: string, known: ReadonlyMap<string, number>): number[] {
    const list = this.array(o, key);
    if (list === undefined) return [];
    this.spend(list.length, `${kind} names`);
    return list.map((name, i) => {
      const index = typeof name === "string" ? known.get(name) : undefined;
      if (index !== undefined) return index;
      this.path.push(key);
      if (typeof name !== "string") this.fail(`expected the name of a ${kind}, found ${show(name)}.`, i, name);
      return this.unknown(kind, name, known.keys(), i);
    });
  }

  #missing(key: string, of: string): never {
    return this.fail(`${of} needs '${key}', which is missing.`, undefined, undefined);
  }

  #badNumber(key: string | number, value: unknown): never {
    return this.fail(`expected a number that single precision can hold, found ${show(value)}.`, key, value);
  }

  #at(pointer: string): string {
    return `${this.report.file === undefined ? "" : `${this.report.file} `}${pointer === "" ? "/" : pointer}: `;
  }
}

/** A value as an error message shows it: short, and never a whole document. */
function show(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value !== null && typeof value === "object") return "an object";
  return String(value);
}

/** Number of the hex digits from `start` on, -1 if there is any other character. */
function parseHex(text: string, start: number): number {
  let value = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : code >= 65 && code <= 70 ? code - 55 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
