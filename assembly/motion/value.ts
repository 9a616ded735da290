/**
 * From eased progress to values, for two motions of a page.
 *
 * Layout   assembly/layout/motion.ts.
 * Requires Done as stepClock left it; from and to finite with a finite difference; quaternions of length 1 with a
 *          dot product >= 0 and 2^-30 for the angle where they are nearly parallel.
 * Ensures  exactly `from` at 0 and `to` at 1, the nearest of 0..1 on clamped pages (punch and shake: exactly `from` at both ends).
 * Source   linear interpolation; damped sine A e^(-z f p / 2 pi) sin(pi f p); Shoemake's slerp.
 */
import { dampedSine } from "../math/f64/damped-sine";
import { Column, COLUMN_BYTES, Field, LoopMode, Page, PageFlag, ValueKind } from "../layout/motion";
import { fields, read, splat, write } from "./columns";

/** Exactly `to` at 1. */
@inline
export function lerp(progress: v128, from: v128, to: v128): v128 {
  return v128.bitselect(to, f64x2.add(from, f64x2.mul(f64x2.sub(to, from), progress)), f64x2.eq(progress, splat(1)));
}

/** Random factors of two half waves in [-1, 1): a 32-bit integer hash of seed, channel and half wave. The upper lanes idle. */
@inline
function halfWaveFactors(seed: v128, channel: i32, wave: v128): v128 {
  let x = i32x4.add(i32x4.add(seed, i32x4.splat(0x85EBCA6B * (channel + 1))), i32x4.mul(i32x4.splat(0x9E3779B9), i32x4.add(wave, i32x4.splat(1))));
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 16)), i32x4.splat(0x7FEB352D));
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0x846CA68B));
  x = v128.xor(x, i32x4.shr_u(x, 16));
  return f64x2.sub(f64x2.mul(f64x2.convert_low_i32x4_u(x), splat(4.656612873077393e-10)), splat(1));
}

/** Weight of one end of a rotation; of nearly parallel ends, whose angle is taken for a tiny one, the share itself. */
function slerpWeight(share: v128, angle: v128, inverseSine: v128): v128 {
  return f64x2.mul(dampedSine(splat(0), f64x2.mul(share, angle), true), inverseSine);
}

function rotate(pair: usize, progress: v128): void {
  const angle = read(pair, Column.From + 12);
  const inverseSine = read(pair, Column.From + 13);
  const near = slerpWeight(f64x2.sub(splat(1), progress), angle, inverseSine);
  const far = slerpWeight(progress, angle, inverseSine);

  let square = splat(0);
  const end = pair + 4 * COLUMN_BYTES;
  for (let p = pair; p < end; p += COLUMN_BYTES) {
    const q = f64x2.add(f64x2.mul(near, read(p, Column.From)), f64x2.mul(far, read(p, Column.From + 4)));
    square = f64x2.add(square, f64x2.mul(q, q));
    write(p, Column.From + 8, q);
  }
  const length = f64x2.sqrt(square);
  for (let p = pair; p < end; p += COLUMN_BYTES) write(p, Column.From + 8, f64x2.div(read(p, Column.From + 8), length));
}

/** Values of two motions whose eased progress is `e`. */
export function valuePair(page: usize, record: usize, pair: usize, e: v128): void {
  const one = splat(1), zero = splat(0);
  const mode = load<i32>(page, Page.Mode), flags = load<i32>(page, Page.Flags), kind = load<i32>(page, Page.Kind);
  const components = load<i32>(page, Page.Components);
  // Loop modes that act on the eased value.
  if (mode >= LoopMode.Flip) {
    const done = fields(record, Field.Done);
    const loop = f64x2.pmax(zero, f64x2.sub(done, v128.and(one, f64x2.ge(done, fields(record, Field.Loops)))));
    if (mode == LoopMode.Flip) {
      const half = f64x2.mul(loop, splat(0.5));
      e = v128.bitselect(f64x2.sub(one, e), e, f64x2.ne(half, f64x2.floor(half)));
    } else {
      e = f64x2.add(loop, e);
    }
  }
  if (kind == ValueKind.Rotation) return rotate(pair, e);

  const stride = <usize>components * COLUMN_BYTES;
  const extra = pair + 3 * stride;
  let wave = zero, waves = zero;
  if (kind != ValueKind.Lerp) {
    waves = f64x2.mul(read(extra, Column.From), e);
    // log2(e) / 2 pi = 0.2296120471316426
    const decay = f64x2.pmax(splat(-1000), f64x2.mul(f64x2.mul(read(extra, Column.From + 1), waves), splat(-0.2296120471316426)));
    wave = v128.andnot(dampedSine(decay, f64x2.mul(waves, splat(3.141592653589793)), true), v128.or(f64x2.le(e, zero), f64x2.ge(e, one)));
  }
  for (let c = 0; c < components; c++) {
    const from = read(pair, Column.From), to = read(pair + stride, Column.From);
    let value: v128;
    if (kind == ValueKind.Lerp) {
      value = lerp(e, from, to);
      if (flags & PageFlag.Clamped) value = f64x2.pmin(one, f64x2.pmax(zero, value));
    } else {
      let factor = wave;
      if (kind == ValueKind.Shake) {
        factor = f64x2.mul(factor, halfWaveFactors(i32x4.trunc_sat_f64x2_u_zero(read(extra, Column.From + 2)), c, i32x4.trunc_sat_f64x2_s_zero(waves)));
      }
      value = f64x2.add(from, f64x2.mul(to, factor));
    }
    write(pair + 2 * stride, Column.From, value);
    pair += COLUMN_BYTES;
  }
}
