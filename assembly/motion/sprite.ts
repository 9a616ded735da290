/**
 * Clocks of sprite players.
 *
 * Layout   SpriteColumn: columns of f64, `stride` bytes apart, one row per player; SpriteLink: 16 bytes a row. `crossed` takes one
 *          i32 per row.
 * Requires columns 16-byte aligned, rows padded to an even number with Rate 0, Above +infinity, Below -infinity. A row with ENDS has
 *          Rate > 0 and Above = the end of FRAME less TIME_EPS.
 * Ensures  Time += dt * Rate where that stays inside (Below, Above). `crossed` has the numbers of the other rows, ascending, doubled:
 *          plus 1 where the row has gone on to the next frame of the same round, plus 0 where it is as it was. Returns how many.
 */
import { SPRITE_LINK_BYTES, SpriteColumn, SpriteLink, TIME_EPS } from "../layout/motion";

export function stepSprites(columns: usize, stride: i32, count: i32, dt: f64, links: usize, crossed: usize): i32 {
  const step = f64x2.splat(dt);
  let end = crossed;
  for (let row = 0; row < count; row += 2) {
    const p = columns + (<usize>row << 3);
    const time = v128.load(p);
    const moved = f64x2.add(time, f64x2.mul(step, v128.load(p + <usize>(stride * SpriteColumn.Rate))));
    const inside = v128.and(
      f64x2.lt(moved, v128.load(p + <usize>(stride * SpriteColumn.Above))), f64x2.gt(moved, v128.load(p + <usize>(stride * SpriteColumn.Below))));
    v128.store(p, v128.bitselect(moved, time, inside));
    // Written always and kept if it counts: which rows cross is as good as random, a branch would be guessed wrongly.
    store<i32>(end, row << 1);
    end += ~i32x4.extract_lane(inside, 0) & 4;
    store<i32>(end, (row + 1) << 1);
    end += ~i32x4.extract_lane(inside, 2) & 4;
  }
  // A step of 0 moves nothing, also where the way has turned round on the boundary of a frame.
  if (dt > 0) {
    for (let at = crossed; at < end; at += 4) {
      const row = <usize>load<i32>(at) >> 1;
      if (nextFrame(columns + (row << 3), stride, links + row * SPRITE_LINK_BYTES, dt)) store<i32>(at, load<i32>(at) | 1);
    }
  }
  return <i32>((end - crossed) >> 2);
}

/** Goes on to the next frame, if that is all a step does. */
@inline
function nextFrame(row: usize, stride: i32, link: usize, dt: f64): bool {
  const ends = <usize>load<u32>(link, SpriteLink.ENDS);
  if (ends == 0) return false;
  const frame = load<i32>(link, SpriteLink.FRAME) + 1;
  if (frame >= load<i32>(link, SpriteLink.COUNT)) return false;
  const time = load<f64>(row) + dt * load<f64>(row + <usize>(stride * SpriteColumn.Rate));
  const above = load<f64>(ends + (<usize>frame << 3)) - TIME_EPS;
  if (time >= above) return false;
  store<f64>(row, time);
  store<f64>(row + <usize>(stride * SpriteColumn.Above), above);
  store<i32>(link, frame, SpriteLink.FRAME);
  return true;
}
