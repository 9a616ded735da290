/**
 * From eased progress to values, for one page of motions.
 *
 * Layout   assembly/layout/motion.ts. On entry Progress holds E(u), on return the factor that the value was made with.
 * Requires Done as stepClocks left it; from and to finite with a finite difference; quaternions of length 1 with a
 *          dot product >= 0 and Angle 0 where they are nearly parallel.
 * Ensures  exactly `from` at 0 and `to` at 1, the nearest of 0..1 on clamped pages (punch and shake: exactly `from` at both ends).
 * Source   linear interpolation; damped sine A e^(-z f p / 2 pi) sin(pi f p); Shoemake's slerp.
 */
import { dampedSine } from "../math/f64/damped-sine";
import { Column, COLUMN_BYTES, LoopMode, Page, PageFlag, ValueKind } from "../layout/motion";
import { read, splat, write } from "./columns";


/** Loop modes that act on the eased value. */
function applyLoops(page: usize, rowsEnd: usize, mode: i32): void {
  const one = splat(1), zero = splat(0);
  for (let row: usize = 0; row < rowsEnd; row += 16) {
    const p = page + row;
    const e = read(p, Column.Progress);
    const done = read(p, Column.Done);
    const loops = read(p, Column.Loops);

    const loop = f64x2.pmax(zero, f64x2.sub(done, v128.and(one, f64x2.ge(done, loops))));
    let out: v128;
    if (mode == LoopMode.Flip) {
      const half = f64x2.mul(loop, splat(0.5));
      out = v128.bitselect(f64x2.sub(one, e), e, f64x2.ne(half, f64x2.floor(half)));
    } else {
      out = f64x2.add(loop, e);
    }
    write(p, Column.Progress, out);
  }
}

function lerpRows(page: usize, rowsEnd: usize, components: i32, isClamped: bool): void {
  const one = splat(1);
  const stride = <usize>components * COLUMN_BYTES;
  for (let c = 0; c < components; c++) {
    const base = page + <usize>c * COLUMN_BYTES;
    for (let row: usize = 0; row < rowsEnd; row += 16) {
      const progress = read(page + row, Column.Progress);
      const from = read(base + row, Column.From);
      const to = read(base + stride + row, Column.From);
      let value = v128.bitselect(to, f64x2.add(from, f64x2.mul(f64x2.sub(to, from), progress)), f64x2.eq(progress, one));
      if (isClamped) value = f64x2.pmin(one, f64x2.pmax(splat(0), value));
      write(base + 2 * stride + row, Column.From, value);
    }
  }
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

function vibrateRows(page: usize, rowsEnd: usize, components: i32, isShake: bool): void {
  const stride = <usize>components * COLUMN_BYTES;
  const extra = page + 3 * stride;
  const zero = splat(0), one = splat(1);
  for (let row: usize = 0; row < rowsEnd; row += 16) {
    const progress = read(page + row, Column.Progress);
    const frequency = read(extra + row, Column.From);
    const damping = read(extra + row, Column.From + 1);
    const seed = read(extra + row, Column.From + 2);

    const waves = f64x2.mul(frequency, progress);
    // log2(e) / 2 pi = 0.2296120471316426
    const decay = f64x2.pmax(splat(-1000), f64x2.mul(f64x2.mul(damping, waves), splat(-0.2296120471316426)));
    const wave = dampedSine(decay, f64x2.mul(waves, splat(3.141592653589793)), 0, true);
    const outside = v128.or(f64x2.le(progress, zero), f64x2.ge(progress, one));
    const inside = v128.andnot(wave, outside);

    for (let c = 0; c < components; c++) {
      const base = page + <usize>c * COLUMN_BYTES + row;
      let factor = inside;
      if (isShake) factor = f64x2.mul(factor, halfWaveFactors(i32x4.trunc_sat_f64x2_u_zero(seed), c, i32x4.trunc_sat_f64x2_s_zero(waves)));
      const from = read(base, Column.From);
      const strength = read(base + stride, Column.From);
      write(base + 2 * stride, Column.From, f64x2.add(from, f64x2.mul(strength, factor)));
    }
  }
}

/** Weight of one end of a rotation; nearly parallel ends are interpolated linearly. */
function slerpWeight(share: v128, angle: v128, inverseSine: v128): v128 {
  const sine = dampedSine(splat(0), f64x2.mul(share, angle), 0, true);
  return v128.bitselect(share, f64x2.mul(sine, inverseSine), f64x2.eq(angle, splat(0)));
}

function rotateRows(page: usize, rowsEnd: usize): void {
  const one = splat(1);
  for (let row: usize = 0; row < rowsEnd; row += 16) {
    const p = page + row;
    const progress = read(p, Column.Progress);
    const angle = read(p, Column.From + 12);
    const inverseSine = read(p, Column.From + 13);
    const near = slerpWeight(f64x2.sub(one, progress), angle, inverseSine);
    const far = slerpWeight(progress, angle, inverseSine);

    let square = splat(0);
    for (let c: usize = 0; c < 4 * COLUMN_BYTES; c += COLUMN_BYTES) {
      const q = f64x2.add(f64x2.mul(near, read(p + c, Column.From)), f64x2.mul(far, read(p + c, Column.From + 4)));
      square = f64x2.add(square, f64x2.mul(q, q));
      write(p + c, Column.From + 8, q);
    }
    const length = f64x2.sqrt(square);
    for (let c: usize = 0; c < 4 * COLUMN_BYTES; c += COLUMN_BYTES) {
      write(p + c, Column.From + 8, f64x2.div(read(p + c, Column.From + 8), length));
    }
  }
}

export function computeValues(page: usize): void {
  const rowsEnd = <usize>load<i32>(page, Page.Rows) << 3;
  const mode = load<i32>(page, Page.Mode);
  const flags = load<i32>(page, Page.Flags);
  if (mode >= LoopMode.Flip && !(flags & PageFlag.Once)) applyLoops(page, rowsEnd, mode);
  const kind = load<i32>(page, Page.Kind);
  const components = load<i32>(page, Page.Components);
  if (kind == ValueKind.Lerp) lerpRows(page, rowsEnd, components, (flags & PageFlag.Clamped) != 0);
  else if (kind == ValueKind.Rotation) rotateRows(page, rowsEnd);
  else vibrateRows(page, rowsEnd, components, kind == ValueKind.Shake);
}
