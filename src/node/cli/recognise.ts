import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { FormatError } from "../../errors.js";
import { didYouMean } from "../../spine/load/near-names.js";

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

/** What is in a folder. */
export interface FolderContents {
  skeletons: FoundSkeleton[];
  /** Names of JSON files that are something else. */
  others: string[];
}

/** Whether a path is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether a JSON file is meant to be a skeleton: other tools keep their JSON in the same folders. */
function isMeantAsSkeleton(path: string): boolean {
  return extname(path).toLowerCase() === ".skel" || /"(bones|skeleton)"\s*:/.test(readFileSync(path, "utf8"));
}

/**
 * Skeletons of a folder by name, once where both formats are there.
 * @returns undefined if the path is not a folder
 * @throws FormatError `missing-reference` if there is none
 */
export function skeletonsIn(path: string): FolderContents | undefined {
  if (!isFolder(path)) return undefined;
  const entries = readdirSync(path, { withFileTypes: true }), others: string[] = [];
  const names = entries.filter((entry) => !entry.isDirectory() && /\.(json|skel)$/i.test(entry.name)).map(({ name }) => name).toSorted();
  const found = new Map<string, FoundSkeleton>();
  for (const name of names) {
    if (!isMeantAsSkeleton(join(path, name))) {
      others.push(name);
      continue;
    }
    const key = name.replace(/\.[^.]+$/, "");
    const first = found.get(key);
    if (first === undefined) found.set(key, { path: join(path, name), twin: undefined });
    else first.twin = basename(name);
  }
  if (found.size === 0) {
    const what = others.length === 0 ? "no .json or .skel file" : `no skeleton, only ${shortList(others)}`;
    const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
    throw new FormatError("missing-reference", `The folder '${path}' has ${what}.${inner.length === 0 ? "" : ` Name one of its folders: ${shortList(inner)}.`}`, { file: path });
  }
  return { skeletons: [...found.values()], others };
}

/**
 * Everything below a folder that can be validated: skeletons in both formats, and atlases.
 * @throws FormatError `missing-reference` if there is nothing
 */
export function checkableIn(path: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") walk(inside);
      } else if (/\.atlas(\.txt)?$/i.test(entry.name) || (/\.(json|skel)$/i.test(entry.name) && isMeantAsSkeleton(inside))) found.push(inside);
    }
  };
  walk(path);
  if (found.length === 0) throw new FormatError("missing-reference", `The folder '${path}' has no skeleton (.json, .skel) and no atlas, nor have its folders.`, { file: path });
  return found;
}

/** Up to six names in quotes, and how many more there are. */
function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => `'${name}'`).join(", ");
  return names.length > 6 ? `${shown} and ${names.length - 6} more` : shown;
}

/** Why a file cannot be opened, and what may have been meant. */
export function whyUnreadable(path: string, cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES" || code === "EPERM") return "you have no right to read it";
  if (code !== "ENOENT" && code !== "ENOTDIR") return message;
  const folder = dirname(path);
  if (!isFolder(folder)) return `there is no folder '${folder}'`;
  return `there is no such file.${didYouMean(basename(path), readdirSync(folder))}`;
}
