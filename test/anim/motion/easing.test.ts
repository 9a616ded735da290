import { describe, expect, it } from "vitest";
import { EASE_NAMES } from "../../../src/anim/motion/ease.js";
import { Easing, type StepJump } from "../../../src/anim/motion/easing.js";
import { AnimArgumentError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { golden } from "../../golden.js";
import fc from "../../properties.js";

interface EasingGolden {
  t: number[];
  eases: Record<string, { values: number[] }>;
  parametric: Record<string, number[] | { in: number[]; out: number[]; inOut: number[] }>;
}
const data = golden<EasingGolden>("easing-golden.json");
/** The golden file's tolerance for a 64-bit implementation. */
const TOLERANCE = 1e-12;

describe("named eases", () => {
  it("are exactly the 31 of the golden file", () => {
    expect(EASE_NAMES.toSorted()).toEqual(Object.keys(data.eases).toSorted());
    expect(EASE_NAMES[0]).toBe("linear");
    expect(EASE_NAMES.slice(1, 4)).toEqual(["inSine", "outSine", "inOutSine"]);
  });

  for (const [name, { values }] of Object.entries(data.eases)) {
    it(`${name} matches the golden values`, () => {
      data.t.forEach((t, i) => expect(Math.abs(Easing.evaluate(name, t) - values[i]!)).toBeLessThan(TOLERANCE));
      expect(Easing.evaluate(name, 0)).toBe(0);
      expect(Easing.evaluate(name, 1)).toBe(1);
    });
  }

  it("clamp their input and stay finite and within a factor of 2", () => {
    fc.assert(
      fc.property(fc.constantFrom(...EASE_NAMES), fc.double({ min: -2, max: 3, noNaN: true }), (name, t) => {
        const value = Easing.evaluate(name, t);
        if (t <= 0) return value === 0;
        if (t >= 1) return value === 1;
        return Math.abs(value) < 2;
      }),
    );
  });

  it("treat the empty name as linear", () => {
    expect(Easing.evaluate("", 0.3)).toBe(0.3);
  });

  it("name near matches when a name is unknown", () => {
    expect(() => Easing.evaluate("outquad", 0.5)).toThrow(AnimNameError);
    expect(() => Easing.evaluate("outquad", 0.5)).toThrow(/outQuad/);
  });
});

describe("parametric eases", () => {
  for (const [key, expected] of Object.entries(data.parametric)) {
    it(`${key} matches the golden values`, () => {
      const numbers = (key.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
      const variants = key.startsWith("back")
        ? Easing.back(numbers[0])
        : key.startsWith("elastic")
          ? Easing.elastic(numbers[0], numbers[1])
          : undefined;
      if (variants !== undefined) {
        const rows = expected as { in: number[]; out: number[]; inOut: number[] };
        for (const variant of ["in", "out", "inOut"] as const) {
          data.t.forEach((t, i) => expect(Math.abs(variants[variant](t) - rows[variant][i]!)).toBeLessThan(TOLERANCE));
        }
        return;
      }
      const fn = key.startsWith("cubicBezier")
        ? Easing.cubicBezier(numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!)
        : Easing.steps(numbers[0]!, key.match(/,(\w+)\)/)![1] as StepJump);
      data.t.forEach((t, i) => expect(Math.abs(fn(t) - (expected as number[])[i]!)).toBeLessThan(TOLERANCE));
    });
  }

  it("refuse parameters that make no sense", () => {
    expect(() => Easing.back(-1)).toThrow(AnimArgumentError);
    expect(() => Easing.elastic(0.5)).toThrow(AnimArgumentError);
    expect(() => Easing.elastic(1, 0)).toThrow(AnimArgumentError);
    expect(() => Easing.cubicBezier(1.5, 0, 0, 1)).toThrow(AnimArgumentError);
    expect(() => Easing.steps(0)).toThrow(AnimArgumentError);
    expect(() => Easing.steps(1, "none")).toThrow(AnimArgumentError);
  });
});

describe("own eases", () => {
  it("are found by their name once registered, and a name is taken only once", () => {
    Easing.register("test.square", (t) => t * t);
    expect(Easing.evaluate("test.square", 0.5)).toBe(0.25);
    expect(() => Easing.register("test.square", (t) => t)).toThrow(AnimStateError);
    expect(() => Easing.register("outQuad", (t) => t)).toThrow(AnimStateError);
    expect(() => Easing.register("test.nan", () => NaN)).toThrow(AnimArgumentError);
  });

  it("are finite with any parameters that they take", () => {
    for (const size of [1, 1.5, 1e6, 1e100]) {
      for (const period of [undefined, 1e-308, 1e-12, 0.3, 1e6, 1e300]) {
        for (const variants of [Easing.elastic(size, period), Easing.back(size)]) {
          for (const ease of [variants.in, variants.out, variants.inOut]) {
            for (let t = 0; t <= 1; t += 1 / 64) expect(Math.abs(ease(t)), `${size}, ${period}, ${t}`).toBeLessThan(10 * size);
          }
        }
      }
    }
  });

  it("throw where they return something that is not finite", () => {
    expect(() => Easing.evaluate((t) => 1 / (t - 0.5), 0.5)).toThrow(AnimArgumentError);
  });

  it("can be baked unless they bend too sharply", () => {
    const baked = Easing.bake("inOutSine");
    for (let i = 0; i <= 100; i++) expect(Math.abs(baked(i / 100) - Easing.evaluate("inOutSine", i / 100))).toBeLessThan(1e-4);
    expect(() => Easing.bake((t) => (t < 0.3 ? 0 : 1))).toThrow(AnimArgumentError);
  });
});
