import { OsteonError } from "../../errors.js";

/** Where a command writes. */
export interface Output {
  /** Results, for people or programs. */
  out(text: string): void;
  /** Warnings and errors. */
  err(text: string): void;
}

/** Exit codes of the command line. */
export const enum ExitCode {
  OK = 0,
  /** A file is bad, or something in it is. */
  FAILED = 1,
  /** The command was called in a way that makes no sense. */
  USAGE = 2,
  /** A fault of osteon itself. */
  INTERNAL = 70,
}

/** A subcommand of `osteon`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Arguments behind the command's name. */
  readonly usage: string;
  /** What the options do, and anything worth knowing; lines without indentation. */
  readonly help: string;
  readonly options: Options;
  /** @throws OsteonError, whose message is all that the user sees */
  run(given: Given, output: Output): ExitCode | Promise<ExitCode>;
}

/** Options of a command by name: `flag` stands alone, `value` takes the next word. */
export type Options = Readonly<Record<string, "flag" | "value">>;

/** Words of the command line, sorted. */
export interface Given {
  readonly files: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** The command line makes no sense. Code `bad-usage`. */
export class UsageError extends OsteonError {
  constructor(message: string) {
    super("bad-usage", message);
  }
}

/**
 * Sorts the words behind a command's name. `--` ends options; `--name=value` and `--name value` are the same.
 * @throws UsageError for unknown options and missing values
 */
export function parseWords(words: readonly string[], options: Options): Given {
  const files: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") {
      files.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      files.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const kind = Object.hasOwn(options, name) ? options[name] : undefined;
    if (kind === undefined) {
      throw new UsageError(`${name} is not an option of this command, it has ${Object.keys(options).join(", ") || "none"}.`);
    }
    if (kind === "flag") {
      if (equals >= 0) throw new UsageError(`${name} takes no value.`);
      flags.add(name);
      continue;
    }
    const value = equals >= 0 ? word.slice(equals + 1) : words[++i];
    if (value === undefined || value === "") throw new UsageError(`${name} needs a value.`);
    values.set(name, value);
  }
  return { files, flags, values };
}
