import { readImage } from "../module/files.js";
import type { AnimationHost, GraphicsLike, TextureLike } from "../module/host.js";
import { chain, isPromise, type Maybe } from "../module/maybe-promise.js";

/**
 * Textures of atlas files, one per graphics object and path for as long as anybody holds it; requests that come while one is
 * made wait for it.
 */
export class TextureCache {
  #byGraphics = new WeakMap<GraphicsLike, Map<string, WeakRef<TextureLike> | Promise<TextureLike>>>();

  /** Forgets all textures; sheets that use one keep it. */
  clear(): void {
    this.#byGraphics = new WeakMap();
  }

  /** The texture of a picture. @throws AnimIOError, AnimStateError */
  get(host: AnimationHost, gfx: GraphicsLike & Required<Pick<GraphicsLike, "newTextureFromImage">>, path: string): Maybe<TextureLike> {
    let textures = this.#byGraphics.get(gfx);
    if (textures === undefined) this.#byGraphics.set(gfx, (textures = new Map()));
    const known = textures.get(path);
    const texture = known instanceof WeakRef ? known.deref() : known;
    if (texture !== undefined) return texture;
    const made = chain(readImage(host, path), (image) => {
      const one = gfx.newTextureFromImage(image, path);
      textures.set(path, new WeakRef(one));
      return one;
    });
    if (isPromise(made)) {
      textures.set(path, made);
      made.catch(() => textures.delete(path));
    }
    return made;
  }
}
