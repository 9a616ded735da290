/**
 * What happens to motions of a page: loops and ends, and the line that progress follows until the next event.
 *
 * Layout   assembly/layout/motion.ts. `events` takes EVENT_BYTES for every motion that starts, ends or, unless its page is silent, begins another loop.
 * Requires columns finite, Duration 0 or above TIME_EPS, Loops infinity or a whole number >= 1, no endless loops of length 0.
 * Ensures  Time, Done, Until, Origin and Slope of those of two motions whose Until is at most `limit`. Returns the end of the events.
 * Source   closed form: the number of crossed loops is a division, so a step of any length costs the same.
 */
import { Column, EVENT_BYTES, Field, LoopMode, Page, PageFlag, RECORD_BYTES, TIME_EPS } from "../layout/motion";
import { field, get, set, setField } from "./columns";

/** Where the clock of a motion that stands started: so long ago that the page's clock is lost beside it. A power of two. */
const LONG_AGO: f64 = -3.273390607896142e150;
/** Loops after which the line of a motion that goes back and forth begins anew, so that it stays exact. */
const MOST_LOOPS: f64 = 4096;
/** How far that line may lead, beyond MOST_LOOPS: a whole number of ways there and back, and one way there. */
export const MOST_LINE: f64 = 4096.5;
/** Slower than this is not at all. */
const SLOWEST: f64 = 1.3064201766302604e-200;

/** One motion at the time `now` of the page's clock, which then goes on from `after`. */
@inline
function stepRow(page: usize, record: usize, row: usize, now: f64, after: f64, events: usize): usize {
  const mode = load<i32>(page, Page.Mode), flags = load<i32>(page, Page.Flags);
  const every = flags & PageFlag.DelayEvery;
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
  // A motion that goes back and forth follows one line through all its loops, half as steep, unless somebody wants to hear of each.
  const isYoyo = mode == LoopMode.Yoyo;
  const backward: f64 = isYoyo ? <f64>(<i32><i64>(full ? k - 1 : k) & 1) : 0;
  const length = duration * (isYoyo && flags & PageFlag.Silent ? min<f64>(loops - k, MOST_LOOPS) : 1);

  let own = time, origin = after, slope: f64;
  if (full || gap) {
    // Held at an end: the progress is 0, or infinite and limited to 1.
    slope = full == (backward == 0) ? Infinity : 0;
  } else {
    const start = begin - backward * duration;
    slope = (isYoyo ? 0.5 : 1) / duration;
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
  set(row, Column.Until, after + ((ended ? Infinity : gap ? begin : begin + length) - TIME_EPS - time) / speed);

  const done = gap && k == 0 ? -1 : k;
  if (done == before) return events;
  setField(record, Field.Done, done);
  if (before >= 0 && !ended && flags & PageFlag.Silent) return events;
  store<i32>(events, <i32>field(record, Field.Owner));
  store<i32>(events, i32(ended), 4);
  store<f64>(events, before, 8);
  return events + EVENT_BYTES;
}

/** Two motions; `record` is the first one's. */
export function stepPair(page: usize, record: usize, pair: usize, now: f64, after: f64, limit: f64, events: usize): usize {
  for (let row = pair; row < pair + 16; row += 8) {
    if (get(row, Column.Until) <= limit) events = stepRow(page, record, row, now, after, events);
    record += RECORD_BYTES;
  }
  return events;
}
