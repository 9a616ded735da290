/**
 * Mirrors a local pose: every bone does on its side what its counterpart did on the other.
 *
 * Layout   poses as in layout/rig3d.ts; records: layout/rig3d.ts, "Mirror".
 * Requires pointers 16-byte aligned; `from` and `to` do not overlap; rotations of unit length, those of the records too.
 * Ensures  all lanes of `to` are written; rotations of unit length within 1e-6.
 * Source   m the counterpart, P and B the bind rotations in model space of a bone's parent and of the bone, i the half turn
 *          about the normal of the plane (conjugation with i mirrors a rotation, -i v i* a vector). The turn of a bone away
 *          from its bind pose is, in model axes, P q B*, its move away P (p - bind). Mirrored and taken back:
 *            q' = (P* i P_m) q_m (B_m* i* B),  p' = bind - (P* i P_m) (p_m - bind_m) (P* i P_m)*
 */
import { GROUP_BYTES, Local, Mirror, MIRROR_GROUP_BYTES } from "../layout/rig3d";
import { ROW_BYTES } from "../layout/heap";
import { dot4, mulW, mulX, mulY, mulZ, reciprocalRootNearOne } from "../math/quaternion";

/** One row of the counterparts of a group: a lane from each of four places. */
@inline
function gathered(pose: usize, record: usize, row: usize): v128 {
  let lanes = v128.load32_zero(pose + load<u32>(record, Mirror.FROM * ROW_BYTES) + row);
  lanes = v128.load_lane<f32>(pose + load<u32>(record, Mirror.FROM * ROW_BYTES + 4) + row, lanes, 1);
  lanes = v128.load_lane<f32>(pose + load<u32>(record, Mirror.FROM * ROW_BYTES + 8) + row, lanes, 2);
  return v128.load_lane<f32>(pose + load<u32>(record, Mirror.FROM * ROW_BYTES + 12) + row, lanes, 3);
}

@inline
function moved(pose: usize, bind: usize, record: usize, row: usize): v128 {
  return f32x4.sub(gathered(pose, record, row), gathered(bind, record, row));
}

export function mirrorPose(from: usize, to: usize, bind: usize, records: usize, groupCount: i32): void {
  assert(((from | to | bind | records) & 15) == 0, "poses must be 16-byte aligned");
  for (let g = 0; g < groupCount; g++) {
    const own = bind + <usize>g * GROUP_BYTES;
    const lx = v128.load(records, Mirror.LX * ROW_BYTES), ly = v128.load(records, Mirror.LY * ROW_BYTES);
    const lz = v128.load(records, Mirror.LZ * ROW_BYTES), lw = v128.load(records, Mirror.LW * ROW_BYTES);
    const rx = v128.load(records, Mirror.RX * ROW_BYTES), ry = v128.load(records, Mirror.RY * ROW_BYTES);
    const rz = v128.load(records, Mirror.RZ * ROW_BYTES), rw = v128.load(records, Mirror.RW * ROW_BYTES);
    const qx = gathered(from, records, Local.QX * ROW_BYTES), qy = gathered(from, records, Local.QY * ROW_BYTES);
    const qz = gathered(from, records, Local.QZ * ROW_BYTES), qw = gathered(from, records, Local.QW * ROW_BYTES);
    const dx = moved(from, bind, records, Local.PX * ROW_BYTES), dy = moved(from, bind, records, Local.PY * ROW_BYTES);
    const dz = moved(from, bind, records, Local.PZ * ROW_BYTES);

    const ax = mulX(lx, ly, lz, lw, qx, qy, qz, qw), ay = mulY(lx, ly, lz, lw, qx, qy, qz, qw);
    const az = mulZ(lx, ly, lz, lw, qx, qy, qz, qw), aw = mulW(lx, ly, lz, lw, qx, qy, qz, qw);
    const x = mulX(ax, ay, az, aw, rx, ry, rz, rw), y = mulY(ax, ay, az, aw, rx, ry, rz, rw);
    const z = mulZ(ax, ay, az, aw, rx, ry, rz, rw), w = mulW(ax, ay, az, aw, rx, ry, rz, rw);
    const unit = reciprocalRootNearOne(dot4(x, y, z, w, x, y, z, w));

    // L d L* = d + 2 l x (l x d + w d)
    const two = f32x4.splat(2);
    const cx = f32x4.add(f32x4.sub(f32x4.mul(ly, dz), f32x4.mul(lz, dy)), f32x4.mul(lw, dx));
    const cy = f32x4.add(f32x4.sub(f32x4.mul(lz, dx), f32x4.mul(lx, dz)), f32x4.mul(lw, dy));
    const cz = f32x4.add(f32x4.sub(f32x4.mul(lx, dy), f32x4.mul(ly, dx)), f32x4.mul(lw, dz));
    const tx = f32x4.add(dx, f32x4.mul(two, f32x4.sub(f32x4.mul(ly, cz), f32x4.mul(lz, cy))));
    const ty = f32x4.add(dy, f32x4.mul(two, f32x4.sub(f32x4.mul(lz, cx), f32x4.mul(lx, cz))));
    const tz = f32x4.add(dz, f32x4.mul(two, f32x4.sub(f32x4.mul(lx, cy), f32x4.mul(ly, cx))));

    v128.store(to, f32x4.sub(v128.load(own, Local.PX * ROW_BYTES), tx), Local.PX * ROW_BYTES);
    v128.store(to, f32x4.sub(v128.load(own, Local.PY * ROW_BYTES), ty), Local.PY * ROW_BYTES);
    v128.store(to, f32x4.sub(v128.load(own, Local.PZ * ROW_BYTES), tz), Local.PZ * ROW_BYTES);
    v128.store(to, f32x4.mul(x, unit), Local.QX * ROW_BYTES);
    v128.store(to, f32x4.mul(y, unit), Local.QY * ROW_BYTES);
    v128.store(to, f32x4.mul(z, unit), Local.QZ * ROW_BYTES);
    v128.store(to, f32x4.mul(w, unit), Local.QW * ROW_BYTES);
    v128.store(to, gathered(from, records, Local.SX * ROW_BYTES), Local.SX * ROW_BYTES);
    v128.store(to, gathered(from, records, Local.SY * ROW_BYTES), Local.SY * ROW_BYTES);
    v128.store(to, gathered(from, records, Local.SZ * ROW_BYTES), Local.SZ * ROW_BYTES);
    to += GROUP_BYTES;
    records += MIRROR_GROUP_BYTES;
  }
}
