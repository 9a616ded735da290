/**
 * World matrices of a pose, and the chain of world rotations.
 *
 * Layout   local, world, rotations, parents as in layout/rig3d.ts. `world` and `rotations` point at joint 0; the identity
 *          stands in front of them.
 * Requires every pointer 16-byte aligned; parents[j] < j; blocks padded to whole groups.
 * Ensures  world[j] = world[parent] T R S for joints first..end-1 (composeWorldRange; padding of whole groups is written too
 *          by composeWorld), bottom rows 0 0 0 1. Any split into ranges gives the same bits.
 * Source   rotation matrix of a unit quaternion; matrices (not TRS triples) are multiplied, so shear under non-uniform scale
 *          is kept as renderers expect.
 */
import { GROUP_BYTES, Local, MATRIX_BYTES, QUATERNION_BYTES } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";

/** world = parent * local for one joint of a group, whose local matrix lies in lane `lane` of twelve registers. */
@inline
function multiplyByParent(
  world: usize, parent: usize, lane: u8,
  m00: v128, m10: v128, m20: v128, m01: v128, m11: v128, m21: v128, m02: v128, m12: v128, m22: v128,
  px: v128, py: v128, pz: v128,
): void {
  const c0 = v128.load(parent, 0);
  const c1 = v128.load(parent, 16);
  const c2 = v128.load(parent, 32);
  const c3 = v128.load(parent, 48);

  v128.store(world, column(c0, c1, c2, pick(m00, lane), pick(m10, lane), pick(m20, lane)), 0);
  v128.store(world, column(c0, c1, c2, pick(m01, lane), pick(m11, lane), pick(m21, lane)), 16);
  v128.store(world, column(c0, c1, c2, pick(m02, lane), pick(m12, lane), pick(m22, lane)), 32);
  v128.store(world, f32x4.add(column(c0, c1, c2, pick(px, lane), pick(py, lane), pick(pz, lane)), c3), 48);
}

@inline
function column(c0: v128, c1: v128, c2: v128, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(c0, x), f32x4.mul(c1, y)), f32x4.mul(c2, z));
}

/** [k k k k] of a register, k = lane. */
@inline
function pick(a: v128, lane: u8): v128 {
  if (lane == 0) return v128.shuffle<f32>(a, a, 0, 0, 0, 0);
  if (lane == 1) return v128.shuffle<f32>(a, a, 1, 1, 1, 1);
  if (lane == 2) return v128.shuffle<f32>(a, a, 2, 2, 2, 2);
  return v128.shuffle<f32>(a, a, 3, 3, 3, 3);
}

/** Joints first..end-1 of one group; both are offsets in the group, 0..4. */
@inline
function composeGroup(pose: usize, world: usize, parents: usize, worldBase: usize, first: i32, end: i32): void {
  const qx = v128.load(pose, Local.QX * ROW_BYTES);
  const qy = v128.load(pose, Local.QY * ROW_BYTES);
  const qz = v128.load(pose, Local.QZ * ROW_BYTES);
  const qw = v128.load(pose, Local.QW * ROW_BYTES);
  const sx = v128.load(pose, Local.SX * ROW_BYTES);
  const sy = v128.load(pose, Local.SY * ROW_BYTES);
  const sz = v128.load(pose, Local.SZ * ROW_BYTES);
  const px = v128.load(pose, Local.PX * ROW_BYTES);
  const py = v128.load(pose, Local.PY * ROW_BYTES);
  const pz = v128.load(pose, Local.PZ * ROW_BYTES);

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

  if (first <= 0 && end > 0) {
    multiplyByParent(world, worldBase + (load<i32>(parents, 0) << 6), 0, m00, m10, m20, m01, m11, m21, m02, m12, m22, px, py, pz);
  }
  if (first <= 1 && end > 1) {
    multiplyByParent(world + 64, worldBase + (load<i32>(parents, 4) << 6), 1, m00, m10, m20, m01, m11, m21, m02, m12, m22, px, py, pz);
  }
  if (first <= 2 && end > 2) {
    multiplyByParent(world + 128, worldBase + (load<i32>(parents, 8) << 6), 2, m00, m10, m20, m01, m11, m21, m02, m12, m22, px, py, pz);
  }
  if (first <= 3 && end > 3) {
    multiplyByParent(world + 192, worldBase + (load<i32>(parents, 12) << 6), 3, m00, m10, m20, m01, m11, m21, m02, m12, m22, px, py, pz);
  }
}

/** World matrices of all joints; whole groups, so padding joints are written as well. */
export function composeWorld(local: usize, world: usize, parents: usize, groupCount: i32): void {
  assert(((local | world | parents) & 15) == 0, "blocks must be 16-byte aligned");
  const base = world;
  for (let g = 0; g < groupCount; g++) {
    composeGroup(local, world, parents, base, 0, 4);
    local += GROUP_BYTES;
    world += 4 * MATRIX_BYTES;
    parents += 16;
  }
}

/** World matrices of joints first..end-1 only; what lies before them must be solved where they depend on it. */
export function composeWorldRange(local: usize, world: usize, parents: usize, first: i32, end: i32): void {
  assert(((local | world | parents) & 15) == 0, "blocks must be 16-byte aligned");
  const base = world;
  for (let joint = first & ~3; joint < end; joint += 4) {
    const group = <usize>(joint >> 2);
    composeGroup(
      local + group * GROUP_BYTES, world + group * (4 * MATRIX_BYTES), parents + (group << 4), base,
      first - joint, end - joint);
  }
}

/**
 * World rotations of joints first..end-1: R[j] = normalise(R[parent] q[j]), independent of scale.
 * One joint at a time: the chain is a dependency anyway, and only readers of rotations ask for it.
 */
export function composeRotations(local: usize, rotations: usize, parents: usize, first: i32, end: i32): void {
  for (let joint = first; joint < end; joint++) {
    const pose = local + <usize>(joint >> 2) * GROUP_BYTES + (<usize>(joint & 3) << 2);
    const parent = rotations + (load<i32>(parents + (<usize>joint << 2)) << 4);
    const out = rotations + <usize>joint * QUATERNION_BYTES;
    const bx = load<f32>(pose, Local.QX * ROW_BYTES), by = load<f32>(pose, Local.QY * ROW_BYTES);
    const bz = load<f32>(pose, Local.QZ * ROW_BYTES), bw = load<f32>(pose, Local.QW * ROW_BYTES);
    const ax = load<f32>(parent, 0), ay = load<f32>(parent, 4), az = load<f32>(parent, 8), aw = load<f32>(parent, 12);

    const x = (aw * bx + ax * bw) + (ay * bz - az * by);
    const y = (aw * by + ay * bw) + (az * bx - ax * bz);
    const z = (aw * bz + az * bw) + (ax * by - ay * bx);
    const w = (aw * bw - ax * bx) - (ay * by + az * bz);
    const scale = <f32>1 / Mathf.sqrt((x * x + y * y) + (z * z + w * w));

    store<f32>(out, x * scale, 0);
    store<f32>(out, y * scale, 4);
    store<f32>(out, z * scale, 8);
    store<f32>(out, w * scale, 12);
  }
}
