/** Which transition of a state may happen: exit times and conditions. @internal */
import { NO_LENGTH } from "../rig/clip-time.js";
import { mapSyncInPlace } from "../rig/sync-markers.js";
import type { AnimGraph } from "./graph.js";
import type { MachineState, MachineTransition } from "./machine-definition.js";
import { M } from "./machine-numbers.js";
import type { MachineRun } from "./machine-run.js";
import type { AnimStateMachine } from "./state-machine.js";
import { holds } from "./state-machine-conditions.js";

/** The transition that may break off the one under way, -1 if none. */
export function findInterruption(run: MachineRun, taken: MachineTransition): number {
  const by = taken.interruptible, source = run.numbers[M.SOURCE]!;
  if ((by === "source" || by === "both") && source >= 0) {
    const found = findTransition(run, run.definition.states[source]!, false);
    if (found >= 0) return found;
  }
  return by === "destination" || by === "both" ? findTransition(run, run.current!, true) : -1;
}

/** The first transition of `state` that may happen, -1 if none. `timed`: exit times count; those of a source are over. */
export function findTransition(run: MachineRun, state: MachineState, timed: boolean): number {
  const n = run.numbers, transitions = state.transitions, before = n[M.TESTED]!, taken = n[M.TAKEN]!;
  let now: number, loops: boolean;
  if (state.track !== undefined) {
    const duration = state.track.clip.duration;
    now = duration <= NO_LENGTH ? 1 : n[M.STATE_TIME]! / duration;
    loops = state.track.clip.loop && duration > NO_LENGTH;
  } else if (state.graph !== undefined) {
    const { pass } = (run.children[state.index] as AnimGraph).run;
    now = pass[0]! > 0 ? n[M.PASSES]! : 1;
    loops = pass[1] === 1 && pass[0]! > 0;
  } else {
    // A machine inside has passed every point once it is in a state that ends it.
    now = (run.children[state.index] as AnimStateMachine).run.current?.exit === true ? Number.MAX_SAFE_INTEGER : 0;
    loops = false;
  }
  if (timed) n[M.TESTED] = now;
  for (let i = 0; i < transitions.length; i++) {
    const transition = transitions[i]!;
    if (transition.id === taken) continue;
    if (transition.hasExitTime) {
      if (!timed) continue;
      const pass = Math.floor(now - transition.exitTime);
      // A point of the clip lies between the last test and this one, the start of the state included.
      if (loops ? pass < 0 || pass <= Math.floor(before - transition.exitTime) : now < transition.exitTime) continue;
    }
    if (holds(transition.conditions, run.values)) return transition.id;
  }
  return -1;
}

/**
 * Lets a state that was just entered begin where the transition says, in place of its beginning.
 * @param time - clip time of the source, and a place for a number more: in an array, because doubles are boxed otherwise
 */
export function startAtOffset(run: MachineRun, transition: MachineTransition, source: MachineState, time: Float64Array): void {
  const n = run.numbers, { track } = transition.to;
  if (track === undefined || (transition.offset[0] === 0 && !transition.synced)) return;
  const { clip } = track, duration = clip.duration;
  if (duration <= NO_LENGTH) return;
  if (!transition.synced) {
    time[0] = transition.offset[0]! * duration;
  } else if (source.track === undefined) {
    return;
  } else {
    source.track.clip.wrapInPlace(time, source.track.clip.loop);
    time[1] = NaN;
    mapSyncInPlace(source.track.clip, clip, time);
  }
  n[M.CLOCK_A + 2 * n[M.VOICE]!] = time[0]!;
  n[M.STATE_TIME] = time[0]!;
  // Points of the clip before the start were not passed; the start itself counts.
  if (time[0]! > 0) n[M.TESTED] = time[0]! / duration - 1e-9;
}
