import { cannotWrite } from "./failure.js";

/** A growing buffer of the binary format's primitives: big-endian numbers, variable length integers, strings. */
export class BinaryOutput {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** What was written so far, copied. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(count: number): number {
    const at = this.#length, end = at + count;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = end;
    return at;
  }

  bytes(values: ArrayLike<number>): void {
    const at = this.#room(values.length);
    this.#bytes.set(values, at);
  }

  u8(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  bool(value: boolean): void {
    this.u8(value ? 1 : 0);
  }

  i32(value: number): void {
    const at = this.#room(4);
    this.#view.setInt32(at, value);
  }

  f32(value: number): void {
    if (!Number.isFinite(Math.fround(value))) cannotWrite("The binary format", `the number ${value}`, "Numbers must be finite and within single precision.");
    const at = this.#room(4);
    this.#view.setFloat32(at, value);
  }

  f32s(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) this.f32(values[i]!);
  }

  /** Variable length integer of the value as unsigned 32 bit. */
  uv(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.u8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.u8(rest);
  }

  /** Variable length integer, zigzag form. */
  sv(value: number): void {
    this.uv((value << 1) ^ (value >> 31));
  }

  /** 0xRRGGBBAA. */
  rgba(value: number): void {
    this.i32(value | 0);
  }

  /**
   * Text in UTF-8, null for none. Characters beyond U+FFFF become two surrogates of three bytes each, which all readers
   * of the format understand.
   */
  string(text: string | null): void {
    if (text === null) {
      this.uv(0);
      return;
    }
    const bytes: number[] = [];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
      else bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    }
    this.uv(bytes.length + 1);
    this.bytes(bytes);
  }
}

/** The string table, filled in the order of first use. */
export class StringTable {
  readonly strings: string[] = [];
  #indices = new Map<string, number>();

  /** Number of a string in the file: 1 for the first, 0 for null and for the empty string, which the table cannot have. */
  number(text: string | null): number {
    if (text === null || text === "") return 0;
    let number = this.#indices.get(text);
    if (number === undefined) {
      number = this.strings.push(text);
      this.#indices.set(text, number);
    }
    return number;
  }
}
