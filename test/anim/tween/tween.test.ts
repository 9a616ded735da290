import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimIndexError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { EASE_NAMES } from "../../../src/anim/motion/ease.js";
import { shortestTurn } from "../../../src/anim/tween/angle.js";
import { Tween } from "../../../src/anim/tween/tween.js";
import { golden } from "../../golden.js";
import fc from "../../properties.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
const data = golden<any>("motion-sequence-golden.json");
const near = (actual: number, expected: number): void => expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9);

function stateOf(tween: Tween): string {
  const states = { running: tween.isRunning(), paused: tween.isPaused(), finished: tween.isFinished(), stopped: tween.isStopped(), delayed: tween.isDelayed() };
  const names = Object.entries(states).filter(([, on]) => on).map(([name]) => name);
  expect(names).toHaveLength(1);
  return names[0]!;
}

describe("golden tweens", () => {
  for (const row of data.tween) {
    it(row.title, () => {
      const tween = new Tween(row.duration);
      tween.setFrom("v", row.from);
      tween.setTo("v", row.to);
      tween.setEase(row.ease);
      tween.setDelay(row.delay);
      tween.setRepeat(row.repeat);
      tween.setYoyo(row.yoyo);
      for (const { op, after } of row.rows) {
        (tween as any)[op[0]](...op.slice(1));
        expect(stateOf(tween)).toBe(after.state);
        near(tween.get("v"), after.value);
        near(tween.getElapsed(), after.elapsed);
        near(tween.getProgress(), after.progress);
        near(tween.getEasedProgress(), after.easedProgress);
      }
    });
  }

  it("angles take the short way of the golden file", () => {
    for (const row of data.angles) {
      near(shortestTurn(row.to - row.from), row.shortestDelta);
      const tween = new Tween(1);
      tween.setFromAngle("a", row.from);
      tween.setToAngle("a", row.to);
      tween.start();
      tween.update(0.5);
      near(tween.get("a"), row["at0.5"]);
      tween.update(0.5);
      near(tween.get("a"), row.at1);
    }
  });
});

describe("Tween", () => {
  it("ends exactly at the end value for every ease", () => {
    for (const ease of EASE_NAMES) {
      const tween = new Tween(0.7);
      tween.setFrom("v", 0.1);
      tween.setTo("v", 0.3);
      tween.setEase(ease);
      tween.start();
      while (tween.update(1 / 60));
      expect(tween.get("v")).toBe(0.3);
    }
  });

  it("gives the same result in one step as in many", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 40 }),
        (repeat, yoyo, time, delay, steps) => {
          const make = (): Tween => {
            const tween = new Tween(1.25);
            tween.setFrom("v", -3);
            tween.setDelta("v", 10);
            tween.setEase("outBack");
            tween.setRepeat(repeat);
            tween.setYoyo(yoyo);
            tween.setDelay(delay);
            tween.start();
            return tween;
          };
          const once = make(), many = make(), sought = make();
          once.update(time);
          for (let i = 0; i < steps; i++) many.update(time / steps);
          sought.seek(time);
          // Close to a boundary rounding may put the two on different sides.
          const phase = ((time - delay) / 1.25) % 1;
          fc.pre(time < delay - 1e-6 || (time > delay + 1e-6 && phase > 1e-6 && phase < 1 - 1e-6));
          near(many.get("v"), once.get("v"));
          if (!once.isFinished()) near(sought.get("v"), once.get("v"));
          return true;
        },
      ),
    );
  });

  it("takes a missing start from the current value, once", () => {
    const tween = new Tween(1);
    tween.setTo("v", 4);
    tween.start();
    tween.update(1);
    tween.start();
    expect(tween.get("v")).toBe(0);
    tween.startFromCurrent();
    expect(tween.getFrom("v")).toBe(0);
  });

  it("respects the delay of a tween of length 0", () => {
    const tween = new Tween(0);
    tween.setFrom("v", 1);
    tween.setTo("v", 2);
    tween.setDelay(1);
    tween.start();
    tween.update(0.5);
    expect(tween.get("v")).toBe(1);
    tween.update(0.5);
    expect(tween.get("v")).toBe(2);
    expect(tween.isFinished()).toBe(true);
  });

  it("calls start, update, cycle and complete in this order, and each cycle once", () => {
    const log: string[] = [];
    const tween = new Tween(1);
    tween.setRepeat(3);
    tween.onStart(() => log.push("start")).onUpdate(() => log.push("update")).onCycle((n) => log.push(`cycle ${n}`)).onComplete(() => log.push("complete"));
    tween.start();
    expect(log).toEqual([]);
    tween.update(2.5);
    tween.update(10);
    expect(log).toEqual(["start", "update", "cycle 1", "cycle 2", "update", "cycle 3", "complete"]);
  });

  it("writes into a bound object under mapped names", () => {
    const target = { x: 0, alpha: 1 };
    const tween = new Tween(1).bindTo(target, { opacity: "alpha" });
    tween.setFrom("x", 0);
    tween.setTo("x", 10);
    tween.setFrom("opacity", 1);
    tween.setTo("opacity", 0);
    tween.start();
    tween.update(0.5);
    expect(target).toEqual({ x: 5, alpha: 0.5 });
  });

  it("pauses between cycles where a cycle delay is set", () => {
    const tween = new Tween(1);
    tween.setFrom("v", 0);
    tween.setTo("v", 10);
    tween.setRepeat(2);
    tween.setCycleDelay(0.5);
    tween.start();
    tween.update(1.25);
    expect(tween.get("v")).toBe(10);
    tween.update(0.5);
    near(tween.get("v"), 2.5);
    tween.update(0.75);
    expect(tween.isFinished()).toBe(true);
  });

  it("keeps running when a callback throws, and tells the handler", () => {
    const errors: string[] = [];
    const tween = new Tween(1);
    tween.onError = (_error, what) => errors.push(what);
    tween.onUpdate(() => {
      throw new Error("user");
    });
    tween.start();
    tween.update(0.5);
    expect(tween.update(0.5)).toBe(false);
    expect(errors).toEqual(["Tween.onupdate", "Tween.onupdate"]);
  });

  it("refuses bad arguments without changing anything", () => {
    const tween = new Tween(1);
    tween.setEase("outQuad");
    expect(() => tween.setEase("nope")).toThrow(AnimNameError);
    expect(tween.getEase()).toBe("outQuad");
    expect(() => tween.setDuration(-1)).toThrow(AnimArgumentError);
    expect(() => tween.setRepeat(1.5)).toThrow(AnimArgumentError);
    expect(() => tween.setFrom("", 1)).toThrow(AnimArgumentError);
    expect(() => tween.setFrom("v", NaN)).toThrow(AnimArgumentError);
    expect(tween.has("v")).toBe(false);
    expect(() => tween.get("v")).toThrow(AnimNameError);
    expect(() => tween.getPropertyName(0)).toThrow(AnimIndexError);
    expect(() => tween.update(-1)).toThrow(AnimArgumentError);
    tween.setDuration(0);
    tween.setRepeat(-1);
    expect(() => tween.start()).toThrow(AnimStateError);
  });

  it("resolves its promise with how it ended", async () => {
    const tween = new Tween(1);
    tween.start();
    const { finished } = tween;
    tween.stop();
    expect(await finished).toBe("stopped");
    tween.start();
    tween.update(2);
    expect(await tween.finished).toBe("finished");
  });
});
