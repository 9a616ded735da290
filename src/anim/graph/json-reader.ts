/** Reading JSON forms: every error names the place by a JSON pointer. @internal */
import { AnimFormatError } from "../errors.js";
import { show } from "../rig/checks.js";

/** A value of a JSON document and where it is. */
export class JsonReader {
  /** @param method - "AnimGraph.fromJSON", the head of messages */
  constructor(readonly value: unknown, readonly method: string, readonly pointer = "") {}

  /** The document: text is parsed. @throws AnimFormatError if it is no JSON */
  static open(json: unknown, method: string): JsonReader {
    if (typeof json !== "string") return new JsonReader(json, method);
    try {
      return new JsonReader(JSON.parse(json) as unknown, method);
    } catch (cause) {
      throw new AnimFormatError(`${method}: the text is not JSON: ${(cause as Error).message}.`, { pointer: "", cause });
    }
  }

  /** @throws AnimFormatError */
  fail(expected: string): never {
    const value = Array.isArray(this.value) ? "a list" : this.value !== null && typeof this.value === "object" ? "an object" : show(this.value);
    throw new AnimFormatError(`${this.method}: ${this.pointer === "" ? "the document" : this.pointer} is ${value}, expected ${expected}.`, { pointer: this.pointer, found: this.value });
  }

  /** An object with no other fields than these. */
  fields(...allowed: string[]): this {
    const object = this.#object();
    for (const key of Object.keys(object)) {
      if (!allowed.includes(key)) {
        const pointer = `${this.pointer}/${escaped(key)}`;
        throw new AnimFormatError(`${this.method}: ${pointer} is not known here, expected one of ${allowed.join(", ")}.`, { pointer, found: key, supported: allowed });
      }
    }
    return this;
  }

  /** A field that must be there. */
  get(key: string): JsonReader {
    const field = this.find(key);
    if (field === undefined) throw new AnimFormatError(`${this.method}: ${this.pointer}/${escaped(key)} is missing.`, { pointer: `${this.pointer}/${escaped(key)}` });
    return field;
  }

  /** A field that may be absent. */
  find(key: string): JsonReader | undefined {
    const object = this.#object();
    return Object.hasOwn(object, key) && object[key] !== undefined ? new JsonReader(object[key], this.method, `${this.pointer}/${escaped(key)}`) : undefined;
  }

  /** Names and values of an object. */
  entries(): [string, JsonReader][] {
    return Object.entries(this.#object()).map(([key, value]) => [key, new JsonReader(value, this.method, `${this.pointer}/${escaped(key)}`)]);
  }

  list(most = 10_000): JsonReader[] {
    if (!Array.isArray(this.value)) this.fail("a list");
    if (this.value.length > most) {
      throw new AnimFormatError(`${this.method}: ${this.pointer} has ${this.value.length} entries, expected ${most} at most.`, { pointer: this.pointer, found: this.value.length, supported: most });
    }
    return this.value.map((value: unknown, i) => new JsonReader(value, this.method, `${this.pointer}/${i}`));
  }

  /** A finite number within bounds. */
  number(least = -Infinity, most = Infinity): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isFinite(value) || value < least || value > most) this.fail(`a number${range(least, most)}`);
    return value;
  }

  /** A whole number of 0..count-1. */
  index(count: number, what: string): number {
    const { value } = this;
    if (!(typeof value === "number" && Number.isInteger(value) && value >= 0 && value < count)) this.fail(count > 0 ? `${what}, 0..${count - 1}` : `${what}, of which there are none yet`);
    return value;
  }

  /** A text that is not empty. */
  text(): string {
    if (typeof this.value !== "string" || this.value === "") this.fail("a text that is not empty");
    return this.value;
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") this.fail("true or false");
    return this.value;
  }

  oneOf<T extends string>(...options: T[]): T {
    if (!options.includes(this.value as T)) this.fail(options.map((option) => `"${option}"`).join(" or "));
    return this.value as T;
  }

  #object(): Record<string, unknown> {
    if (this.value === null || typeof this.value !== "object" || Array.isArray(this.value)) this.fail("an object");
    return this.value as Record<string, unknown>;
  }
}

function range(least: number, most: number): string {
  if (most < Infinity) return ` of ${least}..${most}`;
  return least === 0 ? ", 0 or more" : "";
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Runs `load` on a value: what it throws says where the value is. */
export function at<T>(reader: JsonReader, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    if (cause instanceof AnimFormatError) throw cause;
    throw new AnimFormatError(`${reader.method}: ${reader.pointer}: ${(cause as Error).message}`, { pointer: reader.pointer, cause });
  }
}
