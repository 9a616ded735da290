import { AssetManagerBase, type AssetCache, type Downloader } from "../../spine/index.js";
import { GlTexture } from "./gl-texture.js";

/** Loads skeletons, atlases and textures for the WebGL2 renderer. */
export class GlAssetManager extends AssetManagerBase {
  constructor(gl: WebGL2RenderingContext, pathPrefix = "", downloader?: Downloader, cache?: AssetCache) {
    super((image, pma) => new GlTexture(gl, image, { premultiplied: pma ?? false }), pathPrefix, downloader, cache);
  }
}
