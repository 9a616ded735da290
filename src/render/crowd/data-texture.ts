import { OsteonError } from "../../errors.js";
import { WIDTH_SHIFT } from "./shaders.js";

const WIDTH = 1 << WIDTH_SHIFT;

type Numbers = Float32Array | Uint32Array;

/** Numbers that shaders fetch by index, in rows of a texture that grows when it must. @internal */
export class DataTexture {
  readonly #gl: WebGL2RenderingContext;
  readonly #unit: number;
  readonly #perTexel: number;
  readonly #handle: WebGLTexture;
  #rows = 0;
  /** WebGL does not take views of shared memory. */
  #copy: Numbers | null = null;
  #last: Numbers | null = null;

  /**
   * @param unit - texture unit that it stays on while its renderer draws
   * @param internal - R32UI, RGBA32UI, RG32F or RGBA32F
   */
  constructor(gl: WebGL2RenderingContext, unit: number, readonly internal: GLenum) {
    this.#gl = gl;
    this.#unit = unit;
    this.#perTexel = internal === gl.R32UI ? 1 : internal === gl.RG32F ? 2 : 4;
    this.#handle = gl.createTexture();
    this.bind();
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    this.#grow(1);
  }

  bind(): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0 + this.#unit);
    gl.bindTexture(gl.TEXTURE_2D, this.#handle);
  }

  /**
   * Binds the texture and replaces its first numbers.
   * @throws OsteonError `limit-exceeded` if the graphics card has no texture that large
   */
  fill(numbers: Numbers, length: number): void {
    this.bind();
    if (length === 0) return;
    const gl = this.#gl;
    // Whoever shares the context may have left these on.
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    const perRow = WIDTH * this.#perTexel;
    const whole = Math.floor(length / perRow);
    const rest = length - whole * perRow;
    const rows = rest === 0 ? whole : whole + 1;
    if (rows > this.#rows) this.#grow(rows);
    const array = this.#unshared(numbers, length);
    const format = this.#format();
    const type = this.#type();
    if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, whole, format, type, array, 0);
    const texels = Math.floor(rest / this.#perTexel);
    if (texels > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, texels, 1, format, type, array, whole * perRow);
    // The last texel may be part of one: an odd number of bones leaves two floats over.
    const over = rest - texels * this.#perTexel;
    if (over === 0) return;
    const last = (this.#last ??= array instanceof Float32Array ? new Float32Array(4) : new Uint32Array(4));
    for (let i = 0; i < over; i++) last[i] = array[length - over + i]!;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, texels, whole, 1, 1, format, type, last, 0);
  }

  dispose(): void {
    this.#gl.deleteTexture(this.#handle);
  }

  #grow(rows: number): void {
    const gl = this.#gl;
    const most = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
    if (rows > most) {
      throw new OsteonError("limit-exceeded", `The crowd needs a texture of ${WIDTH} x ${rows}, this graphics card has at most ${most} rows. Draw fewer characters with one renderer.`);
    }
    this.#rows = Math.min(most, Math.max(rows, this.#rows * 2));
    gl.texImage2D(gl.TEXTURE_2D, 0, this.internal, WIDTH, this.#rows, 0, this.#format(), this.#type(), null);
  }

  #format(): GLenum {
    const gl = this.#gl;
    if (this.internal === gl.R32UI) return gl.RED_INTEGER;
    if (this.internal === gl.RGBA32UI) return gl.RGBA_INTEGER;
    return this.internal === gl.RG32F ? gl.RG : gl.RGBA;
  }

  #type(): GLenum {
    const gl = this.#gl;
    return this.internal === gl.R32UI || this.internal === gl.RGBA32UI ? gl.UNSIGNED_INT : gl.FLOAT;
  }

  #unshared(numbers: Numbers, length: number): Numbers {
    if (typeof SharedArrayBuffer === "undefined" || !(numbers.buffer instanceof SharedArrayBuffer)) return numbers;
    let copy = this.#copy;
    if (copy === null || copy.length < length) {
      copy = this.#copy = numbers instanceof Float32Array ? new Float32Array(numbers.length) : new Uint32Array(numbers.length);
    }
    copy.set(numbers as Float32Array);
    return copy;
  }
}
