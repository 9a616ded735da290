import { TextureAtlas, type TextureAtlasPage, type TextureAtlasRegion } from "../../spine/load/texture-atlas.js";
import { TextureFilter, TextureWrap } from "../../spine/enums.js";
import { AnimArgumentError, AnimFormatError, AnimStateError } from "../errors.js";
import { checkInteger } from "../module/check.js";
import { readText } from "../module/files.js";
import type { AnimationHost } from "../module/host.js";
import { chain } from "../module/maybe-promise.js";
import { itemAt, translated } from "./translate.js";

/** Keys whose values are numbers, and how many. */
const NUMBERS: Record<string, number> = { size: 2, xy: 2, orig: 2, offset: 2, bounds: 4, offsets: 4, index: 1, split: 4, pad: 4, scale: 1 };

/** What may follow rotate. */
const ROTATIONS = /* @__PURE__ */ new Set(["true", "false", "0", "90", "180", "270"]);

/** The runtime reads what it can; here a number that is none is an error. @throws AnimFormatError with the line */
function checkNumbers(text: string): void {
  text.split("\n").forEach((content, i) => {
    const [, key, values] = /^\s*(\w+)\s*:(.*)$/.exec(content) ?? [];
    if (key === "rotate" && !ROTATIONS.has(values!.trim())) {
      throw new AnimFormatError(`Line ${i + 1} of the atlas is "${content.trim()}", expected true, false or a multiple of 90 degrees after rotate.`, { line: i + 1, found: content.trim() });
    }
    const count = key !== undefined && Object.hasOwn(NUMBERS, key) ? NUMBERS[key]! : 0;
    if (count === 0) return;
    const list = values!.split(",").map((value) => value.trim());
    const isGood = list.length >= count && list.every((value) => value !== "" && Number.isFinite(Number(value)));
    if (!isGood) throw new AnimFormatError(`Line ${i + 1} of the atlas is "${content.trim()}", expected ${count === 1 ? "a number" : `${count} numbers`} after ${key}.`, { line: i + 1, found: content.trim() });
  });
}

/** Regions of packed images, by index. Sizes are upright pixels, offsets count from the left and from the bottom. */
export class SpineAtlas {
  #atlas: TextureAtlas | null = null;
  readonly #host: AnimationHost | null;
  /** Counts loads. @internal */ version = 0;

  /** @param host - for `loadFromFile` */
  constructor(host: AnimationHost | null = null) {
    this.#host = host;
  }

  /** Replaces everything by the text of an `.atlas` file of either generation. @throws AnimFormatError, and the atlas is empty */
  loadFromText(text: string): true {
    this.clear();
    if (typeof text !== "string") throw new AnimArgumentError("loadFromText needs the text of an atlas file.", { found: text });
    checkNumbers(text);
    const atlas = translated(() => new TextureAtlas(text));
    if (atlas.pages.length === 0) throw new AnimFormatError("The atlas has no page.", { line: 1 });
    this.#atlas = atlas;
    return true;
  }

  /** @throws AnimIOError, AnimFormatError, AnimStateError without a host */
  async loadFromFile(path: string): Promise<true> {
    if (this.#host === null) throw new AnimStateError("This atlas has no host to read files with. Use loadFromText().");
    return chain(readText(this.#host, path), (text) => this.loadFromText(text));
  }

  clear(): void {
    this.#atlas = null;
    this.version++;
  }

  /** The runtime's atlas; null while empty. */
  get native(): TextureAtlas | null {
    return this.#atlas;
  }

  getPageCount(): number {
    return this.#atlas?.pages.length ?? 0;
  }

  /** @throws AnimIndexError, as all questions about pages and regions */
  getPageName(page: number): string {
    return this.#page(page).name;
  }

  /** Index of a page, -1 if there is none. */
  findPage(name: string): number {
    return this.#atlas?.pages.findIndex((page) => page.name === name) ?? -1;
  }

  /** Pixels, 0 where the file does not say. */
  getPageWidth(page: number): number {
    return this.#page(page).width;
  }

  getPageHeight(page: number): number {
    return this.#page(page).height;
  }

  /** Whether the pixels are multiplied by alpha. */
  isPagePremultiplied(page: number): boolean {
    return this.#page(page).pma;
  }

  /** Filters for shrinking and for enlarging. */
  getPageFilter(page: number): [string, string] {
    const { minFilter, magFilter } = this.#page(page);
    return [TextureFilter[minFilter], TextureFilter[magFilter]];
  }

  /** "none", "x", "y" or "xy": the directions in which the page repeats. */
  getPageWrap(page: number): string {
    const { uWrap, vWrap } = this.#page(page);
    return `${uWrap === TextureWrap.Repeat ? "x" : ""}${vWrap === TextureWrap.Repeat ? "y" : ""}` || "none";
  }

  getRegionCount(): number {
    return this.#atlas?.regions.length ?? 0;
  }

  /** Index of the first region of a name, -1 if there is none. */
  findRegion(name: string): number {
    return this.#atlas?.regions.findIndex((region) => region.name === name) ?? -1;
  }

  getRegionName(region: number): string {
    return this.#region(region).name;
  }

  getRegionPage(region: number): number {
    return this.#atlas!.pages.indexOf(this.#region(region).page);
  }

  getRegionX(region: number): number {
    return this.#region(region).x;
  }

  getRegionY(region: number): number {
    return this.#region(region).y;
  }

  getRegionWidth(region: number): number {
    return this.#region(region).width;
  }

  getRegionHeight(region: number): number {
    return this.#region(region).height;
  }

  /** Size before trimming. */
  getRegionOriginalWidth(region: number): number {
    return this.#region(region).originalWidth;
  }

  getRegionOriginalHeight(region: number): number {
    return this.#region(region).originalHeight;
  }

  /** Pixels removed at the left. */
  getRegionOffsetX(region: number): number {
    return this.#region(region).offsetX;
  }

  /** Pixels removed at the bottom. */
  getRegionOffsetY(region: number): number {
    return this.#region(region).offsetY;
  }

  /** Turned by 90 degrees counter-clockwise. */
  getRegionRotate(region: number): boolean {
    return this.#region(region).degrees === 90;
  }

  /** 0, 90, 180 or 270, counter-clockwise. */
  getRegionDegrees(region: number): number {
    return this.#region(region).degrees;
  }

  /** Place in an image sequence of the packer, -1 for none. */
  getRegionIndex(region: number): number {
    return this.#region(region).index;
  }

  /** u0 v0 u1 v1 of the packed rectangle in a texture of the given size. @throws AnimArgumentError, AnimIndexError */
  getRegionUV(region: number, textureWidth: number, textureHeight: number, out: Float32Array): void {
    checkInteger(textureWidth, "texW", 1, 2 ** 24);
    checkInteger(textureHeight, "texH", 1, 2 ** 24);
    const { x, y, width, height, degrees } = this.#region(region);
    const turned = degrees === 90 || degrees === 270;
    out[0] = x / textureWidth;
    out[1] = y / textureHeight;
    out[2] = (x + (turned ? height : width)) / textureWidth;
    out[3] = (y + (turned ? width : height)) / textureHeight;
  }

  #page(page: number): TextureAtlasPage {
    return itemAt(this.#atlas?.pages ?? [], page, "Page");
  }

  #region(region: number): TextureAtlasRegion {
    return itemAt(this.#atlas?.regions ?? [], region, "Region");
  }
}
