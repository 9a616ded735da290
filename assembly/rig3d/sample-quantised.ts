/**
 * Samples a quantised clip: decodes two neighbouring frames of one block, four joints a register, and blends them.
 *
 * Layout   layout/rig3d.ts, "Quantised clip". `bind`, `bindStride`, `live`: as in sample-keys.ts.
 *          scratch: basis of three frames (144 bytes), a decoded vector or quaternion of two frames (96), bases of a group (64).
 * Requires every pointer 16-byte aligned; time finite; QUANTISED_PADDING readable bytes behind the last block; scratch of
 *          SAMPLE_SCRATCH_BYTES.
 * Ensures  out: `groupCount` groups, within the error that the encoder measured. Rotations are unit quaternions.
 * Source   own format. Chebyshev polynomials of the first kind; modified Rodrigues parameters (stereographic projection of
 *          the quaternion); smallest-three quaternion code.
 */
import {
  CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_LAST_FRAME, CLIP_RATE, CLIP_ROW_BYTES, CLIP_ROWS, CLIP_TABLES, FIELD_BYTES, GROUP_BYTES, HEAD_BLENDS, HEAD_WIDE, Local,
  QUANTISED_CONSTANTS, QUANTISED_FLAGS, QUANTISED_GROUP_BYTES, QUANTISED_PLACES, QUANTISED_SEGMENTS, QUANTISED_STEPS,
} from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, mulW, mulX, mulY, mulZ, reciprocalRootNearOne, signBit, slerpWeight } from "../math/quaternion";
import { copyRows3 } from "./sample-keys";

const FRAMES: u32 = QUANTISED_SEGMENTS + 1;
/** Places in scratch: basis between the frames, at the first, at the second; then two decoded values; then bases. */
const BETWEEN: usize = 0;
const AT_FIRST: usize = 48;
const AT_SECOND: usize = 96;
const DECODED: usize = 144;
const BASES: usize = 240;

/** T1, T2, T3 at x, splatted. */
@inline
function writeBasis(x: f32, to: usize): void {
  const square = x * x;
  v128.store(to, f32x4.splat(x), 0);
  v128.store(to, f32x4.splat(<f32>2 * square - 1), 16);
  v128.store(to, f32x4.splat((<f32>4 * square - 3) * x), 32);
}

/** Up to four neighbouring signed numbers of `width` bits from bit `at` on, in the first lanes; `row`: fields of that width. */
@inline
function numbers(bytes: usize, at: u32, width: u32, row: usize): v128 {
  const field = row + <usize>((at & 7) * FIELD_BYTES);
  const words = v128.swizzle(v128.load(bytes + (at >>> 3)), v128.load(field));
  return f32x4.convert_i32x4_s(i32x4.shr_s(i32x4.mul(words, v128.load(field, 16)), 32 - width));
}

/** A coefficient of the moving lanes. */
@inline
function coefficient(bytes: usize): v128 {
  return f32x4.convert_i32x4_s(v128.load_ext<i16>(bytes));
}

@inline
function wideNumbers(bytes: usize): v128 {
  return f32x4.convert_i32x4_s(v128.load(bytes));
}

/** i0 + i1 T1 + i2 T2 + i3 T3 of the moving lanes in 32 bits each. */
@inline
function widePolynomial(bytes: usize, terms: u32, stride: usize, basis: usize): v128 {
  let value = f32x4.splat(0);
  if (terms > 0) value = wideNumbers(bytes);
  if (terms > 1) value = f32x4.add(value, f32x4.mul(wideNumbers(bytes + stride), v128.load(basis)));
  if (terms > 2) {
    value = f32x4.add(value, f32x4.mul(wideNumbers(bytes + 2 * stride), v128.load(basis, 16)));
    value = f32x4.add(value, f32x4.mul(wideNumbers(bytes + 3 * stride), v128.load(basis, 32)));
  }
  return value;
}

/** A channel whose numbers have 32 bits, at both frames: three rows at `to`, the second frame's behind them. */
function decodeWide(bytes: usize, head: u32, count: u32, frame: u32, scratch: usize, to: usize): usize {
  const code = head & 3, terms: u32 = code == 3 ? 4 : code, stride = <usize>count << 2;
  for (let row: usize = 0; row < 48; row += 16) {
    const rest = bytes + <usize>terms * stride, at = rest + <usize>frame * stride;
    v128.store(to + row, f32x4.add(widePolynomial(bytes, terms, stride, scratch + AT_FIRST), wideNumbers(at)));
    v128.store(to + row, f32x4.add(widePolynomial(bytes, terms, stride, scratch + AT_SECOND), wideNumbers(at + stride)), 48);
    bytes = rest + <usize>FRAMES * stride;
  }
  return bytes;
}

