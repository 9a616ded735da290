import { describe, expect, it } from "vitest";
import { AnimArgumentError } from "../../../src/anim/errors.js";
import { Tween } from "../../../src/anim/tween/tween.js";

/** A started tween of five cycles of a second that writes down what it is told. */
function told(): { tween: Tween; log: string[] } {
  const tween = new Tween(1);
  const log: string[] = [];
  tween.setTo("x", 1);
  tween.setRepeat(5);
  tween.onStart(() => log.push("start")).onUpdate(() => log.push("update")).onCycle((n) => log.push(`cycle ${n}`)).onComplete(() => log.push("complete")).onStop(() => log.push("stop"));
  tween.start();
  return { tween, log };
}

describe("callbacks of a tween", () => {
  const ends: [string, (tween: Tween) => void, string[]][] = [
    ["stop", (tween) => tween.stop(), ["stop"]],
    ["start", (tween) => tween.start(), []],
    ["reset", (tween) => tween.reset(), []],
    ["complete", (tween) => tween.complete(), ["cycle 5", "complete"]],
    ["seek", (tween) => tween.seek(0.5), []],
  ];
  for (const [name, call, after] of ends) {
    for (const [event, before] of [["onStart", ["start"]], ["onUpdate", ["start", "update"]], ["onCycle", ["start", "update", "cycle 1"]]] as const) {
      it(`${name}() in ${event} is the last of an update`, () => {
        const { tween, log } = told();
        let done = false;
        const once = (): void => {
          if (done) return;
          done = true;
          call(tween);
        };
        if (event === "onStart") tween.onStart(once);
        else if (event === "onUpdate") tween.onUpdate(once);
        else tween.onCycle(once);
        tween.update(2.5);
        expect(log).toEqual([...before, ...after]);
      });
    }
  }

  it("are told of the last thousand cycles of a step of any length", () => {
    for (const dt of [1e3, 1e6, 1e15, 1e20, 1e300, Number.MAX_VALUE]) {
      const tween = new Tween(0.5);
      tween.setTo("x", 1);
      tween.setRepeat(-1);
      let calls = 0;
      tween.onCycle((n) => {
        calls++;
        expect(Number.isFinite(n)).toBe(true);
      });
      tween.start();
      tween.update(dt);
      expect(calls).toBe(1000);
      tween.update(0.25);
      expect(tween.get("x") >= 0 && tween.get("x") <= 1).toBe(true);
    }
  });

  it("a scaled step beyond every number counts as the largest", () => {
    const tween = new Tween(1);
    tween.setTo("x", 3);
    tween.setTimeScale(1e300);
    tween.start();
    tween.update(1e300);
    expect([tween.isFinished(), tween.get("x")]).toEqual([true, 3]);
  });

  it("a setter of the bound object that throws is reported, and the others are written", () => {
    const tween = new Tween(1);
    const errors: unknown[] = [];
    tween.onError = (error, what) => errors.push([(error as Error).message, what]);
    tween.setTo("x", 1);
    tween.setTo("y", 2);
    const target = { y: 0, set x(_: number) { throw new Error("no"); } };
    tween.bindTo(target);
    tween.start();
    tween.update(0.5);
    expect(target.y).toBe(1);
    expect(errors).toEqual([["no", "Tween.bindTo x"], ["no", "Tween.bindTo x"]]);
  });

  it("is bound to objects only", () => {
    for (const bad of [5, "x", true]) expect(() => new Tween().bindTo(bad as never)).toThrow(AnimArgumentError);
    expect(() => new Tween().bindTo({}, 5 as never)).toThrow(AnimArgumentError);
    new Tween().bindTo(null);
  });

  it("reset ends the promise of a running tween", async () => {
    const { tween } = told();
    const end = tween.finished;
    tween.reset();
    expect(await end).toBe("stopped");
  });

  it("an angle that needs no turn ends exactly where it was told to", () => {
    for (let i = 0; i < 500; i++) {
      const from = Math.sin(i * 1.7) * 1.5;
      const to = Math.cos(i * 2.3) * 1.5;
      const tween = new Tween(1);
      tween.setFromAngle("a", from);
      tween.setToAngle("a", to);
      tween.start();
      tween.update(1);
      expect(tween.get("a")).toBe(to);
    }
  });
});
