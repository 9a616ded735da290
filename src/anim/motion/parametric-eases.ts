import { AnimArgumentError } from "../errors.js";
import { checkChoice, checkInteger, checkNumber, checkPositive } from "../module/check.js";
import { EASE_NAMES, Ease, attachEase, evaluateEase, type EaseFn } from "./ease.js";
import { asin } from "./math.js";

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
export function back(overshoot = 1.70158): EaseVariants {
  checkNumber(overshoot, "overshoot", 0);
  return { in: kernelEase(22, overshoot, 0, 0), out: kernelEase(23, overshoot, 0, 0), inOut: kernelEase(24, overshoot * 1.525, 0, 0) };
}

/**
 * Elastic: a spring that swings `amplitude` beyond its end. Without `period`: 0.3, and 0.45 for inOut; the shortest is 1e-5.
 * @throws AnimArgumentError if amplitude is below 1 or period is not above 0
 */
export function elastic(amplitude = 1, period?: number): EaseVariants {
  checkNumber(amplitude, "amplitude", 1);
  if (period !== undefined) period = Math.max(1e-5, checkPositive(period, "period"));
  const phase = asin(1 / amplitude);
  const variant = (id: number, usual: number): EaseFn => kernelEase(id, amplitude, TAU / (period ?? usual), phase);
  return { in: variant(25, 0.3), out: variant(26, 0.3), inOut: variant(27, 0.45) };
}

/**
 * The curve of CSS: a Bezier from (0, 0) to (1, 1) with two control points.
 * @throws AnimArgumentError if x1 or x2 leave 0..1
 */
export function cubicBezier(x1: number, y1: number, x2: number, y2: number): EaseFn {
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
export function steps(n: number, jump: StepJump = "end"): EaseFn {
  checkChoice(jump, ["end", "start", "none", "both"], "jump");
  checkInteger(n, "n", jump === "none" ? 2 : 1, 1e9);
  const rises = jump === "none" ? n - 1 : jump === "both" ? n + 1 : n;
  const first = jump === "start" || jump === "both" ? 1 : 0;
  return function steps(t) {
    if (t >= 1) return 1;
    return Math.min(1, (Math.floor(Math.max(0, t) * n + 1e-12) + first) / rises);
  };
}
