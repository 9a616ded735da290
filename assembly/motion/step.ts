/**
 * Steps pages of motions: clocks, eases, values.
 *
 * Layout   `pages`: u32 address per page. Pages as in assembly/layout/motion.ts, 16-byte aligned.
 * Requires `events` has EVENT_BYTES for every motion of the pages.
 * Ensures  every page is at its new time; a page with a custom ease has stopped before the ease (Progress = its argument)
 *          and waits for finishPage. Returns the number of events.
 * Source   clock.ts, ease.ts, value.ts.
 */
import { Column, COLUMN_BYTES, EASE_CUSTOM, EVENT_BYTES, Page, PageFlag } from "../layout/motion";
import { stepClocks } from "./clock";
import { easeRows } from "./ease";
import { computeValues } from "./value";

export function stepPages(pages: usize, pageCount: i32, dt: f64, unscaledDt: f64, events: usize): i32 {
  let end = events;
  for (let i = 0; i < pageCount; i++) {
    const page = <usize>load<u32>(pages + (<usize>i << 2));
    end = stepClocks(page, load<i32>(page, Page.Flags) & PageFlag.Unscaled ? unscaledDt : dt, end);
    const ease = load<i32>(page, Page.Ease);
    if (ease == EASE_CUSTOM) continue;
    easeRows(page + Page.Columns + Column.Progress * COLUMN_BYTES, load<i32>(page, Page.Rows), ease,
      load<f64>(page, Page.EaseA), load<f64>(page, Page.EaseB), load<f64>(page, Page.EaseC));
    computeValues(page);
  }
  return <i32>((end - events) / EVENT_BYTES);
}

/** Values of a page whose custom ease TypeScript has applied to Progress. */
export function finishPage(page: usize): void {
  computeValues(page);
}
