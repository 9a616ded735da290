/**
 * Powers of two in double precision, for one value or two.
 *
 * Requires -1021 <= y < 1024 (exp2InRange).
 * Ensures  relative error below 3e-16; whole powers are exact.
 * Source   own minimax coefficients (Remez): 2^f = 1 + f P(f) on [-1/2, 1/2].
 */
import { add, mul, mulAdd, scaleByBits, splat, sub } from "./lane";
import { ROUND } from "./trigonometry";

/** 2^f for |f| <= 1/2. */
@inline
export function exp2Core<T>(f: T): T {
  let p = mulAdd<T>(splat<T>(4.4573874349748845e-10), f, splat<T>(7.073860386953972e-09));
  p = mulAdd<T>(p, f, splat<T>(1.0178046458453442e-07));
  p = mulAdd<T>(p, f, splat<T>(1.321543481572705e-06));
  p = mulAdd<T>(p, f, splat<T>(1.525273386755137e-05));
  p = mulAdd<T>(p, f, splat<T>(0.00015403530458081831));
  p = mulAdd<T>(p, f, splat<T>(0.0013333558146379023));
  p = mulAdd<T>(p, f, splat<T>(0.00961812910759333));
  p = mulAdd<T>(p, f, splat<T>(0.05550410866482174));
  p = mulAdd<T>(p, f, splat<T>(0.24022650695910133));
  p = mulAdd<T>(p, f, splat<T>(0.6931471805599453));
  return mulAdd<T>(p, f, splat<T>(1));
}

/** 2^y. Requires -1021 <= y < 1024. */
@inline
export function exp2InRange<T>(y: T): T {
  const biased = add<T>(y, splat<T>(ROUND));
  return scaleByBits<T>(exp2Core<T>(sub<T>(y, sub<T>(biased, splat<T>(ROUND)))), biased);
}
