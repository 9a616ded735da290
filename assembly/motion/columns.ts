/** Access to the columns of a page; `row` addresses are page + 8 * row. The sums fold into immediate offsets. */
import { Page, COLUMN_BYTES } from "../layout/motion";

@inline
export function read(row: usize, column: i32): v128 {
  return v128.load(row + Page.Columns + <usize>(column * COLUMN_BYTES));
}

@inline
export function write(row: usize, column: i32, value: v128): void {
  v128.store(row + Page.Columns + <usize>(column * COLUMN_BYTES), value);
}

@inline
export function splat(x: f64): v128 {
  return f64x2.splat(x);
}