/** Decodes a channel between its frames to three rows at `to`, moving lanes first. Returns the end of its payload. */
function decodeBetween(bytes: usize, head: u32, count: u32, frame: u32, t: v128, fields: usize, scratch: usize, to: usize): usize {
  if (head & HEAD_WIDE) {
    bytes = decodeWide(bytes, head, count, frame, scratch, to);
    for (let row: usize = 0; row < 48; row += 16) v128.store(to + row, lerp(v128.load(to + row), v128.load(to + row, 48), t));
    return bytes;
  }
  const terms = head & 3, stride = <usize>count << 1, basis = scratch + BETWEEN;
  const t1 = v128.load(basis, 0), t2 = v128.load(basis, 16), t3 = v128.load(basis, 32);
  head >>>= 16;
  for (let component = 0; component < 3; component++) {
    let value = f32x4.splat(0);
    if (terms > 0) {
      value = coefficient(bytes);
      bytes += stride;
    }
    if (terms > 1) {
      value = f32x4.add(value, f32x4.mul(coefficient(bytes), t1));
      bytes += stride;
    }
    if (terms > 2) {
      value = f32x4.add(value, f32x4.add(f32x4.mul(coefficient(bytes), t2), f32x4.mul(coefficient(bytes + stride), t3)));
      bytes += 2 * stride;
    }
    const width = head & 31, bits = count * width, at = frame * bits, row = fields + <usize>(width * (8 * FIELD_BYTES));
    head >>>= 5;
    value = f32x4.add(value, lerp(numbers(bytes, at, width, row), numbers(bytes, at + bits, width, row), t));
    bytes += (FRAMES * bits + 7) >>> 3;
    v128.store(to, value);
    to += 16;
  }
  return bytes;
}

/** The same at both frames: the first to three rows at `to`, the second behind them. */
function decodeBoth(bytes: usize, head: u32, count: u32, frame: u32, fields: usize, scratch: usize, to: usize): usize {
  if (head & HEAD_WIDE) return decodeWide(bytes, head, count, frame, scratch, to);
  const terms = head & 3, stride = <usize>count << 1;
  const first = scratch + AT_FIRST, second = scratch + AT_SECOND;
  head >>>= 16;
  for (let component = 0; component < 3; component++) {
    let a = f32x4.splat(0), b = a;
    if (terms > 0) {
      a = coefficient(bytes);
      b = a;
      bytes += stride;
    }
    if (terms > 1) {
      const i1 = coefficient(bytes);
      a = f32x4.add(a, f32x4.mul(i1, v128.load(first)));
      b = f32x4.add(b, f32x4.mul(i1, v128.load(second)));
      bytes += stride;
    }
    if (terms > 2) {
      const i2 = coefficient(bytes), i3 = coefficient(bytes + stride);
      a = f32x4.add(a, f32x4.add(f32x4.mul(i2, v128.load(first, 16)), f32x4.mul(i3, v128.load(first, 32))));
      b = f32x4.add(b, f32x4.add(f32x4.mul(i2, v128.load(second, 16)), f32x4.mul(i3, v128.load(second, 32))));
      bytes += 2 * stride;
    }
    const width = head & 31, bits = count * width, at = frame * bits, row = fields + <usize>(width * (8 * FIELD_BYTES));
    head >>>= 5;
    v128.store(to, f32x4.add(a, numbers(bytes, at, width, row)));
    v128.store(to, f32x4.add(b, numbers(bytes, at + bits, width, row)), 48);
    bytes += (FRAMES * bits + 7) >>> 3;
    to += 16;
  }
  return bytes;
}

/** Writes the base of a roaming lane, four rows at `base`, from 48 bits. */
function roamingBase(bytes: usize, base: usize): void {
  // 63 bits of the code are enough for all fields.
  let code = load<u64>(bytes);
  const largest = <u32>code & 3;
  const negative = (code & 4) != 0;
  let squares: f32 = 0;
  code >>= 3;
  for (let i: u32 = 0; i < 4; i++) {
    if (i == largest) continue;
    const value = (<f32>(<u32>code & 0x7fff) * <f32>(2.0 / 32767.0) - 1) * <f32>0.7071067811865476;
    store<f32>(base + (<usize>i << 4), negative ? -value : value);
    squares += value * value;
    code >>= 15;
  }
  const value = Mathf.sqrt(max<f32>(0, <f32>1 - squares));
  store<f32>(base + (<usize>largest << 4), negative ? -value : value);
}

