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

@inline function splat(x: f64): v128 { return f64x2.splat(x); }

/** Bounce is defined by its out form: in(x) = 1 - out(1 - x); four parabolas of the same curvature. */
@inline
function bounceIn(x: v128): v128 {
  const t = f64x2.sub(splat(1), x);
  const second = f64x2.ge(t, splat(1 / 2.75)), third = f64x2.ge(t, splat(2 / 2.75)), fourth = f64x2.ge(t, splat(2.5 / 2.75));
  const middle = v128.bitselect(splat(2.625 / 2.75), v128.bitselect(splat(2.25 / 2.75), v128.and(splat(1.5 / 2.75), second), third), fourth);
  const base = v128.bitselect(splat(0.984375), v128.bitselect(splat(0.9375), v128.and(splat(0.75), second), third), fourth);
  const d = f64x2.sub(t, middle);
  return f64x2.sub(splat(1), f64x2.add(f64x2.mul(f64x2.mul(d, d), splat(7.5625)), base));
}

/** in(x) of one family. */
@inline
function easeIn(family: i32, x: v128, a: v128, b: v128, c: v128): v128 {
  const x2 = f64x2.mul(x, x);
  switch (family) {
    case 0: {
      // 1 - cos(pi x / 2) without cancellation.
      const s = dampedSine(splat(0), f64x2.mul(x, splat(0.7853981633974483)), 0, true);
      return f64x2.mul(f64x2.mul(s, s), splat(2));
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
      const power = dampedSine(f64x2.mul(y, splat(10)), f64x2.add(f64x2.mul(y, b), c), 0, family == 8);
      return family == 8 ? f64x2.mul(power, a) : power;
    }
  }
}

/** Eases two values. Not for linear and custom eases. */
@inline
function easePair(family: i32, variant: i32, t: v128, a: v128, b: v128, c: v128): v128 {
  const one = splat(1);
  const back = f64x2.sub(one, t);
  let x = t;
  if (variant == 1) x = back;
  else if (variant == 2) x = f64x2.mul(f64x2.pmin(t, back), splat(2));
  let e = easeIn(family, x, a, b, c);
  e = v128.bitselect(x, e, v128.or(f64x2.eq(x, splat(0)), f64x2.eq(x, one)));
  if (variant == 1) return f64x2.sub(one, e);
  if (variant == 2) {
    const half = f64x2.mul(e, splat(0.5));
    return v128.bitselect(half, f64x2.sub(one, half), f64x2.lt(t, splat(0.5)));
  }
  return e;
}

/** Eases `rows` values in place, rounded up to an even number. */
export function easeRows(column: usize, rows: i32, ease: i32, a: f64, b: f64, c: f64): void {
  if (ease == 0) return;
  const family = (ease - 1) / 3;
  const variant = (ease - 1) - family * 3;
  const end = column + (<usize>rows << 3);
  for (; column < end; column += 16) {
    v128.store(column, easePair(family, variant, v128.load(column), splat(a), splat(b), splat(c)));
  }
}
