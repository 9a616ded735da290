import { AssetManagerBase, Texture, type AssetCache, type Downloader, type TextureFilter, type TextureWrap } from "../../spine/index.js";

/** An image for the Canvas2D renderer. Filters and wraps do not apply there. */
export class CanvasTexture extends Texture {
  override setFilters(_minFilter: TextureFilter, _magFilter: TextureFilter): void {}
  override setWraps(_uWrap: TextureWrap, _vWrap: TextureWrap): void {}
  override dispose(): void {}
}

/** Loads skeletons, atlases and images for the Canvas2D renderer. */
export class CanvasAssetManager extends AssetManagerBase {
  constructor(pathPrefix = "", downloader?: Downloader, cache?: AssetCache) {
    super((image) => new CanvasTexture(image), pathPrefix, downloader, cache);
  }
}
