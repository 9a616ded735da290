import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimBudget, AnimClip, AnimNameError, AnimPlayer, AnimSkeleton, type BudgetLevel } from "../../../src/anim/index.js";

/** Counts what it is asked for; every update takes `cost` microseconds of a clock that nothing else moves. */
class Dummy {
  static clock = 0;
  time = 0;
  updates = 0;
  lod = -1;
  lods = 0;

  constructor(readonly cost = 10) {}

  update(dt: number): void {
    this.time += dt;
    this.updates++;
    Dummy.clock += this.cost;
  }

  setLod(level: number): void {
    this.lod = level;
    this.lods++;
  }
}

const now = (): number => Dummy.clock;
const LEVELS: BudgetLevel[] = [{ size: 0.2, rate: 0, lod: 0 }, { size: 0.05, rate: 15, lod: 1 }, { size: 0, rate: 0, lod: 3, frozen: true }];

describe("AnimBudget", () => {
  it("updates near characters every frame, far ones at the rate of their level, the farthest not at all, and loses no time", () => {
    const budget = new AnimBudget(1e9, { levels: LEVELS, now }), all = [0.5, 0.1, 0.01].map((size) => ({ dummy: new Dummy(), size }));
    const ids = all.map(({ dummy, size }) => budget.add(dummy, size));
    for (let f = 0; f < 120; f++) budget.update(1 / 60);
    expect(all.map(({ dummy }) => dummy.lod)).toEqual([0, 1, 3]);
    expect(ids.map((id) => budget.getLevel(id))).toEqual([0, 1, 2]);
    expect(all[0]!.dummy.updates).toBe(120);
    expect(all[1]!.dummy.updates).toBeGreaterThanOrEqual(29);
    expect(all[1]!.dummy.updates).toBeLessThanOrEqual(31);
    expect(all[1]!.dummy.time).toBeGreaterThan(2 - 1 / 15 - 1e-9);
    expect(all[2]!.dummy.updates).toBe(0);
    // It thaws with all the time that has passed.
    budget.setScreenSize(ids[2]!, 0.5);
    budget.update(1 / 60);
    expect(all[2]!.dummy.time).toBeCloseTo(121 / 60, 9);
    expect(all[2]!.dummy.lod).toBe(0);
  });

  it("spreads characters of one rate over the frames", () => {
    const budget = new AnimBudget(1e9, { levels: LEVELS, now }), dummies = Array.from({ length: 100 }, () => new Dummy());
    for (const dummy of dummies) budget.add(dummy, 0.1);
    const total = (): number => dummies.reduce((sum, dummy) => sum + dummy.updates, 0);
    for (let f = 0; f < 8; f++) budget.update(1 / 60);
    for (let f = 0; f < 12; f++) {
      const before = total();
      budget.update(1 / 60);
      // A quarter of them, 15 of 60 times a second.
      expect(total() - before).toBeGreaterThan(18);
      expect(total() - before).toBeLessThan(33);
    }
  });

  it("scales sizes down until updates fit the budget, and up again when there is room", () => {
    const budget = new AnimBudget(600, { levels: LEVELS, now }), dummies = Array.from({ length: 100 }, () => new Dummy(10)), ids = dummies.map((dummy, i) => budget.add(dummy, 0.21 + i * 0.005));
    let worst = 0;
    for (let f = 0; f < 600; f++) {
      budget.update(1 / 60);
      if (f > 300) worst = Math.max(worst, budget.getCost());
    }
    expect(budget.getScale()).toBeLessThan(1);
    expect(worst).toBeLessThan(700);
    // The larger ones are those that still move every frame.
    expect(budget.getLevel(ids[99]!)).toBeLessThanOrEqual(budget.getLevel(ids[0]!));
    budget.setBudget(1e9);
    for (let f = 0; f < 600; f++) budget.update(1 / 60);
    expect(budget.getScale()).toBe(1);
    expect(ids.every((id) => budget.getLevel(id) === 0 || id < 20)).toBe(true);
  });

  it("does not flicker between levels while a size stays near a limit", () => {
    const budget = new AnimBudget(1e9, { levels: LEVELS, now }), dummy = new Dummy(), id = budget.add(dummy, 0.2);
    for (let f = 0; f < 200; f++) {
      budget.setScreenSize(id, 0.2 * (1 + 0.1 * Math.sin(f)));
      budget.update(1 / 60);
    }
    expect(dummy.lods).toBe(1);
    budget.setScreenSize(id, 0.16);
    budget.update(1 / 60);
    expect(dummy.lod).toBe(1);
  });

  it("drives players whose events and clocks are those of plain updates", () => {
    const skeleton = new AnimSkeleton(), clip = new AnimClip();
    skeleton.addBone("a");
    clip.addPositionKey(0, 0, 0, 0, 0);
    clip.addPositionKey(0, 1, 1, 0, 0);
    clip.addEvent(0.5, "half");
    const budget = new AnimBudget(1e9, { now }), near = new AnimPlayer(skeleton), far = new AnimPlayer(skeleton), heard = [0, 0];
    for (const [i, player] of [near, far].entries()) {
      player.play(clip);
      player.onEvent(() => heard[i]!++);
    }
    budget.add(near, 1);
    budget.add(far, 0.02);
    for (let f = 0; f < 300; f++) budget.update(1 / 60);
    expect(heard).toEqual([5, 5]);
  });

  it("ignores a step that is not finite, and refuses what makes no sense", () => {
    const budget = new AnimBudget(100, { now }), dummy = new Dummy(), id = budget.add(dummy);
    for (const dt of [NaN, Infinity, -Infinity]) budget.update(dt);
    expect(dummy.updates).toBe(0);
    expect(() => budget.update(-1)).toThrow(AnimArgumentError);
    expect(() => budget.add(dummy)).toThrow(/already/);
    expect(() => budget.add({} as never)).toThrow(/update/);
    budget.remove(id);
    expect(() => budget.getLevel(id)).toThrow(AnimNameError);
    expect([budget.getCount(), budget.add(dummy)]).toEqual([0, 1]);
    expect(() => new AnimBudget(0)).toThrow(AnimArgumentError);
    expect(() => new AnimBudget(1, { levels: [{ size: 1, rate: 0, lod: 0 }] })).toThrow(/size 0/);
    expect(() => new AnimBudget(1, { levels: [{ size: 0.1, rate: 0, lod: 0 }, { size: 0.2, rate: 0, lod: 0 }, { size: 0, rate: 0, lod: 0 }] })).toThrow(/largest size/);
  });
});
