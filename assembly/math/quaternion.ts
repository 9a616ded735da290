/**
 * Quaternions x y z w of four joints at a time (one register a component), and slerp without trigonometry.
 *
 * A function has one result, so products are given by component; the compiler shares their work.
 * Source   slerp weights: D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP" (2011): the ratio
 *            sin(t a) / sin(a) as a series in x - 1, x = cos a >= 0, with the last coefficients scaled so that the truncated
 *            series has the least error on [0, 1]. Eight terms: 1.7e-5 rad at worst, 5e-7 below 120 degrees between the rotations.
 *            Three plain terms suffice below 30 degrees (|x - 1| <= 0.0341: 3e-7 rad). The result is of unit length within the
 *            same error, so that one step of Newton's iteration normalises it.
 */

@inline
function term(tt: v128, u: f32, v: f32, xm1: v128): v128 {
  return f32x4.mul(f32x4.sub(f32x4.mul(tt, f32x4.splat(u)), f32x4.splat(v)), xm1);
}

/** Weight of the far operand at `t`; `xm1` is the (made positive) dot product minus one. */
@inline
export function slerpWeight(t: v128, xm1: v128): v128 {
  const tt = f32x4.mul(t, t);
  const one = f32x4.splat(1);
  let w = f32x4.add(one, term(tt, <f32>(1.85298109240830 / (8.0 * 17.0)), <f32>(1.85298109240830 * 8.0 / 17.0), xm1));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (7.0 * 15.0)), <f32>(7.0 / 15.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (6.0 * 13.0)), <f32>(6.0 / 13.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (5.0 * 11.0)), <f32>(5.0 / 11.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (4.0 * 9.0)), <f32>(4.0 / 9.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (3.0 * 7.0)), <f32>(3.0 / 7.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / (2.0 * 5.0)), <f32>(2.0 / 5.0), xm1), w));
  w = f32x4.add(one, f32x4.mul(term(tt, <f32>(1.0 / 3.0), <f32>(1.0 / 3.0), xm1), w));
  return f32x4.mul(t, w);
}

/**
 * The same series for one weight `t` in all lanes, in powers of x - 1: weight = t + c1 y + c2 y^2 + ..., y = x - 1.
 * `slerpFactor(n, t)` is b_n / y.
 */
@inline
export function slerpFactor(n: f32, tt: f32): f32 {
  const odd = n + n + 1;
  return tt / (n * odd) - n / odd;
}

/** The factor of the last of eight terms. */
@inline
export function slerpLastFactor(tt: f32): f32 {
  return (tt / <f32>(8.0 * 17.0) - <f32>(8.0 / 17.0)) * <f32>1.85298109240830;
}

/** One step of Newton's iteration for 1 / sqrt(a), a within 1e-3 of 1: error below 4e-7. */
@inline
export function reciprocalRootNearOne(a: v128): v128 {
  return f32x4.sub(f32x4.splat(1.5), f32x4.mul(a, f32x4.splat(0.5)));
}

@inline
export function dot4(ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.add(f32x4.mul(az, bz), f32x4.mul(aw, bw)));
}

/** The sign bit of each lane: xor it into a quaternion to negate it where `a` is negative. */
@inline
export function signBit(a: v128): v128 {
  return v128.and(a, i32x4.splat(0x80000000));
}

/** 1 / sqrt(a), correctly rounded twice. */
@inline
export function reciprocalRoot(a: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.sqrt(a));
}

/** a + (b - a) t, exact for a = b. */
@inline
export function lerp(a: v128, b: v128, t: v128): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), t));
}

/** Components of the product a b. */
@inline
export function mulX(ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(aw, bx), f32x4.mul(ax, bw)), f32x4.sub(f32x4.mul(ay, bz), f32x4.mul(az, by)));
}

@inline
export function mulY(ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(aw, by), f32x4.mul(ay, bw)), f32x4.sub(f32x4.mul(az, bx), f32x4.mul(ax, bz)));
}

@inline
export function mulZ(ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(aw, bz), f32x4.mul(az, bw)), f32x4.sub(f32x4.mul(ax, by), f32x4.mul(ay, bx)));
}

@inline
export function mulW(ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): v128 {
  return f32x4.sub(f32x4.sub(f32x4.mul(aw, bw), f32x4.mul(ax, bx)), f32x4.add(f32x4.mul(ay, by), f32x4.mul(az, bz)));
}
