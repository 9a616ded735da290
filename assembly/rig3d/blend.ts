/**
 * Runs a blend program: any number of blends, additive layers and weighted means of local poses in one call.
 *
 * Layout   commands, inputs, poses, lane weights: layout/rig3d.ts.
 * Requires pointers 16-byte aligned; rotations of unit length; blend weights 0..1, additive and mean weights >= 0.
 *          `out` may be any operand of its own command, except of a mirror.
 * Ensures  only the out poses are written. Lanes of weight 0 keep a's bits, lanes of blend weight 1 take b's.
 *          Rotations are unit quaternions.
 * Source   slerp: math/quaternion.ts. Additive: delta = (p - ref, conj(ref) q, s / ref), applied as
 *          (p + w d, q slerp(1, d, w), s (1 + w (d - 1))); beyond weight 1 the rotation goes on about its axis.
 *          Mean of n: linear; rotations as the normalised sum with signs aligned to the heaviest input (the first on a
 *          tie), and as a slerp where exactly two inputs have weight.
 */
import { BLEND_COMMAND_BYTES, BLEND_INPUT_BYTES, BlendOp, GROUP_BYTES, Local } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, mulW, mulX, mulY, mulZ, reciprocalRoot, reciprocalRootNearOne, signBit, slerpWeight } from "../math/quaternion";
import { atan2, cosCore, cosOf, quarterRemainderOfRadians, quarterTurnsOfRadians, sinCore, sinOf } from "../math/trigonometry";
import { blendGroup } from "./blend-pair";
import { mirrorPose } from "./mirror";

export function runBlendProgram(commands: usize, commandCount: i32, groupCount: i32): void {
  for (let i = 0; i < commandCount; i++) {
    const op = load<u32>(commands, 0);
    const out: usize = load<u32>(commands, 4);
    const a: usize = load<u32>(commands, 8);
    const b: usize = load<u32>(commands, 12);
    const mask: usize = load<u32>(commands, 16);
    const reference: usize = load<u32>(commands, 20);
    const weight = load<f32>(commands, 24);
    assert(((out | b | mask | reference) & 15) == 0, "poses must be 16-byte aligned");

    if (op == BlendOp.BLEND) blend(a, b, mask, weight, out, groupCount);
    else if (op == BlendOp.WEIGHTED) mean(a, load<i32>(commands, 28), reference, out, groupCount);
    else if (op == BlendOp.ADD) add(a, b, 0, mask, weight, out, groupCount);
    else if (op == BlendOp.ADD_DIFFERENCE) add(a, b, reference, mask, weight, out, groupCount);
    else if (op == BlendOp.DIFFERENCE) difference(a, reference, out, groupCount);
    else if (op == BlendOp.MIRROR) mirrorPose(a, out, reference, mask, groupCount);
    else memory.copy(out, a, <usize>groupCount * GROUP_BYTES);
    commands += BLEND_COMMAND_BYTES;
  }
}

/** Weight of the four lanes of a group; `mask` 0 means 1 everywhere. */
@inline
function laneWeights(mask: usize, group: i32, weight: v128): v128 {
  return mask == 0 ? weight : f32x4.mul(weight, v128.load(mask + (<usize>group << 4)));
}

function blend(a: usize, b: usize, mask: usize, weight: f32, out: usize, groupCount: i32): void {
  const all = f32x4.splat(weight);
  const one = f32x4.splat(1), zero = f32x4.splat(0);
  for (let g = 0; g < groupCount; g++) {
    const t = laneWeights(mask, g, all);
    const none = f32x4.eq(t, zero), full = f32x4.eq(t, one);
    if (i32x4.all_true(none)) {
      if (out != a) memory.copy(out, a, GROUP_BYTES);
    } else if (i32x4.all_true(full)) {
      if (out != b) memory.copy(out, b, GROUP_BYTES);
    } else if (v128.any_true(v128.or(none, full))) {
      blendLanes(a, b, t, none, full, out);
    } else {
      blendGroup(a, b, t, out);
    }
    a += GROUP_BYTES;
    b += GROUP_BYTES;
    out += GROUP_BYTES;
  }
}

