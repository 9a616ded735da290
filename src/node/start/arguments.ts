import { ArgumentError } from "../../errors.js";

/** What the command line of `npm start` asks for. */
export interface StartArguments {
  /** Path of a skeleton export; null for the built-in character. */
  skeleton: string | null;
  /** Animation that everybody plays; null for a mixture. */
  animation: string | null;
  count: number;
  /** End after the picture instead of serving the page. */
  once: boolean;
  port: number;
  /** Path of the picture. */
  picture: string;
  /** Width of the picture in pixels; its height is 9/16 of that. */
  width: number;
  /** Measure the official runtime, if it is installed, beside the crowd. */
  compare: boolean;
}

const USAGE = "Usage: npm start -- [--once] [--no-compare] [--port 4300] [--picture crowd.png] [--width 1600] [skeleton.json|skeleton.skel] [animation] [count]";

/**
 * Reads the command line.
 * @throws ArgumentError for unknown options and impossible numbers, with the usage line
 */
export function parseArguments(words: readonly string[]): StartArguments {
  const out: StartArguments = { skeleton: null, animation: null, count: 5000, once: false, port: 4300, picture: "crowd.png", width: 1600, compare: true };
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--once") out.once = true;
    else if (word === "--no-compare") out.compare = false;
    else if (word === "--port") out.port = whole("--port", words[++i], 0, 65535);
    else if (word === "--width") out.width = whole("--width", words[++i], 160, 7680);
    else if (word === "--picture") out.picture = given("--picture", words[++i]);
    else if (word.startsWith("--")) throw new ArgumentError(`${word} is not an option. ${USAGE}`);
    else plain.push(word);
  }
  // A number is the count wherever it stands.
  const numbers = plain.filter((word) => /^\d+$/.test(word)), texts = plain.filter((word) => !/^\d+$/.test(word));
  if (numbers.length > 1 || texts.length > 2) throw new ArgumentError(`'${plain.join(" ")}' is more than a skeleton, an animation and a count. ${USAGE}`);
  if (numbers.length === 1) out.count = whole("The count", numbers[0], 1, 100_000);
  const [first, second] = texts;
  if (first !== undefined && /\.(json|skel)$/i.test(first)) {
    out.skeleton = first;
    out.animation = second ?? null;
  } else if (second !== undefined) throw new ArgumentError(`'${first}' is not a .json or .skel file. ${USAGE}`);
  else out.animation = first ?? null;
  return out;
}

function given(option: string, word: string | undefined): string {
  if (word === undefined || word.startsWith("--")) throw new ArgumentError(`${option} needs a value. ${USAGE}`);
  return word;
}

function whole(what: string, word: string | undefined, min: number, max: number): number {
  const value = Number(word);
  if (!Number.isInteger(value) || value < min || value > max) throw new ArgumentError(`${what} is '${word}', expected a whole number from ${min} to ${max}. ${USAGE}`);
  return value;
}
