import { Texture, type TextureFilter, type TextureWrap } from "../../spine/index.js";
import { TextureFilter as Filter, TextureWrap as Wrap } from "../../spine/enums.js";
import type { Disposable, Restorable } from "../../spine/utils/utils.js";

export interface GlTextureOptions {
  /** Whether the image's colours are multiplied by alpha already. Default false: they are multiplied while uploading. */
  premultiplied?: boolean;
  /** Whether to make mipmaps. Default: as the filter asks. */
  mipmaps?: boolean;
}

/** An image on the graphics card, premultiplied. */
export class GlTexture extends Texture implements Disposable, Restorable {
  readonly gl: WebGL2RenderingContext;
  readonly #premultiplied: boolean;
  readonly #mipmaps: boolean | undefined;
  #texture: WebGLTexture | null = null;
  #minFilter: TextureFilter = Filter.Linear;
  #magFilter: TextureFilter = Filter.Linear;
  #uWrap: TextureWrap = Wrap.ClampToEdge;
  #vWrap: TextureWrap = Wrap.ClampToEdge;
  #hasMipmaps = false;

  constructor(gl: WebGL2RenderingContext, image: TexImageSource, options: GlTextureOptions = {}) {
    super(image);
    this.gl = gl;
    this.#premultiplied = options.premultiplied ?? false;
    this.#mipmaps = options.mipmaps;
    this.restore();
  }

  /** The texture, null once disposed. */
  get handle(): WebGLTexture | null {
    return this.#texture;
  }

  override setFilters(minFilter: TextureFilter, magFilter: TextureFilter): void {
    this.#minFilter = minFilter;
    this.#magFilter = magFilter;
    this.#setParameters();
  }

  override setWraps(uWrap: TextureWrap, vWrap: TextureWrap): void {
    this.#uWrap = uWrap;
    this.#vWrap = vWrap;
    this.#setParameters();
  }

  #setParameters(): void {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    const wantsMipmaps = this.#mipmaps ?? isMipmap(this.#minFilter);
    if (wantsMipmaps && !this.#hasMipmaps) {
      gl.generateMipmap(gl.TEXTURE_2D);
      this.#hasMipmaps = true;
    }
    const min = isMipmap(this.#minFilter) && !this.#hasMipmaps ? Filter.Linear : this.#minFilter;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, min);
    // Magnification knows no mipmaps.
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, isMipmap(this.#magFilter) ? Filter.Linear : this.#magFilter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, this.#uWrap);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, this.#vWrap);
  }

  /** Uploads the image again, after a lost context came back. */
  restore(): void {
    const { gl } = this;
    this.#texture = gl.createTexture();
    this.#hasMipmaps = false;
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, !this.#premultiplied);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.#source());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    this.#setParameters();
  }

  /** Uploading leaves the alpha of an ImageBitmap as it is, so a straight one goes by way of a canvas. */
  #source(): TexImageSource {
    const image = this._image as TexImageSource;
    if (this.#premultiplied || typeof ImageBitmap === "undefined" || !(image instanceof ImageBitmap)) return image;
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    return canvas;
  }

  override dispose(): void {
    this.gl.deleteTexture(this.#texture);
    this.#texture = null;
  }
}

function isMipmap(filter: TextureFilter): boolean {
  return filter !== Filter.Nearest && filter !== Filter.Linear;
}