/** A group at the edge of a mask: lanes of weight 0 and 1 are copies. */
function blendLanes(a: usize, b: usize, t: v128, none: v128, full: v128, out: usize): void {
  const ax = v128.load(a, Local.QX * ROW_BYTES), ay = v128.load(a, Local.QY * ROW_BYTES);
  const az = v128.load(a, Local.QZ * ROW_BYTES), aw = v128.load(a, Local.QW * ROW_BYTES);
  const bx = v128.load(b, Local.QX * ROW_BYTES), by = v128.load(b, Local.QY * ROW_BYTES);
  const bz = v128.load(b, Local.QZ * ROW_BYTES), bw = v128.load(b, Local.QW * ROW_BYTES);

  const one = f32x4.splat(1);
  const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
  const flip = signBit(cosine);
  const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
  const wb = v128.xor(slerpWeight(t, xm1), flip);
  const wa = slerpWeight(f32x4.sub(one, t), xm1);
  const x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb)), y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
  const z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb)), w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
  const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));

  storeLanes(a, b, f32x4.mul(x, unit), none, full, out, Local.QX * ROW_BYTES);
  storeLanes(a, b, f32x4.mul(y, unit), none, full, out, Local.QY * ROW_BYTES);
  storeLanes(a, b, f32x4.mul(z, unit), none, full, out, Local.QZ * ROW_BYTES);
  storeLanes(a, b, f32x4.mul(w, unit), none, full, out, Local.QW * ROW_BYTES);
  for (let row: usize = 0; row < 3 * ROW_BYTES; row += ROW_BYTES) {
    const p = row + Local.PX * ROW_BYTES, s = row + Local.SX * ROW_BYTES;
    storeLanes(a, b, lerp(v128.load(a + p), v128.load(b + p), t), none, full, out, p);
    storeLanes(a, b, lerp(v128.load(a + s), v128.load(b + s), t), none, full, out, s);
  }
}

@inline
function storeLanes(a: usize, b: usize, value: v128, none: v128, full: v128, out: usize, row: usize): void {
  v128.store(out + row, v128.bitselect(v128.load(a + row), v128.bitselect(v128.load(b + row), value, full), none));
}

