import { describe, expect, test } from "vitest";
import { Crowd, CrowdFullError, StaleIdError } from "../../src/crowd/index.js";
import { NameError, RangeMismatchError, StateError } from "../../src/errors.js";
import { AnimationState, AnimationStateData, Physics, ScaleTimeline, Skeleton } from "../../src/spine/index.js";
import { heap } from "../../src/wasm/heap.js";
import { distance } from "./distance.js";
import { builtIn, randoms } from "./rigs.js";

/** Notifications of an animation state in the words of a crowd. */
function listen(state: AnimationState, log: string[]): void {
  state.addListener({
    event: (entry, event) => log.push(`event ${entry.animation!.name} ${event.data.name} ${event.time}`),
    complete: (entry) => log.push(`complete ${entry.animation!.name}`),
  });
}

describe("a character of a crowd", () => {
  test("tells events and completions exactly once, also over loop points and in long steps", () => {
    const data = builtIn();
    const random = randoms(9);
    for (let round = 0; round < 40; round++) {
      const animation = data.animations[round % data.animations.length]!.name;
      const loop = random() < 0.7;
      const crowd = new Crowd(data, { capacity: 2 });
      const id = crowd.spawn({ animation, loop });
      const told: string[] = [];
      crowd.listener = {
        event: (who, event, clip) => told.push(`event ${clip.name} ${event.data.name} ${event.time}${who === id ? "" : " of another"}`),
        complete: (_who, clip) => told.push(`complete ${clip.name}`),
      };
      const skeleton = new Skeleton(data);
      const state = new AnimationState(new AnimationStateData(data));
      state.setAnimation(0, animation, loop);
      const expected: string[] = [];
      listen(state, expected);
      for (let frame = 0; frame < 120; frame++) {
        const dt = random() < 0.1 ? random() * 2.5 : random() * 0.05;
        crowd.update(dt);
        state.update(dt);
        state.apply(skeleton);
        expect(told, `${animation}, frame ${frame}`).toEqual(expected);
      }
      skeleton.dispose();
      crowd.dispose();
    }
  });

  test("plays what is queued when its time has come", () => {
    const data = builtIn();
    const names = data.animations.map((animation) => animation.name);
    const random = randoms(21);
    for (let round = 0; round < 20; round++) {
      const crowd = new Crowd(data);
      const [first, second, third] = [0, 1, 2].map(() => names[Math.floor(random() * names.length)]!) as [string, string, string];
      // A fade must be over before the next one begins: beyond that a state keeps more clips than a character.
      const mix = random() < 0.5 ? 0 : random() * Math.min(0.3, data.findAnimation(second)!.duration * 0.4);
      const id = crowd.spawn({ animation: first, loop: random() < 0.5 });
      const loop = crowd.has(id);
      const skeleton = new Skeleton(data);
      skeleton.setupPose();
      const stateData = new AnimationStateData(data);
      stateData.defaultMix = mix;
      const state = new AnimationState(stateData);
      const isLooping = (round & 1) === 0;
      crowd.play(id, first, { loop: isLooping, mix: 0 });
      state.setAnimation(0, first, isLooping).mixDuration = 0;
      const delay = random() < 0.5 ? 0 : 0.2 + random();
      crowd.queue(id, second, { delay, mix, loop });
      state.addAnimation(0, second, loop, delay);
      crowd.queue(id, third, { mix, loop });
      state.addAnimation(0, third, loop, 0);
      for (let frame = 0; frame < 240; frame++) {
        const dt = random() * 0.06;
        crowd.update(dt);
        state.update(dt);
        state.apply(skeleton);
        skeleton.update(dt);
        skeleton.updateWorldTransform(Physics.update);
        const error = distance(crowd, id, skeleton);
        if (!(error < 3e-4)) throw new Error(`round ${round}, frame ${frame}: ${error} (${first}, ${second}, ${third}, mix ${mix}, delay ${delay})`);
      }
      skeleton.dispose();
      crowd.dispose();
    }
  });

  test("does not jump when a fade interrupts a fade, however often: the mixture of the moment fades out", () => {
    const data = builtIn();
    const names = data.animations.map((animation) => animation.name);
    // A scale that mixes in towards 0 is 0 at once: a rule of scale timelines, not a jump of the fade.
    const vanishing = new Set<number>();
    for (const { timelines } of data.animations) {
      for (const timeline of timelines) {
        if (timeline instanceof ScaleTimeline && timeline.frames.some((value, i) => i % 3 !== 0 && value <= 0)) vanishing.add(timeline.boneIndex);
      }
    }
    const crowd = new Crowd(data);
    const random = randoms(2);
    for (let round = 0; round < 10; round++) {
      const id = crowd.spawn({ animation: names[round % names.length]! });
      crowd.update(0.3);
      for (let i = 0; i < 5; i++) {
        crowd.play(id, names[Math.floor(random() * names.length)]!, { mix: 0.3 });
        crowd.update(0.1);
        const before = rowOf(crowd, id);
        crowd.play(id, names[Math.floor(random() * names.length)]!, { mix: 0.5 });
        // No time passes: the new clip has no weight yet. Physics and constraints see the same pose.
        crowd.update(0);
        const after = rowOf(crowd, id);
        const jump = Math.max(...before.map((value, k) => (vanishing.has(Math.floor(k / 6)) ? 0 : Math.abs(value - after[k]!))));
        expect(jump, `round ${round}, ${i}`).toBeLessThan(0.02);
        crowd.update(0.1);
      }
      crowd.despawn(id);
    }
    crowd.dispose();
  });

  test("is hidden, posed less often, tinted and moved as told", () => {
    const data = builtIn();
    const crowd = new Crowd(data, { slots: true });
    const animation = data.animations[0]!.name;
    const id = crowd.spawn({ animation });
    const slow = crowd.spawn({ animation });
    crowd.setUpdateRate(slow, 20);
    crowd.update(1 / 60);
    const first = rowOf(crowd, slow);
    crowd.update(1 / 60);
    expect(rowOf(crowd, slow)).toEqual(first);
    expect(rowOf(crowd, id)).not.toEqual(first);
    crowd.update(1 / 60);
    crowd.update(1 / 60);
    expect(rowOf(crowd, slow)).not.toEqual(first);

    crowd.setVisible(id, false);
    crowd.update(1 / 60);
    expect(rowOf(crowd, id).every((value) => value === 0)).toBe(true);
    crowd.setVisible(id, true);
    crowd.setPosition(id, 100, 50);
    crowd.setTint(id, 0.5, 1, 1, 1);
    crowd.update(0);
    const out = [0, 0, 0, 0, 0, 0];
    crowd.bone(id, 0, out);
    expect(out[4]).toBeCloseTo(100 + data.bones[0]!.setupPose.x, 3);
    const slots = crowd.slots.subarray(crowd.row(id) * data.slots.length * 3);
    expect(slots[0]! & 0xff).toBe(Math.floor(data.slots[0]!.setupPose.color.r * 0.5 * 255 + 0.5));
  });
});

