#!/usr/bin/env node
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { OsteonError } from "../../errors.js";
import { nearNames } from "../../spine/load/near-names.js";
import { ExitCode, UsageError, parseWords, type Command, type Output } from "./command.js";
import { convert } from "./convert.js";
import { inspect } from "./inspect.js";
import { validate } from "./validate.js";

/** Every subcommand, in the order of the help text. */
const commands: Readonly<Record<string, Command>> = {
  inspect,
  convert,
  validate,
};

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const list = Object.entries(commands).map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`);
  return ["Usage: osteon COMMAND ...", "", ...list, "", "osteon COMMAND --help says more about one of them, osteon --version which osteon it is."].join("\n");
}

function helpOf(name: string, command: Command): string {
  return [`Usage: osteon ${name} ${command.usage}`, "", `${command.summary}.`, "", command.help].join("\n");
}

/**
 * Runs a command line.
 * @param words - behind the program's name
 * @returns the exit code
 */
export async function main(words: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      const topic = name === "help" ? rest[0] : undefined;
      if (topic !== undefined && Object.hasOwn(commands, topic)) output.out(helpOf(topic, commands[topic]!));
      else output.out(overview());
      return name === undefined ? ExitCode.USAGE : ExitCode.OK;
    }
    if (name === "--version" || name === "-v") {
      output.out(version());
      return ExitCode.OK;
    }
    if (!Object.hasOwn(commands, name)) {
      const near = nearNames(name, Object.keys(commands));
      throw new UsageError(`There is no command '${name}'.${near.length > 0 ? ` Did you mean '${near[0]}'?` : ""}\n\n${overview()}`);
    }
    const command = commands[name]!;
    if (rest.includes("--help") || rest.includes("-h")) {
      output.out(helpOf(name, command));
      return ExitCode.OK;
    }
    return await command.run(parseWords(rest, command.options), output);
  } catch (error) {
    return report(error, name, output);
  }
}

/** As in package.json, which is as far from here in the package as in the sources. */
function version(): string {
  return (JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string }).version;
}

/** A message without a stack trace. */
function report(error: unknown, name: string | undefined, output: Output): ExitCode {
  if (error instanceof UsageError) {
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    output.err(`osteon: ${error.message}${command === undefined ? "" : `\nUsage: osteon ${name} ${command.usage}`}`);
    return ExitCode.USAGE;
  }
  if (error instanceof OsteonError) {
    output.err(`osteon: ${error.message}`);
    return ExitCode.FAILED;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  // What the operating system refuses is the user's to solve; anything else is ours.
  if (typeof code === "string" && /^E[A-Z]+$/.test(code)) {
    output.err(`osteon: ${message}`);
    return ExitCode.FAILED;
  }
  output.err(`osteon: internal error: ${message}. Please report it with the file that caused it.`);
  return ExitCode.INTERNAL;
}

/** Whether this module is the program that was started, and not imported. */
function isProgram(): boolean {
  const started = process.argv[1];
  if (started === undefined) return false;
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false;
  }
}

if (isProgram()) {
  // Whoever reads along may stop reading: `osteon inspect hero.json | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
  });
}
