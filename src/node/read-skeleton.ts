import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { FormatError } from "../errors.js";
import type { SkeletonData } from "../spine/data/skeleton-data.js";
import { AtlasAttachmentLoader } from "../spine/load/atlas-attachment-loader.js";
import { SkeletonBinary } from "../spine/load/skeleton-binary.js";
import { SkeletonJson } from "../spine/load/skeleton-json.js";
import { TextureAtlas } from "../spine/load/texture-atlas.js";
import { PngTexture } from "./png-texture.js";
import { readPng } from "./png.js";

export interface ReadSkeletonOptions {
  /** Path of the atlas. Default: the one beside the skeleton that `findAtlas` picks. */
  atlas?: string | undefined;
  /** Multiplies positions and sizes as they are loaded. Default 1. */
  scale?: number | undefined;
  /** Whether page images are read. Default true; without them nothing can be drawn. */
  textures?: boolean | undefined;
}

/** A skeleton read from disk. */
export interface SkeletonFiles {
  readonly data: SkeletonData;
  readonly atlas: TextureAtlas;
  /** Path of the atlas that was used. */
  readonly atlasPath: string;
}

/**
 * Reads a `.json` or `.skel` export with the atlas and the page images beside it.
 *
 * @throws FormatError `missing-reference` if there is no atlas that fits or a page image is missing, and whatever the loaders throw
 */
export function readSkeleton(path: string, options: ReadSkeletonOptions = {}): SkeletonFiles {
  const contents = readFile(path, "The skeleton");
  const atlasPath = options.atlas ?? findAtlas(path);
  const atlas = new TextureAtlas(readFile(atlasPath, "The atlas").toString("utf8"));
  if (options.textures ?? true) {
    for (const page of atlas.pages) {
      const image = join(dirname(atlasPath), page.name);
      if (extname(image).toLowerCase() !== ".png") {
        throw new FormatError("bad-format", `Page '${page.name}' of ${atlasPath} is not a PNG; only PNG pages can be read here. Export the atlas with PNG pages.`, { file: image });
      }
      readFile(image, `Page '${page.name}' of ${atlasPath}`);
      page.setTexture(new PngTexture(readPng(image), page.pma));
    }
  }
  const settings = { scale: options.scale, file: path };
  const attachments = new AtlasAttachmentLoader(atlas);
  const data = extname(path).toLowerCase() === ".json"
    ? new SkeletonJson(attachments, settings).readSkeletonData(contents.toString("utf8"))
    : new SkeletonBinary(attachments, settings).readSkeletonData(contents);
  return { data, atlas, atlasPath };
}

/**
 * The atlas that belongs to a skeleton file: of the `.atlas` files beside it the one whose name is the longest beginning of
 * the skeleton's name, up to the end or a separator (`spineboy.atlas` for `spineboy-pro.json`); else the only one there is.
 *
 * @throws FormatError `missing-reference` listing what is there
 */
export function findAtlas(skeletonPath: string): string {
  const folder = dirname(skeletonPath);
  const name = basename(skeletonPath).replace(/\.(json|skel)(\.(txt|bytes))?$/i, "").toLowerCase();
  const all = readdirSync(folder).filter((file) => /\.atlas(\.txt)?$/i.test(file)).toSorted();
  const stem = (file: string) => file.replace(/\.atlas(\.txt)?$/i, "").toLowerCase();
  const fitting = all.filter((file) => name === stem(file) || (name.startsWith(stem(file)) && !/[a-z0-9]/.test(name.charAt(stem(file).length))));
  const best = fitting.reduce<string | null>((a, b) => (a === null || stem(b).length > stem(a).length ? b : a), null) ?? (all.length === 1 ? all[0]! : null);
  if (best === null) {
    throw new FormatError(
      "missing-reference",
      `No atlas beside ${skeletonPath} fits its name${all.length === 0 ? "" : ` (there are ${all.join(", ")})`}. Put '${basename(skeletonPath).replace(/\.[^.]*$/, "")}.atlas' there or name one.`,
      { file: skeletonPath, found: all },
    );
  }
  return join(folder, best);
}

function readFile(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new FormatError("missing-reference", `${what} cannot be read from '${path}'. Check the path.`, { file: path, cause });
  }
}
