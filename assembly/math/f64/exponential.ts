/**
 * Powers of two in double precision, for one value or two.
 *
 * Requires -1021 <= y < 1024 (exp2InRange).
 * Ensures  relative error below 3e-16; whole powers are exact.
 * Source   own minimax coefficients (Remez): 2^f = 1 + f P(f) on [-1/2, 1/2]; those of high powers end in
 *          zeros, which the error does not notice and a packed file does.
 */
import { add, mul, mulAdd, scaleByBits, splat, sub } from "./lane";
import { ROUND } from "./trigonometry";

/** 2^f for |f| <= 1/2. */
@inline
export function exp2Core<T>(f: T): T {
  // Even and odd powers apart: two short chains take less time than a long one.
  const z = mul<T>(f, f);
  let odd = mulAdd<T>(splat<T>(4.4576609070645645e-10), z, splat<T>(1.0178047205045004e-07));
  let even = mulAdd<T>(splat<T>(7.073861496564859e-09), z, splat<T>(1.321543482646348e-06));
  odd = mulAdd<T>(odd, z, splat<T>(1.5252733867598955e-05));
  even = mulAdd<T>(even, z, splat<T>(0.00015403530458080184));
  odd = mulAdd<T>(odd, z, splat<T>(0.0013333558146378932));
  even = mulAdd<T>(even, z, splat<T>(0.009618129107593631));
  odd = mulAdd<T>(odd, z, splat<T>(0.05550410866482174));
  even = mulAdd<T>(even, z, splat<T>(0.24022650695910133));
  odd = mulAdd<T>(odd, z, splat<T>(0.6931471805599453));
  return mulAdd<T>(odd, f, mulAdd<T>(even, z, splat<T>(1)));
}

/** 2^y. Requires -1021 <= y < 1024. */
@inline
export function exp2InRange<T>(y: T): T {
  const biased = add<T>(y, splat<T>(ROUND));
  return scaleByBits<T>(exp2Core<T>(sub<T>(y, sub<T>(biased, splat<T>(ROUND)))), biased);
}