/** A decoded row in place of its lanes, in units of the pose. */
@inline
function placed(from: usize, places: v128, step: v128): v128 {
  return f32x4.mul(v128.swizzle(v128.load(from), places), step);
}

/** 2 / (1 + p.p): what scales parameters to the vector part; the scalar part is that less 1. */
@inline
function parameterScale(x: v128, y: v128, z: v128): v128 {
  const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
  return f32x4.div(f32x4.splat(2), f32x4.add(f32x4.splat(1), square));
}

@inline
function storeRow(out: usize, bind: usize, value: v128, mask: v128): void {
  v128.store(out, v128.bitselect(value, v128.load(bind), mask));
}

/** Rows from..to-1 of a channel in which nothing moves. */
@inline
function standing(out: usize, bind: usize, constants: usize, mask: v128, from: usize, to: usize): void {
  for (let row = from; row < to; row += 16) storeRow(out + row, bind + row, v128.load(constants + row), mask);
}

/** Positions or scales: constants plus what was decoded. */
@inline
function vectors(scratch: usize, places: v128, step: v128, constants: usize, mask: v128, bind: usize, out: usize): void {
  storeRow(out, bind, f32x4.add(v128.load(constants, 0), placed(scratch + DECODED, places, step)), mask);
  storeRow(out + 16, bind + 16, f32x4.add(v128.load(constants, 16), placed(scratch + DECODED + 16, places, step)), mask);
  storeRow(out + 32, bind + 32, f32x4.add(v128.load(constants, 32), placed(scratch + DECODED + 32, places, step)), mask);
}

/** Rotations: base x the relative quaternion. */
@inline
function turn(base: usize, x: v128, y: v128, z: v128, w: v128, mask: v128, bind: usize, out: usize): void {
  const bx = v128.load(base, 0), by = v128.load(base, 16), bz = v128.load(base, 32), bw = v128.load(base, 48);
  storeRow(out, bind, mulX(bx, by, bz, bw, x, y, z, w), mask);
  storeRow(out + 16, bind + 16, mulY(bx, by, bz, bw, x, y, z, w), mask);
  storeRow(out + 32, bind + 32, mulZ(bx, by, bz, bw, x, y, z, w), mask);
  storeRow(out + 48, bind + 48, mulW(bx, by, bz, bw, x, y, z, w), mask);
}

/** Slerp of the relative quaternions of two decoded frames, then the base. */
@inline
function turnSlerped(scratch: usize, places: v128, step: v128, t: v128, base: usize, mask: v128, bind: usize, out: usize): void {
  const one = f32x4.splat(1), from = scratch + DECODED;
  let ax = placed(from, places, step), ay = placed(from + 16, places, step), az = placed(from + 32, places, step);
  let bx = placed(from + 48, places, step), by = placed(from + 64, places, step), bz = placed(from + 80, places, step);
  const ka = parameterScale(ax, ay, az), kb = parameterScale(bx, by, bz);
  ax = f32x4.mul(ax, ka);
  ay = f32x4.mul(ay, ka);
  az = f32x4.mul(az, ka);
  bx = f32x4.mul(bx, kb);
  by = f32x4.mul(by, kb);
  bz = f32x4.mul(bz, kb);
  const aw = f32x4.sub(ka, one), bw = f32x4.sub(kb, one);

  const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
  const flip = signBit(cosine);
  const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
  const wb = v128.xor(slerpWeight(t, xm1), flip);
  const wa = slerpWeight(f32x4.sub(one, t), xm1);
  const x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb)), y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
  const z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb)), w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
  const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));
  turn(base, f32x4.mul(x, unit), f32x4.mul(y, unit), f32x4.mul(z, unit), f32x4.mul(w, unit), mask, bind, out);
}

