import { AnimArgumentError } from "../errors.js";
import { checkInteger, checkNumber } from "../module/check.js";
import { Ease, parseEasesWith, resolveEase, type EaseFn } from "./ease.js";
import { back, cubicBezier, elastic, steps, type EaseVariants, type StepJump } from "./parametric-eases.js";

/** What was understood before, so that starting with such a name costs a look-up. */
const known = /* @__PURE__ */ new Map<string, Ease>();
const MOST_KNOWN = 256;

/** `name(a,b)`; spaces are nothing. */
const FORM = /^(\w+)\(([^()]*)\)$/;

function numbersOf(text: string, words: readonly string[], fewest: number, most: number): number[] {
  checkInteger(words.length, `The number of parameters of "${text}"`, fewest, most);
  return words.map((word) => checkNumber(word === "" ? NaN : Number(word), `"${word}" in "${text}"`));
}

function functionOf(text: string, name: string, words: readonly string[]): EaseFn | null {
  const parts = /^(in|out|inOut)(Back|Elastic)$/.exec(name);
  if (parts !== null) {
    const numbers = numbersOf(text, words, 1, parts[2] === "Back" ? 1 : 2);
    const variants = parts[2] === "Back" ? back(numbers[0]) : elastic(numbers[0], numbers[1]);
    return variants[parts[1] as keyof EaseVariants];
  }
  if (name === "cubicBezier") {
    const [x1, y1, x2, y2] = numbersOf(text, words, 4, 4);
    return cubicBezier(x1!, y1!, x2!, y2!);
  }
  if (name === "steps") {
    if (words.length > 2) throw new AnimArgumentError(`"${text}" has ${words.length} parameters, expected steps(n) or steps(n,end).`, { found: text });
    return steps(numbersOf(text, words.slice(0, 1), 1, 1)[0]!, words[1] as StepJump | undefined);
  }
  return null;
}

/** The ease that a name with parameters stands for, null if it is none. @throws AnimArgumentError for wrong parameters */
function parse(text: string): Ease | null {
  let ease = known.get(text) ?? null;
  if (ease !== null) return ease;
  const match = FORM.exec(text.replaceAll(" ", ""));
  const fn = match === null ? null : functionOf(text, match[1]!, match[2]!.split(","));
  if (fn === null) return null;
  const { id, code, fn: own, a, b, c } = resolveEase(fn);
  ease = new Ease(text, id, code, own, a, b, c);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, ease);
  return ease;
}

/**
 * From here on `"outBack(2.5)"`, `"outElastic(1.2,0.4)"`, `"cubicBezier(.25,.1,.25,1)"` and `"steps(4,end)"` are understood
 * wherever an ease is named. Not part of the smallest page: `Animation`, `Tween` and `Easing.evaluate` ask for it.
 * @internal
 */
export function understandParameters(): void {
  parseEasesWith(parse);
}
