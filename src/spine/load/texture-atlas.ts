import { ArgumentError, FormatError } from "../../errors.js";
import { TextureFilter, TextureWrap } from "../enums.js";
import { TextureRegion, type Texture } from "../texture.js";
import { didYouMean } from "./near-names.js";

/** Longest atlas text that is read, in characters. */
export const MAX_ATLAS_LENGTH = 64 * 1024 * 1024;
/** Entries of one line that are kept. */
const MAX_VALUES = 4;

/** Pixel layouts that an atlas page may ask for. A hint: texture loaders may ignore it. */
export enum Format {
  Alpha,
  Intensity,
  LuminanceAlpha,
  RGB565,
  RGBA4444,
  RGB888,
  RGBA8888,
}

/** Loads and unloads the images of atlas pages. */
export interface TextureLoader {
  /** Loads the image of a page and sets `page.rendererObject`, or calls `page.setTexture`. */
  load(page: TextureAtlasPage, path: string): void;
  /** Unloads what `load` made. */
  unload(rendererObject: any): void;
}

/** One image of an atlas. Its size and settings come from the file, its texture from whoever loads images. */
export class TextureAtlasPage {
  name: string;
  minFilter: TextureFilter = TextureFilter.Nearest;
  magFilter: TextureFilter = TextureFilter.Nearest;
  uWrap: TextureWrap = TextureWrap.ClampToEdge;
  vWrap: TextureWrap = TextureWrap.ClampToEdge;
  format: Format = Format.RGBA8888;
  /** The texture that `setTexture` was given, or null. */
  texture: any = null;
  /** Whatever a `TextureLoader` keeps here; `setTexture` sets it too. */
  rendererObject: any = null;
  /** Width of the image in pixels; 0 if the file does not say and no texture was set yet. */
  width = 0;
  /** Height of the image in pixels; 0 if the file does not say and no texture was set yet. */
  height = 0;
  /** Whether the pixels are already multiplied by alpha. */
  pma = false;
  /** Scale that the packer applied to the images. Information only. */
  scale = 1;
  regions: TextureAtlasRegion[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /**
   * Gives the page its texture: sets filters and wraps on it and hands it to all regions. A page whose file entry has
   * no size takes it from the image.
   */
  setTexture(texture: Texture): void {
    this.texture = texture;
    this.rendererObject = texture;
    texture.setFilters(this.minFilter, this.magFilter);
    texture.setWraps(this.uWrap, this.vWrap);
    if (this.width === 0 || this.height === 0) {
      const image = texture.getImage() as { width?: number; height?: number } | null | undefined;
      if (this.width === 0 && typeof image?.width === "number") this.width = image.width;
      if (this.height === 0 && typeof image?.height === "number") this.height = image.height;
      for (const region of this.regions) region.updateUVs();
    }
    for (const region of this.regions) region.texture = texture;
  }
}

/** A named image within an atlas page. */
export class TextureAtlasRegion extends TextureRegion {
  page: TextureAtlasPage;
  name: string;
  /** Left edge on the page, in pixels. */
  x = 0;
  /** Top edge on the page, in pixels from the top. */
  y = 0;
  /** Place in an image sequence of the packer, -1 for none. Spine sequences go by name instead. */
  index = -1;
  /** Keys of further entries, such as `split` and `pad`, in file order; null if there are none. */
  names: string[] | null = null;
  /** Values of further entries, beside `names`. */
  values: number[][] | null = null;

  constructor(page: TextureAtlasPage, name: string) {
    super();
    this.page = page;
    this.name = name;
    this.texture = page.texture;
  }

  /** Whether the image was packed turned by 90 degrees. */
  get rotate(): boolean {
    return this.degrees === 90;
  }

  /** Nine-patch splits: left, right, top, bottom; null if there are none. */
  get splits(): number[] | null {
    return this.#entry("split");
  }

  /** Nine-patch padding: left, right, top, bottom; null if there is none. */
  get pads(): number[] | null {
    return this.#entry("pad");
  }

  /** Computes u, v, u2, v2 from the rectangle and the page's size; all 0 while that size is unknown. */
  updateUVs(): void {
    const { width: pageWidth, height: pageHeight } = this.page;
    if (!(pageWidth > 0 && pageHeight > 0)) {
      this.u = this.v = this.u2 = this.v2 = 0;
      return;
    }
    // A quarter turn exchanges the sides of the rectangle on the page.
    const turned = this.degrees === 90 || this.degrees === 270;
    this.u = this.x / pageWidth;
    this.v = this.y / pageHeight;
    this.u2 = (this.x + (turned ? this.height : this.width)) / pageWidth;
    this.v2 = (this.y + (turned ? this.width : this.height)) / pageHeight;
  }

