/**
 * Samples a clip whose animated tracks share one time table: two row reads and straight-line code a group.
 *
 * Layout   descriptor, table groups, rows: layout/rig3d.ts. `bind`, `bindStride`, `live`: as in sample-keys.ts.
 * Requires every pointer 16-byte aligned; time finite.
 * Ensures  out: `groupCount` groups, equal to those of the keyed form within 1e-6. Weight 0 gives the keys' bits.
 * Source   lerp; slerp with one weight for all joints, as a polynomial in (dot product - 1).
 */
import {
  CLIP_FLAGS, CLIP_GROUP_COUNT, CLIP_GROUPS, CLIP_LAST_FRAME, CLIP_NEAR, CLIP_RATE, CLIP_ROW_BYTES, CLIP_ROWS, CLIP_START, CLIP_TABLES,
  GROUP_BYTES, Local, TABLE_GROUP_BYTES, TABLE_GROUP_CONSTANTS, TABLE_GROUP_MASKS, TableGroup,
} from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, lerp, reciprocalRootNearOne, signBit, slerpFactor, slerpLastFactor } from "../math/quaternion";
import { copyRows3, locate } from "./sample-keys";

/** Coefficients of y .. y^8 of a slerp weight, splatted, at `to` (16 bytes each). */
export const SLERP_COEFFICIENT_BYTES = 128;

function writeCoefficients(t: f32, to: usize): void {
  const tt = t * t;
  let c = t;
  for (let n = 1; n <= 7; n++) {
    c *= slerpFactor(<f32>n, tt);
    v128.store(to + (<usize>(n - 1) << 4), f32x4.splat(c));
  }
  v128.store(to + (7 << 4), f32x4.splat(c * slerpLastFactor(tt)));
}

/** Weight polynomial of eight terms; coefficients in memory. */
@inline
function weightFar(t: v128, c: usize, y: v128): v128 {
  let w = f32x4.add(v128.load(c, 96), f32x4.mul(v128.load(c, 112), y));
  w = f32x4.add(v128.load(c, 80), f32x4.mul(w, y));
  w = f32x4.add(v128.load(c, 64), f32x4.mul(w, y));
  w = f32x4.add(v128.load(c, 48), f32x4.mul(w, y));
  w = f32x4.add(v128.load(c, 32), f32x4.mul(w, y));
  w = f32x4.add(v128.load(c, 16), f32x4.mul(w, y));
  w = f32x4.add(v128.load(c, 0), f32x4.mul(w, y));
  return f32x4.add(t, f32x4.mul(w, y));
}

/** Three terms: for rotations at most 30 degrees apart. */
@inline
function weightNear(t: v128, c1: v128, c2: v128, c3: v128, y: v128): v128 {
  return f32x4.add(t, f32x4.mul(f32x4.add(c1, f32x4.mul(f32x4.add(c2, f32x4.mul(c3, y)), y)), y));
}

@inline
function storeMasked(out: usize, bind: usize, value: v128, mask: v128): void {
  v128.store(out, v128.bitselect(value, v128.load(bind), mask));
}

