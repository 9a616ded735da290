import { describe, expect, it } from "vitest";
import { FormatError, StateError } from "../../../src/errors.js";
import { AnimationState, AnimationStateData } from "../../../src/spine/animation-state/index.js";
import { Physics } from "../../../src/spine/enums.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { heap } from "../../../src/wasm/heap.js";
import { loadWithoutAtlas, readPath, type Value } from "../paths.js";
import { ALL_PATHS, Random, randomRig } from "./random.js";
import { player } from "./rig.js";

interface Run {
  state: AnimationState;
  skeleton: Skeleton;
  log: string[];
}

const rigs = [11, 12, 13, 14, 15].map((seed) => {
  const { json, animations } = randomRig(seed);
  return { data: loadWithoutAtlas(json), animations };
});

function start({ data }: (typeof rigs)[number]): Run {
  const stateData = new AnimationStateData(data);
  stateData.defaultMix = 0.3;
  const state = new AnimationState(stateData, { maxDelta: 0.4, overflow: "carry" });
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  const log: string[] = [];
  state.addListener({
    start: (entry) => log.push(`start ${entry.animation!.name} ${entry.trackTime}`),
    interrupt: (entry) => log.push(`interrupt ${entry.animation!.name}`),
    end: (entry) => log.push(`end ${entry.animation!.name} ${entry.trackTime}`),
    complete: (entry) => log.push(`complete ${entry.animation!.name} ${entry.trackTime}`),
    event: (entry, event) => log.push(`event ${event.data.name} ${entry.trackTime}`),
  });
  return { state, skeleton, log };
}

/** Plays on with calls that only depend on the generator. @returns every pose value of every frame, and what was notified */
function play({ state, skeleton, log }: Run, r: Random, animations: readonly string[], frames: number): { poses: Value[][]; log: string[] } {
  const poses: Value[][] = [];
  log.length = 0;
  for (let i = 0; i < frames; i++) {
    if (r.chance(0.2)) {
      const entry = state.setAnimation(r.int(0, 2), r.pick(animations), r.chance(0.5));
      entry.alpha = r.range(0.3, 1);
      entry.mixAttachmentThreshold = r.next();
      if (r.chance(0.3)) entry.shortestRotation = true;
      if (r.chance(0.2)) entry.additive = true;
    }
    if (r.chance(0.15)) state.addAnimation(r.int(0, 2), r.pick(animations), r.chance(0.5), r.range(-0.2, 0.4));
    if (r.chance(0.05)) state.setEmptyAnimation(r.int(0, 2), 0.2);
    const delta = r.pick([1 / 60, 0.05, 0.13, 0.7]);
    state.update(delta);
    state.apply(skeleton);
    skeleton.update(delta);
    skeleton.updateWorldTransform(Physics.update);
    const world = skeleton.bones.flatMap((bone) => [bone.appliedPose.a, bone.appliedPose.worldX, bone.appliedPose.rotation]);
    poses.push([...ALL_PATHS.map((path) => readPath(skeleton, path)).flat(), ...world] as Value[]);
  }
  return { poses, log: log.slice() };
}

function disposeOf({ state, skeleton }: Run): void {
  state.dispose();
  skeleton.dispose();
}

describe("snapshots", () => {
  it("snapshot, run, restore, run again gives the same bits and the same notifications", () => {
    rigs.forEach((rig, k) => {
      for (let seed = 1; seed <= 12; seed++) {
        const run = start(rig);
        play(run, new Random(seed * 100 + k), rig.animations, 15);
        const bytes = run.state.snapshot(run.skeleton);
        const first = play(run, new Random(seed), rig.animations, 25);
        run.state.restore(bytes, run.skeleton);
        const second = play(run, new Random(seed), rig.animations, 25);
        expect(second.poses, `rig ${k}, seed ${seed}`).toEqual(first.poses);
        expect(second.log, `rig ${k}, seed ${seed}`).toEqual(first.log);
        disposeOf(run);
      }
    });
  });

  it("restore into another state and skeleton of the same data, and twice the same bytes come out", () => {
    const rig = rigs[0]!;
    const run = start(rig);
    const other = start(rig);
    play(run, new Random(3), rig.animations, 20);
    const bytes = run.state.snapshot(run.skeleton);
    other.state.restore(bytes, other.skeleton);
    expect(new Uint8Array(other.state.snapshot(other.skeleton))).toEqual(new Uint8Array(bytes));
    expect(play(other, new Random(9), rig.animations, 20).poses).toEqual(play(run, new Random(9), rig.animations, 20).poses);
    disposeOf(run);
    disposeOf(other);
  });

  it("of another skeleton or of damaged bytes are refused, and nothing changes", () => {
    const rig = rigs[1]!;
    const run = start(rig);
    play(run, new Random(4), rig.animations, 10);
    const bytes = run.state.snapshot(run.skeleton);
    const before = new Uint8Array(run.skeleton._shape.rows * 8);
    before.set(heap.u8.subarray(run.skeleton._block, run.skeleton._block + before.length));
    const refused = (damaged: ArrayBuffer): void => {
      const tracks = [...run.state.tracks];
      expect(() => run.state.restore(damaged, run.skeleton)).toThrow(FormatError);
      expect(run.state.tracks).toEqual(tracks);
      expect(heap.u8.subarray(run.skeleton._block, run.skeleton._block + before.length)).toEqual(before);
    };
    refused(new ArrayBuffer(0));
    for (let length = 4; length < bytes.byteLength; length += 37) refused(bytes.slice(0, length));
    const other = player();
    refused(other.state.snapshot(other.skeleton));
    for (const at of [0, 4]) {
      const damaged = bytes.slice(0);
      new DataView(damaged).setInt32(at, 12345, true);
      refused(damaged);
    }
    other.dispose();
    disposeOf(run);
  });

  it("with any four bytes overwritten are refused or restored whole, never anything else", () => {
    const rig = rigs[2]!;
    const run = start(rig);
    play(run, new Random(6), rig.animations, 10);
    const bytes = run.state.snapshot(run.skeleton);
    const r = new Random(7);
    for (let i = 0; i < 300; i++) {
      const damaged = bytes.slice(0);
      new DataView(damaged).setInt32(r.int(0, bytes.byteLength - 4), r.pick([-1, -100, 0x7fffffff, 70_000, 3]), true);
      try {
        run.state.restore(damaged, run.skeleton);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
      run.state.restore(bytes, run.skeleton);
    }
    run.state.apply(run.skeleton);
    disposeOf(run);
  });

  it("are not taken or restored in a listener", () => {
    const { state, skeleton, dispose } = player();
    const bytes = state.snapshot(skeleton);
    const errors: unknown[] = [];
    state.addListener({
      start: () => {
        for (const call of [() => state.snapshot(skeleton), () => state.restore(bytes, skeleton)]) {
          try {
            call();
          } catch (error) {
            errors.push(error);
          }
        }
      },
    });
    state.setAnimation(0, "forty");
    expect(errors.length).toBe(2);
    for (const error of errors) expect(error).toBeInstanceOf(StateError);
    dispose();
  });

  it("say what cannot be stored", () => {
    const { state, skeleton, data, dispose } = player();
    const copy = data.defaultSkin!.getAttachment(0, "open")!.copy();
    skeleton.findSlot("hand")!.pose.setAttachment(copy);
    expect(() => state.snapshot(skeleton)).toThrow(/Slot "hand" shows "open", which is in no skin/);
    dispose();
  });
});
