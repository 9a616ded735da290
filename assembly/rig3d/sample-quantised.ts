/**
 * Samples a quantised clip: decodes two neighbouring frames of one block and blends them.
 *
 * Layout   layout/rig3d.ts, "Quantised clip". `bind`, `bindStride`, `live`: as in sample-keys.ts.
 * Requires every pointer 16-byte aligned; time finite; eight readable bytes behind the last block; scratch of
 *          SAMPLE_SCRATCH_BYTES.
 * Ensures  out: `groupCount` groups, within the error that the encoder measured. Rotations are unit quaternions.
 * Source   own format. Chebyshev polynomials of the first kind; smallest-three quaternion code.
 */
import {
  CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_LAST_FRAME, CLIP_RATE, CLIP_ROWS, GROUP_BYTES, Local, QUANTISED_CONSTANTS, QUANTISED_FLAGS,
  QUANTISED_GROUP_BYTES, QUANTISED_SEGMENTS, QUANTISED_STEPS,
} from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, mulW, mulX, mulY, mulZ, reciprocalRoot, reciprocalRootNearOne, signBit, slerpWeight } from "../math/quaternion";
import { cosCore, cosOf, quarterRemainderOfRadians, quarterTurnsOfRadians, sinCore, sinOf } from "../math/trigonometry";
import { copyRows3 } from "./sample-keys";

/** Signed number of `width` bits (0..31) at a bit address. */
@inline
function signed(bytes: usize, bit: u32, width: u32): i32 {
  const word = load<u64>(bytes + (bit >>> 3)) >> (bit & 7);
  const shift = 32 - width;
  // Shifts count modulo 32, so that width 0 needs its own answer.
  return width == 0 ? 0 : (<i32>(<u32>word << shift)) >> shift;
}

@inline
function unsigned(bytes: usize, bit: u32, width: u32): u32 {
  return (<u32>(load<u64>(bytes + (bit >>> 3)) >> (bit & 7))) & ((1 << width) - 1);
}

/**
 * Decodes one component at two frames: in units of the step to `a` and `b`. Returns the bit behind the component.
 */
function component(bytes: usize, bit: u32, frame: i32, a: usize, b: usize): u32 {
  const widths = unsigned(bytes, bit, 25);
  const w0 = widths & 31, w1 = (widths >>> 5) & 31, w2 = (widths >>> 10) & 31, w3 = (widths >>> 15) & 31, wr = widths >>> 20;
  bit += 25;
  const i0 = <f32>signed(bytes, bit, w0);
  bit += w0;
  const i1 = <f32>signed(bytes, bit, w1);
  bit += w1;
  const i2 = <f32>signed(bytes, bit, w2);
  bit += w2;
  const i3 = <f32>signed(bytes, bit, w3);
  bit += w3;
  const x = <f32>frame * <f32>0.125 - 1, y = x + <f32>0.125;
  const at = bit + <u32>frame * wr;
  store<f32>(a, ((i0 + i1 * x) + (i2 * (<f32>2 * x * x - 1) + i3 * ((<f32>4 * x * x - 3) * x))) + <f32>signed(bytes, at, wr));
  store<f32>(b, ((i0 + i1 * y) + (i2 * (<f32>2 * y * y - 1) + i3 * ((<f32>4 * y * y - 3) * y))) + <f32>signed(bytes, at + wr, wr));
  return bit + (QUANTISED_SEGMENTS + 1) * wr;
}

/** Three components of every moving lane; the others get 0. a at `scratch`, b 48 bytes behind. */
@inline
function components(bytes: usize, bit: u32, lanes: u32, frame: i32, scratch: usize): u32 {
  for (let at: usize = 0; at < 96; at += 16) v128.store(scratch + at, f32x4.splat(0));
  for (let lane: u32 = 0; lane < 4; lane++) {
    if (!(lanes & (1 << lane))) continue;
    const to = scratch + (<usize>lane << 2);
    bit = component(bytes, bit, frame, to, to + 48);
    bit = component(bytes, bit, frame, to + 16, to + 64);
    bit = component(bytes, bit, frame, to + 32, to + 80);
  }
  return bit;
}