/** Adds delta pose `b`, or its difference to `reference` (0: `b` is a delta already). */
function add(a: usize, b: usize, reference: usize, mask: usize, weight: f32, out: usize, groupCount: i32): void {
  const all = f32x4.splat(weight);
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  for (let g = 0; g < groupCount; g++) {
    const t = laneWeights(mask, g, all);
    if (!v128.any_true(f32x4.gt(t, zero))) {
      if (out != a) memory.copy(out, a, GROUP_BYTES);
    } else {
      let dx = v128.load(b, Local.QX * ROW_BYTES), dy = v128.load(b, Local.QY * ROW_BYTES);
      let dz = v128.load(b, Local.QZ * ROW_BYTES), dw = v128.load(b, Local.QW * ROW_BYTES);
      if (reference != 0) {
        const rx = f32x4.neg(v128.load(reference, Local.QX * ROW_BYTES)), ry = f32x4.neg(v128.load(reference, Local.QY * ROW_BYTES));
        const rz = f32x4.neg(v128.load(reference, Local.QZ * ROW_BYTES)), rw = v128.load(reference, Local.QW * ROW_BYTES);
        const px = mulX(rx, ry, rz, rw, dx, dy, dz, dw), py = mulY(rx, ry, rz, rw, dx, dy, dz, dw);
        const pz = mulZ(rx, ry, rz, rw, dx, dy, dz, dw), pw = mulW(rx, ry, rz, rw, dx, dy, dz, dw);
        dx = px; dy = py; dz = pz; dw = pw;
      }
      // The short way round.
      const flip = signBit(dw);
      dx = v128.xor(dx, flip); dy = v128.xor(dy, flip); dz = v128.xor(dz, flip); dw = v128.xor(dw, flip);

      // slerp(identity, delta, t) = (weightV d.xyz, weightW ...)
      let vectorWeight: v128, ew: v128;
      if (v128.any_true(f32x4.gt(t, one))) {
        const lengthV = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz)));
        const half = f32x4.mul(atan2<v128, v128>(lengthV, dw), t);
        const q = quarterTurnsOfRadians<v128>(half), r = quarterRemainderOfRadians<v128>(half, q), r2 = f32x4.mul(r, r);
        const sine = sinCore<v128>(r, r2), cosine = cosCore<v128>(r2);
        const tiny = f32x4.lt(lengthV, f32x4.splat(1e-20));
        vectorWeight = v128.bitselect(t, f32x4.div(sinOf<v128>(sine, cosine, q), lengthV), tiny);
        ew = cosOf<v128>(sine, cosine, q);
      } else {
        const xm1 = f32x4.sub(dw, one);
        vectorWeight = slerpWeight(t, xm1);
        ew = f32x4.add(slerpWeight(f32x4.sub(one, t), xm1), f32x4.mul(vectorWeight, dw));
      }
      const ex = f32x4.mul(dx, vectorWeight), ey = f32x4.mul(dy, vectorWeight), ez = f32x4.mul(dz, vectorWeight);
      const ax = v128.load(a, Local.QX * ROW_BYTES), ay = v128.load(a, Local.QY * ROW_BYTES);
      const az = v128.load(a, Local.QZ * ROW_BYTES), aw = v128.load(a, Local.QW * ROW_BYTES);
      const x = mulX(ax, ay, az, aw, ex, ey, ez, ew), y = mulY(ax, ay, az, aw, ex, ey, ez, ew);
      const z = mulZ(ax, ay, az, aw, ex, ey, ez, ew), w = mulW(ax, ay, az, aw, ex, ey, ez, ew);
      const unit = reciprocalRoot(dot4(x, y, z, w, x, y, z, w));
      const none = f32x4.eq(t, zero);

      for (let row: usize = 0; row < 3 * ROW_BYTES; row += ROW_BYTES) {
        const p = row + Local.PX * ROW_BYTES, s = row + Local.SX * ROW_BYTES;
        let dp = v128.load(b + p), ds = v128.load(b + s);
        if (reference != 0) {
          dp = f32x4.sub(dp, v128.load(reference + p));
          ds = scaleRatio(ds, v128.load(reference + s));
        }
        const ap = v128.load(a + p), as = v128.load(a + s);
        v128.store(out + p, f32x4.add(ap, f32x4.mul(t, dp)));
        v128.store(out + s, f32x4.mul(as, f32x4.add(one, f32x4.mul(t, f32x4.sub(ds, one)))));
      }
      v128.store(out, v128.bitselect(ax, f32x4.mul(x, unit), none), Local.QX * ROW_BYTES);
      v128.store(out, v128.bitselect(ay, f32x4.mul(y, unit), none), Local.QY * ROW_BYTES);
      v128.store(out, v128.bitselect(az, f32x4.mul(z, unit), none), Local.QZ * ROW_BYTES);
      v128.store(out, v128.bitselect(aw, f32x4.mul(w, unit), none), Local.QW * ROW_BYTES);
    }
    a += GROUP_BYTES;
    b += GROUP_BYTES;
    out += GROUP_BYTES;
    if (reference != 0) reference += GROUP_BYTES;
  }
}

/** s / reference, a zero reference counting as 1. */
@inline
function scaleRatio(s: v128, reference: v128): v128 {
  return f32x4.div(s, v128.bitselect(f32x4.splat(1), reference, f32x4.eq(reference, f32x4.splat(0))));
}

