import { AnimFormatError } from "../../anim/errors.js";
import type { FbxNode, FbxTree, FbxValue } from "./tree.js";

const MAXIMUM_DEPTH = 64;

export function isAsciiFbx(text: string): boolean {
  return /^\s*;\s*FBX\s+\d/.test(text.slice(0, 200)) || /^\s*FBXHeaderExtension\s*:/m.test(text.slice(0, 4096));
}

/**
 * Reads the records of a text FBX file.
 * @throws AnimFormatError with the line of what is wrong
 */
export function readAsciiFbx(text: string, file: string | undefined): FbxTree {
  return new AsciiReader(text, file).read();
}

interface Open {
  name: string;
  values: FbxValue[];
  children: FbxNode[];
}

class AsciiReader {
  #at = 0;
  #line = 1;

  constructor(readonly text: string, readonly file: string | undefined) {}

  read(): FbxTree {
    const root: FbxNode[] = [];
    const open: Open[] = [];
    for (;;) {
      this.#skip(true);
      if (this.#at >= this.text.length) break;
      if (this.text[this.#at] === "}") {
        this.#at++;
        if (open.pop() === undefined) this.#fail("a } without {");
        continue;
      }
      const record = this.#record();
      (open[open.length - 1]?.children ?? root).push(record);
      this.#skip(false);
      if (this.text[this.#at] === "{") {
        this.#at++;
        if (open.length === MAXIMUM_DEPTH) this.#fail(`records are nested more than ${MAXIMUM_DEPTH} deep`);
        open.push(record);
      }
    }
    if (open.length > 0) this.#fail(`the file ends inside "${open[open.length - 1]!.name}"`);
    foldArrays(root);
    const version = root.find((node) => node.name === "FBXHeaderExtension")?.children.find((node) => node.name === "FBXVersion")?.values[0];
    if (typeof version !== "number") return this.#fail("there is no FBXVersion");
    if (version < 7000 || version > 7999) this.#fail(`version ${version}; versions 7000 to 7999 are supported`);
    return { version, children: root };
  }

  /** `Name: value, value` */
  #record(): Open {
    const match = /[\w.|-]+/y;
    match.lastIndex = this.#at;
    const name = match.exec(this.text)?.[0] ?? this.#fail(`"${this.text.slice(this.#at, this.#at + 20)}" where a record's name was expected`);
    this.#at += name.length;
    this.#skip(false);
    if (this.text[this.#at] !== ":") this.#fail(`"${name.slice(0, 40)}" is not followed by a colon`);
    this.#at++;
    const values: FbxValue[] = [];
    for (;;) {
      this.#skip(false);
      const value = this.#value();
      if (value === undefined) break;
      values.push(value);
      this.#skip(false);
      if (this.text[this.#at] !== ",") break;
      this.#at++;
      // Long lists go on in the next line.
      this.#skip(true);
    }
    return { name, values, children: [] };
  }

  #value(): FbxValue | undefined {
    const { text } = this;
    const first = text[this.#at];
    if (first === '"') {
      const end = text.indexOf('"', this.#at + 1);
      if (end < 0) this.#fail("a text without closing quote");
      const value = text.slice(this.#at + 1, end).replaceAll("&quot;", '"');
      for (let at = text.indexOf("\n", this.#at); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) this.#line++;
      this.#at = end + 1;
      return value;
    }
    if (first === "*") {
      // `*24 { a: … }` announces an array, which follows as a child.
      this.#at++;
      return this.#value();
    }
    const match = /[^\s,{}:"]+/y;
    match.lastIndex = this.#at;
    const word = match.exec(text)?.[0];
    if (word === undefined) return undefined;
    this.#at += word.length;
    const number = Number(word);
    // Identifiers beyond 2^53 become texts, so that they stay distinct.
    if (Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(word)) return `#${word}`;
    return Number.isFinite(number) ? number : word;
  }

  /** Skips spaces and comments, line ends too if `lines`. */
  #skip(lines: boolean): void {
    const { text } = this;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 10) {
        if (!lines) return;
        this.#line++;
      } else if (code === 59) {
        const end = text.indexOf("\n", this.#at);
        this.#at = (end < 0 ? text.length : end) - 1;
      } else if (code > 32) return;
    }
  }

  #fail(problem: string): never {
    throw new AnimFormatError(`${this.file === undefined ? "FBX" : this.file}, line ${this.#line}: ${problem}.`, { file: this.file, line: this.#line });
  }
}

/** Replaces the child `a` of array records by an array value, as in binary files. */
function foldArrays(roots: FbxNode[]): void {
  const stack = [...roots];
  while (stack.length > 0) {
    const node = stack.pop()! as Open;
    const only = node.children.length === 1 ? node.children[0]! : undefined;
    if (only?.name === "a" && only.values.every((value) => typeof value === "number")) {
      node.values = [Float64Array.from(only.values as number[])];
      node.children = [];
    }
    for (const child of node.children) stack.push(child);
  }
}
