import { AnimArgumentError, AnimFormatError } from "../../anim/errors.js";

/** One number per frame of a joint: a position or a rotation about an axis (0 x, 1 y, 2 z). */
export interface BvhChannel {
  readonly kind: "position" | "rotation";
  readonly axis: 0 | 1 | 2;
}

export interface BvhJoint {
  readonly name: string;
  /** Index of the parent joint, -1 for a root. */
  readonly parent: number;
  readonly offset: readonly [number, number, number];
  readonly channels: readonly BvhChannel[];
  /** Index of the joint's first channel in a frame. */
  readonly firstChannel: number;
  /** The closing point of a chain, which has no channels. */
  readonly endSite: boolean;
}

/** A parsed BVH file: the hierarchy in file order, and frames as rows of channel values (degrees and file units). */
export interface BvhFile {
  readonly joints: readonly BvhJoint[];
  readonly channelCount: number;
  readonly frameCount: number;
  readonly frameTime: number;
  readonly values: Float64Array;
}

const MAXIMUM_JOINTS = 4096;
const CHANNELS: Readonly<Record<string, BvhChannel>> = {
  xposition: { kind: "position", axis: 0 }, yposition: { kind: "position", axis: 1 }, zposition: { kind: "position", axis: 2 },
  xrotation: { kind: "rotation", axis: 0 }, yrotation: { kind: "rotation", axis: 1 }, zrotation: { kind: "rotation", axis: 2 },
};

/**
 * Reads a Biovision hierarchy.
 * @param file - name for messages
 * @throws AnimFormatError with the line of what is wrong
 */
export function parseBvh(text: string, file?: string): BvhFile {
  if (typeof text !== "string") throw new AnimArgumentError(`parseBvh: text is ${text === null ? "null" : typeof text}, expected the text of a BVH file.`);
  const tokens = new Tokens(text, file);
  tokens.keyword("HIERARCHY");
  const joints: BvhJoint[] = [];
  let channelCount = 0;
  while (tokens.peek() === "ROOT") channelCount = readTree(tokens, joints, channelCount);
  if (joints.length === 0) tokens.fail(`"${tokens.peek()}" where the first ROOT was expected`);
  tokens.keyword("MOTION");
  tokens.keyword("FRAMES:");
  const frameCount = tokens.number("the number of frames");
  if (!(Number.isInteger(frameCount) && frameCount >= 0)) tokens.failBefore(`${frameCount} frames; expected a whole number`);
  tokens.keyword("FRAME");
  tokens.keyword("TIME:");
  const frameTime = tokens.number("the frame time");
  if (!(frameTime > 0)) tokens.failBefore(`the frame time ${frameTime}; expected more than 0 seconds`);
  // Every value takes at least a digit and a space, so a file cannot promise more than it holds.
  const valueCount = frameCount * channelCount;
  if (valueCount > tokens.charactersLeft) tokens.fail(`${frameCount} frames of ${channelCount} channels are promised, far more than follows`);
  const values = new Float64Array(valueCount);
  for (let i = 0; i < valueCount; i++) {
    if (tokens.atEnd()) {
      tokens.failBefore(`frame ${Math.floor(i / channelCount)} of ${frameCount} ends after ${i % channelCount} of ${channelCount} values`);
    }
    values[i] = tokens.number("a channel value");
  }
  if (!tokens.atEnd()) tokens.fail(`"${tokens.peek()}" behind the last of ${frameCount} frames of ${channelCount} values`);
  return { joints, channelCount, frameCount, frameTime, values };
}

/** Reads one ROOT with everything below it, without recursion; returns the number of channels so far. */
function readTree(tokens: Tokens, joints: BvhJoint[], channelsBefore: number): number {
  let channelCount = channelsBefore;
  const open: number[] = [];
  const names = new Set(joints.map((joint) => joint.name));
  tokens.next();
  do {
    const parent = open.length > 0 ? open[open.length - 1]! : -1;
    if (open.length > 0) {
      const word = tokens.peek();
      if (word === "}") {
        tokens.next();
        open.pop();
        continue;
      }
      if (word !== "JOINT" && word !== "END") tokens.fail(`"${tokens.raw()}" where JOINT, End Site or } was expected`);
      tokens.next();
      if (word === "END") {
        tokens.keyword("SITE");
        tokens.keyword("{");
        tokens.keyword("OFFSET");
        add({ name: `${joints[parent]!.name}_end`, parent, offset: offsetOf(tokens), channels: [], firstChannel: channelCount, endSite: true });
        tokens.keyword("}");
        continue;
      }
    }
    const name = tokens.name();
    tokens.keyword("{");
    tokens.keyword("OFFSET");
    const offset = offsetOf(tokens);
    const channels = tokens.peek() === "CHANNELS" ? channelsOf(tokens) : [];
    add({ name, parent, offset, channels, firstChannel: channelCount, endSite: false });
    channelCount += channels.length;
    open.push(joints.length - 1);
  } while (open.length > 0);
  return channelCount;

  function add(joint: BvhJoint): void {
    if (joints.length === MAXIMUM_JOINTS) tokens.fail(`more than ${MAXIMUM_JOINTS} joints`);
    let { name } = joint;
    for (let n = 2; names.has(name); n++) name = `${joint.name}#${n}`;
    names.add(name);
    joints.push({ ...joint, name });
  }
}