function difference(a: usize, reference: usize, out: usize, groupCount: i32): void {
  for (let g = 0; g < groupCount; g++) {
    const rx = f32x4.neg(v128.load(reference, Local.QX * ROW_BYTES)), ry = f32x4.neg(v128.load(reference, Local.QY * ROW_BYTES));
    const rz = f32x4.neg(v128.load(reference, Local.QZ * ROW_BYTES)), rw = v128.load(reference, Local.QW * ROW_BYTES);
    const ax = v128.load(a, Local.QX * ROW_BYTES), ay = v128.load(a, Local.QY * ROW_BYTES);
    const az = v128.load(a, Local.QZ * ROW_BYTES), aw = v128.load(a, Local.QW * ROW_BYTES);
    const x = mulX(rx, ry, rz, rw, ax, ay, az, aw), y = mulY(rx, ry, rz, rw, ax, ay, az, aw);
    const z = mulZ(rx, ry, rz, rw, ax, ay, az, aw), w = mulW(rx, ry, rz, rw, ax, ay, az, aw);
    const unit = reciprocalRoot(dot4(x, y, z, w, x, y, z, w));
    for (let row: usize = 0; row < 3 * ROW_BYTES; row += ROW_BYTES) {
      const p = row + Local.PX * ROW_BYTES, s = row + Local.SX * ROW_BYTES;
      v128.store(out + p, f32x4.sub(v128.load(a + p), v128.load(reference + p)));
      v128.store(out + s, scaleRatio(v128.load(a + s), v128.load(reference + s)));
    }
    v128.store(out, f32x4.mul(x, unit), Local.QX * ROW_BYTES);
    v128.store(out, f32x4.mul(y, unit), Local.QY * ROW_BYTES);
    v128.store(out, f32x4.mul(z, unit), Local.QZ * ROW_BYTES);
    v128.store(out, f32x4.mul(w, unit), Local.QW * ROW_BYTES);
    a += GROUP_BYTES;
    out += GROUP_BYTES;
    reference += GROUP_BYTES;
  }
}

