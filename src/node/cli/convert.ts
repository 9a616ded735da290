import { realpathSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { FormatError } from "../../errors.js";
import { writeBinaryDocument } from "../../spine/load/write/binary-writer.js";
import { writeJsonDocument } from "../../spine/load/write/json-writer.js";
import { ExitCode, UsageError, type Command } from "./command.js";
import { isFolder } from "./recognise.js";
import { formatOf, readContents, readDocument } from "./skeleton-file.js";

/** `osteon convert IN OUT` */
export const convert: Command = {
  summary: "Convert a skeleton of Spine 3.7 to 4.3 to 4.3, as JSON or binary",
  usage: "IN OUT [--pretty]",
  options: { "--pretty": "flag" },
  help: [
    "IN is a .json or .skel export of any supported version. OUT is written in the format of its name, .json or .skel.",
    "Notes tell what the upgrade could not keep exactly. The atlas is not needed and stays as it is.",
    "",
    "  --pretty  break JSON into lines",
    "",
    "Exit code 0 if OUT was written, 1 if IN is bad or OUT cannot hold it, 2 for wrong arguments.",
  ].join("\n"),
  run({ files, flags }, output) {
    const [source, target] = files;
    if (source === undefined || target === undefined || files.length > 2) throw new UsageError(`convert takes two files, ${files.length} ${files.length === 1 ? "was" : "were"} given.`);
    const format = formatOf(target);
    if (format === undefined) throw new UsageError(`'${target}' is neither .json nor .skel, so its format is unknown.`);
    if (samePath(source, target)) throw new UsageError("IN and OUT are the same file. Write to another name and rename it.");
    const { document, report } = readDocument(readContents(source));
    const contents = format === "json" ? writeJsonDocument(document, flags.has("--pretty")) : writeBinaryDocument(document, report);
    try {
      writeFileSync(target, contents);
    } catch (cause) {
      const folder = dirname(target), why = isFolder(target) ? "it is a folder" : isFolder(folder) ? (cause as Error).message : `there is no folder '${folder}'`;
      throw new FormatError("cannot-write", `'${target}' cannot be written: ${why}.`, { file: target, cause });
    }
    for (const note of report.notes) if (note.code !== "upgraded") output.err(`note: ${note.message}${note.count > 1 ? ` (${note.count} times)` : ""}`);
    const size = typeof contents === "string" ? Buffer.byteLength(contents) : contents.length;
    output.out(`${source} (Spine ${document.version ?? report.readAs}) -> ${target} (4.3 ${format === "json" ? "JSON" : "binary"}, ${size.toLocaleString("en")} bytes)`);
    return ExitCode.OK;
  },
};

function samePath(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return resolve(a) === resolve(b);
  }
}
