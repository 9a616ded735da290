/** Deterministic double-precision mathematics for TypeScript: the scalar forms of math/f64. */
import { sinPair } from "../math/f64/trigonometry";

export { atan2, asin } from "../math/f64/inverse";
export { exp, exp2, log, pow } from "../math/f64/exponential";

export function sin(x: f64): f64 { return f64x2.extract_lane(sinPair(f64x2.splat(x), f64x2.splat(0)), 0); }
export function cos(x: f64): f64 { return f64x2.extract_lane(sinPair(f64x2.splat(x), f64x2.splat(1)), 0); }
