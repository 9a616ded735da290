import { OsteonError } from "../../errors.js";
import type { LoadNote } from "../../spine/load/report.js";
import { ExitCode, UsageError, type Command } from "./command.js";
import { noteLines } from "./notes.js";
import { checkableIn, isFolder } from "./recognise.js";
import { isAtlas, loadSkeleton, readAtlas, readContents } from "./skeleton-file.js";

interface Verdict {
  file: string;
  ok: boolean;
  /** What was read, such as `4.2 JSON`; absent for files that could not be read. */
  kind?: string | undefined;
  notes: LoadNote[];
  error?: { code: string; message: string; pointer?: string | undefined; byteOffset?: number | undefined; line?: number | undefined } | undefined;
}

/** `osteon validate FILE...` */
export const validate: Command = {
  summary: "Check skeletons and atlases, for people and for CI",
  usage: "FILE|FOLDER... [--atlas FILE] [--strict] [--quiet] [--json]",
  options: { "--atlas": "value", "--strict": "flag", "--quiet": "flag", "--json": "flag" },
  help: [
    "Loads every FILE (.json, .skel or .atlas) completely and says what is wrong, and where. Images of skeletons are looked",
    "for in the atlas beside them, the one whose name begins like theirs. Of a FOLDER everything in it and below it is checked,",
    "except node_modules, hidden folders and JSON files that are no skeletons.",
    "",
    "  --atlas FILE  look for images in this atlas",
    "  --strict      notes count as errors: inexact upgrades, duplicate names, a missing atlas",
    "  --quiet       print only what is wrong",
    "  --json        print one JSON array instead of lines",
    "",
    "Exit code 0 if all files are good, 1 if any is not, 2 for wrong arguments.",
  ].join("\n"),
  run({ files, flags, values }, output) {
    if (files.length === 0) throw new UsageError("validate needs at least one file.");
    const strict = flags.has("--strict"), quiet = flags.has("--quiet"), json = flags.has("--json");
    const verdicts = files.flatMap((file) => (isFolder(file) ? checkableIn(file) : [file])).map((file) => check(file, values.get("--atlas"), strict));
    if (json) output.out(JSON.stringify(verdicts.map(({ notes, ...verdict }) => ({ ...verdict, notes: notes.map(({ message }) => message) })), null, 2));
    else {
      for (const { file, ok, kind, notes, error } of verdicts) {
        if (!ok) output.err(`FAIL  ${file}${error === undefined ? "" : `\n      ${error.message.replaceAll("\n", "\n      ")}`}`);
        else if (!quiet) output.out(`ok    ${file} (${kind})`);
        if (!quiet || !ok) for (const note of noteLines(notes, "--json has them all")) (ok ? output.out : output.err)(`      note: ${note}`);
      }
      const failed = verdicts.filter((verdict) => !verdict.ok).length;
      if (verdicts.length > 1 && (!quiet || failed > 0)) output.out(`${verdicts.length - failed} of ${verdicts.length} files are good.`);
    }
    return verdicts.every((verdict) => verdict.ok) ? ExitCode.OK : ExitCode.FAILED;
  },
};

function check(file: string, atlas: string | undefined, strict: boolean): Verdict {
  try {
    if (isAtlas(file)) {
      const { pages, regions } = readAtlas(file);
      return { file, ok: true, kind: `atlas, ${pages.length} pages, ${regions.length} regions`, notes: [] };
    }
    const { report, data } = loadSkeleton(readContents(file), atlas, "error");
    const notes = report.notes.filter((note) => note.code !== "upgraded");
    data.dispose();
    return { file, ok: !strict || notes.length === 0, kind: `${report.readAs} ${report.format === "json" ? "JSON" : "binary"}`, notes };
  } catch (error) {
    if (!(error instanceof OsteonError)) throw error;
    const { code, message, pointer, byteOffset, line } = error;
    return { file, ok: false, notes: [], error: { code, message, pointer, byteOffset, line } };
  }
}
