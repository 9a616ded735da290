/**
 * Access to the columns and records of a page. A pair is the address of two rows' columns, a row that of one of them: the pair, or
 * 8 bytes on. The sums fold into immediate offsets.
 */
import { COLUMN_BYTES, Page, RECORD_BYTES } from "../layout/motion";

@inline
export function read(pair: usize, column: i32): v128 {
  return v128.load(pair + <usize>(column * COLUMN_BYTES));
}

@inline
export function write(pair: usize, column: i32, value: v128): void {
  v128.store(pair + <usize>(column * COLUMN_BYTES), value);
}

/** One value of a column. */
@inline
export function get(row: usize, column: i32): f64 {
  return load<f64>(row + <usize>(column * COLUMN_BYTES));
}

@inline
export function set(row: usize, column: i32, value: f64): void {
  store<f64>(row + <usize>(column * COLUMN_BYTES), value);
}

/** Bytes from pair to pair. */
@inline
export function strideOf(page: usize): usize {
  return <usize>load<i32>(page, Page.Stride) << 3;
}

/** Where the pairs end. */
@inline
export function endOf(page: usize): usize {
  return page + Page.Columns + <usize>((load<i32>(page, Page.Rows) + 1) >> 1) * strideOf(page);
}

@inline
export function field(record: usize, index: i32): f64 {
  return load<f64>(record + <usize>(index << 3));
}

@inline
export function setField(record: usize, index: i32, value: f64): void {
  store<f64>(record + <usize>(index << 3), value);
}

/** A number of two neighbouring records. */
@inline
export function fields(record: usize, index: i32): v128 {
  return v128.load64_lane(record + <usize>(index << 3) + RECORD_BYTES, v128.load64_zero(record + <usize>(index << 3)), 1);
}

@inline
export function splat(x: f64): v128 {
  return f64x2.splat(x);
}
