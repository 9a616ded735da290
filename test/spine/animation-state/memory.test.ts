import { describe, expect, it } from "vitest";
import { DisposedError } from "../../../src/errors.js";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { heap } from "../../../src/wasm/heap.js";
import { heapScript } from "../../heap.js";
import { ALL_PATHS, randomRig } from "./random.js";
import { loadWithoutAtlas, readPath } from "../paths.js";
import { player } from "./rig.js";

const { json, animations } = randomRig(5);
const data = loadWithoutAtlas(json);

/** A state with two tracks, one of them in a mix of three that lasts. */
function busyState(): { state: AnimationState; skeleton: Skeleton } {
  const state = new AnimationState(new AnimationStateData(data));
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  for (const name of animations.slice(0, 3)) {
    const entry = state.setAnimation(0, name, true);
    entry.mixDuration = 1e9;
    entry.mixTime = 4e8;
    state.apply(skeleton);
  }
  state.setAnimation(1, animations[4]!, true).alpha = 0.5;
  return { state, skeleton };
}

describe("a steady frame", () => {
  it("leaves nothing behind on the JavaScript heap", { timeout: 120_000 }, async () => {
    const bytes = await heapScript(new URL("steady-frame.ts", import.meta.url));
    expect(bytes).toEqual({ "one track": 0, "two tracks": 0, "mix of three": 0, both: 0 });
  });

  it("takes nothing from linear memory", () => {
    const { state, skeleton } = busyState();
    for (let i = 0; i < 200; i++) {
      state.update(1 / 60);
      state.apply(skeleton);
    }
    const { usedBytes, blockCount } = heap;
    for (let i = 0; i < 1000; i++) {
      state.update(1 / 60);
      state.apply(skeleton);
    }
    expect(heap.usedBytes).toBe(usedBytes);
    expect(heap.blockCount).toBe(blockCount);
    state.dispose();
    skeleton.dispose();
  });
});

describe("the memory of a state", () => {
  it("is given back by dispose, 2,000 times over", () => {
    const once = (): void => {
      const { state, skeleton } = busyState();
      state.update(0.1);
      state.apply(skeleton);
      state.dispose();
      state.dispose();
      skeleton.dispose();
    };
    once();
    const { usedBytes, blockCount, highWaterBytes } = heap;
    for (let i = 0; i < 2000; i++) once();
    expect(heap.usedBytes).toBe(usedBytes);
    expect(heap.blockCount).toBe(blockCount);
    expect(heap.highWaterBytes).toBe(highWaterBytes);
  });

  it("does not grow with the number of animations that were played", () => {
    const state = new AnimationState(new AnimationStateData(data));
    const skeleton = new Skeleton(data);
    const play = (i: number): void => {
      state.setAnimation(i % 2, animations[i % animations.length]!, true).mixDuration = 0.05;
      // Long enough for the mix to end: an entry that is held waits for the whole chain.
      for (let frame = 0; frame < 4; frame++) {
        state.update(0.03);
        state.apply(skeleton);
      }
    };
    for (let i = 0; i < 200; i++) play(i);
    const { usedBytes } = heap;
    for (let i = 0; i < 2000; i++) play(i);
    expect(heap.usedBytes).toBe(usedBytes);
    state.dispose();
    skeleton.dispose();
  });

  it("stays good while linear memory grows and moves the views", () => {
    const { state, skeleton } = busyState();
    const peer = busyState();
    for (let i = 0; i < 4; i++) {
      state.update(0.05);
      state.apply(skeleton);
      const { generation } = heap;
      const blocks: number[] = [];
      while (heap.generation === generation) blocks.push(heap.alloc(1 << 20));
      peer.state.update(0.05);
      peer.state.apply(peer.skeleton);
      for (const block of blocks) heap.free(block);
    }
    for (const path of ALL_PATHS) expect(readPath(skeleton, path), path).toEqual(readPath(peer.skeleton, path));
    for (const { state: s, skeleton: k } of [{ state, skeleton }, peer]) {
      s.dispose();
      k.dispose();
    }
  });

  it("is not used after dispose", () => {
    const { state, skeleton, dispose } = player();
    state.setAnimation(0, "forty");
    dispose();
    expect(() => state.apply(skeleton)).toThrow(DisposedError);
    expect(() => state.setAnimation(0, "forty")).toThrow(DisposedError);
  });
});
