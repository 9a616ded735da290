/**
 * Writes the palette row of an instance from a baked clip.
 *
 * Layout   layout/crowd.ts, baked clips. Rows of 6 values a bone, padded to a multiple of 12 values; 16-bit values lie in
 *          -32767 .. 32767 and become value * scale + offset.
 * Requires rows 16-byte aligned.
 * Ensures  boneCount x 24 bytes at `to`. Bits do not depend on the neighbours of an instance.
 * Source   world = S row + t for a skeleton at t with scale S: every bone's matrix has S as its leftmost factor.
 */
import { BakedField, CrowdField, InstanceField, INTERVAL_BYTES, IntervalField } from "../layout/crowd";
import { timeOf } from "./crowd-instance";

export function poseBaked(crowd: usize, baked: usize, clip: usize, instance: usize, to: usize): void {
  const place = timeOf(instance, clip) * load<f64>(baked, BakedField.RATE);
  const last = load<i32>(baked, BakedField.INTERVALS) - 1;
  const interval = max<i32>(0, min<i32>(last, <i32>place));
  const at = <usize>load<u32>(baked, BakedField.LIST) + <usize>interval * INTERVAL_BYTES;
  const phase = <f32>min<f64>(1, max<f64>(0, place - <f64>interval)), share = load<f32>(at, IntervalField.SHARE);
  const isLater = phase >= share && share < 1;
  const part = f32x4.splat(
    isLater ? (phase - share) * load<f32>(at, IntervalField.LATER_FACTOR) : phase * load<f32>(at, IntervalField.FACTOR));
  const rows = at + (isLater ? IntervalField.LATER_FROM : IntervalField.FROM);
  let a = <usize>load<u32>(rows), b = <usize>load<u32>(rows, 4);
  const scales = <usize>load<u32>(baked, BakedField.SCALES);
  const count = load<i32>(crowd, CrowdField.BONE_COUNT);

  const sx = load<f32>(instance, InstanceField.SCALE_X), sy = load<f32>(instance, InstanceField.SCALE_Y);
  // Two bones are three vectors: [a b c d] [x y a b] [c d x y]
  const scale0 = pairs(sx, sx, sy, sy), scale1 = pairs(sx, sy, sx, sx), scale2 = pairs(sy, sy, sx, sy);
  const x = load<f32>(instance, InstanceField.X), y = load<f32>(instance, InstanceField.Y);
  const offset1 = pairs(x, y, 0, 0), offset2 = pairs(0, 0, x, y);
  if (scales == 0) {
    for (let left = count; left > 0; left -= 2, a += 48, b += 48, to += 48) {
      const v0 = f32x4.mul(scale0, between(v128.load(a), v128.load(b), part));
      const v1 = f32x4.add(f32x4.mul(scale1, between(v128.load(a, 16), v128.load(b, 16), part)), offset1);
      v128.store(to, v0);
      if (left == 1) {
        v128.store64_lane(to, v1, 0, 16);
        break;
      }
      v128.store(to, v1, 16);
      v128.store(to, f32x4.add(f32x4.mul(scale2, between(v128.load(a, 32), v128.load(b, 32), part)), offset2), 32);
    }
    return;
  }
  let s = scales, o = scales + <usize>((count + 1) >> 1) * 48;
  for (let left = count; left > 0; left -= 2, a += 24, b += 24, s += 48, o += 48, to += 48) {
    const v0 = f32x4.mul(scale0, decode(between(wide(a), wide(b), part), s, o));
    const v1 = f32x4.add(f32x4.mul(scale1, decode(between(wide(a + 8), wide(b + 8), part), s + 16, o + 16)), offset1);
    v128.store(to, v0);
    if (left == 1) {
      v128.store64_lane(to, v1, 0, 16);
      break;
    }
    v128.store(to, v1, 16);
    v128.store(to, f32x4.add(f32x4.mul(scale2, decode(between(wide(a + 16), wide(b + 16), part), s + 32, o + 32)), offset2), 32);
  }
}

@inline
function pairs(a: f32, b: f32, c: f32, d: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(a), 1, b), 2, c), 3, d);
}

@inline
function between(a: v128, b: v128, part: v128): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), part));
}

/** Four 16-bit integers as floats. */
@inline
function wide(at: usize): v128 {
  return f32x4.convert_i32x4_s(v128.load16x4_s(at));
}

@inline
function decode(value: v128, scale: usize, offset: usize): v128 {
  return f32x4.add(f32x4.mul(value, v128.load(scale)), v128.load(offset));
}