function mean(inputs: usize, inputCount: i32, fallback: usize, out: usize, groupCount: i32): void {
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  for (let g = 0; g < groupCount; g++) {
    const offset = <usize>g * GROUP_BYTES;

    // The two heaviest inputs of every lane, and how many have weight at all.
    let sum = zero, heavy = zero, second = zero, counted = zero;
    let hx = zero, hy = zero, hz = zero, hw = one;
    let sx = zero, sy = zero, sz = zero, sw = one;
    for (let i = 0; i < inputCount; i++) {
      const input = inputs + <usize>i * BLEND_INPUT_BYTES;
      const pose = <usize>load<u32>(input, 0) + offset;
      const t = laneWeights(load<u32>(input, 4), g, v128.load32_splat(input, 8));
      const qx = v128.load(pose, Local.QX * ROW_BYTES), qy = v128.load(pose, Local.QY * ROW_BYTES);
      const qz = v128.load(pose, Local.QZ * ROW_BYTES), qw = v128.load(pose, Local.QW * ROW_BYTES);
      const first = f32x4.gt(t, heavy);
      const next = v128.andnot(f32x4.gt(t, second), first);
      sx = v128.bitselect(hx, v128.bitselect(qx, sx, next), first);
      sy = v128.bitselect(hy, v128.bitselect(qy, sy, next), first);
      sz = v128.bitselect(hz, v128.bitselect(qz, sz, next), first);
      sw = v128.bitselect(hw, v128.bitselect(qw, sw, next), first);
      second = v128.bitselect(heavy, v128.bitselect(t, second, next), first);
      hx = v128.bitselect(qx, hx, first); hy = v128.bitselect(qy, hy, first);
      hz = v128.bitselect(qz, hz, first); hw = v128.bitselect(qw, hw, first);
      heavy = v128.bitselect(t, heavy, first);
      sum = f32x4.add(sum, t);
      counted = f32x4.add(counted, v128.and(one, f32x4.gt(t, zero)));
    }

    const empty = f32x4.eq(sum, zero);
    const share = f32x4.div(one, v128.bitselect(one, sum, empty));
    let px = zero, py = zero, pz = zero, ax = zero, ay = zero, az = zero, aw = zero, cx = zero, cy = zero, cz = zero;
    for (let i = 0; i < inputCount; i++) {
      const input = inputs + <usize>i * BLEND_INPUT_BYTES;
      const pose = <usize>load<u32>(input, 0) + offset;
      const t = f32x4.mul(laneWeights(load<u32>(input, 4), g, v128.load32_splat(input, 8)), share);
      const qx = v128.load(pose, Local.QX * ROW_BYTES), qy = v128.load(pose, Local.QY * ROW_BYTES);
      const qz = v128.load(pose, Local.QZ * ROW_BYTES), qw = v128.load(pose, Local.QW * ROW_BYTES);
      const signed = v128.xor(t, signBit(dot4(hx, hy, hz, hw, qx, qy, qz, qw)));
      px = f32x4.add(px, f32x4.mul(t, v128.load(pose, Local.PX * ROW_BYTES)));
      py = f32x4.add(py, f32x4.mul(t, v128.load(pose, Local.PY * ROW_BYTES)));
      pz = f32x4.add(pz, f32x4.mul(t, v128.load(pose, Local.PZ * ROW_BYTES)));
      cx = f32x4.add(cx, f32x4.mul(t, v128.load(pose, Local.SX * ROW_BYTES)));
      cy = f32x4.add(cy, f32x4.mul(t, v128.load(pose, Local.SY * ROW_BYTES)));
      cz = f32x4.add(cz, f32x4.mul(t, v128.load(pose, Local.SZ * ROW_BYTES)));
      ax = f32x4.add(ax, f32x4.mul(signed, qx));
      ay = f32x4.add(ay, f32x4.mul(signed, qy));
      az = f32x4.add(az, f32x4.mul(signed, qz));
      aw = f32x4.add(aw, f32x4.mul(signed, qw));
    }

    const pair = f32x4.eq(counted, f32x4.splat(2));
    if (v128.any_true(pair)) {
      const t = f32x4.mul(second, share);
      const cosine = dot4(hx, hy, hz, hw, sx, sy, sz, sw);
      const flip = signBit(cosine);
      const xm1 = f32x4.sub(v128.xor(cosine, flip), one);
      const ws = v128.xor(slerpWeight(t, xm1), flip);
      const wh = slerpWeight(f32x4.sub(one, t), xm1);
      ax = v128.bitselect(f32x4.add(f32x4.mul(hx, wh), f32x4.mul(sx, ws)), ax, pair);
      ay = v128.bitselect(f32x4.add(f32x4.mul(hy, wh), f32x4.mul(sy, ws)), ay, pair);
      az = v128.bitselect(f32x4.add(f32x4.mul(hz, wh), f32x4.mul(sz, ws)), az, pair);
      aw = v128.bitselect(f32x4.add(f32x4.mul(hw, wh), f32x4.mul(sw, ws)), aw, pair);
    }
    // A sum that cancels out has no direction; the heaviest input is the answer then, and where it stands alone.
    const squares = dot4(ax, ay, az, aw, ax, ay, az, aw);
    const heaviest = v128.or(f32x4.lt(squares, f32x4.splat(1e-12)), f32x4.le(counted, one));
    const unit = reciprocalRoot(v128.bitselect(one, squares, heaviest));
    ax = v128.bitselect(hx, f32x4.mul(ax, unit), heaviest);
    ay = v128.bitselect(hy, f32x4.mul(ay, unit), heaviest);
    az = v128.bitselect(hz, f32x4.mul(az, unit), heaviest);
    aw = v128.bitselect(hw, f32x4.mul(aw, unit), heaviest);

    const to = out + offset, from = fallback + offset;
    v128.store(to, v128.bitselect(v128.load(from, Local.PX * ROW_BYTES), px, empty), Local.PX * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.PY * ROW_BYTES), py, empty), Local.PY * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.PZ * ROW_BYTES), pz, empty), Local.PZ * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.QX * ROW_BYTES), ax, empty), Local.QX * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.QY * ROW_BYTES), ay, empty), Local.QY * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.QZ * ROW_BYTES), az, empty), Local.QZ * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.QW * ROW_BYTES), aw, empty), Local.QW * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.SX * ROW_BYTES), cx, empty), Local.SX * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.SY * ROW_BYTES), cy, empty), Local.SY * ROW_BYTES);
    v128.store(to, v128.bitselect(v128.load(from, Local.SZ * ROW_BYTES), cz, empty), Local.SZ * ROW_BYTES);
  }
}
