import { FormatError } from "../../../errors.js";
import { Budget, MAX_FLOAT, MAX_STRING_BYTES, limitError } from "../limits.js";
import type { CurveCollector, Failing } from "../checks.js";
import { DoublePool, SinglePool } from "../number-pool.js";
import type { LoadReport } from "../report.js";

/** Arguments that a call takes on every engine. */
const MOST_ARGUMENTS = 1024;

/**
 * Checked reading of a binary skeleton: big-endian numbers, variable length integers and strings, each within the bytes
 * given. Errors carry the byte offset at which the value in question begins.
 */
export class BinaryInput implements Failing {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at = 0;
  /** String table of 3.8 and newer. */
  strings: string[] = [];
  /** Where the numbers of the file go. */
  readonly singles = new SinglePool();
  readonly doubles = new DoublePool();
  /** Offset at which the value read last begins. */
  #last = 0;
  #view: DataView;

  constructor(
    bytes: Uint8Array,
    readonly budget: Budget,
    readonly report: LoadReport,
  ) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Makes `at` the place of the next error. */
  pointAt(at: number): void {
    this.#last = at;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  where(at = this.#last): { file: string | undefined; byteOffset: number } {
    return { file: this.report.file, byteOffset: at };
  }

  /** @param key - where in the current item; part of the message, as JSON errors have it in their pointer */
  fail(message: string, key?: string | number, found?: unknown, code = "bad-format", at = this.#last): never {
    const place = `${this.report.file === undefined ? "" : `${this.report.file} `}byte ${at}`;
    throw new FormatError(code, `${place}: ${key === undefined ? "" : `${key}: `}${message}`, { ...this.where(at), found });
  }

  spend(count: number, what: string): void {
    if (!this.budget.spend(count)) throw limitError(`byte ${this.#last}: ${what} need too many elements`, this.budget.spent, this.budget.limit, this.where());
  }

