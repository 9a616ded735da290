import { FormatError } from "../../errors.js";

/** Writes numbers and bytes of a snapshot, little endian. */
export class SnapshotWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  i32(value: number): void {
    this.#view.setInt32(this.#room(4), value, true);
  }

  f64(value: number): void {
    this.#view.setFloat64(this.#room(8), value, true);
  }

  bytes(values: Uint8Array): void {
    this.i32(values.length);
    this.#bytes.set(values, this.#room(values.length));
  }

  finish(): ArrayBuffer {
    return this.#bytes.buffer.slice(0, this.#at);
  }

  #room(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#at, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

/** Reads what SnapshotWriter wrote; a buffer that is too short or holds impossible counts is a FormatError. */
export class SnapshotReader {
  readonly #view: DataView;
  #at = 0;

  constructor(buffer: ArrayBuffer) {
    this.#view = new DataView(buffer);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** An index or count within limits. */
  index(min: number, max: number, what: string): number {
    const value = this.i32();
    if (value < min || value > max) this.fail(`${what} is ${value}, expected ${min}..${max}`);
    return value;
  }

  bytes(): Uint8Array {
    const length = this.index(0, this.#view.byteLength - this.#at, "A number of bytes");
    return new Uint8Array(this.#view.buffer, this.#take(length), length);
  }

  fail(what: string): never {
    throw new FormatError("bad-format", `${what}. The snapshot is damaged or of other data.`, { byteOffset: this.#at });
  }

  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#view.byteLength) {
      throw new FormatError("truncated", `The snapshot ends at byte ${this.#view.byteLength}, more was expected.`, { byteOffset: at });
    }
    this.#at += count;
    return at;
  }
}