/** `scratch`: 16 bytes of segment, then room for two sets of coefficients. */
export function sampleTable(
  clip: usize, time: f64, scratch: usize, bind: usize, bindStride: usize, live: usize, out: usize, groupCount: i32,
): void {
  const tables: usize = load<u32>(clip, CLIP_TABLES);
  const last = load<i32>(clip, CLIP_LAST_FRAME);
  // The table is regular as a rule, so the place can be computed; the search only corrects it.
  const guess = <i32>min<f64>(<f64>last, max<f64>(0, (time - load<f64>(clip, CLIP_START)) * load<f64>(clip, CLIP_RATE)));
  store<i32>(scratch, guess > 0 ? guess - 1 : 0);
  locate(load<u32>(tables, 0), load<i32>(tables, 4), time, scratch);
  const frame = load<i32>(scratch, 0);
  const u = load<f32>(scratch, 4);
  const rowBytes = load<i32>(clip, CLIP_ROW_BYTES);
  let a: usize = load<u32>(clip, CLIP_ROWS) + frame * rowBytes;
  let b: usize = u == 0 ? a : a + rowBytes;

  const near = (load<i32>(clip, CLIP_FLAGS) & CLIP_NEAR) != 0;
  const one = f32x4.splat(1), t = f32x4.splat(u), s = f32x4.splat(<f32>1 - u);
  const exact = f32x4.eq(t, f32x4.splat(0));
  const forT = scratch + 16, forS = forT + SLERP_COEFFICIENT_BYTES;
  writeCoefficients(u, forT);
  writeCoefficients(<f32>1 - u, forS);
  const t1 = v128.load(forT, 0), t2 = v128.load(forT, 16), t3 = v128.load(forT, 32);
  const s1 = v128.load(forS, 0), s2 = v128.load(forS, 16), s3 = v128.load(forS, 32);

  let group: usize = load<u32>(clip, CLIP_GROUPS);
  const tableGroups = load<i32>(clip, CLIP_GROUP_COUNT);
  for (let g = 0; g < groupCount; g++) {
    const flags = g < tableGroups ? load<u32>(group) : 0;
    const alive = live != 0 ? v128.load(live + (<usize>g << 4)) : i32x4.splat(-1);
    const plain = live == 0 && !(flags & TableGroup.PARTIAL);

    if (flags & (TableGroup.POSITION_MOVES | TableGroup.POSITION_CONSTANT)) {
      const moves = (flags & TableGroup.POSITION_MOVES) != 0;
      const constant = group + TABLE_GROUP_CONSTANTS;
      const x = moves ? lerp(v128.load(a, 0), v128.load(b, 0), t) : v128.load(constant, 0);
      const y = moves ? lerp(v128.load(a, 16), v128.load(b, 16), t) : v128.load(constant, 16);
      const z = moves ? lerp(v128.load(a, 32), v128.load(b, 32), t) : v128.load(constant, 32);
      if (moves) { a += 48; b += 48; }
      if (plain) {
        v128.store(out, x, Local.PX * ROW_BYTES);
        v128.store(out, y, Local.PY * ROW_BYTES);
        v128.store(out, z, Local.PZ * ROW_BYTES);
      } else {
        const mask = v128.and(alive, v128.load(group, TABLE_GROUP_MASKS));
        storeMasked(out + Local.PX * ROW_BYTES, bind + Local.PX * ROW_BYTES, x, mask);
        storeMasked(out + Local.PY * ROW_BYTES, bind + Local.PY * ROW_BYTES, y, mask);
        storeMasked(out + Local.PZ * ROW_BYTES, bind + Local.PZ * ROW_BYTES, z, mask);
      }
    } else {
      copyRows3(out, bind, Local.PX * ROW_BYTES);
    }

    if (flags & (TableGroup.ROTATION_MOVES | TableGroup.ROTATION_CONSTANT)) {
      let x: v128, y: v128, z: v128, w: v128;
      if (flags & TableGroup.ROTATION_MOVES) {
        const ax = v128.load(a, 0), ay = v128.load(a, 16), az = v128.load(a, 32), aw = v128.load(a, 48);
        const bx = v128.load(b, 0), by = v128.load(b, 16), bz = v128.load(b, 32), bw = v128.load(b, 48);
        const cosine = dot4(ax, ay, az, aw, bx, by, bz, bw);
        const flip = signBit(cosine);
        const d = f32x4.sub(v128.xor(cosine, flip), one);
        const wb = v128.xor(near ? weightNear(t, t1, t2, t3, d) : weightFar(t, forT, d), flip);
        const wa = near ? weightNear(s, s1, s2, s3, d) : weightFar(s, forS, d);
        x = f32x4.add(f32x4.mul(ax, wa), f32x4.mul(bx, wb));
        y = f32x4.add(f32x4.mul(ay, wa), f32x4.mul(by, wb));
        z = f32x4.add(f32x4.mul(az, wa), f32x4.mul(bz, wb));
        w = f32x4.add(f32x4.mul(aw, wa), f32x4.mul(bw, wb));
        const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));
        x = v128.bitselect(ax, f32x4.mul(x, unit), exact);
        y = v128.bitselect(ay, f32x4.mul(y, unit), exact);
        z = v128.bitselect(az, f32x4.mul(z, unit), exact);
        w = v128.bitselect(aw, f32x4.mul(w, unit), exact);
        a += 64;
        b += 64;
      } else {
        const constant = group + TABLE_GROUP_CONSTANTS + 48;
        x = v128.load(constant, 0);
        y = v128.load(constant, 16);
        z = v128.load(constant, 32);
        w = v128.load(constant, 48);
      }
      if (plain) {
        v128.store(out, x, Local.QX * ROW_BYTES);
        v128.store(out, y, Local.QY * ROW_BYTES);
        v128.store(out, z, Local.QZ * ROW_BYTES);
        v128.store(out, w, Local.QW * ROW_BYTES);
      } else {
        const mask = v128.and(alive, v128.load(group, TABLE_GROUP_MASKS + 16));
        storeMasked(out + Local.QX * ROW_BYTES, bind + Local.QX * ROW_BYTES, x, mask);
        storeMasked(out + Local.QY * ROW_BYTES, bind + Local.QY * ROW_BYTES, y, mask);
        storeMasked(out + Local.QZ * ROW_BYTES, bind + Local.QZ * ROW_BYTES, z, mask);
        storeMasked(out + Local.QW * ROW_BYTES, bind + Local.QW * ROW_BYTES, w, mask);
      }
    } else {
      copyRows3(out, bind, Local.QX * ROW_BYTES);
      v128.store(out, v128.load(bind, Local.QW * ROW_BYTES), Local.QW * ROW_BYTES);
    }

    if (flags & (TableGroup.SCALE_MOVES | TableGroup.SCALE_CONSTANT)) {
      const moves = (flags & TableGroup.SCALE_MOVES) != 0;
      const constant = group + TABLE_GROUP_CONSTANTS + 112;
      const x = moves ? lerp(v128.load(a, 0), v128.load(b, 0), t) : v128.load(constant, 0);
      const y = moves ? lerp(v128.load(a, 16), v128.load(b, 16), t) : v128.load(constant, 16);
      const z = moves ? lerp(v128.load(a, 32), v128.load(b, 32), t) : v128.load(constant, 32);
      if (moves) { a += 48; b += 48; }
      if (plain) {
        v128.store(out, x, Local.SX * ROW_BYTES);
        v128.store(out, y, Local.SY * ROW_BYTES);
        v128.store(out, z, Local.SZ * ROW_BYTES);
      } else {
        const mask = v128.and(alive, v128.load(group, TABLE_GROUP_MASKS + 32));
        storeMasked(out + Local.SX * ROW_BYTES, bind + Local.SX * ROW_BYTES, x, mask);
        storeMasked(out + Local.SY * ROW_BYTES, bind + Local.SY * ROW_BYTES, y, mask);
        storeMasked(out + Local.SZ * ROW_BYTES, bind + Local.SZ * ROW_BYTES, z, mask);
      }
    } else {
      copyRows3(out, bind, Local.SX * ROW_BYTES);
    }
    group += TABLE_GROUP_BYTES;
    bind += bindStride;
    out += GROUP_BYTES;
  }
}