function rowOf(crowd: Crowd, id: number): number[] {
  const length = crowd.boneCount * 6;
  const start = crowd.row(id) * length;
  return [...crowd.palette.subarray(start, start + length)];
}

describe("a crowd", () => {
  test("refuses what it cannot do, with an error that says so, and changes nothing", () => {
    const data = builtIn();
    const animation = data.animations[0]!.name;
    const crowd = new Crowd(data, { capacity: 1, grow: false });
    expect(() => crowd.spawn({ animation: "no such animation" })).toThrow(NameError);
    expect(() => crowd.spawn({ skin: "no such skin" })).toThrow(NameError);
    expect(() => crowd.spawn({ x: Number.NaN })).toThrow(RangeMismatchError);
    expect(crowd.count).toBe(0);
    const id = crowd.spawn({ animation });
    expect(() => crowd.spawn({ animation })).toThrow(CrowdFullError);
    expect(() => crowd.update(Number.NaN)).toThrow(RangeMismatchError);
    expect(() => crowd.update(-1)).toThrow(RangeMismatchError);
    expect(() => crowd.slots).toThrow(StateError);
    crowd.despawn(id);
    for (const call of [
      () => crowd.play(id, animation),
      () => crowd.despawn(id),
      () => crowd.row(id),
      () => crowd.setPosition(id, 0, 0),
    ]) {
      expect(call).toThrow(StaleIdError);
    }
    const next = crowd.spawn({ animation });
    expect(next).not.toBe(id);
    expect(crowd.has(id)).toBe(false);
    crowd.dispose();
    expect(() => crowd.update(0.1)).toThrowError(/dispose/);
  });

  test("keeps rows, ids and poses together while characters come and go", () => {
    const data = builtIn();
    const random = randoms(4);
    const names = data.animations.map((animation) => animation.name);
    const crowd = new Crowd(data, { capacity: 4 });
    const living = new Map<number, { x: number }>();
    for (let step = 0; step < 600; step++) {
      const die = living.size > 0 && random() < 0.4;
      if (die) {
        const id = [...living.keys()][Math.floor(random() * living.size)]!;
        crowd.despawn(id);
        living.delete(id);
      } else {
        const x = Math.floor(random() * 1000);
        const id = crowd.spawn({ animation: names[step % names.length]!, x, skin: data.skins[step % data.skins.length]!.name });
        living.set(id, { x });
        if (random() < 0.3) crowd.play(id, names[(step + 1) % names.length]!, { mix: 0.1 });
      }
      if (step % 10 === 0) crowd.update(1 / 60);
    }
    crowd.update(1 / 60);
    expect(crowd.count).toBe(living.size);
    const out = [0, 0, 0, 0, 0, 0];
    for (const [id, { x }] of living) {
      crowd.bone(id, 0, out);
      expect(out.every(Number.isFinite)).toBe(true);
      expect(crowd.idAt(crowd.row(id))).toBe(id);
      expect(Math.abs(out[4]! - x)).toBeLessThan(500);
    }
    crowd.dispose();
  });

  test("gives back all its memory, 300 times over", () => {
    const data = builtIn();
    const names = data.animations.map((animation) => animation.name);
    const round = (): void => {
      const crowd = new Crowd(data, { capacity: 2, slots: true });
      const ids = Array.from({ length: 20 }, (_, i) => crowd.spawn({ animation: names[i % names.length]! }));
      crowd.update(0.02);
      for (const id of ids) crowd.play(id, names[0]!, { mix: 0.1 });
      crowd.update(0.02);
      crowd.dispose();
      crowd.dispose();
    };
    for (let i = 0; i < 20; i++) round();
    const used = heap.usedBytes;
    const mark = heap.highWaterBytes;
    for (let i = 0; i < 300; i++) round();
    expect(heap.usedBytes).toBe(used);
    expect(heap.highWaterBytes).toBe(mark);
  });
});

