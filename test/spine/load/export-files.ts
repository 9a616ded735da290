import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sharedData } from "../../shared-data.js";

/** A skeleton file of the example exports. */
export interface ExportFile {
  path: string;
  /** `4.3/owl/owl-pro.json` */
  name: string;
  version: string;
  format: "json" | "skel";
  /** The atlas that belongs to it. */
  atlas: string;
}

export const VERSIONS = ["3.7", "3.8", "4.0", "4.1", "4.2", "4.3"];

/** All example exports of some versions; none where they are not there. */
export function exportFiles(what: string, versions: readonly string[] = VERSIONS): ExportFile[] {
  const folder = sharedData("spine", what);
  if (folder === undefined) return [];
  return versions.flatMap((version) =>
    readdirSync(join(folder, version), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(json|skel)$/.test(file))
      .toSorted()
      .map((file): ExportFile => {
        const path = join(folder, version, file);
        return { path, name: `${version}/${file}`, version, format: file.endsWith("json") ? "json" : "skel", atlas: atlasOf(path) };
      }),
  );
}

/** The atlas whose name is the longest prefix of the skeleton's. */
function atlasOf(path: string): string {
  const folder = dirname(path), name = basename(path);
  const fitting = readdirSync(folder).filter((file) => file.endsWith(".atlas") && name.startsWith(file.slice(0, -6)));
  return join(folder, fitting.toSorted((a, b) => b.length - a.length)[0]!);
}