  #entry(key: string): number[] | null {
    const i = this.names?.indexOf(key) ?? -1;
    return i < 0 ? null : this.values![i]!;
  }
}

/**
 * Regions of one or more packed images, read from the text of an `.atlas` file of either generation. Keys may come in
 * any order; unknown ones are kept with regions and ignored with pages.
 */
export class TextureAtlas {
  readonly pages: TextureAtlasPage[] = [];
  readonly regions: TextureAtlasRegion[] = [];
  #loader: TextureLoader | null = null;
  #byName = new Map<string, TextureAtlasRegion>();
  #indexed = 0;

  /**
   * @param text - contents of the file
   * @param loader - loads each page's image at once: an object with `load` and `unload`, or a function from the page's
   *   name to its texture
   * @throws FormatError `bad-format` with the line, `limit-exceeded` for more than 64 Mi characters
   */
  constructor(text: string, loader?: TextureLoader | ((path: string) => Texture)) {
    if (typeof text !== "string") {
      throw new ArgumentError(
        `TextureAtlas was given ${text === null ? "null" : typeof text}, expected the text of an .atlas file. Read the file as text first.`,
        { found: text },
      );
    }
    // What a server answers instead of a file that is not there, and the name of a file instead of its text.
    const mistaken = /^\s*<(!doctype|html|\?xml)/i.test(text) ? "a web page" : /^[^\r\n]+\.atlas(\.txt)?$/i.test(text) ? `the name '${text.slice(0, 200)}'` : /^\s*\{/.test(text) ? "JSON" : undefined;
    if (mistaken !== undefined) {
      throw new FormatError("bad-format", `The atlas is ${mistaken}, expected the text of an .atlas file. Read the file as text first, and check its address.`, { found: text.slice(0, 200) });
    }
    if (text.length > MAX_ATLAS_LENGTH) {
      throw new FormatError(
        "limit-exceeded",
        `The atlas text has ${text.length} characters, at most ${MAX_ATLAS_LENGTH} are read. Split the atlas.`,
        { found: text.length, supported: MAX_ATLAS_LENGTH },
      );
    }
    readAtlas(text, this.pages, this.regions);
    if (typeof loader === "function") {
      for (const page of this.pages) page.setTexture(loader(page.name));
    } else if (loader !== undefined) {
      this.#loader = loader;
      for (const page of this.pages) loader.load(page, page.name);
    }
  }

  /** The first region of that name over all pages, or null. Upper and lower case differ. */
  findRegion(name: string): TextureAtlasRegion | null {
    if (this.#indexed !== this.regions.length) {
      this.#byName.clear();
      for (const region of this.regions) if (!this.#byName.has(region.name)) this.#byName.set(region.name, region);
      this.#indexed = this.regions.length;
    }
    const found = this.#byName.get(name);
    if (found !== undefined && found.name === name) return found;
    return this.regions.find((region) => region.name === name) ?? null;
  }

  /** Gives every page the texture that an asset manager holds under `pathPrefix` + the page's name. */
  setTextures(assetManager: { get(path: string): any }, pathPrefix = ""): void {
    for (const page of this.pages) page.setTexture(assetManager.get(pathPrefix + page.name));
  }

  /** Disposes the textures of all pages. */
  dispose(): void {
    for (const page of this.pages) {
      if (this.#loader !== null) this.#loader.unload(page.rendererObject);
      else page.texture?.dispose();
    }
  }
}

const filters: Record<string, TextureFilter> = {
  Nearest: TextureFilter.Nearest,
  Linear: TextureFilter.Linear,
  MipMap: TextureFilter.MipMap,
  MipMapNearestNearest: TextureFilter.MipMapNearestNearest,
  MipMapLinearNearest: TextureFilter.MipMapLinearNearest,
  MipMapNearestLinear: TextureFilter.MipMapNearestLinear,
  MipMapLinearLinear: TextureFilter.MipMapLinearLinear,
};

/** Reads lines one at a time and splits `key: v1, v2` entries. */
class Lines {
  /** The current line, trimmed; null at the end of the text. */
  current: string | null = null;
  /** 1-based number of the current line. */
  number = 0;
  key = "";
  values: string[] = [];
  #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    this.next();
  }

  next(): void {
    const text = this.#text;
    if (this.#at > text.length) {
      this.current = null;
      return;
    }
    let end = this.#at;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code === 10 || code === 13) break;
      end++;
    }
    this.current = text.slice(this.#at, end).trim();
    this.number++;
    this.#at = end + (text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? 2 : 1);
  }

  /** Whether the current line is an entry; splits it into `key` and `values` if so. */
  entry(): boolean {
    const line = this.current;
    if (line === null) return false;
    const colon = line.indexOf(":");
    if (colon < 0) return false;
    this.key = line.slice(0, colon).trim();
    this.values = line.slice(colon + 1).split(",", MAX_VALUES).map((value) => value.trim());
    return true;
  }

  /** The integer prefix of value `i`, 0 where there is none. */
  integer(i: number): number {
    const value = Number.parseInt(this.values[i] ?? "", 10);
    return Number.isSafeInteger(value) ? value : 0;
  }
}

function readAtlas(text: string, pages: TextureAtlasPage[], regions: TextureAtlasRegion[]): void {
  const lines = new Lines(text);
  while (lines.current === "") lines.next();
  while (lines.entry()) lines.next();
  let page: TextureAtlasPage | null = null;
  while (lines.current !== null) {
    if (lines.current === "") {
      page = null;
      lines.next();
    } else if (page === null) {
      page = new TextureAtlasPage(lines.current);
      pages.push(page);
      for (lines.next(); lines.entry(); lines.next()) readPageEntry(page, lines);
    } else {
      const region = new TextureAtlasRegion(page, lines.current);
      for (lines.next(); lines.entry(); lines.next()) readRegionEntry(region, lines);
      if (region.originalWidth === 0 && region.originalHeight === 0) {
        region.originalWidth = region.width;
        region.originalHeight = region.height;
      }
      region.updateUVs();
      page.regions.push(region);
      regions.push(region);
    }
  }
}

function readPageEntry(page: TextureAtlasPage, lines: Lines): void {
  const { values } = lines;
  switch (lines.key) {
    case "size":
      page.width = Math.max(0, lines.integer(0));
      page.height = Math.max(0, lines.integer(1));
      break;
    case "format": {
      const format = Format[values[0] as keyof typeof Format];
      if (typeof format === "number") page.format = format;
      break;
    }
    case "filter":
      page.minFilter = filter(values[0] ?? "", page, lines);
      page.magFilter = filter(values[1] ?? values[0] ?? "", page, lines);
      break;
    case "repeat":
      page.uWrap = values[0]!.includes("x") ? TextureWrap.Repeat : TextureWrap.ClampToEdge;
      page.vWrap = values[0]!.includes("y") ? TextureWrap.Repeat : TextureWrap.ClampToEdge;
      break;
    case "pma":
      page.pma = values[0] === "true";
      break;
    case "scale": {
      const scale = Number.parseFloat(values[0]!);
      if (Number.isFinite(scale)) page.scale = scale;
      break;
    }
  }
}

function filter(name: string, page: TextureAtlasPage, lines: Lines): TextureFilter {
  if (Object.hasOwn(filters, name)) return filters[name]!;
  const names = Object.keys(filters);
  throw new FormatError(
    "bad-format",
    `Atlas line ${lines.number}: page '${page.name}' has the filter '${name}', expected one of ${names.join(", ")}.${didYouMean(name, names)}`,
    { line: lines.number, found: name, supported: names },
  );
}

function readRegionEntry(region: TextureAtlasRegion, lines: Lines): void {
  switch (lines.key) {
    case "xy":
      region.x = lines.integer(0);
      region.y = lines.integer(1);
      break;
    case "size":
      region.width = lines.integer(0);
      region.height = lines.integer(1);
      break;
    case "bounds":
      region.x = lines.integer(0);
      region.y = lines.integer(1);
      region.width = lines.integer(2);
      region.height = lines.integer(3);
      break;
    case "offset":
      region.offsetX = lines.integer(0);
      region.offsetY = lines.integer(1);
      break;
    case "orig":
      region.originalWidth = lines.integer(0);
      region.originalHeight = lines.integer(1);
      break;
    case "offsets":
      region.offsetX = lines.integer(0);
      region.offsetY = lines.integer(1);
      region.originalWidth = lines.integer(2);
      region.originalHeight = lines.integer(3);
      break;
    case "rotate": {
      const value = lines.values[0]!;
      region.degrees = value === "true" ? 90 : value === "false" ? 0 : lines.integer(0);
      if (region.degrees % 90 !== 0 || region.degrees < 0 || region.degrees > 270) {
        throw new FormatError(
          "bad-format",
          `Atlas line ${lines.number}: region '${region.name}' has rotate '${value}', expected true, false, 0, 90, 180 or 270.`,
          { line: lines.number, found: value, supported: "true, false, 0, 90, 180, 270" },
        );
      }
      break;
    }
    case "index":
      region.index = lines.integer(0);
      break;
    default: {
      region.names ??= [];
      region.values ??= [];
      const numbers = lines.values.map((_, i) => lines.integer(i));
      const known = region.names.indexOf(lines.key);
      if (known >= 0) region.values[known] = numbers;
      else {
        region.names.push(lines.key);
        region.values.push(numbers);
      }
    }
  }
}
