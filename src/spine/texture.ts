import type { TextureFilter, TextureWrap } from "./enums.js";

/**
 * A texture of some renderer. Renderers derive from it; the model only passes filters and wraps on and asks for the image.
 */
export abstract class Texture {
  /** The image the texture was made from. */
  protected _image: HTMLImageElement | ImageBitmap | object;

  constructor(image: HTMLImageElement | ImageBitmap | object) {
    this._image = image;
  }

  // Renderers treat the image as whatever they gave to the constructor.
  // oxlint-disable-next-line no-explicit-any
  getImage(): any {
    return this._image;
  }

  abstract setFilters(minFilter: TextureFilter, magFilter: TextureFilter): void;
  abstract setWraps(uWrap: TextureWrap, vWrap: TextureWrap): void;
  abstract dispose(): void;
}

/** A texture that does nothing: for tools and servers. */
export class FakeTexture extends Texture {
  override setFilters(_minFilter: TextureFilter, _magFilter: TextureFilter): void {}
  override setWraps(_uWrap: TextureWrap, _vWrap: TextureWrap): void {}
  override dispose(): void {}
}

/**
 * A rectangle of a texture.
 *
 * `u, v` is its top left corner and `u2, v2` its bottom right one on the page. Sizes are those of the unrotated image after
 * (`width`, `height`) and before (`originalWidth`, `originalHeight`) its empty borders were stripped.
 */
export class TextureRegion {
  // The renderer's own texture object.
  // oxlint-disable-next-line no-explicit-any
  texture: any;
  u = 0;
  v = 0;
  u2 = 0;
  v2 = 0;
  width = 0;
  height = 0;
  /** Degrees the region is turned counter-clockwise on the page: 0, 90, 180 or 270. */
  degrees = 0;
  /** Pixels stripped from the left. */
  offsetX = 0;
  /** Pixels stripped from the bottom. */
  offsetY = 0;
  originalWidth = 0;
  originalHeight = 0;
}
