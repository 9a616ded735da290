/**
 * Writes world matrices of four lanes as rows of four instances.
 *
 * Layout   pose: bones of BONE_ROWS rows, four lanes. Palette row: per bone a b c d worldX worldY (24 bytes).
 * Requires `pose` 16-byte aligned; `to0` .. `to3` addresses of palette rows (a lane without an instance writes to a row
 *          that nobody reads). `active` 0 or one byte per bone.
 * Ensures  boneCount x 24 bytes at each destination; zeros for inactive bones.
 */
import { highHalves, highPairs, lowHalves, lowPairs } from "../math/transpose";
import { BoneRow, BONE_ROWS, HEADER_ROWS } from "../layout/rig2d";

export function writePalettes(pose: usize, boneCount: i32, active: usize, to0: usize, to1: usize, to2: usize, to3: usize): void {
  let bone = pose + (HEADER_ROWS << 4);
  const zero = i32x4.splat(0);
  for (let i = 0; i < boneCount; i++) {
    if (active != 0 && load<u8>(active + <usize>i) == 0) {
      v128.store(to0, zero); v128.store(to1, zero); v128.store(to2, zero); v128.store(to3, zero);
      store<u64>(to0, 0, 16); store<u64>(to1, 0, 16); store<u64>(to2, 0, 16); store<u64>(to3, 0, 16);
    } else {
      const a = v128.load(bone, BoneRow.A << 4), b = v128.load(bone, BoneRow.B << 4);
      const c = v128.load(bone, BoneRow.C << 4), d = v128.load(bone, BoneRow.D << 4);
      const x = v128.load(bone, BoneRow.WORLD_X << 4), y = v128.load(bone, BoneRow.WORLD_Y << 4);
      // [a0 a1 a2 a3] [b0 ..] [c0 ..] [d0 ..] -> [a0 b0 c0 d0] ...
      const ab01 = lowPairs(a, b), ab23 = highPairs(a, b);
      const cd01 = lowPairs(c, d), cd23 = highPairs(c, d);
      // [x0 y0 x1 y1] [x2 y2 x3 y3]
      const xy01 = lowPairs(x, y), xy23 = highPairs(x, y);
      v128.store(to0, lowHalves(ab01, cd01));
      v128.store(to1, highHalves(ab01, cd01));
      v128.store(to2, lowHalves(ab23, cd23));
      v128.store(to3, highHalves(ab23, cd23));
      v128.store_lane<u64>(to0, xy01, 0, 16);
      v128.store_lane<u64>(to1, xy01, 1, 16);
      v128.store_lane<u64>(to2, xy23, 0, 16);
      v128.store_lane<u64>(to3, xy23, 1, 16);
    }
    bone += BONE_ROWS << 4;
    to0 += 24; to1 += 24; to2 += 24; to3 += 24;
  }
}
