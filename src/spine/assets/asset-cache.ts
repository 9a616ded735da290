import type { StringMap } from "../utils/utils.js";

/** Loaded assets by path, with the number of managers that use each. Managers may share one. */
export class AssetCache {
  /** Caches by id; see `getCache`. */
  static readonly AVAILABLE_CACHES = /* @__PURE__ */ new Map<string, AssetCache>();

  // Assets are of any type.
  // oxlint-disable-next-line no-explicit-any
  assets: StringMap<any> = {};
  assetsRefCount: StringMap<number> = {};
  // oxlint-disable-next-line no-explicit-any
  assetsLoaded: StringMap<Promise<any>> = {};

  /** The cache with an id, made on first use. */
  static getCache(id: string): AssetCache {
    let cache = AssetCache.AVAILABLE_CACHES.get(id);
    if (cache === undefined) AssetCache.AVAILABLE_CACHES.set(id, (cache = new AssetCache()));
    return cache;
  }

  /** Puts an asset in by hand, as if it had been loaded. */
  async addAsset(path: string, asset: unknown): Promise<unknown> {
    this.assetsLoaded[path] = Promise.resolve(asset);
    return (this.assets[path] = await asset);
  }

  /** The asset at a path. */
  // oxlint-disable-next-line no-explicit-any
  getAsset(path: string): any {
    return this.assets[path];
  }
}
