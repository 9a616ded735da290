import { describe, expect, it } from "vitest";
import { asin, atan2, cos, exp, exp2, log, pow, sin } from "../../../src/anim/motion/math.js";

/** Arguments that cover signs, halves, powers and awkward fractions. */
function spread(low: number, high: number): number[] {
  const out: number[] = [];
  for (let i = 0; i <= 4000; i++) out.push(low + ((high - low) * i) / 4000 + (i % 7) * 1e-7);
  return out;
}

describe("double-precision mathematics", () => {
  it("sine and cosine stay within 1e-15 of the platform up to 1000 turns", () => {
    for (const x of spread(-6283, 6283)) {
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-15);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-15);
    }
  });

  it("sine and cosine stay within 1e-15 up to 2^20 quarter turns", () => {
    for (const x of spread(-1.6e6, 1.6e6)) {
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-15);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-15);
    }
  });

  it("exponentials are within 3e-14 relative", () => {
    for (const x of spread(-700, 709)) expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(3e-14);
    for (const x of spread(-1020, 1023)) expect(Math.abs(exp2(x) / 2 ** x - 1)).toBeLessThan(3e-14);
  });

  it("whole powers of two are exact", () => {
    for (let n = -1021; n < 1024; n++) expect(exp2(n)).toBe(2 ** n);
  });

  it("exponentials overflow to infinity and underflow to zero", () => {
    expect(exp(710)).toBe(Infinity);
    expect(exp(709.7)).toBeGreaterThan(1e308);
    expect(exp(-800)).toBe(0);
    expect(exp2(1024)).toBe(Infinity);
    expect(exp2(-2000)).toBe(0);
    expect(exp(NaN)).toBeNaN();
  });

  it("the logarithm is within 1e-15, also below the normal range", () => {
    for (const e of spread(-1070, 1020)) {
      const x = 2 ** e;
      if (x > 0) expect(Math.abs(log(x) - Math.log(x))).toBeLessThan(1e-15 * Math.max(1, Math.abs(Math.log(x))));
    }
    expect(log(1)).toBe(0);
    expect(log(0)).toBe(-Infinity);
    expect(log(-1)).toBeNaN();
  });

  it("powers agree with the platform to 1e-12 relative, and on the special cases", () => {
    for (const x of [1e-9, 0.1, 0.5, 0.999, 1, 1.5, 7, 1234.5]) {
      for (const y of [-20, -1.5, -0.1, 0, 0.5, 1, 2.2, 10, 25]) expect(Math.abs(pow(x, y) / x ** y - 1)).toBeLessThan(1e-12);
    }
    expect(pow(0, 0)).toBe(1);
    expect(pow(0, 2)).toBe(0);
    expect(pow(0, -1)).toBe(Infinity);
    expect(pow(-2, 3)).toBeCloseTo(-8, 12);
    expect(pow(-2, 0.5)).toBeNaN();
  });

  it("arc tangent is within 1e-15 in all quadrants and keeps the signs of zero", () => {
    for (const a of spread(-3.1, 3.1)) {
      for (const r of [1e-200, 1, 1e200]) {
        const y = r * Math.sin(a), x = r * Math.cos(a);
        expect(Math.abs(atan2(y, x) - Math.atan2(y, x))).toBeLessThan(1e-15);
      }
    }
    expect(atan2(0, 0)).toBe(0);
    expect(atan2(-0, 1)).toBe(-0);
    expect(atan2(0, -1)).toBe(Math.PI);
    expect(atan2(Infinity, Infinity)).toBeCloseTo(Math.PI / 4, 15);
  });

  it("arc sine is within 1e-15 and clamps its argument", () => {
    for (const k of spread(-1, 0.999)) expect(Math.abs(asin(k) - Math.asin(k))).toBeLessThan(1e-15);
    expect(asin(2)).toBeCloseTo(Math.PI / 2, 15);
  });
});
