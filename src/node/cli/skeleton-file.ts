import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { FormatError } from "../../errors.js";
import type { SkeletonData } from "../../spine/data/skeleton-data.js";
import { AtlasAttachmentLoader, type MissingRegions } from "../../spine/load/atlas-attachment-loader.js";
import { readBinaryDocument } from "../../spine/load/binary/reader.js";
import { readJsonDocument, type ReadResult } from "../../spine/load/json/reader.js";
import type { LoadReport } from "../../spine/load/report.js";
import { SkeletonBinary } from "../../spine/load/skeleton-binary.js";
import { SkeletonJson } from "../../spine/load/skeleton-json.js";
import { TextureAtlas } from "../../spine/load/texture-atlas.js";
import { findAtlas } from "../read-skeleton.js";
import { refuseOthers, refuseWithoutBones, whyUnreadable } from "./recognise.js";

/** Contents of a skeleton file, told apart by what they are, not by the name. */
export interface SkeletonContents {
  path: string;
  byteCount: number;
  json: string | undefined;
  bytes: Uint8Array;
}

/** A skeleton that was loaded, with its atlas if there is one. */
export interface LoadedSkeleton extends SkeletonContents {
  data: SkeletonData;
  report: LoadReport;
  atlas: TextureAtlas | undefined;
  atlasPath: string | undefined;
}

/** @throws FormatError `missing-reference` if the file cannot be read, `bad-format` if it is something else than a skeleton */
export function readContents(path: string): SkeletonContents {
  const bytes = new Uint8Array(readBytes(path));
  const isJson = bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) === 0x7b;
  refuseOthers(path, bytes, isJson);
  return { path, byteCount: bytes.length, json: isJson ? new TextDecoder().decode(bytes) : undefined, bytes };
}

export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new FormatError("missing-reference", `'${path}' cannot be read: ${whyUnreadable(path, cause).replace(/(?<![.?])$/, ".")}`, { file: path, cause });
  }
}

/** Reads a skeleton without images. */
export function readDocument(contents: SkeletonContents): ReadResult {
  const result = contents.json === undefined ? readBinaryDocument(contents.bytes, contents.path) : readJsonDocument(contents.json, contents.path);
  refuseWithoutBones(contents.path, result.document.bones.length);
  return result;
}

/**
 * Loads a skeleton with the atlas that belongs to it.
 * @param atlasPath - undefined for the one beside the skeleton; without any, images are not looked for
 */
export function loadSkeleton(contents: SkeletonContents, atlasPath: string | undefined, missing: MissingRegions): LoadedSkeleton {
  const found = atlasPath ?? atlasBeside(contents.path);
  const atlas = found === undefined ? undefined : readAtlas(found);
  const attachments = new AtlasAttachmentLoader(atlas ?? new TextureAtlas(""), atlas === undefined ? "warn" : missing);
  const options = { file: contents.path };
  const loader = contents.json === undefined ? new SkeletonBinary(attachments, options) : new SkeletonJson(attachments, options);
  const data = loader instanceof SkeletonBinary ? loader.readSkeletonData(contents.bytes) : loader.readSkeletonData(contents.json!);
  refuseWithoutBones(contents.path, data.bones.length);
  const report = loader.report!;
  if (atlas === undefined) {
    report.notes = report.notes.filter((note) => note.code !== "missing-region");
    report.note("no-atlas", "No atlas was found beside the skeleton, so its images were not checked. Name one with --atlas.");
  }
  return { ...contents, data, report, atlas, atlasPath: found };
}

/** @throws FormatError with the path */
export function readAtlas(path: string): TextureAtlas {
  const text = readBytes(path).toString("utf8");
  try {
    const atlas = new TextureAtlas(text);
    if (atlas.regions.length === 0) throw new FormatError("bad-format", "the atlas has no regions.", { file: path });
    return atlas;
  } catch (error) {
    if (error instanceof FormatError) throw new FormatError(error.code, `${path}: ${error.message}`, { ...error, file: path, cause: error });
    throw error;
  }
}

function atlasBeside(path: string): string | undefined {
  try {
    return findAtlas(path);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Whether a path names an atlas. */
export function isAtlas(path: string): boolean {
  return /\.atlas(\.txt)?$/i.test(path);
}

/** The format that a path asks for. */
export function formatOf(path: string): "json" | "binary" | undefined {
  const extension = extname(path).toLowerCase();
  return extension === ".json" ? "json" : extension === ".skel" ? "binary" : undefined;
}
