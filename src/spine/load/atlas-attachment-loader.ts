import { ArgumentError, FormatError } from "../../errors.js";
import { BoundingBoxAttachment } from "../attachments/bounding-box-attachment.js";
import { ClippingAttachment } from "../attachments/clipping-attachment.js";
import { MeshAttachment } from "../attachments/mesh-attachment.js";
import { PathAttachment } from "../attachments/path-attachment.js";
import { PointAttachment } from "../attachments/point-attachment.js";
import { RegionAttachment } from "../attachments/region-attachment.js";
import type { Sequence } from "../attachments/sequence.js";
import type { Skin } from "../model/skin.js";
import type { AttachmentLoader } from "./attachment-loader.js";
import { didYouMean } from "./near-names.js";
import { TextureAtlas, TextureAtlasPage, TextureAtlasRegion } from "./texture-atlas.js";

/**
 * What to do about a region that the atlas does not have. `error`: fail, after all missing regions were collected. `warn`:
 * leave the region null and note it in the loader's report. `placeholder`: use a region of a page named `placeholder`, and
 * note it.
 */
export type MissingRegions = "error" | "warn" | "placeholder";

/** A region that was looked for in vain. */
export interface MissingRegion {
  /** Name that the atlas does not have. */
  path: string;
  /** Name of the attachment that needs it. */
  attachment: string;
}

/** Makes attachments whose images are regions of an atlas. */
export class AtlasAttachmentLoader implements AttachmentLoader {
  readonly atlas: TextureAtlas;
  readonly missing: MissingRegions;
  /** Page of the placeholder regions; give it a texture to see where images are missing. */
  readonly placeholderPage = new TextureAtlasPage("placeholder");
  #placeholder: TextureAtlasRegion | null = null;
  /** While a skeleton is loaded: collects missing regions instead of failing at the first. @internal */
  _collected: MissingRegion[] | null = null;

  /**
   * @param missing - what to do about missing regions; true is `warn`, false (the default) is `error`
   */
  constructor(atlas: TextureAtlas, missing: boolean | MissingRegions = "error") {
    if (atlas == null || typeof atlas.findRegion !== "function") {
      throw new ArgumentError(`AtlasAttachmentLoader was given ${atlas === null ? "null" : typeof atlas}, expected a TextureAtlas.`, { found: atlas });
    }
    this.atlas = atlas;
    this.missing = missing === true ? "warn" : missing === false ? "error" : missing;
    if (!["error", "warn", "placeholder"].includes(this.missing)) {
      throw new ArgumentError(`missing is '${String(missing)}', expected 'error', 'warn' or 'placeholder'.`, { found: missing });
    }
  }

  /** Whether `findRegion` may find nothing. */
  get allowMissingRegions(): boolean {
    return this.missing !== "error";
  }

  /** Fills in the regions of a sequence. @throws FormatError `missing-region` naming path and attachment, unless allowed */
  findRegions(name: string, basePath: string, sequence: Sequence): void {
    const { regions } = sequence;
    for (let i = 0; i < regions.length; i++) regions[i] = this.findRegion(name, sequence.getPath(basePath, i));
  }

  /**
   * The region of a path, or what `missing` says.
   * @param name - the attachment, for the error message
   */
  findRegion(name: string, path: string): TextureAtlasRegion | null {
    const region = this.atlas.findRegion(path);
    if (region !== null) {
      const { page } = region;
      // A region that a program made by itself has the texture coordinates that it wants.
      if (page !== undefined && !(page.width > 0 && page.height > 0) && page.regions.includes(region)) {
        throw new FormatError(
          "bad-format",
          `The atlas page '${page.name}' of region '${path}' has no size. Add a size entry to the atlas, or set the page's texture before loading the skeleton.`,
          { found: page.name },
        );
      }
      return region;
    }
    if (this._collected !== null) this._collected.push({ path, attachment: name });
    else if (this.missing === "error") throw missingRegionsError([{ path, attachment: name }], this.atlas);
    if (this.missing !== "placeholder") return null;
    return (this.#placeholder ??= placeholderRegion(this.placeholderPage));
  }

  newRegionAttachment(_skin: Skin, _placeholder: string, name: string, path: string, sequence: Sequence): RegionAttachment | null {
    this.findRegions(name, path, sequence);
    return new RegionAttachment(name, sequence);
  }

  newMeshAttachment(_skin: Skin, _placeholder: string, name: string, path: string, sequence: Sequence): MeshAttachment | null {
    this.findRegions(name, path, sequence);
    return new MeshAttachment(name, sequence);
  }

  newBoundingBoxAttachment(_skin: Skin, _placeholder: string, name: string): BoundingBoxAttachment | null {
    return new BoundingBoxAttachment(name);
  }

  newPathAttachment(_skin: Skin, _placeholder: string, name: string): PathAttachment | null {
    return new PathAttachment(name);
  }

  newPointAttachment(_skin: Skin, _placeholder: string, name: string): PointAttachment | null {
    return new PointAttachment(name);
  }

  newClippingAttachment(_skin: Skin, _placeholder: string, name: string): ClippingAttachment | null {
    return new ClippingAttachment(name);
  }
}

/** A region that covers its whole page, which has no image yet. */
function placeholderRegion(page: TextureAtlasPage): TextureAtlasRegion {
  page.width = page.height = 1;
  const region = new TextureAtlasRegion(page, "placeholder");
  region.width = region.height = region.originalWidth = region.originalHeight = 1;
  region.updateUVs();
  page.regions.push(region);
  return region;
}

/** Missing regions that an error names; `found` has them all. */
const SHOWN = 8;

/** A missing region and the place that needs it. */
export interface MissingRegionPlace extends MissingRegion {
  slot?: string | undefined;
  skin?: string | undefined;
}

/** Where a missing region is needed, in words. */
export function describeMissing(region: MissingRegionPlace): string {
  const place = region.slot === undefined ? "" : ` in slot '${region.slot}' of skin '${region.skin}'`;
  return `'${region.path}' (attachment '${region.attachment}'${place})`;
}

/** The error for all regions that a skeleton needs and the atlas lacks; the same for every file format. */
export function missingRegionsError(missing: readonly MissingRegionPlace[], atlas: TextureAtlas | undefined, file?: string): FormatError {
  const names = atlas === undefined ? [] : atlas.regions.map((region) => region.name);
  // An atlas of something else lacks everything, and many attachments share an image: one line a region, and not all of them.
  const users = new Map<string, number>();
  for (const { path } of missing) users.set(path, (users.get(path) ?? 0) + 1);
  const lines = [...users].slice(0, SHOWN).map(([path, count]) => {
    const more = count > 1 ? ` and ${count - 1} more ${count > 2 ? "attachments" : "attachment"}` : "";
    return `${describeMissing(missing.find((region) => region.path === path)!)}${more}.${didYouMean(path, names)}`;
  });
  if (users.size > SHOWN) lines.push(`… and ${users.size - SHOWN} more.`);
  const what = users.size === 1 ? "a region" : `${users.size} regions that ${missing.length} attachments show`;
  const list = lines.length === 1 ? ` ${lines[0]} ` : `\n  ${lines.join("\n  ")}\n`;
  return new FormatError(
    "missing-region",
    `The atlas lacks ${what}:${list}Check that atlas and skeleton belong together, or load with missing: 'warn' or 'placeholder'.`,
    { file, found: missing.map((region) => ({ ...region })), supported: names.slice(0, 100) },
  );
}
