import { EASE_NAMES, Ease, attachEase, evaluateEase, isEaseName, nameEase, resolveEase, type EaseFn, type EaseKind } from "./ease.js";
import { asin } from "./math.js";
import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkInteger, checkNumber, checkPositive } from "../module/check.js";

/** The three variants of one parametric ease. */
export interface EaseVariants {
  readonly in: EaseFn;
  readonly out: EaseFn;
  readonly inOut: EaseFn;
}

const TAU = 2 * Math.PI;
/** Parametric eases by their parameters, so that equal ones share pages. */
const parametric = /* @__PURE__ */ new Map<string, EaseFn>();
const FIRST_CODE = 32;

function kernelEase(id: number, a: number, b: number, c: number): EaseFn {
  const key = `${id}:${a}:${b}`;
  let fn = parametric.get(key);
  if (fn === undefined) {
    const ease = new Ease(EASE_NAMES[id]!, id, FIRST_CODE + parametric.size, null, a, b, c);
    fn = (t) => evaluateEase(ease, t);
    attachEase(fn, ease);
    parametric.set(key, fn);
  }
  return fn;
}

/**
 * Back: goes `overshoot` beyond its ends (1.70158 is ten per cent). inOut multiplies it by 1.525.
 * @throws AnimArgumentError if overshoot is negative or not finite
 */
function back(overshoot = 1.70158): EaseVariants {
  checkNumber(overshoot, "overshoot", 0);
  return { in: kernelEase(22, overshoot, 0, 0), out: kernelEase(23, overshoot, 0, 0), inOut: kernelEase(24, overshoot * 1.525, 0, 0) };
}

/**
 * Elastic: a spring that swings `amplitude` beyond its end. Without `period`: 0.3, and 0.45 for inOut.
 * @throws AnimArgumentError if amplitude is below 1 or period is not above 0
 */
function elastic(amplitude = 1, period?: number): EaseVariants {
  checkNumber(amplitude, "amplitude", 1);
  if (period !== undefined) checkPositive(period, "period");
  const phase = asin(1 / amplitude);
  const variant = (id: number, usual: number): EaseFn => kernelEase(id, amplitude, TAU / (period ?? usual), phase);
  return { in: variant(25, 0.3), out: variant(26, 0.3), inOut: variant(27, 0.45) };
}

/**
 * The curve of CSS: a Bezier from (0, 0) to (1, 1) with two control points.
 * @throws AnimArgumentError if x1 or x2 leave 0..1
 */
function cubicBezier(x1: number, y1: number, x2: number, y2: number): EaseFn {
  for (const x of [x1, x2]) {
    if (!(x >= 0 && x <= 1)) throw new AnimArgumentError(`A control point of cubicBezier has x = ${x}, expected 0..1.`, { found: x });
  }
  checkNumber(y1, "y1");
  checkNumber(y2, "y2");
  const at = (p1: number, p2: number, u: number): number => ((1 - 3 * p2 + 3 * p1) * u + (3 * p2 - 6 * p1)) * u * u + 3 * p1 * u;
  const slope = (p1: number, p2: number, u: number): number => 3 * (1 - 3 * p2 + 3 * p1) * u * u + 2 * (3 * p2 - 6 * p1) * u + 3 * p1;
  return function cubicBezier(t) {
    if (t <= 0) return 0;
    if (t >= 1) return 1;
    let u = t;
    for (let i = 0; i < 8; i++) {
      const d = slope(x1, x2, u);
      if (Math.abs(d) < 1e-9) break;
      const step = (at(x1, x2, u) - t) / d;
      u -= step;
      if (Math.abs(step) < 1e-15) break;
    }
    if (!(u >= 0 && u <= 1) || Math.abs(at(x1, x2, u) - t) > 1e-14) {
      let low = 0;
      let high = 1;
      while (high - low > 1e-16 + 2e-16 * low) {
        u = (low + high) / 2;
        if (u === low || u === high) break;
        if (at(x1, x2, u) < t) low = u;
        else high = u;
      }
    }
    return at(y1, y2, u);
  };
}

/** Where a step function jumps, as in CSS. */
export type StepJump = "end" | "start" | "none" | "both";

/**
 * A staircase of `n` steps.
 * @param jump - where it jumps; "start" and "both" do not begin at 0
 * @throws AnimArgumentError if n is below 1 (below 2 for "none") or jump is unknown
 */
function steps(n: number, jump: StepJump = "end"): EaseFn {
  if (!["end", "start", "none", "both"].includes(jump)) throw new AnimArgumentError(`jump is "${jump}", expected "end", "start", "none" or "both".`, { found: jump });
  checkInteger(n, "n", jump === "none" ? 2 : 1, 1e9);
  const rises = jump === "none" ? n - 1 : jump === "both" ? n + 1 : n;
  const first = jump === "start" || jump === "both" ? 1 : 0;
  return function steps(t) {
    if (t >= 1) return 1;
    return Math.min(1, (Math.floor(Math.max(0, t) * n + 1e-12) + first) / rises);
  };
}

/**
 * Adds a name that every ease argument understands from now on.
 * @throws AnimStateError if the name exists
 * @throws AnimArgumentError if the function is not finite at 0, 1/2 and 1
 */
function register(name: string, fn: EaseFn): void {
  if (typeof name !== "string" || name === "") throw new AnimArgumentError("An ease needs a name that is not empty.");
  if (isEaseName(name)) throw new AnimStateError(`There is an ease "${name}" already. Choose another name.`);
  if (typeof fn !== "function") throw new AnimArgumentError(`The ease "${name}" is no function.`, { found: fn });
  for (const t of [0, 0.5, 1]) checkNumber(fn(t), `${name}(${t})`);
  nameEase(name, fn);
}

/**
 * A table of 257 samples in place of a costly function; linear between samples.
 * @throws AnimArgumentError if that would be off by more than 1e-4 somewhere between the samples
 */
function bake(kind: EaseKind): EaseFn {
  const ease = resolveEase(kind);
  const table = Float64Array.from({ length: 257 }, (_, i) => evaluateEase(ease, i / 256));
  const baked: EaseFn = (t) => {
    const x = Math.min(1, Math.max(0, t)) * 256;
    const i = Math.min(255, Math.floor(x));
    return table[i]! + (table[i + 1]! - table[i]!) * (x - i);
  };
  for (let i = 0; i < 256; i++) {
    const t = (i + 0.5) / 256;
    if (Math.abs(baked(t) - evaluateEase(ease, t)) > 1e-4) {
      throw new AnimArgumentError(`The ease "${ease.name}" bends too sharply near ${t} for a table. Use it as it is.`);
    }
  }
  return baked;
}

/** Eases with parameters, and tools for eases. */
export const Easing = {
  /**
   * Value of an ease at `t`, which is clamped to 0..1.
   * @throws AnimNameError for an unknown name
   */
  evaluate: (kind: EaseKind, t: number): number => evaluateEase(resolveEase(kind), checkNumber(t, "t")),
  back,
  elastic,
  cubicBezier,
  steps,
  register,
  bake,
};