/** Writes the base of a roaming lane, four rows at `base`. */
function roamingBase(bytes: usize, bit: u32, base: usize): void {
  const largest = unsigned(bytes, bit, 2);
  const negative = unsigned(bytes, bit + 2, 1) != 0;
  let squares: f32 = 0;
  bit += 3;
  for (let i: u32 = 0; i < 4; i++) {
    if (i == largest) continue;
    const code = <f32>unsigned(bytes, bit, 15);
    const value = (code * <f32>(2.0 / 32767.0) - 1) * <f32>0.7071067811865476;
    store<f32>(base + (<usize>i << 4), negative ? -value : value);
    squares += value * value;
    bit += 15;
  }
  const value = Mathf.sqrt(max<f32>(0, <f32>1 - squares));
  store<f32>(base + (<usize>largest << 4), negative ? -value : value);
}

@inline
function sincOf(angle: v128): v128 {
  const q = quarterTurnsOfRadians<v128>(angle), r = quarterRemainderOfRadians<v128>(angle, q), r2 = f32x4.mul(r, r);
  const sine = sinOf<v128>(sinCore<v128>(r, r2), cosCore<v128>(r2), q);
  return v128.bitselect(f32x4.splat(1), f32x4.div(sine, angle), f32x4.lt(angle, f32x4.splat(1e-20)));
}

@inline
function cosineOf(angle: v128): v128 {
  const q = quarterTurnsOfRadians<v128>(angle), r = quarterRemainderOfRadians<v128>(angle, q), r2 = f32x4.mul(r, r);
  return cosOf<v128>(sinCore<v128>(r, r2), cosCore<v128>(r2), q);
}

/** base x exp(h): four rows to `to`; h = step x the rows at `from`. */
@inline
function turned(from: usize, step: v128, base: usize, to: usize): void {
  const hx = f32x4.mul(step, v128.load(from, 0)), hy = f32x4.mul(step, v128.load(from, 16)), hz = f32x4.mul(step, v128.load(from, 32));
  const angle = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(hx, hx), f32x4.mul(hy, hy)), f32x4.mul(hz, hz)));
  const k = sincOf(angle);
  const ex = f32x4.mul(hx, k), ey = f32x4.mul(hy, k), ez = f32x4.mul(hz, k), ew = cosineOf(angle);
  const bx = v128.load(base, 0), by = v128.load(base, 16), bz = v128.load(base, 32), bw = v128.load(base, 48);
  const x = mulX(bx, by, bz, bw, ex, ey, ez, ew), y = mulY(bx, by, bz, bw, ex, ey, ez, ew);
  const z = mulZ(bx, by, bz, bw, ex, ey, ez, ew), w = mulW(bx, by, bz, bw, ex, ey, ez, ew);
  const unit = reciprocalRoot(dot4(x, y, z, w, x, y, z, w));
  v128.store(to, f32x4.mul(x, unit), 0);
  v128.store(to, f32x4.mul(y, unit), 16);
  v128.store(to, f32x4.mul(z, unit), 32);
  v128.store(to, f32x4.mul(w, unit), 48);
}

@inline
function vectors(scratch: usize, t: v128, step: v128, constants: usize, mask: v128, bind: usize, out: usize): void {
  for (let at: usize = 0; at < 48; at += 16) {
    const value = f32x4.mul(step, lerp(v128.load(scratch + at), v128.load(scratch + at, 48), t));
    v128.store(out + at, v128.bitselect(f32x4.add(v128.load(constants + at), value), v128.load(bind + at), mask));
  }
}

