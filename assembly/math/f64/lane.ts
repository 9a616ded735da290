/**
 * Double-precision arithmetic that is written once and compiled for one value (f64) and for two (v128).
 *
 * `T` is f64 or v128. Both instantiations do the same operations in the same order, so their bits are equal.
 */

// @inline everywhere: these are names for instructions.

@inline
export function splat<T>(value: f64): T {
  if (isVector<T>()) { return f64x2.splat(value); } else { return value; }
}

@inline
export function add<T>(a: T, b: T): T {
  if (isVector<T>()) { return f64x2.add(a, b); } else { return a + b; }
}

@inline
export function sub<T>(a: T, b: T): T {
  if (isVector<T>()) { return f64x2.sub(a, b); } else { return a - b; }
}

@inline
export function mul<T>(a: T, b: T): T {
  if (isVector<T>()) { return f64x2.mul(a, b); } else { return a * b; }
}

/** a * b + c, rounded twice: the same bits on every machine. */
@inline
export function mulAdd<T>(a: T, b: T, c: T): T {
  if (isVector<T>()) { return f64x2.add(f64x2.mul(a, b), c); } else { return a * b + c; }
}

/** The bits of `value` plus `exponent` shifted into the exponent field: value * 2^exponent for normal results. */
@inline
export function scaleByBits<T>(value: T, biasedCount: T): T {
  if (isVector<T>()) {
    return i64x2.add(value, i64x2.shl(biasedCount, 52));
  } else {
    return <T>reinterpret<f64>(reinterpret<i64>(<f64>value) + (reinterpret<i64>(<f64>biasedCount) << 52));
  }
}
