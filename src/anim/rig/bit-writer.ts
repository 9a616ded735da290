/** Numbers of any width up to 31 bits, one behind the other, lowest bit first. @internal */
import { heap } from "../../wasm/heap.js";

export class BitWriter {
  #data = new Uint8Array(1024);
  #bit = 0;

  /** Bytes written so far, the last one perhaps in part. */
  get bytes(): number {
    return (this.#bit + 7) >>> 3;
  }

  alignToByte(): void {
    this.#bit = (this.#bit + 7) & ~7;
  }

  /** Writes the low `width` bits of a number (two's complement if negative). */
  write(value: number, width: number): void {
    if (((this.#bit + width) >>> 3) + 8 > this.#data.length) {
      const grown = new Uint8Array(this.#data.length * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    for (let done = 0; done < width;) {
      const offset = this.#bit & 7, part = Math.min(8 - offset, width - done);
      const chunk = (value >>> done) & ((1 << part) - 1);
      this.#data[this.#bit >>> 3]! |= chunk << offset;
      this.#bit += part;
      done += part;
    }
  }

  /** Copies everything to an address. */
  copyTo(ptr: number): void {
    heap.u8.set(this.#data.subarray(0, this.bytes), ptr);
  }
}
