import { basename } from "node:path";
import { OsteonError } from "../../errors.js";
import { ExitCode, UsageError, type Command } from "./command.js";
import { describeSkeletonFile, type SkeletonSummary } from "./inspect-summary.js";
import { noteLines } from "./notes.js";
import { skeletonsIn } from "./recognise.js";
import { loadSkeleton, readContents } from "./skeleton-file.js";

/** `osteon inspect FILE|FOLDER` */
export const inspect: Command = {
  summary: "Say what is in a skeleton file, or in those of a folder",
  usage: "FILE|FOLDER [--atlas FILE] [--json]",
  options: { "--atlas": "value", "--json": "flag" },
  help: [
    "Shows version, bones, slots, skins, animations with their durations and events, constraints, the pages of the atlas,",
    "the memory that the skeleton takes once it is compiled, and anything worth a warning. Of a FOLDER every skeleton is shown,",
    "once where it is there as .json and .skel; a bad one does not keep the others from being shown.",
    "",
    "  --atlas FILE  the atlas, if it is not beside FILE under a name that FILE begins with",
    "  --json        print everything as JSON, long lists in full",
    "",
    "Exit code 0, or 1 if FILE is bad, 2 for wrong arguments.",
  ].join("\n"),
  run({ files, flags, values }, output) {
    const [file] = files;
    if (file === undefined || files.length > 1) throw new UsageError(`inspect takes one file or folder, ${files.length} were given.`);
    const folder = skeletonsIn(file), atlas = values.get("--atlas");
    if (folder === undefined) {
      const { summary, text } = describe(file, undefined, atlas);
      output.out(flags.has("--json") ? JSON.stringify(summary, null, 2) : text);
      return ExitCode.OK;
    }
    const shown: { summary: SkeletonSummary; text: string }[] = [], bad: string[] = [];
    for (const { path, twin } of folder.skeletons) {
      try {
        shown.push(describe(path, twin, atlas));
      } catch (error) {
        if (!(error instanceof OsteonError)) throw error;
        bad.push(`${basename(path)}: ${error.message}`);
      }
    }
    if (flags.has("--json")) output.out(JSON.stringify(shown.map(({ summary }) => summary), null, 2));
    else if (shown.length > 0) output.out(shown.map(({ text }) => text).join(`\n\n${"-".repeat(60)}\n\n`));
    for (const message of bad) output.err(`osteon: ${message}`);
    return bad.length === 0 ? ExitCode.OK : ExitCode.FAILED;
  },
};

function describe(path: string, twin: string | undefined, atlas: string | undefined): { summary: SkeletonSummary; text: string } {
  const loaded = loadSkeleton(readContents(path), atlas, "warn"), summary = describeSkeletonFile(loaded);
  loaded.data.dispose();
  return { summary, text: render(summary, twin, noteLines(loaded.report.notes, "--json has them all")) };
}

function render(s: SkeletonSummary, twin: string | undefined, notes: readonly string[]): string {
  const lines = [
    `${basename(s.file)}${twin === undefined ? "" : ` (also as ${twin})`}  Spine ${s.version ?? `${s.readAs} (no version text)`}, ${s.format === "json" ? "JSON" : "binary"}, ${bytesText(s.fileBytes)}`,
    `${counted(s.bones.count, "bone")} (${s.bones.depth} deep), ${counted(s.slots.count, "slot")}, ${counted(s.skins.length, "skin")}, ${counted(s.constraints.length, "constraint")}, ` +
      `${counted(s.animations.length, "animation")}, ${counted(s.events.length, "event")}`,
    `setup bounds ${number(s.bounds.width)} x ${number(s.bounds.height)} at ${number(s.bounds.x)}, ${number(s.bounds.y)}; ${number(s.fps)} frames per second in the editor`,
  ];
  const slotFacts = [
    s.slots.twoColor > 0 ? `${s.slots.twoColor} with two colours` : "",
    ...Object.entries(s.slots.blend).filter(([mode]) => mode !== "normal").map(([mode, count]) => `${count} ${mode}`),
  ].filter((fact) => fact !== "");
  if (slotFacts.length > 0) lines.push(`slots: ${slotFacts.join(", ")}`);

  if (s.skins.length > 0) {
    lines.push("", "Skins");
    lines.push(...table(s.skins.map((skin) => [
      skin.name,
      Object.entries(skin.attachments).map(([kind, count]) => counted(count, kind)).join(", ") || "empty",
      [skin.bones > 0 ? counted(skin.bones, "bone") : "", skin.constraints > 0 ? counted(skin.constraints, "constraint") : ""].filter((part) => part !== "").join(", "),
    ])));
  }
  if (s.animations.length > 0) {
    lines.push("", "Animations");
    lines.push(...table(s.animations.map((animation) => [
      animation.name,
      `${animation.duration.toFixed(2)} s`,
      counted(animation.timelines, "timeline"),
      counted(animation.keys, "key"),
      Object.entries(animation.events).map(([name, count]) => (count > 1 ? `${name} x${count}` : name)).join(", "),
    ])));
  }
  if (s.constraints.length > 0) {
    lines.push("", "Constraints, in update order");
    lines.push(...table(s.constraints.map((constraint) => [constraint.type, constraint.name, constraint.what, constraint.skinRequired ? "only with a skin" : ""])));
  }
  if (s.events.length > 0) {
    lines.push("", "Events");
    lines.push(...table(s.events.map((event) => [event.name, event.audio === null ? "" : `sound ${event.audio}`])));
  }
  lines.push("", s.atlas === null ? "No atlas" : `Atlas ${basename(s.atlas.file)}`);
  if (s.atlas !== null) {
    lines.push(...table(s.atlas.pages.map((page) => [
      page.name,
      `${page.width} x ${page.height}`,
      counted(page.regions, "region"),
      `${page.filled} % filled`,
      page.pma ? "premultiplied alpha" : "straight alpha",
    ])));
    if (s.atlas.unused > 0) lines.push(`  ${counted(s.atlas.unused, "region")} of it ${s.atlas.unused === 1 ? "is" : "are"} not used by this skeleton`);
  }
  lines.push("", `Memory once compiled: ${bytesText(s.memory.sharedBytes)} shared, ${bytesText(s.memory.skeletonBytes)} more for each skeleton`);
  if (notes.length > 0) lines.push("", "Notes", ...notes.map((note) => `  ${note}`));
  return lines.join("\n");
}

/** Columns of equal width, indented; empty ones at the end of a line leave no spaces. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const numeric = widths.map((_, column) => rows.every((row) => /^[\d.,]+ [a-z]+$/i.test(row[column]!)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => (numeric[column] === true ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)));
    return `  ${cells.join("  ")}`.trimEnd();
  });
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : noun.endsWith("box") || noun.endsWith("mesh") ? `${noun}es` : `${noun}s`}`;
}

function number(value: number): string {
  return String(Number(value.toFixed(2)));
}

function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
