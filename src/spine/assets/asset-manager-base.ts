import { NameError } from "../../errors.js";
import { TextureAtlas, type TextureAtlasPage } from "../load/texture-atlas.js";
import type { Texture } from "../texture.js";
import type { Disposable, StringMap } from "../utils/utils.js";
import { AssetCache } from "./asset-cache.js";
import { Downloader } from "./downloader.js";

type Success<T> = (path: string, data: T) => void;
type Failure = (path: string, message: string) => void;
/** Makes a renderer's texture of an image. */
export type ImageToTexture = (image: HTMLImageElement | ImageBitmap, pma?: boolean) => Texture;

/**
 * Loads files by path and keeps what was loaded. Renderers derive from it and pass how they make textures.
 * Paths are relative to `pathPrefix`; callbacks get the full path.
 */
export class AssetManagerBase implements Disposable {
  private readonly textureLoader: ImageToTexture;
  private readonly pathPrefix: string;
  private readonly downloader: Downloader;
  private cache: AssetCache;
  private errors: StringMap<string> = {};
  private toLoad = 0;
  private loaded = 0;
  /** Whether the pages of atlases are premultiplied, by path of the texture. */
  private readonly texturePmaInfo: StringMap<boolean> = {};
  #waiting: (() => void)[] = [];

  constructor(textureLoader: ImageToTexture, pathPrefix = "", downloader = new Downloader(), cache = new AssetCache()) {
    this.textureLoader = textureLoader;
    this.pathPrefix = pathPrefix;
    this.downloader = downloader;
    this.cache = cache;
  }

  /** Resolves with this manager when nothing is loading any more, rejects with the errors if there were any. */
  loadAll(): Promise<this> {
    return new Promise((resolve, reject) => {
      const settle = (): void => (this.hasErrors() ? reject(this.errors) : resolve(this));
      if (this.isLoadingComplete()) settle();
      else this.#waiting.push(settle);
    });
  }

  /** Gives the content of a path as a data URI, so that it is not fetched. */
  setRawDataURI(path: string, data: string): void {
    this.downloader.rawDataUris[this.pathPrefix + path] = data;
  }

