/**
 * What happens to motions of a page: loops and ends, and the line that progress follows until the next event.
 *
 * Layout   assembly/layout/motion.ts. `events` takes EVENT_BYTES for every motion whose number of loops done changed.
 * Requires columns finite, Duration 0 or above TIME_EPS, Loops infinity or a whole number >= 1, no endless loops of length 0.
 *          The partner of an odd last row may hold anything.
 * Ensures  Time, Done, Until, Origin and Slope of every motion whose Until has come, and Page.Until. Returns the end of the events.
 * Source   closed form: the number of crossed loops is a division, so a step of any length costs the same.
 */
import { Column, EVENT_BYTES, Field, LoopMode, Page, PageFlag, RECORD_BYTES, TIME_EPS } from "../layout/motion";
import { endOf, field, get, read, set, setField, splat, strideOf } from "./columns";

/** Where the clock of a motion that stands started: so long ago that the page's clock is lost beside it. A power of two. */
const LONG_AGO: f64 = -3.273390607896142e150;
/** A page's clock that has come this far is set back, so that it stays exact. */
const MOST_SECONDS: f64 = 4096;
/** Slower than this is not at all. */
const SLOWEST: f64 = 1e-200;

/** One motion at the time `now` of the page's clock, which then goes on from `after`. */
function stepRow(page: usize, record: usize, row: usize, now: f64, after: f64, events: usize): usize {
  const mode = load<i32>(page, Page.Mode);
  const every = load<i32>(page, Page.Flags) & PageFlag.DelayEvery;
  const speed = field(record, Field.Speed), delay = field(record, Field.Delay), duration = field(record, Field.Duration);
  const loops = field(record, Field.Loops), before = field(record, Field.Done);
  const time = max<f64>(0, field(record, Field.Time) + (now - get(row, Column.Origin)) * speed);

  // What comes before each loop, and what before the first.
  const wait: f64 = every ? delay : 0;
  const period = wait + duration;
  const late = time - (delay - wait) + TIME_EPS;
  // A period of length 0 gives infinity, which the number of loops limits.
  const k: f64 = late > 0 ? min<f64>(loops, floor(late / period)) : 0;
  const ended = k == loops;
  // Own time at which loop k begins.
  const begin = delay + k * period;
  const gap = !ended && time + TIME_EPS < begin;
  // Between two loops a restarting motion holds its end; in the other modes the next start is the same value.
  const full = ended || (gap && mode == LoopMode.Restart && k > 0);
  const backward = mode == LoopMode.Yoyo && (<i32><i64>(full ? k - 1 : k) & 1) != 0;

  // Held at an end: the progress is 0, or infinite and limited to 1.
  let own = time, origin = after, slope: f64 = full != backward ? Infinity : 0;
  if (!full && !gap) {
    const start = backward ? begin + duration : begin;
    slope = (backward ? -1 : 1) / duration;
    if (abs(speed) < SLOWEST) {
      origin = LONG_AGO;
      slope = (time - start) * slope / -LONG_AGO;
    } else {
      own = start;
      origin = after - (time - start) / speed;
      slope *= speed;
    }
  }
  setField(record, Field.Time, own);
  set(row, Column.Origin, origin);
  set(row, Column.Slope, slope);
  set(row, Column.Until, after + ((ended ? Infinity : gap ? begin : begin + duration) - TIME_EPS - time) / speed);

  const done = gap && k == 0 ? -1 : k;
  if (done == before) return events;
  setField(record, Field.Done, done);
  store<i32>(events, <i32>field(record, Field.Owner));
  store<i32>(events, i32(ended), 4);
  store<f64>(events, before, 8);
  return events + EVENT_BYTES;
}

/** Moves the clock of a page on by `dt`, and takes care of the motions whose time has come. */
export function stepClock(page: usize, dt: f64, events: usize): usize {
  const now = load<f64>(page, Page.Now) + dt;
  const isFar = now > MOST_SECONDS;
  // Where the clock stands afterwards, and up to where motions are seen to: all of them when it is set back.
  const after = isFar ? 0 : now, limit = isFar ? Infinity : now;
  store<f64>(page, after, Page.Now);
  if (load<f64>(page, Page.Until) > limit) return events;

  const end = endOf(page), stride = strideOf(page);
  // The partner of an odd last row is never due.
  if (load<i32>(page, Page.Rows) & 1) set(end - stride + 8, Column.Until, NaN);
  let next = splat(Infinity);
  let record = page + Page.Records;
  for (let pair = page + Page.Columns; pair < end; pair += stride) {
    if (v128.any_true(f64x2.le(read(pair, Column.Until), splat(limit)))) {
      for (let lane: usize = 0; lane < 2; lane++) {
        const row = pair + (lane << 3);
        if (get(row, Column.Until) <= limit) events = stepRow(page, record + lane * RECORD_BYTES, row, now, after, events);
      }
    }
    next = f64x2.pmin(next, read(pair, Column.Until));
    record += 2 * RECORD_BYTES;
  }
  store<f64>(page, min<f64>(f64x2.extract_lane(next, 0), f64x2.extract_lane(next, 1)), Page.Until);
  return events;
}