  #need(count: number): number {
    const { at } = this;
    this.#last = at;
    if (count > this.bytes.length - at) {
      throw new FormatError(
        "truncated",
        `${this.report.file === undefined ? "" : `${this.report.file} `}byte ${at}: the file ends within a value, ${count} bytes were expected, ${this.bytes.length - at} are left. The file is incomplete or damaged.`,
        { ...this.where(at), found: this.bytes.length - at, supported: count },
      );
    }
    this.at = at + count;
    return at;
  }

  u8(): number {
    return this.bytes[this.#need(1)]!;
  }

  i8(): number {
    return this.#view.getInt8(this.#need(1));
  }

  bool(): boolean {
    return this.u8() !== 0;
  }

  u16(): number {
    return this.#view.getUint16(this.#need(2));
  }

  i32(): number {
    return this.#view.getInt32(this.#need(4));
  }

  u32(): number {
    return this.#view.getUint32(this.#need(4));
  }

  /** A finite single-precision number. */
  f32(): number {
    const value = this.#view.getFloat32(this.#need(4));
    if (!(value >= -MAX_FLOAT && value <= MAX_FLOAT)) this.fail(`found ${value}, expected a finite number.`, undefined, value);
    return value;
  }

  /** `count` finite numbers. */
  f32s(count: number): number[] {
    if (count * 4 > this.remaining) this.#need(count * 4);
    this.spend(count, "numbers");
    const values: number[] = [];
    for (let i = 0; i < count; i++) values.push(this.f32());
    return values;
  }

  /** Reads `count` finite numbers into `out` from index `start` on. */
  floats(out: Float32Array, start: number, count: number): void {
    const at = this.#need(count * 4);
    const view = this.#view;
    for (let i = 0; i < count; i++) {
      const value = view.getFloat32(at + i * 4);
      out[start + i] = value;
      // Infinities and what is no number give no 0 here.
      if (value - value !== 0) {
        this.#last = at + i * 4;
        this.fail(`found ${value}, expected a finite number.`, undefined, value);
      }
    }
  }

  /**
   * Reads keys of a timeline in the common case: single-precision times and values, each key but the first followed by the
   * curve before it. Stops before the first key that is not like this, or wrong, or near the end of the file.
   * @param curves - collects the curves; has room for those that the timeline says
   * @returns number of keys read
   */
  plainKeys(keys: Float32Array, count: number, entries: number, components: number, curves: CurveCollector): number {
    const { bytes } = this, view = this.#view;
    const controls = curves.controls as Float32Array;
    const curveNumbers = components * 4;
    const longest = entries * 4 + 1 + curveNumbers * 4;
    let { at } = this, { filled } = curves;
    let to = 0, previous = 0;
    let key = 0;
    for (; key < count && at + longest <= bytes.length; key++) {
      let next = at, sum = 0;
      for (let i = 0; i < entries; i++, next += 4) {
        const value = view.getFloat32(next);
        keys[to + i] = value;
        // Stays 0 while all are finite.
        sum += value - value;
      }
      if (sum !== 0 || keys[to]! < previous) break;
      if (key > 0) {
        const type = bytes[next++]!;
        if (type === 2) {
          if (filled + curveNumbers > controls.length) break;
          for (let i = 0; i < curveNumbers; i++, next += 4) {
            const value = view.getFloat32(next);
            controls[filled + i] = value;
            sum += value - value;
          }
          if (sum !== 0) break;
          filled += curveNumbers;
          curves.bezier(key - 1);
        } else if (type === 1) curves.stepped(key - 1);
        else if (type !== 0) break;
      }
      previous = keys[to]!;
      to += entries;
      at = next;
    }
    this.at = at;
    curves.filled = filled;
    return key;
  }

  /** `count` finite numbers in single precision. */
  floatList(count: number): Float32Array {
    if (count * 4 > this.remaining) this.#need(count * 4);
    this.spend(count, "numbers");
    const values = this.singles.take(count);
    this.floats(values, 0, count);
    return values;
  }

  /** Variable length integer, unsigned 32 bit. */
  uv(): number {
    const start = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      // The fifth byte carries bits 28 to 31; what lies above is dropped, as readers of this format do.
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.#last = start;
        return value >>> 0;
      }
    }
    this.#last = start;
    return this.fail("a variable length integer has more than five bytes.");
  }

  /** Variable length integer, signed, zigzag form. */
  sv(): number {
    const value = this.uv();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * A count of items that take at least `bytesEach` bytes each, so that it cannot exceed the file.
   */
  count(what: string, bytesEach: number, limit = 0x7fffffff): number {
    const count = this.uv();
    if (count > limit) throw limitError(`byte ${this.#last}: too many ${what}`, count, limit, this.where());
    if (count * bytesEach > this.remaining) {
      this.fail(`${count} ${what} cannot follow, only ${this.remaining} bytes are left. The file is incomplete or damaged.`, undefined, count, "truncated");
    }
    this.spend(count, what);
    return count;
  }

  /** Index of one of `count` things. */
  index(kind: string, count: number): number {
    const index = this.uv();
    if (index >= count) this.fail(`${kind} ${index} does not exist, expected ${count === 0 ? "none" : `0..${count - 1}`}.`, undefined, index, "missing-reference");
    return index;
  }

  /** One of the values 0 .. count-1 in a byte. */
  choice(kind: string, count: number): number {
    const value = this.u8();
    if (value >= count) this.fail(`${kind} ${value} is not known, expected 0..${count - 1}.`, undefined, value);
    return value;
  }

  /** Text, null for none. */
  string(): string | null {
    const start = this.at;
    const length = this.uv();
    if (length <= 1) return length === 0 ? null : "";
    if (length - 1 > MAX_STRING_BYTES) throw limitError(`byte ${start}: the text is too long`, length - 1, MAX_STRING_BYTES, this.where(start));
    const at = this.#need(length - 1);
    this.#last = start;
    return this.#decode(at, length - 1, start);
  }

  /** Text that is there and not empty. */
  name(of: string): string {
    const start = this.at;
    const text = this.string();
    if (text === null || text === "") this.fail(`${of} needs a name, found ${text === null ? "none" : "an empty one"}.`, undefined, text, "bad-format", start);
    return text as string;
  }

  /** Entry of the string table, null for none. */
  ref(): string | null {
    const index = this.uv();
    if (index === 0) return null;
    const text = this.strings[index - 1];
    if (text === undefined) return this.fail(`string ${index} does not exist, the table has ${this.strings.length}.`, undefined, index, "missing-reference");
    return text;
  }

  /** Entry of the string table that must be there. */
  refName(of: string): string {
    const start = this.at;
    return this.ref() ?? this.fail(`${of} needs a name, found none.`, undefined, null, "bad-format", start);
  }

  /** 0xRRGGBBAA. */
  rgba(): number {
    return this.u32();
  }

  /** UTF-8, in which pairs of three-byte surrogates stand for one character, too. */
  #decode(at: number, length: number, start: number): string {
    const { bytes } = this;
    const end = at + length;
    let plain = at;
    while (plain < end && bytes[plain]! < 0x80) plain++;
    // Nearly all names are ASCII, and short.
    if (plain === end && length <= MOST_ARGUMENTS) return String.fromCharCode.apply(null, bytes.subarray(at, end) as unknown as number[]);
    let text = "";
    for (let i = at; i < end;) {
      const byte = bytes[i]!;
      const more = byte < 0x80 ? 0 : byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : -1;
      if (more < 0 || i + more >= end) this.fail("the text is not UTF-8.", undefined, byte, "bad-format", start);
      let code = more === 0 ? byte : byte & (0x3f >> more);
      for (let k = 1; k <= more; k++) {
        const next = bytes[i + k]!;
        if ((next & 0xc0) !== 0x80) this.fail("the text is not UTF-8.", undefined, next, "bad-format", start);
        code = (code << 6) | (next & 0x3f);
      }
      if (code > 0x10ffff) this.fail("the text is not UTF-8.", undefined, code, "bad-format", start);
      text += code < 0x10000 ? String.fromCharCode(code) : String.fromCodePoint(code);
      i += more + 1;
    }
    return text;
  }
}
