/**
 * Clocks of one page of motions: time, loop and linear progress.
 *
 * Layout   assembly/layout/motion.ts. `events` takes EVENT_BYTES for every motion whose number of loops done changed.
 * Requires columns finite, Duration 0 or above TIME_EPS, Loops infinity or a whole number >= 1, no endless loops of length 0.
 *          Rows are stepped in pairs; the partner of an odd last row may hold anything.
 * Ensures  Time, Done, and Progress = the ease's argument. Returns the end of the events.
 * Source   closed form: the number of crossed loops is a division, so a step of any length costs the same.
 */
import { Column, EVENT_BYTES, LoopMode, Page, PageFlag, TIME_EPS } from "../layout/motion";
import { read, splat, write } from "./columns";

function emit(page: usize, row: usize, rowsEnd: usize, before: v128, changed: v128, ended: v128, events: usize): usize {
  const owners = page + Page.Owners + (row >> 1);
  if (i64x2.extract_lane(changed, 0)) {
    store<i32>(events, load<i32>(owners));
    store<i32>(events, i32x4.extract_lane(ended, 0), 4);
    store<f64>(events, f64x2.extract_lane(before, 0), 8);
    events += EVENT_BYTES;
  }
  if (i64x2.extract_lane(changed, 1) && row + 8 < rowsEnd) {
    store<i32>(events, load<i32>(owners, 4));
    store<i32>(events, i32x4.extract_lane(ended, 2), 4);
    store<f64>(events, f64x2.extract_lane(before, 1), 8);
    events += EVENT_BYTES;
  }
  return events;
}

export function stepClocks(page: usize, dt: f64, events: usize): usize {
  const rowsEnd = <usize>load<i32>(page, Page.Rows) << 3;
  const mode = load<i32>(page, Page.Mode);
  const every = (load<i32>(page, Page.Flags) & PageFlag.DelayEvery) != 0;
  const step = splat(dt), zero = splat(0), one = splat(1), eps = splat(TIME_EPS);
  for (let row: usize = 0; row < rowsEnd; row += 16) {
    const p = page + row;
    const before = read(p, Column.Done);
    const duration = read(p, Column.Duration);
    const delay = read(p, Column.Delay);
    const loops = read(p, Column.Loops);
    const time = f64x2.pmax(zero, f64x2.add(read(p, Column.Time), f64x2.mul(step, read(p, Column.Speed))));

    // A period of length 0 gives infinity, which the number of loops limits.
    const period = every ? f64x2.add(delay, duration) : duration;
    const origin = every ? time : f64x2.sub(time, delay);
    const late = f64x2.add(origin, eps);
    const k = v128.andnot(
      f64x2.pmin(loops, f64x2.floor(every ? f64x2.div(late, period) : f64x2.mul(late, read(p, Column.Inverse)))), f64x2.lt(late, zero));
    const ended = f64x2.ge(k, loops);
    let a = f64x2.sub(origin, f64x2.mul(k, period));
    if (every) a = f64x2.sub(a, delay);
    const gap = v128.andnot(f64x2.lt(f64x2.add(a, eps), zero), ended);
    const waiting = v128.and(gap, f64x2.eq(k, zero));
    // Between two loops a restarting motion holds its end; in the other modes the next start is the same value.
    const full = mode == LoopMode.Restart ? v128.andnot(v128.or(ended, gap), waiting) : ended;
    let u = v128.bitselect(one, f64x2.pmin(one, f64x2.pmax(zero, f64x2.mul(a, read(p, Column.Inverse)))), full);
    u = v128.bitselect(zero, u, v128.andnot(gap, full));
    if (mode == LoopMode.Yoyo) {
      const loop = f64x2.sub(k, v128.and(one, ended));
      const half = f64x2.mul(loop, splat(0.5));
      u = v128.bitselect(f64x2.sub(one, u), u, f64x2.ne(half, f64x2.floor(half)));
    }
    const done = v128.bitselect(splat(-1), k, waiting);

    write(p, Column.Time, time);
    write(p, Column.Progress, u);
    const changed = f64x2.ne(done, before);
    if (!v128.any_true(changed)) continue;
    write(p, Column.Done, done);
    events = emit(page, row, rowsEnd, before, changed, ended, events);
  }
  return events;
}
