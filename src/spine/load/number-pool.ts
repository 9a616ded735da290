/** Numbers of the first chunk, and of the largest; each is twice the one before, as most files are small. */
const FIRST = 256, LARGEST = 4096;

/**
 * Hands out short arrays that share long buffers, as a file has thousands of them. The arrays of a pool live and die
 * together.
 */
export class SinglePool {
  #chunk = new Float32Array(0);
  #used = 0;

  /** @returns `count` zeros */
  take(count: number): Float32Array {
    const at = this.#used;
    if (at + count > this.#chunk.length) {
      const next = Math.min(LARGEST, Math.max(FIRST, this.#chunk.length * 2));
      if (count > next / 4) return new Float32Array(count);
      this.#chunk = new Float32Array(next);
      this.#used = count;
      return new Float32Array(this.#chunk.buffer, 0, count);
    }
    this.#used = at + count;
    return new Float32Array(this.#chunk.buffer, at * 4, count);
  }
}

/** The same for numbers in double precision. */
export class DoublePool {
  #chunk = new Float64Array(0);
  #used = 0;

  /** @returns `count` zeros */
  take(count: number): Float64Array {
    const at = this.#used;
    if (at + count > this.#chunk.length) {
      const next = Math.min(LARGEST, Math.max(FIRST, this.#chunk.length * 2));
      if (count > next / 4) return new Float64Array(count);
      this.#chunk = new Float64Array(next);
      this.#used = count;
      return new Float64Array(this.#chunk.buffer, 0, count);
    }
    this.#used = at + count;
    return new Float64Array(this.#chunk.buffer, at * 8, count);
  }
}
