/** How the clips of a blend space advance together. @internal */
import type { AnimClip } from "../rig/clip.js";
import { haveCompatibleMarkers, mapSyncInPlace, usableMarkers } from "../rig/sync-markers.js";
import type { GraphDefinition } from "./definition.js";
import { type GraphNode, NO_LENGTH, NodeKind, NodeNumber } from "./node.js";

// Typed arrays, so that numbers cross calls without being boxed.
/** Time in the leader, where the follower is; replaced by the time in the follower. */
const IO = /* @__PURE__ */ new Float64Array(2);
const WRAP = /* @__PURE__ */ new Float64Array(1);
/** Passes of the space before the step, passes of the step. */
const PHASE = /* @__PURE__ */ new Float64Array(2);

/**
 * Sets how far the clips that `space` drives go in a step, in `definition.seconds` and `rate`, and what one pass takes in
 * `definition.seconds` of the space: the weighted mean of what the clips take.
 *
 * "phase": all clips are at the same share of their length. "markers": the heaviest clip leads and the others go to the time
 * that corresponds to it; of clips of different numbers of steps those with corresponding markers count as that many passes.
 * @param weights - of the points; step[0] - real seconds
 */
export function advanceSpace(definition: GraphDefinition, space: GraphNode, numbers: Float64Array, weights: Float64Array, step: Float64Array): void {
  const leader = space.sync === "markers" ? leaderOf(space, weights) : undefined, inputs = space.inputs;
  let sum = 0, seconds = 0;
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!, weight = weights[i]!;
    if (input.kind !== NodeKind.CLIP || weight <= 0) continue;
    const duration = input.track!.clip.duration;
    sum += weight;
    if (duration <= NO_LENGTH) continue;
    let pass = duration / numbers[input.at + NodeNumber.SPEED]!;
    if (leader !== undefined && input !== leader && haveCompatibleMarkers(leader.track!.clip, input.track!.clip)) {
      // Passes of this clip that go with one of the leader.
      pass *= usableMarkers(leader.track!.clip) / usableMarkers(input.track!.clip);
    }
    seconds += weight * pass;
  }
  const at = space.at + NodeNumber.TIME;
  PHASE[0] = numbers[at]!;
  PHASE[1] = seconds > 0 ? (step[0]! * sum) / seconds : 0;
  definition.seconds[space.index] = sum > 0 ? seconds / sum : 0;
  if (space.sync === "none") return;
  numbers[at] = PHASE[0]! + PHASE[1]!;
  if (leader === undefined) followPhase(definition, space, numbers, step);
  else followLeader(definition, space, leader, numbers, step);
}

function followPhase(definition: GraphDefinition, space: GraphNode, numbers: Float64Array, step: Float64Array): void {
  const before = PHASE[0]!, after = numbers[space.at + NodeNumber.TIME]!, dt = step[0]!, inputs = space.inputs;
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!, index = input.index;
    if (input.kind !== NodeKind.CLIP || input.driver !== space) continue;
    const clip = input.track!.clip, duration = clip.duration, at = input.at;
    let seconds: number;
    if (duration <= NO_LENGTH) {
      seconds = dt * numbers[at + NodeNumber.SPEED]!;
    } else {
      const from = (clip.loop ? before : Math.min(1, before)) * duration;
      // The clip was edited, or is new here. Else the clock stays as it is, rounding included, so that no event is passed
      // twice or not at all.
      if (Math.abs(numbers[at + NodeNumber.TIME]! - from) > 1e-6 * (duration + from)) numbers[at + NodeNumber.TIME] = from;
      seconds = Math.max(0, (clip.loop ? after : Math.min(1, after)) * duration - numbers[at + NodeNumber.TIME]!);
    }
    definition.seconds[index] = seconds;
    definition.rate[index] = dt > 0 ? seconds / dt : 0;
  }
}

function followLeader(definition: GraphDefinition, space: GraphNode, leader: GraphNode, numbers: Float64Array, step: Float64Array): void {
  const dt = step[0]!, share = PHASE[1]!, inputs = space.inputs, leading = leader.track!.clip, leaderAt = leader.at + NodeNumber.TIME;
  const leaderSeconds = leading.duration <= NO_LENGTH ? dt : share * leading.duration;
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!, index = input.index;
    if (input.kind !== NodeKind.CLIP || input.driver !== space) continue;
    const clip = input.track!.clip, at = input.at;
    if (input !== leader && numbers[at + NodeNumber.FRESH] === 1 && dt > 0) {
      // New here: begins where the leader is, instead of running there.
      IO[0] = numbers[leaderAt]!;
      wrap(leading, IO);
      IO[1] = NaN;
      mapSyncInPlace(leading, clip, IO);
      numbers[at + NodeNumber.TIME] = IO[0]!;
    }
    let seconds = leaderSeconds;
    if (input !== leader) {
      IO[0] = numbers[leaderAt]! + leaderSeconds;
      wrap(leading, IO);
      WRAP[0] = numbers[at + NodeNumber.TIME]!;
      clip.wrapInPlace(WRAP, clip.loop);
      IO[1] = WRAP[0]!;
      mapSyncInPlace(leading, clip, IO);
      seconds = IO[0]! - WRAP[0]!;
      // Without a step nothing moves, rounding included. Forward, through the end if need be. A hair behind is rounding; a clip that does not loop waits.
      if (dt <= 0) {
        seconds = 0;
      } else if (clip.loop && clip.duration > NO_LENGTH) {
        seconds -= Math.floor(seconds / clip.duration) * clip.duration;
        if (clip.duration - seconds < 1e-6 * clip.duration) seconds = 0;
      } else if (seconds < 0) {
        seconds = 0;
      }
    }
    definition.seconds[index] = seconds;
    definition.rate[index] = dt > 0 ? seconds / dt : 0;
  }
}

function wrap(clip: AnimClip, io: Float64Array): void {
  clip.wrapInPlace(io, clip.loop);
}

/** The heaviest clip that the space drives, the earlier of equals; undefined if it drives none with weight. */
function leaderOf(space: GraphNode, weights: Float64Array): GraphNode | undefined {
  let leader: GraphNode | undefined, most = 0;
  for (let i = 0; i < space.inputs.length; i++) {
    const input = space.inputs[i]!;
    if (input.kind !== NodeKind.CLIP || input.driver !== space || weights[i]! <= most) continue;
    most = weights[i]!;
    leader = input;
  }
  return leader;
}