export function sampleQuantised(
  clip: usize, time: f64, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  const last = load<i32>(clip, CLIP_LAST_FRAME);
  const place = max<f64>(0, min<f64>(<f64>last, time * load<f64>(clip, CLIP_RATE)));
  const index = max<i32>(0, min<i32>(last - 1, <i32>place));
  const u = <f32>(place - <f64>index);
  const t = f32x4.splat(u), ones = i32x4.splat(-1);
  const frame = <u32>index % QUANTISED_SEGMENTS;
  const offsets: usize = load<u32>(clip, CLIP_ROWS);
  const fields: usize = load<u32>(clip, CLIP_TABLES);
  let head: usize = offsets + load<u32>(offsets + (<usize>(<u32>index / QUANTISED_SEGMENTS) << 2));
  let bytes: usize = head + load<u32>(clip, CLIP_ROW_BYTES);

  const x = <f32>frame * <f32>0.125 - 1;
  writeBasis(x, scratch + AT_FIRST);
  writeBasis(x + <f32>0.125, scratch + AT_SECOND);
  for (let row: usize = 0; row < 48; row += 16) {
    v128.store(scratch + BETWEEN + row, lerp(v128.load(scratch + AT_FIRST + row), v128.load(scratch + AT_SECOND + row), t));
  }

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
    const moved = flags & 15;
    if (moved != 0) {
      bytes = decodeBetween(bytes, load<u32>(head), popcnt<u32>(moved), frame, t, fields, scratch, scratch + DECODED);
      head += 4;
      vectors(
        scratch, v128.load(group, QUANTISED_PLACES), v128.load(group, QUANTISED_STEPS), constants, hasPosition, bind + Local.PX * ROW_BYTES,
        out + Local.PX * ROW_BYTES);
    } else if (v128.any_true(hasPosition)) {
      standing(out, bind, constants, hasPosition, Local.PX * ROW_BYTES, Local.QX * ROW_BYTES);
    } else {
      copyRows3(out, bind, Local.PX * ROW_BYTES);
    }

    const hasRotation = v128.and(alive, v128.load(group, 16));
    const turned = (flags >>> 4) & 15;
    if (turned != 0) {
      const roaming = (flags >>> 12) & 15;
      let base = constants + Local.QX * ROW_BYTES;
      if (roaming != 0) {
        for (let row: usize = 0; row < 64; row += 16) v128.store(scratch + BASES + row, v128.load(base + row));
        base = scratch + BASES;
        for (let lane: u32 = 0; lane < 4; lane++) {
          if (!(roaming & (1 << lane))) continue;
          roamingBase(bytes, base + (<usize>lane << 2));
          bytes += 6;
        }
      }
      const places = v128.load(group, QUANTISED_PLACES + 16), step = v128.load(group, QUANTISED_STEPS + 16), count = popcnt<u32>(turned);
      const code = load<u32>(head);
      if (code & HEAD_BLENDS) {
        bytes = decodeBetween(bytes, code, count, frame, t, fields, scratch, scratch + DECODED);
        const px = placed(scratch + DECODED, places, step), py = placed(scratch + DECODED + 16, places, step), pz = placed(scratch + DECODED + 32, places, step);
        const k = parameterScale(px, py, pz);
        turn(
          base, f32x4.mul(px, k), f32x4.mul(py, k), f32x4.mul(pz, k), f32x4.sub(k, f32x4.splat(1)), hasRotation, bind + Local.QX * ROW_BYTES,
          out + Local.QX * ROW_BYTES);
      } else {
        bytes = decodeBoth(bytes, code, count, frame, fields, scratch, scratch + DECODED);
        turnSlerped(scratch, places, step, t, base, hasRotation, bind + Local.QX * ROW_BYTES, out + Local.QX * ROW_BYTES);
      }
      head += 4;
    } else if (v128.any_true(hasRotation)) {
      standing(out, bind, constants, hasRotation, Local.QX * ROW_BYTES, Local.SX * ROW_BYTES);
    } else {
      copyRows3(out, bind, Local.QX * ROW_BYTES);
      v128.store(out, v128.load(bind, Local.QW * ROW_BYTES), Local.QW * ROW_BYTES);
    }

    const hasScale = v128.and(alive, v128.load(group, 32));
    const scaled = (flags >>> 8) & 15;
    if (scaled != 0) {
      bytes = decodeBetween(bytes, load<u32>(head), popcnt<u32>(scaled), frame, t, fields, scratch, scratch + DECODED);
      head += 4;
      vectors(
        scratch, v128.load(group, QUANTISED_PLACES + 32), v128.load(group, QUANTISED_STEPS + 32), constants + Local.SX * ROW_BYTES, hasScale,
        bind + Local.SX * ROW_BYTES, out + Local.SX * ROW_BYTES);
    } else if (v128.any_true(hasScale)) {
      standing(out, bind, constants, hasScale, Local.SX * ROW_BYTES, GROUP_BYTES);
    } else {
      copyRows3(out, bind, Local.SX * ROW_BYTES);
    }
    group += QUANTISED_GROUP_BYTES;
    bind += bindStride;
    out += GROUP_BYTES;
  }
}