test("data cannot be disposed while a crowd lives on them", () => {
  const data = builtIn();
  const crowd = new Crowd(data);
  crowd.spawn({ animation: data.animations[0]!.name });
  expect(() => data.dispose()).toThrow(StateError);
  crowd.dispose();
  data.dispose();
});

test("bulk setters write rows as the single ones write ids, or nothing at all", () => {
  const data = builtIn();
  const make = (): [Crowd, number[]] => {
    const crowd = new Crowd(data, { slots: true });
    return [crowd, Array.from({ length: 5 }, (_, i) => crowd.spawn({ animation: data.animations[1]!.name, time: i / 5 }))];
  };
  const [bulk] = make();
  const [single, ids] = make();
  bulk.setPositions(Float32Array.of(1, 2, 3, 4, 5, 6), 1);
  bulk.setScales([2, -2, 0.5, 1], 3);
  bulk.setTints([0.5, 0.25, 1, 1], 4);
  bulk.setSpeeds([2, 3]);
  [[1, 2], [3, 4], [5, 6]].forEach(([x, y], i) => single.setPosition(ids[i + 1]!, x!, y!));
  single.setScale(ids[3]!, 2, -2);
  single.setScale(ids[4]!, 0.5, 1);
  single.setTint(ids[4]!, 0.5, 0.25, 1, 1);
  single.setSpeed(ids[0]!, 2);
  single.setSpeed(ids[1]!, 3);
  for (const crowd of [bulk, single]) crowd.update(0.1);
  expect(bulk.palette).toEqual(single.palette);
  expect(bulk.slots).toEqual(single.slots);
  for (const call of [
    () => bulk.setPositions([1]),
    () => bulk.setPositions([1, 2, 3, 4], 4),
    () => bulk.setPositions([7, Number.NaN]),
    () => bulk.setSpeeds([1, -1]),
    () => bulk.setTints([1, 1, 1, 1], -1),
  ]) {
    expect(call).toThrow(RangeMismatchError);
  }
  bulk.update(0);
  single.update(0);
  expect(bulk.palette).toEqual(single.palette);
  bulk.dispose();
  single.dispose();
});
