import { TextureFilter, TextureWrap } from "../spine/enums.js";
import { Texture } from "../spine/texture.js";
import type { Pixels } from "./png.js";
import { RasterTexture } from "./raster-texture.js";

/** A texture for the rasterizer: an atlas page's picture with the filter and wrap settings of the page. */
export class PngTexture extends Texture {
  readonly premultiplied: boolean;
  #nearest = false;
  #repeatX = false;
  #repeatY = false;
  #raster: RasterTexture | null = null;

  constructor(readonly pixels: Pixels, premultiplied = false) {
    super(pixels);
    this.premultiplied = premultiplied;
  }

  /** The picture as the rasterizer samples it; made on first use. */
  get raster(): RasterTexture {
    this.#raster ??= new RasterTexture(this.pixels, {
      premultiplied: this.premultiplied,
      nearest: this.#nearest,
      repeatX: this.#repeatX,
      repeatY: this.#repeatY,
    });
    return this.#raster;
  }

  override setFilters(_minFilter: TextureFilter, magFilter: TextureFilter): void {
    this.#nearest = magFilter === TextureFilter.Nearest;
    this.#raster = null;
  }

  override setWraps(uWrap: TextureWrap, vWrap: TextureWrap): void {
    this.#repeatX = uWrap === TextureWrap.Repeat;
    this.#repeatY = vWrap === TextureWrap.Repeat;
    this.#raster = null;
  }

  override dispose(): void {
    this.#raster = null;
  }
}