  loadBinary(path: string, success?: Success<Uint8Array>, error?: Failure): void {
    this.#load(path, "binary", success, error, (full) => new Promise((resolve, reject) => {
      this.downloader.downloadBinary(full, resolve, (status, text) => reject(new Error(`status ${status}, ${text}`)));
    }));
  }

  loadText(path: string, success?: Success<string>, error?: Failure): void {
    this.#load(path, "text", success, error, (full) => this.#text(full));
  }

  loadJson(path: string, success?: Success<object>, error?: Failure): void {
    this.#load(path, "JSON", success, error, (full) => new Promise((resolve, reject) => {
      this.downloader.downloadJson(full, resolve, (status, text) => reject(new Error(`status ${status}, ${text}`)));
    }));
  }

  loadTexture(path: string, success?: Success<Texture>, error?: Failure): void {
    this.#load(path, "image", success, error, async (full) => this.textureLoader(await this.#image(full), this.texturePmaInfo[full]));
  }

  /** @param fileAlias - other paths for page images, by page name */
  loadTextureAtlas(path: string, success?: Success<TextureAtlas>, error?: Failure, fileAlias?: StringMap<string>): void {
    this.#load(path, "texture atlas", success, error, async (full) => {
      const atlas = new TextureAtlas(await this.#text(full));
      await Promise.all(atlas.pages.map((page) => this.#loadPage(full, page, fileAlias)));
      return atlas;
    });
  }

  loadTextureAtlasButNoTextures(
    path: string, success?: Success<TextureAtlas>, error?: Failure, _fileAlias?: StringMap<string>,
  ): void {
    this.#load(path, "texture atlas", success, error, async (full) => new TextureAtlas(await this.#text(full)));
  }

  loadBinaryAsync(path: string): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.loadBinary(path, (_, data) => resolve(data), (_, message) => reject(message)));
  }

  loadJsonAsync(path: string): Promise<object> {
    return new Promise((resolve, reject) => this.loadJson(path, (_, data) => resolve(data), (_, message) => reject(message)));
  }

  loadTextureAsync(path: string): Promise<Texture> {
    return new Promise((resolve, reject) => this.loadTexture(path, (_, data) => resolve(data), (_, message) => reject(message)));
  }

  loadTextureAtlasAsync(path: string): Promise<TextureAtlas> {
    return new Promise((resolve, reject) => this.loadTextureAtlas(path, (_, data) => resolve(data), (_, message) => reject(message)));
  }

  loadTextureAtlasButNoTexturesAsync(path: string): Promise<TextureAtlas> {
    return new Promise((resolve, reject) =>
      this.loadTextureAtlasButNoTextures(path, (_, data) => resolve(data), (_, message) => reject(message)),
    );
  }

  /** Uses another cache, such as one that managers share. */
  setCache(cache: AssetCache): void {
    this.cache = cache;
  }

  /** Takes an asset from the cache if it is there or on its way. @returns whether it was */
  reuseAssets<T>(path: string, success: Success<T> = () => {}, error: Failure = () => {}): boolean {
    const full = this.pathPrefix + path;
    const loading = this.cache.assetsLoaded[full] as Promise<T> | undefined;
    if (loading === undefined) return false;
    this.toLoad++;
    this.cache.assetsRefCount[full] = (this.cache.assetsRefCount[full] ?? 0) + 1;
    this.#settle(full, "asset", loading, success, error);
    return true;
  }

  /** The asset at a path, undefined if it is not loaded. */
  // oxlint-disable-next-line no-explicit-any
  get(path: string): any {
    return this.cache.assets[this.pathPrefix + path];
  }

  /**
   * The asset at a path.
   * @throws NameError with the reason if it is not loaded
   */
  // oxlint-disable-next-line no-explicit-any
  require(path: string): any {
    const full = this.pathPrefix + path;
    const asset = this.cache.assets[full] as unknown;
    if (asset !== undefined) return asset;
    const reason = this.errors[full];
    throw new NameError(`Asset not found: ${full}. ${reason ?? "It was not loaded, or loading has not finished."}`, { found: full });
  }

  /** Removes an asset and disposes it if it can be disposed. @returns the asset */
  // oxlint-disable-next-line no-explicit-any
  remove(path: string): any {
    return this.#drop(this.pathPrefix + path);
  }

  /** Removes and disposes all assets. */
  removeAll(): void {
    for (const full of Object.keys(this.cache.assets)) this.#drop(full);
  }

  #drop(full: string): unknown {
    const asset = this.cache.assets[full] as unknown;
    (asset as Partial<Disposable> | undefined)?.dispose?.();
    delete this.cache.assets[full];
    delete this.cache.assetsLoaded[full];
    delete this.cache.assetsRefCount[full];
    return asset;
  }

  isLoadingComplete(): boolean {
    return this.toLoad === 0;
  }

  getToLoad(): number {
    return this.toLoad;
  }

  getLoaded(): number {
    return this.loaded;
  }

  /** Gives all assets back: those that no other manager uses are disposed. */
  dispose(): void {
    for (const full of Object.keys(this.cache.assets)) this.#release(full);
  }

  /** Gives one asset back; it is disposed if no other manager uses it. */
  disposeAsset(path: string): void {
    this.#release(this.pathPrefix + path);
  }

  #release(full: string): void {
    const users = (this.cache.assetsRefCount[full] ?? 1) - 1;
    if (users > 0) this.cache.assetsRefCount[full] = users;
    else this.#drop(full);
  }

  hasErrors(): boolean {
    return Object.keys(this.errors).length > 0;
  }

  /** Messages by full path. */
  getErrors(): StringMap<string> {
    return this.errors;
  }

  #load<T>(
    path: string, kind: string, success: Success<T> | undefined, error: Failure | undefined, start: (full: string) => Promise<T>,
  ): void {
    if (this.reuseAssets(path, success, error)) return;
    const full = this.pathPrefix + path;
    this.toLoad++;
    const loading = start(full);
    this.cache.assetsLoaded[full] = loading;
    this.cache.assetsRefCount[full] = 1;
    this.#settle(full, kind, loading, success ?? (() => {}), error ?? (() => {}));
  }

  #settle<T>(full: string, kind: string, loading: Promise<T>, success: Success<T>, error: Failure): void {
    loading.then(
      (asset) => {
        this.cache.assets[full] = asset;
        this.#count();
        success(full, asset);
      },
      (cause: unknown) => {
        const message = `Couldn't load ${kind} ${full}: ${cause instanceof Error ? cause.message : String(cause)}`;
        delete this.cache.assetsLoaded[full];
        this.errors[full] = message;
        this.#count();
        error(full, message);
      },
    ).finally(() => {
      if (this.toLoad > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const settle of waiting) settle();
    });
  }

  #count(): void {
    this.toLoad--;
    this.loaded++;
  }

  #text(full: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.downloader.downloadText(full, resolve, (status, text) => reject(new Error(`status ${status}, ${text}`)));
    });
  }

  async #image(full: string): Promise<HTMLImageElement | ImageBitmap> {
    const raw = this.downloader.rawDataUris[full];
    if (typeof Image !== "undefined") {
      const image = new Image();
      if (raw === undefined) image.crossOrigin = "anonymous";
      await new Promise<void>((resolve, reject) => {
        image.onload = () => resolve();
        image.onerror = () => reject(new Error("the image cannot be decoded or fetched"));
        image.src = raw ?? full;
      });
      return image;
    }
    // Workers have no Image.
    const response = await fetch(raw ?? full);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return createImageBitmap(await response.blob(), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  }

  async #loadPage(atlasPath: string, page: TextureAtlasPage, fileAlias: StringMap<string> | undefined): Promise<void> {
    const folder = atlasPath.slice(this.pathPrefix.length, atlasPath.lastIndexOf("/") + 1);
    const path = fileAlias?.[page.name] ?? folder + page.name;
    this.texturePmaInfo[this.pathPrefix + path] = page.pma;
    page.setTexture(await this.loadTextureAsync(path));
  }
}
