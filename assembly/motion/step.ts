/**
 * Steps pages of motions: clocks, eases, values.
 *
 * Layout   pages as in assembly/layout/motion.ts, 16-byte aligned, linked by Page.Next.
 * Requires `events` has EVENT_BYTES for every motion of the pages.
 * Ensures  every page is at its new time; motions with a custom ease have stopped before the ease (Progress = its argument)
 *          and wait for finishPage. Returns the end of the events.
 * Source   clock.ts, ease.ts, value.ts.
 */
import { Column, EASE_CUSTOM, Field, LoopMode, Page, RECORD_BYTES, ValueKind } from "../layout/motion";
import { MOST_LINE, stepPair } from "./clock";
import { endOf, fields, read, set, splat, strideOf, write } from "./columns";
import { easePair } from "./ease";
import { lerp, valuePair } from "./value";

/** A page's clock that has come this far is set back, so that it stays exact. */
const MOST_SECONDS: f64 = 4096;

/**
 * One page by `dt` seconds. Where the ease is custom, all before it, or what comes after, which is what `finishes` asks for.
 * Returns the end of the events.
 */
function stepPage(page: usize, dt: f64, finishes: bool, events: usize): usize {
  const end = endOf(page), stride = strideOf(page);
  const now = load<f64>(page, Page.Now) + dt;
  const isFar = now > MOST_SECONDS;
  // Where the clock stands afterwards, and up to where motions are due: all of them when it is set back.
  const after = isFar ? 0 : now, limit = finishes ? NaN : isFar ? Infinity : now;
  store<f64>(page, after, Page.Now);
  // The partner of an odd last row is never due.
  if (load<i32>(page, Page.Rows) & 1) set(end - stride + 8, Column.Until, NaN);

  const ease = load<i32>(page, Page.Ease);
  const family = (ease - 1) / 3, variant = (ease - 1) - family * 3;
  // Single numbers, the most frequent kind, without a call.
  const isDirect = load<i32>(page, Page.Components) == 1 && load<i32>(page, Page.Kind) == ValueKind.Lerp && load<i32>(page, Page.Mode) < LoopMode.Flip;
  const a = splat(load<f64>(page, Page.EaseA)), b = splat(load<f64>(page, Page.EaseB)), c = splat(load<f64>(page, Page.EaseC));
  const isYoyo = load<i32>(page, Page.Mode) == LoopMode.Yoyo;
  const clock = splat(after), due = splat(limit), most = splat(isYoyo ? MOST_LINE : 1);
  let record = page + Page.Records;
  for (let pair = page + Page.Columns; pair < end; pair += stride) {
    if (v128.any_true(f64x2.le(read(pair, Column.Until), due))) events = stepPair(page, record, pair, now, after, limit, events);
    // 0 times infinity, at the beginning of a motion that ends there, counts as the most.
    let e = f64x2.pmax(splat(0), f64x2.pmin(most, f64x2.mul(f64x2.sub(clock, read(pair, Column.Origin)), read(pair, Column.Slope))));
    if (isYoyo) {
      // There and back: twice the distance from the nearest whole number.
      e = f64x2.abs(f64x2.sub(e, f64x2.nearest(e)));
      e = f64x2.add(e, e);
    }
    if (finishes) {
      valuePair(page, record, pair, fields(record, Field.Progress));
    } else if (ease == EASE_CUSTOM) {
      v128.store64_lane(record, e, 0, Field.Progress << 3);
      v128.store64_lane(record, e, 1, (Field.Progress << 3) + RECORD_BYTES);
    } else {
      if (ease > 0) e = easePair(family, variant, e, a, b, c);
      if (isDirect) write(pair, Column.From + 2, lerp(e, read(pair, Column.From), read(pair, Column.From + 1)));
      else valuePair(page, record, pair, e);
    }
    record += 2 * RECORD_BYTES;
  }
  return events;
}

export function stepPages(page: usize, dt: f64, events: usize): usize {
  while (page != 0) {
    const next = <usize>load<u32>(page, Page.Next);
    // Memory of the next page is on its way while this one is worked on; it is stored so that the loads have a purpose.
    store<i32>(page, load<i32>(next, Page.Columns) | load<i32>(next, Page.Columns + 128) | load<i32>(next, Page.Columns + 256) | load<i32>(next), Page.Ahead);
    events = stepPage(page, dt, false, events);
    page = next;
  }
  return events;
}

/** Values of a page whose custom ease TypeScript has applied to Progress. */
export function finishPage(page: usize): void {
  stepPage(page, 0, true, 0);
}
