import { flat } from "../../wasm/flat.js";

/*
 * Mathematics that gives the same bits on every engine. Whatever reaches a result uses these, never Math.sin and its
 * kind. Accuracy: better than 1e-12 (assembly/math/f64).
 */

/** Sine of `x` radians. */
export const sin = (x: number): number => flat.kernels.sin(x, 0);
/** Cosine of `x` radians. */
export const cos = (x: number): number => flat.kernels.sin(x, 0.5);
/** e to the power of `x`. */
export const exp = (x: number): number => flat.kernels.exp(x);
/** 2 to the power of `x`. */
export const exp2 = (x: number): number => flat.kernels.exp2(x);
/** Natural logarithm. */
export const log = (x: number): number => flat.kernels.log(x);
/** `x` to the power of `y`. */
export const pow = (x: number, y: number): number => flat.kernels.pow(x, y);
/** Angle of the vector (x, y) in radians. */
export const atan2 = (y: number, x: number): number => flat.kernels.atan2(y, x);
/** Arc sine in radians; arguments outside -1..1 count as the nearer end. */
export const asin = (k: number): number => flat.kernels.asin(k);
