/*
 * What JSON.parse cannot tell: the order of keys that look like numbers, keys that occur twice, and where a text stops
 * being JSON. Grammar: RFC 8259.
 */

/** A syntax error in a JSON text. */
export class JsonSyntaxError extends Error {
  constructor(readonly line: number, message: string) {
    super(message);
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Keys of the object behind one key of the outermost object, in file order, duplicates included.
 * @returns undefined where there is no such object
 * @throws JsonSyntaxError
 */
export function keysInOrder(text: string, of: string): string[] | undefined {
  const scanner = new Scanner(text, of);
  scanner.run();
  return scanner.keys;
}

class Scanner {
  keys: string[] | undefined;
  #at = 0;
  constructor(readonly text: string, readonly of: string) {}

  run(): void {
    if (this.text.charCodeAt(0) === 0xfeff) this.#at = 1;
    this.#value(0, "");
    this.#space();
    if (this.#at < this.text.length) this.#fail("more text behind the end");
  }

  #value(depth: number, key: string): void {
    if (depth > 500) this.#fail("nested too deeply");
    this.#space();
    const c = this.text[this.#at];
    if (c === "{") this.#object(depth, key);
    else if (c === "[") this.#list(depth);
    else if (c === '"') this.#match(STRING, "a string");
    else if (!this.#word("true") && !this.#word("false") && !this.#word("null")) this.#match(NUMBER, "a value");
  }

  #object(depth: number, name: string): void {
    const keys: string[] | undefined = depth === 1 && name === this.of ? [] : undefined;
    if (keys !== undefined) this.keys = keys;
    this.#at++;
    if (this.#closes("}")) return;
    do {
      this.#space();
      const key = JSON.parse(this.#match(STRING, "a key")) as string;
      keys?.push(key);
      this.#space();
      if (this.text[this.#at++] !== ":") this.#fail(`expected ":" after "${key}"`);
      this.#value(depth + 1, key);
    } while (this.#continues("}"));
  }

  #list(depth: number): void {
    this.#at++;
    if (this.#closes("]")) return;
    do this.#value(depth + 1, "");
    while (this.#continues("]"));
  }

  #closes(end: string): boolean {
    this.#space();
    if (this.text[this.#at] !== end) return false;
    this.#at++;
    return true;
  }

  #continues(end: string): boolean {
    this.#space();
    const c = this.text[this.#at++];
    if (c === ",") return true;
    if (c !== end) this.#fail(`expected "," or "${end}"`);
    return false;
  }

  #word(word: string): boolean {
    if (!this.text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.text);
    this.#at = SPACE.lastIndex;
  }

  #match(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match === null) this.#fail(`expected ${what}`);
    this.#at += match![0].length;
    return match![0];
  }

  #fail(message: string): never {
    const before = this.text.slice(0, this.#at);
    throw new JsonSyntaxError(before.split("\n").length, message);
  }
}
