/**
 * Clocks of sprite players between two changes of frame.
 *
 * Layout   SpriteColumn: columns of f64, `stride` bytes apart, one row per player. `crossed` takes one i32 per player.
 * Requires columns 16-byte aligned, rows padded to an even number with Rate 0, Above +infinity, Below -infinity.
 * Ensures  Time += dt * Rate where that stays inside (Below, Above); the other rows are unchanged and their numbers are in
 *          `crossed`, ascending. Returns how many.
 */
import { SpriteColumn } from "../layout/motion";

export function stepSprites(columns: usize, stride: i32, count: i32, dt: f64, crossed: usize): i32 {
  const step = f64x2.splat(dt);
  let end = crossed;
  for (let row = 0; row < count; row += 2) {
    const p = columns + (<usize>row << 3);
    const time = v128.load(p);
    const moved = f64x2.add(time, f64x2.mul(step, v128.load(p + <usize>(stride * SpriteColumn.Rate))));
    const inside = v128.and(
      f64x2.lt(moved, v128.load(p + <usize>(stride * SpriteColumn.Above))), f64x2.gt(moved, v128.load(p + <usize>(stride * SpriteColumn.Below))));
    v128.store(p, v128.bitselect(moved, time, inside));
    if (i64x2.all_true(inside)) continue;
    if (!i32x4.extract_lane(inside, 0)) { store<i32>(end, row); end += 4; }
    if (!i32x4.extract_lane(inside, 2) && row + 1 < count) { store<i32>(end, row + 1); end += 4; }
  }
  return <i32>((end - crossed) >> 2);
}
