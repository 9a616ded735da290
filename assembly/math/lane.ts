/**
 * Arithmetic that is written once and compiled for one value (f32) and for four (v128).
 *
 * `T` is f32 or v128; `M` is the mask that goes with it: i32 (0 or -1) for f32, v128 for v128. Both instantiations
 * do the same operations in the same order, so their results are equal bit for bit.
 */

// @inline everywhere: these are names for instructions.

@inline
export function splat<T>(value: f32): T {
  if (isVector<T>()) { return f32x4.splat(value); } else { return value; }
}

@inline
export function add<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.add(a, b); } else { return a + b; }
}

@inline
export function sub<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.sub(a, b); } else { return a - b; }
}

@inline
export function mul<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.mul(a, b); } else { return a * b; }
}

@inline
export function div<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.div(a, b); } else { return a / b; }
}

/** a * b + c, rounded twice: the same bits on every machine. */
@inline
export function mulAdd<T>(a: T, b: T, c: T): T {
  if (isVector<T>()) { return f32x4.add(f32x4.mul(a, b), c); } else { return a * b + c; }
}

/** c - a * b, rounded twice. */
@inline
export function mulSub<T>(a: T, b: T, c: T): T {
  if (isVector<T>()) { return f32x4.sub(c, f32x4.mul(a, b)); } else { return c - a * b; }
}

@inline
export function neg<T>(a: T): T {
  if (isVector<T>()) { return f32x4.neg(a); } else { return -a; }
}

@inline
export function abs<T>(a: T): T {
  if (isVector<T>()) { return f32x4.abs(a); } else { return <T>Mathf.abs(<f32>a); }
}

@inline
export function sqrt<T>(a: T): T {
  if (isVector<T>()) { return f32x4.sqrt(a); } else { return <T>Mathf.sqrt(<f32>a); }
}

/** The smaller of two; `b` where either is NaN. */
@inline
export function min<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.pmin(b, a); } else { return a < b ? a : b; }
}

/** The larger of two; `b` where either is NaN. */
@inline
export function max<T>(a: T, b: T): T {
  if (isVector<T>()) { return f32x4.pmax(b, a); } else { return b < a ? a : b; }
}

@inline
export function lt<T, M>(a: T, b: T): M {
  if (isVector<T>()) { return f32x4.lt(a, b); } else { return <M>-i32(a < b); }
}

@inline
export function le<T, M>(a: T, b: T): M {
  if (isVector<T>()) { return f32x4.le(a, b); } else { return <M>-i32(a <= b); }
}

@inline
export function eq<T, M>(a: T, b: T): M {
  if (isVector<T>()) { return f32x4.eq(a, b); } else { return <M>-i32(a == b); }
}

@inline
export function ne<T, M>(a: T, b: T): M {
  if (isVector<T>()) { return f32x4.ne(a, b); } else { return <M>-i32(a != b); }
}

/** `a` where the mask is set, else `b`. */
@inline
export function select<T, M>(a: T, b: T, mask: M): T {
  if (isVector<T>()) { return v128.bitselect(a, b, mask); } else { return mask ? a : b; }
}

@inline
export function maskAnd<M>(a: M, b: M): M {
  if (isVector<M>()) { return v128.and(a, b); } else { return a & b; }
}

@inline
export function maskOr<M>(a: M, b: M): M {
  if (isVector<M>()) { return v128.or(a, b); } else { return a | b; }
}

@inline
export function maskXor<M>(a: M, b: M): M {
  if (isVector<M>()) { return v128.xor(a, b); } else { return a ^ b; }
}

@inline
export function maskNot<M>(a: M): M {
  if (isVector<M>()) { return v128.not(a); } else { return ~a; }
}

@inline
export function anyTrue<M>(mask: M): bool {
  if (isVector<M>()) { return v128.any_true(mask); } else { return mask != 0; }
}

@inline
export function allTrue<M>(mask: M): bool {
  if (isVector<M>()) { return i32x4.all_true(mask); } else { return mask != 0; }
}

