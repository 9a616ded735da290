import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimNameError } from "../../../src/anim/errors.js";
import { Animation } from "../../../src/anim/module/animation.js";
import { EASE_NAMES, Easing, MotionStore, type EaseFn } from "../../../src/anim/motion/index.js";
import { Tween } from "../../../src/anim/tween/tween.js";
import { heap } from "../../../src/wasm/heap.js";
import fc, { runs } from "../../properties.js";

const TIMES = Array.from({ length: 41 }, (_, i) => i / 40);
const same = (name: string, fn: EaseFn): void => {
  for (const t of TIMES) expect(Easing.evaluate(name, t), `${name} at ${t}`).toBe(fn(t));
};

describe("ease names with parameters", () => {
  it("are the parametric eases of Easing, bit for bit", () => {
    for (const variant of ["in", "out", "inOut"] as const) {
      same(`${variant}Back(2.5)`, Easing.back(2.5)[variant]);
      same(`${variant}Elastic(1.2)`, Easing.elastic(1.2)[variant]);
      same(`${variant}Elastic( 1.2 , 0.4 )`, Easing.elastic(1.2, 0.4)[variant]);
    }
    same("cubicBezier(.25,.1,.25,1)", Easing.cubicBezier(0.25, 0.1, 0.25, 1));
    same("cubicBezier(0.3, -1, .7, 2e0)", Easing.cubicBezier(0.3, -1, 0.7, 2));
    same("steps(4)", Easing.steps(4));
    for (const jump of ["end", "start", "none", "both"] as const) same(`steps(4, ${jump})`, Easing.steps(4, jump));
  });

  it("are understood wherever an ease is named", () => {
    const anim = new Animation();
    const named = anim.motion(0, 10, 1).ease("outBack(2.5)").run(), given = anim.motion(0, 10, 1).ease(Easing.back(2.5).out).run();
    const member = { x: 0 }, group = new Float64Array(2);
    anim.sequence().append(anim.motion(0, 10, 1).ease("outBack(2.5)").to((x) => (member.x = x))).run();
    anim.motions().startFloats(0, 10, 1, "outBack(2.5)", 2, group);
    const tween = new Tween(1);
    tween.setTo("x", 10);
    tween.setEase("outBack(2.5)");
    expect(tween.getEase()).toBe("outBack(2.5)");
    tween.start();
    for (let i = 0; i < 9; i++) {
      anim.update(0.1);
      tween.update(0.1);
      expect(named.value()).toBe(given.value());
      expect(Math.abs(member.x - given.value())).toBeLessThan(1e-12);
      expect(Math.abs(tween.get("x") - given.value())).toBeLessThan(1e-12);
      expect([...group]).toEqual([given.value(), given.value()]);
    }
    expect(Math.max(...group)).toBeGreaterThan(10);
    anim.dispose();
  });

  it("run in the kernel, in the pages of the ease that they name", () => {
    const store = new MotionStore();
    Easing.evaluate("linear", 0);
    for (let i = 0; i < 50; i++) store.motion(0, 1, 1).ease("inElastic(2,0.5)").run();
    for (let i = 0; i < 14; i++) store.motion(0, 1, 1).ease(Easing.elastic(2, 0.5).in).run();
    expect(store.rows.buckets.map(({ curve, first }) => [curve.fn, heap.i32[first >> 2]])).toEqual([[null, 64]]);
    store.dispose();
  });

  it("are refused where a parameter is missing, wrong or too many, and the old ease stays", () => {
    const tween = new Tween();
    tween.setEase("inQuad");
    for (const name of ["outBack()", "outBack(x)", "outBack(-1)", "outBack(1,2)", "outElastic(0.5)", "outElastic(1,0)", "outElastic(1,)", "outElastic(1,2,3)", "cubicBezier(1,2,3)", "cubicBezier(2,0,1,1)", "steps(0)", "steps(1.5)", "steps(1,none)", "steps(3,middle)", "steps(3,end,4)", "steps()", "outBack(Infinity)"]) {
      expect(() => tween.setEase(name), name).toThrow(AnimArgumentError);
    }
    for (const name of ["outBack(1", "nope(1)", "inQuad(2)", "(1)", "outBack(1)(2)", "outBack((1))", "__proto__(1)", "constructor(1)"]) expect(() => tween.setEase(name), name).toThrow(AnimNameError);
    expect(tween.getEase()).toBe("inQuad");
  });

  it("keep to the rules of every ease, for any text: a finite curve or an AnimArgumentError", () => {
    const part = fc.oneof(fc.constantFrom(...EASE_NAMES, "steps", "cubicBezier", "(", ")", ",", "end", " "), fc.double().map(String), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const name = parts.join("");
        try {
          return Number.isFinite(Easing.evaluate(name, 0.37));
        } catch (error) {
          return error instanceof AnimArgumentError;
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
