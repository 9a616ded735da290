/**
 * The named eases, two values at a time, in double precision.
 *
 * Layout   ease 0 is linear; 1 + 3 * family + variant follows, families Sine Quad Cubic Quart Quint Expo Circ Back Elastic
 *          Bounce, variants in, out, inOut.
 * Requires t in [0, 1].
 * Ensures  exactly 0 at 0 and 1 at 1; absolute error below 1e-14.
 * Source   the usual set of Robert Penner; out(t) = 1 - in(1 - t), inOut(t) = in(2t)/2 and 1 - in(2 - 2t)/2.
 */
import { dampedSine } from "../math/f64/damped-sine";
import { mulAdd } from "../math/f64/lane";
import { splat } from "./columns";

/** Bounce is defined by its out form, in(x) = 1 - out(1 - x): the least of four parabolas, of which each is below 1 in its part only. */
@inline
function bounceIn(x: v128): v128 {
  const t = f64x2.mul(f64x2.sub(splat(1), x), splat(2.75));
  let out = f64x2.mul(t, t);
  let d = f64x2.sub(t, splat(1.5));
  out = f64x2.pmin(out, mulAdd<v128>(d, d, splat(0.75)));
  d = f64x2.sub(t, splat(2.25));
  out = f64x2.pmin(out, mulAdd<v128>(d, d, splat(0.9375)));
  d = f64x2.sub(t, splat(2.625));
  return f64x2.sub(splat(1), f64x2.pmin(out, mulAdd<v128>(d, d, splat(0.984375))));
}

/** Families that rounding keeps from being 0 at 0 or 1 at 1, as bits. */
const INEXACT = 0x1a1;

/** in(x) of one family. */
@inline
function easeIn(family: i32, x: v128, a: v128, b: v128, c: v128): v128 {
  const x2 = f64x2.mul(x, x);
  switch (family) {
    case 0: {
      // 1 - cos(pi x / 2): own minimax coefficients (Remez, error 2.1e-15), in parts that do not wait for each other.
      const x4 = f64x2.mul(x2, x2);
      const low = mulAdd<v128>(mulAdd<v128>(splat(-0.0009192601211977514), x2, splat(0.02086348072586679)), x4, mulAdd<v128>(splat(-0.25366950789671056), x2, splat(1.233700550136)));
      const high = mulAdd<v128>(splat(6.131459687197527e-09), x4, mulAdd<v128>(splat(-4.7068081274539986e-07), x2, splat(2.52017053965492e-05)));
      return f64x2.mul(mulAdd<v128>(high, f64x2.mul(x4, x4), low), x2);
    }
    case 1: return x2;
    case 2: return f64x2.mul(x2, x);
    case 3: return f64x2.mul(x2, x2);
    case 4: return f64x2.mul(f64x2.mul(x2, x2), x);
    case 6: return f64x2.sub(splat(1), f64x2.sqrt(f64x2.sub(splat(1), x2)));
    case 7: return f64x2.mul(x2, f64x2.sub(f64x2.mul(f64x2.add(a, splat(1)), x), a));
    case 9: return bounceIn(x);
    default: {
      const y = f64x2.sub(x, splat(1));
      const power = dampedSine(f64x2.mul(y, splat(10)), mulAdd<v128>(y, b, c), family == 8);
      return family == 8 ? f64x2.mul(power, a) : power;
    }
  }
}

/** Eases two values. Not for linear and custom eases. */
@inline
export function easePair(family: i32, variant: i32, t: v128, a: v128, b: v128, c: v128): v128 {
  const one = splat(1);
  const back = f64x2.sub(one, t);
  // Few constants: engines make them anew for every pair.
  let x = t;
  if (variant == 1) {
    x = back;
  } else if (variant == 2) {
    x = f64x2.pmin(t, back);
    x = f64x2.add(x, x);
  }
  let e = easeIn(family, x, a, b, c);
  if ((INEXACT >> family) & 1) e = v128.bitselect(x, e, v128.or(f64x2.eq(x, splat(0)), f64x2.eq(x, one)));
  if (variant == 1) return f64x2.sub(one, e);
  if (variant == 2) {
    const half = f64x2.mul(e, splat(0.5));
    return v128.bitselect(half, f64x2.sub(one, half), f64x2.lt(t, back));
  }
  return e;
}