/** 1 / a, and 0 where a is 0: the rule that keeps degenerate rigs finite. */
@inline
export function reciprocalOrZero<T, M>(a: T): T {
  return select<T, M>(splat<T>(0), div<T>(splat<T>(1), a), eq<T, M>(a, splat<T>(0)));
}

/** One whole number in every lane of a mask-typed value. */
@inline
export function splatInt<M>(value: i32): M {
  if (isVector<M>()) { return i32x4.splat(value); } else { return <M>value; }
}

@inline
export function addInt<M>(a: M, b: M): M {
  if (isVector<M>()) { return i32x4.add(a, b); } else { return a + b; }
}

@inline
export function eqInt<M>(a: M, b: M): M {
  if (isVector<M>()) { return i32x4.eq(a, b); } else { return <M>-i32(a == b); }
}

/** `a` where the mask is set, else `b`, of whole numbers. */
@inline
export function selectInt<M>(a: M, b: M, mask: M): M {
  if (isVector<M>()) { return v128.bitselect(a, b, mask); } else { return mask ? a : b; }
}

/** A number as whole numbers of a lane would be read: f32 of i32. */
@inline
export function toFloat<T, M>(a: M): T {
  if (isVector<M>()) { return f32x4.convert_i32x4_s(a); } else { return <T>f32(a); }
}

/** `-a` where the mask is set, else `a`. */
@inline
export function negateWhere<T, M>(a: T, mask: M): T {
  return select<T, M>(neg<T>(a), a, mask);
}

/** `value` where the mask is set, else 0. */
@inline
export function keepWhere<T, M>(value: T, mask: M): T {
  if (isVector<T>()) { return v128.and(value, mask); } else { return mask ? value : splat<T>(0); }
}

/** a / b, and 0 where b is 0 or so small that its reciprocal is not a finite number. */
@inline
export function divideOrZero<T, M>(a: T, b: T): T {
  const small = lt<T, M>(abs<T>(b), splat<T>(1.1754944e-38));
  return keepWhere<T, M>(div<T>(a, b), maskNot<M>(small));
}

/** -1, 0 or 1. */
@inline
export function sign<T, M>(a: T): T {
  const zero = splat<T>(0);
  return sub<T>(keepWhere<T, M>(splat<T>(1), lt<T, M>(zero, a)), keepWhere<T, M>(splat<T>(1), lt<T, M>(a, zero)));
}

/** The smallest whole number not below a. */
@inline
export function ceil<T>(a: T): T {
  if (isVector<T>()) { return f32x4.ceil(a); } else { return <T>Mathf.ceil(<f32>a); }
}

/** The power of two in the exponent of a (a >= 0); 1 for zero and for numbers too small to have one. Dividing by it is exact. */
@inline
export function powerOfTwo<T, M>(a: T): T {
  if (isVector<T>()) {
    const power = v128.and(a, i32x4.splat(0x7f800000));
    return v128.bitselect(f32x4.splat(1), power, i32x4.eq(power, i32x4.splat(0)));
  } else {
    const power = reinterpret<i32>(<f32>a) & 0x7f800000;
    return power == 0 ? <T>(<f32>1) : <T>reinterpret<f32>(power);
  }
}

/** 1 / power of a power of two between 2^-126 and 2^126. */
@inline
export function reciprocalOfPower<T, M>(power: T): T {
  if (isVector<T>()) {
    return i32x4.sub(i32x4.splat(0x7f000000), i32x4.min_u(power, i32x4.splat(0x7e800000)));
  } else {
    const bits = reinterpret<i32>(<f32>power);
    return <T>reinterpret<f32>(0x7f000000 - (bits > 0x7e800000 ? 0x7e800000 : bits));
  }
}

/** Length of (x, y); scaled by a power of two, so that squares neither over- nor underflow. */
@inline
export function lengthOf<T, M>(x: T, y: T): T {
  const power = powerOfTwo<T, M>(max<T>(abs<T>(x), abs<T>(y)));
  const unit = reciprocalOfPower<T, M>(power);
  const ux = mul<T>(x, unit), uy = mul<T>(y, unit);
  return mul<T>(sqrt<T>(mulAdd<T>(ux, ux, mul<T>(uy, uy))), power);
}
