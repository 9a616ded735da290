/**
 * World matrices as three rows of four floats, and palettes of them: the form of crowds, where nobody reads single matrices.
 *
 * Layout   local, parents: layout/rig3d.ts. World: ROWS_BYTES a joint; what stands in front of joint 0 is the placement
 *          of the character, the parent of roots. Inverse binds and palette: ROWS_BYTES a joint.
 * Requires every pointer 16-byte aligned; parents[j] < j; blocks padded to whole groups.
 * Ensures  the bits of composeWorld and composePalette (zeros may differ in sign).
 * Source   rows instead of columns: nine products a matrix instead of twelve, and no lane is wasted.
 */
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";
import { GROUP_BYTES, Local } from "../layout/rig3d";
import { ROWS_BYTES } from "../layout/crowd3d";
import { ROW_BYTES } from "../layout/heap";

/** Row of parent times local: the parent's row at `parent`, the local rows in registers. */
@inline
function productRow(parent: usize, l0: v128, l1: v128, l2: v128): v128 {
  const sum = f32x4.add(
    f32x4.add(f32x4.mul(v128.load32_splat(parent, 0), l0), f32x4.mul(v128.load32_splat(parent, 4), l1)),
    f32x4.mul(v128.load32_splat(parent, 8), l2));
  // The translation of the parent joins the fourth column only.
  return f32x4.add(sum, v128.and(v128.load(parent), i32x4(0, 0, 0, -1)));
}

@inline
function storeJoint(world: usize, parent: usize, l0: v128, l1: v128, l2: v128): void {
  v128.store(world, productRow(parent, l0, l1, l2), 0);
  v128.store(world, productRow(parent + 16, l0, l1, l2), 16);
  v128.store(world, productRow(parent + 32, l0, l1, l2), 32);
}

export function composeWorldRows(local: usize, world: usize, parents: usize, groupCount: i32): void {
  const base = world;
  for (let g = 0; g < groupCount; g++) {
    const qx = v128.load(local, Local.QX * ROW_BYTES), qy = v128.load(local, Local.QY * ROW_BYTES);
    const qz = v128.load(local, Local.QZ * ROW_BYTES), qw = v128.load(local, Local.QW * ROW_BYTES);
    const sx = v128.load(local, Local.SX * ROW_BYTES), sy = v128.load(local, Local.SY * ROW_BYTES);
    const sz = v128.load(local, Local.SZ * ROW_BYTES);
    const px = v128.load(local, Local.PX * ROW_BYTES), py = v128.load(local, Local.PY * ROW_BYTES);
    const pz = v128.load(local, Local.PZ * ROW_BYTES);

    const x2 = f32x4.add(qx, qx), y2 = f32x4.add(qy, qy), z2 = f32x4.add(qz, qz);
    const xx = f32x4.mul(qx, x2), xy = f32x4.mul(qx, y2), xz = f32x4.mul(qx, z2);
    const yy = f32x4.mul(qy, y2), yz = f32x4.mul(qy, z2), zz = f32x4.mul(qz, z2);
    const wx = f32x4.mul(qw, x2), wy = f32x4.mul(qw, y2), wz = f32x4.mul(qw, z2);
    const one = f32x4.splat(1);
    const m00 = f32x4.mul(f32x4.sub(one, f32x4.add(yy, zz)), sx);
    const m10 = f32x4.mul(f32x4.add(xy, wz), sx);
    const m20 = f32x4.mul(f32x4.sub(xz, wy), sx);
    const m01 = f32x4.mul(f32x4.sub(xy, wz), sy);
    const m11 = f32x4.mul(f32x4.sub(one, f32x4.add(xx, zz)), sy);
    const m21 = f32x4.mul(f32x4.add(yz, wx), sy);
    const m02 = f32x4.mul(f32x4.add(xz, wy), sz);
    const m12 = f32x4.mul(f32x4.sub(yz, wx), sz);
    const m22 = f32x4.mul(f32x4.sub(one, f32x4.add(xx, yy)), sz);

    // Per row [a a a a] [b b b b] [c c c c] [p p p p] of four joints -> [a b c p] of each.
    const r0a = lowPairs(m00, m01), r0b = lowPairs(m02, px);
    const r0c = highPairs(m00, m01), r0d = highPairs(m02, px);
    const r1a = lowPairs(m10, m11), r1b = lowPairs(m12, py);
    const r1c = highPairs(m10, m11), r1d = highPairs(m12, py);
    const r2a = lowPairs(m20, m21), r2b = lowPairs(m22, pz);
    const r2c = highPairs(m20, m21), r2d = highPairs(m22, pz);

    storeJoint(world, base + load<i32>(parents, 0) * ROWS_BYTES,
      lowHalves(r0a, r0b), lowHalves(r1a, r1b), lowHalves(r2a, r2b));
    storeJoint(world + ROWS_BYTES, base + load<i32>(parents, 4) * ROWS_BYTES,
      highHalves(r0a, r0b), highHalves(r1a, r1b), highHalves(r2a, r2b));
    storeJoint(world + 2 * ROWS_BYTES, base + load<i32>(parents, 8) * ROWS_BYTES,
      lowHalves(r0c, r0d), lowHalves(r1c, r1d), lowHalves(r2c, r2d));
    storeJoint(world + 3 * ROWS_BYTES, base + load<i32>(parents, 12) * ROWS_BYTES,
      highHalves(r0c, r0d), highHalves(r1c, r1d), highHalves(r2c, r2d));
    local += GROUP_BYTES;
    world += 4 * ROWS_BYTES;
    parents += 16;
  }
}

/** palette[j] = world[bones[j]] times inverseBind[j]. */
export function composeRowPalette(world: usize, bones: usize, inverseBind: usize, palette: usize, jointCount: i32): void {
  for (let j = 0; j < jointCount; j++) {
    const bone = world + load<i32>(bones) * ROWS_BYTES;
    storeJoint(palette, bone, v128.load(inverseBind, 0), v128.load(inverseBind, 16), v128.load(inverseBind, 32));
    bones += 4;
    inverseBind += ROWS_BYTES;
    palette += ROWS_BYTES;
  }
}
