import { BetweenField, InstanceField, InstanceFlag } from "../../assembly/layout/crowd.js";
import { heap } from "../wasm/heap.js";

/**
 * Seconds by which the clocks of a character are ahead of what is shown of it: they go on between the poses of a slower update rate, and
 * before workers have posed anybody. As `lagOf` of assembly/rig2d/crowd-shapes.ts has it, but for `ahead`.
 * @param at - its record
 * @param ahead - seconds of an update that is not shown yet, 0 for none
 */
export function lagOf(at: number, ahead: number): number {
  const { f64, u32 } = heap;
  const age = f64[(at + InstanceField.AGE) >> 3]!, interval = f64[(at + InstanceField.INTERVAL) >> 3]!;
  const between = u32[(at + InstanceField.BETWEEN) >> 2]!;
  if (between !== 0 && u32[(between + BetweenField.POSES) >> 2]! > 1) return Math.max(age, interval) + ahead;
  const isDue = ahead > 0 && (u32[(at + InstanceField.FLAGS) >> 2]! & InstanceFlag.DUE) !== 0;
  return isDue ? Math.max(ahead, interval) : age;
}
