/**
 * Blend of two local poses.
 *
 * Layout   poses as in layout/rig3d.ts.
 * Requires pointers 16-byte aligned; rotations of unit length; 0 <= t <= 1. `out` may be `a` or `b`.
 * Ensures  positions and scales lerp, rotations slerp on the shortest arc, unit length within 1e-6.
 * Source   math/quaternion.ts.
 */
import { GROUP_BYTES, Local } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, reciprocalRootNearOne, signBit, slerpWeight } from "../math/quaternion";

/** One group with a weight per lane. */
@inline
export function blendGroup(a: usize, b: usize, t: v128, out: usize): void {
  const ax = v128.load(a, Local.QX * ROW_BYTES), ay = v128.load(a, Local.QY * ROW_BYTES);
  const az = v128.load(a, Local.QZ * ROW_BYTES), aw = v128.load(a, Local.QW * ROW_BYTES);
  const bx = v128.load(b, Local.QX * ROW_BYTES), by = v128.load(b, Local.QY * ROW_BYTES);
  const bz = v128.load(b, Local.QZ * ROW_BYTES), bw = v128.load(b, Local.QW * ROW_BYTES);
  const px = lerp(v128.load(a, Local.PX * ROW_BYTES), v128.load(b, Local.PX * ROW_BYTES), t);
  const py = lerp(v128.load(a, Local.PY * ROW_BYTES), v128.load(b, Local.PY * ROW_BYTES), t);
  const pz = lerp(v128.load(a, Local.PZ * ROW_BYTES), v128.load(b, Local.PZ * ROW_BYTES), t);
  const sx = lerp(v128.load(a, Local.SX * ROW_BYTES), v128.load(b, Local.SX * ROW_BYTES), t);
  const sy = lerp(v128.load(a, Local.SY * ROW_BYTES), v128.load(b, Local.SY * ROW_BYTES), t);
  const sz = lerp(v128.load(a, Local.SZ * ROW_BYTES), v128.load(b, Local.SZ * ROW_BYTES), t);

  const one = f32x4.splat(1);
  const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
  const flip = signBit(cosine);
  const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
  const wb = v128.xor(slerpWeight(t, xm1), flip);
  const wa = slerpWeight(f32x4.sub(one, t), xm1);
  const x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb)), y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
  const z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb)), w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
  const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));

  v128.store(out, px, Local.PX * ROW_BYTES);
  v128.store(out, py, Local.PY * ROW_BYTES);
  v128.store(out, pz, Local.PZ * ROW_BYTES);
  v128.store(out, f32x4.mul(x, unit), Local.QX * ROW_BYTES);
  v128.store(out, f32x4.mul(y, unit), Local.QY * ROW_BYTES);
  v128.store(out, f32x4.mul(z, unit), Local.QZ * ROW_BYTES);
  v128.store(out, f32x4.mul(w, unit), Local.QW * ROW_BYTES);
  v128.store(out, sx, Local.SX * ROW_BYTES);
  v128.store(out, sy, Local.SY * ROW_BYTES);
  v128.store(out, sz, Local.SZ * ROW_BYTES);
}

export function blendPair(a: usize, b: usize, t: f32, out: usize, groupCount: i32): void {
  assert(((a | b | out) & 15) == 0, "poses must be 16-byte aligned");
  const weight = f32x4.splat(t);
  for (let g = 0; g < groupCount; g++) {
    blendGroup(a, b, weight, out);
    a += GROUP_BYTES;
    b += GROUP_BYTES;
    out += GROUP_BYTES;
  }
}