function offsetOf(tokens: Tokens): [number, number, number] {
  return [tokens.number("OFFSET x"), tokens.number("OFFSET y"), tokens.number("OFFSET z")];
}

function channelsOf(tokens: Tokens): BvhChannel[] {
  tokens.next();
  const count = tokens.number("the number of channels");
  if (!(Number.isInteger(count) && count >= 0 && count <= 6)) tokens.failBefore(`${count} channels; expected 0..6`);
  const channels: BvhChannel[] = [];
  for (let i = 0; i < count; i++) {
    const word = tokens.peek().toLowerCase();
    const channel = Object.hasOwn(CHANNELS, word) ? CHANNELS[word]! : tokens.fail(`"${tokens.raw()}" where a channel such as Xrotation was expected`);
    if (channels.includes(channel)) tokens.fail(`the channel ${tokens.raw()} twice`);
    channels.push(channel);
    tokens.next();
  }
  return channels;
}

/** Words of the text, separated by white space, with the line they stand on. */
class Tokens {
  #at = 0;
  #line = 1;
  /** Line of the word before the current one. */
  #lineBefore = 1;
  #start = 0;
  #end = 0;

  constructor(readonly text: string, readonly file: string | undefined) {
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    this.next();
  }

  get charactersLeft(): number {
    return this.text.length - this.#start;
  }

  atEnd(): boolean {
    return this.#start >= this.text.length;
  }

  /** The current word as written. */
  raw(): string {
    return this.atEnd() ? "the end of the file" : this.text.slice(this.#start, Math.min(this.#end, this.#start + 60));
  }

  /** The current word in capitals. */
  peek(): string {
    return this.raw().toUpperCase();
  }

  next(): void {
    const { text } = this;
    let at = this.#at;
    this.#lineBefore = this.#line;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 10) this.#line++;
      else if (code > 32) break;
    }
    this.#start = at;
    while (at < text.length && text.charCodeAt(at) > 32) at++;
    this.#end = at;
    this.#at = at;
  }

  /** Requires a word, whatever its case. `Frames :` and `Frames:` are the same. */
  keyword(word: string): void {
    const found = this.peek();
    if (found === word) {
      this.next();
      return;
    }
    if (word.endsWith(":") && found === word.slice(0, -1)) {
      this.next();
      if (this.peek() === ":") {
        this.next();
        return;
      }
    }
    this.fail(`"${this.raw()}" where ${word} was expected`);
  }

  number(what: string): number {
    const word = this.text.slice(this.#start, Math.min(this.#end, this.#start + 400));
    const value = word === "" ? NaN : Number(word);
    if (!Number.isFinite(value) || /^[+-]?0[xob]/i.test(word)) this.fail(`"${this.raw()}" where ${what} was expected${word.includes(",") ? " (decimals take a point, not a comma)" : ""}`);
    this.next();
    return value;
  }

  /** A joint's name: the words up to the brace or the end of the line. */
  name(): string {
    const line = this.#line;
    const words: string[] = [];
    while (!this.atEnd() && this.raw() !== "{" && this.#line === line && words.length < 16) {
      words.push(this.raw());
      this.next();
    }
    if (words.length === 0) this.fail(`"${this.raw()}" where a joint's name was expected`);
    return words.join(" ");
  }

  /** An error at the current word. */
  fail(problem: string): never {
    return this.#fail(problem, this.#line);
  }

  /** An error at the word that was read last. */
  failBefore(problem: string): never {
    return this.#fail(problem, this.#lineBefore);
  }

  #fail(problem: string, line: number): never {
    throw new AnimFormatError(`${this.file === undefined ? "BVH" : this.file}, line ${line}: ${problem}.`, { file: this.file, line });
  }
}
