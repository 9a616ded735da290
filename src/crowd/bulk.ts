import { INSTANCE_BYTES, type InstanceField } from "../../assembly/layout/crowd.js";
import { RangeMismatchError } from "../errors.js";
import { heap } from "../wasm/heap.js";
import { checkNumbers, finite } from "./checks.js";
import type { Instances } from "./instances.js";

/**
 * Writes `width` floats into the records of consecutive rows.
 * @param least - smallest value that makes sense
 * @throws ArgumentError unless they are a list, RangeMismatchError for rows that are not there and values that are not finite; then
 *   nothing has changed
 */
export function writeRows(instances: Instances, field: InstanceField, width: number, argument: string, values: ArrayLike<number>, firstRow: number, least = -Infinity): void {
  checkNumbers(argument, values);
  const rows = values.length / width;
  if (!Number.isInteger(rows)) throw new RangeMismatchError(`${argument}.length`, values.length, 0, instances.count * width, `Give ${width} values a row.`);
  if (!Number.isInteger(firstRow) || firstRow < 0 || firstRow + rows > instances.count) {
    throw new RangeMismatchError(`${argument}: last row`, firstRow + rows - 1, 0, instances.count - 1, "Rows are those of `palette`.");
  }
  for (let i = 0; i < values.length; i++) {
    if (finite(argument, values[i]!) < least) throw new RangeMismatchError(`${argument}[${i}]`, values[i]!, least, Infinity);
  }
  const { f32 } = heap;
  let at = (instances.at(firstRow) + field) >> 2;
  for (let i = 0; i < values.length; i += width, at += INSTANCE_BYTES >> 2) {
    for (let k = 0; k < width; k++) f32[at + k] = values[i + k]!;
  }
}
