/* Prints how many bytes of heap 10,000 frames of a busy state leave behind; run bundled, as applications do, by memory.test.ts. */
import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { loadWithoutAtlas } from "../paths.js";
import { randomRig } from "./random.js";

const { json, animations } = randomRig(5);
const data = loadWithoutAtlas(json);
const results: Record<string, number> = {};
for (const [name, mixed, layered] of [["one track", false, false], ["two tracks", false, true], ["mix of three", true, false], ["both", true, true]] as const) {
  const state = new AnimationState(new AnimationStateData(data));
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  for (const animation of animations.slice(0, mixed ? 3 : 1)) {
    const entry = state.setAnimation(0, animation, true);
    // The mix lasts all through the measurement.
    entry.mixDuration = 1e9;
    entry.mixTime = 4e8;
    state.apply(skeleton);
  }
  if (layered) state.setAnimation(1, animations[4]!, true).alpha = 0.5;
  results[name] = bytesPerWindow(() => {
    state.update(1 / 60);
    state.apply(skeleton);
  });
}
console.log(JSON.stringify(results));
