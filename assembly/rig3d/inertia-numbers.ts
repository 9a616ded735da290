/**
 * Inertialisation with its times in memory: callers that pass numbers as arguments have them boxed by some engines.
 *
 * Layout   numbers: four floats { seconds between the displayed poses, seconds between the targets, half-life, seconds of the
 *          step }; poses and states as in layout/rig3d.ts.
 * Requires as inertia.ts.
 * Ensures  as inertia.ts.
 * Source   inertia.ts.
 */
import { applyInertia, startInertia } from "./inertia";

export function startInertiaBy(displayed: usize, before: usize, target: usize, targetNext: usize, state: usize, groupCount: i32, numbers: usize): void {
  startInertia(displayed, before, load<f32>(numbers), target, targetNext, load<f32>(numbers, 4), state, groupCount);
}

export function applyInertiaBy(target: usize, state: usize, out: usize, groupCount: i32, numbers: usize): void {
  applyInertia(target, state, load<f32>(numbers, 8), load<f32>(numbers, 12), out, groupCount);
}
