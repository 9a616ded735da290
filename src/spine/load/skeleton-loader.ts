import { ArgumentError } from "../../errors.js";
import type { SkeletonData } from "../data/skeleton-data.js";
import { AtlasAttachmentLoader, type MissingRegions } from "./atlas-attachment-loader.js";
import type { AttachmentLoader } from "./attachment-loader.js";
import { buildSkeleton } from "./construct/build-skeleton.js";
import type { ReadResult } from "./json/reader.js";
import type { LoadReport } from "./report.js";
import { TextureAtlas } from "./texture-atlas.js";

export interface SkeletonLoaderOptions {
  /** See `SkeletonLoader.scale`. Default 1. */
  scale?: number | undefined;
  /** What to do about regions that the atlas lacks, where an atlas is given. Default `error`. */
  missing?: MissingRegions | undefined;
  /** Name of the file, for error messages and as `SkeletonData.name`. */
  file?: string | undefined;
}

/** Base of the loaders of skeleton data. */
export abstract class SkeletonLoader {
  readonly attachmentLoader: AttachmentLoader;
  /** Multiplies positions, lengths and sizes as they are loaded, to use images of another size than in the editor. Not 0. */
  scale: number;
  /** Name of the file, for error messages and as `SkeletonData.name`. */
  file: string | undefined;
  /** What the last `readSkeletonData` did: version, changes, things left out. Null before. */
  report: LoadReport | null = null;

  /** @param source - an atlas, whose regions become attachments, or a loader that makes them */
  constructor(source: TextureAtlas | AttachmentLoader, options: SkeletonLoaderOptions = {}) {
    if (source == null || typeof source !== "object") {
      throw new ArgumentError(`${new.target.name} was given ${source === null ? "null" : typeof source}, expected a TextureAtlas or an AttachmentLoader.`, { found: source });
    }
    this.attachmentLoader = source instanceof TextureAtlas ? new AtlasAttachmentLoader(source, options.missing) : source;
    this.scale = options.scale ?? 1;
    this.file = options.file;
  }

  /**
   * Reads a file.
   * @param data - text or object for JSON, bytes for binary
   * @throws FormatError if it is not one, with the place
   */
  // Loaders take different things.
  // oxlint-disable-next-line no-explicit-any
  abstract readSkeletonData(data: any): SkeletonData;

  /** Makes skeleton data of a document that was read. */
  protected build({ document, report }: ReadResult): SkeletonData {
    this.report = report;
    const data = buildSkeleton(document, this.attachmentLoader, this.scale, report);
    if (this.file !== undefined) data.name = this.file.replace(/^.*[/\\]/, "").replace(/\.(json|skel)$/i, "");
    return data;
  }
}