/** scratch: components of two frames (96 bytes), a base (64), one decoded frame (64). */
export function sampleQuantised(
  clip: usize, time: f64, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  const last = load<i32>(clip, CLIP_LAST_FRAME);
  const place = max<f64>(0, min<f64>(<f64>last, time * load<f64>(clip, CLIP_RATE)));
  const frame = max<i32>(0, min<i32>(last - 1, <i32>place));
  const t = f32x4.splat(<f32>(place - <f64>frame));
  const offsets: usize = load<u32>(clip, CLIP_ROWS);
  const block = frame / QUANTISED_SEGMENTS, inBlock = frame % QUANTISED_SEGMENTS;
  const bytes = offsets + load<u32>(offsets + (<usize>block << 2));
  const base = scratch + 96, decoded = base + 64;
  const one = f32x4.splat(1), ones = i32x4.splat(-1);

  let bit: u32 = 0;
  let group: usize = load<u32>(clip, CLIP_GROUPS);
  const ownGroups = load<i32>(clip, CLIP_GROUP_COUNT);
  for (let g = 0; g < groupCount; g++) {
    if (g >= ownGroups) {
      memory.copy(out, bind, GROUP_BYTES);
      bind += bindStride;
      out += GROUP_BYTES;
      continue;
    }
    const alive = live != 0 ? v128.load(live + (<usize>g << 4)) : ones;
    const flags = load<u32>(group, QUANTISED_FLAGS);
    const constants = group + QUANTISED_CONSTANTS;
    const hasPosition = v128.and(alive, v128.load(group, 0));
    const hasRotation = v128.and(alive, v128.load(group, 16));
    const hasScale = v128.and(alive, v128.load(group, 32));

    bit = components(bytes, bit, flags & 15, inBlock, scratch);
    if (v128.any_true(hasPosition)) {
      vectors(scratch, t, v128.load(group, QUANTISED_STEPS), constants, hasPosition, bind + Local.PX * ROW_BYTES, out + Local.PX * ROW_BYTES);
    } else {
      copyRows3(out, bind, Local.PX * ROW_BYTES);
    }

    const roaming = flags >>> 12;
    for (let at: usize = 0; at < 64; at += 16) v128.store(base + at, v128.load(constants + Local.QX * ROW_BYTES + at));
    for (let lane: u32 = 0; lane < 4; lane++) {
      if (!(roaming & (1 << lane))) continue;
      roamingBase(bytes, bit, base + (<usize>lane << 2));
      bit += 48;
    }
    bit = components(bytes, bit, (flags >>> 4) & 15, inBlock, scratch);
    if (v128.any_true(hasRotation)) {
      const step = v128.load(group, QUANTISED_STEPS + 16);
      turned(scratch, step, base, decoded);
      const ax = v128.load(decoded, 0), ay = v128.load(decoded, 16), az = v128.load(decoded, 32), aw = v128.load(decoded, 48);
      turned(scratch + 48, step, base, decoded);
      const bx = v128.load(decoded, 0), by = v128.load(decoded, 16), bz = v128.load(decoded, 32), bw = v128.load(decoded, 48);
      const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
      const flip = signBit(cosine);
      const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
      const wb = v128.xor(slerpWeight(t, xm1), flip);
      const wa = slerpWeight(f32x4.sub(one, t), xm1);
      const x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb)), y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
      const z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb)), w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
      const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));
      v128.store(out, v128.bitselect(f32x4.mul(x, unit), v128.load(bind, Local.QX * ROW_BYTES), hasRotation), Local.QX * ROW_BYTES);
      v128.store(out, v128.bitselect(f32x4.mul(y, unit), v128.load(bind, Local.QY * ROW_BYTES), hasRotation), Local.QY * ROW_BYTES);
      v128.store(out, v128.bitselect(f32x4.mul(z, unit), v128.load(bind, Local.QZ * ROW_BYTES), hasRotation), Local.QZ * ROW_BYTES);
      v128.store(out, v128.bitselect(f32x4.mul(w, unit), v128.load(bind, Local.QW * ROW_BYTES), hasRotation), Local.QW * ROW_BYTES);
    } else {
      copyRows3(out, bind, Local.QX * ROW_BYTES);
      v128.store(out, v128.load(bind, Local.QW * ROW_BYTES), Local.QW * ROW_BYTES);
    }

    bit = components(bytes, bit, (flags >>> 8) & 15, inBlock, scratch);
    if (v128.any_true(hasScale)) {
      vectors(scratch, t, v128.load(group, QUANTISED_STEPS + 32), constants + Local.SX * ROW_BYTES, hasScale, bind + Local.SX * ROW_BYTES, out + Local.SX * ROW_BYTES);
    } else {
      copyRows3(out, bind, Local.SX * ROW_BYTES);
    }
    group += QUANTISED_GROUP_BYTES;
    bind += bindStride;
    out += GROUP_BYTES;
  }
}
