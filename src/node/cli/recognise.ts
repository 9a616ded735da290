import { readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { FormatError } from "../../errors.js";

/** First bytes of files that are mistaken for skeletons. */
const SIGNATURES: readonly (readonly [what: string, ...bytes: number[]])[] = [
  ["a PNG image", 0x89, 0x50, 0x4e, 0x47],
  ["a JPEG image", 0xff, 0xd8, 0xff],
  ["a WebP image", 0x52, 0x49, 0x46, 0x46],
  ["a zip archive", 0x50, 0x4b, 0x03, 0x04],
  ["compressed with gzip, unpack it first", 0x1f, 0x8b],
];

/**
 * Refuses what is plainly no skeleton, saying what it is.
 * @throws FormatError
 */
export function refuseOthers(path: string, bytes: Uint8Array, isJson: boolean): void {
  const refuse = (what: string): never => {
    throw new FormatError("bad-format", `'${path}' is ${what}. Expected a skeleton exported by Spine, as .json or .skel.`, { file: path });
  };
  if (bytes.length === 0) refuse("empty");
  for (const [what, ...first] of SIGNATURES) if (first.every((byte, i) => bytes[i] === byte)) refuse(what);
  if (isJson) return;
  const text = new TextDecoder().decode(bytes.subarray(0, 200));
  if (extname(path).toLowerCase() === ".atlas" || /^\s*[^\n]+\.(png|jpg|webp)\s*\n\s*(size|format|filter|repeat|pma|scale)\s*:/i.test(text)) {
    refuse("an atlas, which 'osteon validate' checks");
  }
  if (extname(path).toLowerCase() === ".json") refuse(`not a JSON object: it begins with ${JSON.stringify(text.trimStart().slice(0, 12))}`);
}

/** Refuses JSON objects and files without content. @throws FormatError */
export function refuseWithoutBones(path: string, boneCount: number): void {
  if (boneCount > 0) return;
  throw new FormatError("bad-format", `'${path}' has no bones, so it is no skeleton. Expected a skeleton exported by Spine, as .json or .skel.`, { file: path });
}

/** A skeleton of a folder. */
export interface FoundSkeleton {
  path: string;
  /** The same skeleton in the other format, if it is there. */
  twin: string | undefined;
}

/**
 * Skeletons of a folder by name, once where both formats are there.
 * @returns undefined if the path is not a folder
 * @throws FormatError `missing-reference` if there is none
 */
export function skeletonsIn(path: string): FoundSkeleton[] | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const names = readdirSync(path).filter((name) => /\.(json|skel)$/i.test(name)).toSorted();
  const found = new Map<string, FoundSkeleton>();
  for (const name of names) {
    const key = name.replace(/\.[^.]+$/, "");
    const first = found.get(key);
    if (first === undefined) found.set(key, { path: join(path, name), twin: undefined });
    else first.twin = basename(name);
  }
  if (found.size === 0) throw new FormatError("missing-reference", `The folder '${path}' has no .json or .skel file.`, { file: path });
  return [...found.values()];
}
