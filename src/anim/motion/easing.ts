import { AnimArgumentError, AnimStateError } from "../errors.js";
import { checkNumber } from "../module/check.js";
import { evaluateEase, isEaseName, nameEase, resolveEase, type EaseFn, type EaseKind } from "./ease.js";
import { understandParameters } from "./ease-names.js";
import { back, cubicBezier, elastic, steps } from "./parametric-eases.js";

export type { EaseVariants, StepJump } from "./parametric-eases.js";

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
  understandParameters();
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
  evaluate: (kind: EaseKind, t: number): number => {
    understandParameters();
    return evaluateEase(resolveEase(kind), checkNumber(t, "t"));
  },
  back,
  elastic,
  cubicBezier,
  steps,
  register,
  bake,
};
